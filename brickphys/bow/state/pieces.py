"""Pieces: a unit and a vehicle at one moment."""

from dataclasses import dataclass, field
from typing import Annotated

from brickphys.bow.sheets.minifig_sheet import MinifigSheet
from brickphys.geometry.polygon import Point
from brickphys.rules.turn_state import Count

MOST_GUARD_BRICKS = 50
"""With all other bricks that resist they are no more than a brick roll may have (ours)."""


@dataclass(frozen=True, slots=True)
class UnitState:
    """A unit at one moment; without stud and seat it is out of the battle, with both it walks beside a vehicle.

    Attributes
    ----------
    sheet
        Its abilities, and its gear as it is now.
    stud
        The stud on which it stands; None on or in a vehicle, or out of the battle.
    facing
        0 to 7, 45 degrees each, counter-clockwise from +x (east).
    damage
        Damage points (BOW 2.4.3).
    marked
        Whether a marking brick is beside it (BOW 2.2).
    seat
        The numbers of its vehicle and seat (BOW 3.1).
    guard
        Bricks that custom actions add to its Dodge/Armor until its next turn, at most `MOST_GUARD_BRICKS` (BOW B.2).
    held_up
        Actions that custom actions take from its next turn (BOW B.3).
    """

    sheet: MinifigSheet = field(hash=False)
    stud: Count | None
    facing: Annotated[int, range(8)] = 0
    damage: Count = 0
    marked: bool = False
    seat: tuple[Count, Count] | None = None
    guard: Annotated[int, range(MOST_GUARD_BRICKS + 1)] = 0
    held_up: Count = 0

    @property
    def plays(self) -> bool:
        """Whether it takes part."""
        return self.stud is not None or self.seat is not None

    @property
    def on_foot(self) -> bool:
        """Whether it stands on a stud and belongs to no vehicle."""
        return self.stud is not None and self.seat is None

    @property
    def rides(self) -> bool:
        """Whether it sits on or in a vehicle: it does not walk beside one (BOW 3.1)."""
        return self.stud is None and self.seat is not None

    @property
    def is_dead(self) -> bool:
        """Whether its damage has reached its health (BOW 2.4.3)."""
        return self.damage >= self.sheet.health


@dataclass(frozen=True, slots=True)
class VehicleState:
    """A vehicle at one moment.

    Attributes
    ----------
    x_studs, y_studs, heading_deg
        Its centre and its heading, counter-clockwise from +x.
    speed
        Its current speed (BOW 3.2).
    damage
        Damage points.
    moved
        Whether its compulsory move is done (BOW 3.3).
    gone
        Whether it was destroyed or has left the field.
    driver
        The player who drove it last: the one whose unit was last in the pilot's seat, at first its own (BOW 3.3).
    base_plates
        The height of what it stands on; in the air, of what it took off from (BOW 3.2).
    """

    x_studs: float
    y_studs: float
    heading_deg: float
    speed: Count = 0
    damage: Count = 0
    moved: bool = False
    gone: bool = False
    driver: Count = 0
    base_plates: float = 0.0

    @property
    def centre_studs(self) -> Point:
        """Its centre, on the field."""
        return self.x_studs, self.y_studs
