"""The loops of a disc's ways among circles and barriers, compiled.

A disc among obstacles is a point among obstacles that have grown by its radius. Their boundary is made of circles
(discs, and the corners of polygons) and of barriers (the edges of polygons, shifted outward, and the sides of the
rectangle, shifted inward). What starts outside gets in only across a circle or a barrier.

A circle is a row of 7 numbers: its centre, its radius, and the normals of the two edges that meet at a corner, between
which the circle is boundary (zeros: all round). A barrier is a row of 5: its normal, towards the free side; its
distance from the origin along the normal; and between which places along it, a quarter turn from the normal, it runs.
Barriers lie deeper by the tolerance, so that to slide along them is not to cross them. The last two circles are points,
the ends of the way.
"""

from heapq import heappop, heappush
from math import acos, atan2, hypot, inf, pi, sin, sqrt

import numpy as np

from brickphys.jit import allocating_kernel, entry, kernel
from brickphys.units import Array, Counts, Mask


@kernel
def _gap(x: float, y: float, edges: Array) -> float:
    """Return the distance of a point from a polygon; inside, minus the least distance to the line of an edge."""
    outside, nearest = -inf, inf
    for number in range(len(edges)):
        after = number + 1 if number + 1 < len(edges) else 0
        nx, ny = edges[number, 2], edges[number, 3]
        beyond = nx * x + ny * y - edges[number, 4]
        outside = max(outside, beyond)
        along = nx * y - ny * x
        first = nx * edges[number, 1] - ny * edges[number, 0]
        last = nx * edges[after, 1] - ny * edges[after, 0]
        nearest = min(nearest, hypot(beyond, max(first - along, along - last, 0.0)))
    return nearest if outside > 0.0 else outside


@kernel
def _add_border(
    box: Array, radius: float, ends: Array, tolerance: float, slack: float, barriers: Array
) -> bool:
    """Write the barriers of the rectangle; return whether both ends are inside."""
    for side in range(4):
        axis, sign = side % 2, 1.0 if side < 2 else -1.0
        offset = sign * box[side] + radius
        least = min(sign * ends[0, axis], sign * ends[1, axis])
        if offset - least > slack:
            return False
        row = barriers[side]
        row[0], row[1] = (sign, 0.0) if axis == 0 else (0.0, sign)
        row[2], row[3], row[4] = min(offset, least) - tolerance, -inf, inf
    return True


@kernel
def _add_polygon(
    edges: Array, grown: float, tolerance: float, circles: Array, barriers: Array
) -> None:
    """Write the corners and the edges of a polygon that has grown."""
    for number in range(len(edges)):
        before = number - 1 if number > 0 else len(edges) - 1
        after = number + 1 if number + 1 < len(edges) else 0
        x, y, nx, ny = edges[number, 0], edges[number, 1], edges[number, 2], edges[number, 3]
        circle, barrier = circles[number], barriers[number]
        circle[0], circle[1], circle[2] = x, y, grown
        circle[3], circle[4] = edges[before, 2], edges[before, 3]
        circle[5], circle[6] = nx, ny
        barrier[0], barrier[1], barrier[2] = nx, ny, edges[number, 4] + grown - tolerance
        barrier[3] = nx * y - ny * x
        barrier[4] = nx * edges[after, 1] - ny * edges[after, 0]


@kernel
def _add_discs(
    ends: Array, most: float, radius: float, slack: float, discs: Array, circles: Array
) -> int:
    """Write the circles of discs that a way of a permitted length may meet; return their number, or -1."""
    count = 0
    for number in range(len(discs)):
        x, y, grown = discs[number, 0], discs[number, 1], discs[number, 2] + radius
        near = hypot(x - ends[0, 0], y - ends[0, 1])
        far = hypot(x - ends[1, 0], y - ends[1, 1])
        if near + far - 2.0 * grown > most:
            continue
        touching = min(near, far, grown)
        if grown - touching > slack:
            return -1
        circles[count, :] = 0.0
        circles[count, 0], circles[count, 1], circles[count, 2] = x, y, touching
        count += 1
    return count


