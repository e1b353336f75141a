"""What ships reach by poses alone, compiled: rams of the next move, guns that bear, and answers of an enemy.

A ship is a row of numbers (see `reach.ship_row`) and its hull, convex, in its own frame: shape (n, 2). Poses are rows
of x, y and heading in degrees. Only two hulls at a time are looked at; turns stop nowhere.
"""

from math import atan2, ceil, cos, hypot, inf, pi, sin

import numpy as np

from brickphys.jit import allocating_kernel, entry, kernel
from brickphys.units import Array

LENGTH, WIDTH, SPEED, RADIUS = range(4)
"""The columns of a row: length, width, speed before the wind and radius of a ship, in studs."""
MISSES, RAMS, STOPS = range(3)
"""What a leap does to another ship."""
_Pose = tuple[float, float, float]
"""Place and heading."""
_TOUCHES = 1e-3
_SLACK = 1e-9
_FLUSH = 1e-6
"""Hulls that overlap by no more lie side by side, since places are rounded."""


@kernel
def _place(hull: Array, x: float, y: float, heading_deg: float, placed: Array) -> None:
    c, s = cos(heading_deg * pi / 180.0), sin(heading_deg * pi / 180.0)
    for corner in range(len(hull)):
        ahead, left = hull[corner, 0], hull[corner, 1]
        placed[corner, 0] = x + ahead * c - left * s
        placed[corner, 1] = y + ahead * s + left * c


@kernel
def _support(polygon: Array, nx: float, ny: float) -> float:
    least = inf
    for corner in range(len(polygon)):
        least = min(least, nx * polygon[corner, 0] + ny * polygon[corner, 1])
    return least


@allocating_kernel
def _touch(mover: Array, other: Array, wx: float, wy: float, studs: float) -> tuple[float, float]:
    """Return how far a hull goes along a way until it touches another one, and the cosine of the way to the normal.

    The distance is infinite if it touches nothing within so many studs (Cyrus and Beck, 1978).
    """
    enters, leaves, cosine = -inf, inf, 0.0
    for turn in range(2):
        edges, beside, sign = (other, mover, 1.0) if turn == 0 else (mover, other, -1.0)
        count = len(edges)
        for corner in range(count):
            x, y = edges[corner, 0], edges[corner, 1]
            to_x, to_y = edges[(corner + 1) % count, 0], edges[(corner + 1) % count, 1]
            length = hypot(to_x - x, to_y - y)
            nx, ny = (to_y - y) / length, (x - to_x) / length
            room = nx * x + ny * y - _support(beside, nx, ny)
            speed = sign * (nx * wx + ny * wy)
            if speed < -_SLACK:
                if room / speed > enters:
                    enters, cosine = room / speed, -speed
            elif room <= _FLUSH:
                return inf, 0.0  # apart, or side by side, and it comes no nearer
            elif speed > _SLACK:
                leaves = min(leaves, room / speed)
    if enters < min(leaves, studs):
        return max(enters, 0.0), cosine
    return inf, 0.0


@allocating_kernel
def _leap(
    pose: _Pose,
    ship: Array,
    hull: Array,
    studs: float,
    target: _Pose,
    its: Array,
    its_hull: Array,
    placed: Array,
    ram_sine: float,
) -> tuple[int, float]:
    """Return whether a leap misses, rams or is stopped by another ship, and how far it goes."""
    c, s = cos(pose[2] * pi / 180.0), sin(pose[2] * pi / 180.0)
    dx, dy = target[0] - pose[0], target[1] - pose[1]
    ahead, left = dx * c + dy * s, dy * c - dx * s
    reach = ship[RADIUS] + its[RADIUS]
    if abs(left) > reach or ahead < -reach or ahead > studs + reach:
        return MISSES, studs
    _place(hull, pose[0], pose[1], pose[2], placed)
    far, cosine = _touch(placed, its_hull, c, s, studs)
    if far > studs:
        return MISSES, studs
    if far > _FLUSH and cosine >= ram_sine:
        return RAMS, far
    return STOPS, far


