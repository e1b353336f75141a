"""Throw kernel: throws of single bodies from release until they are decided or at rest, many at once.

Throws wait in two lists, those in the air and those on the floor. Each list is worked off with a throw in each lane of
the vectors; a lane whose throw leaves the list takes the next one. In the air a lane flies from contact to contact in
closed form, and bounces at single corners. On the floor it makes the bounces of several corners, and steps in time
while a corner stays.
"""

import math
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from brickphys.engines.kernels.contact_kernel import (
    SWEEPS,
    contact_impulse,
    point_velocity,
    prepare,
    push,
    sweep,
)
from brickphys.engines.kernels.flight_kernel import (
    cross,
    dot,
    energy,
    fall,
    measure_in_the_air,
    number_triple,
    put_triple,
    rotate_freely,
    time_to_contact,
    triple,
    upward,
    world,
)
from brickphys.engines.kernels.floor_kernel import Lists, end_step, measure_on_floor, start_step
from brickphys.engines.kernels.rows import (
    ARM,
    BEFORE,
    ENERGY,
    GAIN,
    GAP,
    HELD,
    KEPT,
    LEAST,
    LOWEST,
    MOST,
    NEAR,
    NEARBY,
    NORMAL,
    OFFSET,
    POSITION,
    QUATERNION,
    SLID,
    SLOWEST,
    SPENT,
    SPIN,
    START,
    STILL,
    STUCK,
    SWEPT,
    TIME,
    VELOCITY,
    contact_row,
)
from brickphys.engines.kernels.tables import (
    AT_REST,
    DECIDED,
    DIVERGED,
    GRAVITY_MM_S2,
    OUT_OF_TIME,
    Basins,
    KernelBody,
    Sector,
    ThrowSettings,
)
from brickphys.engines.kernels.vectors import (
    LANES,
    Mask,
    first_lane,
    lanes_of,
    least,
    load,
    most,
    select,
    some,
    spread,
    store,
)
from brickphys.jit import entry, outer_kernel
from brickphys.jit import exact_kernel as kernel
from brickphys.units import Array, Indices

TAKEN, LISTED, EMPTY = 0, 1, 2
"""Places in `Workspace.state`."""
_OPEN = -1
"""The result of a throw that goes on."""
_FEW = 2
"""So many lanes may wait for the end of their sweeps."""
_TOLERANCE = 1e-4
"""Impulses have converged if they change speeds by less than this share of what gravity adds in a step."""
_LINE = 8
"""Numbers in a line of the processor's cache."""
_FAR_MM = 1e12
"""Height of the body in a lane without a throw."""


class Throws(NamedTuple):
    """All throws of a call, and the two lists in which they wait."""

    numbers: Array
    """(n, KEPT): what a throw keeps, see `rows`."""
    ends: Indices
    """(n, 2): result and pose."""
    air: Indices
    """(n,): the throws in the air."""
    floor: Indices
    """(n,): those on the floor."""


class Workspace(NamedTuple):
    """Workspace of one thread."""

    rows: Array
    """(rows, lanes), see `rows`."""
    throw: Indices
    """(lanes,): the throw in each lane, -1 for none."""
    lists: Lists
    state: Indices
    """(3,): how many throws are taken from the list, listed for the other one, and how many lanes are empty."""


def workspace(corners: int, count: int, lanes: int = LANES) -> tuple[Any, ...]:
    """Return what `throw_all` works in: `Workspace` and the arrays of `Throws`, for a body with so many corners."""
    lists = np.zeros((lanes, corners), dtype=np.intp), np.zeros(lanes, dtype=np.intp)
    number = (NEARBY + 4 * corners) * lanes
    flat = np.zeros(number + _LINE)
    # vectors in memory lie across no boundary of the cache
    begin = -flat.ctypes.data // flat.itemsize % _LINE
    rows = flat[begin : begin + number].reshape(-1, lanes)
    space = rows, np.zeros(lanes, dtype=np.intp), lists, np.zeros(3, dtype=np.intp)
    return space, (np.zeros((count, KEPT)), np.arange(count), np.empty(count, dtype=np.intp))


# --- lanes ---


class Leaving(NamedTuple):
    """The lanes whose throws may leave them, each field as the bits of a number."""

    lost: int
    """Their energy has grown."""
    low: int
    """They may be decided by energy, or slide level."""
    flat: int
    """They may slide level."""
    rested: int
    late: int
    gone: int
    """They go on in the other list."""


