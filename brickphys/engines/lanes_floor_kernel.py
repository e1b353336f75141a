"""Floor kernels on vectors: bounces of several corners at once, and steps in time while corners stay on the floor.

The rules are those of `brickphys.engines.throw_kernel`: `bounce` and `contact_step`.
"""

import math
from typing import NamedTuple

from brickphys.engines.flight_kernel import GRAVITY_MM_S2, KernelBody
from brickphys.engines.lanes_contact_kernel import prepare, push, resolve
from brickphys.engines.lanes_flight_kernel import (
    Triple,
    corner,
    cross,
    dot,
    lift,
    number_triple,
    put_triple,
    rotate_freely,
    triple,
    upward,
)
from brickphys.engines.lanes_rows import (
    BEFORE,
    CORNER,
    GAP,
    HELD,
    IMPULSE,
    LOWEST,
    MOST,
    NEAR,
    NORMAL,
    POSITION,
    SLOWEST,
    SPENT,
    SPIN,
    STEP,
    STUCK,
    TARGET,
    TIME,
    VELOCITY,
    contact_row,
)
from brickphys.engines.throw_kernel import BOUNCES_AT_ONCE, ThrowSettings
from brickphys.engines.vectors import (
    Mask,
    Vector,
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
from brickphys.jit import kernel
from brickphys.units import Array, Indices


class Lists(NamedTuple):
    """Lists of the corners in contact."""

    lanes: Indices
    """(v,): the lanes in which each corner is in contact, as bits."""
    corners: Indices
    """(lanes, v): the corners in contact, of each lane."""
    number: Indices
    """(lanes,): how many they are."""


@kernel
def measure_on_floor(solid: KernelBody, settings: ThrowSettings, rows: Array) -> None:
    """Write what the corners of all lanes tell, the first part of a step on the floor."""
    up = upward(rows)
    climb = cross(up, triple(rows, SPIN))
    base, rise = load(rows, POSITION + 2) - solid.edge, load(rows, VELOCITY + 2)
    gap, low, slowest = spread(math.inf, base), spread(0.0, base), spread(math.inf, base)
    close, one = spread(0.0, base), spread(1.0, base)
    step = least(settings.limit - load(rows, TIME), settings.step)
    near = solid.touch + 2.0 * GRAVITY_MM_S2 * settings.step * settings.step
    for k in range(len(solid.x)):
        x, y, z = solid.x[k], solid.y[k], solid.z[k]
        height = base + (up[0] * x + up[1] * y + up[2] * z)
        speed = rise + (climb[0] * x + climb[1] * y + climb[2] * z)
        low, gap = select(height < gap, float(k), low), least(height, gap)
        close = close + select(height <= near, one, 0.0)
        touches = height <= solid.touch
        slowest = least(select(touches, speed, math.inf), slowest)
        # a corner that will bounce ends the step
        strikes = ~touches & (speed < -settings.bounce) & (height + speed * step < 0.0)
        if some(strikes):
            step = select(strikes, -height / speed, step)
    put_triple(rows, NORMAL, up)
    store(rows, LOWEST, low)
    store(rows, GAP, gap)
    store(rows, NEAR, close)
    store(rows, SLOWEST, slowest)
    store(rows, STEP, step)


@kernel
def make_step(solid: KernelBody, settings: ThrowSettings, rows: Array, lists: Lists) -> None:
    """Make a bounce or a step in each lane that is not held, with the corners as they have been measured."""
    free = load(rows, HELD) < 0.5
    stuck, slowest = load(rows, STUCK), load(rows, SLOWEST)
    bounces = free & (slowest < -settings.bounce) & (stuck < float(BOUNCES_AT_ONCE))
    steps = free & ~bounces
    step = select(steps, load(rows, STEP), 0.0)
    up, spin = upward(rows), triple(rows, SPIN)
    climb = cross(up, spin)
    bend = lift(solid, up, spin, climb)
    number = _list_contacts(solid, settings, rows, lists, free, step, up, climb, bend)
    _start_contacts(solid, settings, rows, number, bounces, step, up, climb, bend)
    resolve(solid, rows, number, settings.friction, 1e-3 * settings.bounce)
    place, v = triple(rows, POSITION), triple(rows, VELOCITY)
    moved = place[0] + step * v[0], place[1] + step * v[1], place[2] + step * v[2]
    put_triple(rows, POSITION, moved)
    rotate_freely(solid, rows, step)
    store(rows, TIME, load(rows, TIME) + step)
    store(rows, SPENT, step)
    store(rows, STUCK, select(bounces, stuck + 1.0, 0.0))


@kernel
def _list_contacts(
    solid: KernelBody,
    settings: ThrowSettings,
    rows: Array,
    lists: Lists,
    free: Mask,
    step: Vector,
    up: Triple,
    climb: Triple,
    bend: Triple,
) -> int:
    """Write the corners in contact into the lanes; return the largest number of contacts of a lane."""
    base, half = load(rows, POSITION + 2) - solid.edge, 0.5 * step * step
    rise = load(rows, VELOCITY + 2) - GRAVITY_MM_S2 * step
    for k in range(len(solid.x)):
        x, y, z = solid.x[k], solid.y[k], solid.z[k]
        height = base + (up[0] * x + up[1] * y + up[2] * z)
        speed = rise + (climb[0] * x + climb[1] * y + climb[2] * z)
        room = most(height, 0.0) + half * (bend[0] * x + bend[1] * y + bend[2] * z)
        falls = (room + speed * step < 0.0) & (speed + settings.bounce >= 0.0)
        lists.lanes[k] = lanes_of(free & ((height <= solid.touch) | falls))
    lists.number[:] = 0
    for k in range(len(solid.x)):
        lanes = lists.lanes[k]
        while lanes != 0:
            lane = first_lane(lanes)
            lanes &= lanes - 1
            lists.corners[lane, lists.number[lane]] = k
            lists.number[lane] += 1
    largest = 0
    for lane in range(len(lists.number)):
        number = lists.number[lane]
        if number > MOST:
            number = _chosen(solid, rows, lane, lists.corners[lane], number)
        for i in range(MOST):
            rows[contact_row(i) + CORNER, lane] = lists.corners[lane, i] if i < number else -1
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
def _start_contacts(
    solid: KernelBody,
    settings: ThrowSettings,
    rows: Array,
    number: int,
    bounces: Mask,
    step: Vector,
    up: Triple,
    climb: Triple,
    bend: Triple,
) -> None:
    """Write levers, masses, targets and first impulses of all contacts, and apply gravity and these impulses."""
    base, rise = load(rows, POSITION + 2) - solid.edge, load(rows, VELOCITY + 2)
    half = 0.5 * step * step
    store(rows, VELOCITY + 2, rise - GRAVITY_MM_S2 * step)
    whole = step == settings.step
    none = spread(-1.0, base)
    for i in range(MOST):
        row = contact_row(i)
        name, before = load(rows, row + CORNER), load(rows, row + BEFORE)
        store(rows, row + BEFORE, select(whole, name, none))
        if i >= number:
            continue
        active = name >= 0.0
        arm = corner(solid, most(name, 0.0))
        prepare(solid, rows, up, arm, row)
        speed = rise + dot(climb, arm)
        rebound = select(speed < -settings.bounce, -settings.restitution * speed, 0.0)
        room = most(base + dot(up, arm), 0.0) + half * dot(bend, arm)
        store(rows, row + TARGET, select(bounces, rebound, -room / step))
        again = active & whole & (name == before)
        old = triple(rows, row + IMPULSE)
        warm = select(again, old[0], 0.0), select(again, old[1], 0.0), select(again, old[2], 0.0)
        put_triple(rows, row + IMPULSE, warm)
        push(solid, rows, row, warm)
