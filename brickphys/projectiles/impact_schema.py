"""The schema of the file of an impact law. It loads pydantic, so `impact_law` imports it only to read a file."""

from typing import Annotated, Any, Literal

from pydantic import Field, FiniteFloat, NonNegativeInt, ValidationError

from brickphys.schema import NonNegative, Positive, Probability, StampDocument, Strict, faults

Fall = Annotated[FiniteFloat, Field(ge=-90, le=90)]
Bins = list[list[NonNegativeInt]]


class ArrivalDocument(Strict):
    """The hits on a side at a fall and a speed, by height and distance from the middle."""

    side: Literal["front", "side", "rear"]
    fall_deg: Fall
    speed_m_s: Positive
    ci95: Annotated[list[Probability], Field(min_length=2, max_length=2)]
    hits: Bins
    knocked: Bins


class ImpactLawDocument(Strict):
    """A whole file."""

    schema_: Literal["brickphys.impact_law/1"] = Field(alias="schema")
    projectile: str
    body: str
    engine: Literal["bullet"]
    versions: dict[str, str]
    seed: Annotated[int, Field(ge=0, lt=2**53)]
    command: str
    stamp: StampDocument | None = None
    conditions: dict[str, NonNegative]
    unsettled: NonNegativeInt
    speeds_m_s: list[Positive]
    falls_deg: list[Fall]
    height_mm: list[FiniteFloat]
    aside_mm: list[FiniteFloat]
    arrivals: list[ArrivalDocument]


def parse(document: Any) -> ImpactLawDocument | list[str]:
    """Return the document in a JSON value, or every fault of it as ``key.path: fault``."""
    try:
        return ImpactLawDocument.model_validate(document)
    except ValidationError as error:
        return faults(error, ImpactLawDocument)
