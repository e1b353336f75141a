"""Dice: like dice thrown together, with their faces or the counts of classes of faces."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, factorial, prod

from brickphys.errors import InvalidValueError
from brickphys.odds.law import RollLaw
from brickphys.rules.events.event import ChanceEvent, Outcome, is_whole, purpose, whole
from brickphys.text import counted

MAX_DICE = 20
MAX_SIDES = 1000
MAX_SHOWN = 100_000
"""The most outcomes of a roll of dice: their law is a list."""


@dataclass(frozen=True, slots=True)
class DiceRoll(ChanceEvent):
    """Like dice thrown together; the outcome is their faces in ascending order, since like dice have no order.

    Attributes
    ----------
    dice
        How many, 1..20.
    sides
        Faces of each, 2..1000.
    reason
        Its purpose, in words.
    """

    help = "throw the dice and type the number on each, with a blank between them"

    dice: int = 1
    sides: int = 6
    reason: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if not is_whole(self.sides, 2, MAX_SIDES):
            raise InvalidValueError(f"sides: {self.sides!r} is outside 2..{MAX_SIDES}")
        _check_dice(self.dice, self.sides)

    def law(self, brick_law: RollLaw) -> Mapping[Outcome, Fraction]:
        """Return their faces, ascending -> probability (the multinomial law)."""
        faces = range(1, self.sides + 1)
        total = self.sides**self.dice
        return {
            shown: Fraction(_orders(Counter(shown).values()), total)
            for shown in combinations_with_replacement(faces, self.dice)
        }

    def problems(self, outcome: Outcome) -> list[str]:
        """Return why the dice cannot show this."""
        if not isinstance(outcome, tuple) or len(outcome) != self.dice:
            return [f"{outcome!r} is not a result of {counted(self.dice, 'die', 'dice')}"]
        wrong = [face for face in outcome if not is_whole(face, 1, self.sides)]
        if wrong:
            return [f"{face!r} is not a face of a die with {self.sides} faces" for face in wrong]
        return (
            [] if list(outcome) == sorted(outcome) else [f"{outcome!r} is not in ascending order"]
        )

    def parse(self, text: str) -> Outcome:
        """Read faces with a blank between them, in any order."""
        return self._checked(tuple(sorted(map(whole, text.split(" ")))), text)

    @property
    def question(self) -> str:
        """The question to a person."""
        return f"{counted(self.dice, 'die', 'dice')} with {self.sides} faces{purpose(self.reason)}: what is shown?"

    @property
    def wanted(self) -> str:
        """A number for each die."""
        if self.dice == 1:
            return f"a number from 1 to {self.sides}"
        return f"{self.dice} numbers from 1 to {self.sides} with a blank between them"


@dataclass(frozen=True, slots=True)
class Tally(ChanceEvent):
    """Like dice thrown together and counted by classes of faces; the outcome is the count of each class.

    Where only hits, blanks and cancels matter, eight dice have 45 outcomes in place of the 1,287 of `DiceRoll`.

    Attributes
    ----------
    dice
        How many, 1..20.
    classes
        (name, faces) of each class: how many faces of a die belong to it, 1 or more. Every face belongs to one class.
    reason
        Its purpose, in words.
    """

    dice: int
    classes: tuple[tuple[str, int], ...]
    reason: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        names = [name for name, _ in self.classes]
        if len(names) < 2 or len(set(names)) < len(names):
            raise InvalidValueError(
                f"classes {names}: dice need at least two classes of faces, each named once"
            )
        for name, faces in self.classes:
            if not is_whole(faces, 1, MAX_SIDES):
                raise InvalidValueError(f"faces of {name!r}: {faces!r} is outside 1..{MAX_SIDES}")
        _check_dice(self.dice, len(names))

    @classmethod
    def of(cls, dice: int, reason: str = "", **faces: int) -> "Tally":
        """Return the roll from the faces of each class: ``Tally.of(8, "melee", hits=2, blanks=2, cancels=2)``."""
        return cls(dice, tuple(faces.items()), reason)

    def law(self, brick_law: RollLaw) -> Mapping[Outcome, Fraction]:
        """Return the counts of the classes -> probability (the multinomial law)."""
        faces = [faces for _, faces in self.classes]
        total = sum(faces) ** self.dice
        return {
            counts: Fraction(_orders(counts) * prod(map(pow, faces, counts)), total)
            for counts in _splits(self.dice, len(self.classes))
        }

    def problems(self, outcome: Outcome) -> list[str]:
        """Return why the dice cannot have these counts."""
        if not isinstance(outcome, tuple) or len(outcome) != len(self.classes):
            return [f"{outcome!r} is not a count of {self._names}"]
        wrong = [
            f"{count!r} is not a number of dice"
            for count in outcome
            if not is_whole(count, 0, self.dice)
        ]
        if not wrong and sum(outcome) != self.dice:
            wrong = [f"{self.format(outcome)} are not {counted(self.dice, 'die', 'dice')}"]
        return wrong

    def parse(self, text: str) -> Outcome:
        """Read the counts with a blank between them."""
        return self._checked(tuple(map(whole, text.split(" "))), text)

    @property
    def question(self) -> str:
        """The question to a person."""
        return f"{counted(self.dice, 'die', 'dice')}{purpose(self.reason)}: how many {self._names}?"

    @property
    def wanted(self) -> str:
        """A number for each class."""
        return f"{len(self.classes)} numbers that sum to {self.dice}, with a blank between them"

    @property
    def help(self) -> str:
        """How to roll."""
        return f"throw the dice, and type how many are {self._names}, in this order, with a blank between them"

    def entry(self, outcome: Outcome) -> tuple[float, str]:
        """Return the counts with their names."""
        assert isinstance(outcome, tuple)
        counts = zip(outcome, self.classes, strict=True)
        return 0.0, ", ".join(f"{count} {name}" for count, (name, _) in counts)

    @property
    def _names(self) -> str:
        return ", ".join(name for name, _ in self.classes)


def _check_dice(dice: int, faces: int) -> None:
    """Refuse a number of dice that is none, or a law that is too long to list."""
    if not is_whole(dice, 1, MAX_DICE):
        raise InvalidValueError(f"dice: {dice!r} is outside 1..{MAX_DICE}")
    if comb(dice + faces - 1, dice) > MAX_SHOWN:
        raise InvalidValueError(
            f"{dice} dice with {faces} faces have more than {MAX_SHOWN} results"
        )


def _splits(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to split a number into some parts, each 0 or more, in order."""
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _splits(total - first, parts - 1):
            yield (first, *rest)


def _orders(counts: Iterable[int]) -> int:
    """Return in how many orders dice can fall, given how many of them show the same."""
    counts = tuple(counts)
    return factorial(sum(counts)) // prod(map(factorial, counts))
