"""Melee: whom the weapon in a hand can touch (BOW 2.4.2)."""

from collections.abc import Collection
from typing import TYPE_CHECKING

from brickphys.bow.board import Board
from brickphys.bow.field import Stance
from brickphys.bow.line import clear_ends
from brickphys.bow.sight import SAMPLES_PLATES, between
from brickphys.bow.studs import each
from brickphys.units import PLATE_MM, STUD_MM
from brickphys.vehicles.polygon import TOLERANCE

if TYPE_CHECKING:
    from brickphys.vehicles.scene import Vehicle

HAND_PLATES = 6.0
"""The hand with the weapon above the ground of a figure."""


def touches(
    board: Board,
    attacker: Stance,
    target: Stance,
    reach_studs: float,
    without: Collection[str] = (),
) -> bool:
    """Tell whether a weapon can touch a figure.

    The target is near enough along x, along y and in height (its feet, body or head), and nothing solid is between: no
    ground, decor, vehicle or other figure.

    Parameters
    ----------
    board
        What may be between.
    attacker, target
        Where they stand or sit.
    reach_studs
        How far the weapon reaches.
    without
        Vehicles that are not between: the one that the attacker or an exposed target sits in.
    """
    dx, dy = target.x_studs - attacker.x_studs, target.y_studs - attacker.y_studs
    if max(abs(dx), abs(dy)) > reach_studs + TOLERANCE:
        return False
    heights = [target.ground_plates + sample for sample in SAMPLES_PLATES]
    return _is_touched(board, attacker, target, heights, reach_studs, without)


def touches_vehicle(
    board: Board,
    attacker: Stance,
    target: "Vehicle",
    reach_studs: float,
    without: Collection[str] = (),
) -> bool:
    """Tell whether a weapon can touch a vehicle: one of the studs over which it stands, likewise.

    Parameters
    ----------
    board
        What may be between; the target is not.
    attacker
        Where the figure stands or sits.
    target
        A vehicle of the board.
    reach_studs
        How far the weapon reaches.
    without
        Vehicles that are not between either.
    """
    hand = attacker.ground_plates + HAND_PLATES
    height = min(max(hand, target.bottom_plates), target.top_plates)
    body = next(body for body in board.bodies if body.id == target.id)
    for stud in each(body.studs):
        stance = board.field.stances[stud]
        dx, dy = stance.x_studs - attacker.x_studs, stance.y_studs - attacker.y_studs
        if max(abs(dx), abs(dy)) <= reach_studs + TOLERANCE and _is_touched(
            board, attacker, stance, [height], reach_studs, (*without, target.id)
        ):
            return True
    return False


def _is_touched(
    board: Board,
    attacker: Stance,
    target: Stance,
    heights: list[float],
    reach_studs: float,
    without: Collection[str],
) -> bool:
    hand = attacker.ground_plates + HAND_PLATES
    limit = reach_studs * STUD_MM / PLATE_MM + TOLERANCE
    near = [height for height in heights if abs(height - hand) <= limit]
    if not near:
        return False
    start = (attacker.x_studs, attacker.y_studs, hand)
    units, bodies = between(board, attacker, target, without)
    return clear_ends(board, start, target[:2], near, units, bodies) > 0
