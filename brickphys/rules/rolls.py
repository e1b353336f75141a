"""Rolls: bricks, alone and against each other, and like dice, by their faces or by counts of classes of faces."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, factorial, prod

from brickphys.errors import InvalidValueError
from brickphys.odds.law import RollLaw
from brickphys.odds.roll import check_bricks
from brickphys.rules.events import ChanceEvent, Outcome, is_whole, purpose, whole
from brickphys.text import counted


@dataclass(frozen=True, slots=True)
class BrickRoll(ChanceEvent):
    """A brick roll; the outcome is the score."""

    help = "throw the bricks, count those on a side, and type the number"

    bricks: int
    """How many are thrown together, 0..60."""
    reason: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        check_bricks(self.bricks)

    def law(self, brick_law: RollLaw) -> Mapping[Outcome, Fraction]:
        return dict(brick_law.roll(self.bricks).items())

    def problems(self, outcome: Outcome) -> list[str]:
        if is_whole(outcome, 0, self.bricks):
            return []
        return [f"{outcome!r} is not a score of {counted(self.bricks, 'brick')}"]

    def parse(self, text: str) -> Outcome:
        return self._checked(whole(text), text)

    @property
    def question(self) -> str:
        return f"{counted(self.bricks, 'brick')}{purpose(self.reason)}: how many on a side?"

    @property
    def wanted(self) -> str:
        return f"a number from 0 to {self.bricks}"

    def told(self, text: str) -> str:
        return f"{text} on a side"

    def entry(self, outcome: Outcome) -> tuple[float, str]:
        return 0.0, self.told(self.format(outcome))


@dataclass(frozen=True, slots=True)
class OpposedRoll(ChanceEvent):
    """Two brick rolls against each other; the outcome is the pair of scores, the acting side's first.

    The side that acts, and the side that resists, have 0 to 60 bricks. If the difference is told as damage, `health`
    is what who resists can still lose, and `loss` what it is then, such as ``destroyed``; else 0.
    """

    help = (
        "each side throws its bricks and counts those that lie on a side; "
        "type both numbers with a blank between them, the attack's first: 2 0"
    )

    attack: int
    defence: int
    reason: str = field(default="", compare=False)
    ahead: int = 0
    """Points by which the attack's score is ahead before a brick is thrown, of experience or the like; the outcome is
    the pair of scores without them."""
    health: int = field(default=0, compare=False)
    loss: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        check_bricks(self.attack, "attack")
        check_bricks(self.defence, "defence")

    def law(self, brick_law: RollLaw) -> Mapping[Outcome, Fraction]:
        """Return (attack score, defence score) -> probability."""
        attack, defence = brick_law.roll(self.attack), brick_law.roll(self.defence)
        return {(a, d): p * q for a, p in attack.items() for d, q in defence.items()}

    def problems(self, outcome: Outcome) -> list[str]:
        if not isinstance(outcome, tuple) or len(outcome) != 2:
            return [f"{outcome!r} is not a pair of scores"]
        sides = (("attack", self.attack), ("defence", self.defence))
        return [
            f"{side}: {score!r} is not a score of {counted(bricks, 'brick')}"
            for (side, bricks), score in zip(sides, outcome, strict=True)
            if not is_whole(score, 0, bricks)
        ]

    def parse(self, text: str) -> Outcome:
        return self._checked(tuple(map(whole, text.split(" "))), text)

    @property
    def question(self) -> str:
        side = "attack" if self.ahead > 0 else "defence"
        points = f", {counted(abs(self.ahead), 'point')} ahead for the {side}" if self.ahead else ""
        return (
            f"{counted(self.attack, 'brick')} against {self.defence}{points}{purpose(self.reason)}: "
            "how many on a side in the attack, how many in the defence?"
        )

    @property
    def wanted(self) -> str:
        example = f"{min(1, self.attack)} {min(2, self.defence)}"
        return f"two numbers, 0 to {self.attack} and 0 to {self.defence}, such as {example}"

    def told(self, text: str) -> str:
        """Return both scores in words: ``1 of 3 bricks against 0 of 2``."""
        attack, defence = text.split(" ")
        return f"{attack} of {counted(self.attack, 'brick')} against {defence} of {self.defence}"

    def entry(self, outcome: Outcome) -> tuple[float, str]:
        """Return by how much the attack is higher, or the damage, the lowest first."""
        assert isinstance(outcome, tuple)
        ahead = int(outcome[0] - outcome[1]) + self.ahead
        if self.health:
            damage = self.loss if ahead >= self.health else f"damaged by {ahead}"
            return max(ahead, 0), damage if ahead > 0 else "no damage"
        return ahead, f"higher by {ahead}" if ahead > 0 else "equal" if ahead == 0 else "lower"


MAX_DICE = 20
MAX_SIDES = 1000
MAX_SHOWN = 100_000
"""The most outcomes of a roll of dice: their law is a list."""


@dataclass(frozen=True, slots=True)
class DiceRoll(ChanceEvent):
    """Like dice thrown together; the outcome is their faces in ascending order, since like dice have no order."""

    help = "throw the dice and type the number on each, with a blank between them"

    dice: int = 1
    """How many, 1..20."""
    sides: int = 6
    """Faces of each, 2..1000."""
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
        if not isinstance(outcome, tuple) or len(outcome) != self.dice:
            return [f"{outcome!r} is not a result of {counted(self.dice, 'die', 'dice')}"]
        wrong = [face for face in outcome if not is_whole(face, 1, self.sides)]
        if wrong:
            return [f"{face!r} is not a face of a die with {self.sides} faces" for face in wrong]
        return (
            [] if list(outcome) == sorted(outcome) else [f"{outcome!r} is not in ascending order"]
        )

    def parse(self, text: str) -> Outcome:
        return self._checked(tuple(sorted(map(whole, text.split(" ")))), text)

    @property
    def question(self) -> str:
        return f"{counted(self.dice, 'die', 'dice')} with {self.sides} faces{purpose(self.reason)}: what is shown?"

    @property
    def wanted(self) -> str:
        if self.dice == 1:
            return f"a number from 1 to {self.sides}"
        return f"{self.dice} numbers from 1 to {self.sides} with a blank between them"


@dataclass(frozen=True, slots=True)
class DiceCount(ChanceEvent):
    """Like dice thrown together and counted by classes of faces; the outcome is the count of each class.

    Where only hits, blanks and cancels matter, eight dice have 45 outcomes in place of the 1,287 of `DiceRoll`.
    """

    dice: int
    """How many, 1..20."""
    classes: tuple[tuple[str, int], ...]
    """(name, faces) of each class: how many faces of a die belong to it, 1 or more. Every face belongs to one class."""
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
    def of(cls, dice: int, reason: str = "", **faces: int) -> "DiceCount":
        """Return the roll from the faces of each class: ``DiceCount.of(8, "melee", hits=2, blanks=2, cancels=2)``."""
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
        return self._checked(tuple(map(whole, text.split(" "))), text)

    @property
    def question(self) -> str:
        return f"{counted(self.dice, 'die', 'dice')}{purpose(self.reason)}: how many {self._names}?"

    @property
    def wanted(self) -> str:
        return f"{len(self.classes)} numbers that sum to {self.dice}, with a blank between them"

    @property
    def help(self) -> str:
        return f"throw the dice, and type how many are {self._names}, in this order, with a blank between them"

    def entry(self, outcome: Outcome) -> tuple[float, str]:
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
