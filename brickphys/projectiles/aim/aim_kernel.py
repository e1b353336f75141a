"""The shares of a shot that each target takes, compiled: node by node of the fan, exact over the azimuth.

At a part a path is straight, and the part is a box along the flight. The projectile is a ball: it touches the box where
the path of its centre passes within the radius. In the plane of flight the path misses the box's rectangle by a gap,
and across it the ball reaches `sqrt(radius2 - gap2)` beyond the edges. So each part takes one interval of azimuths.
The nearest parts take theirs first, and normal integrals weigh what is left to each.
"""

from math import atan, erf, exp, expm1, inf, sqrt

import numpy as np

from brickphys.arrays import Array, Indices
from brickphys.jit import allocating_kernel, entry, kernel
from brickphys.units import GRAVITY_M_S2

_G = 1000.0 * GRAVITY_M_S2
"""In mm/s2; the kernel works in mm and s."""
_ROLLED = 2
View = tuple[Array, Indices, Array]
Numbers = tuple[float, float, float, float, float]
Contact = tuple[int, float, float, int, float]
"""A part, the height of the projectile's centre, its speed, the phase of its flight, and its slope."""
_NEAR = 3.0
"""A path is looked at anew for a part that begins more than these mm farther away than where it was looked at."""
_WIDEST = 4.5
"""Azimuths beyond this many standard deviations are left out, 7e-6 of all shots."""


@kernel
def _normal(azimuth: float, sigma: float) -> float:
    """Return the share of shots whose azimuth is less."""
    return 0.5 + 0.5 * erf(azimuth / (sigma * 1.4142135623730951))


@kernel
def _passing(path: Array, x: float, rolling: float) -> tuple[float, float, float, int]:
    """Return height, slope, horizontal speed and phase of a path at a distance; speed 0 beyond its rest."""
    arc = len(path) - 1
    while arc > 0 and path[arc, 0] > x:
        arc -= 1
    dx, height, slope, speed = x - path[arc, 0], path[arc, 1], path[arc, 2], path[arc, 3]
    phase = int(path[arc, 5])
    if phase == _ROLLED:
        return height, 0.0, sqrt(max(speed * speed - 2.0 * rolling * dx, 0.0)), phase
    u = 2.0 * path[arc, 4] * dx
    fall = _G * dx / (speed * speed)
    once, twice = 1.0 + u / 2.0, 0.5 + u / 6.0
    if abs(u) > 1e-4:
        grown = expm1(u)
        once, twice = grown / u, (grown - u) / (u * u)
    return height + dx * (slope - fall * twice), slope - fall * once, speed * exp(-u / 2.0), phase


@kernel
def _gap(height: float, slope: float, half: float, low: float, high: float) -> float:
    """Return how far a line passes a rectangle: its height over the middle, its slope, and half the depth."""
    rise = abs(slope) * half
    over = max(height - rise - high, low - height - rise, 0.0)
    gap: float = over / sqrt(1.0 + slope * slope)
    return gap


@kernel
def _interval(
    box: Array,
    bottom: float,
    body: Array,
    passing: tuple[float, float, float, float],
    radius: float,
) -> tuple[float, float, float]:
    """Return the azimuths at which a path meets a part above its bottom, and the height of the centre at the contact.

    `passing` is place, height, slope and bend (downwards, 1/mm) of the path just before the part. Without contact the
    interval is empty, and the height that at the front.
    """
    place, height, slope, bend = passing
    half, away = (box[1] - box[0]) / 2.0, (box[0] + box[1]) / 2.0 - place
    front = min(max(height + slope * (box[0] - radius - place), radius), box[5] + radius)
    height += away * (slope - bend * away / 2.0)
    slope -= bend * away
    gap = _gap(height, slope, half, bottom, box[5])
    if gap >= radius or bottom >= box[5]:
        return 0.0, 0.0, front
    beyond = sqrt(radius * radius - gap * gap)
    low, high = (box[2] - beyond) / body[0], (box[3] + beyond) / body[0]
    return body[1] + low, body[1] + high, front


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


