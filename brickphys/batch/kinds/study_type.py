"""Study type: what a study can be about, and how one run of it becomes a row.

`study_type` loads the study type of a name when it is asked for.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from pydantic import AfterValidator, Field, FiniteFloat

from brickphys.errors import unknown
from brickphys.odds.distribution import mean_interval, wilson
from brickphys.rules.record import player_colours
from brickphys.schema import Strict
from brickphys.units import Array

Settings = Mapping[str, Any]
"""Values by factor: the fixed ones and those of a cell."""
Attached = Mapping[str, Any]
"""Contents of the files that settings name, as JSON values: a run must not depend on files that may change."""


def known_to(look_up: Callable[[str], object]) -> AfterValidator:
    """Return the check that `look_up` knows a name; it raises InvalidValueError with the nearest name otherwise."""

    def check(name: str) -> str:
        look_up(name)
        return name

    return AfterValidator(check)


class Estimate(NamedTuple):
    """An estimate of one column of a cell, with its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    @classmethod
    def of_share(cls, successes: float, trials: int) -> "Estimate":
        """Return a share with Wilson's interval."""
        return cls(successes / trials, *wilson(successes, trials))

    @classmethod
    def of_mean(cls, values: Array) -> "Estimate | None":
        """Return a mean with Student's interval, None without values."""
        return cls(*mean_interval(values)) if len(values) else None


Count = Annotated[int, Field(ge=1, le=10**9)]
"""A number of runs or rounds in a study file."""
Summary = Mapping[str, Any]
"""Results of a cell: counts as JSON values, estimates as `Estimate`, None where the rows do not give one."""


Fields = frozenset[pa.Field]
"""Columns of rows; one that is not nullable has a value in every run that did not fail."""
DRAWN = "drawn_"
"""How the names of columns begin that hold what was drawn for a run; rows of earlier versions have none of them."""


class Limits(Strict):
    """When a run is given up; without `rounds` and `memory_mb` these have no limit."""

    time_s: Annotated[FiniteFloat, Field(ge=1, le=86_400)] = 300.0
    """Seconds of work on a run."""
    rounds: Count | None = None
    """Rounds of a game."""
    memory_mb: Annotated[int, Field(ge=1024)] | None = None
    """Memory of a worker process, in MB."""


class Times(NamedTuple):
    """How long something took: how often it was done, the seconds together, and the longest."""

    number: int = 0
    seconds: float = 0.0
    worst_s: float = 0.0


def summed(times: Iterable[tuple[str, Times]]) -> dict[str, Times]:
    """Return times by name, those of the same name together."""
    found: dict[str, Times] = {}
    for name, one in times:
        old = found.get(name, Times())
        worst_s = max(old.worst_s, one.worst_s)
        found[name] = Times(old.number + one.number, old.seconds + one.seconds, worst_s)
    return found


class CellWork(ABC):
    """One cell, prepared in a process: its world is built, its files are read.

    `grain` is how many runs are cheapest together; groups begin at multiples of it.
    """

    grain: int = 1

    def warm_up(self) -> None:  # noqa: B027 - most have nothing to load
        """Load what a process loads once, so that no run is timed with it; it gives no row."""

    @abstractmethod
    def rows(self, first: int, count: int) -> pa.Table:
        """Do runs ``first .. first + count - 1`` and return their rows, in order.

        A row depends on root seed, cell and run only, never on `first` or `count`.
        """

    def times(self) -> Mapping[str, Times]:
        """Return what took how long since the last call, which no row may hold; nothing by default."""
        return {}


class StudyType(ABC):
    """What a study can be about."""

    name: ClassVar[str]
    """Its name in study files."""
    unit: ClassVar[str]
    """The plural of what a run is, for people: ``games``."""
    document: ClassVar[type[Strict]]
    """The schema of the settings of a cell; its keys are the factors."""
    limits: ClassVar[Sequence[str]] = ()
    """Names of the limits that only such runs have."""
    row_factors: ClassVar[Sequence[str]] = ()
    """Names of the factors on which the columns of rows depend."""
    interval_note: ClassVar[str] = ""
    """What the intervals of shares allow for, besides chance."""
    tested: ClassVar[Sequence[str]] = ()
    """Names of the estimates on which a sequential test may decide."""

    def ignored(self, settings: Settings) -> Mapping[str, str]:
        """Return the factors that change nothing given the others, each with the reason."""
        return {}

    def attachments(self, settings: Settings, folder: Path) -> Attached:
        """Read the files that settings name, relative to the folder of the study file.

        InvalidValueError if one cannot be read.
        """
        return {}

    def packages(self, settings: Settings) -> Sequence[str]:
        """Return the names of packages whose code the rows depend on, besides this one and its libraries."""
        return ()

    @abstractmethod
    def work(
        self, settings: Settings, attached: Attached, root: int, cell: int, limits: Limits
    ) -> CellWork:
        """Prepare a cell; InvalidValueError if a value is impossible."""

    @abstractmethod
    def fields(self, settings: Settings, attached: Attached) -> Fields:
        """Return the columns of the rows of such a cell."""

    @abstractmethod
    def columns(self, settings: Settings, attached: Attached) -> Mapping[str, str]:
        """Return the estimates of such a cell, name -> meaning; ``until`` may name one, and plots show all."""

    def headings(self, settings: Settings, attached: Attached) -> Mapping[str, str]:
        """Return what tables and pictures call the estimates of such a cell, by column, if not by its name."""
        return {}

    def sides(self, settings: Settings, attached: Attached) -> tuple[str, ...]:
        """Return the names of the sides of a cell, of which side n has the columns `p_win_n` and `p_full_n`."""
        return ()

    def side_colours(self, settings: Settings, attached: Attached) -> tuple[str, ...]:
        """Return the colours of these sides."""
        return player_colours(self.sides(settings, attached))

    @abstractmethod
    def summary(self, settings: Settings, attached: Attached, rows: pa.Table) -> Summary:
        """Return the results of a cell from the rows of its runs that did not fail."""

    def blocks(self, settings: Settings, attached: Attached, rows: pa.Table) -> Array:
        """Return the mean of the tested estimate in each block of runs that depend on each other, in 0..1."""
        raise NotImplementedError


STUDY_TYPES = {
    "drop": "drops:Drops",
    "collide": "scenes:Scenes",
    "battle": "battles:Battles",
    "ladder": "ladders:Ladders",
}


def study_type(name: str) -> StudyType:
    """Return the study type of a name; raise InvalidValueError with the nearest name if there is none."""
    if name not in STUDY_TYPES:
        raise unknown("kind", name, STUDY_TYPES)
    module, _, cls = STUDY_TYPES[name].partition(":")
    made: StudyType = getattr(import_module(f"brickphys.batch.kinds.{module}"), cls)()
    return made


def values(column: pa.ChunkedArray) -> npt.NDArray[Any]:
    """Return the values of a column of numbers or truth values without nulls.

    pyarrow's own `to_numpy` imports pandas, which takes longer than the status of a large batch.
    """
    if column.type == pa.bool_():
        return values(column.cast(pa.uint8())).astype(bool)
    return np.from_dlpack(column.combine_chunks())
