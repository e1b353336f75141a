"""Bricks: rolls of bricks, alone and against each other."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from brickphys.odds.law import RollLaw
from brickphys.odds.roll import check_bricks
from brickphys.rules.events.event import ChanceEvent, Outcome, is_whole, purpose, whole
from brickphys.text import counted


@dataclass(frozen=True, slots=True)
class BrickRoll(ChanceEvent):
    """A brick roll; the outcome is the score.

    Attributes
    ----------
    bricks
        How many are thrown together, 0..60.
    reason
        Its purpose, in words.
    """

    help = "throw the bricks, count those on a side, and type the number"

    bricks: int
    reason: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        check_bricks(self.bricks)

    def law(self, brick_law: RollLaw) -> Mapping[Outcome, Fraction]:
        """Return score -> probability."""
        return dict(brick_law.roll(self.bricks).items())

    def problems(self, outcome: Outcome) -> list[str]:
        """Return why this number of bricks cannot score this."""
        if is_whole(outcome, 0, self.bricks):
            return []
        return [f"{outcome!r} is not a score of {counted(self.bricks, 'brick')}"]

    def parse(self, text: str) -> Outcome:
        """Read a score."""
        return self._checked(whole(text), text)

    @property
    def question(self) -> str:
        """The question to a person."""
        return f"{counted(self.bricks, 'brick')}{purpose(self.reason)}: how many on a side?"

    @property
    def wanted(self) -> str:
        """A number."""
        return f"a number from 0 to {self.bricks}"

    def told(self, text: str) -> str:
        """Return the score in words."""
        return f"{text} on a side"

    def entry(self, outcome: Outcome) -> tuple[float, str]:
        """Return the score."""
        return 0.0, self.told(self.format(outcome))


@dataclass(frozen=True, slots=True)
class OpposedRoll(ChanceEvent):
    """Two brick rolls against each other; the outcome is the pair of scores, the acting side's first.

    Attributes
    ----------
    attack, defence
        Bricks of the side that acts and of the side that resists, 0..60.
    reason
        Its purpose, in words.
    ahead
        Points by which the attack's score is ahead before a brick is thrown, of experience or the like; the outcome is
        the pair of scores without them.
    health, loss
        Points that who resists can still lose, and what it is then, such as ``destroyed``: the difference is told as
        damage. 0 if it is none.
    """

    help = (
        "each side throws its bricks and counts those that lie on a side; "
        "type both numbers with a blank between them, the attack's first: 2 0"
    )

    attack: int
    defence: int
    reason: str = field(default="", compare=False)
    ahead: int = 0
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
        """Return why the bricks cannot score this."""
        if not isinstance(outcome, tuple) or len(outcome) != 2:
            return [f"{outcome!r} is not a pair of scores"]
        sides = (("attack", self.attack), ("defence", self.defence))
        return [
            f"{side}: {score!r} is not a score of {counted(bricks, 'brick')}"
            for (side, bricks), score in zip(sides, outcome, strict=True)
            if not is_whole(score, 0, bricks)
        ]

    def parse(self, text: str) -> Outcome:
        """Read two scores with a blank between them."""
        return self._checked(tuple(map(whole, text.split(" "))), text)

    @property
    def question(self) -> str:
        """The question to a person."""
        side = "attack" if self.ahead > 0 else "defence"
        points = f", {counted(abs(self.ahead), 'point')} ahead for the {side}" if self.ahead else ""
        return (
            f"{counted(self.attack, 'brick')} against {self.defence}{points}{purpose(self.reason)}: "
            "how many on a side in the attack, how many in the defence?"
        )

    @property
    def wanted(self) -> str:
        """Two numbers."""
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
