"""The schema of the options of random armies in a study; a game adds their places. Loads pydantic."""

from typing import Annotated

from pydantic import Field, FiniteFloat, model_validator

from brickphys.schema import Strict

MAX_POINTS = 30_000

Ratio = Annotated[FiniteFloat, Field(ge=0.1, le=10)]
RatioRange = Annotated[list[Ratio], Field(min_length=2, max_length=2)]


class RandomArmiesDocument(Strict):
    """How two armies are drawn.

    One army has up to `points` cost points, the other `ratio` times as many: a number, or the ends between which it
    is drawn, log-uniformly. `units` are the units that may be drawn; all that the game knows if left out.
    """

    points: Annotated[int, Field(ge=1, le=MAX_POINTS)] = 120
    ratio: Ratio | RatioRange = Field(1.0, description="a number from 0.1 to 10, or [low, high]")
    units: Annotated[list[str], Field(min_length=1)] | None = None

    @model_validator(mode="after")
    def _ordered(self) -> "RandomArmiesDocument":
        low, high = self.ratios
        if low > high:
            raise ValueError(f"ratio: {low:g} is above {high:g}")
        return self

    @property
    def ratios(self) -> tuple[float, float]:
        """The ends between which the ratio lies."""
        low, high = self.ratio if isinstance(self.ratio, list) else (self.ratio, self.ratio)
        return low, high
