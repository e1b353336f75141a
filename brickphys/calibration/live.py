"""Live: every brick roll of a game thrown in an engine; each hand can be shown as it fell."""

from dataclasses import dataclass, field, replace
from typing import NamedTuple

from brickphys.calibration.throwers import body_of
from brickphys.engines.engine import Engine, check_limits
from brickphys.engines.recording import ThrowRecording, record
from brickphys.engines.registry import engine, recorded_engine
from brickphys.errors import InvalidValueError
from brickphys.odds.roll import SIDE, Roll, check_bricks
from brickphys.seeds import check_root
from brickphys.throws.conditions import PRESETS, SURFACES, Conditions, ContactCoefficients
from brickphys.throws.flight import States
from brickphys.throws.release import PLANE, Floor, release

_ADDRESS = 3
"""Seed address of live throws, within a root."""


@dataclass(frozen=True)
class LiveChance:
    """Brick rolls thrown in an engine; `RollSource` of ``rules/sources.py`` answers chance events with them."""

    root: int
    """Root seed; root and address of a roll determine its result."""
    shape: str = "2x2"
    engine_name: str | None = None
    """Name of the engine; None for the default engine of each number of bricks."""
    conditions: Conditions = PRESETS["hand"]
    contact: ContactCoefficients = field(default_factory=lambda: SURFACES["wood"].nominal)
    floor: Floor = PLANE

    def __post_init__(self) -> None:
        check_root(self.root)
        if self.engine_name is not None:
            engine(self.engine_name)
        body_of(self.shape)

    def check_together(self) -> None:
        """Raise MissingLibraryError if what throws several bricks together is missing: a game asks before it begins."""
        _ = engine(self.engine_name or recorded_engine(2, self.floor)).versions

    def roll(self, bricks: int, address: tuple[int, ...]) -> Roll:
        """Throw `bricks` together and return score and poses; 0 bricks score 0."""
        check_bricks(bricks)
        if bricks == 0:
            return Roll(0, 0, ())
        chosen, states = self._hand(bricks, address)
        landing = chosen.land(body_of(self.shape), self.contact, states, self.floor)
        poses = landing.poses_of(0)
        return Roll(bricks, poses.count(SIDE), poses)

    def record(self, bricks: int, address: tuple[int, ...], every_s: float) -> ThrowRecording:
        """Throw like `roll`, at least one brick, and record where they are every so many seconds."""
        if bricks == 0:
            raise InvalidValueError("0 bricks: there is no throw to record")
        check_bricks(bricks)
        chosen, states = self._hand(bricks, address)
        return record(chosen, body_of(self.shape), self.contact, states, every_s, self.floor)

    def _hand(self, bricks: int, address: tuple[int, ...]) -> tuple[Engine, States]:
        together = replace(self.conditions, bricks=bricks)
        chosen = engine(self.engine_name or recorded_engine(bricks, self.floor))
        check_limits(chosen, self.contact, bricks, self.floor)
        address = (_ADDRESS, *address)
        body = body_of(self.shape)
        return chosen, release(body, together, self.root, address, 0, 1, self.floor)


class LiveHand(NamedTuple):
    """Bricks that were thrown together for a roll."""

    roll: Roll
    """What came, as the game has counted it."""
    recording: ThrowRecording
    """Where the bricks were at even times, on the trajectory that was counted."""


class LiveRolls:
    """Throws the bricks of a game, and remembers those whose fall nobody has seen yet.

    Raises MissingLibraryError if what throws several bricks together is missing.
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
        """Return the hands that were thrown since this was called last, as they fell."""
        unseen, self._unseen = self._unseen, []
        return [
            LiveHand(roll, self.chance.record(roll.bricks, address, every_s))
            for roll, address in unseen
        ]