@kernel
def _swung(pose: _Pose, length: float, deg: float) -> _Pose:
    """Return a pose after a swing about the rudder."""
    old, new = pose[2] * pi / 180.0, (pose[2] + deg) * pi / 180.0
    half = length / 2
    x = pose[0] - half * cos(old) + half * cos(new)
    y = pose[1] - half * sin(old) + half * sin(new)
    return x, y, pose[2] + deg


@kernel
def _gone(pose: _Pose, studs: float) -> _Pose:
    way = pose[2] * pi / 180.0
    return pose[0] + studs * cos(way), pose[1] + studs * sin(way), pose[2]


@kernel
def _off_deg(heading_deg: float, wind_deg: float) -> float:
    return abs((heading_deg - wind_deg + 180.0) % 360.0 - 180.0)


@kernel
def _aim_deg(pose: _Pose, length: float, target: _Pose) -> float:
    """Return the swing after which the bow points at the middle of a target."""
    way = pose[2] * pi / 180.0
    x, y = pose[0] - length / 2 * cos(way), pose[1] - length / 2 * sin(way)
    deg = atan2(target[1] - y, target[0] - x) * 180.0 / pi - pose[2]
    return (deg + 180.0) % 360.0 - 180.0


@kernel
def _move_studs(pose: _Pose, speed: float, sailing: Array) -> float:
    """Return how far a ship sails in a turn that begins now; 0 if it drifts."""
    off = _off_deg(pose[2], sailing[0])
    if off > sailing[2] + 1e-9:
        return 0.0
    return speed if off <= sailing[1] + 1e-9 else ceil(speed / 2)


@kernel
def _fallen(pose: _Pose, length: float, sailing: Array) -> _Pose:
    """Return a pose in irons after the ship has fallen off as far as it must, if it may."""
    off = _off_deg(pose[2], sailing[0])
    wants = off - sailing[2]
    if wants <= 0.0 or wants > sailing[5]:
        return pose
    is_left = (sailing[0] - pose[2] + 180.0) % 360.0 - 180.0 > 0.0
    return _swung(pose, length, wants if is_left else -wants)


@kernel
def _leapt(pose: _Pose, ship: Array, sailing: Array) -> _Pose:
    """Return a pose after the forced first leap of the next turn."""
    fallen = _fallen(pose, ship[LENGTH], sailing)
    return _gone(fallen, min(ship[LENGTH], _move_studs(fallen, ship[SPEED], sailing)))


@kernel
def _better(found: int, value: float, rams: float, touches: float, sign: float) -> float:
    """Return the better of a value and what a leap brings that rams or touches, to who gains by a sign."""
    if found == RAMS and sign * rams > sign * value:
        return rams
    if found == STOPS and sign * touches > sign * value:
        return touches
    return value


