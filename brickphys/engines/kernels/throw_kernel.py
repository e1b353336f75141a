"""Throw kernel: throws of single bodies from release until they are decided or at rest, many at once.

Throws wait in two lists, those in the air and those on the floor. Each list is worked off with a throw in each lane of
the vectors; a lane whose throw leaves the list takes the next one. In the air a lane flies from contact to contact in
closed form, and bounces at single corners. On the floor it makes the bounces of several corners, and steps in time
while a corner stays.
"""

import math
from functools import partial
from typing import Any, NamedTuple

from brickphys.engines.kernels import contact_kernel as contact
from brickphys.engines.kernels import decision_kernel as decision
from brickphys.engines.kernels import flight_kernel as flight
from brickphys.engines.kernels import rows as at
from brickphys.engines.kernels import tables
from brickphys.engines.kernels import wall_kernel as wall
from brickphys.engines.kernels.floor_kernel import Lists, end_step, measure_on_floor, start_step
from brickphys.engines.kernels.tables import Basins, KernelBody, Sector, ThrowSettings
from brickphys.engines.kernels.vectors import (
    Mask,
    first_lane,
    lanes_of,
    least,
    load,
    select,
    some,
    spread,
    store,
)
from brickphys.jit import entry, kernel, outer_kernel
from brickphys.units import Array, Indices

TAKEN, LISTED, EMPTY = 0, 1, 2
"""Places in `Workspace.state`."""
_FEW = 2
"""So many lanes may wait for the end of their sweeps."""
_TOLERANCE = 1e-4
"""Impulses have converged if they change speeds by less than this share of what gravity adds in a step."""
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
        if end == decision.OPEN and leaving.gone >> lane & 1 == 0:
            continue
        if end == decision.OPEN:
            there[state[LISTED]] = throw
            state[LISTED] += 1
        else:
            throws.ends[throw, 0], throws.ends[throw, 1] = end, pose
        for row in range(at.KEPT):
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
    """Return the result of the throw in a lane, `OPEN` if it goes on, and its pose."""
    if leaving.lost >> lane & 1:
        return tables.DIVERGED, 0
    if settings.by_energy and leaving.low >> lane & 1:
        flat = bool(leaving.flat >> lane & 1)
        pose = decision.decided(solid, basins, settings, rows, lane, flat)
        if pose >= 0:
            return tables.DECIDED, pose
    if leaving.rested >> lane & 1:
        return tables.AT_REST, 0
    return tables.OUT_OF_TIME if leaving.late >> lane & 1 else decision.OPEN, 0


@kernel
def _take(throws: Throws, work: Workspace, lane: int, here: Indices, number: int) -> None:
    """Put the next throw of a list into a lane; after the last one, a body far away."""
    rows, place = work.rows, work.state[TAKEN]
    rows[at.HELD, lane] = 1.0
    rows[at.SPENT, lane] = rows[at.STUCK, lane] = rows[at.SWEPT, lane] = 0.0
    for i in range(at.MOST):
        rows[flight.contact_row(i) + at.BEFORE, lane] = -1.0
    if place < number:
        throw = here[place]
        for row in range(at.KEPT):
            rows[row, lane] = throws.numbers[throw, row]
        work.throw[lane] = throw
        work.state[TAKEN] += 1
        return
    for row in range(at.KEPT):
        rows[row, lane] = 0.0
    rows[at.POSITION + 2, lane], rows[at.QUATERNION + 3, lane] = _FAR_MM, 1.0
    work.throw[lane] = -1
    work.state[EMPTY] += 1


@kernel
def _begin(throws: Throws, work: Workspace, here: Indices, number: int) -> None:
    """Put the first throws of a list into the lanes."""
    work.state[:] = 0
    for lane in range(len(work.throw)):
        _take(throws, work, lane, here, number)


# --- in the air ---


@kernel
def _name_lowest(sector: Sector, rows: Array, lanes: int) -> None:
    """Put the lowest corner of the body for that of the sector in some lanes, told as the bits of a number."""
    while lanes != 0:
        lane = first_lane(lanes)
        lanes &= lanes - 1
        x, y, z = flight.number_triple(rows, at.NORMAL, lane)
        k = int(rows[at.LOWEST, lane])
        rows[at.LOWEST, lane] = sector.corner[k, int(x > 0.0), int(y > 0.0), int(z > 0.0)]


@kernel
def _bounce(solid: KernelBody, settings: ThrowSettings, rows: Array, hits: Mask) -> None:
    """Bounce the lanes of a mask at their lowest corners."""
    first = flight.contact_row(0)
    contact.prepare(solid, rows, flight.world(rows), flight.triple(rows, at.ARM), first, hits)
    none, fast = (
        spread(0.0, load(rows, at.LOWEST)),
        contact.point_velocity(rows, first, at.VELOCITY, at.SPIN)[2],
    )
    target = select(hits, -settings.restitution * fast, -math.inf)
    flight.put_triple(rows, first + at.OFFSET, (none, none, none))
    flight.put_triple(rows, first + at.SLID, (none, none, none))
    impulse = contact.contact_impulse(rows, first, (none, none, none), target, settings.friction)
    contact.push(solid, rows, first, impulse)


