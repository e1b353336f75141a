"""Ways of two bodies that move, compiled: where a body is at some time, how fast, and how bent the way of another is.

A way is rows of 11 numbers, named here: what a body does from when to when, and where it is before.
"""

from math import cos, hypot, inf, radians, sin, sqrt
from typing import NamedTuple

from brickphys.geometry.clearance_kernel import nearest_corner
from brickphys.geometry.many.outlines_kernel import unit_vector
from brickphys.geometry.sweep_kernel import place
from brickphys.jit import called_kernel, kernel
from brickphys.units import Array

BEGIN, END, SENSE, OX, OY, RATE, GROWTH, COSINE, SINE, SHIFT_X, SHIFT_Y = range(11)
"""Columns of a way: times; 0 for straight on, else 1 or -1 for a turn; direction or pivot; speed at the beginning and
acceleration, of a turn in radians; what was done before to the body."""
WAY_COLUMNS = 11

Twist = tuple[float, float, float]
"""Velocity at the origin, and angular velocity: a point (x, y) of the body has (vx - w y, vy + w x)."""


class Side(NamedTuple):
    """One of the two bodies: its edges at the beginning, its way, and room for its edges at some time.

    If one of both is rounded, there is room for one edge more.
    """

    edges: Array
    way: Array
    there: Array
    mass: Array
    """Its centre of mass at the beginning and the square of its radius of gyration; nan for those of its edges."""
    radius: float
    """By which it is rounded."""


@kernel
def _duration(extent: float, rate: float, growth: float) -> float:
    """Return how long a body needs that begins at a speed and accelerates evenly."""
    if extent == 0.0:
        return 0.0
    return 2 * extent / (rate + sqrt(max(rate * rate + 2 * growth * extent, 0.0)))


@kernel
def write_way(pieces: Array, first: int, end: int, way: Array) -> int:
    """Write a way, given its pieces, and return how many rows it has; in the last one the body stands."""
    count, t = 0, 0.0
    c, s, dx, dy = 1.0, 0.0, 0.0, 0.0
    for number in range(first, end):
        x, y, degrees, rate, growth, wait = pieces[number]
        is_turn = degrees == degrees
        extent = radians(abs(degrees)) if is_turn else hypot(x, y)
        if extent > 0.0:
            row = way[count]
            count += 1
            row[COSINE], row[SINE], row[SHIFT_X], row[SHIFT_Y] = c, s, dx, dy
            if is_turn:
                row[SENSE], row[OX], row[OY] = (1.0 if degrees > 0.0 else -1.0), x, y
                rate, growth = radians(rate), radians(growth)
                cosine, sine = unit_vector(degrees)
                c, s = cosine * c - sine * s, sine * c + cosine * s
                dx, dy = dx - x, dy - y
                dx, dy = x + cosine * dx - sine * dy, y + sine * dx + cosine * dy
            else:
                row[SENSE], row[OX], row[OY] = 0.0, x / extent, y / extent
                dx, dy = dx + x, dy + y
            row[RATE], row[GROWTH], row[BEGIN] = rate, growth, t
            t += _duration(extent, rate, growth)
            row[END] = t
        if wait > 0.0 or number == end - 1:
            row = way[count]
            count += 1
            row[SENSE], row[OX], row[OY], row[RATE], row[GROWTH] = 0.0, 1.0, 0.0, 0.0, 0.0
            row[COSINE], row[SINE], row[SHIFT_X], row[SHIFT_Y] = c, s, dx, dy
            row[BEGIN] = t
            t += wait
            row[END] = t
    way[count - 1, END] = inf
    return count


@kernel
def transform_at(row: Array, t: float) -> tuple[float, float, float, float]:
    """Return what a way has done to a body at some time: cosine and sine of a turn, then a shift."""
    late = t - row[BEGIN]
    done = (row[RATE] + row[GROWTH] * late / 2) * late
    c, s, dx, dy = row[COSINE], row[SINE], row[SHIFT_X], row[SHIFT_Y]
    if row[SENSE] == 0.0:
        return c, s, dx + row[OX] * done, dy + row[OY] * done
    cosine, sine = cos(row[SENSE] * done), sin(row[SENSE] * done)
    dx, dy = dx - row[OX], dy - row[OY]
    return (
        cosine * c - sine * s,
        sine * c + cosine * s,
        row[OX] + cosine * dx - sine * dy,
        row[OY] + sine * dx + cosine * dy,
    )


@called_kernel
def put(side: Side, number: int, t: float) -> None:
    """Write the edges of the core of a body at some time."""
    place(side.edges, transform_at(side.way[number], t), side.there)


