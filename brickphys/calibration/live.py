"""Live: brick rolls thrown in an engine, one at a time."""

from dataclasses import dataclass, field, replace

from brickphys.calibration.throwers import body_of
from brickphys.engines.engine import Engine, check_limits
from brickphys.engines.recording import ThrowRecording, record
from brickphys.engines.registry import default_engine, engine
from brickphys.errors import InvalidValueError
from brickphys.odds.roll import SIDE, Roll, check_bricks
from brickphys.seeds import check_root
from brickphys.throws.conditions import PRESETS, Conditions
from brickphys.throws.floors import PLANE, Floor
from brickphys.throws.release import release
from brickphys.throws.states import States
from brickphys.throws.surfaces import SURFACES, ContactCoefficients

_ADDRESS = 3
"""Seed address of live throws, within a root."""


@dataclass(frozen=True)
class LiveChance:
    """Brick rolls thrown in an engine; `RollSource` of ``rules/events/sources.py`` answers chance events with them.

    Attributes
    ----------
    root
        Root seed; root and address of a roll determine its result.
    shape, conditions, contact, floor
        Shape, throw conditions, friction and restitution, and floor; by default the preset ``hand`` on wood.
    engine_name
        Name of the engine; None for the default engine of each number of bricks.
    """

    root: int
    shape: str = "2x2"
    engine_name: str | None = None
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
        _ = engine(self.engine_name or default_engine(2, self.floor)).versions

    def roll(self, bricks: int, address: tuple[int, ...]) -> Roll:
        """Throw `bricks` together and return score and poses; 0 bricks score 0.

        Parameters
        ----------
        bricks
            Number of bricks, 0 to 60.
        address
            Address of the roll; the same address gives the same result.
        """
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
        """Return the engine of a roll, and the bricks at their release."""
        together = replace(self.conditions, bricks=bricks)
        chosen = engine(self.engine_name or default_engine(bricks, self.floor))
        check_limits(chosen, self.contact, bricks, self.floor)
        address = (_ADDRESS, *address)
        body = body_of(self.shape)
        return chosen, release(body, together, self.root, address, 0, 1, self.floor)
