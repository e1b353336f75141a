"""Schema: the forms of files of games; loads pydantic.

What all setups have (players and their teams, headings, aims, options of random armies), scenario files, and the lines
of a replay. A game adds its tables, its areas and the meanings of its signs.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Annotated, ClassVar, Generic, Literal, NamedTuple, TypeVar

from pydantic import ConfigDict, Field, FiniteFloat, JsonValue, ValidationError, model_validator

from brickphys.schema import Name, StampDocument, Strict, faults

MAX_PLAYERS = 6

Colour = Literal["red", "blue", "yellow", "orange", "white", "black"]
"""One of `brickphys.rules.record.PLAYER_COLOURS`."""
Heading = Annotated[FiniteFloat, Field(ge=-360, le=360)]


class RuleOptionsDocument(Strict):
    """Options of the rules: each is true or false, or one of some texts; its docstring tells people what it decides."""

    model_config = ConfigDict(use_attribute_docstrings=True)


class PlayerDocument(Strict):
    """A player; those of one team win together."""

    name: Name
    """Name of the player."""
    team: Annotated[int, Field(ge=0, lt=MAX_PLAYERS)] | None = None
    """Number of the team; each has its own if left out."""
    colour: Colour | None = None
    """Colour in maps, pictures and films; the one of its name, or the next free one, if left out."""


Players = Annotated[list[PlayerDocument], Field(min_length=2, max_length=MAX_PLAYERS)]


AtLeastOne = Annotated[int, Field(ge=1, le=1000)]


class AimDocument(Strict):
    """How a team can win, besides being the last."""

    kind: Literal["reach", "carry", "hold", "rounds"]
    """``reach``: named `units`, or any `count` of the team's, are in the area. ``carry``: a unit of the team is there
    with an `item`. ``hold``: only units of the team are there at the end of a number of `rounds` in a row. ``rounds``:
    after a number of `rounds` the team with the most points wins."""
    player: str | None = None
    """Player whose team has the aim; not for `rounds`."""
    units: list[str] = Field(default_factory=list)
    """Units that must all be there, for `reach`."""
    count: AtLeastOne = 1
    """Number of units of the team that must be there, for `reach`, in place of `units`."""
    item: str | None = None
    """Object to carry, for `carry`."""
    rounds: AtLeastOne | None = None
    """Number of rounds, for `hold` and `rounds`."""


MAX_POINTS = 30_000

Ratio = Annotated[FiniteFloat, Field(ge=0.1, le=10)]
RatioRange = Annotated[list[Ratio], Field(min_length=2, max_length=2)]


class RandomArmiesDocument(Strict):
    """How two armies are drawn.

    One army has up to `points` cost points, the other `ratio` times as many: a number, or the ends between which it
    is drawn, log-uniformly. `units` are the units that may be drawn; all that the game knows if left out.
    """

    points: Annotated[int, Field(ge=1, le=MAX_POINTS)] = 120
    ratio: Ratio | RatioRange = Field(1.0, description="a number from 0.1 to 10, or [low, high]")
    units: Annotated[list[str], Field(min_length=1)] | None = None

    @model_validator(mode="after")
    def _ordered(self) -> "RandomArmiesDocument":
        low, high = self.ratios
        if low > high:
            raise ValueError(f"ratio: {low:g} is above {high:g}")
        return self

    @property
    def ratios(self) -> tuple[float, float]:
        """The ends between which the ratio lies."""
        low, high = self.ratio if isinstance(self.ratio, list) else (self.ratio, self.ratio)
        return low, high


MAX_SIDE = 500
"""Squares along a side of a map."""


class Shape(Enum):
    """How the squares of a sign are cut into things; squares are connected by their sides."""

    SQUARE = "each square is one thing"
    RECTANGLE = "the rectangle around connected squares is one thing"
    BLOCKS = "connected squares are cut into a few rectangles, each of them one thing"


class DrawnKind(NamedTuple):
    """A kind of thing that signs stand for: how it is drawn, and the keys of a sign that go with it."""

    shape: Shape
    keys: frozenset[str]


class SignDocument(Strict):
    """The meaning of a sign of a map: at most one thing, on the ground that a game gives it."""

    things: ClassVar[Mapping[str, DrawnKind]] = {}
    """The kinds of things, each by the key that says which one it is."""
    ground_keys: ClassVar[frozenset[str]] = frozenset({"area"})
    """Keys of the ground, which go with anything."""

    area: Name | None = None
    """Name of these squares, used by aims."""
    id: Name | None = None
    """Name of the thing; several are numbered."""

    @property
    def thing(self) -> str | None:
        """The kind of thing that stands there; None for bare ground."""
        return next((kind for kind in self.things if getattr(self, kind) is not None), None)

    @property
    def name(self) -> str:
        """The name of the thing; if there are several, a number is added."""
        return self.id or (getattr(self, self.thing) if self.thing else "")

    @model_validator(mode="after")
    def _is_one_thing(self) -> "SignDocument":
        kinds = [kind for kind in self.things if getattr(self, kind) is not None]
        if len(kinds) > 1:
            raise ValueError(f"{' and '.join(kinds)} at once, but a sign is one thing")
        keys = {
            *self.ground_keys,
            *kinds,
            *(key for kind in kinds for key in self.things[kind].keys),
        }
        if strange := sorted(self.model_fields_set - keys):
            raise ValueError(
                f"{', '.join(strange)}: not for {kinds[0] if kinds else 'bare ground'}"
            )
        return self


S = TypeVar("S", bound=SignDocument)


class TitledDocument(Strict):
    """The keys of every scenario file: title and text. A game adds the tables of its setup."""

    not_lines: ClassVar[frozenset[str]] = frozenset({"text", "map"})

    title: Annotated[str, Field(min_length=1, max_length=80)]
    """Title of the battle."""
    text: Annotated[str, Field(max_length=2000)] = ""
    """Description of the battle."""


class ScenarioDocument(TitledDocument, Generic[S]):
    """The keys of a scenario file with a drawing."""

    map: Annotated[str, Field(max_length=MAX_SIDE * (MAX_SIDE + 1) + 2)] | None = None
    """The drawing. Each sign is a stud or square; the first row is the north."""
    legend: dict[str, S] = Field(default_factory=dict)
    """Sign → what it stands for."""


Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]
Number = Annotated[str, Field(max_length=80, pattern=r"^-?[0-9]+(/[1-9][0-9]*)?$")]
Index = Annotated[int, Field(ge=0)]


class HeaderLine(Strict):
    """The first line."""

    not_lines: ClassVar[frozenset[str]] = frozenset({"setup"})

    schema_: Literal["brickphys.replay/1"] = Field(alias="schema")
    """The format and its version."""
    game: str
    """The game."""
    version: str
    """The version of the game."""
    setup: dict[str, JsonValue]
    """The whole setup."""
    players: tuple[str, ...]
    """Players: names of bots, or `person`."""
    seed: Annotated[int, Field(ge=0, lt=2**53)]
    """Root seed."""
    address: tuple[Index, ...]
    """Numbers that give the random numbers of this game, together with the seed."""
    law: str
    """The law of the bricks, in words."""
    stamp: StampDocument | None = None
    """Stamp of the program that computed the game."""
    state: Digest
    """Digest of the first state."""
    check: Digest
    """Digest of this line."""


class StepLine(Strict):
    """One move."""

    step: Annotated[int, Field(ge=1)]
    """Number of the move, from 1."""
    actor: Index | Literal["chance"]
    """Index of the player, or `chance`."""
    move: str
    """The action or the outcome, in the notation of the game."""
    state: Digest
    """Digest of the state after it."""
    check: Digest
    """Digest of this line and the one before."""


class EndLine(Strict):
    """The last line."""

    ending: Literal["over", "limit", "interrupted"]
    """Whether the game is over, reached the limit, or was interrupted."""
    steps: Index
    """Number of moves."""
    returns: tuple[Number, ...] | None
    """Value of the game for each player."""
    final: str
    """The last state, in the notation of the game."""
    verdict: Annotated[str, Field(max_length=1000)] = ""
    """How players have ended the game without its rules: who gave up, or a draw."""
    check: Digest
    """Digest of this line and the one before."""


Line = TypeVar("Line", bound=Strict)


def parse_line(text: str, kind: type[Line]) -> Line | list[str]:
    """Return the line, or else every fault of it as ``key: what``."""
    try:
        return kind.model_validate_json(text)
    except ValidationError as error:
        return faults(error, kind)
