"""Event: the base class of chance events: a law, a question, and the notation of outcomes."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from fractions import Fraction
from math import isfinite
from typing import TypeAlias

from brickphys.errors import InvalidValueError
from brickphys.odds.law import RollLaw

Outcome: TypeAlias = int | str | tuple[float, ...]
"""The answer of chance: a score, a name, or several numbers."""

_MAX_DIGITS = 9


class ChanceEvent(ABC):
    """Something that chance decides. Events are values; two that differ only in `reason` are equal."""

    reason: str

    @abstractmethod
    def law(self, brick_law: RollLaw) -> Mapping[Outcome, Fraction]:
        """Return outcome -> probability, exactly, every outcome possible, always in the same order.

        Parameters
        ----------
        brick_law
            The law of a roll of bricks.

        Raises
        ------
        InvalidValueError
            If no law is known (`Measured`).
        """

    @abstractmethod
    def problems(self, outcome: Outcome) -> list[str]:
        """Return why this outcome is impossible; empty if it is possible."""

    @abstractmethod
    def parse(self, text: str) -> Outcome:
        """Read an outcome; InvalidValueError, naming the text, if it is none of this event."""

    @property
    @abstractmethod
    def question(self) -> str:
        """What is rolled, a colon, and the question to who rolls, draws or measures; all players may hear it."""

    @property
    def asked(self) -> str:
        """The question as it is put to a person at the keyboard, in as many lines as it needs."""
        return self.question

    @property
    def wanted(self) -> str:
        """The form of the answer, in words."""
        return "the numbers in the order of the question, with a blank between them"

    @property
    def help(self) -> str:
        """How a person answers it."""
        return "type the numbers in the order of the question, with a blank between them"

    @property
    def exact(self) -> bool:
        """Whether the event has a law."""
        return True

    def told(self, text: str) -> str:
        """Return the text of an outcome as a story has it behind what is rolled and a colon."""
        return text

    def format(self, outcome: Outcome) -> str:
        """Write an outcome as one line: numbers are separated by a blank."""
        if isinstance(outcome, tuple):
            return " ".join(map(repr, outcome))
        return str(outcome)

    def entry(self, outcome: Outcome) -> tuple[float, str]:
        """Return the sort key of an outcome in a list of odds, and its words there; equal words are one entry."""
        return 0.0, self.format(outcome)

    def _checked(self, outcome: Outcome, text: str) -> Outcome:
        if self.problems(outcome):
            raise self._unreadable(text)
        return outcome

    def _unreadable(self, text: str) -> InvalidValueError:
        return InvalidValueError(f"{text!r} is not an answer to: {self.question}")


def is_whole(value: object, low: int, high: int) -> bool:
    """Tell whether a value is a whole number within limits."""
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def is_real(value: object) -> bool:
    """Tell whether a value is a finite number."""
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def whole(text: str) -> int:
    """Return the number that digits spell; -1, an outcome of no event, if they spell none."""
    plain = text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS
    return int(text) if plain and str(int(text)) == text else -1


def purpose(reason: str) -> str:
    """Return the reason of an event in brackets; empty if none is given."""
    return f" ({reason})" if reason else ""