@kernel
def _leave(
    solid: KernelBody,
    basins: Basins,
    settings: ThrowSettings,
    throws: Throws,
    work: Workspace,
    leaving: Leaving,
    here: Indices,
    number: int,
    there: Indices,
) -> None:
    """Let throws leave their lanes, which take the next ones of `here`; those that go on are listed in `there`."""
    rows, state = work.rows, work.state
    lanes = leaving.lost | leaving.low | leaving.rested | leaving.late | leaving.gone
    while lanes != 0:
        lane = first_lane(lanes)
        lanes &= lanes - 1
        throw = work.throw[lane]
        if throw < 0:
            continue
        end, pose = _end(solid, basins, settings, rows, lane, leaving)
        if end == _OPEN and leaving.gone >> lane & 1 == 0:
            continue
        if end == _OPEN:
            there[state[LISTED]] = throw
            state[LISTED] += 1
        else:
            throws.ends[throw, 0], throws.ends[throw, 1] = end, pose
        for row in range(KEPT):
            throws.numbers[throw, row] = rows[row, lane]
        _take(throws, work, lane, here, number)


@kernel
def _end(
    solid: KernelBody,
    basins: Basins,
    settings: ThrowSettings,
    rows: Array,
    lane: int,
    leaving: Leaving,
) -> tuple[int, int]:
    """Return the result of the throw in a lane, `_OPEN` if it goes on, and its pose."""
    if leaving.lost >> lane & 1:
        return DIVERGED, 0
    if settings.by_energy and leaving.low >> lane & 1:
        pose = _decided(solid, basins, settings, rows, lane, bool(leaving.flat >> lane & 1))
        if pose >= 0:
            return DECIDED, pose
    if leaving.rested >> lane & 1:
        return AT_REST, 0
    return OUT_OF_TIME if leaving.late >> lane & 1 else _OPEN, 0


@kernel
def _take(throws: Throws, work: Workspace, lane: int, here: Indices, number: int) -> None:
    """Put the next throw of a list into a lane; after the last one, a body far away."""
    rows, place = work.rows, work.state[TAKEN]
    rows[HELD, lane] = 1.0
    rows[SPENT, lane] = rows[STUCK, lane] = rows[SWEPT, lane] = 0.0
    for i in range(MOST):
        rows[contact_row(i) + BEFORE, lane] = -1.0
    if place < number:
        throw = here[place]
        for row in range(KEPT):
            rows[row, lane] = throws.numbers[throw, row]
        work.throw[lane] = throw
        work.state[TAKEN] += 1
        return
    for row in range(KEPT):
        rows[row, lane] = 0.0
    rows[POSITION + 2, lane], rows[QUATERNION + 3, lane] = _FAR_MM, 1.0
    work.throw[lane] = -1
    work.state[EMPTY] += 1


@kernel
def _begin(throws: Throws, work: Workspace, here: Indices, number: int) -> None:
    """Put the first throws of a list into the lanes."""
    work.state[:] = 0
    for lane in range(len(work.throw)):
        _take(throws, work, lane, here, number)


@kernel
def steepest_facet(
    solid: KernelBody,
    basins: Basins,
    corner: int,
    reach: float,
    nx: float,
    ny: float,
    nz: float,
) -> int:
    """Return the facet around the lowest corner, `reach` below the centre of mass, towards which the height falls."""
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
def is_level(
    solid: KernelBody,
    basins: Basins,
    settings: ThrowSettings,
    facet: int,
    normal: tuple[float, float, float],
    spin: tuple[float, float, float],
    height: float,
    rise: float,
) -> bool:
    """Return whether a body that stands on a facet is level, and neither friction nor spin can tip it."""
    if settings.friction >= basins.tip_friction[facet]:
        return False
    a, b, c = solid.inertia
    nx, ny, nz = normal
    own = spin[0] * nx + spin[1] * ny + spin[2] * nz
    if settings.friction + own * own * basins.tip_spin[facet] >= basins.tip_friction[facet]:
        return False
    x, y, z = spin[0] - own * nx, spin[1] - own * ny, spin[2] - own * nz
    square = rise * rise + (a * x * x + b * y * y + c * z * z) * solid.per_mass
    return bool(height - basins.rest[facet] + square / (2 * GRAVITY_MM_S2) < settings.level)


@kernel
def _decided(
    solid: KernelBody, basins: Basins, settings: ThrowSettings, rows: Array, lane: int, flat: bool
) -> int:
    """Return the pose in which the body of a lane will come to rest; -1 if it is open. `flat`: it may slide level."""
    x, y, z = number_triple(rows, NORMAL, lane)
    k = int(rows[LOWEST, lane])
    reach = -(x * solid.x[k] + y * solid.y[k] + z * solid.z[k])
    facet = steepest_facet(solid, basins, k, reach, x, y, z)
    height, rise = rows[POSITION + 2, lane], rows[VELOCITY + 2, lane]
    spin = number_triple(rows, SPIN, lane)
    enough = rows[ENERGY, lane] + settings.slack < basins.barrier[facet]
    if enough or (flat and is_level(solid, basins, settings, facet, (x, y, z), spin, height, rise)):
        return int(basins.pose[facet])
    return -1


