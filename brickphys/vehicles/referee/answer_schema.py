"""The schema of an answer: its keys and their types, those of `brickphys collide --json`; loads pydantic."""

from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from brickphys.schema import NumberOrText, Strict, validated

_Pair = Annotated[list[float], Field(min_length=2, max_length=2)]


class HitAnswer(Strict):
    """One thing that is hit; at least its id, and the distance or the angle of the turn."""

    id: NumberOrText
    """`id` of the thing."""
    distance: float | None = None
    """Studs travelled in its piece at the first touch; in a turn `null` or left out."""
    turned_deg: float | None = None
    """Degrees turned in its piece, counter-clockwise; in a straight piece `null` or left out."""
    piece: Annotated[int, Field(ge=0)] | None = None
    """Number of the piece of the course, from 0."""
    point: _Pair | None = None
    """Middle of the contact, in studs."""
    normal: _Pair | None = None
    """Direction out of the thing that is hit."""
    impact_deg: float | None = None
    """Angle between the way and the face that is struck."""
    sector: str | None = None
    """Side from which a vehicle is hit."""
    relative_speed: int | None = None
    """By sector for vehicles, else the mover's speed."""
    bricks: int | None = None
    """The same."""
    kind: str | None = None
    """Not judged: `unit`, `decor` or `vehicle`."""
    struck_by: str | None = None
    """Not judged: which of the lashed vehicles strikes."""
    part: str | None = None
    """Not judged: name of the part of the thing."""
    struck_part: str | None = None
    """Not judged: name of the part of the mover."""
    edge: list[_Pair] | None = None
    """Not judged: ends of the edge that is touched."""
    pose: dict[str, float] | None = None
    """Not judged: pose of the mover at the touch."""
    within: float | None = None
    """Not judged: how exactly the place is known, in answers of the corpus."""

    @model_validator(mode="after")
    def _has_a_place(self) -> Self:
        if self.distance is None and self.turned_deg is None:
            raise ValueError("neither distance nor turned_deg is given")
        return self


class MoveAnswer(Strict):
    """How the move ends; every key may be left out."""

    travelled: float | None = None
    """Studs travelled in all straight pieces."""
    stopped_by: list[NumberOrText] | None = None
    """`id` of the things that stop the mover."""
    leaves_field: bool | None = None
    """Whether its centre leaves the field."""
    vehicle: str | None = None
    """Not judged: `id` of the mover."""
    distance: float | None = None
    """Not judged: length of the whole way."""
    pieces: list[dict[str, Any]] | None = None
    """Not judged: what each piece came to."""
    end: dict[str, float] | None = None
    """Not judged: pose of the mover at the end."""
    lashed: list[str] | None = None
    """Not judged: what moves along."""


class AnswerDocument(Strict):
    """What a mover hits in one scene. Only what is given is judged."""

    hits: list[HitAnswer]
    """What it hits, in order."""
    move: MoveAnswer = Field(default_factory=MoveAnswer)
    """How the move ends."""
    clearances: list[dict[str, Any]] | None = None
    """Not judged: near misses."""
    undecided: list[str] | None = None
    """Not judged: what the tolerance decides about, in answers of the corpus."""
    encounters: list[dict[str, Any]] | None = None
    """Not judged: when vehicles with trajectories touch."""


def answer_of(content: Any, name: str) -> AnswerDocument:
    """Return an answer; its name begins the message of an error. InvalidValueError with every fault of form."""
    return validated(AnswerDocument, content, name)
