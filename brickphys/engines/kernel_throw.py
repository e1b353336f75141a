"""Throw kernels: one body from release until it is decided or at rest, and many of them.

Between contacts it flies in closed form to the next touch. There, corners that come down faster than the threshold
bounce, at that very instant. As long as a corner stays down (slower than the threshold), time goes on in small steps,
each with impulses that keep every corner above the floor to second order in the step; a corner that comes down fast
during a step cuts it short, and bounces.
"""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from brickphys.arrays import Array, Indices
from brickphys.engines.kernel_contact import Contacts, prepare, resolve, start_cold, start_warm
from brickphys.engines.kernel_flight import (
    GRAVITY_MM_S2,
    KernelBody,
    Sight,
    energy_mm,
    floor_normal,
    fly_to_touch,
    look,
    lowest,
    rotate_freely,
    spin_change,
)
from brickphys.jit import allocating_kernel, entry, kernel, sources_stamp

OUT_OF_TIME, DECIDED, AT_REST, DIVERGED = 0, 1, 2, 3
"""How a throw ends."""
_BOUNCES_AT_ONCE = 8
"""Bounces without any time between them, before time is made to go on."""


class Basins(NamedTuple):
    """The tables of `FaceMap`, one entry a facet, and the highest barrier of all."""

    normals: Array
    incident: Indices
    pose: Indices
    barrier: Array
    rest: Array
    """Height of the centre of mass over the facet."""
    hold: Array
    """With less friction the body slides on this facet without tipping over; 0 where it cannot rest."""
    highest: float


class Rules(NamedTuple):
    """Contact and settings, in millimetres and seconds."""

    friction: float
    restitution: float
    step: float
    bounce: float
    """Slower contacts do not bounce."""
    slack: float
    level: float
    by_energy: bool
    rest_speed: float
    rest_spin: float
    rest_time: float
    limit: float
    gain_limit: float


class Workspace(NamedTuple):
    """Workspace of one thread."""

    sight: Sight
    contacts: Contacts


@allocating_kernel
def _workspace(corners: int) -> Workspace:
    return Workspace(
        Sight(
            np.empty(corners),
            np.empty(corners),
            np.empty(corners, dtype=np.intp),
            np.zeros(1, dtype=np.intp),
        ),
        Contacts(
            np.empty(corners, dtype=np.intp),
            np.full(corners, -1),
            np.empty((corners, 9)),
            np.empty((corners, 6)),
            np.empty((corners, 3)),
            np.empty(corners),
        ),
    )


@kernel
def basin(solid: KernelBody, basins: Basins, motion: Array, sight: Sight) -> int:
    """Return a facet of the basin in which the body's downward direction lies; see `FaceMap.decide`."""
    nx, ny, nz = floor_normal(motion)
    corner = lowest(sight)
    reach = motion[2] - sight.height[corner]
    px = solid.x[corner] + reach * nx
    py = solid.y[corner] + reach * ny
    pz = solid.z[corner] + reach * nz
    best, steepest = 0, math.inf
    for turn in range(basins.incident.shape[1]):
        facet = basins.incident[corner, turn]
        slope = basins.normals[facet, 0] * px
        slope += basins.normals[facet, 1] * py + basins.normals[facet, 2] * pz
        if slope < steepest:
            best, steepest = facet, slope
    return best


@kernel
def slides_level(
    solid: KernelBody, basins: Basins, rules: Rules, motion: Array, sight: Sight, facet: int
) -> bool:
    """Tell whether all that the body can still do is slide or spin level on a facet.

    Level means that the energy of all other motion is next to nothing. Sliding feeds none into it as long as the
    friction is less than the facet holds: the force on its edge, friction included, then passes the centre of mass on
    the side that turns the facet back to the floor.
    """
    if sight.number[0] < 3 or rules.friction >= basins.hold[facet]:
        return False
    nx, ny, nz = floor_normal(motion)
    a, b, c = solid.inertia
    own = motion[10] * nx + motion[11] * ny + motion[12] * nz
    rocking = a * (motion[10] - own * nx) ** 2 + b * (motion[11] - own * ny) ** 2
    rocking += c * (motion[12] - own * nz) ** 2
    square = motion[9] ** 2 + rocking * solid.per_mass
    height = motion[2] - basins.rest[facet] + square / (2 * GRAVITY_MM_S2)
    return bool(height < rules.level)


