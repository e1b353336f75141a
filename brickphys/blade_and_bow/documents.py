"""The form of setups and scenario files, and what the signs of a map mean; loads pydantic."""

from collections.abc import Iterator, Mapping
from string import ascii_uppercase
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Field, model_validator

from brickphys.blade_and_bow.setting import square_names
from brickphys.blade_and_bow.sheets import charts
from brickphys.grid.grid import Grid
from brickphys.rules import schema
from brickphys.rules.scenario_file import Drawing, DrawnThing, ScenarioFormat
from brickphys.schema import Name, Strict
from brickphys.text import shown

MAX_COLUMNS = len(ascii_uppercase)
MAX_ROWS = 99
Columns = Annotated[int, Field(ge=2, le=MAX_COLUMNS)]
Rows = Annotated[int, Field(ge=2, le=MAX_ROWS)]
MOST_RANKS = 6
"""The highest density marker (BB 2.3.2.8 and 17)."""


def _check_square(name: str) -> str:
    column, row = name[:1], name[1:]
    if column not in ascii_uppercase or not (row.isdigit() and row[0] != "0") or len(row) > 2:
        raise ValueError(f"{shown(name)} is not a square: a column A to Z, then a row from 1")
    return name


SquareName = Annotated[str, AfterValidator(_check_square)]
Facing = Literal["e", "ne", "n", "nw", "w", "sw", "s", "se"]
Ranks = Annotated[int, Field(ge=0, le=MOST_RANKS)]
Die = Annotated[int, Field(ge=1, le=6)]
Column = Annotated[str, Field(pattern="^[A-Z]$", description="a column, A to Z")]


class ArmyDocument(Strict):
    """A player and the numbers of its army (BB 14.2 to 14.4); the first one is player 0."""

    name: Name
    """Name of the player."""
    colour: schema.Colour | None = None
    """Colour in maps, pictures and films; the one of its name, or the next free one, if left out."""
    impulses: Annotated[int, Field(ge=1, le=12)]
    """Impulses a turn."""
    rout_level: Annotated[int, Field(ge=1, le=200)]
    """Level of losses at which the army routs."""
    ranks: Ranks = 0
    """Ranks of each unit that has a density marker."""
    most_ranks: Ranks | None = None
    """Ranks that the player may give a unit before the battle, at most."""
    camp: Annotated[list[SquareName], Field(min_length=1)] = Field(default_factory=list)
    """Squares where the camp may be, the printed one first."""
    camp_decides: Literal["", "end_of_turn", "at_once"] = ""
    """When the loss of the camp ends the battle, if at all."""
    shield_walls: bool = False
    """Whether its units may form shield walls."""


class PartialFieldDocument(Strict):
    """The field, of which a map may show the size and the ground."""

    width: Columns | None = None
    """Columns; from the map if there is one."""
    length: Rows | None = None
    """Rows; from the map if there is one."""
    ground: dict[str, list[SquareName]] = Field(default_factory=dict)
    """Terrain → squares of it; all others are clear."""
    walls: list[Annotated[list[SquareName], Field(min_length=2, max_length=2)]] = Field(
        default_factory=list
    )
    """Pairs of squares with a wall between them."""


class FieldDocument(PartialFieldDocument):
    """The field of a setup."""

    width: Columns
    length: Rows


class UnitDocument(Strict):
    """A unit."""

    name: Name
    """Its name."""
    player: str
    """Its player."""
    kind: str
    """What it is."""
    square: SquareName | None = None
    """Where it stands; without one it is a reinforcement."""
    facing: Facing = "n"
    """Direction that it faces."""
    ranks: Ranks | None = None
    """Its ranks, in place of those of its army."""


class LeaderDocument(Strict):
    """A leader (BB 2.3.1)."""

    name: Name
    """Its name."""
    player: str
    """Its player."""
    rank: Annotated[int, Field(ge=1, le=9)]
    """Command rank."""
    range_points: Annotated[int, Field(ge=0, le=60)]
    """Range of command, in points."""
    value: Die
    """Value in combat."""
    colour: Literal["white", "black", "red", "yellow"]
    """Colour of the counter."""
    square: SquareName | None = None
    """Where it stands; without one it comes later."""


class EntryDocument(Strict):
    """Where the first player's reinforcements come for some results of the die."""

    rolls: Annotated[list[Die], Field(min_length=1)]
    """Results of the die."""
    squares: Annotated[list[SquareName], Field(min_length=1)]
    """Where reinforcements come."""
    facing: Facing
    """Direction that they face."""