@kernel
def _account(solid: KernelBody, settings: ThrowSettings, rows: Array, where: Mask) -> Mask:
    """Compare the energies with the least ones before, in the lanes of a mask; return which throws have diverged."""
    now, start = energy(solid, rows, load(rows, GAP)), load(rows, START)
    fresh = where & (start == 0.0)
    start, before = select(fresh, now, start), select(fresh, now, load(rows, LEAST))
    more = (now - before) / start
    store(rows, START, start)
    lost = where & ~(more <= settings.gain_limit)  # NaN has diverged, too
    store(rows, ENERGY, now)
    store(rows, GAIN, select(lost, more, most(select(where, more, 0.0), load(rows, GAIN))))
    store(rows, LEAST, select(where, least(now, before), before))
    return lost


@kernel
def _is_low(basins: Basins, settings: ThrowSettings, rows: Array) -> Mask:
    """Return which bodies have less energy than the highest barrier."""
    return load(rows, ENERGY) + settings.slack < basins.highest


# --- in the air ---


@kernel
def _name_lowest(sector: Sector, rows: Array, lanes: int) -> None:
    """Put the lowest corner of the body for that of the sector in some lanes, told as the bits of a number."""
    while lanes != 0:
        lane = first_lane(lanes)
        lanes &= lanes - 1
        x, y, z = number_triple(rows, NORMAL, lane)
        k = int(rows[LOWEST, lane])
        rows[LOWEST, lane] = sector.corner[k, int(x > 0.0), int(y > 0.0), int(z > 0.0)]


@kernel
def _bounce(solid: KernelBody, settings: ThrowSettings, rows: Array, hits: Mask) -> None:
    """Bounce the lanes of a mask at their lowest corners."""
    first = contact_row(0)
    prepare(solid, rows, world(rows), triple(rows, ARM), first, hits)
    none, fast = spread(0.0, load(rows, LOWEST)), point_velocity(rows, first, VELOCITY, SPIN)[2]
    target = select(hits, -settings.restitution * fast, -math.inf)
    put_triple(rows, first + OFFSET, (none, none, none))
    put_triple(rows, first + SLID, (none, none, none))
    impulse = contact_impulse(rows, first, (none, none, none), target, settings.friction)
    push(solid, rows, first, impulse)


@kernel
def _fly(solid: KernelBody, sector: Sector, settings: ThrowSettings, rows: Array) -> None:
    """Fly on in all lanes that are not held."""
    flies = load(rows, HELD) < 0.5
    up = upward(rows)
    climb, time = cross(up, triple(rows, SPIN)), load(rows, TIME)
    step = time_to_contact(solid, sector, rows, up, climb, flies)
    step = select(flies, least(step, settings.limit - time), 0.0)
    fall(rows, step)
    rotate_freely(solid, rows, step)
    store(rows, TIME, time + step)


@kernel
def _strike(solid: KernelBody, sector: Sector, settings: ThrowSettings, rows: Array) -> Mask:
    """Let single corners that strike the floor bounce; return the lanes that the kernels of the floor go on with."""
    several, slowest = measure_in_the_air(solid, sector, rows)
    touches = load(rows, GAP) <= solid.touch
    hits = touches & ~several & (slowest < -settings.bounce)
    if some(hits):
        _bounce(solid, settings, rows, hits)
        slowest = select(hits, -settings.restitution * slowest, slowest)
    return touches & (slowest <= settings.bounce)


@outer_kernel
def _in_the_air(
    solid: KernelBody,
    sector: Sector,
    basins: Basins,
    settings: ThrowSettings,
    throws: Throws,
    work: Workspace,
    number: int,
) -> int:
    """Fly the throws of the list in the air until each is on the floor or over; return how many are on the floor."""
    rows, none = work.rows, 0
    _begin(throws, work, throws.air, number)
    while work.state[EMPTY] < len(work.throw):
        down = _strike(solid, sector, settings, rows)
        every = load(rows, TIME) >= 0.0
        lost = _account(solid, settings, rows, every)
        late = load(rows, TIME) >= settings.limit
        low = (load(rows, GAP) <= solid.touch) & _is_low(basins, settings, rows)
        _name_lowest(sector, rows, lanes_of(low))
        store(rows, HELD, spread(0.0, load(rows, TIME)))
        leaving = Leaving(lanes_of(lost), lanes_of(low), none, none, lanes_of(late), lanes_of(down))
        _leave(
            *(solid, basins, settings, throws, work, leaving),
            *(throws.air, number, throws.floor),
        )
        _fly(solid, sector, settings, rows)
    return int(work.state[LISTED])


# --- on the floor ---


