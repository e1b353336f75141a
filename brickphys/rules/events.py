"""Events: the questions to chance, each with its law and the notation of its outcomes.

The base class is `ChanceEvent`. `Draw` is one of several names, each as likely as its weight: a card, a side, the
target of a shot. `Measurement` is numbers without a law, which physics or a person with a ruler answers. Rolls of
bricks and dice are in `rolls`.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import isfinite
from typing import Any, Self, TypeAlias

from brickphys.errors import InvalidValueError
from brickphys.odds.law import RollLaw
from brickphys.text import counted, shown

Outcome: TypeAlias = int | str | tuple[float, ...]
"""The answer of chance: a score, a name, or several numbers."""

_MAX_DIGITS = 9


class ChanceEvent(ABC):
    """Something that chance decides. Events are values; two that differ only in `reason` are equal."""

    reason: str

    @abstractmethod
    def law(self, brick_law: RollLaw) -> Mapping[Outcome, Fraction]:
        """Return outcome -> probability, exactly, every outcome possible, always in the same order.

        InvalidValueError if no law is known (`Measured`).
        """

    def expected(self, brick_law: RollLaw) -> Mapping[Outcome, Fraction]:
        """Return the law that bots look ahead by; of what is measured, its stand-in.

        InvalidValueError if there is neither a law nor a stand-in.
        """
        return self.law(brick_law)

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
            raise InvalidValueError(f"{text!r} is not an answer to: {self.question}")
        return outcome


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


@dataclass(frozen=True, slots=True)
class Draw(ChanceEvent):
    """One of several names is drawn, each as likely as its weight: a card, a side, a place.

    A shuffled deck needs no order: draw each card, when it is taken, from those that are left.
    """

    help = "type the name that you drew"

    weights: tuple[tuple[str, int], ...]
    """(name, weight) pairs; names are unique, printable and without blanks at their ends, weights positive."""
    reason: str = field(default="", compare=False)
    secret: bool = field(default=False, compare=False)
    """Some player may not know what can be drawn, such as the cards left in a deck: no question lists the names."""
    owner: int | None = field(default=None, compare=False)
    """The only player who sees what is drawn, unless it can be drawn again at once; None if all see it."""

    def __post_init__(self) -> None:
        names = [name for name, _ in self.weights]
        if not names or len(set(names)) < len(names):
            raise InvalidValueError(f"names {names}: a draw needs at least one name, each once")
        for name, weight in self.weights:
            if not name or not name.isprintable() or name.strip() != name:
                raise InvalidValueError(f"name {name!r} is not one printable line")
            if isinstance(weight, bool) or not isinstance(weight, int) or weight < 1:
                raise InvalidValueError(f"weight of {name!r}: {weight!r} is not a positive number")

    @classmethod
    def of(cls, weights: Mapping[str, int], reason: str = "", **more: Any) -> Self:
        """Return the draw from name -> weight, with further fields by name; names of weight 0 are left out."""
        return cls(
            tuple((name, weight) for name, weight in weights.items() if weight), reason, **more
        )

    @classmethod
    def uniform(cls, *names: str, reason: str = "", **more: Any) -> Self:
        """Return the draw of one of these names, all equally likely."""
        return cls(tuple((name, 1) for name in names), reason, **more)

    def law(self, brick_law: RollLaw) -> Mapping[Outcome, Fraction]:
        total = sum(weight for _, weight in self.weights)
        shares = {
            weight: Fraction(weight, total) for weight in {weight for _, weight in self.weights}
        }
        return {name: shares[weight] for name, weight in self.weights}

    def problems(self, outcome: Outcome) -> list[str]:
        possible = outcome in [name for name, _ in self.weights]
        return [] if possible else [f"{outcome!r} is not {self._one_of}"]

    def parse(self, text: str) -> Outcome:
        return self._checked(text, text)

    @property
    def question(self) -> str:
        return f"{self._one_of}{purpose(self.reason)}: which?"

    @property
    def asked(self) -> str:
        """The question; of a secret draw also what is typed, because no names are listed."""
        return f"{self.question} Type {self.wanted}." if self.secret else self.question

    @property
    def wanted(self) -> str:
        return "the name that you drew" if self.secret else "one of these names"

    @property
    def _one_of(self) -> str:
        if self.secret:
            return f"one of {len(self.weights)} names, not listed here"
        return f"one of {', '.join(name for name, _ in self.weights)}"


@dataclass(frozen=True, slots=True)
class Shot(Draw):
    """A shot with a measured law: its target and its effect, each name as likely as its weight.

    The weights come from a table that was measured; a game keeps a digest of that table in the options of its setups,
    so that a replay refuses another one. A source of its own (see `MixedSource`) may shoot anew in place of the table.
    """

    help = "shoot, then type what happened"

    situation: Hashable = None
    """A value that tells such a source the shooter, its place and its target."""

    @property
    def question(self) -> str:
        return f"a shot{purpose(self.reason)}: {self._one_of}?"


class Measured(tuple[float, ...]):
    """Numbers that were measured, with what else was seen, in words; games go by the numbers alone."""

    note: str

    def __new__(cls, numbers: Iterable[float], note: str) -> "Measured":
        """Return the numbers with a note."""
        found = super().__new__(cls, numbers)
        found.note = note
        return found


_NOTE = " | "
"""Stands between numbers and their note."""
_LONGEST_NOTE = 1000


@dataclass(frozen=True, slots=True)
class Measurement(ChanceEvent):
    """Numbers that physics or a person measures; they have limits but no law. A note may follow them."""

    exact = False

    quantities: tuple[tuple[str, float, float], ...]
    """(name with its unit, lowest, highest) of each number."""
    reason: str = field(default="", compare=False)
    stand_in: tuple[float, ...] | None = None
    """The numbers that bots expect, such as those of a simpler rule; None if they cannot look ahead."""
    subject: object = field(default=None, compare=False)
    """A value for the source that measures them; the rules do not look at it."""

    def law(self, brick_law: RollLaw) -> Mapping[Outcome, Fraction]:
        """Raise InvalidValueError: what is measured has no exact law."""
        raise InvalidValueError(
            f"{self._names}{purpose(self.reason)}: measured; there is no exact law"
        )

    def expected(self, brick_law: RollLaw) -> Mapping[Outcome, Fraction]:
        return self.law(brick_law) if self.stand_in is None else {self.stand_in: Fraction(1)}

    def problems(self, outcome: Outcome) -> list[str]:
        if not isinstance(outcome, tuple) or len(outcome) != len(self.quantities):
            return [f"{outcome!r} must contain {self._names}"]
        return [
            f"{name}: {value!r} is outside {low:g}..{high:g}"
            for (name, low, high), value in zip(self.quantities, outcome, strict=True)
            if not is_real(value) or not low <= value <= high
        ]

    def noted(self, numbers: tuple[float, ...], note: str) -> Outcome:
        """Return an outcome with a note; an empty one is none."""
        return Measured(numbers, note) if note else numbers

    def format(self, outcome: Outcome) -> str:
        text = ChanceEvent.format(self, outcome)  # slots make a class that super() does not know
        return f"{text}{_NOTE}{outcome.note}" if isinstance(outcome, Measured) else text

    def parse(self, text: str) -> Outcome:
        text, bar, note = text.partition(_NOTE)
        words, wanted = text.split(" ") if text else [], len(self.quantities)
        try:
            numbers = tuple(map(float, words))
        except ValueError:
            raise InvalidValueError(f"{shown(text)} must contain only numbers.") from None
        if len(numbers) != wanted:
            raise InvalidValueError(
                f"{counted(wanted, 'number')} needed, but {len(numbers)} given."
            )
        if faults := self.problems(numbers):
            raise InvalidValueError(f"{'; '.join(faults)}.")
        if bar and not (note.isprintable() and 0 < len(note.strip()) <= _LONGEST_NOTE):
            raise InvalidValueError(f"the note {shown(note)} is not 1 to {_LONGEST_NOTE} letters.")
        return self.noted(numbers, note)

    @property
    def question(self) -> str:
        limits = ", ".join(f"{name} ({low:g}..{high:g})" for name, low, high in self.quantities)
        return f"{limits}{purpose(self.reason)}: how much?"

    @property
    def asked(self) -> str:
        """The question with a line for each thing: its numbers and their limits."""
        things: dict[str, list[str]] = {}
        for name, low, high in self.quantities:
            thing, _, what = name.rpartition(" ")
            things.setdefault(thing, []).append(f"{what} ({low:g}..{high:g})")
        rows = (
            f"  {thing}{': ' if thing else ''}{' '.join(parts)}" for thing, parts in things.items()
        )
        return "\n".join([f"{self.reason or 'measure'}: where?", *rows, f"Type {self.wanted}."])

    @property
    def wanted(self) -> str:
        example = " ".join(f"{(low + high) / 2:g}" for _, low, high in self.quantities)
        return f"{counted(len(self.quantities), 'number')} in this order on one line, such as: {example}"

    @property
    def help(self) -> str:
        return f"measure it on the table, then type {self.wanted}"

    @property
    def _names(self) -> str:
        return ", ".join(name for name, _, _ in self.quantities)