@kernel
def _fly(solid: KernelBody, sector: Sector, settings: ThrowSettings, rows: Array) -> None:
    """Fly on in all lanes that are not held."""
    flies = load(rows, at.HELD) < 0.5
    up = flight.upward(rows)
    climb, time = flight.cross(up, flight.triple(rows, at.SPIN)), load(rows, at.TIME)
    step = flight.time_to_contact(solid, sector, rows, up, climb, flies)
    step = wall.before_walls(solid, settings, rows, settings.walls, step)
    step = select(flies, least(step, settings.limit - time), 0.0)
    flight.fall(rows, step)
    flight.rotate_freely(solid, rows, step)
    store(rows, at.TIME, time + step)


@kernel
def _strike(solid: KernelBody, sector: Sector, settings: ThrowSettings, rows: Array) -> Mask:
    """Let single corners that strike the floor bounce; return the lanes that the kernels of the floor go on with."""
    several, slowest = flight.measure_in_the_air(solid, sector, rows)
    touches = load(rows, at.GAP) <= solid.touch
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
        down = down | wall.near_walls(solid, settings, rows, settings.walls)
        every = load(rows, at.TIME) >= 0.0
        lost = decision.account(solid, settings, rows, every)
        late = load(rows, at.TIME) >= settings.limit
        low = (load(rows, at.GAP) <= solid.touch) & decision.is_low(basins, settings, rows)
        _name_lowest(sector, rows, lanes_of(low))
        store(rows, at.HELD, spread(0.0, load(rows, at.TIME)))
        leaving = Leaving(lanes_of(lost), lanes_of(low), none, none, lanes_of(late), lanes_of(down))
        _leave(
            *(solid, basins, settings, throws, work, leaving),
            *(throws.air, number, throws.floor),
        )
        _fly(solid, sector, settings, rows)
    return int(work.state[LISTED])


# --- on the floor ---


@kernel
def _sweep(solid: KernelBody, settings: ThrowSettings, rows: Array) -> None:
    """Sweep until few lanes have not converged: these go on together with the next steps of the others."""
    tolerance = _TOLERANCE * tables.GRAVITY_MM_S2 * settings.step
    for _ in range(contact.SWEEPS):
        going = lanes_of(contact.sweep(solid, rows, settings.friction, tolerance))
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
        fresh = load(rows, at.SWEPT) == 0.0
        measure_on_floor(solid, settings, rows, work.lists, fresh)
        lost = decision.account(solid, settings, rows, fresh)
        late = fresh & (load(rows, at.TIME) >= settings.limit)
        rested, flat = (
            decision.is_still(settings, rows, fresh),
            fresh & decision.is_flat(solid, settings, rows),
        )
        near = wall.near_walls(solid, settings, rows, settings.walls)
        gone = fresh & (near | ~(load(rows, at.SLOWEST) <= settings.bounce))
        low = (
            fresh
            & (load(rows, at.GAP) < math.inf)
            & (flat | decision.is_low(basins, settings, rows))
        )
        store(rows, at.HELD, spread(0.0, load(rows, at.TIME)))
        leaving = Leaving(
            *(lanes_of(lost), lanes_of(low), lanes_of(flat)),
            *(lanes_of(rested), lanes_of(late), lanes_of(gone)),
        )
        _leave(
            *(solid, basins, settings, throws, work, leaving),
            *(throws.floor, number, throws.air),
        )
        free = load(rows, at.HELD) < 0.5
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
    body, rests, chosen = KernelBody(*solid), Basins(*basins), ThrowSettings(*settings)
    (rows, throw, lists, state), (numbers, air, floor), sector = work
    space, part = Workspace(rows, throw, Lists(*lists), state), Sector(*sector)
    throws, number = Throws(numbers, ends, air, floor), len(ends)
    for i in range(number):
        for k in range(motions.shape[1]):
            numbers[i, k] = motions[i, k]
    while number > 0:
        number = _in_the_air(body, part, rests, chosen, throws, space, number)
        number = wall.throw_near_walls(
            body, rests, chosen, chosen.walls, numbers, ends, floor, number
        )
        number = _on_the_floor(body, rests, chosen, throws, space, number)
        number = wall.throw_near_walls(
            body, rests, chosen, chosen.walls, numbers, ends, air, number
        )
    for i in range(len(ends)):
        for k in range(motions.shape[1]):
            motions[i, k] = numbers[i, k]
        measures[i, 0], measures[i, 1] = numbers[i, at.TIME], numbers[i, at.GAIN]
