"""The loops of nearest approaches of two bodies that both move, in space and in time, compiled.

Branch and bound: an interval of times, or a box of times and lags, is halved until some gap is open in all of it, or
nothing better can be in it. The gap beyond an edge of one body is the least distance of the other's corners from its
line. Its value and slopes in the middle, and bounds of its second derivatives, tell how narrow it can become. Nothing
is skipped.
"""

from math import hypot, inf, nan

from brickphys.geometry.clearance_kernel import nearest_between, nearest_corner
from brickphys.geometry.many.ways_kernel import (
    BEGIN,
    END,
    SENSE,
    Side,
    Twist,
    bends,
    difference,
    pull_of,
    put_both,
    row_at,
    speed_along,
    twist_of,
)
from brickphys.jit import called_kernel, kernel
from brickphys.units import Array

BOXES = 400
"""Rows of room for intervals that wait."""
SURE = 1e-10
"""Studs, or seconds of a lag: what is better by less is not looked for."""
_MOST_STEPS = 1 << 20
_SHORTEST = 1e-13


@kernel
def _gap_along(
    one: Array, other: Array, twist: Twist, ux: float, uy: float, half: float
) -> tuple[float, float]:
    """Return how narrow the gap along a direction becomes within a time, but for its bend, and its slope there."""
    offset = -inf
    for corner in range(len(one)):
        offset = max(offset, ux * one[corner, 0] + uy * one[corner, 1])
    least, slope = inf, 0.0
    for corner in range(len(other)):
        x, y = other[corner, 0], other[corner, 1]
        speed = speed_along(twist, ux, uy, x, y)
        gap = ux * x + uy * y - offset - abs(speed) * half
        if gap < least:
            least, slope = gap, speed
    return least, slope


@called_kernel
def _narrowest(
    one: Side,
    other: Side,
    rows: tuple[int, int],
    span: tuple[float, float],
    found: tuple[float, float],
    boxes: Array,
    tolerance: float,
) -> tuple[float, float]:
    """Return the least gap between two bodies, and when; or what was found before, if that is no wider.

    The gap is nan if too many intervals would have to be looked at.
    """
    least, at = found
    row, their_row = one.way[rows[0]], other.way[rows[1]]
    radius = one.radius + other.radius
    pull_x, pull_y, _, _ = pull_of(row, their_row)
    boxes[0, 0], boxes[0, 1] = span
    count, steps = 1, 0
    while count and least > tolerance:
        count -= 1
        steps += 1
        if steps > _MOST_STEPS:
            return nan, at
        since, until = boxes[count, 0], boxes[count, 1]
        t = (since + until) / 2
        put_both(one, other, rows, t, t)
        far, is_first, ux, uy = nearest_corner(one.there, other.there)
        if far - radius < least:
            least, at = far - radius, t
        half, times = (until - since) / 2, (since, until, since, until)
        ours, theirs = twist_of(row, t), twist_of(their_row, t)
        if is_first:  # the direction turns with the edge
            gap, slope = _gap_along(one.there, other.there, difference(theirs, ours), ux, uy, half)
            bend = bends(row, their_row, other.there, times)[0]
        else:
            gap, slope = _gap_along(other.there, one.there, difference(ours, theirs), ux, uy, half)
            bend = bends(their_row, row, one.there, times)[0]
        bend += abs(ux * pull_x + uy * pull_y)
        if gap - radius - bend * half * half / 2 >= least - SURE or not since < t < until:
            continue
        for case in range(2):  # the side where the gap narrows comes first
            is_late = (slope > 0.0) == (case == 0)
            boxes[count, 0], boxes[count, 1] = (t, until) if is_late else (since, t)
            count += 1
    return least, at


