"""SQL: all runs of a batch with their factors, for Arrow and pandas, and questions to DuckDB on these rows."""

import json
import re
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from brickphys.batch.chunk import CELL, STAMP
from brickphys.batch.report.table import rows as table_rows
from brickphys.batch.report.table import value_in_words
from brickphys.batch.store import SHARDS, Store
from brickphys.errors import InvalidValueError, needing
from brickphys.signals import in_thread

if TYPE_CHECKING:
    import pandas as pd

_BOUNDS: dict[str, Any] = {
    "memory_limit": "4GB",
    "threads": "4",
    "python_enable_replacements": "false",
}
_CLOSED: dict[str, Any] = {
    "temp_directory": "''",
    "enable_external_access": "false",
    "autoload_known_extensions": "false",
    "autoinstall_known_extensions": "false",
    "lock_configuration": "true",
}
"""No files, network or extensions, and no way to allow them; in order, for DuckDB may read its temporary folder."""
_TABLES = {"rows", "runs", "factors", "cells"}
_TABLE_FUNCTIONS = {"generate_series", "histogram", "histogram_values", "range", "unnest"}
"""Functions that a question may read tables from; others write logs and profiles, or read memory."""
_VIEWS = "select view_name from duckdb_views() where schema_name in ('main', 'pg_catalog')"
"""DuckDB's own views: a table that `with` calls so would open them to the parts of a question that do not see it."""


def query(store: Store, sql: str, *, files: bool = False) -> pa.Table:
    """Return the answer of DuckDB; `rows` has every run with its factors, `cells` is the table of the cells.

    All rows are compared with the journal before; DuckDB reads only the columns that the question needs. Raises
    MissingExtraError without DuckDB; InvalidValueError if the question is empty, or DuckDB refuses it; without `files`
    also if it is anything but one question. With `files` it may read and write any file, and load extensions; else it
    answers questions on the rows alone.
    """
    if not sql.strip(" ;\t\n"):
        raise InvalidValueError("--sql: the query is empty")
    if not sql.isprintable() and re.search("[\ud800-\udfff]", sql):
        raise InvalidValueError("--sql: the query is not text: it has bytes that are not UTF-8")
    with needing("analysis", "DuckDB"):
        import duckdb
    if lost := store.shard_problems().lost:  # DuckDB reads files as they are
        raise InvalidValueError(
            f"{store.folder}: {lost[0]} differs from the journal: see batch status"
        )
    base = duckdb.connect(config=_BOUNDS)
    try:
        if not files:
            for name, value in _CLOSED.items():
                base.execute(f"set {name} = {value}")
            _check_question(base, sql)
        _register(base, store)
        return in_thread(lambda: _answer(base, sql), base.interrupt)
    except duckdb.Error as error:
        raise InvalidValueError(f"--sql: {' '.join(str(error).split())}") from None
    finally:
        base.close()


def _answer(base: Any, sql: str) -> pa.Table:
    answer = base.sql(sql)
    return pa.table({}) if answer is None else answer.to_arrow_table()


def _check_question(base: Any, sql: str) -> None:
    kinds = [statement.type.name for statement in base.extract_statements(sql)]
    if kinds != ["SELECT"]:
        raise InvalidValueError(
            f"--sql: one question, which begins with select, not {', '.join(kinds).lower()}: --sql-files allows all"
        )
    (tree,) = base.execute("select json_serialize_sql(?)", [sql]).fetchone()
    functions, tables, own = _sources(tree)
    hidden = {name for (name,) in base.execute(_VIEWS).fetchall()}
    if others := functions - _TABLE_FUNCTIONS:
        raise InvalidValueError(
            f"--sql: {min(others)} is not one of the functions that read only the rows "
            f"({', '.join(sorted(_TABLE_FUNCTIONS))}): --sql-files allows all"
        )
    if others := tables - _TABLES - (own - hidden):
        raise InvalidValueError(
            f"--sql: {min(others)} is not one of the tables ({', '.join(sorted(_TABLES))}): --sql-files allows all"
        )


def _sources(tree: str) -> tuple[set[str], set[str], set[str]]:
    """Return the functions and tables that a question reads, and the tables that it defines itself by `with`.

    They are taken from the syntax tree of DuckDB.
    """
    functions: set[str] = set()
    tables: set[str] = set()
    own: set[str] = set()

    def noted(node: dict[str, Any]) -> dict[str, Any]:
        if node.get("type") == "TABLE_FUNCTION":
            functions.add(node["function"]["function_name"])
        elif node.get("type") == "BASE_TABLE":
            parts = (node["catalog_name"], node["schema_name"], node["table_name"])
            tables.add(".".join(filter(None, parts)).lower())
        if "cte_map" in node:
            own.update(entry["key"].lower() for entry in node["cte_map"]["map"])
        return node

    try:
        document = json.loads(tree, object_hook=noted)
    except RecursionError:
        raise InvalidValueError("--sql: the query is nested too deeply") from None
    if document["error"]:
        raise InvalidValueError(f"--sql: {document['error_message']}")
    return functions, tables, own


def _register(base: Any, store: Store) -> None:
    base.register("factors", factors_table(store))
    base.register("cells", cells_table(store))
    runs = _runs(store)
    base.register("runs", runs)
    first = store.manifest.stamps[0].digest
    told = (
        f"replace (coalesce({STAMP}, '{first}') as {STAMP})" if STAMP in runs.schema.names else ""
    )
    base.execute(f"create view rows as select * {told} from factors join runs using (cell)")


def _runs(store: Store) -> Any:
    """Return the runs as what Arrow reads when it is asked, so that DuckDB opens no file."""
    files = [str(store.folder / SHARDS / shard.file) for shard in store.shards]
    if not files:
        return store.rows()
    schema = pa.unify_schemas(map(pq.read_schema, files), promote_options="permissive")
    return ds.dataset(files, schema=schema, format="parquet")


def to_arrow(store: Store) -> pa.Table:
    """Return every run as a row: its cell, the factors of the cell, its number and its results."""
    rows = store.rows()
    factors = factors_table(store)
    cells = rows[CELL].to_numpy()
    for place, name in enumerate(store.spec.factors, start=1):
        rows = rows.add_column(place, name, factors[name].take(pa.array(cells)))
    return rows


def to_pandas(store: Store) -> "pd.DataFrame":
    """Return the rows of `to_arrow` as a data frame; MissingExtraError without pandas."""
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
