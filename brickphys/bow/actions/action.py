"""Action: what a player can do, and how it is written: a word and its arguments, with blanks between them."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, TypeVar

from brickphys.bow.state.state import State
from brickphys.errors import InvalidValueError
from brickphys.grid.directions import FACING_NAMES

Cell = tuple[int, int]
"""Column and row of a stud."""

A = TypeVar("A", bound="Action")


@dataclass(frozen=True)
class Argument:
    """One word after the first: how it reads, the pattern of its text, and how its value is made and written."""

    about: str
    pattern: str
    read: Callable[[str], Any]
    write: Callable[[Any], str] = str

    def parse(self, text: str) -> Any:
        """Return the value; InvalidValueError if the text is none, or not how the value is written."""
        if re.fullmatch(self.pattern, text, re.ASCII):
            value = self.read(text)
            if self.write(value) == text:
                return value
        raise InvalidValueError(f"{text!r} is no {self.about}")


def _cell(text: str) -> Cell:
    x, y = text.split(",")
    return int(x), int(y)


NAME = Argument("name", r"[a-z][a-z0-9_+]{0,99}", str)
CELL = Argument("stud such as 12,7", r"\d{1,4},\d{1,4}", _cell, lambda cell: f"{cell[0]},{cell[1]}")
FACING = Argument(
    f"facing ({', '.join(FACING_NAMES)})",
    "|".join(FACING_NAMES),
    FACING_NAMES.index,
    lambda facing: FACING_NAMES[facing],
)
SPEED = Argument("speed", r"\d{1,2}", int)
ANGLE = Argument("angle in degrees", r"-?\d{1,3}(\.\d{1,6})?", float, lambda angle: f"{angle:.10g}")


@dataclass(frozen=True, slots=True)
class Action(ABC):
    """One kind of action is a class, one action a value of it.

    Attributes
    ----------
    word
        The first word of its notation.
    arguments
        The others, one for each field.
    """

    word: ClassVar[str]
    arguments: ClassVar[tuple[Argument, ...]] = ()

    @classmethod
    @abstractmethod
    def candidates(cls: type[A], state: State) -> Iterable[A]:
        """Yield what may be legal; what is legal of it is listed."""

    @abstractmethod
    def problems(self, state: State) -> Iterator[str]:
        """Yield every reason why it is illegal, each with its section of the book."""

    @abstractmethod
    def apply(self, state: State) -> State:
        """Return the state after it."""

    @classmethod
    def options(cls: type[A], state: State) -> Iterator[A]:
        """Yield the legal actions of this kind."""
        return (
            action
            for action in cls.candidates(state)
            if next(iter(action.problems(state)), None) is None
        )

    @classmethod
    def is_possible(cls, state: State) -> bool:
        """Tell whether there is any legal action of this kind."""
        return next(cls.options(state), None) is not None

    def values(self) -> tuple[Any, ...]:
        """Return the values of its fields."""
        return tuple(getattr(self, entry.name) for entry in fields(self))

    def text(self) -> str:
        """Write it as one line."""
        pairs = zip(self.arguments, self.values(), strict=True)
        return " ".join([self.word, *(argument.write(value) for argument, value in pairs)])

    @classmethod
    def parse(cls: type[A], words: Sequence[str]) -> A:
        """Read the arguments; InvalidValueError, naming what is wrong, if they are none."""
        if len(words) != len(cls.arguments):
            named = zip(fields(cls), cls.arguments, strict=True)
            parts = (entry.name if arg is NAME else arg.about for entry, arg in named)
            wanted = ", ".join(parts) or "nothing"
            here = repr(" ".join(words)) if words else "nothing"
            raise InvalidValueError(f"{cls.word!r} is followed by {wanted}, not by {here}")
        return cls(*(arg.parse(word) for arg, word in zip(cls.arguments, words, strict=True)))


class TurnAction(Action):
    """Something that a unit does in its turn."""

    def cost(self, state: State) -> int:  # noqa: ARG002 - what most actions cost
        """Return what it takes from the Action Budget (BOW 2.3)."""
        return 1
