"""Frames: all runs of a batch with their factors, for Arrow and pandas."""

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from brickphys.batch.report.table import rows as table_rows
from brickphys.batch.report.text import value_in_words
from brickphys.batch.run.chunk import CELL
from brickphys.batch.store.store import Store
from brickphys.errors import needing

if TYPE_CHECKING:
    import pandas as pd


def to_arrow(store: Store) -> pa.Table:
    """Return every run as a row: its cell, the factors of the cell, its number and its results."""
    rows = store.rows()
    factors = factors_table(store)
    cells = rows[CELL].to_numpy()
    for place, name in enumerate(store.spec.factors, start=1):
        rows = rows.add_column(place, name, factors[name].take(pa.array(cells)))
    return rows


def to_pandas(store: Store) -> "pd.DataFrame":
    """Return the rows of `to_arrow` as a data frame.

    Raises
    ------
    MissingExtraError
        Without pandas.
    """
    rows = to_arrow(store)
    with needing("analysis", "pandas"):
        return rows.to_pandas()


def factors_table(store: Store) -> pa.Table:
    """Return the number of every cell and its factors."""
    cells = store.spec.cells
    columns: dict[str, Any] = {CELL: pa.array(range(len(cells)), pa.int32())}
    for name in store.spec.factors:
        columns[name] = _column([cell[name] for cell in cells])
    return pa.table(columns)


def _column(values: list[Any]) -> pa.Array:
    """Return values as they are if they have one type, else as texts."""
    try:
        return pa.array(values)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return pa.array([value_in_words(value) for value in values])


def cells_table(store: Store) -> pa.Table:
    """Return the table of the cells, as `brickphys.batch.report.table.rows` has it."""
    found = table_rows(store)
    names = dict.fromkeys(name for row in found for name in row)
    return pa.table({name: _column([row.get(name) for row in found]) for name in names})
