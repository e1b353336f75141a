"""Throw kernels: throws of single bodies from release until they are decided or at rest.

Between contacts a body flies in closed form to the next contact. There, corners that fall faster than the threshold
bounce at once. While a corner stays on the floor (slower than the threshold), time advances in small steps. The
impulses of a step keep every corner above the floor to second order in the step. A corner that falls fast during a
step shortens it, and bounces.
"""

import math
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from benchmarks.reference.contact_kernel import Contacts, prepare, resolve, start_cold, start_warm
from benchmarks.reference.flight_kernel import (
    Corners,
    energy_mm,
    floor_normal,
    fly_to_touch,
    lowest,
    measure_near,
    rotate_freely,
)
from brickphys.engines.kernels.decision_kernel import is_level, steepest_facet
from brickphys.engines.kernels.flight_kernel import spin_change
from brickphys.engines.kernels.scalar_kernel import is_slow
from brickphys.engines.kernels.tables import (
    AT_REST,
    BOUNCES_AT_ONCE,
    DECIDED,
    DIVERGED,
    GRAVITY_MM_S2,
    OUT_OF_TIME,
    Basins,
    KernelBody,
    ThrowSettings,
)
from brickphys.jit import entry, kernel, outer_kernel
from brickphys.units import Array, Indices

_NONE = np.intp(0)
"""Number of contacts to count from. For a literal 0, Numba would compile the kernels that take it once more."""


class Workspace(NamedTuple):
    """Workspace of one thread."""

    corners: Corners
    contacts: Contacts


def workspace(count: int) -> Workspace:
    """Return a workspace for a body with `count` corners."""
    return Workspace(
        Corners(
            np.empty(count),
            np.empty(count),
            np.empty(count, dtype=np.intp),
            np.zeros(1, dtype=np.intp),
        ),
        Contacts(
            np.empty(count, dtype=np.intp),
            np.full(count, -1),
            np.empty((count, 9)),
            np.empty((count, 6)),
            np.empty((count, 3)),
            np.empty(count),
        ),
    )


@kernel
def basin(solid: KernelBody, basins: Basins, motion: Array, corners: Corners) -> int:
    """Return a facet of the basin of the body's downward direction; see `FaceMap.decide`."""
    nx, ny, nz = floor_normal(motion)
    corner = lowest(corners)
    reach = motion[2] - solid.edge - corners.height[corner]
    return steepest_facet(solid, basins, corner, reach, nx, ny, nz)


@kernel
def slides_level(
    solid: KernelBody,
    basins: Basins,
    settings: ThrowSettings,
    motion: Array,
    corners: Corners,
    facet: int,
) -> bool:
    """Return whether the body can only slide or spin level on a facet; see `brickphys.throws.faces`."""
    if corners.number[0] < 3:
        return False
    spin = motion[10], motion[11], motion[12]
    return is_level(
        solid, basins, settings, facet, floor_normal(motion), spin, motion[2], motion[9]
    )


@kernel
def bounce(solid: KernelBody, settings: ThrowSettings, motion: Array, work: Workspace) -> None:
    """Apply the impulses of all corners that touch: they bounce, or stop their downward motion."""
    contacts, corners, number = work.contacts, work.corners, int(_NONE)
    for i in range(corners.number[0]):
        k = corners.near[i]
        if corners.height[k] <= solid.touch:
            up = corners.rise[k]
            contacts.corner[number] = k
            contacts.target[number] = -settings.restitution * up if up < -settings.bounce else 0.0
            number += 1
    prepare(solid, motion, contacts, number)
    start_cold(contacts, number)
    resolve(solid, motion, contacts, number, settings.friction, 1e-3 * settings.bounce)


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
def _step_length(solid: KernelBody, settings: ThrowSettings, corners: Corners) -> float:
    """Return the length of the step: the time step, or the time of the first contact of a corner that will bounce."""
    step = settings.step
    for i in range(corners.number[0]):
        k = corners.near[i]
        room, down = corners.height[k], -corners.rise[k]
        if room > solid.touch and down > settings.bounce and room < down * step:
            step = room / down
    return step


