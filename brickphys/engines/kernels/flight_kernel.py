"""Flight kernels on vectors: heights, energy and free flight of as many bodies as a vector has lanes.

The thirteen numbers of a motion are the first rows of an array of shape (rows, lanes), in mm and s: position and
velocity of the centre of mass in the world frame, orientation (body to world, scalar last), and spin *in the body
frame*. Corners are those of the core of the body; what touches the floor is the lowest point of the ball around one.
"""

import math
from typing import TypeVar

from brickphys.engines.kernels import rows as at
from brickphys.engines.kernels.tables import GRAVITY_MM_S2, KernelBody, Sector
from brickphys.engines.kernels.vectors import (
    Mask,
    Vector,
    fused,
    least,
    load,
    most,
    nearest,
    root,
    select,
    sine_cosine,
    size,
    some,
    spread,
    store,
)
from brickphys.jit import kernel
from brickphys.throws.flight import TURN_PER_STEP_RAD
from brickphys.units import Array

N = TypeVar("N", float, Vector)
"""A number, or a vector of them: one for each of several throws."""
Triple = tuple[Vector, Vector, Vector]
Numbers = tuple[float, float, float]
Quadruple = tuple[Vector, Vector, Vector, Vector]

_SEARCHES = 8
"""Largest number of corners that are tried for the next contact of a flight."""
_LONGEST_TURN_RAD = 0.5
"""A flight near the floor, or of a body that turns in steps, ends after this turn: then it is measured again."""
_LEAST_FALL_MM_S2 = 2000.0
"""A corner counts as falling with at least this acceleration, so that the time to its contact has a bound."""
_MOST_STEPS = 1000.0
"""Steps in which a body turns at most, so that a spin that is lost, infinite, ends."""
_AHEAD, _PARTS = (0.5, 0.5, 1.0, 0.0), (1 / 6, 1 / 3, 1 / 3, 1 / 6)
"""Runge-Kutta's method: how far ahead the next rate is taken, and the part of each rate, of the step."""
_TINY = 1e-12


@kernel
def nearby_row(number: int) -> int:
    """Return the first row of a corner that may reach the floor."""
    return at.NEARBY + 4 * number


@kernel
def contact_row(number: int) -> int:
    """Return the first row of a contact."""
    return at.CONTACTS + number * at.CONTACT


@kernel
def triple(rows: Array, first: int) -> Triple:
    """Return three rows."""
    return load(rows, first), load(rows, first + 1), load(rows, first + 2)


@kernel
def put_triple(rows: Array, first: int, vector: Triple) -> None:
    """Write three rows."""
    store(rows, first, vector[0])
    store(rows, first + 1, vector[1])
    store(rows, first + 2, vector[2])


@kernel
def number_triple(rows: Array, first: int, lane: int) -> tuple[float, float, float]:
    """Return the numbers of one lane in three rows."""
    return rows[first, lane], rows[first + 1, lane], rows[first + 2, lane]


@kernel
def chosen(mask: Mask, yes: Triple, no: Triple) -> Triple:
    """Return `yes` where the mask holds, else `no`."""
    return select(mask, yes[0], no[0]), select(mask, yes[1], no[1]), select(mask, yes[2], no[2])


