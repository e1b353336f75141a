"""Sight: whether a figure sees another one or a vehicle, and how many bricks a shot loses on the way (BOW 2.4.2).

A viewer looks with an eye in the middle of its head at two sides of three heights of the target. So who sees more of
whom depends on who looks: over a low wall, a figure far behind it is covered from one that stands at it, not the other
way round. What lies between is the same from both ends.
"""

from collections.abc import Collection
from enum import Enum
from math import ceil, hypot
from typing import TYPE_CHECKING

from brickphys.bow.board import Board
from brickphys.bow.field import Stance
from brickphys.bow.line import Point3, clear_ends
from brickphys.bow.studs import Studs
from brickphys.bow.terrain import Body
from brickphys.units import PLATE_MM, STUD_MM
from brickphys.vehicles.polygon import TOLERANCE, Point

if TYPE_CHECKING:
    from brickphys.vehicles.scene import Vehicle

EYE_PLATES = 11.0
"""The eye, and the middle of the head, above the ground of a figure."""
SAMPLES_PLATES = (1.0, 6.0, 11.0)
"""Feet, body and head of a figure that is looked at."""
SIDE_STUDS = 0.4
"""How far left and right of its middle, as the viewer sees it, a figure is looked at: within its stud."""
INSET_STUDS = 0.1
"""How far inside its corners a vehicle is looked at; likewise one plate under its top and above its bottom."""
BAND_STUDS = 15
"""A shot loses a brick for each ruler of this length (BOW 2.4.2)."""
FIRST_STUD = 0.5
"""Half of the ruler's first stud lies behind the middle of the firer's head."""


class Visibility(Enum):
    """How much of a target is seen."""

    HIDDEN = "hidden"
    """Nothing: it cannot be fired at."""
    COVERED = "covered"
    """Some: it resists with one brick more."""
    OPEN = "open"
    """All."""


def sight(
    board: Board, viewer: Stance, target: Stance, without: Collection[str] = ()
) -> Visibility:
    """Return how much a figure sees of another one.

    Parameters
    ----------
    board
        What may be in the way; figures on the studs of viewer and target are not.
    viewer, target
        Where they stand or sit; `Field.stances` has them for every stud.
    without
        Vehicles that are not in the way: the one that the viewer or an exposed target sits in.
    """
    dx, dy = target.x_studs - viewer.x_studs, target.y_studs - viewer.y_studs
    far = hypot(dx, dy)
    across = SIDE_STUDS / far if far > TOLERANCE else 0.0
    heights = tuple(target.ground_plates + sample for sample in SAMPLES_PLATES)
    sides = [(target.x_studs - side * dy, target.y_studs + side * dx) for side in (across, -across)]
    return _seen(board, viewer, target, sides, heights, without)


def vehicle_sight(
    board: Board, viewer: Stance, target: "Vehicle", without: Collection[str] = ()
) -> Visibility:
    """Return how much a figure sees of a vehicle: of its outermost corners to the left and to the right.

    Parameters
    ----------
    board
        What may be in the way; the target is not.
    viewer
        Where the figure stands or sits.
    target
        A vehicle.
    without
        Vehicles that are not in the way either, such as the one that the viewer sits in.
    """
    x, y = target.centre_studs
    dx, dy = x - viewer.x_studs, y - viewer.y_studs
    inset = 1.0 - 2.0 * INSET_STUDS / min(target.length_studs, target.width_studs)
    corners = [
        (x + inset * (corner_x - x), y + inset * (corner_y - y))
        for corner_x, corner_y in target.prism.footprint.vertices_studs.tolist()
    ]
    by_side = sorted(corners, key=lambda corner: dx * (corner[1] - y) - dy * (corner[0] - x))
    bottom, top = target.bottom_plates, target.top_plates
    heights = (min(bottom + 1.0, top), (bottom + top) / 2, max(top - 1.0, bottom))
    middle = Stance(x, y, bottom)
    return _seen(
        board, viewer, middle, by_side[:: len(by_side) - 1], heights, (*without, target.id)
    )


def _seen(
    board: Board,
    viewer: Stance,
    target: Stance,
    sides: list[Point],
    heights: tuple[float, ...],
    without: Collection[str],
) -> Visibility:
    eye = (viewer.x_studs, viewer.y_studs, viewer.ground_plates + EYE_PLATES)
    units, bodies = between(board, viewer, target, without)
    seen = sum(clear_ends(board, eye, side, heights, units, bodies) for side in sides)
    if not seen:
        return Visibility.HIDDEN
    return Visibility.OPEN if seen == len(sides) * len(heights) else Visibility.COVERED


def between(
    board: Board, one: Stance, other: Stance, without: Collection[str]
) -> tuple[Studs, tuple[Body, ...]]:
    """Return the figures and vehicles that may stand between two figures: all but these two and some vehicles."""
    field = board.field
    own = 1 << field.stud_at(*one[:2]) | 1 << field.stud_at(*other[:2])
    bodies = board.bodies
    if without:
        bodies = tuple(body for body in bodies if body.id not in without)
    return board.units & ~own, bodies


def head(stance: Stance) -> Point3:
    """Return the middle of the head of a figure."""
    return stance.x_studs, stance.y_studs, stance.ground_plates + EYE_PLATES


def vehicle_middle(vehicle: "Vehicle") -> Point3:
    """Return the middle of a vehicle, to which shots at it are measured."""
    return *vehicle.centre_studs, (vehicle.bottom_plates + vehicle.top_plates) / 2


def distance_studs(one: Point3, other: Point3) -> float:
    """Return the distance of two points in studs, heights included."""
    rise = (other[2] - one[2]) * PLATE_MM / STUD_MM
    return hypot(other[0] - one[0], other[1] - one[1], rise)


def bricks_lost(distance_studs: float) -> int:
    """Return how many bricks an attack loses at a distance between two heads (BOW 2.4.2)."""
    return ceil((distance_studs + FIRST_STUD) / BAND_STUDS - TOLERANCE) - 1
