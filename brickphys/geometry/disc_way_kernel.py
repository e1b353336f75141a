"""The loops of a disc's ways, as those of its centre among circles and barriers, compiled.

Circles and barriers are those of `brickphys.geometry.disc_ground_kernel`. The last two circles are points, the ends of
the way.
"""

from heapq import heappop, heappush
from math import acos, atan2, hypot, inf, pi, sin, sqrt

import numpy as np

from brickphys.arrays import Array, Counts
from brickphys.jit import allocating_kernel, entry, kernel

_CIRCLE = 2 * pi
_NO_TURN_RAD = 1e-6
"""So little less than a full turn is none: a point in touch with a circle is rounded to either side of its tangents."""
_SIDEWAYS = 1e-9
"""Sine of the angle by which the boundary at a corner may seem to be left."""

Arrival = tuple[float, int, int, float, float, float, float, float]
"""At a circle, along a tangent: length of the way, the arrival before, the circle, the sense in which it is followed (1
counter-clockwise, -1 clockwise), the direction from its centre; and that in which the circle before was left."""


@kernel
def _is_line_clear(
    x: float, y: float, dx: float, dy: float, circles: Array, barriers: Array, tolerance: float
) -> bool:
    """Tell whether a straight line, from a free point by a vector, meets nothing."""
    length2 = dx * dx + dy * dy
    for number in range(len(circles)):
        cx, cy = circles[number, 0] - x, circles[number, 1] - y
        room = circles[number, 2] - tolerance
        part = 0.0
        if length2 > 0.0:
            part = min(max((cx * dx + cy * dy) / length2, 0.0), 1.0)
        cx, cy = cx - part * dx, cy - part * dy
        if cx * cx + cy * cy < room * room and room > 0.0:
            return False
    for number in range(len(barriers)):
        nx, ny = barriers[number, 0], barriers[number, 1]
        begin = nx * x + ny * y - barriers[number, 2]
        rise = nx * dx + ny * dy
        if (begin < 0.0) == (begin + rise < 0.0):
            continue
        part = -begin / rise
        along = nx * (y + part * dy) - ny * (x + part * dx)
        if barriers[number, 3] <= along <= barriers[number, 4]:
            return False
    return True


@kernel
def _is_arc_clear(
    circle: Array,
    begin: float,
    turn: float,
    circles: Array,
    barriers: Array,
    tolerance: float,
) -> bool:
    """Tell whether an arc, counter-clockwise from the bearing of a free point, meets nothing."""
    if turn <= 0.0:
        return True
    x, y, radius = circle[0], circle[1], circle[2]
    for number in range(len(circles)):
        dx, dy = circles[number, 0] - x, circles[number, 1] - y
        room = circles[number, 2] - tolerance
        apart = hypot(dx, dy)
        if apart >= radius + room or apart + room <= radius:
            continue
        if apart + radius <= room:
            return False
        half = acos((apart * apart + radius * radius - room * room) / (2.0 * apart * radius))
        enters = (atan2(dy, dx) - half - begin) % _CIRCLE
        if enters < turn or enters + 2.0 * half > _CIRCLE:
            return False
    for number in range(len(barriers)):
        nx, ny = barriers[number, 0], barriers[number, 1]
        height = barriers[number, 2] - nx * x - ny * y
        if abs(height) >= radius:
            continue
        half, middle, along = acos(height / radius), atan2(ny, nx), nx * y - ny * x
        for sense in (-1.0, 1.0):
            if (middle + sense * half - begin) % _CIRCLE < turn:
                place = along + sense * radius * sin(half)
                if barriers[number, 3] <= place <= barriers[number, 4]:
                    return False
    return True


@kernel
def _turn(ux: float, uy: float, vx: float, vy: float, sense: float) -> float:
    """Return the angle from one direction to another, counter-clockwise with a sense of 1, clockwise with -1."""
    angle = atan2(sense * (ux * vy - uy * vx), ux * vx + uy * vy)
    if angle < -_NO_TURN_RAD:
        return angle + _CIRCLE
    return max(angle, 0.0)


@kernel
def _tangent(one: Array, other: Array, sense: float, onward: float) -> tuple[float, float, float]:
    """Return length and left normal of the tangent from one circle, left in a sense, to another, joined in a sense.

    The length is -1 if there is none. A circle of radius 0 is a point, on or outside the other circle.
    """
    dx, dy = other[0] - one[0], other[1] - one[1]
    across = onward * other[2] - sense * one[2]
    apart2 = dx * dx + dy * dy
    along2 = apart2 - across * across
    if one[2] * other[2] == 0.0:
        along2 = max(along2, 0.0)
    if along2 < 0.0 or apart2 == 0.0:
        return -1.0, 0.0, 0.0
    along = sqrt(along2)
    return along, (across * dx - along * dy) / apart2, (along * dx + across * dy) / apart2