@kernel
def least_gap(
    one: Side, other: Side, horizon: float, boxes: Array, tolerance: float
) -> tuple[float, float]:
    """Return the least gap between two bodies that never overlap, and when it is first so narrow."""
    t, found, radius = 0.0, (inf, 0.0), one.radius + other.radius
    while True:
        mine, theirs = row_at(one, t), row_at(other, t)
        row, their_row = one.way[mine], other.way[theirs]
        end = min(row[END], their_row[END], horizon)
        put_both(one, other, (mine, theirs), t, t)
        far, _, _, _ = nearest_corner(one.there, other.there)
        if far - radius < found[0] - SURE:
            found = far - radius, t
        is_straight = row[SENSE] == 0.0 and their_row[SENSE] == 0.0
        pull_x, pull_y, _, _ = pull_of(row, their_row)
        if is_straight and pull_x == pull_y == 0.0:
            dx, dy, _ = difference(twist_of(their_row, t), twist_of(row, t))
            speed = hypot(dx, dy)
            if speed > 0.0 and end > t:
                way = (dx / speed, dy / speed, speed * (end - t), 0.0)
                far, _ = nearest_between(other.there, one.there, way, -inf)
                if far - radius < found[0] - SURE:
                    _, at = nearest_between(other.there, one.there, way, far + SURE)
                    found = far - radius, t + at / speed
        elif end > t:
            found = _narrowest(one, other, (mine, theirs), (t, end), found, boxes, tolerance)
        if end >= horizon or found[0] != found[0]:
            return found
        t = end


@called_kernel
def _widest(
    frame: Array,
    corners: Array,
    twist: Twist,
    own: Twist,
    pull: tuple[float, float, float, float],
    half: float,
    half_lag: float,
) -> tuple[float, float, float, float, float]:
    """Return the widest gap beyond an edge that stays open in a box of times and lags, but for its bend.

    Also returns the widest gap in the middle; how much that one narrows with time and with the lag, and its slope in
    time.
    """
    stays, widest, by_time, by_lag, slope = -inf, -inf, 0.0, 0.0, 0.0
    for edge in range(len(frame)):
        nx, ny, offset = frame[edge, 2], frame[edge, 3], frame[edge, 4]
        least, gap, moves, lags, slides = inf, inf, 0.0, 0.0, 0.0
        bend = abs(nx * pull[0] + ny * pull[1]) * half * half / 2
        bend_lag = abs(nx * pull[2] + ny * pull[3]) * (half_lag / 2 + half) * half_lag
        for corner in range(len(corners)):
            x, y = corners[corner, 0], corners[corner, 1]
            here = nx * x + ny * y - offset
            speed = speed_along(twist, nx, ny, x, y)
            by = abs(speed) * half + bend
            late = abs(speed_along(own, nx, ny, x, y)) * half_lag + bend_lag
            gap = min(gap, here)
            if here - by - late < least:
                least, moves, lags, slides = here - by - late, by, late, speed
        stays = max(stays, least)
        if gap > widest:
            widest, by_time, by_lag, slope = gap, moves, lags, slides
    return stays, widest, by_time, by_lag, slope


@called_kernel
def _lagged(
    one: Side,
    other: Side,
    rows: tuple[int, int],
    box: Array,
    span: tuple[float, float],
    together: float,
) -> tuple[float, float, float, float, float]:
    """Return what `_widest` does for edges of both: the first body at the times of a box, the second one later by lags.

    The first number is for sure.

    Parameters
    ----------
    span
        The second body's times are within it.
    together
        1 if both times change as one, and the lag besides; 0 if they change apart, and the lag follows.
    """
    row, their_row = one.way[rows[0]], other.way[rows[1]]
    t, half = (box[0] + box[1]) / 2, (box[1] - box[0]) / 2
    later, latest = box[0] + box[2], box[1] + box[3]
    their_t, half_lag = t + (box[2] + box[3]) / 2, (box[3] - box[2]) / 2
    if together == 0.0:
        later, latest = max(later, span[0]), min(latest, span[1])
        their_t, half_lag = (later + latest) / 2, (latest - later) / 2
    put_both(one, other, rows, t, their_t)
    ours, own = twist_of(row, t), twist_of(their_row, their_t)
    twist = difference((together * own[0], together * own[1], together * own[2]), ours)
    x, y, own_x, own_y = pull_of(row, their_row)
    pull = (x - (1.0 - together) * own_x, y - (1.0 - together) * own_y, own_x, own_y)
    stays, widest, by_time, by_lag, slope = -inf, -inf, 0.0, 0.0, 0.0
    for case in range(2):
        if case == 0:
            frame, corners, sign = one.there, other.there, 1.0
            times = (box[0], box[1], later, latest)
            both, alone, mixed, lags = bends(row, their_row, corners, times)
        else:
            frame, corners, sign = other.there, one.there, -1.0
            times = (later, latest, box[0], box[1])
            both, lags, mixed, alone = bends(their_row, row, corners, times)
        bend = (both if together == 1.0 else alone) * half * half / 2
        bend_lag = (lags * half_lag / 2 + (mixed + together * lags) * half) * half_lag
        open_, gap, moves, waits, speed = _widest(frame, corners, twist, own, pull, half, half_lag)
        stays = max(stays, open_ - bend - bend_lag)
        if gap > widest:
            widest, by_time, by_lag, slope = gap, moves + bend, waits + bend_lag, sign * speed
    return stays, widest, by_time, by_lag, slope


