"""The shares of a shot that each target takes, compiled: node by node of the fan, exact over the azimuth.

At a part a path is straight, and the part is a box along the flight. The projectile is a ball: it touches the box where
the path of its centre passes within the radius. In the plane of flight the path misses the box's rectangle by a gap,
and across it the ball reaches `sqrt(radius2 - gap2)` beyond the edges. So each part takes one interval of azimuths.
The nearest parts take theirs first, and normal integrals weigh what is left to each.
"""

from math import atan, exp, inf, sqrt

import numpy as np
from scipy.special import ndtr

from brickphys.jit import entry, kernel
from brickphys.units import GRAVITY_M_S2, Array, Indices

_G = 1000.0 * GRAVITY_M_S2
"""In mm/s2; the kernel works in mm and s."""
_ROLLED = 2
View = tuple[Array, Indices, Array, Array]
"""Parts, owners and bodies of `brickphys.projectiles.standing.View`, and azimuths between which a part is met."""
Numbers = tuple[float, float, float, float, float]
Contact = tuple[int, float, float, int, float]
"""A part, the height of the projectile's centre, its speed, the phase of its flight, and its angle upwards."""
Path = tuple[float, float, float, float]
"""Place, height, slope and bend (downwards, 1/mm) of a path: a parabola about there."""
_FACE, _WIDTH, _WHOLE = 0.0, 0.5, 1.0
"""What a row of parts stands for (`brickphys.projectiles.standing.View`)."""
_NEAR = 3.0
"""A path that rolls is looked at anew after this many mm; one that flies at its next touch of the table."""
_WIDEST = 4.5
"""Azimuths beyond this many standard deviations are left out, 7e-6 of all shots."""
_CELLS = 1024
"""The normal integral is a table of so many cells, over all azimuths that count."""
_STEP = 2.0 * _WIDEST / _CELLS
_EDGES = np.linspace(-_WIDEST, _WIDEST, _CELLS + 1)
_BELOW = ndtr(_EDGES)
_RISE = _STEP * np.exp(-(_EDGES**2) / 2.0) / np.sqrt(2.0 * np.pi)


@kernel
def _normal(azimuth: float, sigma: float) -> float:
    """Return the share of shots whose azimuth is less: a cubic in each cell, right within 1e-10."""
    place = min(max((azimuth / sigma + _WIDEST) / _STEP, 0.0), float(_CELLS))
    cell = min(int(place), _CELLS - 1)
    u = place - cell
    risen = _BELOW[cell + 1] - _BELOW[cell]
    first, last = _RISE[cell] - risen, risen - _RISE[cell + 1]
    share: float = _BELOW[cell] + u * (risen + (1.0 - u) * (first * (1.0 - u) + last * u))
    return share


@kernel
def _passing(arc: Array, x: float, rolling: float) -> tuple[float, float, float]:
    """Return height, slope and horizontal speed of a path at a distance on an arc; speed 0 beyond its rest."""
    dx, height, slope, speed = x - arc[0], arc[1], arc[2], arc[3]
    if arc[5] == _ROLLED:
        return height, 0.0, sqrt(max(speed * speed - 2.0 * rolling * dx, 0.0))
    u = 2.0 * arc[4] * dx
    fall = _G * dx / (speed * speed)
    once = 1.0 + u / 2.0 * (1.0 + u / 3.0 * (1.0 + u / 4.0 * (1.0 + u / 5.0)))
    twice = 0.5 + u / 6.0 * (1.0 + u / 4.0 * (1.0 + u / 5.0 * (1.0 + u / 6.0)))
    return height + dx * (slope - fall * twice), slope - fall * once, speed * exp(-u / 2.0)


@kernel
def _height(path: Path, x: float) -> float:
    """Return the height of a path at a distance."""
    dx = x - path[0]
    height: float = path[1] + dx * (path[2] - path[3] * dx / 2.0)
    return height


@kernel
def _reach(box: Array, bottom: float, path: Path, radius: float) -> float:
    """Return how far beyond the edges of a part, above its bottom, a path touches it; -1 if it passes the part."""
    half, middle = (box[1] - box[0]) / 2.0, (box[0] + box[1]) / 2.0
    height, slope = _height(path, middle), path[2] - path[3] * (middle - path[0])
    rise, square = abs(slope) * half, 1.0 + slope * slope
    over = max(height - rise - box[5], bottom - height - rise, 0.0)
    left = radius * radius - over * over / square
    return sqrt(left) if left > 0.0 and bottom < box[5] else -1.0


@kernel
def _cover(low: float, high: float, covered: Array, count: int) -> int:
    """Add an interval to disjoint ones in order, join it with those that it meets, and return their number."""
    first = 0
    while first < count and covered[first, 1] < low:
        first += 1
    last = first
    while last < count and covered[last, 0] <= high:
        low, high = min(low, covered[last, 0]), max(high, covered[last, 1])
        last += 1
    after = count - last
    if last == first:
        for k in range(count, first, -1):
            covered[k, 0], covered[k, 1] = covered[k - 1, 0], covered[k - 1, 1]
    else:
        for k in range(after):
            covered[first + 1 + k, 0] = covered[last + k, 0]
            covered[first + 1 + k, 1] = covered[last + k, 1]
    covered[first, 0], covered[first, 1] = low, high
    return first + 1 + after


