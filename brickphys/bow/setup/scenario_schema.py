"""The schema of a scenario file of BOW, a setup that is easy to write by hand; loads pydantic."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

from pydantic import Field, model_validator

from brickphys.bow.setup.setup_schema import (
    BattleTables,
    DecorName,
    Facing,
    Height,
    SetupVehicle,
    Speed,
    WrittenAim,
)
from brickphys.rules.scenario.schema import DrawnKind, ScenarioDocument, Shape, SignDocument
from brickphys.rules.setup.setup_schema import Heading

Crew = dict[str, str]
"""Sheets by seat."""


class BattleSign(SignDocument):
    """What a sign stands for: the height of the ground in bricks, and at most one thing on it.

    Heights of decor are plates over its ground.
    """

    things: ClassVar[Mapping[str, DrawnKind]] = {
        "decor": DrawnKind(
            Shape.BLOCKS, frozenset({"id", "bottom", "top", "locked", "open", "color"})
        ),
        "unit": DrawnKind(Shape.SQUARE, frozenset({"id", "player", "facing"})),
        "vehicle": DrawnKind(
            Shape.RECTANGLE, frozenset({"id", "player", "heading_deg", "speed", "crew"})
        ),
        "item": DrawnKind(Shape.SQUARE, frozenset()),
    }
    ground_keys: ClassVar[frozenset[str]] = frozenset({"ground", "area"})

    ground: Annotated[int, Field(ge=-100, le=100)] = 0
    """Height of the ground, in bricks."""
    decor: DecorName | None = None
    """A piece of decor of this kind."""
    unit: str | None = None
    """A unit with this sheet."""
    vehicle: str | None = None
    """A vehicle with this sheet; draw its whole block."""
    item: str | None = None
    """An object."""
    bottom: Height | None = None
    """Height of the underside of decor above the ground, in plates."""
    top: Height | None = None
    """Height of the top of decor above the ground, in plates."""
    locked: bool = False
    """Whether a door or window is locked."""
    open: bool = False
    """Whether a door or window is open."""
    color: str = ""
    """Colour of decor."""
    player: str | None = None
    """Player of the unit or vehicle."""
    facing: Facing = "e"
    """Direction that the unit faces."""
    heading_deg: Heading = 0.0
    """Heading of the vehicle, in degrees counter-clockwise from the east."""
    speed: Speed = 0
    """Speed of the vehicle."""
    crew: Crew = Field(default_factory=dict)
    """Crew of a vehicle: seat → sheet of the unit in it."""

    @property
    def name(self) -> str:
        """Its id; else of a unit the player and the sheet, of other things what they are."""
        return f"{self.player}_{self.unit}" if self.unit and not self.id else super().name

    @model_validator(mode="after")
    def _fits(self) -> "BattleSign":
        if self.thing in ("unit", "vehicle") and self.player is None:
            raise ValueError("player: missing")
        if (self.locked or self.open) and self.decor not in ("door", "window"):
            raise ValueError("only doors and windows can be locked or open")
        return self


class CrewedVehicle(SetupVehicle):
    """A vehicle with the units that begin in it."""

    crew: Crew = Field(default_factory=dict)
    """Seat → sheet of the unit in it."""


class BattleScenarioDocument(BattleTables[CrewedVehicle, WrittenAim], ScenarioDocument[BattleSign]):
    """A scenario file: title, text, a drawing, and the tables of a battle; written entries come after drawn ones."""