@kernel
def _clipped(box: Array, since: float, until: float, best: float) -> bool:
    """Shrink a box to lags better than the best, and to later times within a span; tell whether anything is left."""
    box[2], box[3] = max(box[2], -best), min(box[3], best)
    box[2], box[3] = max(box[2], since - box[1]), min(box[3], until - box[0])
    box[0], box[1] = max(box[0], since - box[3]), min(box[1], until - box[2])
    least = max(box[2], -box[3], 0.0)
    is_left: bool = box[0] <= box[1] and box[2] <= box[3] and least < best - SURE
    return is_left


@called_kernel
def _least_lag_of(
    one: Side,
    other: Side,
    rows: tuple[int, int],
    spans: tuple[float, float, float, float],
    best: float,
    boxes: Array,
    tolerance: float,
) -> float:
    """Return the least lag with which one body comes where the other one was, in one row of each way.

    It has a sign; it is infinite if none is better than the best, and nan if too many boxes would have to be looked at.
    """
    since, until, later, latest = spans
    for case in range(2):
        boxes[case, 0], boxes[case, 1] = since, until
        boxes[case, 2], boxes[case, 3] = (0.0, inf) if case == 0 else (-inf, 0.0)
    count, steps, found = 2, 0, inf
    while count:
        count -= 1
        box = boxes[count]
        if not _clipped(box, later, latest, best):
            continue
        steps += 1
        if steps > _MOST_STEPS or count + 2 > BOXES:
            return nan
        stays, gap, by_time, by_lag, slope = _lagged(one, other, rows, box, spans[2:], 1.0)
        if box[0] + box[2] < later or box[1] + box[3] > latest:
            stays = max(stays, _lagged(one, other, rows, box, spans[2:], 0.0)[0])
        if stays > -tolerance:
            continue
        t0, t1, k0, k1 = box[0], box[1], box[2], box[3]
        t, lag = (t0 + t1) / 2, (k0 + k1) / 2  # in the span, as the box is clipped
        is_small = max(t1 - t0, k1 - k0) < _SHORTEST + 1e-15 * t
        if gap <= -tolerance or is_small:
            best, found = abs(lag), lag
        if is_small:
            continue
        is_lag = gap <= -tolerance or by_lag >= by_time
        for case in range(2):  # the last comes first: shorter lags, or where the gap narrows
            half = boxes[count]
            half[0], half[1], half[2], half[3] = t0, t1, k0, k1
            if is_lag and (k0 >= 0.0) == (case == 0):
                half[2] = lag
            elif is_lag:
                half[3] = lag
            elif (slope > 0.0) == (case == 0):
                half[0] = t
            else:
                half[1] = t
            count += 1
    return found


@kernel
def least_lag(one: Side, other: Side, horizon: float, boxes: Array, tolerance: float) -> float:
    """Return the least lag with which one body comes where the other one was; negative if the second passes first."""
    found = inf
    for mine in range(len(one.way)):
        for theirs in range(len(other.way)):
            since, until = one.way[mine, BEGIN], min(one.way[mine, END], horizon)
            later, latest = other.way[theirs, BEGIN], min(other.way[theirs, END], horizon)
            spans = (since, until, later, latest)
            lag = _least_lag_of(one, other, (mine, theirs), spans, abs(found), boxes, tolerance)
            if lag != inf:
                found = lag
            if lag != lag:
                return nan
    return found
