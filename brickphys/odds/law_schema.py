"""The schema of a law file. It loads pydantic, so `law_file` imports it only to read a file."""

import re
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    FiniteFloat,
    JsonValue,
    NonNegativeInt,
    PositiveInt,
    ValidationError,
)

from brickphys.odds.provenance import (
    ANY,
    MAX_FRICTION,
    MAX_HEIGHT_MM,
    MAX_SPEED_M_S,
    MAX_SPIN_RAD_S,
)
from brickphys.odds.roll import SIDE
from brickphys.schema import NonNegative, Probability, StampDocument, Strict, faults


def _check_share(text: str) -> str:
    try:
        share = Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"{text!r} is not a fraction such as '1234/56789'") from None
    if not 0 <= share <= 1:
        raise ValueError(f"{text} is outside 0..1")
    return text


def _number(key: str | int) -> int:
    """Return the number that a key of a JSON object is, which may be written in one way only: no two keys are alike."""
    if not re.fullmatch("[1-9][0-9]{0,17}", str(key)):
        raise ValueError("should be a positive integer, without a sign, blanks or zeros before it")
    return int(key)


Bricks = Annotated[int, BeforeValidator(_number)]
"""A number of bricks as a key."""
Correlation = Annotated[FiniteFloat, Field(ge=-1, lt=1)]
Share = Annotated[
    str, Field(max_length=60, pattern=r"^[0-9]+/[0-9]+$"), AfterValidator(_check_share)
]
Shift = Annotated[FiniteFloat, Field(ge=-1, le=1)]
"""Difference of two chances."""
Error = Probability
"""Standard error or half-width of a chance."""
Height = Annotated[FiniteFloat, Field(ge=0, le=MAX_HEIGHT_MM)]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class ConditionsDocument(Strict):
    """Throw conditions."""

    preset: str
    """Name of the throw, or `custom`."""
    height_mm: tuple[Height, Height]
    """Least and greatest height of the centre of mass above the floor, in mm."""
    speed_m_s: Annotated[FiniteFloat, Field(ge=0, le=MAX_SPEED_M_S)]
    """Root mean square speed on each horizontal axis, in m/s."""
    spin_rad_s: Annotated[FiniteFloat, Field(ge=0, le=MAX_SPIN_RAD_S)]
    """Root mean square spin on each axis, in rad/s."""
    scatter: Probability
    """Share of the variance of the horizontal velocity that each brick of a hand has for itself."""
    start: str = ANY
    """Orientation at release: `any`, `flip`, or the pose as which it is picked up."""


class LawSurfaceDocument(Strict):
    """Surface and floor."""

    name: str
    """Name of the surface."""
    friction: Annotated[FiniteFloat, Field(ge=0, le=MAX_FRICTION)]
    """Friction of brick and surface."""
    restitution: Probability
    """Restitution of brick and surface."""
    floor: str = "plane"
    """`plane`, `baseplate` or `tray`."""


class ShareDocument(Strict):
    """Share of sides as a fraction, number of throws, Wilson interval, and 5th and 95th percentile of p."""

    fraction: Share
    """Share of single bricks that score, as a fraction."""
    throws: PositiveInt
    """Single bricks that were thrown."""
    ci95: tuple[Probability, Probability]
    """Its 95 % interval by the number of throws."""
    range90: tuple[Probability, Probability] | None = None
    """Range of the chance for nine in ten tables of this kind, bricks and hands, if these vary as assumed."""
    nominal: Annotated[FiniteFloat, Field(gt=0, lt=1)] | None = None
    """The chance that a stranger should believe, the median of that range: the odds use it."""


class HandsDocument(Strict):
    """Number of hands of K bricks, and counts of hands that scored 0, 1, ..., K."""

    hands: PositiveInt
    """Hands that were thrown."""
    counts: list[NonNegativeInt]
    """Hands that scored 0, 1, ..., K."""


class OverdispersionDocument(Strict):
    """The test of independence."""

    rho: Correlation
    """Correlation of two bricks of a hand."""
    ci95: tuple[FiniteFloat, FiniteFloat]
    """Its 95 % interval."""
    p_value: Probability
    """Two-sided p-value if bricks were independent."""
    factor: dict[Bricks, NonNegative]
    """Bricks in a hand → variance of the score over that of independent bricks."""
    bricks: tuple[PositiveInt, ...]
    """Numbers of bricks in the hands of the test."""
    finding: str
    """What it means for a game."""


class SourceDocument(Strict):
    """Shift of p by one cause."""

    low: FiniteFloat
    """Least value of the cause."""
    high: FiniteFloat
    """Greatest value of the cause."""
    shift: Shift
    """Change of the chance between them, averaged over all other causes."""
    error: Error
    """Standard error of the shift."""


