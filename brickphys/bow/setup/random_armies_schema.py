"""The schema of what a study says about armies drawn at random; loads pydantic, so only `muster` imports it."""

from typing import Annotated

from pydantic import Field, FiniteFloat, model_validator

from brickphys.bow.setup.schema import Count
from brickphys.schema import Strict

MAX_POINTS = 2000
MAX_APART = 100
MAX_COVER = 20

Ratio = Annotated[FiniteFloat, Field(ge=0.1, le=10)]
Pair = Annotated[list[Ratio], Field(min_length=2, max_length=2)]


class MusterDocument(Strict):
    """How two armies are drawn, and where they meet.

    The first army has up to `points` cost points, the second `ratio` times as many: a number, or the ends between
    which it is drawn, log-uniformly. `units` are the sheets that may be drawn; all of the catalogue if left out. The
    lines stand `apart` studs from each other, with so many low walls for `cover` between them. After so many
    `rounds` whoever has destroyed the most cost points wins.
    """

    points: Annotated[int, Field(ge=1, le=MAX_POINTS)] = 120
    ratio: Ratio | Pair = Field(1.0, description="a number from 0.1 to 10, or [low, high]")
    units: Annotated[list[str], Field(min_length=1)] | None = None
    apart: Annotated[int, Field(ge=2, le=MAX_APART)] = 10
    cover: Annotated[int, Field(ge=0, le=MAX_COVER)] = 0
    rounds: Count = 20

    @model_validator(mode="after")
    def _ordered(self) -> "MusterDocument":
        if isinstance(self.ratio, list) and self.ratio[0] > self.ratio[1]:
            raise ValueError(f"ratio: {self.ratio[0]:g} is above {self.ratio[1]:g}")
        return self

    @property
    def ratios(self) -> tuple[float, float]:
        """The ends between which the ratio lies."""
        low, high = self.ratio if isinstance(self.ratio, list) else (self.ratio, self.ratio)
        return low, high
