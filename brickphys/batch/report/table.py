"""Table: the results of a batch so far: a row for each cell, and the numbers of runs."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

from brickphys.batch.kinds.study_type import Estimate
from brickphys.batch.run.chunk import CELL, ERROR
from brickphys.batch.run.target import pending
from brickphys.batch.store.store import Store
from brickphys.errors import InvalidValueError

MAIN = "p_side"
"""The column whose interval is called ci95 without its name, as in all commands."""


@dataclass(frozen=True)
class RunCounts:
    """Numbers of runs: with a result, given up with an error, and missing, judged by the rows so far."""

    done: int
    failed: int
    pending: int

    def line(self, unit: str) -> str:
        """Return the numbers in words; ``unit`` is what the runs are, such as battles."""
        failed = f", {self.failed:,} failed" if self.failed else ""
        to_do = f", {self.pending:,} to do" if self.pending else ""
        return f"{self.done:,} {unit} done{failed}{to_do}"


def counts(store: Store) -> RunCounts:
    """Return how many runs are done, failed and pending."""
    ledger = store.ledger
    failed = ledger.total_failed
    return RunCounts(ledger.total - failed, failed, pending(store))


def check_begun(store: Store) -> None:
    """Raise InvalidValueError if a batch has no rows yet."""
    if not store.shards:
        raise InvalidValueError(f"{store.folder}: no run is done yet: there is nothing to report")


def rows(store: Store) -> list[dict[str, Any]]:
    """Return the table: factors first, then counts and estimates as JSON values, in the order of the cells.

    The rows depend only on which runs are done.
    """
    return [row(store, cell, summary) for cell, summary in summaries(store)]


def row(store: Store, cell: int, summary: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row of a cell in the table."""
    return {
        **store.spec.cells[cell],
        "failed": store.ledger.failed(cell),
        **dict(_values(summary, store.spec.columns(cell))),
    }


def summaries(store: Store) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield each cell with its results; memory holds the rows of one cell."""
    for cell in range(len(store.spec.cells)):
        found = store.spec.summary(cell, store.good_rows(cell))
        yield cell, dict(found)


def errors(store: Store) -> Iterator[tuple[int, str, int]]:
    """Yield cell, error and number of runs, for each error of each cell."""
    for cell in range(len(store.spec.cells)):
        if store.ledger.failed(cell):
            table = store.rows(cell, [CELL, ERROR])
            for entry in table[ERROR].drop_null().value_counts().to_pylist():
                yield cell, entry["values"], entry["counts"]


def interval_name(column: str) -> str:
    """Return the name of the interval of an estimate."""
    return "ci95" if column == MAIN else f"{column}_ci95"


def _values(summary: Mapping[str, Any], columns: Collection[str]) -> Iterator[tuple[str, Any]]:
    for name, value in summary.items():
        if isinstance(value, Estimate):
            yield name, value.value
            yield interval_name(name), [end if isfinite(end) else None for end in value[1:]]
        else:
            yield name, value
            if name in columns:  # an estimate that the rows do not give
                yield interval_name(name), None