@kernel
def gather_one(
    ends: Array,
    most: float,
    sizes: tuple[float, float, float],
    box: Array,
    discs: Array,
    heads: Array,
    edges: Array,
    circles: Array,
    barriers: Array,
) -> tuple[int, int]:
    """Write the circles and barriers between two ends; return their numbers, none if there is no way."""
    radius, slack, tolerance = sizes
    if hypot(ends[1, 0] - ends[0, 0], ends[1, 1] - ends[0, 1]) > most:
        return 0, 0
    count, walls = _add_discs(ends, most, radius, slack, discs, circles), 4
    if count < 0 or not _add_border(box, radius, ends, tolerance, slack, barriers):
        return 0, 0
    for number in range(len(heads)):
        x, y, sides, first = heads[number, 0], heads[number, 1], heads[number, 5], heads[number, 6]
        near = hypot(x - ends[0, 0], y - ends[0, 1])
        far = hypot(x - ends[1, 0], y - ends[1, 1])
        if near + far - 2.0 * (heads[number, 2] + radius) > most:
            continue
        polygon = edges[int(first) : int(first + sides)]
        gap = min(_gap(ends[0, 0], ends[0, 1], polygon), _gap(ends[1, 0], ends[1, 1], polygon))
        if radius - gap > slack:
            return 0, 0
        grown = max(min(radius, gap), 0.0)
        _add_polygon(polygon, grown, tolerance, circles[count:], barriers[walls:])
        count, walls = count + len(polygon), walls + len(polygon)
    for end in range(2):
        circles[count, :] = 0.0
        circles[count, 0], circles[count, 1] = ends[end, 0], ends[end, 1]
        count += 1
    return count, walls


@entry
def gather(
    start: Array,
    goals: Array,
    most: float,
    sizes: tuple[float, float, float],
    box: Array,
    discs: Array,
    heads: Array,
    edges: Array,
) -> tuple[Array, Array, Counts]:
    """Return the circles and the barriers that ways of a permitted length from a start to some goals may meet.

    What an end is in, by no more than the slack, is taken as so much smaller.

    Parameters
    ----------
    start, goals : ndarray, shape (2,) and (n, 2)
        Where its centre starts, and where it is to come.
    most
        Permitted length.
    sizes
        Radius of the disc, and the slack and the tolerance of `brickphys.geometry.disc_way`.
    box : ndarray, shape (4,)
        Lowest x and y, highest x and y of the rectangle.
    discs : ndarray, shape (m, 3)
        Centre and radius of each.
    heads, edges : ndarray, shape (k, 7) and (l, 5)
        Polygons, see `brickphys.geometry.sweep_kernel`; their heights do not count.

    Returns
    -------
    circles : ndarray, shape (i, 7)
        For each goal in turn; the last two are the ends, of radius 0. None if a goal is too far or an end is not free.
    barriers : ndarray, shape (j, 5)
        For each goal in turn, those of the rectangle first.
    firsts : ndarray of int, shape (n + 1, 2)
        The first circle and the first barrier of each goal, and their numbers.
    """
    most_circles, most_barriers = len(discs) + len(edges) + 2, 4 + len(edges)
    circles = np.empty((len(goals) * most_circles, 7))
    barriers = np.empty((len(goals) * most_barriers, 5))
    firsts = np.zeros((len(goals) + 1, 2), np.int64)
    ends = np.empty((2, 2))
    ends[0] = start
    for number in range(len(goals)):
        first, wall = firsts[number]
        ends[1] = goals[number]
        count, walls = gather_one(
            ends, most, sizes, box, discs, heads, edges, circles[first:], barriers[wall:]
        )
        firsts[number + 1, 0], firsts[number + 1, 1] = first + count, wall + walls
    return circles[: firsts[-1, 0]], barriers[: firsts[-1, 1]], firsts


@kernel
def is_free(
    x: float, y: float, room: float, box: Array, discs: Array, heads: Array, edges: Array
) -> bool:
    """Tell whether nothing, nor the border, is nearer to a point than some room; the others are those of `gather`."""
    if min(x - box[0], y - box[1], box[2] - x, box[3] - y) < room:
        return False
    for disc in range(len(discs)):
        dx, dy, apart = discs[disc, 0] - x, discs[disc, 1] - y, room + discs[disc, 2]
        if dx * dx + dy * dy < apart * apart:
            return False
    for head in range(len(heads)):
        first = int(heads[head, 6])
        polygon = edges[first : first + int(heads[head, 5])]
        is_near = hypot(heads[head, 0] - x, heads[head, 1] - y) < room + heads[head, 2]
        if is_near and _gap(x, y, polygon) < room:
            return False
    return True


@entry
def are_free(
    points: Array,
    sizes: tuple[float, float, float],
    box: Array,
    discs: Array,
    heads: Array,
    edges: Array,
) -> Mask:
    """Tell at which of some points, shape (n, 2), a disc may be; the others are those of `gather`."""
    free = np.empty(len(points), np.bool_)
    room = sizes[0] - sizes[1]
    for number in range(len(points)):
        x, y = points[number, 0], points[number, 1]
        free[number] = is_free(x, y, room, box, discs, heads, edges)
    return free


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
    """Return the lengths of the shortest ways to the goals of `brickphys.geometry.disc_way_kernel.gather`."""
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
