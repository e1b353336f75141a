"""Melee: which targets a weapon in a hand can touch (BOW 2.4.2)."""

from collections.abc import Collection
from typing import TYPE_CHECKING

from brickphys.bow.field.board import Board, footprint_studs
from brickphys.bow.field.field import Stance
from brickphys.bow.field.hand import HAND_PLATES, nearest_plates, reaches
from brickphys.bow.field.line import solids
from brickphys.bow.field.sight import SAMPLES_PLATES, Point3
from brickphys.geometry.line import Line
from brickphys.geometry.polygon import TOLERANCE
from brickphys.grid.bitset import each

if TYPE_CHECKING:
    from brickphys.vehicles.scene import Vehicle


def touches(
    board: Board,
    attacker: Stance,
    target: Stance,
    reach_studs: float,
    without: Collection[str] = (),
) -> bool:
    """Tell whether a weapon can touch a figure.

    The target must be near enough along x, along y and in height (its feet, body or head), and no ground, decor,
    vehicle or other figure may be between.

    Parameters
    ----------
    board
        What may be between.
    attacker, target
        Where they stand or sit.
    reach_studs
        Reach of the weapon.
    without
        Vehicles that do not count: the one that the attacker or an exposed target sits in.
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
