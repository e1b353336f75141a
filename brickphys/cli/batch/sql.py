"""The answers of SQL queries on the rows of a batch."""

import json
import sys
from typing import TYPE_CHECKING, Any

from brickphys.cli.shared import output
from brickphys.cli.shared.echo import echo

if TYPE_CHECKING:
    from brickphys.batch.store.store import Store

_LETTERS = 60
"""Letters of a text that a terminal shows."""
_SHOWN = 1000
"""Number of rows that are printed for people; --json has all."""


def print_answer(store: "Store", sql: str, *, files: bool, as_json: bool) -> None:
    """Print the answer of DuckDB to a query on the rows; with `files` it may read and write files."""
    from brickphys.batch.report.sql import query

    table = query(store, sql, files=files)
    if as_json:
        output.print_json("batch-sql", {"columns": table.column_names, "rows": _plain(table)})
        return
    columns = [map(_word, column.to_pylist()) for column in table.slice(0, _SHOWN).columns]
    output.print_table(table.column_names, list(zip(*columns, strict=True)))
    if table.num_rows > _SHOWN:
        echo(f"... and {table.num_rows - _SHOWN:,} rows more")


def _plain(table: Any) -> list[dict[str, Any]]:
    return [
        json.loads(json.dumps(row, default=str)) for row in table.to_pylist()
    ]  # dates, decimals


def _word(value: Any) -> str:
    """Return a value as text; a long text is cut in a terminal."""
    from brickphys.batch.report.text import value_in_words

    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.15g}"
    if isinstance(value, bool | list | dict):
        return value_in_words(value)
    is_long = isinstance(value, str) and len(value) > _LETTERS and sys.stdout.isatty()
    return f"{value[: _LETTERS - 1]}…" if is_long else str(value)
