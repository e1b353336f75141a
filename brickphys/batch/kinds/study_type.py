"""Kind: what a study can be about, and how one run of it becomes a row."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import pyarrow as pa
from pydantic import AfterValidator

from brickphys.schema import Strict

Settings = Mapping[str, Any]
"""Values by factor: everything about a cell that was written down, fixed or not."""
Attached = Mapping[str, Any]
"""Contents of the files that settings name, as JSON values: a run must not depend on files that may change."""


def known_to(look_up: Callable[[str], object]) -> AfterValidator:
    """Return the check that a name of a factor is known; whatever looks it up says what was meant."""

    def check(name: str) -> str:
        look_up(name)
        return name

    return AfterValidator(check)


class Estimate(NamedTuple):
    """What a cell tells of one column, with its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


Summary = Mapping[str, Any]
"""What a cell comes to: counts as JSON values, estimates as `Estimate`, None where there is nothing to tell."""


@dataclass(frozen=True)
class Limits:
    """When a run is given up; None where there is no limit."""

    time_s: float
    rounds: int | None = None
    memory_mb: int | None = None


class CellWork(Protocol):
    """One cell made ready in a process: its world is built, its files are read."""

    @property
    def grain(self) -> int:
        """How many runs are cheapest together, counted from a multiple of that on."""
        ...

    def warm_up(self) -> None:
        """Load what a process loads once, so that no run is charged with it; no row comes of it."""
        ...

    def rows(self, first: int, count: int) -> pa.Table:
        """Do runs ``first .. first + count - 1`` and return a row of each, in order.

        What a row says depends on root seed, cell and run only, never on `first` or `count`.
        """
        ...


class StudyType(Protocol):
    """What a study can be about."""

    @property
    def name(self) -> str:
        """Name in study files."""
        ...

    @property
    def unit(self) -> str:
        """What people call a run, in the plural."""
        ...

    @property
    def document(self) -> type[Strict]:
        """The schema of the settings of a cell; its keys are the factors."""
        ...

    @property
    def limits(self) -> Sequence[str]:
        """Names of limits that runs of this kind have, besides those of all kinds."""
        ...

    def ignored(self, settings: Settings) -> Mapping[str, str]:
        """Return the factors that change nothing beside the others that are set, and why."""
        ...

    def attachments(self, settings: Settings, folder: Path) -> Attached:
        """Read the files that settings name, relative to the folder of the study file.

        Raises
        ------
        InvalidValueError
            If one cannot be read.
        """
        ...

    def work(
        self, settings: Settings, attached: Attached, root: int, cell: int, limits: Limits
    ) -> CellWork:
        """Make a cell ready.

        Raises
        ------
        InvalidValueError
            If a value is impossible.
        """
        ...

    def versions(self, settings: Settings) -> Mapping[str, str]:
        """Return versions that the rows depend on, besides those of packages."""
        ...

    def columns(self, settings: Settings) -> Mapping[str, str]:
        """Return the estimates of such a cell, name -> meaning: what ``until`` may wait for, and plots show."""
        ...

    def summary(self, settings: Settings, rows: pa.Table) -> Summary:
        """Return what the rows of a cell come to; all of them are of runs that did not fail."""
        ...