class SpecialDocument(Strict):
    """The special rules of a scenario (BB 14.5)."""

    path: list[SquareName] = Field(default_factory=list)
    """Squares of a path that the second player has to discover."""
    limit_columns: Annotated[list[Column], Field(min_length=2, max_length=2)] | None = None
    """First and last of the columns that the second player's units may not enter before the path is discovered."""
    gates: list[SquareName] = Field(default_factory=list)
    """Squares between which no unit moves diagonally, in or out, while a unit is in one of them."""
    mortal: str | None = None
    """Leader whose death gives the enemy a major victory at the end of the turn."""
    minor_to: str | None = None
    """Player who has a minor victory if nobody else has won."""
    entries: list[EntryDocument] = Field(default_factory=list)
    """Where the first player's reinforcements come."""


class OptionsDocument(schema.RuleOptionsDocument):
    """Choices between readings of the rules."""

    free_setup: bool = True
    """Whether players choose what the book lets them choose before the battle."""


class BattleTables(Strict):
    """The tables of a battle."""

    players: Annotated[list[ArmyDocument], Field(min_length=2, max_length=2)]
    """The two armies."""
    initiative: str
    """Player who has the initiative first, and keeps it in a tie (BB 5.3)."""
    field: PartialFieldDocument = PartialFieldDocument()
    """The field."""
    units: list[UnitDocument] = Field(default_factory=list)
    """Units, besides those on the map."""
    leaders: list[LeaderDocument] = Field(default_factory=list)
    """Leaders."""
    special: SpecialDocument = SpecialDocument()
    """Special rules."""
    options: OptionsDocument = OptionsDocument()
    """Options of the rules."""


class SetupDocument(BattleTables):
    """A setup: the tables with a whole field."""

    field: FieldDocument
    units: Annotated[list[UnitDocument], Field(min_length=2)]


class VariantDocument(Strict):
    """A battle that ships `without` some of its units, and with the ground of some kinds made `clear`."""

    scenario: str
    without: list[str] = Field(default_factory=list)
    clear: list[str] = Field(default_factory=list)


_CLEAR = "clear"


class SquareSign(schema.SignDocument):
    """What a sign stands for: the ground, and at most one unit on it."""

    things: ClassVar[Mapping[str, schema.DrawnKind]] = {
        "unit": schema.DrawnKind(
            schema.Shape.SQUARE, frozenset({"id", "player", "facing", "ranks"})
        )
    }
    ground_keys: ClassVar[frozenset[str]] = frozenset({"ground", "area"})

    ground: str = _CLEAR
    """Terrain of the square."""
    unit: str | None = None
    """A unit of this kind."""
    player: str | None = None
    """Whose unit it is."""
    facing: Facing = "n"
    """Direction that the unit faces."""
    ranks: Ranks | None = None
    """Its ranks, in place of those of its army."""

    @model_validator(mode="after")
    def _fits(self) -> "SquareSign":
        if self.unit and self.player is None:
            raise ValueError("player: missing")
        return self


class BattleScenarioDocument(BattleTables, schema.ScenarioDocument[SquareSign]):
    """A scenario file: title, text, a drawing, and the tables of a battle; written units come after drawn ones."""

    @model_validator(mode="after")
    def _has_columns(self) -> "BattleScenarioDocument":
        wide = max(map(len, (self.map or "").split("\n")))
        if wide > MAX_COLUMNS:
            raise ValueError(f"map: {wide} columns, and {MAX_COLUMNS} letters for them")
        return self


class BattleFormat(ScenarioFormat[SquareSign]):
    """A square of the map is a square of the game."""

    document = BattleScenarioDocument
    usual: Mapping[str, SquareSign] = {
        ground.sign: SquareSign(ground=name) for name, ground in charts().terrain.items()
    }
    drawn_keys = ("field.width", "field.length", "field.ground")

    def square_name(self, x: int, y: int, rows: int) -> str:
        """Return the name of a square: column A is in the west, row 1 in the north."""
        return f"{ascii_uppercase[x]}{rows - y}"

    def tables(self, drawing: Drawing[SquareSign]) -> Mapping[str, Mapping[str, Any]]:
        """Return the size of the map, and its squares that are not clear by their terrain."""
        width, length = len(drawing.rows[0]), len(drawing.rows)
        found: dict[str, list[str]] = {}
        signs = (sign for row in drawing.rows for sign in row)
        for name, sign in zip(square_names(Grid(width, length)), signs, strict=True):
            if sign.ground != _CLEAR:
                found.setdefault(sign.ground, []).append(name)
        return {"field": {"width": width, "length": length, "ground": found}}

    def entries(self, thing: DrawnThing[SquareSign]) -> Iterator[tuple[str, Any]]:
        sign = thing.sign
        square = f"{ascii_uppercase[thing.rectangle.x]}{thing.row}"
        unit = {"name": thing.name, "player": sign.player, "kind": sign.unit}
        ranks = {} if sign.ranks is None else {"ranks": sign.ranks}
        yield "units", {**unit, "square": square, "facing": sign.facing, **ranks}