@kernel
def plus(a: Triple, b: Triple) -> Triple:
    """Return the sums."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@kernel
def plus_times(a: Triple, factor: Vector | float, b: Triple | Numbers) -> Triple:
    """Return the sums of vectors and products of others with numbers."""
    return fused(factor, b[0], a[0]), fused(factor, b[1], a[1]), fused(factor, b[2], a[2])


@kernel
def times(factor: Vector | float, a: Triple) -> Triple:
    """Return the products with numbers."""
    return factor * a[0], factor * a[1], factor * a[2]


@kernel
def dot(a: Triple, b: Triple) -> Vector:
    """Return the scalar products."""
    return fused(a[0], b[0], fused(a[1], b[1], a[2] * b[2]))


@kernel
def cross(a: Triple, b: Triple) -> Triple:
    """Return the vector products."""
    return (
        fused(a[1], b[2], -(a[2] * b[1])),
        fused(a[2], b[0], -(a[0] * b[2])),
        fused(a[0], b[1], -(a[1] * b[0])),
    )


@kernel
def upward(rows: Array) -> Triple:
    """Return the upward direction in the frame of each body."""
    x, y, z = triple(rows, at.QUATERNION)
    w = load(rows, at.QUATERNION + 3)
    square = fused(x, x, y * y)
    return 2.0 * fused(x, z, -(w * y)), 2.0 * fused(y, z, w * x), fused(-2.0, square, 1.0)


@kernel
def world(rows: Array) -> tuple[Triple, Triple, Triple]:
    """Return the axes of the world in the frame of each body: east, north and up."""
    x, y, z = triple(rows, at.QUATERNION)
    w, up = load(rows, at.QUATERNION + 3), upward(rows)
    east = (
        fused(-2.0, fused(y, y, z * z), 1.0),
        2.0 * fused(x, y, -(w * z)),
        2.0 * fused(x, z, w * y),
    )
    return east, cross(up, east), up


@kernel
def folded(sector: Sector, up: Triple) -> Triple:
    """Return the mirror image of an upward vector whose lowest corner is in the sector."""
    x, y, z = sector.mirrors
    return (
        -size(up[0]) if x else up[0],
        -size(up[1]) if y else up[1],
        -size(up[2]) if z else up[2],
    )


@kernel
def unfolded(sector: Sector, up: Triple, arm: Triple) -> Triple:
    """Return the corner of the body that is lowest, of its image in the sector."""
    x, y, z = sector.mirrors
    return (
        select(up[0] > 0.0, -arm[0], arm[0]) if x else arm[0],
        select(up[1] > 0.0, -arm[1], arm[1]) if y else arm[1],
        select(up[2] > 0.0, -arm[2], arm[2]) if z else arm[2],
    )


@kernel
def lowest(sector: Sector, up: Triple, base: Vector) -> tuple[Vector, Triple]:
    """Return the least height of a corner, and that corner, for bodies at `base` with an upward vector."""
    height, none, image = spread(math.inf, base), spread(0.0, base), folded(sector, up)
    x, y, z = none, none, none
    for k in range(len(sector.x)):
        a, b, c = sector.x[k], sector.y[k], sector.z[k]
        one = base + dot(image, (a, b, c))
        less = one < height
        x, y, z = select(less, a, x), select(less, b, y), select(less, c, z)
        height = least(one, height)
    return height, unfolded(sector, up, (x, y, z))


@kernel
def _twin(mirrored: bool, height: Vector, up: Vector, off: Vector) -> Vector:
    """Return the height of the mirror image of a corner `off` a plane; infinite if there is none."""
    return select(off > 0.0, height - 2.0 * up * off, math.inf) if mirrored else height + math.inf


@kernel
def measure_in_the_air(solid: KernelBody, sector: Sector, rows: Array) -> tuple[Mask, Vector]:
    """Measure all lanes; return in which several corners touch, and the least vertical speed of those that do."""
    up = upward(rows)
    climb, image = cross(up, triple(rows, at.SPIN)), folded(sector, up)
    base, rise = load(rows, at.POSITION + 2) - solid.edge, load(rows, at.VELOCITY + 2)
    gap, none = spread(math.inf, base), spread(0.0, base)
    second, low, x, y, z = gap, none, none, none, none
    for k in range(len(sector.x)):
        a, b, c = sector.x[k], sector.y[k], sector.z[k]
        height = base + dot(image, (a, b, c))
        less = height < gap
        second, low = least(second, most(height, gap)), select(less, float(k), low)
        x, y, z = select(less, a, x), select(less, b, y), select(less, c, z)
        gap = least(height, gap)
    second = least(second, _twin(sector.mirrors[0], gap, image[0], x))
    second = least(second, _twin(sector.mirrors[1], gap, image[1], y))
    second = least(second, _twin(sector.mirrors[2], gap, image[2], z))
    arm = unfolded(sector, up, (x, y, z))
    slowest, several = rise + dot(climb, arm), second <= solid.touch
    if some(several):
        for k in range(len(solid.x)):
            x, y, z = solid.x[k], solid.y[k], solid.z[k]
            height = base + dot(up, (x, y, z))
            speed = rise + dot(climb, (x, y, z))
            slower = several & (height <= solid.touch) & (speed < slowest)
            slowest = select(slower, speed, slowest)
    put_triple(rows, at.NORMAL, up)
    put_triple(rows, at.ARM, arm)
    store(rows, at.LOWEST, low)
    store(rows, at.GAP, gap)
    return several, slowest


@kernel
def spin_change(solid: KernelBody, wx: N, wy: N, wz: N) -> tuple[N, N, N]:
    """Return the torque-free rate of change of the spin in the body frame (Euler's equations)."""
    a, b, c = solid.euler
    return a * wy * wz, b * wz * wx, c * wx * wy


@kernel
def lift(solid: KernelBody, up: Triple, spin: Triple, climb: Triple) -> Triple:
    """Return the vector whose product with a corner is its vertical acceleration by rotation.

    `climb`, ``up x spin``, is the vector whose product with a corner is its vertical speed by rotation.
    """
    change = spin_change(solid, spin[0], spin[1], spin[2])
    return plus(cross(climb, spin), cross(up, change))


@kernel
def energy(solid: KernelBody, rows: Array, gap: Vector) -> Vector:
    """Return kinetic plus potential energy over m g in mm; bodies that penetrate (`gap` < 0) count as on the floor."""
    v, w = triple(rows, at.VELOCITY), triple(rows, at.SPIN)
    a, b, c = solid.inertia
    square = fused(dot((a * w[0], b * w[1], c * w[2]), w), solid.per_mass, dot(v, v))
    return load(rows, at.POSITION + 2) - least(gap, 0.0) + square * (0.5 / GRAVITY_MM_S2)


@kernel
def drop_time(room: Vector, rise: Vector, fall: Vector) -> Vector:
    """Return the time in which a point falls by `room`, without cancellation for either sign of `rise`."""
    speed = root(fused(rise, rise, 2.0 * fall * room))
    rises = rise > 0.0
    return select(rises, rise + speed, 2.0 * room) / select(rises, fall, speed - rise + _TINY)


@kernel
def time_to_contact(
    solid: KernelBody, sector: Sector, rows: Array, up: Triple, climb: Triple, flies: Mask
) -> Vector:
    """Return how long each body surely flies on; the result means nothing where the mask does not hold.

    To second order, a corner r has the height ``z + v t - g t2 / 2 + r . (n + n' t + n'' t2 / 2)`` after a time t.
    The time of the lowest corner is found first. At that time, the lowest corner by the parabolas may be another one,
    which touches before; and so on. What remains is the third derivative: it has a bound, and corners fall with so much
    more acceleration.
    """
    spin = triple(rows, at.SPIN)
    bend = lift(solid, up, spin, climb)
    base, rise = load(rows, at.POSITION + 2) - solid.edge, load(rows, at.VELOCITY + 2)
    aim = 0.5 * solid.touch
    square = dot(spin, spin)
    pace = root(square)
    per_turn = (sector.jerk / 3.0) * solid.radius * square  # additional fall of a corner, per angle
    longest = _LONGEST_TURN_RAD / (pace + _TINY)
    arm, fresh, time = triple(rows, at.ARM), flies, longest
    room, speed = most(base + dot(up, arm) - aim, 0.0), rise + dot(climb, arm)
    falls = most(GRAVITY_MM_S2 - dot(bend, arm), _LEAST_FALL_MM_S2)
    first = least(drop_time(room, speed, falls), time)
    time = least(drop_time(room, speed, falls + per_turn * pace * first), time)
    for _ in range(_SEARCHES):
        half, slack = 0.5 * time * time, per_turn * pace * time
        ahead = plus_times(plus_times(up, time, climb), half, bend)
        height, arm = lowest(sector, ahead, base + rise * time - (GRAVITY_MM_S2 + slack) * half)
        fresh = fresh & (height < 0.5 * aim)
        if not some(fresh):
            break
        room, speed = most(base + dot(up, arm) - aim, 0.0), rise + dot(climb, arm)
        falls = most(GRAVITY_MM_S2 - dot(bend, arm), _LEAST_FALL_MM_S2)
        time = select(fresh, least(drop_time(room, speed, falls + slack), time), time)
    room = load(rows, at.POSITION + 2) - solid.radius
    surely = drop_time(room, rise, spread(GRAVITY_MM_S2, rise))
    if not is_top(solid):  # in small steps, for which all lanes wait
        surely = least(surely, longest)
    return select(room > 0.0, most(time, surely), time)


@kernel
def fall(rows: Array, time: Vector) -> None:
    """Move the centres of mass in free fall."""
    place, v = triple(rows, at.POSITION), triple(rows, at.VELOCITY)
    mean = v[0], v[1], v[2] - (0.5 * GRAVITY_MM_S2) * time
    put_triple(rows, at.POSITION, plus_times(place, time, mean))
    store(rows, at.VELOCITY + 2, v[2] - GRAVITY_MM_S2 * time)


@kernel
def _turned(a: Quadruple, b: Quadruple) -> Quadruple:
    """Return the products of quaternions."""
    left, right = (a[0], a[1], a[2]), (b[0], b[1], b[2])
    x, y, z = plus_times(plus_times(cross(left, right), b[3], left), a[3], right)
    return x, y, z, fused(a[3], b[3], -dot(left, right))


@kernel
def _turned_top(
    solid: KernelBody, q: Quadruple, w: Triple, time: Vector
) -> tuple[Quadruple, Triple]:
    """Return quaternions and spins of symmetric tops after a time; see `flight_kernel.rotate_freely`."""
    ex, ey, ez = solid.axis
    excess = (solid.ratio - 1.0) * (w[0] * ex + w[1] * ey + w[2] * ez)
    p = plus_times(w, excess, (ex, ey, ez))
    speed = root(dot(p, p) + _TINY)
    sine, cosine = sine_cosine(0.5 * speed * time)
    share = sine / speed
    q = _turned(q, (share * p[0], share * p[1], share * p[2], cosine))
    sine, cosine = sine_cosine(-0.5 * excess * time)
    q = _turned(q, (sine * ex, sine * ey, sine * ez, cosine))
    sine, cosine = 2.0 * sine * cosine, 1.0 - 2.0 * sine * sine
    rest = (1.0 - cosine) * (p[0] * ex + p[1] * ey + p[2] * ez) - excess
    around = (ez * p[1] - ey * p[2], ex * p[2] - ez * p[0], ey * p[0] - ex * p[1])
    return q, plus_times(plus_times(times(cosine, p), sine, around), rest, (ex, ey, ez))


@kernel
def _turned_by_step(
    solid: KernelBody, q: Quadruple, w: Triple, time: Vector
) -> tuple[Quadruple, Triple]:
    """Return quaternions and spins after a step of Runge-Kutta's method for free rotation."""
    v, s = (q[0], q[1], q[2]), q[3]
    v_end, s_end, w_end = v, s, w
    x, y, at = v, s, w
    for k in range(4):
        part, ahead = _PARTS[k] * time, _AHEAD[k] * time
        half, change = times(0.5, at), spin_change(solid, at[0], at[1], at[2])
        turn, less = plus_times(cross(x, half), y, half), dot(x, half)
        v_end, s_end = plus_times(v_end, part, turn), fused(-part, less, s_end)
        w_end = plus_times(w_end, part, change)
        x, y, at = plus_times(v, ahead, turn), fused(-ahead, less, s), plus_times(w, ahead, change)
    return (v_end[0], v_end[1], v_end[2], s_end), w_end


@kernel
def _turned_in_steps(
    solid: KernelBody, q: Quadruple, w: Triple, time: Vector
) -> tuple[Quadruple, Triple]:
    """Return quaternions and spins after a time; each lane has steps of its own, of at most `TURN_PER_STEP_RAD`."""
    left = nearest(root(dot(w, w)) * time * (1.0 / TURN_PER_STEP_RAD) + 0.5)
    left = most(least(left, _MOST_STEPS), 1.0)
    step = time / left
    going = left > 0.0
    while some(going):
        q, w = _turned_by_step(solid, q, w, select(going, step, 0.0))
        left = left - 1.0
        going = left > 0.0
    return q, w


@kernel
def rotate_freely(solid: KernelBody, rows: Array, time: Vector) -> None:
    """Rotate the bodies without torque."""
    x, y, z = triple(rows, at.QUATERNION)
    s, w = load(rows, at.QUATERNION + 3), triple(rows, at.SPIN)
    if is_top(solid):
        q, spun = _turned_top(solid, (x, y, z, s), w, time)
    else:
        q, spun = _turned_in_steps(solid, (x, y, z, s), w, time)
    scale = fused(-0.5, fused(q[3], q[3], dot((q[0], q[1], q[2]), (q[0], q[1], q[2]))), 1.5)
    turns = time > 0.0  # not a bit changes in a lane that waits
    put_triple(
        rows, at.QUATERNION, chosen(turns, (q[0] * scale, q[1] * scale, q[2] * scale), (x, y, z))
    )
    store(rows, at.QUATERNION + 3, select(turns, q[3] * scale, s))
    put_triple(rows, at.SPIN, chosen(turns, spun, w))


@kernel
def is_top(solid: KernelBody) -> bool:
    """Return whether a body is a symmetric top."""
    return solid.axis[0] + solid.axis[1] + solid.axis[2] > 0.0
