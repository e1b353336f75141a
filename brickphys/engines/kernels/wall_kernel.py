"""Wall kernel: throws near the walls of a tray, one after the other, until they are away from them, decided or at rest.

Floor and walls are planes, which a convex body touches with its corners alone, with an edge radius with the balls
around those of its core. Walls have no upper end, so there is no rim to lie on. A body flies by conservative
advancement, and its steps are of first order. Vectors have one lane here: a row is one number.
"""

import math

from brickphys.engines.kernels import decision_kernel as decision
from brickphys.engines.kernels import flight_kernel as flight
from brickphys.engines.kernels import rows as at
from brickphys.engines.kernels import tables
from brickphys.engines.kernels.contact_kernel import contact_impulse, prepare, push
from brickphys.engines.kernels.floor_kernel import touch_reach
from brickphys.engines.kernels.tables import Basins, KernelBody, ThrowSettings, Walls
from brickphys.engines.kernels.vectors import (
    Mask,
    Vector,
    least,
    load,
    most,
    select,
    size,
    some,
    spread,
    store,
)
from brickphys.jit import called_kernel, kernel
from brickphys.units import Array, Indices

_PLANE, _ROOM, _RISE = at.BEFORE, at.OFFSET, at.OFFSET + 1
"""Rows of a contact before its impulse is known: its plane, and distance and speed from there."""
_MARGIN_MM, _AHEAD_STEPS, _AHEAD_S = 0.5, 2.0, 1e-6
"""A body is near a wall if its sphere is so near to it, now or in so many steps; a flight ends so much later."""
_STEPS = 8.0
"""Steps near walls in one of the floor."""
_SWEEPS, _TOLERANCE = 100, 1e-3


@kernel
def before_walls(
    solid: KernelBody, settings: ThrowSettings, rows: Array, walls: Walls, time: Vector
) -> Vector:
    """Return times of flight that end where bodies come near a wall."""
    if walls is None:
        return time
    room = walls[0] - solid.radius - _MARGIN_MM
    for k in range(2):
        place, speed = load(rows, at.POSITION + k), load(rows, at.VELOCITY + k)
        ahead = (room - select(speed < 0.0, -place, place)) / size(speed)
        time = least(time, most(ahead - _AHEAD_STEPS * settings.step, 0.0) + _AHEAD_S)
    return time


@kernel
def near_walls(solid: KernelBody, settings: ThrowSettings, rows: Array, walls: Walls) -> Mask:
    """Return which bodies are near a wall."""
    far, ahead = spread(0.0, load(rows, at.TIME)), _AHEAD_STEPS * settings.step
    if walls is None:
        return far > 1.0
    for k in range(2):
        place = load(rows, at.POSITION + k)
        far = most(most(size(place), size(place + ahead * load(rows, at.VELOCITY + k))), far)
    return far >= walls[0] - solid.radius - _MARGIN_MM


@kernel
def _frame(rows: Array, plane: int) -> tuple[flight.Triple, flight.Triple, flight.Triple]:
    """Return two axes in a plane and its normal, in the frame of the body."""
    axes, (axis, sign) = flight.world(rows), _normal(plane)
    return axes[(axis + 1) % 3], axes[(axis + 2) % 3], flight.times(sign, axes[axis])