@kernel
def contact_step(
    solid: KernelBody, settings: ThrowSettings, motion: Array, work: Workspace, longest: float
) -> float:
    """Advance by one step with corners on the floor; return its length."""
    contacts, corners, number = work.contacts, work.corners, int(_NONE)
    step = min(_step_length(solid, settings, corners), longest)
    motion[9] -= GRAVITY_MM_S2 * step
    lx, ly, lz = _lift(solid, motion)
    for i in range(corners.number[0]):
        k = corners.near[i]
        bend = 0.5 * step * step * (lx * solid.x[k] + ly * solid.y[k] + lz * solid.z[k])
        room = max(corners.height[k], 0.0) + bend
        up = corners.rise[k] - GRAVITY_MM_S2 * step
        if corners.height[k] <= solid.touch or room + up * step < 0 <= up + settings.bounce:
            contacts.corner[number] = k
            contacts.target[number] = -room / step
            number += 1
    prepare(solid, motion, contacts, number)
    if step == settings.step:
        start_warm(solid, motion, contacts, number)
    else:
        start_cold(contacts, number)
    resolve(solid, motion, contacts, number, settings.friction, 1e-3 * settings.bounce)
    for k in range(3):
        motion[k] += step * motion[7 + k]
    rotate_freely(solid, motion, step)
    return step


@outer_kernel
def _advance(
    solid: KernelBody,
    settings: ThrowSettings,
    motion: Array,
    work: Workspace,
    left: float,
    stuck: bool,
) -> float:
    """Bounce, make a step on the floor, or fly; return the time of it."""
    least, touching = math.inf, False
    corners = work.corners
    for i in range(corners.number[0]):
        k = corners.near[i]
        if corners.height[k] <= solid.touch:
            touching = True
            least = min(least, corners.rise[k])
    if touching and least < -settings.bounce and not stuck:
        bounce(solid, settings, motion, work)
        return 0.0
    if touching and least <= settings.bounce:
        return contact_step(solid, settings, motion, work, left)
    return fly_to_touch(solid, motion, corners, left)


@outer_kernel
def throw(
    solid: KernelBody, basins: Basins, settings: ThrowSettings, motion: Array, work: Workspace
) -> tuple[int, int, float, float]:
    """Throw one body; `motion` becomes its final motion.

    Returns
    -------
    tuple
        Result, pose (if decided), time, and largest gain of energy as a share of the energy at the start.
    """
    corners = work.corners
    start = energy_mm(solid, motion, measure_near(solid, motion, corners, settings.step))
    work.contacts.before[:] = -1  # a throw must not depend on the previous one
    least, gain, time, still, stuck = start, 0.0, 0.0, 0.0, 0
    while time < settings.limit:
        spent = _advance(
            solid, settings, motion, work, settings.limit - time, stuck >= BOUNCES_AT_ONCE
        )
        time += spent
        stuck = stuck + 1 if spent == 0.0 else 0
        gap = measure_near(solid, motion, corners, settings.step)
        energy = energy_mm(solid, motion, gap)
        more = (energy - least) / start
        gain, least = max(gain, more), min(least, energy)
        if not more <= settings.gain_limit:  # NaN fails too
            return DIVERGED, 0, time, more
        if settings.by_energy and (
            energy + settings.slack < basins.highest or corners.number[0] > 2
        ):
            facet = basin(solid, basins, motion, corners)
            enough = energy + settings.slack < basins.barrier[facet]
            if enough or slides_level(solid, basins, settings, motion, corners, facet):
                return DECIDED, basins.pose[facet], time, gain
        still = still + spent if is_slow(settings, motion) else 0.0
        # on fewer corners the body is balanced on an edge and will fall
        if still >= settings.rest_time and corners.number[0] > 2:
            return AT_REST, 0, time, gain
    return OUT_OF_TIME, 0, time, gain


@outer_kernel
def throw_each(
    solid: KernelBody,
    basins: Basins,
    settings: ThrowSettings,
    work: Workspace,
    motions: Array,
    ends: Indices,
    measures: Array,
) -> None:
    """Throw n bodies, one after the other; see `throw_all`."""
    for i in range(len(motions)):
        end, pose, time, gain = throw(solid, basins, settings, motions[i], work)
        ends[i, 0], ends[i, 1] = end, pose
        measures[i, 0], measures[i, 1] = time, gain


@partial(entry, allocates=False)
def throw_all(
    solid: tuple[Any, ...],
    basins: tuple[Any, ...],
    settings: tuple[Any, ...],
    work: tuple[Any, ...],
    motions: Array,
    ends: Indices,
    measures: Array,
) -> None:
    """Throw n bodies, one after the other; as that of `brickphys.engines.kernels.throw_kernel`, but for `Workspace`."""
    body, tables, chosen = KernelBody(*solid), Basins(*basins), ThrowSettings(*settings)
    corners, contacts = work
    space = Workspace(Corners(*corners), Contacts(*contacts))
    throw_each(body, tables, chosen, space, motions, ends, measures)
