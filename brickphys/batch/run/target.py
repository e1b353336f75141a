"""Target: how many runs a cell needs, judged by its rows, and which runs of a batch are still missing."""

from collections.abc import Iterable

from brickphys.batch.kinds.study_type import Estimate
from brickphys.batch.store.store import Store


def target(store: Store, cell: int, beyond: int = 0) -> int:
    """Return how many runs a cell needs, judged by its rows; up to `beyond` the interval is known to be too wide.

    A cell that repeats until its interval is narrow is judged only after fixed numbers of runs, and by exactly these
    first runs. So it ends at the same run, however the work was cut.
    """
    until = store.spec.until
    if until is None:
        return store.spec.least_runs_a_cell
    for look in until.looks():
        if look > beyond and (any(store.ledger.gaps(cell, look)) or _is_enough(store, cell, look)):
            return look
    return until.at_most


def given_up(store: Store) -> list[int]:
    """Return the cells that have `at_most` runs and still no narrow interval."""
    until, cells = store.spec.until, range(len(store.spec.cells))
    if until is None:
        return []
    most = until.at_most
    full = (cell for cell in cells if not any(store.ledger.gaps(cell, most)))
    return [cell for cell in full if not _is_enough(store, cell, most)]


def pending(store: Store) -> int:
    """Return how many runs are missing, judged by the rows so far: there may be holes far below the last run."""
    ledger, spec = store.ledger, store.spec
    if spec.repeats:
        return spec.most_runs - ledger.total
    cells = range(len(spec.cells))
    return sum(_length(ledger.gaps(c, max(target(store, c), ledger.end(c)))) for c in cells)


def left(store: Store) -> tuple[int, int]:
    """Return how many runs a batch still needs: judged by its rows, and at most."""
    until = store.spec.until
    if until is None:
        return (pending(store),) * 2
    fewest = most = 0
    for cell in range(len(store.spec.cells)):
        if missing := _length(store.ledger.gaps(cell, target(store, cell))):
            fewest += missing
            most += _length(store.ledger.gaps(cell, until.at_most))
    return fewest, most


def _length(ranges: Iterable[tuple[int, int]]) -> int:
    return sum(end - first for first, end in ranges)


def _is_enough(store: Store, cell: int, look: int) -> bool:
    """Return whether a cell may stop at a look: its interval is narrow, or all of its runs failed."""
    rows, until = store.good_rows(cell, look), store.spec.until
    if not rows.num_rows or not until:
        return True
    summary = store.spec.summary(cell, rows)
    estimate = summary.get(until.column)
    return isinstance(estimate, Estimate) and estimate.half_width <= until.half_width