@allocating_kernel
def _next_move(
    pose: _Pose,
    ship: Array,
    hull: Array,
    target: _Pose,
    its: Array,
    its_hull: Array,
    placed: Array,
    sailing: Array,
    rams: float,
    touches: float,
    sign: float,
) -> float:
    """Return what the best move of a ship brings that begins now, if another one stays where it is.

    Its first leap is forced, and so is what that brings. `rams` and `touches` are what a ram and a touch are worth to
    the first ship of a pair; the mover wants much of it if `sign` is 1, and little if it is -1.
    """
    length = ship[LENGTH]
    pose = _fallen(pose, length, sailing)
    studs = _move_studs(pose, ship[SPEED], sailing)
    reach = studs + length + its[RADIUS] + ship[RADIUS]
    if studs == 0.0 or hypot(target[0] - pose[0], target[1] - pose[1]) > reach:
        return 0.0
    leap = min(length, studs)
    found, _ = _leap(pose, ship, hull, leap, target, its, its_hull, placed, sailing[3])
    if found == RAMS:
        return rams
    left = studs - leap
    value = 0.0
    if found == STOPS:
        return _better(found, value, rams, touches, sign)
    if 2 * leap <= length or left <= 0.0 or max(sign * rams, sign * touches) <= 0.0:
        return 0.0
    there = _gone(pose, leap)
    for step in range(14):
        deg = -90.0 + 15.0 * step if step < 13 else _aim_deg(there, length, target)
        if abs(deg) > 90.0:
            continue
        turned = _swung(there, length, deg)
        leap = min(length, left)
        found, _ = _leap(turned, ship, hull, leap, target, its, its_hull, placed, sailing[3])
        value = _better(found, value, rams, touches, sign)
        rest = left - leap
        if found != MISSES or rest <= 0.0 or 2 * leap <= length:
            continue
        far = _gone(turned, leap)
        for again in range(6):
            deg = -90.0 + 45.0 * again if again < 5 else _aim_deg(far, length, target)
            if abs(deg) > 90.0:
                continue
            last = _swung(far, length, deg)
            found, _ = _leap(
                last, ship, hull, min(length, rest), target, its, its_hull, placed, sailing[3]
            )
            value = _better(found, value, rams, touches, sign)
    return value


@allocating_kernel
def _hits(pose: _Pose, guns: Array, target: _Pose, its: Array, its_hull: Array) -> float:
    """Return the mean hits of the guns of a ship that point at another one within their range."""
    hits = 0.0
    c, s = cos(pose[2] * pi / 180.0), sin(pose[2] * pi / 180.0)
    for gun in range(len(guns)):
        x = pose[0] + guns[gun, 0] * c - guns[gun, 1] * s
        y = pose[1] + guns[gun, 0] * s + guns[gun, 1] * c
        reach = guns[gun, 3]
        if hypot(target[0] - x, target[1] - y) > reach + its[RADIUS]:
            continue
        way = (pose[2] + guns[gun, 2]) * pi / 180.0
        ux, uy = cos(way), sin(way)
        enters, leaves = 0.0, reach
        count = len(its_hull)
        for corner in range(count):
            px, py = its_hull[corner, 0], its_hull[corner, 1]
            qx, qy = its_hull[(corner + 1) % count, 0], its_hull[(corner + 1) % count, 1]
            nx, ny = qy - py, px - qx
            speed, room = nx * ux + ny * uy, nx * (px - x) + ny * (py - y)
            if speed < -_SLACK:
                enters = max(enters, room / speed)
            elif speed > _SLACK:
                leaves = min(leaves, room / speed)
            elif room < 0.0:
                leaves = -1.0
        if enters <= leaves:
            hits += guns[gun, 4]
    return hits


@allocating_kernel
def _gap(one: Array, other: Array) -> float:
    """Return the distance of two hulls that do not overlap, from corners to edges."""
    best = inf
    for turn in range(2):
        corners, edges = (one, other) if turn == 0 else (other, one)
        count = len(edges)
        for corner in range(len(corners)):
            x, y = corners[corner, 0], corners[corner, 1]
            for edge in range(count):
                px, py = edges[edge, 0], edges[edge, 1]
                ex, ey = edges[(edge + 1) % count, 0] - px, edges[(edge + 1) % count, 1] - py
                share = ((x - px) * ex + (y - py) * ey) / (ex * ex + ey * ey)
                share = min(max(share, 0.0), 1.0)
                best = min(best, hypot(x - px - share * ex, y - py - share * ey))
    return best