@kernel
def _normal(plane: int) -> tuple[int, float]:
    """Return the axis of the normal of a plane, and its sign."""
    return (2, 1.0) if plane == 0 else ((plane - 1) // 2, 1.0 - 2.0 * (plane % 2))


@kernel
def _measure(solid: KernelBody, settings: ThrowSettings, rows: Array, half: float) -> int:
    """List the corners that touch planes as contacts; return how many they are.

    Write the lowest corner and its height, the least speed of contacts, and how long no other corner will touch.
    """
    touch, spin, number = touch_reach(solid, settings, 1.0), flight.triple(rows, at.SPIN), 0
    a, b, c = solid.inertia
    low, high, turn = min(a, b, c), max(a, b, c), (a * spin[0], b * spin[1], c * spin[2])
    bend = (high * solid.radius / (low * low * low)) * flight.dot(turn, turn)  # the spin may grow
    flight.put_triple(rows, at.NORMAL, flight.world(rows)[2])
    rows[at.GAP] = rows[at.SLOWEST] = rows[at.STEP] = math.inf
    for plane in range(at.PLANES):
        (axis, sign), normal = _normal(plane), _frame(rows, plane)[2]
        base = sign * load(rows, at.POSITION + axis) + (0.0 if plane == 0 else half)
        speed = sign * load(rows, at.VELOCITY + axis)
        pull = tables.GRAVITY_MM_S2 if plane == 0 else 0.0
        alone = flight.drop_time(most(base - solid.radius, 0.0), speed, spread(pull, base))
        if some((base > solid.radius) & (alone > settings.step)):
            store(rows, at.STEP, least(load(rows, at.STEP), alone))
            continue
        climb = flight.cross(normal, spin)
        for k in range(len(solid.x)):
            arm = solid.x[k], solid.y[k], solid.z[k]
            gap, rise = base - solid.edge + flight.dot(normal, arm), speed + flight.dot(climb, arm)
            if plane == 0 and some(gap < load(rows, at.GAP)):
                store(rows, at.GAP, gap)
                rows[at.LOWEST] = k
            if some((gap > touch) | (rise > settings.bounce)):
                free = flight.drop_time(most(gap - 0.5 * touch, 0.0), rise, bend + pull)
                store(rows, at.STEP, least(free, load(rows, at.STEP)))
            if some(gap <= touch):
                row, number = flight.contact_row(number), number + 1
                rows[row + at.CORNER], rows[row + _PLANE] = k, plane
                store(rows, row + _ROOM, gap)
                store(rows, row + _RISE, rise)
                store(rows, at.SLOWEST, least(rise, load(rows, at.SLOWEST)))
    rows[at.NEAR] = number
    return number


@kernel
def _prepare(
    solid: KernelBody, settings: ThrowSettings, rows: Array, number: int, step: float
) -> None:
    """Write what the impulses of contacts follow from: those of a bounce if the step is 0."""
    spin, every = flight.triple(rows, at.SPIN), load(rows, at.TIME) >= 0.0
    zero = spread(0.0, load(rows, at.TIME))
    for i in range(number):
        row = flight.contact_row(i)
        k, frame = int(rows[row + at.CORNER]), _frame(rows, int(rows[row + _PLANE]))
        arm, rise = (zero + solid.x[k], zero + solid.y[k], zero + solid.z[k]), rows[row + _RISE]
        target = zero - (settings.restitution * rise if rise < -settings.bounce else 0.0)
        if step > 0.0:
            bend = flight.lift(solid, frame[2], spin, flight.cross(frame[2], spin))
            target = -0.5 * step * flight.dot(bend, arm) - max(rows[row + _ROOM], 0.0) / step
        store(rows, row + at.TARGET, target)
        prepare(solid, rows, frame, arm, row, every)
        for part in (at.IMPULSE, at.OFFSET, at.SLID):
            flight.put_triple(rows, row + part, (zero, zero, zero))


@kernel
def _turn(rows: Array, plane: int, back: bool) -> None:
    """Write the velocity along the axes of `_frame`, or `back`."""
    axis, sign = _normal(plane)
    x, y, z = at.VELOCITY + (axis + 1) % 3, at.VELOCITY + (axis + 2) % 3, at.VELOCITY + axis
    a, b, c = rows[at.VELOCITY], rows[at.VELOCITY + 1], rows[at.VELOCITY + 2]
    if back:
        rows[x], rows[y], rows[z] = a, b, sign * c
    else:
        a, b, c = rows[x], rows[y], sign * rows[z]
        rows[at.VELOCITY], rows[at.VELOCITY + 1], rows[at.VELOCITY + 2] = a, b, c


@kernel
def _sweep(solid: KernelBody, settings: ThrowSettings, rows: Array, number: int) -> bool:
    """Change the impulses of all contacts once; return whether they have converged."""
    change = spread(0.0, load(rows, at.TIME))
    for i in range(number):
        row = flight.contact_row(i)
        plane, p = int(rows[row + _PLANE]), flight.triple(rows, row + at.IMPULSE)
        _turn(rows, plane, False)
        q = contact_impulse(rows, row, p, load(rows, row + at.TARGET), settings.friction)
        flight.put_triple(rows, row + at.IMPULSE, q)
        p = flight.plus_times(q, -1.0, p)
        push(solid, rows, row, p)
        _turn(rows, plane, True)
        change = most(change, size(p[0]) + size(p[1]) + size(p[2]))
    return not some(change * solid.per_mass >= _TOLERANCE * settings.bounce)


@kernel
def _move(solid: KernelBody, settings: ThrowSettings, rows: Array, number: int) -> float:
    """Bounce, make a step, or fly, until another corner touches or the limit of time; return the time of it."""
    slowest, like = rows[at.SLOWEST], load(rows, at.TIME)
    step = min(rows[at.STEP], settings.limit - rows[at.TIME])
    if slowest > settings.bounce:
        flight.fall(rows, spread(step, like))
    else:
        bounces = slowest < -settings.bounce and rows[at.STUCK] < tables.BOUNCES_AT_ONCE
        step = 0.0 if bounces else min(step, settings.step / _STEPS)
        _prepare(solid, settings, rows, number, step)
        rows[at.VELOCITY + 2] -= tables.GRAVITY_MM_S2 * step
        for _ in range(_SWEEPS):
            if _sweep(solid, settings, rows, number):
                break
        for k in range(3):
            rows[at.POSITION + k] += step * rows[at.VELOCITY + k]
    flight.rotate_freely(solid, rows, spread(step, like))
    return float(step)


@kernel
def _throw(
    solid: KernelBody, basins: Basins, settings: ThrowSettings, walls: tuple[float, Array, Array]
) -> tuple[int, int]:
    """Move a body until it is away from walls or its throw ends; return the result, and the pose if it is decided."""
    half, rows, grid = walls
    rows[at.SPENT] = rows[at.STUCK] = 0.0
    while True:
        number, every = _measure(solid, settings, rows, half), load(rows, at.TIME) >= 0.0
        if some(decision.account(solid, settings, rows, every)):
            return tables.DIVERGED, 0
        low = some(decision.is_low(basins, settings, rows)) and rows[at.GAP] < math.inf
        if settings.by_energy and low:
            pose = decision.decided(solid, basins, settings, grid, 0, False)
            if pose >= 0:
                return tables.DECIDED, pose
        if some(decision.is_still(settings, rows, every)):
            return tables.AT_REST, 0
        if rows[at.TIME] >= settings.limit:
            return tables.OUT_OF_TIME, 0
        if not some(near_walls(solid, settings, rows, walls)):
            return decision.OPEN, 0
        rows[at.SPENT] = _move(solid, settings, rows, number)
        rows[at.STUCK] = rows[at.STUCK] + 1.0 if rows[at.SPENT] == 0.0 else 0.0
        rows[at.TIME] += rows[at.SPENT]


@called_kernel
def throw_near_walls(
    solid: KernelBody,
    basins: Basins,
    settings: ThrowSettings,
    walls: Walls,
    numbers: Array,
    ends: Indices,
    here: Indices,
    number: int,
) -> int:
    """Move the first throws of a list, `here`, until none is near a wall; return how many go on."""
    if walls is None:
        return number
    rows, going = walls[1], 0
    for i in range(number):
        throw, end, pose = here[i], decision.OPEN, 0
        for k in range(at.KEPT):
            rows[k] = numbers[throw, k]
        if some(near_walls(solid, settings, rows, walls)):
            end, pose = _throw(solid, basins, settings, walls)
            for k in range(at.KEPT):
                numbers[throw, k] = rows[k]
        ends[throw, 0], ends[throw, 1] = end, pose
        here[going] = throw
        going += end == decision.OPEN
    return going
