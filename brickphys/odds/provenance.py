"""Where a law comes from: how, on what and with which doubt it was measured."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class LawConditions:
    """How the bricks were thrown.

    Attributes
    ----------
    preset
        Name of the preset, or ``"custom"``.
    height_mm
        Lowest and highest centre of mass above the floor.
    speed_m_s
        Root mean square speed on each horizontal axis.
    spin_rad_s
        Root mean square spin on each axis.
    scatter
        Share of each brick's horizontal velocity that is its own; the rest is the hand's.
    """

    preset: str
    height_mm: tuple[float, float]
    speed_m_s: float
    spin_rad_s: float
    scatter: float


@dataclass(frozen=True)
class LawSurface:
    """What the bricks fell on.

    Attributes
    ----------
    name
        Name of the surface.
    friction, restitution
        Of the pair brick and surface.
    floor
        Its form: a plane, or studs, or walls around it.
    """

    name: str
    friction: float
    restitution: float
    floor: str = "plane"

    @property
    def description(self) -> str:
        """What a player calls it."""
        return self.name if self.floor == "plane" else f"{self.name} {self.floor}"


@dataclass(frozen=True)
class Source:
    """How far the chance of a side moves over the plausible range of one cause.

    Attributes
    ----------
    low, high
        Ends of the range.
    shift
        Change of p between them.
    error
        Standard error of the shift.
    """

    low: float
    high: float
    shift: float
    error: float


ENGINE = "engine"
"""The one source whose low end is the law itself, thrown by its own engine, so that the whole shift counts."""


@dataclass(frozen=True)
class Systematic:
    """The doubt that more throws do not remove; stands beside the interval, never inside it.

    Attributes
    ----------
    half_width
        Of p, all sources together.
    throws
        Spent on all of it; every throw counts for every source.
    sources
        Name -> how far it moves p.
    """

    half_width: float
    throws: int
    sources: Mapping[str, Source]


@dataclass(frozen=True)
class Combined:
    """What a law was combined of: throws at home, and a law before them.

    Attributes
    ----------
    file
        Name of the file of the throws at home.
    scores
        Bricks K in a hand -> counts of hands at home that scored 0, 1, ..., K.
    poses
        Pose -> bricks at home; None where only the score was written down.
    prior_p, prior_ci95, prior_systematic
        Chance of a side in the law before, its interval, and its systematic half-width (None if it had none).
    prior_throws
        Single bricks behind the law before.
    prior_command
        The command that made it.
    """

    file: str
    scores: Mapping[int, tuple[int, ...]]
    poses: Mapping[str, int] | None
    prior_p: float
    prior_ci95: tuple[float, float]
    prior_systematic: float | None
    prior_throws: int
    prior_command: str