@kernel
def bounce(solid: KernelBody, rules: Rules, motion: Array, work: Workspace) -> None:
    """Let all corners that touch bounce or stay down."""
    contacts, sight, number = work.contacts, work.sight, 0
    for i in range(sight.number[0]):
        k = sight.near[i]
        if sight.height[k] <= solid.touch:
            up = sight.rise[k]
            contacts.corner[number] = k
            contacts.target[number] = -rules.restitution * up if up < -rules.bounce else 0.0
            number += 1
    prepare(solid, motion, contacts, number)
    start_cold(contacts, number)
    resolve(solid, motion, contacts, number, rules.friction, 1e-3 * rules.bounce)


@kernel
def _lift(solid: KernelBody, motion: Array) -> tuple[float, float, float]:
    """Return the vector whose product with a corner is its vertical acceleration by rotation."""
    nx, ny, nz = floor_normal(motion)
    wx, wy, wz = motion[10], motion[11], motion[12]
    ax, ay, az = spin_change(solid, wx, wy, wz)
    along, square = nx * wx + ny * wy + nz * wz, wx * wx + wy * wy + wz * wz
    return (
        along * wx - square * nx + ny * az - nz * ay,
        along * wy - square * ny + nz * ax - nx * az,
        along * wz - square * nz + nx * ay - ny * ax,
    )


@kernel
def _step_length(solid: KernelBody, rules: Rules, sight: Sight) -> float:
    """Return the step: full, or up to the first touch of a corner that will bounce."""
    step = rules.step
    for i in range(sight.number[0]):
        k = sight.near[i]
        room, down = sight.height[k], -sight.rise[k]
        if room > solid.touch and down > rules.bounce and room < down * step:
            step = room / down
    return step


@kernel
def stay_down(
    solid: KernelBody, rules: Rules, motion: Array, work: Workspace, longest: float
) -> float:
    """Advance by a step with corners on the floor; return its length."""
    contacts, sight, number = work.contacts, work.sight, 0
    step = min(_step_length(solid, rules, sight), longest)
    motion[9] -= GRAVITY_MM_S2 * step
    lx, ly, lz = _lift(solid, motion)
    for i in range(sight.number[0]):
        k = sight.near[i]
        bend = 0.5 * step * step * (lx * solid.x[k] + ly * solid.y[k] + lz * solid.z[k])
        room = max(sight.height[k], 0.0) + bend
        up = sight.rise[k] - GRAVITY_MM_S2 * step
        if sight.height[k] <= solid.touch or room + up * step < 0 <= up + rules.bounce:
            contacts.corner[number] = k
            contacts.target[number] = -room / step
            number += 1
    prepare(solid, motion, contacts, number)
    if step == rules.step:
        start_warm(solid, motion, contacts, number)
    else:
        start_cold(contacts, number)
    resolve(solid, motion, contacts, number, rules.friction, 1e-3 * rules.bounce)
    for k in range(3):
        motion[k] += step * motion[7 + k]
    rotate_freely(solid, motion, step)
    return step


@kernel
def is_slow(rules: Rules, motion: Array) -> bool:
    """Tell whether the body moves less than a body at rest may."""
    speed = motion[7] ** 2 + motion[8] ** 2 + motion[9] ** 2
    spin = motion[10] ** 2 + motion[11] ** 2 + motion[12] ** 2
    return bool(speed < rules.rest_speed**2 and spin < rules.rest_spin**2)


