"""Rotation: a vehicle that is turned about its centre, and backed off where it needs room (BOW 3.3)."""

from collections.abc import Iterator
from dataclasses import replace
from math import hypot

from brickphys.bow.field.facing import normal_deg
from brickphys.bow.state.setting import TurnRule
from brickphys.geometry.passage import first_free_studs
from brickphys.geometry.polygon import Point, unit_vector
from brickphys.geometry.sweep import sweep
from brickphys.geometry.swing import swing
from brickphys.vehicles.named_obstacles import NamedObstacles
from brickphys.vehicles.scene import Vehicle


def rotations(
    mover: Vehicle, angle_deg: float, rule: TurnRule, around: NamedObstacles
) -> Iterator[Vehicle]:
    """Yield a vehicle after a turn counter-clockwise about its centre, where it has room, the preferred place first.

    Where it would overlap decor or another vehicle then, it is first backed off along its heading by the least that
    prevents it; else moved ahead; else aside; else aside from where it is backed off, or moved ahead, as far as
    is allowed: half its diagonal less half its length (aside: its width), so that its corners clear a wall at which
    it stands flush. Units are not in its way.

    Parameters
    ----------
    mover
        The vehicle, where it stands now.
    angle_deg
        The turn.
    rule
        Whether the turn itself must be clear too, from where it begins.
    around
        The decor, ground and vehicles that are in its way.
    """
    heading = normal_deg(mover.heading_deg + angle_deg)
    for x, y in _places(mover, heading, around):
        start = _at(mover, (round(x, 9), round(y, 9)))
        end = replace(start, heading_deg=heading)
        if _is_clear(end, around) and (
            rule is TurnRule.FREE or not turned_against(start, angle_deg, around)
        ):
            yield end


def turned_against(mover: Vehicle, angle_deg: float, around: NamedObstacles) -> list[str]:
    """Return the names of what a vehicle would touch while it turns about its centre."""
    met = swing(mover.prism, mover.centre_studs, angle_deg, around.prisms)
    return [around.things[touch.number].id for touch in met]


def _places(mover: Vehicle, heading_deg: float, around: NamedObstacles) -> Iterator[Point]:
    """Yield the places from which a vehicle may turn to a heading, the preferred one first."""
    if _is_clear(replace(mover, heading_deg=heading_deg), around):
        yield mover.centre_studs
    half_diagonal = hypot(mover.length_studs, mover.width_studs) / 2
    along, aside = half_diagonal - mover.length_studs / 2, half_diagonal - mover.width_studs / 2
    ends, sides = ((180.0, along), (0.0, along)), ((90.0, aside), (270.0, aside))
    starts = [mover]
    for off_deg, most_studs in (*ends, *sides):
        yield from _shifted(mover, heading_deg, off_deg, most_studs, around)
    for off_deg, most_studs in ends:
        direction = unit_vector(mover.heading_deg + off_deg)
        if not sweep(mover.prism, direction, most_studs, around.prisms):
            starts.append(_at(mover, _along(mover, direction, most_studs)))
    for start in starts[1:]:
        for off_deg, most_studs in sides:
            yield from _shifted(start, heading_deg, off_deg, most_studs, around)


def _shifted(
    mover: Vehicle, heading_deg: float, off_deg: float, most_studs: float, around: NamedObstacles
) -> Iterator[Point]:
    """Yield the nearest place off the heading at which a vehicle has room for its new heading, if the way is clear."""
    direction = unit_vector(mover.heading_deg + off_deg)
    turned = replace(mover, heading_deg=heading_deg)
    shift = first_free_studs(turned.prism, direction, most_studs, around.prisms)
    if shift is not None and not sweep(mover.prism, direction, shift, around.prisms):
        place = _along(mover, direction, shift)
        if around.bounds.contains(place):
            yield place


def _along(mover: Vehicle, direction: Point, studs: float) -> Point:
    return mover.x_studs + studs * direction[0], mover.y_studs + studs * direction[1]


def _at(mover: Vehicle, place: Point) -> Vehicle:
    return replace(mover, x_studs=place[0], y_studs=place[1])


def _is_clear(mover: Vehicle, around: NamedObstacles) -> bool:
    return not sweep(mover.prism, (1.0, 0.0), 0.0, around.prisms)
