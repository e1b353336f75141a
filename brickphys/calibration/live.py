"""Live: brick rolls thrown in the engine, one at a time."""

from dataclasses import dataclass, field, replace

from brickphys.calibration.throwers import body_of
from brickphys.engines.engine import check_limits
from brickphys.engines.registry import engine, usual_engine
from brickphys.odds.roll import SIDE, Roll, check_bricks
from brickphys.seeds import check_root
from brickphys.throws.conditions import PRESETS, Conditions
from brickphys.throws.floors import PLANE, Floor
from brickphys.throws.release import release
from brickphys.throws.surfaces import SURFACES, ContactCoefficients

_ADDRESS = 3
"""Keeps live throws apart from those of a calibration with the same root."""


@dataclass(frozen=True)
class LiveChance:
    """Throws every roll in the engine; `RollSource` of ``rules/events/sources.py`` answers chance events with it.

    Attributes
    ----------
    root
        Root seed: with it and a roll's address, the same bricks fall the same way.
    shape, engine_name, conditions, contact, floor
        What is thrown, by whom (the usual engine for the number of bricks, if None), how and on what; the hand, on
        a wooden table, by default.
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

    def roll(self, bricks: int, address: tuple[int, ...]) -> Roll:
        """Throw `bricks` together and return score and poses; no bricks score nothing.

        Parameters
        ----------
        bricks
            How many, 0 to 60.
        address
            Names the roll: the same address always falls the same way.
        """
        check_bricks(bricks)
        if bricks == 0:
            return Roll(0, 0, ())
        body = body_of(self.shape)
        together = replace(self.conditions, bricks=bricks)
        thrower = engine(self.engine_name or usual_engine(bricks, self.floor))
        check_limits(thrower, self.contact, bricks, self.floor)
        states = release(body, together, self.root, (_ADDRESS, *address), 0, 1, self.floor)
        landing = thrower.land(body, self.contact, states, self.floor)
        poses = tuple(landing.poses[index] for index in landing.pose[0].tolist())
        return Roll(bricks, poses.count(SIDE), poses)
