"""The schema of a law file. It loads pydantic, so `law_file` imports it only to read a file."""

from fractions import Fraction
from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    Field,
    FiniteFloat,
    JsonValue,
    NonNegativeInt,
    PositiveInt,
    ValidationError,
)

from brickphys.odds.roll import SIDE
from brickphys.schema import StampDocument, Strict, faults


def _check_share(text: str) -> str:
    try:
        share = Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"{text!r} is not a fraction such as '1234/56789'") from None
    if not 0 <= share <= 1:
        raise ValueError(f"{text} is outside 0..1")
    return text


NonNegative = Annotated[FiniteFloat, Field(ge=0)]
Probability = Annotated[FiniteFloat, Field(ge=0, le=1)]
Correlation = Annotated[FiniteFloat, Field(ge=-1, lt=1)]
Share = Annotated[
    str, Field(max_length=60, pattern=r"^[0-9]+/[0-9]+$"), AfterValidator(_check_share)
]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class ConditionsDocument(Strict):
    """Throw conditions."""

    preset: str
    height_mm: tuple[NonNegative, NonNegative]
    speed_m_s: NonNegative
    spin_rad_s: NonNegative
    scatter: Probability


class LawSurfaceDocument(Strict):
    """Surface and floor."""

    name: str
    friction: NonNegative
    restitution: Probability
    floor: str = "plane"


class ShareDocument(Strict):
    """Share of sides as a fraction, number of throws, Wilson interval, and 5th and 95th percentile of p."""

    fraction: Share
    throws: PositiveInt
    ci95: tuple[Probability, Probability]
    range90: tuple[Probability, Probability] | None = None


class HandsDocument(Strict):
    """Number of hands of K bricks, and counts of hands that scored 0, 1, ..., K."""

    hands: PositiveInt
    counts: list[NonNegativeInt]


class OverdispersionDocument(Strict):
    """The test of independence."""

    rho: Correlation
    ci95: tuple[FiniteFloat, FiniteFloat]
    p_value: Probability
    factor: dict[int, NonNegative]
    bricks: tuple[PositiveInt, ...]
    finding: str


class SourceDocument(Strict):
    """Shift of p by one cause."""

    low: FiniteFloat
    high: FiniteFloat
    shift: FiniteFloat
    error: NonNegative


class SystematicDocument(Strict):
    """Sources of the range of p; earlier versions wrote a half-width, which is not used."""

    half_width: NonNegative | None = None
    range_error: NonNegative | None = None
    throws: NonNegativeInt
    sources: dict[str, SourceDocument]


class CombinedDocument(Strict):
    """The throws at home and the prior law; earlier versions wrote a systematic half-width, which is not used."""

    file: str
    scores: dict[int, list[NonNegativeInt]]
    poses: dict[str, NonNegativeInt] | None
    prior_p: Probability
    prior_ci95: tuple[Probability, Probability]
    prior_range90: tuple[Probability, Probability] | None = None
    prior_systematic: NonNegative | None = None
    prior_throws: PositiveInt
    prior_command: str


class MeasuredCauseDocument(Strict):
    """Posterior of a cause."""

    mean: FiniteFloat
    ci95: tuple[FiniteFloat, FiniteFloat]
    measured: bool


class MeasuredDocument(Strict):
    """The measurements of one table and one hand."""

    file: str
    causes: dict[str, MeasuredCauseDocument]
    assumptions: tuple[str, ...]


class LawDocument(Strict):
    """A whole law file."""

    schema_: Literal["brickphys.law/1"] = Field(alias="schema")
    shape: str
    engine: str
    hands_engine: str | None = None
    versions: dict[str, str]
    seed: Annotated[int, Field(ge=0, lt=2**53)]
    command: str
    complete: bool
    conditions: ConditionsDocument
    surface: LawSurfaceDocument
    p_side: ShareDocument
    counts: dict[str, NonNegativeInt]
    poses_ci95: dict[str, tuple[Probability, Probability]] = Field(default_factory=dict)
    scoring: tuple[str, ...] = (SIDE,)
    scores: dict[int, HandsDocument]
    overdispersion: OverdispersionDocument | None = None
    systematic: SystematicDocument | None = None
    validation: dict[str, JsonValue] | None = None
    prior_hands: dict[int, list[NonNegativeInt]] | None = None
    combined: CombinedDocument | None = None
    measured: MeasuredDocument | None = None
    files: dict[str, Sha256] = Field(default_factory=dict)
    stamp: StampDocument | None = None


def parse(text: str) -> LawDocument | list[str]:
    """Return the document in `text`, or every fault of it as ``key.path: fault``."""
    try:
        return LawDocument.model_validate_json(text)
    except ValidationError as error:
        return faults(error, LawDocument)
