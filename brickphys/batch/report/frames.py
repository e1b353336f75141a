"""Frames: all runs of a batch with their factors, for Arrow, pandas and SQL."""

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from brickphys.batch.report.table import rows as table_rows
from brickphys.batch.report.text import value_in_words
from brickphys.batch.run.chunk import CELL, STAMP
from brickphys.batch.store.store import SHARDS, Store
from brickphys.errors import InvalidValueError, needing

if TYPE_CHECKING:
    import pandas as pd


def to_arrow(store: Store) -> pa.Table:
    """Return every run as a row: its cell, the factors of the cell, its number and its results."""
    rows = store.rows()
    factors = _factors(store)
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


def query(store: Store, sql: str) -> pa.Table:
    """Return the answer of DuckDB; `rows` has every run with its factors, `cells` is the table of the cells.

    DuckDB reads only the shards and columns that the question needs.

    Raises
    ------
    MissingExtraError
        Without DuckDB.
    InvalidValueError
        If the question is empty, or DuckDB refuses it.
    """
    if not sql.strip(" ;\t\n"):
        raise InvalidValueError("--sql: the question is empty")
    with needing("analysis", "DuckDB"):
        import duckdb
    if lost := store.shard_problems().lost:  # DuckDB reads files as they are
        raise InvalidValueError(
            f"{store.folder}: {lost[0]} differs from the journal: see batch status"
        )
    base = duckdb.connect()
    try:
        base.register("factors", _factors(store))
        base.register("cells", _cells(store))
        files = [str(store.folder / SHARDS / shard.file) for shard in store.shards]
        runs = (
            base.read_parquet(files, union_by_name=True) if files else base.from_arrow(store.rows())
        )
        base.register("runs", runs)
        first = store.manifest.stamps[0].digest
        told = f"replace (coalesce({STAMP}, '{first}') as {STAMP})" if STAMP in runs.columns else ""
        base.execute(f"create view rows as select * {told} from factors join runs using (cell)")
        answer = base.sql(sql)
        return pa.table({}) if answer is None else answer.to_arrow_table()
    except duckdb.Error as error:
        raise InvalidValueError(f"--sql: {error}") from None
    finally:
        base.close()


def _factors(store: Store) -> pa.Table:
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


def _cells(store: Store) -> pa.Table:
    found = table_rows(store)
    names = dict.fromkeys(name for row in found for name in row)
    return pa.table({name: _column([row.get(name) for row in found]) for name in names})