@kernel
def _is_flat(solid: KernelBody, settings: ThrowSettings, rows: Array) -> Mask:
    """Return which bodies may slide level: at least three corners are near the floor, and they hardly rock or rise."""
    up, spin, rise = triple(rows, NORMAL), triple(rows, SPIN), load(rows, VELOCITY + 2)
    own = dot(up, spin)
    x, y, z = spin[0] - own * up[0], spin[1] - own * up[1], spin[2] - own * up[2]
    a, b, c = solid.inertia
    square = rise * rise + (a * x * x + b * y * y + c * z * z) * solid.per_mass
    # twice the limit, since `is_level` counts a height that may be a little below that of the rest
    return (load(rows, NEAR) > 2.5) & (square < 4.0 * GRAVITY_MM_S2 * settings.level)


@kernel
def _is_still(settings: ThrowSettings, rows: Array, fresh: Mask) -> Mask:
    """Count how long each body has been slow; return which are at rest."""
    v, w = triple(rows, VELOCITY), triple(rows, SPIN)
    slow = dot(v, v) < settings.rest_speed * settings.rest_speed
    slow = slow & (dot(w, w) < settings.rest_spin * settings.rest_spin)
    still = select(slow, load(rows, STILL) + load(rows, SPENT), 0.0)
    still = select(fresh, still, load(rows, STILL))
    store(rows, STILL, still)
    # on fewer corners the body is balanced on an edge and will fall
    return fresh & (still >= settings.rest_time) & (load(rows, NEAR) > 2.5)


@kernel
def _sweep(solid: KernelBody, settings: ThrowSettings, rows: Array) -> None:
    """Sweep until few lanes have not converged: these go on together with the next steps of the others."""
    tolerance = _TOLERANCE * GRAVITY_MM_S2 * settings.step
    for _ in range(SWEEPS):
        going = lanes_of(sweep(solid, rows, settings.friction, tolerance))
        for _ in range(_FEW):
            going &= going - 1
        if going == 0:
            return


@outer_kernel
def _on_the_floor(
    solid: KernelBody,
    basins: Basins,
    settings: ThrowSettings,
    throws: Throws,
    work: Workspace,
    number: int,
) -> int:
    """Move the throws of the list on the floor until each is in the air or over; return how many are in the air."""
    rows = work.rows
    _begin(throws, work, throws.floor, number)
    while work.state[EMPTY] < len(work.throw):
        fresh = load(rows, SWEPT) == 0.0
        measure_on_floor(solid, settings, rows, work.lists, fresh)
        lost = _account(solid, settings, rows, fresh)
        late = fresh & (load(rows, TIME) >= settings.limit)
        rested, flat = _is_still(settings, rows, fresh), fresh & _is_flat(solid, settings, rows)
        gone = fresh & ~(load(rows, SLOWEST) <= settings.bounce)
        low = fresh & (load(rows, GAP) < math.inf) & (flat | _is_low(basins, settings, rows))
        store(rows, HELD, spread(0.0, load(rows, TIME)))
        leaving = Leaving(
            *(lanes_of(lost), lanes_of(low), lanes_of(flat)),
            *(lanes_of(rested), lanes_of(late), lanes_of(gone)),
        )
        _leave(
            *(solid, basins, settings, throws, work, leaving),
            *(throws.floor, number, throws.air),
        )
        free = load(rows, HELD) < 0.5
        start_step(solid, settings, rows, work.lists, free & fresh)
        _sweep(solid, settings, rows)
        end_step(solid, settings, rows, free)
    return int(work.state[LISTED])


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
    """Throw n bodies.

    Parameters
    ----------
    solid, basins, settings
        `KernelBody`, `Basins` and `ThrowSettings` as plain tuples.
    work
        A `workspace` and the `Sector` as plain tuples.
    motions : ndarray, shape (n, 13)
        Overwritten by the final ones.
    ends : ndarray, shape (n, 2)
        Result and pose of each throw, written.
    measures : ndarray, shape (n, 2)
        Time and gain of energy, written.
    """
    body, tables, chosen = KernelBody(*solid), Basins(*basins), ThrowSettings(*settings)
    (rows, throw, lists, state), (numbers, air, floor), sector = work
    space, part = Workspace(rows, throw, Lists(*lists), state), Sector(*sector)
    throws, number = Throws(numbers, ends, air, floor), len(ends)
    for i in range(number):
        for k in range(motions.shape[1]):
            numbers[i, k] = motions[i, k]
    while number > 0:
        number = _in_the_air(body, part, tables, chosen, throws, space, number)
        number = _on_the_floor(body, tables, chosen, throws, space, number)
    for i in range(len(ends)):
        for k in range(motions.shape[1]):
            motions[i, k] = numbers[i, k]
        measures[i, 0], measures[i, 1] = numbers[i, TIME], numbers[i, GAIN]
