"""The form of scenario files: a game adds its tables, and the meanings of its signs; loads pydantic."""

from collections.abc import Mapping
from enum import Enum
from typing import Annotated, ClassVar, Generic, NamedTuple, TypeVar

from pydantic import Field, model_validator

from brickphys.schema import Name, Strict

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