@allocating_kernel
def _pair(
    pose: _Pose,
    ship: Array,
    hull: Array,
    guns: Array,
    other: _Pose,
    its: Array,
    its_hull: Array,
    its_guns: Array,
    here: Array,
    there: Array,
    placed: Array,
    its_placed: Array,
    sailing: Array,
    gains: Array,
    touch: float,
) -> float:
    """Return what two poses are worth to the first ship: rams of the next turn, guns and muskets of this one.

    `gains` are those of `reach.Gains`, in their order; `touch` is the value if both touch now.
    """
    _place(hull, pose[0], pose[1], pose[2], here)
    _place(its_hull, other[0], other[1], other[2], there)
    value = 0.0
    far = hypot(pose[0] - other[0], pose[1] - other[1])
    if far < ship[RADIUS] + its[RADIUS] + 16.0:
        value += gains[2] * _hits(pose, guns, other, its, there)
        value += gains[3] * _hits(other, its_guns, pose, ship, here)
        if far < ship[RADIUS] + its[RADIUS] + gains[8]:
            gap = _gap(here, there)
            if gap <= _TOUCHES:
                return touch
            if gap <= gains[8]:
                value += gains[4] + gains[5]
    value += gains[6] * _next_move(
        pose, ship, hull, other, its, there, placed, sailing, gains[0], gains[9], 1.0
    )
    value += gains[7] * _next_move(
        other, its, its_hull, pose, ship, here, its_placed, sailing, gains[1], gains[9], -1.0
    )
    if gains[12] > 0.0:
        gone = _leapt(other, its, sailing)
        _place(its_hull, gone[0], gone[1], gone[2], there)
        value += gains[12] * _next_move(
            pose, ship, hull, gone, its, there, placed, sailing, gains[10], gains[9], 1.0
        )
        gone = _leapt(pose, ship, sailing)
        _place(hull, gone[0], gone[1], gone[2], here)
        value += gains[12] * _next_move(
            other, its, its_hull, gone, ship, here, its_placed, sailing, gains[11], gains[9], -1.0
        )
    return float(value)


@kernel
def _is_on(x: float, y: float, sea: Array) -> bool:
    return bool(0.0 <= x <= sea[0] and 0.0 <= y <= sea[1])


@allocating_kernel
def _ways(
    start: _Pose,
    ship: Array,
    hull: Array,
    target: _Pose,
    its: Array,
    its_hull: Array,
    placed: Array,
    sailing: Array,
    step_deg: float,
    ends: Array,
) -> tuple[int, int]:
    """Write where the ways of a ship on its move end; return how many do, and how many more ram another ship."""
    length = ship[LENGTH]
    studs = _move_studs(start, ship[SPEED], sailing)
    if studs == 0.0:
        ends[0] = _drifted(start, length, sailing)
        return 1, 0
    leap = min(length, studs)
    found, far = _leap(start, ship, hull, leap, target, its, its_hull, placed, sailing[3])
    if found == RAMS:
        return 0, 1
    at, left = _gone(start, far), studs - leap
    if found == STOPS or 2 * leap <= length:
        for step in range(3):
            ends[step] = _swung(at, length, 45.0 * (step - 1))
        return 3, 0
    count, rams = 0, 0
    steps = int(180.0 / step_deg + 0.5) + 1
    for step in range(steps + 1):
        deg = -90.0 + step_deg * step if step < steps else _aim_deg(at, length, target)
        if abs(deg) > 90.0:
            continue
        turned = _swung(at, length, deg)
        found, leap = MISSES, min(length, left)
        if left > 0.0:
            found, far = _leap(turned, ship, hull, leap, target, its, its_hull, placed, sailing[3])
            turned = _gone(turned, far)
        if found == RAMS:
            rams += 1
        elif left <= 0.0 or found == STOPS or 2 * leap <= length:
            ends[count] = turned
            count += 1
        else:
            count, rams = _last_ways(
                turned,
                left - leap,
                ship,
                hull,
                target,
                its,
                its_hull,
                placed,
                sailing[3],
                ends,
                count,
                rams,
            )
    return count, rams