@kernel
def _is_boundary(circle: Array, ux: float, uy: float) -> bool:
    """Tell whether a circle is boundary in a direction from its centre."""
    after_first: bool = circle[3] * uy - circle[4] * ux >= -_SIDEWAYS
    before_last: bool = ux * circle[6] - uy * circle[5] >= -_SIDEWAYS
    return after_first and before_last


@allocating_kernel
def _is_joined(
    came: Arrival, arrival: Arrival, circles: Array, barriers: Array, tolerance: float
) -> bool:
    """Tell whether the tangent to an arrival from the one before, and the arc before the tangent, meet nothing."""
    last, one, solid = circles[came[2]], circles[arrival[2]], circles[:-2]
    x, y = last[0] + last[2] * arrival[6], last[1] + last[2] * arrival[7]
    dx, dy = one[0] + one[2] * arrival[4] - x, one[1] + one[2] * arrival[5] - y
    if not _is_line_clear(x, y, dx, dy, solid, barriers, tolerance):
        return False
    turn = _turn(came[4], came[5], arrival[6], arrival[7], came[3])
    begin = atan2(came[5], came[4]) if came[3] > 0.0 else atan2(arrival[7], arrival[6])
    return _is_arc_clear(last, begin, turn, solid, barriers, tolerance)


@allocating_kernel
def _is_later(
    arrival: Arrival, rival: Arrival, circles: Array, barriers: Array, tolerance: float
) -> bool:
    """Tell whether the way of a rival, at the same circle in the same sense, goes on to an arrival as soon."""
    circle, sense = circles[arrival[2]], arrival[3]
    turn = _turn(rival[4], rival[5], arrival[4], arrival[5], sense)
    if rival[0] + circle[2] * turn > arrival[0]:
        return False
    first = rival if sense > 0.0 else arrival
    begin = atan2(first[5], first[4])
    return _is_arc_clear(circle, begin, turn, circles[:-2], barriers, tolerance)


@allocating_kernel
def _onward(
    arrivals: list[Arrival],
    waiting: list[tuple[float, int]],
    number: int,
    circles: Array,
    most: float,
) -> None:
    """Add the arrivals at all other circles, and at the goal, that may follow one within the permitted length."""
    length, _, at, sense, ux, uy, _, _ = arrivals[number]
    one, goal = circles[at], circles[-1]
    for index in range(2 * len(circles) - 3):
        to = index // 2 if index < 2 * len(circles) - 4 else len(circles) - 1
        onward = 2.0 * (index % 2) - 1.0
        other = circles[to]
        along, mx, my = _tangent(one, other, sense, onward)
        if to == at or along < 0.0:
            continue
        x, y = other[0] - onward * other[2] * mx, other[1] - onward * other[2] * my
        rest = along + hypot(x - goal[0], y - goal[1])
        if length + rest > most:
            continue
        left = (-sense * mx, -sense * my)
        joins = (-onward * mx, -onward * my)
        if _is_boundary(one, *left) and _is_boundary(other, *joins):
            turned = one[2] * _turn(ux, uy, left[0], left[1], sense)
            if length + turned + rest <= most:
                arrivals.append((length + turned + along, number, to, onward, *joins, *left))
                heappush(waiting, (length + turned + rest, len(arrivals) - 1))


@allocating_kernel
def _search(circles: Array, barriers: Array, most: float, tolerance: float) -> tuple[float, Array]:
    """Return the length of the shortest way round circles, and its legs; infinity if there is none.

    A* over arrivals, by tangents, at circles that are then followed in a sense. Tangents and arcs are tested only when
    their arrival comes up. The last two circles are the start and the goal, of radius 0.
    """
    arrivals = [(0.0, 0, len(circles) - 2, 1.0, 0.0, 0.0, 0.0, 0.0)]
    waiting = [(0.0, 0)]
    settled = [0][:0]
    while len(waiting) > 0:
        number = heappop(waiting)[1]
        arrival = arrivals[number]
        came = arrivals[arrival[1]]
        if number > 0 and not _is_joined(came, arrival, circles, barriers, tolerance):
            continue
        if arrival[2] == len(circles) - 1:
            return arrival[0], _legs(arrivals, number, circles)
        is_later = False
        for earlier in settled:
            rival = arrivals[earlier]
            if rival[2] == arrival[2] and rival[3] == arrival[3]:
                is_later = is_later or _is_later(arrival, rival, circles, barriers, tolerance)
        if not is_later:
            settled.append(number)
            _onward(arrivals, waiting, number, circles, most)
    return inf, np.empty((0, 7))