@allocating_kernel
def _next(first: Contact, azimuth: float, view: View, numbers: Numbers) -> Contact:
    """Return the contact with another target after one, or part -1.

    The projectile goes straight on with the speed that it keeps, falls, and rolls once it is down.
    """
    parts, owners, bodies = view
    radius, mass, rolling, _, restitution = numbers
    struck, height, speed, phase, _ = first
    body = bodies[owners[struck]]
    aside = body[0] * (azimuth - body[1])
    lever = min(max(aside, parts[struck, 2]), parts[struck, 3])
    speed *= _kept(mass, restitution, body, height, lever)
    down = speed * sqrt(2.0 * (height - radius) / _G)
    part = struck + 1 if speed > 0.0 else len(parts)
    while part < len(parts):
        other, away = bodies[owners[part]], max(parts[part, 0] - parts[struck, 0], 0.0)
        there, fast, how = height - _G / 2.0 * (away / speed) ** 2, speed, phase
        slope = -_G * away / speed**2
        if away > down:
            there, how, slope = radius, _ROLLED, 0.0
            fast = sqrt(max(speed * speed - 2.0 * rolling * (away - down), 0.0))
        across = other[0] * (azimuth - other[1])
        if (
            owners[part] != owners[struck]
            and parts[part, 2] - radius < across < parts[part, 3] + radius
            and parts[part, 4] - radius < there < parts[part, 5] + radius
            and fast > 0.0
        ):
            return part, there, fast, how, slope
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
    _, owners, bodies = view
    part, height, speed, phase, slope = contact
    owner = owners[part]
    body = bodies[owner]
    aside, row, column = abs(body[0] * (azimuth - body[1])), 0, 0
    while row < len(bins[0]) - 2 and height >= bins[0][row + 1]:
        row += 1
    while column < len(bins[1]) - 2 and aside >= bins[1][column + 1]:
        column += 1
    hits[0, owner, phase, row, column] += share
    hits[1, owner, phase, row, column] += share * speed
    hits[2, owner, phase, row, column] -= share * atan(slope)


@allocating_kernel
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
    parts, owners, bodies = view
    radius, mass, _, sigma, restitution = numbers
    owner = owners[contact[0]]
    body = bodies[owner]
    edges, start, before = bins[1], low, _normal(low, sigma)
    widest = parts[contact[0], 3]
    twice = _kept(mass, restitution, body, contact[1], widest) > 0.0
    while start < high:
        end = min(high, start + radius / 4.0 / body[0]) if twice else high
        for k in range(1, len(edges) - 1):
            for sign in (-1.0, 1.0):
                edge = body[1] + sign * edges[k] / body[0]
                if start < edge < end:
                    end = edge
        after = _normal(end, sigma)
        azimuth, share = (start + end) / 2.0, weight * (after - before)
        _add(contact, share, azimuth, view, bins, hits)
        if twice:
            second = _next(contact, azimuth, view, numbers)
            if second[0] >= 0:
                _add(second, share, azimuth, view, bins, hits)
                pairs[owner, contact[3], owners[second[0]], second[3]] += share
        start, before = end, after


@entry
def shares(
    arcs: Array,
    view: View,
    numbers: Numbers,
    bins: tuple[Array, Array],
    hits: Array,
    pairs: Array,
) -> None:
    """Add up the shares of a shot.

    Parameters
    ----------
    arcs : ndarray, shape (nodes, arcs, 6)
        See `brickphys.projectiles.aim.fan.fan_arcs`.
    view
        Parts, owners and bodies of `brickphys.projectiles.aim.standing.View`.
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
    parts, owners, bodies = view
    radius, _, rolling, sigma, _ = numbers
    covered = np.empty((len(parts) + 1, 2))
    passing, phases = np.empty((len(bodies), 5)), np.empty(len(bodies), np.intp)
    widest, weight = _WIDEST * sigma, 1.0 / len(arcs)
    for node in range(len(arcs)):
        passing[:, 0] = -inf
        count = 0
        for part in range(len(parts)):
            k, place = owners[part], parts[part, 0] - radius
            if place - passing[k, 0] > _NEAR:
                height, slope, speed, phase = _passing(arcs[node], place, rolling)
                bend = _G / (speed * speed) if phase != _ROLLED else 0.0
                passing[k, 0], passing[k, 1], passing[k, 2] = place, height, slope
                passing[k, 3], passing[k, 4], phases[k] = bend, speed, phase
            place, height, slope, bend, speed = passing[k]
            path = place, height, slope, bend
            box, body = parts[part], bodies[k]
            low, high, there = _interval(box, box[4], body, path, radius)
            is_blocked = there < body[6]
            if is_blocked:
                low, high, there = _interval(box, box[6], body, path, radius)
            low, high = max(low, -widest), min(high, widest)
            if low >= high or speed == 0.0:
                continue
            contact = part, there, speed * sqrt(1.0 + slope * slope), phases[k], slope
            start = high if is_blocked else low
            for taken in range(count):
                if covered[taken, 1] <= start:
                    continue
                if covered[taken, 0] >= high:
                    break
                if covered[taken, 0] > start:
                    _take(
                        start, covered[taken, 0], contact, weight, view, numbers, bins, hits, pairs
                    )
                start = covered[taken, 1]
            if start < high:
                _take(start, high, contact, weight, view, numbers, bins, hits, pairs)
            count = _cover(low, high, covered, count)
            if covered[0, 0] <= -widest and covered[0, 1] >= widest:
                break
