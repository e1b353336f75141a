"""Live rolls: bricks that an engine throws for a game; each hand can be shown as it fell."""

from typing import NamedTuple

from brickphys.calibration.throwers import LiveChance
from brickphys.engines.recording import ThrowRecording
from brickphys.odds.roll import Roll


class LiveHand(NamedTuple):
    """Bricks that were thrown together for a roll."""

    roll: Roll
    """What came, as the game has counted it."""
    recording: ThrowRecording
    """Where the bricks were at even times, on the trajectory that was counted."""


class LiveRolls:
    """Throws the bricks of a game, and remembers those whose fall nobody has seen yet.

    Parameters
    ----------
    root
        Root seed of the game: root and address of a roll determine its result.

    Raises
    ------
    MissingLibraryError
        If what throws several bricks together is missing.

    Attributes
    ----------
    chance
        What is thrown, and how.
    """

    def __init__(self, root: int) -> None:
        self.chance = LiveChance(root)
        self.chance.check_together()
        self._unseen: list[tuple[Roll, tuple[int, ...]]] = []

    def __str__(self) -> str:
        chance = self.chance
        return (
            f"bricks thrown live ({chance.shape}, {chance.conditions.preset}, {chance.floor.name})"
        )

    def roll(self, bricks: int, address: tuple[int, ...]) -> Roll:
        """Throw so many bricks together; see `LiveChance.roll`."""
        roll = self.chance.roll(bricks, address)
        if bricks:
            self._unseen.append((roll, address))
        return roll

    def hands(self, every_s: float) -> list[LiveHand]:
        """Return the hands that were thrown since this was called last, as they fell.

        Parameters
        ----------
        every_s
            Time between two poses of a recording.
        """
        unseen, self._unseen = self._unseen, []
        return [
            LiveHand(roll, self.chance.record(roll.bricks, address, every_s))
            for roll, address in unseen
        ]
