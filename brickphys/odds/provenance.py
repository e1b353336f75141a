"""Provenance: throw conditions, surface and sources of doubt of a law; the throws or measurements that it rests on."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from brickphys.odds.distribution import odds_factor

MAX_HEIGHT_MM, MAX_SPEED_M_S, MAX_SPIN_RAD_S, MAX_FRICTION = 5000.0, 20.0, 500.0, 5.0
"""Limits of throws and of their tables."""
ANY, FLIP = "any", "flip"
"""Orientations at release that are no poses."""


@dataclass(frozen=True)
class LawConditions:
    """Conditions of release of a brick."""

    preset: str = field(default="custom", kw_only=True)
    """Name of the preset of these values, or ``"custom"``."""
    height_mm: tuple[float, float]
    """Least and greatest height of the centre of mass above the floor; uniform, independent for each brick."""
    speed_m_s: float
    """Root mean square of the horizontal speed on each axis (normal); the vertical speed is zero."""
    spin_rad_s: float
    """Root mean square of the spin on each axis (normal)."""
    scatter: float = 0.1
    """Share of the variance of a brick's horizontal velocity that is independent for each brick; the rest is common to
    the hand. The speed of a brick thus has the same distribution in any hand."""
    start: str = ANY
    """Orientation at release: ``any``, uniform on SO(3); ``flip``, turning over about a level axis; or a pose, as
    picked up: that face down, with any heading."""

    def document(self) -> dict[str, object]:
        """Return the part of a law file; a start stands there only if it is not any."""
        parts = asdict(self)
        return {key: part for key, part in parts.items() if (key, part) != ("start", ANY)}


@dataclass(frozen=True)
class LawSurface:
    """Surface and floor."""

    name: str
    friction: float
    restitution: float
    """Coefficients of the pair brick and surface."""
    floor: str = "plane"
    """Name of the floor: ``plane``, ``baseplate`` or ``tray``."""

    @property
    def description(self) -> str:
        """Name of the surface, with that of the floor unless it is a plane."""
        return self.name if self.floor == "plane" else f"{self.name} {self.floor}"


@dataclass(frozen=True)
class Source:
    """Shift of the probability of a side over the plausible range of one cause, which is uniform over it."""

    low: float
    high: float
    """Ends of the range."""
    shift: float
    """Change of p between them, averaged over all other causes."""
    error: float
    """Standard error of the shift."""


ENGINE = "engine"
"""The source whose low end, 0, is the law's own engine, and whose high end, 1, is the reference engine in the limit of
short time steps, averaged over all causes. The nominal has its whole shift, drawn with its error."""
CONTACT_LAW = "contact_law"
"""The source from the least to the greatest effect of other laws of contact, in logarithms of odds (triangular)."""


@dataclass(frozen=True)
class Systematic:
    """What moves the probability of a side between tables of the law's kind, bricks and hands."""

    range_error: float | None
    """Standard error of both ends of the law's 90 % range by the number of throws; None if not measured."""
    throws: int
    """Throws of the design; each of them counts for every source."""
    sources: Mapping[str, Source]
    """Name -> shift of p."""
    reference: str = "bullet"
    """Name of the reference engine."""
    nominal_error: float | None = None
    """Standard error of the law's nominal chance by the throws and the steps of the reference; None without one."""
    to_limit: tuple[float, float] | None = None
    """What the reference engine lacks to its limit of short time steps, in logarithms of odds, and its standard error.
    Both are in the source `ENGINE`; None in files of earlier versions."""
    reference_counts: tuple[int, int] | None = None
    """Single bricks on a side, and all, by the reference engine at the law's own throw; None if it threw none."""

    def document(self) -> dict[str, object]:
        """Return what a law file says; of the last four only what is not usual."""
        usual: dict[str, object] = dict.fromkeys(("nominal_error", "to_limit", "reference_counts"))
        usual["reference"] = type(self).reference
        return {key: part for key, part in asdict(self).items() if usual.get(key, self) != part}

    @property
    def moved_to(self) -> str:
        """The engine to which the nominal is moved, in words: ``bullet's limit``."""
        return f"{self.reference}'s limit" if self.to_limit and self.to_limit[0] else self.reference


@dataclass(frozen=True)
class Combined:
    """The parts of a combined law: throws at home and a prior law."""

    file: str
    """Name of the file of the throws at home."""
    scores: Mapping[int, tuple[int, ...]]
    """Bricks K in a hand -> counts of hands at home that scored 0, 1, ..., K."""
    poses: Mapping[str, int] | None
    """Pose -> number of bricks at home; None if only scores were recorded."""
    prior_p: float
    prior_ci95: tuple[float, float]
    prior_range90: tuple[float, float] | None
    """Probability of a side in the prior law, its 95 % interval by the throws, and where p lies for such tables and
    hands in 90 % of cases (None if not measured)."""
    prior_throws: int
    """Number of single bricks of the prior law."""
    prior_command: str
    """The command that made the prior law."""
    prior_p_in_hand: float | None = None
    """Probability of a side in the prior law of a brick in a hand of several; None if it is taken to be `prior_p`, as
    in files of earlier versions."""

    @property
    def prior_hand_factor(self) -> float:
        """The odds of a side of a brick in a hand over those of a single one, in the prior law."""
        return (
            1.0 if self.prior_p_in_hand is None else odds_factor(self.prior_p, self.prior_p_in_hand)
        )

    @property
    def thrown(self) -> int:
        """Number of bricks at home."""
        return sum(bricks * sum(hands) for bricks, hands in self.scores.items())


@dataclass(frozen=True)
class MeasuredCause:
    """A cause of the probability of a side on one table, by one hand."""

    mean: float
    ci95: tuple[float, float]
    """Posterior mean and 95 % interval."""
    measured: bool
    """Whether it was measured; else its prior is uniform over a range."""


@dataclass(frozen=True)
class MeasuredSources:
    """The measurements of one table and one hand that a law rests on."""

    file: str
    """Name of the measurement file."""
    causes: Mapping[str, MeasuredCause]
    """Name -> posterior of the cause."""
    assumptions: tuple[str, ...]
    """Assumptions of the posterior, in sentences."""
