"""Measured: numbers without a law, answered by physics or by a person with a ruler."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from brickphys.errors import InvalidValueError
from brickphys.odds.law import RollLaw
from brickphys.rules.events.event import ChanceEvent, Outcome, is_real, purpose
from brickphys.text import counted, shown


@dataclass(frozen=True, slots=True)
class Measured(ChanceEvent):
    """Numbers that physics or a person measures; they have limits but no law.

    Attributes
    ----------
    quantities
        (name with its unit, lowest, highest) of each number.
    reason
        Its purpose, in words.
    stand_in
        The numbers that bots expect, such as those of a simpler rule; None if they cannot look ahead.
    subject
        A value for the source that measures them; the rules do not look at it.
    """

    exact = False

    quantities: tuple[tuple[str, float, float], ...]
    reason: str = field(default="", compare=False)
    stand_in: tuple[float, ...] | None = None
    subject: object = field(default=None, compare=False)

    def law(self, brick_law: RollLaw) -> Mapping[Outcome, Fraction]:
        """Raise InvalidValueError: what is measured has no exact law."""
        raise InvalidValueError(
            f"{self._names}{purpose(self.reason)}: measured; there is no exact law"
        )

    def problems(self, outcome: Outcome) -> list[str]:
        """Return which numbers are missing or beyond their limits."""
        if not isinstance(outcome, tuple) or len(outcome) != len(self.quantities):
            return [f"{outcome!r} must contain {self._names}"]
        return [
            f"{name}: {value!r} is outside {low:g}..{high:g}"
            for (name, low, high), value in zip(self.quantities, outcome, strict=True)
            if not is_real(value) or not low <= value <= high
        ]

    def parse(self, text: str) -> Outcome:
        """Read the numbers, with a blank between them."""
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
        return numbers

    @property
    def question(self) -> str:
        """The question to a person."""
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
        """How many numbers, with an example."""
        example = " ".join(f"{(low + high) / 2:g}" for _, low, high in self.quantities)
        return f"{counted(len(self.quantities), 'number')} in this order on one line, such as: {example}"

    @property
    def help(self) -> str:
        """How a person answers it."""
        return f"measure it on the table, then type {self.wanted}"

    @property
    def _names(self) -> str:
        return ", ".join(name for name, _, _ in self.quantities)