@allocating_kernel
def _last_ways(
    at: _Pose,
    left: float,
    ship: Array,
    hull: Array,
    target: _Pose,
    its: Array,
    its_hull: Array,
    placed: Array,
    ram_sine: float,
    ends: Array,
    count: int,
    rams: int,
) -> tuple[int, int]:
    """Add the ways of a ship that turns for the second time, with so much of its move left, see `_ways`."""
    length = ship[LENGTH]
    for step in range(6):
        deg = -90.0 + 45.0 * step if step < 5 else _aim_deg(at, length, target)
        if abs(deg) > 90.0:
            continue
        last = _swung(at, length, deg)
        if left > 0.0:
            leap = min(length, left)
            found, far = _leap(last, ship, hull, leap, target, its, its_hull, placed, ram_sine)
            if found == RAMS:
                rams += 1
                continue
            last = _gone(last, far)
        ends[count] = last
        count += 1
    return count, rams


@kernel
def _drifted(pose: _Pose, length: float, sailing: Array) -> _Pose:
    """Return a pose after a drift."""
    way = sailing[0] * pi / 180.0
    deg = (sailing[0] - pose[2] + 180.0) % 360.0 - 180.0
    drifted = (pose[0] + sailing[4] * cos(way), pose[1] + sailing[4] * sin(way), pose[2])
    return _swung(drifted, length, min(max(deg, -45.0), 45.0))


@entry
def answers(
    poses: Array,
    ship: Array,
    hull: Array,
    guns: Array,
    other: Array,
    its: Array,
    its_hull: Array,
    its_guns: Array,
    sailing: Array,
    gains: Array,
    rammed: float,
    sea: Array,
    step_deg: float,
    blend: float,
    moves: int,
) -> Array:
    """Return for each pose of a ship what it is worth after an answer of another one, which moves then, or stays.

    Parameters
    ----------
    poses : ndarray, shape (n, 3)
        Where the ship may be.
    other : ndarray, shape (3,)
        Where the other one begins its move.
    rammed
        What the ship gains (a loss is below 0) if the other one rams it now.
    sea : ndarray, shape (2,)
        Width and length of the sea: the other one does not leave it, unless it must.
    step_deg
        How far apart the turns are that the other one tries after each leap, from -90 to 90.
    blend
        Weight of the mean of all answers beside that of the best one: nobody finds the best one always.
    moves
        1 if the other one moves, 0 if it stays.

    Returns
    -------
    ndarray, shape (n,)
        The value to the ship.
    """
    values = np.empty(len(poses))
    here, there = np.empty_like(hull), np.empty_like(its_hull)
    placed, its_placed = np.empty_like(hull), np.empty_like(its_hull)
    moving, still = np.empty_like(its_hull), np.empty_like(hull)
    start = (other[0], other[1], other[2])
    touch = gains[9] if moves else 0.0  # of ships that stay, others know it
    steps = int(180.0 / step_deg + 0.5) + 1
    # poses after a move: at most first turns x second turns x third turns
    ends = np.empty((steps * (steps + 1) * 6, 3))
    ends[0] = start
    for number in range(len(poses)):
        pose = (poses[number, 0], poses[number, 1], poses[number, 2])
        count, rams = 1, 0
        if moves:
            _place(hull, pose[0], pose[1], pose[2], still)
            count, rams = _ways(
                start, its, its_hull, pose, ship, still, moving, sailing, step_deg, ends
            )
        best, total, tried = inf, 0.0, rams
        if rams:
            best = rammed
        for _ in range(rams):
            total += rammed
        for end in range(count):
            if not _is_on(ends[end, 0], ends[end, 1], sea) and count + rams > 1:
                continue
            value = _pair(
                pose, ship, hull, guns, (ends[end, 0], ends[end, 1], ends[end, 2]), its,
                its_hull, its_guns, here, there, placed, its_placed, sailing, gains, touch,
            )  # fmt: skip
            best = min(best, value)
            total += value
            tried += 1
        values[number] = (1.0 - blend) * best + blend * total / tried if tried else 0.0
    return values
