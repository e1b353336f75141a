"""Floor kernels on vectors: bounces of several corners at once, and steps in time while corners stay on the floor.

The rules of a bounce are those of `brickphys.engines.throw_kernel`. A step is another one: see ``docs/engines.md``.
"""

import math
from typing import NamedTuple

from brickphys.engines.flight_kernel import GRAVITY_MM_S2, KernelBody, spin_change
from brickphys.engines.lanes_contact_kernel import point_velocity, prepare, push
from brickphys.engines.lanes_flight_kernel import (
    Triple,
    chosen,
    cross,
    dot,
    drop_time,
    lift,
    number_triple,
    plus,
    put_triple,
    rotate_freely,
    times,
    triple,
    upward,
)
from brickphys.engines.lanes_rows import (
    BEFORE,
    CORNER,
    GAP,
    IMPULSE,
    LEVER,
    LOWEST,
    MOST,
    NEAR,
    NORMAL,
    OFFSET,
    OLD_SPIN,
    OLD_VELOCITY,
    POSITION,
    SHARE,
    SLOWEST,
    SPENT,
    SPIN,
    STEP,
    STUCK,
    SWEPT,
    TARGET,
    TIME,
    VELOCITY,
    contact_row,
    nearby_row,
)
from brickphys.engines.throw_kernel import BOUNCES_AT_ONCE, ThrowSettings
from brickphys.engines.vectors import (
    LANES,
    Mask,
    Vector,
    first_lane,
    lanes_of,
    least,
    load,
    most,
    root,
    select,
    spread,
    store,
)
from brickphys.jit import exact_kernel as kernel
from brickphys.units import Array, Indices