@called_kernel
def put_both(one: Side, other: Side, rows: tuple[int, int], t: float, their_t: float) -> None:
    """Write the edges of both bodies, each at some time.

    If they are rounded, their edges are moved outward by the sum of the radii, and each gets one more, whose normal
    points to where the cores are nearest.
    """
    put(one, rows[0], t)
    put(other, rows[1], their_t)
    radius = one.radius + other.radius
    if radius == 0.0:
        return
    size, their_size = len(one.edges), len(other.edges)
    _, is_first, ux, uy = nearest_corner(one.there[:size], other.there[:their_size])
    for case in range(2):
        side, count = (one, size) if case == 0 else (other, their_size)
        sign, most = (1.0 if is_first == (case == 0) else -1.0), -inf
        for corner in range(count):
            row = side.there[corner]
            row[4] += radius
            most = max(most, sign * (ux * row[0] + uy * row[1]))
        last = side.there[count]
        last[0], last[1], last[2], last[3] = (
            side.there[0, 0],
            side.there[0, 1],
            sign * ux,
            sign * uy,
        )
        last[4] = most + radius


@kernel
def twist_of(row: Array, t: float) -> Twist:
    """Return the velocities of a body at some time."""
    rate = row[RATE] + row[GROWTH] * (t - row[BEGIN])
    if row[SENSE] == 0.0:
        return row[OX] * rate, row[OY] * rate, 0.0
    w = row[SENSE] * rate
    return w * row[OY], -w * row[OX], w


@kernel
def difference(one: Twist, other: Twist) -> Twist:
    """Return the velocities of one body relative to another."""
    return one[0] - other[0], one[1] - other[1], one[2] - other[2]


@kernel
def speed_along(twist: Twist, nx: float, ny: float, x: float, y: float) -> float:
    """Return how fast a point moves along a normal."""
    return nx * (twist[0] - twist[2] * y) + ny * (twist[1] + twist[2] * x)


@kernel
def row_at(side: Side, t: float) -> int:
    """Return in which row of its way a body is at some time."""
    number = 0
    while side.way[number, END] <= t:
        number += 1
    return number


@kernel
def _fastest(row: Array, since: float, until: float) -> float:
    rate, growth, begin = row[RATE], row[GROWTH], row[BEGIN]
    fastest: float = max(abs(rate + growth * (since - begin)), abs(rate + growth * (until - begin)))
    return fastest


@kernel
def pull_of(frame: Array, moving: Array) -> tuple[float, float, float, float]:
    """Return the acceleration of one body relative to the other, and its own, if both go straight on; else 0."""
    if frame[SENSE] != 0.0 or moving[SENSE] != 0.0:
        return 0.0, 0.0, 0.0, 0.0
    x, y = moving[OX] * moving[GROWTH], moving[OY] * moving[GROWTH]
    return x - frame[OX] * frame[GROWTH], y - frame[OY] * frame[GROWTH], x, y


@called_kernel
def bends(
    frame: Array, moving: Array, corners: Array, times: tuple[float, float, float, float]
) -> tuple[float, float, float, float]:
    """Return bounds of the second derivatives of where corners of one body are in the frame of the other.

    Parameters
    ----------
    frame, moving : ndarray, shape (11,)
        What both do.
    corners
        Edges of the second body, at a time between those of the latter.
    times
        From when to when, for the first and for the second body.

    Returns
    -------
    float
        With respect to the time of both, of the first alone, of both in turn, and of the second alone; 0 if both go
        straight on, see `pull_of`.
    """
    if frame[SENSE] == 0.0 and moving[SENSE] == 0.0:
        return 0.0, 0.0, 0.0, 0.0
    bend, other_bend = abs(frame[GROWTH]), abs(moving[GROWTH])
    rate, other_rate = (
        _fastest(frame, times[0], times[1]),
        _fastest(moving, times[2], times[3]),
    )
    arm, far = 0.0, 0.0
    for corner in range(len(corners)):
        x, y = corners[corner, 0], corners[corner, 1]
        arm = max(arm, hypot(x - moving[OX], y - moving[OY]))
        far = max(far, hypot(x - frame[OX], y - frame[OY]))
    bend, other_bend = rate * rate + bend, other_rate * other_rate + other_bend
    if frame[SENSE] != 0.0 and moving[SENSE] != 0.0:
        spin, grows = 0.0, moving[SENSE] * moving[GROWTH] - frame[SENSE] * frame[GROWTH]
        for case in range(4):
            ours, theirs = times[case % 2], times[2 + case // 2]
            turns = twist_of(moving, theirs)[2] - twist_of(frame, ours)[2]
            spin = max(spin, abs(turns))
        apart = hypot(moving[OX] - frame[OX], moving[OY] - frame[OY])
        both = (spin * spin + abs(grows)) * arm + bend * apart
        speed = other_rate * arm
        far += speed * (times[3] - times[2])
        return both, bend * far, rate * speed, other_bend * arm
    if moving[SENSE] == 0.0:
        far += other_rate * (times[3] - times[2])
        mixed, own, theirs = rate * other_rate, bend * far, abs(moving[GROWTH])
    else:
        mixed, own, theirs = 0.0, abs(frame[GROWTH]), other_bend * arm
    return own + 2 * mixed + theirs, own, mixed, theirs
