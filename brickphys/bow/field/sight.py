"""Sight: how much of a target a figure sees, and the bricks that a shot loses by distance (BOW 2.4.2).

The viewer looks from one eye, in the middle of its head, at six points of the target: left and right at three heights.
So two figures need not see the same share of each other. A figure that stands close behind a low wall sees all of one
far behind it, which sees only a part of the first.
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
"""Height of the eye, which is the middle of the head, above the feet."""
SAMPLES_PLATES = (1.0, 6.0, 11.0)
"""Heights of a target that are looked at: feet, body and head."""
SIDE_STUDS = 0.4
"""Distance of the points that are looked at, left and right of the middle of a target; within its stud."""
INSET = 0.9
"""A vehicle is looked at inside its corners: at this share of their distance from its middle."""
BAND_STUDS = 15
"""Length of the ruler; a shot loses a brick for each ruler after the first (BOW 2.4.2)."""
FIRST_STUD = 0.5
"""The ruler begins half a stud behind the middle of the shooter's head."""


class Visibility(Enum):
    """How much of a target is seen."""

    HIDDEN = "hidden"
    """No point: it cannot be shot at."""
    COVERED = "covered"
    """Some points: it resists with one brick more."""
    OPEN = "open"
    """Every point."""


def sight(
    board: Board, viewer: Stance, target: Stance, without: Collection[str] = ()
) -> Visibility:
    """Return how much a figure sees of another one, see `sights`."""
    return sights(board, viewer, [target], without)[0]


def sights(
    board: Board, viewer: Stance, targets: Sequence[Stance], without: Collection[str] = ()
) -> list[Visibility]:
    """Return how much a figure sees of each of several others.

    Parameters
    ----------
    board
        What may be in the way, except figures on the studs of the viewer and the target.
    viewer, targets
        Where they stand or sit.
    without
        Vehicles that do not count: those in which the viewer or an exposed target sits.
    """
    x, y, eye = head(viewer)
    lines: list[Line] = []
    for target_x, target_y, ground in targets:
        dx, dy = target_x - x, target_y - y
        across = SIDE_STUDS / max(hypot(dx, dy), SIDE_STUDS)
        for side in (across, -across):
            end_x, end_y = target_x - side * dy, target_y + side * dx
            lines += [(x, y, eye, end_x, end_y, ground + sample) for sample in SAMPLES_PLATES]
    return _visibilities(board, lines, without)


def vehicle_sight(
    board: Board, viewer: Stance, target: "Vehicle", without: Collection[str] = ()
) -> Visibility:
    """Return how much a figure sees of a vehicle, at three heights of its outermost corners left and right.

    The parameters are those of `sights`; the target itself is not in the way.
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
    return _visibilities(board, lines, (*without, target.id))[0]


def _visibilities(board: Board, lines: list[Line], without: Collection[str]) -> list[Visibility]:
    """Return the visibility of each target, given six lines to each."""
    if not lines:
        return []
    seen = solids(board, without).clear(lines).reshape(-1, 2 * len(SAMPLES_PLATES)).sum(axis=1)
    return [_VISIBILITIES[count] for count in seen.tolist()]


_VISIBILITIES = (
    Visibility.HIDDEN,
    *[Visibility.COVERED] * (2 * len(SAMPLES_PLATES) - 1),
    Visibility.OPEN,
)
"""The visibility by the number of clear lines."""


def head(stance: Stance) -> Point3:
    """Return the middle of the head of a figure."""
    return stance.x_studs, stance.y_studs, stance.ground_plates + EYE_PLATES


def vehicle_middle(vehicle: "Vehicle") -> Point3:
    """Return the middle of a vehicle; shots at it are measured to there."""
    return *vehicle.centre_studs, (vehicle.bottom_plates + vehicle.top_plates) / 2


def distance_studs(one: Point3, other: Point3) -> float:
    """Return the distance of two points in space, in studs."""
    rise = (other[2] - one[2]) * PLATE_MM / STUD_MM
    return hypot(other[0] - one[0], other[1] - one[1], rise)


def bricks_lost(distance_studs: float) -> int:
    """Return how many bricks an attack loses at a distance between two heads (BOW 2.4.2)."""
    return ceil((distance_studs + FIRST_STUD) / BAND_STUDS - TOLERANCE) - 1


def band_end_studs(lost: int) -> float:
    """Return the longest distance between two heads at which an attack loses so many bricks and no more (BOW 2.4.2)."""
    return BAND_STUDS * (lost + 1) - FIRST_STUD