class SystematicDocument(Strict):
    """Sources of the range of p; earlier versions wrote a half-width, which is not used."""

    half_width: Error | None = None
    """Of earlier versions; not used."""
    range_error: Error | None = None
    """Standard error of the ends of the 90 % range."""
    throws: NonNegativeInt
    """Throws over all causes."""
    sources: dict[str, SourceDocument]
    """Cause → shift of the chance that it causes."""
    reference: str = "bullet"
    """The reference engine, of the source `engine`."""
    nominal_error: Error | None = None
    """Standard error of the nominal chance by the throws and the time steps of the reference engine."""
    to_limit: tuple[float, Error] | None = None
    """What the reference engine lacks to its limit of short time steps (logarithms of odds), and the standard error."""
    reference_counts: tuple[NonNegativeInt, NonNegativeInt] | None = None
    """Single bricks on a side, and all, by the reference engine at the usual throw."""


class CombinedDocument(Strict):
    """The throws at home and the prior law; earlier versions wrote a systematic half-width, which is not used."""

    file: str
    """Name of the file of counts."""
    scores: dict[Bricks, list[NonNegativeInt]]
    """Bricks in a hand → hands at home that scored 0, 1, ..."""
    poses: dict[str, NonNegativeInt] | None
    """Pose → bricks at home, where poses were counted."""
    prior_p: Probability
    """Chance in the prior law."""
    prior_ci95: tuple[Probability, Probability]
    """Its 95 % interval."""
    prior_range90: tuple[Probability, Probability] | None = None
    """Its 90 % range."""
    prior_systematic: Error | None = None
    """Of earlier versions; not used."""
    prior_throws: PositiveInt
    """Single bricks of the prior law."""
    prior_command: str
    """The command that made the prior law."""
    prior_p_in_hand: Probability | None = None
    """Chance in the prior law of a brick in a hand of several; null if that is `prior_p`."""


class MeasuredCauseDocument(Strict):
    """Posterior of a cause."""

    mean: FiniteFloat
    """Posterior mean."""
    ci95: tuple[FiniteFloat, FiniteFloat]
    """95 % interval."""
    measured: bool
    """Whether it was measured (else assumed)."""


class MeasuredDocument(Strict):
    """The measurements of one table and one hand."""

    file: str
    """Name of the measurement file."""
    causes: dict[str, MeasuredCauseDocument]
    """Cause → its posterior."""
    assumptions: tuple[str, ...]
    """Assumptions for everything that was not measured."""


class LawDocument(Strict):
    """A whole law file."""

    schema_: Literal["brickphys.law/1"] = Field(alias="schema")
    """The format and its version."""
    shape: str
    """The body that was thrown."""
    engine: str
    """The engine of single bricks."""
    hands_engine: str | None = None
    """The engine of hands, where it is another one."""
    versions: dict[str, str]
    """Package → version."""
    seed: Annotated[int, Field(ge=0, lt=2**53)]
    """Root seed."""
    command: str
    """The command that makes the same law."""
    complete: bool
    """Whether the calibration reached its target."""
    conditions: ConditionsDocument
    """The throw."""
    surface: LawSurfaceDocument
    """The table."""
    p_side: ShareDocument
    """The chance that a single brick scores."""
    counts: dict[str, NonNegativeInt]
    """Pose → single bricks."""
    poses_ci95: dict[str, tuple[Probability, Probability]] = Field(default_factory=dict)
    """Pose → 95 % interval of its share."""
    scoring: tuple[str, ...] = (SIDE,)
    """Poses that score."""
    scores: dict[Bricks, HandsDocument]
    """Bricks in a hand → the hands that were thrown."""
    overdispersion: OverdispersionDocument | None = None
    """The test whether bricks of a hand are independent."""
    systematic: SystematicDocument | None = None
    """Sources of variation between tables, bricks and hands."""
    posterior: dict[str, list[FiniteFloat]] | None = None
    """Name → draws of the chance `p` and of all that it depends on, row by row together; only with a nominal chance."""
    validation: dict[str, JsonValue] | None = None
    """Agreement with the reference engine."""
    prior_hands: dict[Bricks, list[NonNegativeInt]] | None = None
    """Bricks in a hand → hands of the prior law, in a combined law."""
    combined: CombinedDocument | None = None
    """The counts at home, and the prior law."""
    measured: MeasuredDocument | None = None
    """The measurements of one table and one hand."""
    contradiction: Annotated[str, Field(max_length=500)] = ""
    """Which of the data behind the law contradict each other, in a sentence; missing if none do."""
    files: dict[str, Sha256] = Field(default_factory=dict)
    """File of body or surface → SHA-256."""
    stamp: StampDocument | None = None
    """What computed the numbers."""


def parse(text: str) -> LawDocument | list[str]:
    """Return the document in `text`, or every fault of it as ``key.path: fault``."""
    try:
        return LawDocument.model_validate_json(text)
    except ValidationError as error:
        return faults(error, LawDocument)
