"""The form of a setup; loads pydantic."""

from string import ascii_uppercase
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

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
        raise ValueError(f"{shown(name)} is no square: a column A to Z, then a row from 1")
    return name


SquareName = Annotated[str, AfterValidator(_check_square)]
Facing = Literal["e", "ne", "n", "nw", "w", "sw", "s", "se"]
Ranks = Annotated[int, Field(ge=0, le=MOST_RANKS)]
Die = Annotated[int, Field(ge=1, le=6)]
Column = Annotated[str, Field(pattern="^[A-Z]$", description="a column, A to Z")]


class ArmyDocument(Strict):
    """A player and the numbers of its army (BB 14.2 to 14.4); the first one is player 0.

    `ranks` are those of each of its units that has a density marker, of which none may be given more than `most_ranks`
    before the battle. `camp` has the squares where its camp may be, the printed one first.
    """

    name: Name
    impulses: Annotated[int, Field(ge=1, le=12)]
    rout_level: Annotated[int, Field(ge=1, le=200)]
    ranks: Ranks = 0
    most_ranks: Ranks | None = None
    camp: Annotated[list[SquareName], Field(min_length=1)] = Field(default_factory=list)
    camp_decides: Literal["", "end_of_turn", "at_once"] = ""
    shield_walls: bool = False


class WrittenField(Strict):
    """The field: its size, which a map may give, the squares that are not clear by their terrain, and walls.

    A wall stands between the two squares of each pair.
    """

    width: Columns | None = None
    length: Rows | None = None
    ground: dict[str, list[SquareName]] = Field(default_factory=dict)
    walls: list[Annotated[list[SquareName], Field(min_length=2, max_length=2)]] = Field(
        default_factory=list
    )


class FieldDocument(WrittenField):
    """The field of a setup."""

    width: Columns
    length: Rows


class UnitDocument(Strict):
    """A unit; without a square it is a reinforcement. `ranks` replaces those of its army."""

    name: Name
    player: str
    kind: str
    square: SquareName | None = None
    facing: Facing = "n"
    ranks: Ranks | None = None


class LeaderDocument(Strict):
    """A leader (BB 2.3.1): its command rank, range in points, value and colour; without a square it comes later."""

    name: Name
    player: str
    rank: Annotated[int, Field(ge=1, le=9)]
    range_points: Annotated[int, Field(ge=0, le=60)]
    value: Die
    colour: Literal["white", "black", "red", "yellow"]
    square: SquareName | None = None


class EntryDocument(Strict):
    """Where the first player's reinforcements come for some results of the die, and their facing."""

    rolls: Annotated[list[Die], Field(min_length=1)]
    squares: Annotated[list[SquareName], Field(min_length=1)]
    facing: Facing


class SpecialDocument(Strict):
    """The special rules of a scenario (BB 14.5).

    `path` is one that the second player has to discover; until then none of its units enters the columns from the first
    to the last of `limit_columns`. Nobody moves diagonally into or out of `gates` while a unit is in one. The death of
    the leader `mortal` gives the enemy a major victory at the end of the turn. `minor_to` is the player who has a minor
    victory if nobody else has won.
    """

    path: list[SquareName] = Field(default_factory=list)
    limit_columns: Annotated[list[Column], Field(min_length=2, max_length=2)] | None = None
    gates: list[SquareName] = Field(default_factory=list)
    mortal: str | None = None
    minor_to: str | None = None
    entries: list[EntryDocument] = Field(default_factory=list)


class OptionsDocument(Strict):
    """Choices between readings of the rules."""

    free_setup: bool = True


class BattleTables(Strict):
    """The tables of a battle. `initiative` names the player who holds it first, and keeps it in a tie (BB 5.3)."""

    players: Annotated[list[ArmyDocument], Field(min_length=2, max_length=2)]
    initiative: str
    field: WrittenField = WrittenField()
    units: list[UnitDocument] = Field(default_factory=list)
    leaders: list[LeaderDocument] = Field(default_factory=list)
    special: SpecialDocument = SpecialDocument()
    options: OptionsDocument = OptionsDocument()


class SetupDocument(BattleTables):
    """A setup: the tables with a whole field."""

    field: FieldDocument
    units: Annotated[list[UnitDocument], Field(min_length=2)]


class VariantDocument(Strict):
    """A battle that ships `without` some of its units, and with the ground of some kinds made `clear`."""

    scenario: str
    without: list[str] = Field(default_factory=list)
    clear: list[str] = Field(default_factory=list)
