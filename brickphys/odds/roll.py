"""What one brick roll gave."""

from dataclasses import dataclass

from brickphys.errors import InvalidValueError

SIDE = "side"
"""The pose that scores (BOW 2.4.1)."""
MAX_BRICKS = 60
"""Most bricks in one roll; a description sheet has room for 12, so this only stops slips of the keyboard."""


def check_bricks(bricks: int, what: str = "bricks") -> int:
    """Return `bricks` if so many can be rolled, else raise InvalidValueError naming `what`."""
    if isinstance(bricks, bool) or not isinstance(bricks, int):
        raise InvalidValueError(f"{what}: {bricks!r} is not a whole number")
    if not 0 <= bricks <= MAX_BRICKS:
        raise InvalidValueError(f"{what}: {bricks} is outside 0..{MAX_BRICKS}")
    return bricks


@dataclass(frozen=True, slots=True)
class Roll:
    """One brick roll that has been thrown.

    Attributes
    ----------
    bricks
        How many bricks were thrown together.
    score
        How many of them stopped on a side.
    poses
        The pose of each brick, or None where only the score is known.

    Raises
    ------
    InvalidValueError
        If the score is not one that so many bricks can give, or disagrees with the poses.
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
