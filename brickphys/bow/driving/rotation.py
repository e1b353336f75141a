"""Rotation: turns a vehicle about its centre, and moves it back where it needs room (BOW 3.3)."""

from collections.abc import Iterator
from dataclasses import replace
from math import hypot

from brickphys.bow.driving.obstacles import placed
from brickphys.bow.field.facing import normal_deg
from brickphys.bow.state.setting import TurnRule
from brickphys.geometry.passage import first_free_studs
from brickphys.geometry.polygon import Point, unit_vector
from brickphys.geometry.sweep import overlaps, sweep
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
    turned = replace(mover, heading_deg=normal_deg(mover.heading_deg + angle_deg))
    for start, end in _moves(mover, turned, around):
        if rule is TurnRule.FREE or not turned_against(start, angle_deg, around):
            yield end


def turned_against(mover: Vehicle, angle_deg: float, around: NamedObstacles) -> list[str]:
    """Return the names of what a vehicle would touch while it turns about its centre."""
    met = swing(mover.prism, mover.centre_studs, angle_deg, around.prisms)
    return [around.things[touch.number].id for touch in met]


def _moves(
    mover: Vehicle, turned: Vehicle, around: NamedObstacles
) -> Iterator[tuple[Vehicle, Vehicle]]:
    """Yield a vehicle before and after a turn at the places where it has room for it, the preferred one first."""
    if _is_clear(turned, around):
        yield mover, turned
    half_diagonal = hypot(mover.length_studs, mover.width_studs) / 2
    along, aside = half_diagonal - mover.length_studs / 2, half_diagonal - mover.width_studs / 2
    ends, sides = ((180.0, along), (0.0, along)), ((90.0, aside), (270.0, aside))
    for off_deg, most_studs in (*ends, *sides):
        yield from _shifted(mover, turned, off_deg, most_studs, around)
    for off_deg, most_studs in ends:
        x, y = unit_vector(mover.heading_deg + off_deg)
        if not sweep(mover.prism, (x, y), most_studs, around.prisms):
            shift = (most_studs * x, most_studs * y)
            for side_deg, room_studs in sides:
                yield from _shifted(
                    _moved(mover, shift), _moved(turned, shift), side_deg, room_studs, around
                )


def _shifted(
    mover: Vehicle, turned: Vehicle, off_deg: float, most_studs: float, around: NamedObstacles
) -> Iterator[tuple[Vehicle, Vehicle]]:
    """Yield a vehicle before and after a turn at the nearest place off its heading with room, if the way is clear."""
    x, y = unit_vector(mover.heading_deg + off_deg)
    studs = first_free_studs(turned.prism, (x, y), most_studs, around.prisms)
    if studs is not None and not sweep(mover.prism, (x, y), studs, around.prisms):
        start, end = (_moved(one, (studs * x, studs * y)) for one in (mover, turned))
        if around.bounds.contains(end.centre_studs) and _is_clear(end, around):
            yield start, end


def _moved(mover: Vehicle, shift: Point) -> Vehicle:
    return placed(mover, (mover.x_studs + shift[0], mover.y_studs + shift[1]))


def _is_clear(mover: Vehicle, around: NamedObstacles) -> bool:
    return not overlaps(mover.prism, around.prisms)
