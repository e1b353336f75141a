"""Paired comparison: how often the same run (with the same scene or setup) has different results in two cells."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from brickphys.batch.kinds.study_type import Estimate
from brickphys.batch.run.chunk import RUN
from brickphys.batch.store.store import Store
from brickphys.errors import unknown


@dataclass(frozen=True)
class PairedComparison:
    """The comparison of two cells, by their numbers.

    `p_differs` is the share of the runs that both have in which the column differs; None without such runs.
    """

    cells: tuple[int, int]
    runs: int
    p_differs: Estimate | None


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
        differ = int((found[one][1][here] != found[other][1][there]).sum())
        share = Estimate.of_share(differ, len(runs)) if len(runs) else None
        yield PairedComparison((one, other), len(runs), share)