_SHARE = 1 / 3
"""Share of the velocities before a step in those that move the body. With 1/2, errors would be of second order in the
step, but a corner that lands would hop for ever; with 1/3 its hops halve each step."""
_LANDING = 0.5
"""A corner lands if it comes faster than gravity makes it in this share of a step."""
_GROUP = max(48 // LANES, 1)
"""Corners whose lanes are told by the bits of one number."""


class Lists(NamedTuple):
    """Lists of the corners in contact."""

    corners: Indices
    """(lanes, v): the corners in contact, of each lane."""
    number: Indices
    """(lanes,): how many they are."""


@kernel
def measure_on_floor(
    solid: KernelBody, settings: ThrowSettings, rows: Array, lists: Lists, fresh: Mask
) -> None:
    """Write what the corners tell, and list those in contact, in the lanes of a mask: the first part of a step."""
    up, spin = upward(rows), triple(rows, SPIN)
    climb = cross(up, spin)
    bend = lift(solid, up, spin, climb)
    base, rise = load(rows, POSITION + 2) - solid.edge, load(rows, VELOCITY + 2)
    longest = least(settings.limit - load(rows, TIME), settings.step)
    half, later = 0.5 * longest * longest, rise - GRAVITY_MM_S2 * longest
    touch, near = _reach(solid, settings, 1.0), _reach(solid, settings, 2.0)
    number = _list_near(
        *(solid, rows, lists, up, base, longest * later, longest, climb),
        select(fresh, near + half * solid.radius * root(dot(bend, bend)), -math.inf),
    )
    gap, low, slowest = spread(math.inf, base), spread(0.0, base), spread(math.inf, base)
    close, one, step = spread(0.0, base), spread(1.0, base), longest
    _empty(lists)
    for i in range(number):
        row = nearby_row(i)
        arm, name = triple(rows, row), load(rows, row + 3)
        swing, height = dot(climb, arm), select(name >= 0.0, base + dot(up, arm), math.inf)
        speed, soon = rise + swing, later + swing
        low, gap = select(height < gap, name, low), least(height, gap)
        close = close + select(height <= near, one, 0.0)
        touches = height <= touch
        slowest = least(select(touches, speed, math.inf), slowest)
        # a corner that may bounce ends the step
        moment = drop_time(most(height, 0.0), speed, spread(GRAVITY_MM_S2, base))
        strikes = ~touches & (soon < -settings.bounce) & (moment < step)
        step = select(strikes, moment, step)
        room = most(height, 0.0) + half * dot(bend, arm)
        falls = (room + soon * longest < near) & (soon + settings.bounce >= 0.0)
        _list(rows, lists, lanes_of(touches | falls), row + 3)
    put_triple(rows, NORMAL, up)
    store(rows, LOWEST, low)
    store(rows, GAP, gap)
    store(rows, NEAR, close)
    store(rows, SLOWEST, slowest)
    store(rows, STEP, select(fresh, step, load(rows, STEP)))


@kernel
def _reach(solid: KernelBody, settings: ThrowSettings, times: float) -> float:
    """Return the height from which a corner touches, more by some times the way of gravity in a step."""
    return solid.touch + times * GRAVITY_MM_S2 * settings.step * settings.step


@kernel
def _empty(lists: Lists) -> None:
    for lane in range(LANES):
        lists.number[lane] = 0


@kernel
def _list_near(
    solid: KernelBody,
    rows: Array,
    lists: Lists,
    up: Triple,
    base: Vector,
    fall: Vector,
    time: Vector,
    climb: Triple,
    limit: Vector,
) -> int:
    """List the corners that are not above a limit, or will not be after a time; return the largest number of a lane.

    In that time, the centre of mass moves by `fall`, and the upward vector by its change `climb`.
    """
    turn = time * climb[0], time * climb[1], time * climb[2]
    corners, largest, none = len(solid.x), 0, spread(-1.0, base)
    _empty(lists)
    for begin in range(0, corners, _GROUP):
        found = 0
        for k in range(begin, min(begin + _GROUP, corners)):
            x, y, z = solid.x[k], solid.y[k], solid.z[k]
            height = base + (up[0] * x + up[1] * y + up[2] * z)
            way = fall + (turn[0] * x + turn[1] * y + turn[2] * z)
            found |= lanes_of(height + least(way, 0.0) <= limit) << (k - begin) * LANES
        # one loop for the corners of a group, since its end is predicted wrongly
        while found != 0:
            bit = first_lane(found)
            found &= found - 1
            k, lane = begin + bit // LANES, bit % LANES
            number = lists.number[lane]
            lists.number[lane] = number + 1
            row = nearby_row(number)
            if number == largest:
                store(rows, row + 3, none)
                largest += 1
            rows[row, lane], rows[row + 1, lane] = solid.x[k], solid.y[k]
            rows[row + 2, lane], rows[row + 3, lane] = solid.z[k], k
    return largest


@kernel
def _list(rows: Array, lists: Lists, lanes: int, row: int) -> None:
    """Add the corners that a row tells to the lists of some lanes, told as the bits of a number."""
    while lanes != 0:
        lane = first_lane(lanes)
        lanes &= lanes - 1
        lists.corners[lane, lists.number[lane]] = int(rows[row, lane])
        lists.number[lane] += 1


@kernel
def start_step(
    solid: KernelBody, settings: ThrowSettings, rows: Array, lists: Lists, fresh: Mask
) -> None:
    """Begin a bounce or a step in the lanes of a mask, with the corners as they have been measured."""
    bounces = load(rows, SLOWEST) < -settings.bounce
    bounces = fresh & bounces & (load(rows, STUCK) < float(BOUNCES_AT_ONCE))
    step = select(bounces, 0.0, load(rows, STEP))
    store(rows, STEP, step)
    store(rows, STUCK, select(bounces, load(rows, STUCK) + 1.0, 0.0))
    number = _place_contacts(solid, rows, lists, lanes_of(fresh))
    _start_contacts(solid, settings, rows, number, fresh, bounces)
    swept = select(load(rows, contact_row(0) + CORNER) >= 0.0, spread(1.0, step), 0.0)
    store(rows, SWEPT, select(fresh, swept, load(rows, SWEPT)))


@kernel
def end_step(solid: KernelBody, rows: Array, free: Mask) -> None:
    """Move the lanes of a mask whose impulses have converged by their steps."""
    step = select(free & (load(rows, SWEPT) == 0.0), load(rows, STEP), 0.0)
    share, v, w = load(rows, SHARE), triple(rows, VELOCITY), triple(rows, SPIN)
    mean = plus(times(1.0 - share, v), times(share, triple(rows, OLD_VELOCITY)))
    put_triple(rows, POSITION, plus(triple(rows, POSITION), times(step, mean)))
    mean = plus(times(1.0 - share, w), times(share, triple(rows, OLD_SPIN)))
    put_triple(rows, SPIN, mean)
    rotate_freely(solid, rows, step)
    change = plus(triple(rows, SPIN), times(spread(-1.0, step), mean))
    put_triple(rows, SPIN, chosen(step > 0.0, plus(w, change), w))
    store(rows, TIME, load(rows, TIME) + step)
    store(rows, SPENT, step)


@kernel
def _place_contacts(solid: KernelBody, rows: Array, lists: Lists, lanes: int) -> int:
    """Write the listed corners of some lanes, told as bits, into their contacts; return the largest number of them."""
    largest = 0
    while lanes != 0:
        lane = first_lane(lanes)
        lanes &= lanes - 1
        number = lists.number[lane]
        if number > MOST:
            number = _chosen(solid, rows, lane, lists.corners[lane], number)
        for i in range(MOST):
            row = contact_row(i)
            rows[row + CORNER, lane] = -1.0
            if i < number:
                k = lists.corners[lane, i]
                rows[row + CORNER, lane] = k
                rows[row + LEVER, lane] = solid.x[k]
                rows[row + LEVER + 1, lane] = solid.y[k]
                rows[row + LEVER + 2, lane] = solid.z[k]
        largest = max(largest, number)
    return largest


@kernel
def _chosen(solid: KernelBody, rows: Array, lane: int, corners: Indices, number: int) -> int:
    """Move the contacts that span the widest quadrangle to the front of a list; return how many they are, 3 or 4."""
    nx, ny, nz = number_triple(rows, NORMAL, lane)
    first, lowest = corners[0], math.inf
    for i in range(number):
        k = corners[i]
        height = nx * solid.x[k] + ny * solid.y[k] + nz * solid.z[k]
        if height < lowest:
            first, lowest = k, height
    second, left, right = first, -1, -1
    farthest, highest, deepest = -1.0, 0.0, 0.0
    for i in range(number):
        k = corners[i]
        x, y, z = (
            solid.x[k] - solid.x[first],
            solid.y[k] - solid.y[first],
            solid.z[k] - solid.z[first],
        )
        square = x * x + y * y + z * z
        if square > farthest:
            farthest, second = square, k
    sx, sy, sz = (
        solid.x[second] - solid.x[first],
        solid.y[second] - solid.y[first],
        solid.z[second] - solid.z[first],
    )
    ax, ay, az = ny * sz - nz * sy, nz * sx - nx * sz, nx * sy - ny * sx
    for i in range(number):
        k = corners[i]
        x, y, z = (
            solid.x[k] - solid.x[first],
            solid.y[k] - solid.y[first],
            solid.z[k] - solid.z[first],
        )
        area = x * ax + y * ay + z * az
        if area > highest:
            highest, left = area, k
        if area < deepest:
            deepest, right = area, k
    chosen = 0
    for i in range(number):
        k = corners[i]
        if k in (first, second, left, right):
            corners[chosen] = k
            chosen += 1
    return chosen


@kernel
def _begin(settings: ThrowSettings, rows: Array, fresh: Mask, climb: Triple) -> Mask:
    """Keep the velocities of some lanes, choose their share, and apply gravity; return which make a whole step.

    The share is 0 where a corner lands, leaves the floor or bounces: there velocities jump.
    """
    step, velocity = load(rows, STEP), triple(rows, VELOCITY)
    whole: Mask = fresh & (step == settings.step)
    smooth, slow = whole, _LANDING * GRAVITY_MM_S2 * settings.step
    for i in range(MOST):
        row = contact_row(i)
        name, speed = load(rows, row + CORNER), velocity[2] + dot(climb, triple(rows, row + LEVER))
        smooth = smooth & (name == load(rows, row + BEFORE)) & ((name < 0.0) | (speed >= -slow))
    none = spread(0.0, step)
    store(rows, SHARE, select(fresh, select(smooth, _SHARE, none), load(rows, SHARE)))
    put_triple(rows, OLD_VELOCITY, chosen(fresh, velocity, triple(rows, OLD_VELOCITY)))
    put_triple(rows, OLD_SPIN, chosen(fresh, triple(rows, SPIN), triple(rows, OLD_SPIN)))
    fallen = velocity[2] - GRAVITY_MM_S2 * step
    store(rows, VELOCITY + 2, select(fresh, fallen, velocity[2]))
    return whole


@kernel
def _start_contacts(
    solid: KernelBody,
    settings: ThrowSettings,
    rows: Array,
    number: int,
    fresh: Mask,
    bounces: Mask,
) -> None:
    """Write levers, masses, targets and first impulses of the contacts, and apply gravity and these impulses.

    At most `number` contacts of a lane are in the lanes of the mask `fresh`, which alone change. Levers are those in
    the middle of the step, and a contact keeps its corner above the floor with the mean velocity.
    """
    up, spin, step = triple(rows, NORMAL), triple(rows, SPIN), load(rows, STEP)
    climb, change = cross(up, spin), spin_change(solid, spin[0], spin[1], spin[2])
    bend, touch = cross(up, change), _reach(solid, settings, 1.0)
    base, rise = load(rows, POSITION + 2) - solid.edge, load(rows, VELOCITY + 2)
    whole, half = _begin(settings, rows, fresh, climb), 0.5 * step
    share = load(rows, SHARE)
    part, none, zero = 1.0 - share, spread(-1.0, base), spread(0.0, base)
    nothing = zero, zero, zero
    for i in range(MOST):
        row = contact_row(i)
        name, before = load(rows, row + CORNER), load(rows, row + BEFORE)
        store(rows, row + BEFORE, select(fresh, select(whole, name, none), before))
        if i >= number:
            continue
        active = fresh & (name >= 0.0)
        arm = triple(rows, row + LEVER)
        prepare(solid, rows, up, plus(arm, times(half, cross(spin, arm))), row, active)
        speed, height = rise + dot(climb, arm), base + dot(up, arm)
        rebound = select(speed < -settings.bounce, -settings.restitution * speed, 0.0)
        rebound = select(height <= touch, rebound, -math.inf)
        room = most(height, 0.0) + half * step * dot(bend, arm)
        target = select(bounces, rebound, -room / (step * part))
        store(rows, row + TARGET, select(active, target, load(rows, row + TARGET)))
        old = times(share / part, point_velocity(rows, row, OLD_VELOCITY, OLD_SPIN))
        put_triple(rows, row + OFFSET, chosen(active, old, triple(rows, row + OFFSET)))
        again = active & whole & (name == before)
        old = triple(rows, row + IMPULSE)
        put_triple(rows, row + IMPULSE, chosen(active & ~again, nothing, old))
        push(solid, rows, row, chosen(again, old, nothing))
