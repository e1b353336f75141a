"""Probe: what a study would cost, by a few runs of its cells."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from brickphys.batch.spec import Spec

_CELLS = 8
"""Cells that are tried, from the first to the last."""
_SECONDS = 0.5
"""Runs of a cell are doubled until they take so long."""


@dataclass(frozen=True)
class Cost:
    """What a study would do.

    Attributes
    ----------
    spec
        The study.
    workers
        Processes that would share the work.
    seconds_a_run
        Of the cells that were tried, by their number.
    """

    spec: Spec
    workers: int
    seconds_a_run: dict[int, float]

    @property
    def fewest_runs(self) -> int:
        """How many runs there are at least: all of them, or those up to the first look."""
        until = self.spec.until
        each = min(until.first, until.at_most) if until else self.spec.repeats or 0
        return each * len(self.spec.cells)

    def seconds(self, runs: int) -> float:
        """Return how long so many runs would take, evenly over the cells."""
        mean = sum(self.seconds_a_run.values()) / len(self.seconds_a_run)
        return runs * mean / self.workers

    def document(self) -> dict[str, Any]:
        """Return all of it as JSON values."""
        spec = self.spec
        return {
            "kind": spec.kind.name,
            "seed": spec.seed,
            "cells": len(spec.cells),
            "factors": list(spec.factors),
            "runs": [self.fewest_runs, spec.most_runs],
            "workers": self.workers,
            "estimated_seconds": [self.seconds(self.fewest_runs), self.seconds(spec.most_runs)],
        }

    def text(self) -> str:
        """Return all of it for people."""
        spec, fewest = self.spec, self.fewest_runs
        most = f" to {spec.most_runs:,}" if spec.most_runs != fewest else ""
        longest = f" to {_duration(self.seconds(spec.most_runs))}" if most else ""
        names = f" ({' x '.join(spec.factors)})" if spec.factors else ""
        cells = "1 cell" if len(spec.cells) == 1 else f"{len(spec.cells):,} cells{names}"
        workers = "1 worker" if self.workers == 1 else f"{self.workers} workers"
        return (
            f"{spec.title}: {cells}, {fewest:,}{most} {spec.kind.unit}, seed {spec.seed}\n"
            f"about {_duration(self.seconds(fewest))}{longest} with {workers}, "
            f"by a probe of {len(self.seconds_a_run)} cells"
        )


def probe(spec: Spec, workers: int) -> Cost:
    """Try some cells of a study in this process, and return what all of it would cost; nothing is kept."""
    return Cost(spec, workers, {cell: _seconds_a_run(spec, cell) for cell in _some(spec.cells)})


def _some(cells: Sequence[Any]) -> list[int]:
    step = max(len(cells) - 1, 1) / max(min(_CELLS, len(cells)) - 1, 1)
    return sorted({round(index * step) for index in range(min(_CELLS, len(cells)))})


def _seconds_a_run(spec: Spec, cell: int) -> float:
    work = spec.kind.work(spec.settings(cell), spec.attached, spec.seed, cell, spec.limits)
    work.rows(0, work.grain)  # what is compiled, loaded or built once is not what a run costs
    count = work.grain
    while True:
        start = time.perf_counter()
        work.rows(0, count)
        seconds = time.perf_counter() - start
        if seconds >= _SECONDS or count >= max(spec.repeats or 0, work.grain):
            return seconds / count
        count *= 2


def _duration(seconds: float) -> str:
    for unit, size in (("days", 86_400.0), ("hours", 3600.0), ("minutes", 60.0)):
        if seconds >= 2 * size:
            return f"{seconds / size:.1f} {unit}"
    return f"{max(seconds, 1):.0f} s"
