"""Schema of a study file."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, FiniteFloat, ValidationError, model_validator

from brickphys.batch.kinds.study_type import Count, Limits
from brickphys.schema import Strict, faults
from brickphys.seeds import MAX_ROOT

MAX_CELLS = 100_000


class Steps(Strict):
    """Numbers at equal steps, in place of a list: `{from = 50, to = 300, step = 50}`."""

    first: FiniteFloat = Field(alias="from")
    """The first number."""
    to: FiniteFloat
    """The last number, if a step ends there; none is beyond it."""
    step: Annotated[FiniteFloat, Field(gt=0)]
    """Distance from each number to the next."""

    @model_validator(mode="after")
    def _ends(self) -> "Steps":
        if self.first > self.to:
            raise ValueError(f"from: {self.first:g} is above to, {self.to:g}")
        if self._count() > MAX_CELLS:
            raise ValueError(f"more than {MAX_CELLS:,} values")
        return self

    def values(self) -> list[int] | list[float]:
        """Return the numbers: those nearest to the decimal fractions, or integers if all of them are."""
        first, step = Fraction(str(self.first)), Fraction(str(self.step))
        found = [first + n * step for n in range(self._count())]
        if all(value.is_integer() for value in (self.first, self.step)):
            return [*map(int, found)]
        return [*map(float, found)]

    def _count(self) -> int:
        first, to, step = (Fraction(str(value)) for value in (self.first, self.to, self.step))
        return (to - first) // step + 1


def _listed(values: Any) -> Any:
    """Return the numbers at equal steps that a table says; anything else as it is."""
    if not isinstance(values, dict):
        return values
    try:
        return Steps.model_validate(values).values()
    except ValidationError as error:
        raise ValueError("; ".join(faults(error, Steps))) from None


Values = Annotated[
    list[Any],
    Field(min_length=1),
    BeforeValidator(_listed, json_schema_input_type=list[Any] | Steps),
]
"""Values of a factor."""


class Until(Strict):
    """Repeat until the 95 % interval of a column is narrow enough in each cell.

    A cell is judged after `first` runs, and whenever their number has doubled, up to `at_most`.
    """

    column: str
    """The estimate, such as `p_side`."""
    half_width: Annotated[FiniteFloat, Field(gt=0)]
    """Largest half-width of its 95 % interval."""
    first: Count = 1000
    """Runs before a cell is judged for the first time."""
    at_most: Count = 1_000_000
    """Largest number of runs of a cell."""

    @model_validator(mode="after")
    def _looks_once(self) -> "Until":
        if self.first > self.at_most:
            raise ValueError(f"first: {self.first} is above at_most, {self.at_most}")
        return self

    def looks(self) -> Iterator[int]:
        """Yield the numbers of runs after which a cell is judged; the last one is `at_most`."""
        count = self.first
        while count < self.at_most:
            yield count
            count *= 2
        yield self.at_most


class SampleDocument(Strict):
    """Cells that fill a space."""

    method: Literal["latin_hypercube", "sobol"]
    """Sampling method."""
    cells: Annotated[int, Field(ge=1, le=MAX_CELLS)]
    """Number of cells."""
    ranges: dict[str, Annotated[list[FiniteFloat], Field(min_length=2, max_length=2)]] = Field(
        default_factory=dict
    )
    """Factor → low and high end."""
    choices: dict[str, Values] = Field(default_factory=dict)
    """Factor → values to choose from."""

    @model_validator(mode="after")
    def _has_factors(self) -> "SampleDocument":
        if not self.ranges and not self.choices:
            raise ValueError("neither ranges nor choices: nothing to sample")
        if shared := sorted(self.ranges.keys() & self.choices.keys()):
            raise ValueError(f"{', '.join(shared)}: in ranges and in choices")
        for name, (low, high) in self.ranges.items():
            if not low < high:
                raise ValueError(f"ranges.{name}: {low:g} is not below {high:g}")
        return self


class SpecDocument(Strict):
    """A study file.

    Either `grid` (every combination, the last factor fastest), or `cell` (a list), or `sample`; without them there is
    one cell. `fixed` holds for all cells. Either `repeats` or `until`.
    """

    kind: str
    """What a run is: `drop`, `collide` or `battle`."""
    title: str = ""
    """Title of the report."""
    seed: Annotated[int, Field(ge=0, lt=MAX_ROOT)] | None = None
    """Root seed; default: drawn and stored."""
    repeats: Count | None = None
    """Runs of each cell."""
    until: Until | None = None
    """Repeat each cell until its interval is narrow enough, in place of `repeats`."""
    limits: Limits = Limits()
    """Limits at which a run is abandoned."""
    fixed: dict[str, Any] = Field(default_factory=dict)
    """Factor → its value in all cells."""
    grid: dict[str, Values] = Field(default_factory=dict)
    """Factor → values, or `{from = .., to = .., step = ..}`; every combination is a cell, the last factor fastest."""
    cell: list[dict[str, Any]] = Field(default_factory=list)
    """A table of factors for each cell, in place of `grid`."""
    sample: SampleDocument | None = None
    """Cells that fill a space, in place of `grid`."""
