"""The schema of the lines of a replay; loads pydantic, so only reading a replay imports it."""

from typing import Annotated, ClassVar, Literal, TypeVar

from pydantic import Field, JsonValue, ValidationError

from brickphys.schema import StampDocument, Strict, faults

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
    check: Digest
    """Digest of this line and the one before."""


Line = TypeVar("Line", bound=Strict)


def parse_line(text: str, kind: type[Line]) -> Line | list[str]:
    """Return the line, or else every fault of it as ``key: what``."""
    try:
        return kind.model_validate_json(text)
    except ValidationError as error:
        return faults(error, kind)
