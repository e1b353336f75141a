"""Sight: whether a figure sees another one or a vehicle, and how many bricks a shot loses on the way (BOW 2.4.2).

A viewer looks with an eye in the middle of its head at two sides of three heights of the target. So who sees more of
whom depends on who looks: over a low wall, a figure far behind it is covered from one that stands at it, not the other
way round. What lies between is the same from both ends.
"""

from collections.abc import Collection, Sequence
from enum import Enum
from math import ceil, hypot
from typing import TYPE_CHECKING

from brickphys.bow.field.board import Board
from brickphys.bow.field.field import Stance
from brickphys.bow.field.line import solids
from brickphys.geometry.line import Line
from brickphys.geometry.polygon import TOLERANCE
from brickphys.units import PLATE_MM, STUD_MM

if TYPE_CHECKING:
    from brickphys.vehicles.scene import Vehicle

Point3 = tuple[float, float, float]
"""x and y in studs, height in plates."""

EYE_PLATES = 11.0
"""The eye, and the middle of the head, above the ground of a figure."""
SAMPLES_PLATES = (1.0, 6.0, 11.0)
"""Feet, body and head of a figure that is looked at."""
SIDE_STUDS = 0.4
"""How far left and right of its middle, as the viewer sees it, a figure is looked at: within its stud."""
INSET = 0.9
"""A vehicle is looked at just inside its corners: at this share of their distance from its middle."""
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
    """Return how much a figure sees of another one, as `sights` does of many."""
    return sights(board, viewer, [target], without)[0]


def sights(
    board: Board, viewer: Stance, targets: Sequence[Stance], without: Collection[str] = ()
) -> list[Visibility]:
    """Return how much a figure sees of each of some others.

    Parameters
    ----------
    board
        What may be in the way; figures on the studs of viewer and target are not.
    viewer, targets
        Where they stand or sit; `Field.stances` has them for every stud.
    without
        Vehicles that are not in the way: those in which the viewer or an exposed target sit.
    """
    x, y, eye = head(viewer)
    lines: list[Line] = []
    for target_x, target_y, ground in targets:
        dx, dy = target_x - x, target_y - y
        across = SIDE_STUDS / max(hypot(dx, dy), SIDE_STUDS)
        for side in (across, -across):
            end_x, end_y = target_x - side * dy, target_y + side * dx
            lines += [(x, y, eye, end_x, end_y, ground + sample) for sample in SAMPLES_PLATES]
    return _told(board, lines, without)


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
    x, y, eye = head(viewer)
    middle_x, middle_y, middle = vehicle_middle(target)
    dx, dy = middle_x - x, middle_y - y
    corners = sorted(
        [
            (middle_x + INSET * (corner_x - middle_x), middle_y + INSET * (corner_y - middle_y))
            for corner_x, corner_y in target.prism.footprint.vertices_studs.tolist()
        ],
        key=lambda corner: dx * (corner[1] - y) - dy * (corner[0] - x),
    )
    heights = [middle + INSET * (end - middle) for end in (target.bottom_plates, target.top_plates)]
    lines: list[Line] = [
        (x, y, eye, *corner, height)
        for corner in (corners[0], corners[-1])
        for height in (heights[0], middle, heights[1])
    ]
    return _told(board, lines, (*without, target.id))[0]


def _told(board: Board, lines: list[Line], without: Collection[str]) -> list[Visibility]:
    """Say what each six lines to the same target tell."""
    if not lines:
        return []
    seen = solids(board, without).clear(lines).reshape(-1, 2 * len(SAMPLES_PLATES)).sum(axis=1)
    return [_TOLD[count] for count in seen.tolist()]


_TOLD = (Visibility.HIDDEN, *[Visibility.COVERED] * (2 * len(SAMPLES_PLATES) - 1), Visibility.OPEN)
"""By how many lines are clear."""


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
