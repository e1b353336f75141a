"""Chance sources: who answers when a game asks for a brick roll."""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from math import ceil
from typing import Generic, Protocol, TypeVar

from brickphys.errors import BrokenGameError, InterruptedRunError, InvalidValueError
from brickphys.odds.law import RollLaw
from brickphys.odds.roll import Roll, check_bricks

_STEPS = 2**53
"""A uniform of 53 bits takes so many values."""

T = TypeVar("T")


class Ladder(Generic[T]):
    """An exact law, ready to be sampled with 53 bits.

    Parameters
    ----------
    law
        Outcome -> probability; the order of the outcomes is part of the law.

    Raises
    ------
    BrokenGameError
        If the probabilities do not sum to exactly 1.
    """

    def __init__(self, law: Mapping[T, Fraction]) -> None:
        if (total := sum(law.values(), Fraction(0))) != 1:
            raise BrokenGameError(f"a law sums to {total}, not to 1")
        self._outcomes = tuple(law)
        self._ends = [ceil(end * _STEPS) for end in accumulate(law.values())]

    def outcome(self, root: int, address: tuple[int, ...]) -> T:
        """Return the outcome where the distribution function passes the uniform of this address.

        Raises
        ------
        InvalidValueError
            If a part of the address is negative.
        """
        from brickphys.seeds import uniforms  # loads numpy

        if any(part < 0 for part in address):
            raise InvalidValueError(f"address {address} has a negative part")
        step = min(int(uniforms(root, address, 0, 1, 1)[0, 0] * _STEPS), _STEPS - 1)
        return self._outcomes[bisect_right(self._ends, step)]


class ChanceSource(Protocol):
    """Answers brick rolls.

    A source with a root seed is addressed: the same root and address give the same roll, in whatever order and
    however often it is asked. A script or a person has no addresses to look up and answers in the order of asking.
    """

    def roll(self, bricks: int, address: tuple[int, ...], reason: str = "") -> Roll:
        """Return a roll.

        Parameters
        ----------
        bricks
            How many are thrown together, 0..60.
        address
            Which roll it is: non-negative integers, unique among the rolls of one root.
        reason
            What it is for, in words for a person and for error messages.

        Raises
        ------
        BrickphysError
            If the source has no answer.
        """
        ...


class LawChance:
    """Rolls sampled from a law, with 53 bits a roll.

    Parameters
    ----------
    law
        What a roll scores.
    root
        Root seed, ``0 <= root < 2**53``.

    Raises
    ------
    InvalidValueError
        If `root` is out of range.
    """

    def __init__(self, law: RollLaw, root: int) -> None:
        from brickphys.seeds import check_root  # loads numpy

        self._law = law
        self._root = check_root(root)
        self._ladders: dict[int, Ladder[int]] = {}

    def roll(self, bricks: int, address: tuple[int, ...], reason: str = "") -> Roll:  # noqa: ARG002 - protocol
        """Return the roll of this address: the score where the law's distribution function passes the uniform."""
        if bricks not in self._ladders:  # games ask often
            self._ladders[bricks] = Ladder(self._law.roll(bricks))
        return Roll(bricks, self._ladders[bricks].outcome(self._root, address))


class ScriptedChance:
    """Rolls from a list, in order, whatever the address.

    Parameters
    ----------
    scores
        What the 1st, 2nd, ... roll scores.
    """

    def __init__(self, scores: Sequence[int]) -> None:
        self._scores = tuple(scores)
        self._used = 0

    @property
    def left(self) -> int:
        """How many scores have not been asked for."""
        return len(self._scores) - self._used

    def roll(self, bricks: int, address: tuple[int, ...], reason: str = "") -> Roll:  # noqa: ARG002 - protocol
        """Return the next roll.

        Raises
        ------
        InvalidValueError
            If the script has ended, or its score is not one that so many bricks can give; names the position,
            counted from 1.
        """
        what = _describe(check_bricks(bricks), reason)
        if not self.left:
            raise InvalidValueError(
                f"the script ends after {self._used} scores, and {what} are to roll"
            )
        score = self._scores[self._used]
        if not 0 <= score <= bricks:
            raise InvalidValueError(f"script, position {self._used + 1}: score {score} of {what}")
        self._used += 1
        return Roll(bricks, score)


class TypedChance:
    """Rolls thrown by hand on a table; a person types what fell.

    Parameters
    ----------
    read
        Returns the next line that was typed and raises EOFError when there is none, as ``input`` does.
    write
        Shows a line.
    """

    def __init__(self, read: Callable[[], str], write: Callable[[str], None]) -> None:
        self._read = read
        self._write = write

    def roll(self, bricks: int, address: tuple[int, ...], reason: str = "") -> Roll:  # noqa: ARG002 - protocol
        """Ask for the roll until the answer is a number from 0 to `bricks`; 0 bricks need no question.

        Raises
        ------
        InterruptedRunError
            If the typing ends.
        """
        what = _describe(check_bricks(bricks), reason)
        while bricks:
            self._write(f"{what}: how many on a side?")
            try:
                answer = self._read().strip()
            except EOFError:
                raise InterruptedRunError(f"the input ended when asked for {what}") from None
            if answer.isascii() and answer.isdigit() and len(answer) < 10 and int(answer) <= bricks:
                return Roll(bricks, int(answer))
            self._write(f"{answer!r} is not a number from 0 to {bricks}")
        return Roll(0, 0)


def _describe(bricks: int, reason: str) -> str:
    noun = "1 brick" if bricks == 1 else f"{bricks} bricks"
    return f"{noun} ({reason})" if reason else noun
