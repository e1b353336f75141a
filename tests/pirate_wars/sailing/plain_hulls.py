"""Plain hulls: the oracle of leaps and swings, written with complex numbers and shapely."""

from cmath import exp
from collections.abc import Callable, Sequence
from math import pi

import shapely

from brickphys.pirate_wars.state import State

Parts = list[shapely.Polygon]
Ship = tuple[list[complex], complex, float]
"""Corners in its own frame, its middle and its heading in degrees."""
NEAR_STUDS = 1e-6
STEP_STUDS = 0.01


def plain_ship(state: State, number: int) -> Ship:
    sheet, ship = state.setting.ships[number].sheet, state.ships[number]
    left = [complex(x * sheet.length_studs, y * sheet.width_studs) for x, y in sheet.outline]
    corners = [*left, *(corner.conjugate() for corner in reversed(left) if corner.imag)]
    return corners, complex(ship.x_studs, ship.y_studs), ship.heading_deg


def outline(ship: Ship) -> list[complex]:
    corners, middle, heading = ship
    return [middle + corner * exp(1j * pi * heading / 180) for corner in corners]


def polygon(ship: Ship) -> shapely.Polygon:
    return shapely.Polygon([(corner.real, corner.imag) for corner in outline(ship)])


def gone(ship: Ship, direction_deg: float, studs: float) -> Ship:
    corners, middle, heading = ship
    return corners, middle + studs * exp(1j * pi * direction_deg / 180), heading


def swung(ship: Ship, pivot: complex, angle_deg: float) -> Ship:
    corners, middle, heading = ship
    turned = pivot + (middle - pivot) * exp(1j * pi * angle_deg / 180)
    return corners, turned, heading + angle_deg


def first_overlap(
    at: Callable[[float], Parts], others: Sequence[shapely.Polygon], extent: float, speed: float
) -> float:
    """How far parts move until they overlap others; the extent if they do not.

    Their distance says how far they can move for sure; where they nearly touch, a bisection decides.

    Parameters
    ----------
    at
        The parts when the motion has come so far.
    others
        What they may overlap.
    extent
        How far they move.
    speed
        The most that a point of theirs moves in studs while the motion comes one further.
    """
    near = [
        other
        for other in others
        if min(part.distance(other) for part in at(0.0)) <= extent * speed + NEAR_STUDS
    ]
    come = 0.0
    while near and come < extent:
        gap = min(part.distance(other) for part in at(come) for other in near)
        if gap > NEAR_STUDS:
            come += gap / speed
            continue
        ahead = min(come + STEP_STUDS / speed, extent)
        if overlaps(at(ahead), near):
            return bisected(lambda to: overlaps(at(to), near), come, ahead)
        come = ahead
    return extent


def overlaps(parts: Parts, others: Sequence[shapely.Polygon]) -> bool:
    return any(depth(part, other) > 1e-9 for part in parts for other in others)


def bisected(is_true: Callable[[float], bool], low: float, high: float) -> float:
    while high - low > 1e-10:
        middle = (low + high) / 2
        low, high = (low, middle) if is_true(middle) else (middle, high)
    return high


def depth(one: shapely.Polygon, other: shapely.Polygon) -> float:
    """How deep two convex polygons are in each other; 0 or less if they are apart."""
    pairs = [[complex(*xy) for xy in each.exterior.coords[:-1]] for each in (one, other)]
    return min(_depth(*pairs), _depth(*reversed(pairs)))


def _depth(one: list[complex], other: list[complex]) -> float:
    """The least way along a normal of the first that takes the second out of it."""
    found = float("inf")
    middle = sum(one) / len(one)
    for start, end in zip(one, [*one[1:], one[0]], strict=True):
        normal = 1j * (end - start) / abs(end - start)
        if ((middle - start) * normal.conjugate()).real > 0:
            normal = -normal
        found = min(found, -min(((corner - start) * normal.conjugate()).real for corner in other))
    return found


def deepest(state: State) -> float:
    """How deep any two ships afloat are in each other."""
    hulls = [polygon(plain_ship(state, number)) for number, _ in state.afloat]
    return max(
        (depth(one, other) for n, one in enumerate(hulls) for other in hulls[:n]), default=-1.0
    )
