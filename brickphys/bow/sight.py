"""Sight: how much of a target a figure sees, and what its hands and weapons reach (BOW 2.3.2, 2.4.2).

The viewer looks from one eye, in the middle of its head, at six points of the target: left and right at three heights.
So two figures need not see the same share of each other. A figure that stands close behind a low wall sees all of one
far behind it, which sees only a part of the first.

A line is clear of a solid if no part of it is inside by more than the tolerance; it may graze a face. Where it runs
along the border of two studs, or through a corner between two, both must be filled to stop it: there is no gap between
neighbours, along an edge or a diagonal. It is as clear from one end as from the other. A line of no length is a point;
a point on the border of the field counts as just inside.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from math import hypot
from typing import TYPE_CHECKING

import numpy as np

from brickphys.bow import line_kernel
from brickphys.bow.field import FIGURE_PLATES, Span, Stance
from brickphys.bow.terrain import Board, Terrain, footprint_studs
from brickphys.geometry.obstacles import Obstacles, Prism
from brickphys.geometry.polygon import TOLERANCE
from brickphys.geometry.sweep import Line, clear_lines
from brickphys.grid.grid import each
from brickphys.units import PLATE_MM, STUD_MM, Array, Indices, Mask

if TYPE_CHECKING:
    from brickphys.vehicles.scene import Vehicle


@dataclass(frozen=True, eq=False)
class Solids:
    """Everything that may be in the way of a line.

    Attributes
    ----------
    figures_plates : ndarray, shape (studs, 2)
        Bottom and top of the figure on each stud; both 0 where there is none.
    among : ndarray of int
        Those prisms that count.
    """

    terrain: Terrain
    """The ground and the decor."""
    figures_plates: Array
    prisms: Obstacles
    """Decor at an angle, then the vehicles."""
    among: Indices

    def clear(self, lines: Sequence[Line] | Array) -> Mask:
        """Tell which lines meet nothing solid; figures at their ends are not in the way."""
        field, rows = self.terrain.field, np.array(lines)
        clear = line_kernel.clear_lines(
            rows,
            field.width,
            field.length,
            *_columns(self.terrain),
            self.figures_plates,
            TOLERANCE,
        )
        return clear & clear_lines(rows, self.prisms, self.among) if len(self.among) else clear


def solids(board: Board, without: Collection[str] = ()) -> Solids:
    """Return everything that may be in the way of a line on a board, except vehicles with some ids."""
    everything = _everything(board)
    if not without:
        return everything
    first = len(everything.prisms.prisms) - len(board.vehicles)
    others = [n for n, vehicle in enumerate(board.vehicles, first) if vehicle.id not in without]
    return replace(everything, among=np.array([*range(first), *others], dtype=np.intp))


@lru_cache(maxsize=64)
def _everything(board: Board) -> Solids:
    levels = board.field.levels_plates
    figures = np.zeros((len(levels), 2))
    for stud in each(board.units):
        figures[stud] = levels[stud], levels[stud] + FIGURE_PLATES
    prisms = _prisms(board.terrain, board.vehicles)
    return Solids(board.terrain, figures, prisms, np.arange(len(prisms.prisms)))


@lru_cache(maxsize=256)
def _prisms(terrain: Terrain, vehicles: tuple["Vehicle", ...]) -> Obstacles:
    return _decor(terrain).updated(add=[vehicle.prism for vehicle in vehicles])


@lru_cache(maxsize=256)
def _decor(terrain: Terrain) -> Obstacles:
    return Obstacles.of([Prism(one.footprint, *one.span_plates) for one in terrain.at_an_angle])


@lru_cache(maxsize=256)
def _columns(terrain: Terrain) -> tuple[Indices, Array]:
    """Return the number of the first span of each stud, shape (studs + 1,), and the spans, shape (k, 2)."""
    columns = terrain.solids_plates
    firsts = np.cumsum([0, *map(len, columns)])
    return firsts, np.array([span for column in columns for span in column])


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

    All stand or sit. Figures on the studs of the viewer and of the target are not in the way, nor are vehicles in
    `without`: those in which the viewer or an exposed target sits.
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


HAND_PLATES = 6.0
"""Height of the hand above the feet."""
TABLE_PLATES = 12.0
"""Height above the feet up to which an object on something is within reach (ours)."""
REACH_STUDS = 1
"""Reach of an empty hand: the neighbouring studs."""


def reaches(ground_plates: float, span_plates: Span, reach_studs: float = REACH_STUDS) -> bool:
    """Tell whether a thing is at most the reach of a hand above or below the hand.

    `ground_plates` is the height of the feet of the figure, `span_plates` are bottom and top of the thing; the reach
    is that of the hand, or of the weapon in it.
    """
    high = reach_studs * STUD_MM / PLATE_MM + TOLERANCE
    hand = ground_plates + HAND_PLATES
    return abs(nearest_plates(ground_plates, span_plates) - hand) <= high


def reaches_object(ground_plates: float, level_plates: float) -> bool:
    """Tell whether a figure can take what lies at a level: as low as it touches a figure, as high as a table."""
    above = level_plates - ground_plates
    return 0.0 <= above <= TABLE_PLATES or reaches(ground_plates, figure_plates(level_plates))


def nearest_plates(ground_plates: float, span_plates: Span) -> float:
    """Return the height within a span that is nearest to the hand of a figure."""
    bottom, top = span_plates
    return min(max(ground_plates + HAND_PLATES, bottom), top)


def figure_plates(ground_plates: float) -> Span:
    """Return the span in which a figure can be touched: from its feet to its head."""
    return ground_plates + SAMPLES_PLATES[0], ground_plates + SAMPLES_PLATES[-1]


def touches(
    board: Board,
    attacker: Stance,
    target: Stance,
    reach_studs: float,
    without: Collection[str] = (),
) -> bool:
    """Tell whether a weapon can touch a figure.

    The target must be near enough along x, along y and in height (its feet, body or head), and no ground, decor,
    vehicle or other figure may be between. The vehicle in `without` does not count: the one that the attacker or an
    exposed target sits in.
    """
    heights = [target.ground_plates + sample for sample in SAMPLES_PLATES]
    ends = [(target.x_studs, target.y_studs, height) for height in heights]
    return _touches_one(board, attacker, ends, reach_studs, without)


def touches_vehicle(
    board: Board,
    attacker: Stance,
    target: "Vehicle",
    reach_studs: float,
    without: Collection[str] = (),
) -> bool:
    """Tell whether a weapon can touch a vehicle of the board on one of the studs under it.

    The parameters are those of `touches`; the target itself is not in the way.
    """
    height = nearest_plates(attacker.ground_plates, (target.bottom_plates, target.top_plates))
    stances = [board.field.stances[stud] for stud in each(footprint_studs(board.field, target))]
    ends = [(x, y, height) for x, y, _ in stances]
    return _touches_one(board, attacker, ends, reach_studs, (*without, target.id))


def _touches_one(
    board: Board,
    attacker: Stance,
    ends: list[Point3],
    reach_studs: float,
    without: Collection[str],
) -> bool:
    """Tell whether one of some points is near enough to the hand with nothing between."""
    x, y, ground = attacker
    hand = ground + HAND_PLATES
    near = reach_studs + TOLERANCE
    lines: list[Line] = [
        (x, y, hand, *end)
        for end in ends
        if max(abs(end[0] - x), abs(end[1] - y)) <= near
        and reaches(ground, (end[2], end[2]), reach_studs)
    ]
    return bool(lines) and bool(solids(board, without).clear(lines).any())
