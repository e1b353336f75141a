"""Roll: the result of one brick roll."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from brickphys.display import Displayed, Row
from brickphys.errors import InvalidValueError
from brickphys.text import counted

SIDE = "side"
"""The pose that scores (BOW 2.4.1)."""
MAX_BRICKS = 60
"""Most bricks in one roll; a description sheet has room for 12, so a larger number is a typing error."""


def check_bricks(bricks: int, what: str = "bricks") -> int:
    """Return `bricks` if it is a whole number in 0..60, else raise InvalidValueError with the name `what`."""
    if isinstance(bricks, bool) or not isinstance(bricks, int):
        raise InvalidValueError(f"{what}: {bricks!r} is not a whole number")
    if not 0 <= bricks <= MAX_BRICKS:
        raise InvalidValueError(f"{what}: {bricks} is outside 0..{MAX_BRICKS}")
    return bricks


@dataclass(frozen=True, slots=True, repr=False)
class Roll(Displayed):
    """The result of one brick roll.

    Attributes
    ----------
    bricks
        Number of bricks thrown together.
    score
        Number of bricks on a side.
    poses
        The pose of each brick, or None if only the score is known.

    Raises
    ------
    InvalidValueError
        If the score is outside 0..bricks, or disagrees with the poses.
    """

    bricks: int
    score: int
    poses: tuple[str, ...] | None = None

    instead: ClassVar = {"hits": "score is the number of bricks on a side"}

    def __post_init__(self) -> None:
        check_bricks(self.bricks)
        if not 0 <= self.score <= self.bricks:
            raise InvalidValueError(f"score {self.score} of {self.bricks} bricks")
        if self.poses is None:
            return
        sides = self.poses.count(SIDE)
        if len(self.poses) != self.bricks or sides != self.score:
            raise InvalidValueError(
                f"{len(self.poses)} poses with {sides} on a side do not make "
                f"score {self.score} of {self.bricks} bricks"
            )

    def line(self) -> str:
        """Return one line: how many bricks, how many score, and their poses if they are known."""
        poses = f" ({', '.join(self.poses)})" if self.poses else ""
        return f"roll of {counted(self.bricks, 'brick')}: score {self.score}{poses}"

    def rows(self) -> list[Row]:
        """Return one row for each brick with its pose; one row for all if only the score is known."""
        if self.poses is None:
            return [{"bricks": self.bricks, "score": self.score}]
        return [{"brick": n, "pose": pose} for n, pose in enumerate(self.poses, start=1)]


def scored(scoring: Sequence[str]) -> str:
    """Return the poses that score in words: ``a side``, or the names of other poses."""
    return "a side" if tuple(scoring) == (SIDE,) else " or ".join(scoring)
