"""Roll: the result of one brick roll."""

from dataclasses import dataclass

from brickphys.errors import InvalidValueError

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


@dataclass(frozen=True, slots=True)
class Roll:
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
