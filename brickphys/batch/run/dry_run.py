"""Dry run: the cost of a study, estimated by a few runs of its cells."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from brickphys.batch.run.target import left
from brickphys.batch.store.store import Store
from brickphys.batch.study.spec import Spec
from brickphys.text import counted

_CELLS = 8
"""The most cells that are tried, spread evenly over all; of fewer than twice as many, every other one."""
_SECONDS = 0.5
"""The runs of a cell are doubled until they take this long."""
_ALL_S = 5.0
"""Once the trial has taken so long, no other cell is tried."""


@dataclass(frozen=True)
class CostEstimate:
    """The estimated cost of a study.

    Attributes
    ----------
    seconds_a_run
        Seconds for a run, by number of the cell that was tried.
    left
        Runs that a batch still needs, judged by its rows and at most; None without a batch.
    """

    spec: Spec
    workers: int
    seconds_a_run: dict[int, float]
    left: tuple[int, int] | None = None

    @property
    def fewest_runs(self) -> int:
        """Fewest runs of the study: all of them, or those before a cell is first judged."""
        return self.spec.least_runs_a_cell * len(self.spec.cells)

    def seconds(self, runs: int) -> float:
        """Return how long so many runs take if they are spread evenly over the cells."""
        if not runs:
            return 0.0
        mean = sum(self.seconds_a_run.values()) / len(self.seconds_a_run)
        return runs * mean / self.workers

    @property
    def ahead(self) -> tuple[int, int]:
        """Runs to do, at least and at most."""
        return self.left or (self.fewest_runs, self.spec.most_runs)

    def document(self) -> dict[str, Any]:
        """Return the cost as JSON values."""
        spec = self.spec
        return {
            "kind": spec.study_type.name,
            "seed": spec.seed,
            "cells": len(spec.cells),
            "factors": list(spec.factors),
            "runs": [self.fewest_runs, spec.most_runs],
            "workers": self.workers,
            "estimated_seconds": [self.seconds(runs) for runs in self.ahead],
            **({} if self.left is None else {"left": list(self.left)}),
        }

    def text(self) -> str:
        """Return the cost as text for people."""
        spec = self.spec
        names = f" ({' x '.join(spec.factors)})" if spec.factors else ""
        cells = counted(len(spec.cells), "cell") + names
        runs = _span(f"{self.fewest_runs:,}", f"{spec.most_runs:,}")
        text = f"{spec.title}: {cells}, {runs} {spec.study_type.unit}, seed {spec.seed}\n"
        if self.left is not None:
            text += f"{_span(*(f'{count:,}' for count in self.left))} {spec.study_type.unit} left to do\n"
        return text + self._duration() if any(self.ahead) else text.rstrip()

    def _duration(self) -> str:
        fewest, most = self.ahead
        longest = f" to {_duration(self.seconds(most))}" if most != fewest else ""
        return (
            f"about {_duration(self.seconds(fewest))}{longest} with {counted(self.workers, 'worker')}, "
            f"estimated from a trial of {counted(len(self.seconds_a_run), 'cell')}"
        )


def dry_run(spec: Spec, workers: int, store: Store | None = None) -> CostEstimate:
    """Try some cells of a study in this process, and return the cost of the study; no row is kept.

    The trial does no more runs than the study, and of each cell half of its runs if one alone is not more.

    If its batch has begun, the cost is that of the missing runs.
    """
    ahead = left(store) if store else None
    tried = _some(spec.cells) if ahead is None or any(ahead) else []
    found: dict[int, float] = {}
    start = time.perf_counter()
    for cell in tried:
        found[cell] = _seconds_a_run(spec, cell)
        if time.perf_counter() - start > _ALL_S:
            break
    return CostEstimate(spec, workers, found, ahead)


def _some(cells: Sequence[Any]) -> list[int]:
    count = min(_CELLS, (len(cells) + 1) // 2)
    step = (len(cells) - 1) / max(count - 1, 1)
    return sorted({round(index * step) for index in range(count)})


def _seconds_a_run(spec: Spec, cell: int) -> float:
    work = spec.work(cell)
    work.warm_up()
    count, done = work.grain, 0
    while True:
        start = time.perf_counter()
        work.rows(0, count)
        seconds, done = time.perf_counter() - start, done + count
        if seconds >= _SECONDS or done + 2 * count > spec.least_runs_a_cell // 2:
            return seconds / count
        count *= 2


def _span(fewest: str, most: str) -> str:
    return fewest if fewest == most else f"{fewest} to {most}"


def _duration(seconds: float) -> str:
    for unit, size in (("days", 86_400.0), ("hours", 3600.0), ("minutes", 60.0)):
        if seconds >= 2 * size:
            return f"{seconds / size:.1f} {unit}"
    return f"{max(seconds, 1):.0f} s"
