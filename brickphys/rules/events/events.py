"""Events: what chance can be asked for, the exact law of each, and the notation of what came out.

Every outcome has a one-line text that reads back as the same outcome. `Measured` alone has no law: nobody can list what
physics or a person with a ruler may answer.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, factorial, prod

from brickphys.errors import InvalidValueError
from brickphys.odds.law import RollLaw
from brickphys.odds.roll import check_bricks
from brickphys.rules.events.event import ChanceEvent, Outcome, is_real, is_whole, purpose, whole
from brickphys.text import counted

__all__ = ["BrickRoll", "ChanceEvent", "DiceRoll", "Draw", "Measured", "OpposedRoll", "Outcome"]

MAX_DICE = 20
MAX_SIDES = 1000
MAX_SHOWN = 100_000
"""Most different things that dice may show: their law is a list."""


@dataclass(frozen=True, slots=True)
class BrickRoll(ChanceEvent):
    """A brick roll; the outcome is the score.

    Attributes
    ----------
    bricks
        How many are thrown together, 0..60.
    reason
        What it is for, in words.
    """

    bricks: int
    reason: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        check_bricks(self.bricks)

    def law(self, brick_law: RollLaw) -> Mapping[Outcome, Fraction]:
        """Return score -> probability."""
        return dict(brick_law.roll(self.bricks).items())

    def problems(self, outcome: Outcome) -> list[str]:
        """Return whether so many bricks cannot score this."""
        if is_whole(outcome, 0, self.bricks):
            return []
        return [f"{outcome!r} is no score of {counted(self.bricks, 'brick')}"]

    def parse(self, text: str) -> Outcome:
        """Read a score."""
        return self._checked(whole(text), text)

    @property
    def question(self) -> str:
        """What to ask a person."""
        return f"{counted(self.bricks, 'brick')}{purpose(self.reason)}: how many on a side?"


@dataclass(frozen=True, slots=True)
class OpposedRoll(ChanceEvent):
    """Two brick rolls against each other; the outcome is the pair of scores, the acting side's first.

    Attributes
    ----------
    attack, defence
        Bricks of the side that acts and of the side that resists, 0..60.
    reason
        What it is for, in words.
    """

    attack: int
    defence: int
    reason: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        check_bricks(self.attack, "attack")
        check_bricks(self.defence, "defence")

    def law(self, brick_law: RollLaw) -> Mapping[Outcome, Fraction]:
        """Return (attack score, defence score) -> probability."""
        attack, defence = brick_law.roll(self.attack), brick_law.roll(self.defence)
        return {(a, d): p * q for a, p in attack.items() for d, q in defence.items()}

    def problems(self, outcome: Outcome) -> list[str]:
        """Return whether the bricks cannot score this."""
        if not isinstance(outcome, tuple) or len(outcome) != 2:
            return [f"{outcome!r} is not a pair of scores"]
        sides = (("attack", self.attack), ("defence", self.defence))
        return [
            f"{side}: {score!r} is no score of {counted(bricks, 'brick')}"
            for (side, bricks), score in zip(sides, outcome, strict=True)
            if not is_whole(score, 0, bricks)
        ]

    def parse(self, text: str) -> Outcome:
        """Read two scores with a blank between them."""
        return self._checked(tuple(map(whole, text.split(" "))), text)

    @property
    def question(self) -> str:
        """What to ask a person."""
        return (
            f"{counted(self.attack, 'brick')} against {self.defence}{purpose(self.reason)}: "
            "how many on a side, the attack's first?"
        )


@dataclass(frozen=True, slots=True)
class DiceRoll(ChanceEvent):
    """Like dice thrown together; the outcome is what they show, ascending, since like dice have no order.

    Attributes
    ----------
    dice
        How many, 1..20.
    sides
        Faces of each, 2..1000.
    reason
        What it is for, in words.
    """

    dice: int = 1
    sides: int = 6
    reason: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if not is_whole(self.dice, 1, MAX_DICE):
            raise InvalidValueError(f"dice: {self.dice!r} is outside 1..{MAX_DICE}")
        if not is_whole(self.sides, 2, MAX_SIDES):
            raise InvalidValueError(f"sides: {self.sides!r} is outside 2..{MAX_SIDES}")
        if comb(self.dice + self.sides - 1, self.dice) > MAX_SHOWN:
            raise InvalidValueError(
                f"{self.dice} dice with {self.sides} faces show more than {MAX_SHOWN} things"
            )

    def law(self, brick_law: RollLaw) -> Mapping[Outcome, Fraction]:  # noqa: ARG002 - dice are no bricks
        """Return what they show, ascending -> probability (the multinomial law)."""
        faces = range(1, self.sides + 1)
        total = self.sides**self.dice
        return {
            shown: Fraction(_orders(shown), total)
            for shown in combinations_with_replacement(faces, self.dice)
        }

    def problems(self, outcome: Outcome) -> list[str]:
        """Return whether the dice cannot show this."""
        if not isinstance(outcome, tuple) or len(outcome) != self.dice:
            return [f"{outcome!r} is not what {counted(self.dice, 'die', 'dice')} show"]
        wrong = [face for face in outcome if not is_whole(face, 1, self.sides)]
        if wrong:
            return [f"{face!r} is no face of a die with {self.sides}" for face in wrong]
        return [] if list(outcome) == sorted(outcome) else [f"{outcome!r} does not ascend"]

    def parse(self, text: str) -> Outcome:
        """Read faces with a blank between them, in any order."""
        return self._checked(tuple(sorted(map(whole, text.split(" ")))), text)

    @property
    def question(self) -> str:
        """What to ask a person."""
        return f"{counted(self.dice, 'die', 'dice')} with {self.sides} faces{purpose(self.reason)}: what is shown?"


@dataclass(frozen=True, slots=True)
class Draw(ChanceEvent):
    """One of several names is drawn, each as likely as its weight: a card, a side, a place.

    A shuffled deck needs no order: draw each card, when it is taken, from those that are left.

    Attributes
    ----------
    weights
        (name, weight) pairs; names are unique, printable and without blanks at their ends, weights positive.
    reason
        What it is for, in words.
    secret
        Some player may not know what can be drawn, such as the cards left in a deck: no question lists the names.
    """

    weights: tuple[tuple[str, int], ...]
    reason: str = field(default="", compare=False)
    secret: bool = field(default=False, compare=False)

    def __post_init__(self) -> None:
        names = [name for name, _ in self.weights]
        if not names or len(set(names)) < len(names):
            raise InvalidValueError(f"names {names}: a draw needs at least one, each only once")
        for name, weight in self.weights:
            if not name or not name.isprintable() or name.strip() != name:
                raise InvalidValueError(f"name {name!r} is not one printable line")
            if isinstance(weight, bool) or not isinstance(weight, int) or weight < 1:
                raise InvalidValueError(f"weight of {name!r}: {weight!r} is no positive number")

    @classmethod
    def of(cls, weights: Mapping[str, int], reason: str = "", *, secret: bool = False) -> "Draw":
        """Return the draw from name -> weight; names of weight 0 are left out."""
        pairs = tuple((name, weight) for name, weight in weights.items() if weight)
        return cls(pairs, reason, secret)

    @classmethod
    def uniform(cls, *names: str, reason: str = "", secret: bool = False) -> "Draw":
        """Return the draw of one of these names, all equally likely."""
        return cls(tuple((name, 1) for name in names), reason, secret)

    def law(self, brick_law: RollLaw) -> Mapping[Outcome, Fraction]:  # noqa: ARG002 - cards are no bricks
        """Return name -> probability."""
        total = sum(weight for _, weight in self.weights)
        return {name: Fraction(weight, total) for name, weight in self.weights}

    def problems(self, outcome: Outcome) -> list[str]:
        """Return whether this cannot be drawn."""
        possible = outcome in [name for name, _ in self.weights]
        return [] if possible else [f"{outcome!r} is not {self._one_of}"]

    def parse(self, text: str) -> Outcome:
        """Read a name."""
        return self._checked(text, text)

    @property
    def question(self) -> str:
        """What to ask a person."""
        return f"{self._one_of}{purpose(self.reason)}: which?"

    @property
    def _one_of(self) -> str:
        if self.secret:
            return f"one of {len(self.weights)} that are not shown"
        return f"one of {', '.join(name for name, _ in self.weights)}"


@dataclass(frozen=True, slots=True)
class Measured(ChanceEvent):
    """Numbers that physics or a person measures; they have limits but no law.

    Attributes
    ----------
    quantities
        (name with its unit, lowest, highest) of each number.
    reason
        What it is for, in words.
    """

    quantities: tuple[tuple[str, float, float], ...]
    reason: str = field(default="", compare=False)

    def law(self, brick_law: RollLaw) -> Mapping[Outcome, Fraction]:  # noqa: ARG002 - there is none
        """Raise InvalidValueError: what is measured has no exact law."""
        raise InvalidValueError(
            f"{self._names}{purpose(self.reason)}: measured, there is no exact law"
        )

    def problems(self, outcome: Outcome) -> list[str]:
        """Return whether a number is missing or beyond its limits."""
        if not isinstance(outcome, tuple) or len(outcome) != len(self.quantities):
            return [f"{outcome!r} does not hold {self._names}"]
        return [
            f"{name}: {value!r} is outside {low:g}..{high:g}"
            for (name, low, high), value in zip(self.quantities, outcome, strict=True)
            if not is_real(value) or not low <= value <= high
        ]

    def parse(self, text: str) -> Outcome:
        """Read the numbers, with a blank between them."""
        try:
            return self._checked(tuple(map(float, text.split(" "))), text)
        except ValueError:
            raise self._unreadable(text) from None

    @property
    def exact(self) -> bool:
        """Whether the event has a law: it has none."""
        return False

    @property
    def question(self) -> str:
        """What to ask a person."""
        limits = ", ".join(f"{name} ({low:g}..{high:g})" for name, low, high in self.quantities)
        return f"{limits}{purpose(self.reason)}: how much?"

    @property
    def _names(self) -> str:
        return ", ".join(name for name, _, _ in self.quantities)


def _orders(shown: tuple[int, ...]) -> int:
    """Return in how many orders dice can show these faces."""
    return factorial(len(shown)) // prod(factorial(shown.count(face)) for face in set(shown))
