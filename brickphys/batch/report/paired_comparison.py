"""Paired comparison: how often the same run (with the same scene or setup) has different results in two cells."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from brickphys.batch.kinds.study_type import Estimate
from brickphys.batch.run.chunk import RUN
from brickphys.batch.store.store import Store
from brickphys.errors import unknown

MOST_VALUES = 6
"""Largest number of values of a column for which the gain of each is shown, such as those of a winner."""
Values = np.ndarray[tuple[int, ...], np.dtype[np.object_]]


@dataclass(frozen=True)
class PairedComparison:
    """The comparison of two cells, by their numbers.

    `p_differs` is the share of the runs that both have in which the column differs; None without such runs. `gains`
    has, for each value of the column, its share in the second cell less that in the first one, over the same runs; it
    is empty if the column has more than `MOST_VALUES` values.
    """

    cells: tuple[int, int]
    runs: int
    p_differs: Estimate | None
    gains: Mapping[Any, Estimate] = field(default_factory=dict)


def paired_comparisons(store: Store, column: str) -> Iterator[PairedComparison]:
    """Yield the comparison of every pair of cells by a column of the rows.

    Raises
    ------
    InvalidValueError
        If the rows have no such column.
    """
    found = {}
    for cell in range(len(store.spec.cells)):
        rows = store.good_rows(cell)
        if rows.num_rows and column not in rows.column_names:
            raise unknown("column", column, rows.column_names)
        if rows.num_rows:
            values = np.asarray(rows[column].to_pylist(), dtype=object)
            found[cell] = (rows[RUN].to_numpy(), values)
    for one, other in combinations(range(len(store.spec.cells)), 2):
        if one not in found or other not in found:
            yield PairedComparison((one, other), 0, None)
            continue
        runs, here, there = np.intersect1d(found[one][0], found[other][0], return_indices=True)
        first, second = found[one][1][here], found[other][1][there]
        share = Estimate.of_share(int((first != second).sum()), len(runs)) if len(runs) else None
        yield PairedComparison((one, other), len(runs), share, _gains(first, second))


def _gains(first: Values, second: Values) -> dict[Any, Estimate]:
    """Return by how much the share of each value is larger in the second of two paired samples."""
    known = sorted({*first, *second}, key=lambda value: (str(type(value)), value))
    if len(known) > MOST_VALUES:
        return {}
    more = {
        value: Estimate.of_mean((second == value).astype(float) - (first == value).astype(float))
        for value in known
    }
    return {value: gain for value, gain in more.items() if gain is not None}