@kernel
def _kept(mass: float, restitution: float, body: Array, height: float, aside: float) -> float:
    """Return the share of its speed with which a projectile goes on after it has struck a free rigid body."""
    lever = height - body[3]
    inverse = 1.0 / body[2] + lever * lever / body[4] + aside * aside / body[5]
    kept: float = max(0.0, (mass * inverse - restitution) / (mass * inverse + 1.0))
    return kept


@kernel
def _next(first: Contact, azimuth: float, view: View, numbers: Numbers) -> Contact:
    """Return the contact with another target after one, or part -1.

    The projectile goes straight on with the speed that it keeps, falls, and rolls once it is down.
    """
    parts, owners, bodies, between = view
    radius, mass, rolling, _, restitution = numbers
    struck, height, speed, phase, _ = first
    body = bodies[owners[struck]]
    aside = body[0] * (azimuth - body[1])
    lever = min(max(aside, parts[struck, 2]), parts[struck, 3])
    speed *= _kept(mass, restitution, body, height, lever)
    down = speed * sqrt(2.0 * (height - radius) / _G)
    part = struck + 1 if speed > 0.0 else len(parts)
    while part < len(parts):
        if between[part, 0] < azimuth < between[part, 1] and owners[part] != owners[struck]:
            away = max(parts[part, 0] - parts[struck, 0], 0.0)
            time = away / speed
            there, fast, how = height - _G / 2.0 * time * time, speed, phase
            slope = -_G * time / speed
            if away > down:
                there, how, slope = radius, _ROLLED, 0.0
                fast = sqrt(max(speed * speed - 2.0 * rolling * (away - down), 0.0))
            if parts[part, 4] - radius < there < parts[part, 5] + radius and fast > 0.0:
                return part, there, fast, how, atan(slope)
        part += 1
    return -1, 0.0, 0.0, 0, 0.0


@kernel
def _add(
    contact: Contact,
    share: float,
    azimuth: float,
    view: View,
    bins: tuple[Array, Array],
    hits: Array,
) -> None:
    """Add a share to the hits of a contact's target, phase and bins; beyond the edges the nearest bin counts."""
    _, owners, bodies, _ = view
    part, height, speed, phase, angle = contact
    owner = owners[part]
    body = bodies[owner]
    aside, row, column = abs(body[0] * (azimuth - body[1])), 0, 0
    while row < len(bins[0]) - 2 and height >= bins[0][row + 1]:
        row += 1
    while column < len(bins[1]) - 2 and aside >= bins[1][column + 1]:
        column += 1
    hits[0, owner, phase, row, column] += share
    hits[1, owner, phase, row, column] += share * speed
    hits[2, owner, phase, row, column] -= share * angle


@kernel
def _take(
    low: float,
    high: float,
    contact: Contact,
    weight: float,
    view: View,
    numbers: Numbers,
    bins: tuple[Array, Array],
    hits: Array,
    pairs: Array,
) -> None:
    """Give azimuths to a contact, cut where bins end and, if it may hit twice, in pieces of a quarter radius."""
    parts, owners, bodies, _ = view
    radius, mass, _, sigma, restitution = numbers
    owner = owners[contact[0]]
    body = bodies[owner]
    edges, start, before = bins[1], low, _normal(low, sigma)
    widest = parts[contact[0], 3]
    twice = _kept(mass, restitution, body, contact[1], widest) > 0.0
    while start < high:
        end = min(high, start + radius / 4.0 / body[0]) if twice else high
        for k in range(1, len(edges) - 1):
            off = edges[k] / body[0]
            if start < body[1] - off < end:
                end = body[1] - off
            if start < body[1] + off < end:
                end = body[1] + off
        after = _normal(end, sigma)
        azimuth, share = (start + end) / 2.0, weight * (after - before)
        _add(contact, share, azimuth, view, bins, hits)
        if twice:
            second = _next(contact, azimuth, view, numbers)
            if second[0] >= 0:
                _add(second, share, azimuth, view, bins, hits)
                pairs[owner, contact[3], owners[second[0]], second[3]] += share
        start, before = end, after


@kernel
def _look(
    arcs: Array, arc: int, place: float, body: Array, radius: float, rolling: float
) -> tuple[Path, float, float]:
    """Return a path at a place before a body, its speed there, and the distance up to which this holds.

    A path that flies over all of the body has speed 0.
    """
    height, slope, speed = _passing(arcs[arc], place, rolling)
    if speed == 0.0:
        return (place, height, slope, 0.0), 0.0, inf
    if arcs[arc, 5] == _ROLLED:
        return (place, height, slope, 0.0), speed, place + _NEAR
    path, until = (place, height, slope, _G / (speed * speed)), arcs[arc + 1, 0]
    end, top = body[7] + radius, body[8] + radius
    if until >= end and height > top and _height(path, end) > top:
        return path, 0.0, inf
    return path, speed, until