@allocating_kernel
def _legs(arrivals: list[Arrival], number: int, circles: Array) -> Array:
    """Return the legs that lead to an arrival, as `find_way` does."""
    count, step = 0, number
    while step > 0:
        count, step = count + 1, arrivals[step][1]
    legs = np.zeros((count, 7))
    for index in range(count - 1, -1, -1):
        arrival = arrivals[number]
        came = arrivals[arrival[1]]
        last, one, leg = circles[came[2]], circles[arrival[2]], legs[index]
        leg[0], leg[1] = last[0] + last[2] * arrival[6], last[1] + last[2] * arrival[7]
        leg[2], leg[3] = one[0] + one[2] * arrival[4], one[1] + one[2] * arrival[5]
        if index > 0:
            turn = _turn(came[4], came[5], arrival[6], arrival[7], came[3])
            legs[index - 1, 4], legs[index - 1, 5] = last[0], last[1]
            legs[index - 1, 6] = came[3] * turn
        number = arrival[1]
    return legs


@allocating_kernel
def way(circles: Array, barriers: Array, most: float, tolerance: float) -> tuple[float, Array]:
    """Return length and legs of the shortest way, straight if it can be; infinity and none if there is none."""
    if len(circles) == 0:
        return inf, np.empty((0, 7))
    start, goal = circles[-2], circles[-1]
    dx, dy = goal[0] - start[0], goal[1] - start[1]
    if not _is_line_clear(start[0], start[1], dx, dy, circles[:-2], barriers, tolerance):
        return _search(circles, barriers, most, tolerance)
    legs = np.zeros((1, 7))
    legs[0, :2], legs[0, 2:4] = start[:2], goal[:2]
    return hypot(dx, dy), legs


@entry
def find_way(circles: Array, barriers: Array, most: float, tolerance: float) -> tuple[float, Array]:
    """Return the shortest way between the ends of a permitted length.

    Returns
    -------
    length : float
        Infinity if there is no way.
    legs : ndarray, shape (n, 7)
        Beginning and end of a straight part; centre and angle in radians, counter-clockwise, of the arc after it.
    """
    return way(circles, barriers, most, tolerance)


@entry
def find_lengths(
    circles: Array, barriers: Array, firsts: Counts, most: float, tolerance: float
) -> Array:
    """Return the lengths of the shortest ways to the goals of `brickphys.geometry.disc_ground_kernel.gather`."""
    lengths = np.empty(len(firsts) - 1)
    for number in range(len(lengths)):
        (first, wall), (end, last) = firsts[number], firsts[number + 1]
        lengths[number] = way(circles[first:end], barriers[wall:last], most, tolerance)[0]
    return lengths


@kernel
def straight(
    x: float,
    y: float,
    dx: float,
    dy: float,
    most: float,
    circles: Array,
    barriers: Array,
    tolerance: float,
) -> float:
    """Return how far a free point goes along a unit vector, at most so far, until it meets something."""
    for number in range(len(circles)):
        cx, cy = circles[number, 0] - x, circles[number, 1] - y
        ahead, aside, radius = cx * dx + cy * dy, cx * dy - cy * dx, circles[number, 2]
        if ahead > 0.0 and abs(aside) < radius - tolerance:
            most = min(most, max(ahead - sqrt(radius * radius - aside * aside), 0.0))
    for number in range(len(barriers)):
        nx, ny = barriers[number, 0], barriers[number, 1]
        above, sinks = nx * x + ny * y - barriers[number, 2], -nx * dx - ny * dy
        if above < 0.0 or above >= most * sinks:
            continue
        part = above / sinks
        along = nx * (y + part * dy) - ny * (x + part * dx)
        if barriers[number, 3] <= along <= barriers[number, 4]:
            most = max((above - tolerance) / sinks, 0.0)
    return most


@entry
def straight_lengths(
    directions: Array, most: float, circles: Array, barriers: Array, tolerance: float
) -> Array:
    """Return how far, at most so far, the first end goes along each of some unit vectors, shape (n, 2)."""
    x, y = circles[-2, 0], circles[-2, 1]
    lengths = np.empty(len(directions))
    for number in range(len(directions)):
        dx, dy = directions[number, 0], directions[number, 1]
        lengths[number] = straight(x, y, dx, dy, most, circles[:-2], barriers, tolerance)
    return lengths
