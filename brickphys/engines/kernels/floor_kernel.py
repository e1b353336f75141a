"""Floor kernels on vectors: bounces of several corners at once, and steps in time while corners stay on the floor.

Corners that fall faster than a threshold bounce. Steps are of second order, and end where a corner lands: see
``docs/engines.md``.
"""

import math
from typing import NamedTuple

from brickphys.engines.kernels import rows as at
from brickphys.engines.kernels.contact_kernel import prepare, push
from brickphys.engines.kernels.flight_kernel import (
    Triple,
    chosen,
    contact_row,
    cross,
    dot,
    drop_time,
    nearby_row,
    number_triple,
    plus,
    plus_times,
    put_triple,
    rotate_freely,
    spin_change,
    times,
    triple,
    upward,
    world,
)
from brickphys.engines.kernels.rows import LANES
from brickphys.engines.kernels.tables import (
    BOUNCES_AT_ONCE,
    GRAVITY_MM_S2,
    KernelBody,
    ThrowSettings,
)
from brickphys.engines.kernels.vectors import (
    Mask,
    Vector,
    first_lane,
    lanes_of,
    least,
    load,
    most,
    root,
    select,
    some,
    spread,
    store,
)
from brickphys.jit import kernel
from brickphys.units import Array, Indices

_TURN_RAD = 0.06
"""A body turns by no more in a step."""
_LANDING = 0.05
"""A corner lands, or leaves, if it is faster than gravity makes it in this share of a step."""
_FALLS = 3.0
"""Impulses elsewhere on the body press a corner down with less acceleration than this times gravity."""
_TINY = 1e-12
_GROUP = max(64 // LANES, 1)
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
    """Write what the corners tell, and list those that touch, in the lanes of a mask: the first part of a step."""
    up, spin = upward(rows), triple(rows, at.SPIN)
    climb, square = cross(up, spin), dot(spin, spin)
    base, rise = load(rows, at.POSITION + 2) - solid.edge, load(rows, at.VELOCITY + 2)
    step = least(settings.limit - load(rows, at.TIME), settings.step)
    step = least(step, _TURN_RAD / (root(square) + _TINY))
    touch, near = touch_reach(solid, settings, 1.0), touch_reach(solid, settings, 2.0)
    # gravity, and the impulses on other corners, and the turn
    fall = _FALLS * GRAVITY_MM_S2 + 0.5 * solid.radius * square
    limit = select(fresh, near + fall * step * step, -math.inf)
    number = _list_near(solid, rows, lists, up, base, step * rise, times(step, climb), limit, fresh)
    gap, low, slowest = spread(math.inf, base), spread(0.0, base), spread(math.inf, base)
    close = spread(0.0, base)
    lists.number[:] = 0
    for i in range(number):
        row = nearby_row(i)
        arm, name = triple(rows, row), select(fresh, load(rows, row + 3), -1.0)
        speed = rise + dot(climb, arm)
        height = select(name >= 0.0, base + dot(up, arm), math.inf)
        low, gap = select(height < gap, name, low), least(height, gap)
        close = select(height <= near, close + 1.0, close)
        touches = height <= touch
        slowest = least(select(touches, speed, math.inf), slowest)
        _list(rows, lists, lanes_of(touches), row + 3)
    put_triple(rows, at.NORMAL, up)
    store(rows, at.LOWEST, low)
    store(rows, at.GAP, gap)
    store(rows, at.NEAR, close)
    store(rows, at.SLOWEST, slowest)
    store(rows, at.STEP, select(fresh, step, load(rows, at.STEP)))


@kernel
def touch_reach(solid: KernelBody, settings: ThrowSettings, times: float) -> float:
    """Return the height from which a corner touches, more by some halves of a hop that is too slow for a bounce."""
    return solid.touch + times * settings.bounce * settings.bounce / (4.0 * GRAVITY_MM_S2)


@kernel
def _list_near(
    solid: KernelBody,
    rows: Array,
    lists: Lists,
    up: Triple,
    base: Vector,
    fall: Vector,
    turn: Triple,
    limit: Vector,
    fresh: Mask,
) -> int:
    """List the corners that are not above a limit, or will not be after a time; return the largest number of a lane.

    In that time, the centre of mass moves by `fall`, and the upward vector by `turn`. Only the lists of the lanes in
    the mask `fresh` change.
    """
    corners, largest = len(solid.x), 0
    for i in range(corners):
        row = nearby_row(i) + 3
        name = load(rows, row)
        if not some(name >= 0.0):
            break
        store(rows, row, select(fresh, -1.0, name))
    lists.number[:] = 0
    for begin in range(0, corners, _GROUP):
        found = 0
        for k in range(begin, min(begin + _GROUP, corners)):
            x, y, z = solid.x[k], solid.y[k], solid.z[k]
            height = base + dot(up, (x, y, z))
            way = fall + dot(turn, (x, y, z))
            found |= lanes_of(height + least(way, 0.0) <= limit) << (k - begin) * LANES
        # one loop for the corners of a group, since its end is predicted wrongly
        while found != 0:
            bit = first_lane(found)
            found &= found - 1
            k, lane = begin + bit // LANES, bit % LANES
            number = lists.number[lane]
            lists.number[lane] = number + 1
            row = nearby_row(number)
            largest = max(largest, number + 1)
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
    stuck, bounces = load(rows, at.STUCK), load(rows, at.SLOWEST) < -_slow(settings)
    bounces = fresh & bounces & (stuck < float(BOUNCES_AT_ONCE))
    step = select(bounces, 0.0, load(rows, at.STEP))
    store(rows, at.STEP, step)
    store(rows, at.STUCK, select(fresh, select(bounces, stuck + 1.0, 0.0), stuck))
    number = _place_contacts(solid, rows, lists, lanes_of(fresh))
    _start_contacts(solid, settings, rows, number, fresh, bounces)
    swept = select(load(rows, contact_row(0) + at.CORNER) >= 0.0, spread(1.0, step), 0.0)
    store(rows, at.SWEPT, select(fresh, swept, load(rows, at.SWEPT)))


@kernel
def _slow(settings: ThrowSettings) -> float:
    """Return the speed from which a corner lands, or leaves the floor; slower ones stay."""
    return _LANDING * GRAVITY_MM_S2 * settings.step


@kernel
def end_step(solid: KernelBody, settings: ThrowSettings, rows: Array, free: Mask) -> None:
    """Move the lanes of a mask whose impulses have converged by their steps, or until a corner lands."""
    whole = select(free & (load(rows, at.SWEPT) == 0.0), load(rows, at.STEP), 0.0)
    step = _until_landing(solid, settings, rows, whole)
    old_v, old_w = triple(rows, at.OLD_VELOCITY), triple(rows, at.OLD_SPIN)
    v, w = triple(rows, at.VELOCITY), triple(rows, at.SPIN)
    cut, share = step < whole, step / (whole + _TINY)
    v = chosen(cut, plus_times(times(1.0 - share, old_v), share, v), v)
    w = chosen(cut, plus_times(times(1.0 - share, old_w), share, w), w)
    put_triple(rows, at.VELOCITY, v)
    put_triple(rows, at.POSITION, plus_times(triple(rows, at.POSITION), 0.5 * step, plus(v, old_v)))
    mean = times(0.5, plus(w, old_w))
    put_triple(rows, at.SPIN, mean)
    rotate_freely(solid, rows, step)
    change = plus_times(triple(rows, at.SPIN), -1.0, mean)
    put_triple(rows, at.SPIN, chosen(step > 0.0, plus(w, change), w))
    store(rows, at.TIME, load(rows, at.TIME) + step)
    store(rows, at.SPENT, step)


@kernel
def _until_landing(solid: KernelBody, settings: ThrowSettings, rows: Array, step: Vector) -> Vector:
    """Return the times until the first corner lands, or the steps if none does.

    During a step, velocities change evenly, and corners move as in free fall.
    """
    up, base = triple(rows, at.NORMAL), load(rows, at.POSITION + 2) - solid.edge
    old, rise = triple(rows, at.OLD_SPIN), load(rows, at.VELOCITY + 2)
    old_rise = load(rows, at.OLD_VELOCITY + 2)
    old_climb, climb, half = cross(up, old), cross(up, triple(rows, at.SPIN)), 0.5 * step
    change = spin_change(solid, old[0], old[1], old[2])
    bend = cross(plus(climb, old_climb), old)
    climb = plus_times(plus_times(climb, half, bend), step, cross(up, change))
    touch, slow, until = touch_reach(solid, settings, 1.0), _slow(settings), step
    for i in range(len(solid.x)):
        row = nearby_row(i)
        name = load(rows, row + 3)
        if not some(name >= 0.0):
            break
        arm = triple(rows, row)
        height, before = base + dot(up, arm), old_rise + dot(old_climb, arm)
        after = rise + dot(climb, arm)
        lands = (name >= 0.0) & ((height > touch) | (before > slow))
        room = most(height, 0.0)
        lands = lands & (room + half * (before + after) < 0.0)
        if some(lands):
            time = drop_time(room, before, (before - after) / step)
            until = select(lands & (time < until), time, until)
    return until


@kernel
def _place_contacts(solid: KernelBody, rows: Array, lists: Lists, lanes: int) -> int:
    """Write the listed corners of some lanes, told as bits, into their contacts; return the largest number of them."""
    largest = 0
    while lanes != 0:
        lane = first_lane(lanes)
        lanes &= lanes - 1
        number = lists.number[lane]
        if number > at.MOST:
            number = _chosen(solid, rows, lane, lists.corners[lane], number)
        for i in range(at.MOST):
            row = contact_row(i)
            rows[row + at.CORNER, lane] = -1.0
            if i < number:
                k = lists.corners[lane, i]
                rows[row + at.CORNER, lane] = k
                rows[row + at.LEVER, lane] = solid.x[k]
                rows[row + at.LEVER + 1, lane] = solid.y[k]
                rows[row + at.LEVER + 2, lane] = solid.z[k]
        largest = max(largest, number)
    return largest


@kernel
def _way(solid: KernelBody, start: int, end: int) -> tuple[float, float, float]:
    """Return the way from a corner to another one."""
    x, y, z = solid.x, solid.y, solid.z
    return x[end] - x[start], y[end] - y[start], z[end] - z[start]


@kernel
def _chosen(solid: KernelBody, rows: Array, lane: int, corners: Indices, number: int) -> int:
    """Move the contacts that span the widest quadrangle to the front of a list; return how many they are, 3 or 4."""
    nx, ny, nz = number_triple(rows, at.NORMAL, lane)
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
        x, y, z = _way(solid, first, k)
        square = x * x + y * y + z * z
        if square > farthest:
            farthest, second = square, k
    sx, sy, sz = _way(solid, first, second)
    ax, ay, az = ny * sz - nz * sy, nz * sx - nx * sz, nx * sy - ny * sx
    for i in range(number):
        k = corners[i]
        x, y, z = _way(solid, first, k)
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
    the middle of the step. A contact sticks, and stays on the floor, with the velocity at the end of the step; it slips
    with the mean one.
    """
    axes, spin, step = world(rows), triple(rows, at.SPIN), load(rows, at.STEP)
    up = axes[2]
    change, half = spin_change(solid, spin[0], spin[1], spin[2]), 0.5 * step
    base, v = load(rows, at.POSITION + 2) - solid.edge, triple(rows, at.VELOCITY)
    slow, reach = _slow(settings), touch_reach(solid, settings, 1.0)
    ratio = step / (load(rows, at.LAST) + _TINY)
    store(rows, at.LAST, select(fresh, step, load(rows, at.LAST)))
    put_triple(rows, at.OLD_VELOCITY, chosen(fresh, v, triple(rows, at.OLD_VELOCITY)))
    put_triple(rows, at.OLD_SPIN, chosen(fresh, spin, triple(rows, at.OLD_SPIN)))
    store(rows, at.VELOCITY + 2, select(fresh, v[2] - GRAVITY_MM_S2 * step, v[2]))
    none, zero = spread(-1.0, base), spread(0.0, base)
    nothing = zero, zero, zero
    for i in range(at.MOST):
        row = contact_row(i)
        name, before = load(rows, row + at.CORNER), load(rows, row + at.BEFORE)
        store(rows, row + at.BEFORE, select(fresh, select(bounces, none, name), before))
        if i >= number:
            continue
        active = fresh & (name >= 0.0)
        arm = triple(rows, row + at.LEVER)
        moves = cross(spin, arm)
        prepare(solid, rows, axes, plus_times(arm, half, moves), row, active)
        point = plus_times(arm, -solid.edge, up)
        # what turning adds to the velocity of the corner in half a step
        bend = times(half, plus_times(cross(spin, moves), 2.0, cross(change, point)))
        slip = cross(spin, point)
        speed, height = v[2] + dot(up, moves), base + dot(up, arm)
        rebound = select(speed < -settings.bounce, -settings.restitution * speed, 0.0)
        room = most(height + half * speed, -reach)
        stays = select(speed <= slow, -room / step - dot(up, bend), -math.inf)
        target = select(bounces, rebound, stays)
        store(rows, row + at.TARGET, select(active, target, load(rows, row + at.TARGET)))
        offset = dot(axes[0], bend), dot(axes[1], bend), zero
        put_triple(rows, row + at.OFFSET, chosen(active, offset, triple(rows, row + at.OFFSET)))
        slid = v[0] + dot(axes[0], slip), v[1] + dot(axes[1], slip), zero
        slid = chosen(active, chosen(bounces, nothing, slid), triple(rows, row + at.SLID))
        put_triple(rows, row + at.SLID, slid)
        again = active & ~bounces & (name == before)
        old = times(ratio, triple(rows, row + at.IMPULSE))
        old = chosen(again, old, nothing)
        put_triple(rows, row + at.IMPULSE, chosen(active, old, triple(rows, row + at.IMPULSE)))
        push(solid, rows, row, old)