@kernel
def _leave(
    low: float,
    high: float,
    is_blocked: bool,
    covered: Array,
    count: int,
    contact: Contact,
    weight: float,
    view: View,
    numbers: Numbers,
    bins: tuple[Array, Array],
    hits: Array,
    pairs: Array,
) -> int:
    """Give a contact what nearer parts have left of an interval, if no wall stops it; return the number covered."""
    start = high if is_blocked else low
    for taken in range(count):
        if covered[taken, 0] >= high:
            break
        if covered[taken, 0] > start:
            _take(start, covered[taken, 0], contact, weight, view, numbers, bins, hits, pairs)
        start = max(start, covered[taken, 1])
    if start < high:
        _take(start, high, contact, weight, view, numbers, bins, hits, pairs)
    return _cover(low, high, covered, count)


@kernel
def _add_up(
    work: tuple[Array, Array, Indices],
    arcs: Array,
    view: View,
    numbers: Numbers,
    bins: tuple[Array, Array],
    hits: Array,
    pairs: Array,
) -> None:
    """Add up the shares of a shot (`shares`); `work` holds intervals, and the path before each body."""
    covered, paths, phases = work
    parts, owners, bodies, _ = view
    radius, _, rolling, sigma, _ = numbers
    widest, weight = _WIDEST * sigma, 1.0 / len(arcs)
    for node in range(len(arcs)):
        paths[:, 5] = -inf
        count = arc = 0
        for part in range(len(parts)):
            box, k = parts[part], owners[part]
            place, body = box[0] - radius, bodies[k]
            if place > paths[k, 5]:
                while arc + 1 < arcs.shape[1] and arcs[node, arc + 1, 0] <= place:
                    arc += 1
                while arc > 0 and arcs[node, arc, 0] > place:
                    arc -= 1
                path, paths[k, 4], paths[k, 5] = _look(
                    arcs[node], arc, place, body, radius, rolling
                )
                paths[k, 0], paths[k, 1], paths[k, 2], paths[k, 3] = path
                phases[k] = int(arcs[node, arc, 5])
            speed = paths[k, 4]
            if speed == 0.0:
                continue
            path = paths[k, 0], paths[k, 1], paths[k, 2], paths[k, 3]
            there = min(max(_height(path, place), radius), box[5] + radius)
            is_blocked = there < body[6]
            if box[7] == _FACE and not box[4] <= there <= box[5]:
                continue
            beyond = _reach(box, box[6] if is_blocked else box[4], path, radius)
            if beyond < 0.0:
                continue
            if box[7] != _WHOLE:
                beyond = 0.0
            low = max(body[1] + (box[2] - beyond) / body[0], -widest)
            high = min(body[1] + (box[3] + beyond) / body[0], widest)
            if low >= high:
                continue
            slope = path[2] - path[3] * (place - path[0])
            contact = part, there, speed * sqrt(1.0 + slope * slope), phases[k], atan(slope)
            count = _leave(
                low,
                high,
                is_blocked,
                covered,
                count,
                contact,
                weight,
                view,
                numbers,
                bins,
                hits,
                pairs,
            )
            if covered[0, 0] <= -widest and covered[0, 1] >= widest:
                break


@entry
def shares(
    arcs: Array,
    seen: tuple[Array, Indices, Array],
    numbers: Numbers,
    bins: tuple[Array, Array],
    hits: Array,
    pairs: Array,
) -> None:
    """Add up the shares of a shot.

    Parameters
    ----------
    arcs : ndarray, shape (nodes, arcs, 6)
        See `brickphys.projectiles.shot.fan_arcs`.
    seen
        Parts, owners and bodies of `brickphys.projectiles.standing.View`.
    numbers
        Radius (mm) and mass (g) of the projectile, its deceleration of rolling (mm/s2), standard deviation of the
        azimuth (radians), restitution between projectile and target.
    bins
        Edges of the bins of height, and of distance from the target's middle across the flight, mm.
    hits : ndarray, shape (3, k, 3, heights, asides)
        Result: shares of hits, first or second, by target, phase and bins; these times the speed in mm/s; and these
        times the angle in radians by which the projectile flies downwards.
    pairs : ndarray, shape (k, 3, k, 3)
        Result: shares of first hits that are followed by a hit of another target, by target and phase of both.
    """
    parts, owners, bodies = seen
    between = np.empty((len(parts), 2))
    for part, owner in enumerate(owners):
        away, azimuth = bodies[owner, 0], bodies[owner, 1]
        between[part, 0] = azimuth + (parts[part, 2] - numbers[0]) / away
        between[part, 1] = azimuth + (parts[part, 3] + numbers[0]) / away
    covered = np.empty((len(parts) + 1, 2))
    work = covered, np.empty((len(bodies), 6)), np.empty(len(bodies), np.intp)
    _add_up(work, arcs, (parts, owners, bodies, between), numbers, bins, hits, pairs)