@kernel
def _advance(
    solid: KernelBody, rules: Rules, motion: Array, work: Workspace, left: float, stuck: bool
) -> float:
    """Bounce, fly or stay down, whichever is next; return the time that it takes."""
    least, touching = math.inf, False
    sight = work.sight
    for i in range(sight.number[0]):
        k = sight.near[i]
        if sight.height[k] <= solid.touch:
            touching = True
            least = min(least, sight.rise[k])
    if touching and least < -rules.bounce and not stuck:
        bounce(solid, rules, motion, work)
        return 0.0
    if touching and least <= rules.bounce:
        return stay_down(solid, rules, motion, work, left)
    return fly_to_touch(solid, motion, sight, left)


@kernel
def throw(
    solid: KernelBody, basins: Basins, rules: Rules, motion: Array, work: Workspace
) -> tuple[int, int, float, float]:
    """Throw one body; `motion` is left at its end.

    Returns
    -------
    tuple
        How it ended, its pose if decided, the time, and the largest gain of energy as a share of the start's.
    """
    sight = work.sight
    start = energy_mm(solid, motion, look(solid, motion, sight, rules.step))
    start_cold(work.contacts, 0)  # a throw must not depend on the one before
    least, gain, time, still, stuck = start, 0.0, 0.0, 0.0, 0
    while time < rules.limit:
        spent = _advance(solid, rules, motion, work, rules.limit - time, stuck >= _BOUNCES_AT_ONCE)
        time += spent
        stuck = stuck + 1 if spent == 0.0 else 0
        gap = look(solid, motion, sight, rules.step)
        energy = energy_mm(solid, motion, gap)
        more = (energy - least) / start
        gain, least = max(gain, more), min(least, energy)
        if not more <= rules.gain_limit:  # what is not a number fails too
            return DIVERGED, 0, time, more
        if rules.by_energy and (energy + rules.slack < basins.highest or sight.number[0] > 2):
            facet = basin(solid, basins, motion, sight)
            enough = energy + rules.slack < basins.barrier[facet]
            if enough or slides_level(solid, basins, rules, motion, sight, facet):
                return DECIDED, basins.pose[facet], time, gain
        still = still + spent if is_slow(rules, motion) else 0.0
        # on fewer corners it is balanced on an edge, and will fall
        if still >= rules.rest_time and sight.number[0] > 2:
            return AT_REST, 0, time, gain
    return OUT_OF_TIME, 0, time, gain


@allocating_kernel
def _throw_in_turn(
    solid: KernelBody, basins: Basins, rules: Rules, motions: Array, ends: Indices, measures: Array
) -> None:
    work = _workspace(len(solid.x))
    for i in range(len(motions)):
        end, pose, time, gain = throw(solid, basins, rules, motions[i], work)
        ends[i, 0], ends[i, 1] = end, pose
        measures[i, 0], measures[i, 1] = time, gain


Entry = Callable[[tuple[Any, ...], tuple[Any, ...], tuple[Any, ...], Array, Indices, Array], int]


def compiled_entry(stamp: int) -> Entry:
    """Return the function that throws many bodies, one after the other.

    Its parameters are `KernelBody`, `Basins` and `Rules` as plain tuples, and three arrays of n rows: the motions
    (n, 13), overwritten by the last ones; how each throw ended and its pose (n, 2), written; time and gain of energy
    (n, 2), written. It returns the stamp.
    """

    def throw_all(
        solid: tuple[Any, ...],
        basins: tuple[Any, ...],
        rules: tuple[Any, ...],
        motions: Array,
        ends: Indices,
        measures: Array,
    ) -> int:
        """Throw many bodies, one after the other; see `compiled_entry`."""
        _throw_in_turn(KernelBody(*solid), Basins(*basins), Rules(*rules), motions, ends, measures)
        return stamp

    return entry(throw_all)


_HERE = Path(__file__).parent
SOURCES = (*sorted(_HERE.glob("kernel_*.py")), _HERE.parent / "units.py")
"""Everything that goes into the compiled code."""

throw_all = compiled_entry(sources_stamp(*SOURCES))
