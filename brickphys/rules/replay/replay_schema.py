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
    game: str
    version: str
    setup: dict[str, JsonValue]
    players: tuple[str, ...]
    seed: Annotated[int, Field(ge=0, lt=2**53)]
    address: tuple[Index, ...]
    law: str
    stamp: StampDocument | None = None
    state: Digest
    check: Digest


class StepLine(Strict):
    """One move."""

    step: Annotated[int, Field(ge=1)]
    actor: Index | Literal["chance"]
    move: str
    state: Digest
    check: Digest


class EndLine(Strict):
    """The last line."""

    ending: Literal["over", "limit", "interrupted"]
    steps: Index
    returns: tuple[Number, ...] | None
    final: str
    check: Digest


Line = TypeVar("Line", bound=Strict)


def parse_line(text: str, kind: type[Line]) -> Line | list[str]:
    """Return the line, or else every fault of it as ``key: what``."""
    try:
        return kind.model_validate_json(text)
    except ValidationError as error:
        return faults(error, kind)
