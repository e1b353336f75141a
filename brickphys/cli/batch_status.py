"""Batch status: what is done, what failed and why, and which shards are lost, for people and as JSON.

The answers of SQL queries on the rows of a batch are here too.
"""

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from itertools import accumulate, islice
from shutil import get_terminal_size
from textwrap import fill
from typing import Any

from brickphys.batch.plan import given_up
from brickphys.batch.report.sql import query
from brickphys.batch.report.table import (
    Failures,
    bot_table,
    bot_wins,
    cell_columns,
    cell_line,
    counts,
    failures,
    first_cells,
    headings,
    row,
    stamped_rows,
    stamps_in_words,
    summaries,
    uneven_columns,
    value_in_words,
)
from brickphys.batch.shard import ShardProblems
from brickphys.batch.store import Store
from brickphys.cli.shared import output
from brickphys.cli.shared.output import echo
from brickphys.text import cleaned_line, counted, listed

_ERRORS = 5
"""Errors that are printed; --json has all."""
_NAMED = 3
"""Shards that are listed by name."""
_SHOWN = 40
"""Number of cells that are printed; the report has all."""
_LEAST_WIDTH = 118
"""Letters of a line, unless the terminal has more."""
_LETTERS = 48
"""Letters of a line for the names of factors together; longer names are wrapped."""
_GAP = 3


def print_status(store: Store, *, as_json: bool, kind: str) -> None:
    """Print the numbers of runs of a batch, and its table."""
    found = counts(store)
    numbers = {"done": found.done, "failed": found.failed, "pending": found.pending}
    if as_json:
        results = dict(summaries(store))
        rows = [row(store, cell, summary) for cell, summary in results.items()]
        more: dict[str, Any] = {"title": store.spec.title, "seed": store.spec.seed}
        more["headings"] = dict(store.spec.headings)
        more["failures"] = [asdict(one) for one in failures(store)]
        more["bots"] = [one.document() for one in bot_wins(store, results.items())]
        more["stamps"] = [one._asdict() for one in stamped_rows(store)]
        output.print_json(kind, {**numbers, "rows": rows, **more})
        return
    echo(
        f"{store.spec.title}: {found.done:,} {store.spec.study_type.unit} done, {found.failed:,} failed, "
        f"{found.pending:,} pending, seed {store.spec.seed}\n"
    )
    _print_rows(store)
    _print_bots(store)
    _print_wide(store)
    print_failures(store)
    if stamps := stamps_in_words(store):
        echo(f"\n{stamps}")


def print_shard_problems(problems: ShardProblems, *, again: bool) -> None:
    """Print what differs from the journal on standard error; `again` if those runs are done again at once."""
    if problems.lines:
        then = "their runs are repeated" if again else "batch run repeats their runs"
        echo(f"journal.jsonl: {listed(problems.lines)}; {then}", err=True)
    lists = (
        ("missing", problems.missing),
        ("damaged", problems.damaged),
        ("not in the journal", problems.unlisted),
    )
    for what, files in lists:
        if files:
            is_one = len(files) == 1
            runs = f"{'its' if is_one else 'their'} runs"
            then = f"{runs} are repeated" if again else f"batch run repeats {runs}"
            subject = "a shard is" if is_one else f"{len(files):,} shards are"
            echo(f"{subject} {what}; {then}: {_names(files)}", err=True)


def _names(files: Sequence[str]) -> str:
    more = f" and {len(files) - _NAMED:,} more" if len(files) > _NAMED else ""
    return f"{', '.join(files[:_NAMED])}{more}"


def _print_rows(store: Store) -> None:
    """Print the estimates of each cell with their intervals: as ± if all of a column are even, else with their ends."""
    found = list(islice(summaries(store), _SHOWN))
    results = [summary for _, summary in found]
    columns, ends = cell_columns(store, results), uneven_columns(results)
    lines = [cell_line(store, cell, summary, columns, ends) for cell, summary in found]
    named = len(store.spec.factors)
    lines = [
        [
            *(
                fill(cleaned_line(text), max(_LETTERS // named, 12), break_long_words=False)
                for text in line[:named]
            ),
            *line[named:],
        ]
        for line in lines
    ]
    names = headings(store, columns)
    fitting = _fitting(names, lines)
    output.print_table(names[:fitting], [line[:fitting] for line in lines], folded=True)
    if left := names[fitting:]:
        echo(f"\nno room for {', '.join(left)}: the report.md of `batch report` has all columns")
    if len(store.spec.cells) > _SHOWN:
        echo(f"... and {len(store.spec.cells) - _SHOWN:,} more cells")


def _print_bots(store: Store) -> None:
    """Print the wins of each bot over all its seats, if bots change seats in a study."""
    if found := bot_wins(store, summaries(store)):
        echo("\nEach bot over all its seats:\n")
        output.print_table(*bot_table(found))


def _fitting(columns: Sequence[str], lines: Sequence[Sequence[str]]) -> int:
    """Return how many columns fit into a terminal."""
    cells = zip(columns, *lines, strict=True)
    widths = [
        max(len(part) for text in column for part in text.split("\n")) + _GAP for column in cells
    ]
    width = max(get_terminal_size((_LEAST_WIDTH, 0)).columns, _LEAST_WIDTH)
    return sum(end <= width + _GAP for end in accumulate(widths))


def _print_wide(store: Store) -> None:
    """Print which cells have all runs that they may have and still no interval as narrow as the study wants."""
    until = store.spec.until
    if until and (cells := given_up(store)):
        width = until.half_width
        aim = f"not {'decided' if width is None else f'as narrow as ±{width:g}'} in {until.column}"
        echo(
            f"\n{aim} after {until.at_most:,} "
            f"{store.spec.study_type.unit}: {len(cells):,} of {counted(len(store.spec.cells), 'cell')}, "
            f"{first_cells(cells)}"
        )


def print_failures(store: Store) -> None:
    """Print the errors of the runs that failed, the most frequent ones first, and the command that repeats them."""
    found = failures(store)
    print_errors("run", [(one, f"run {one.run:,} of cell {one.cell:,}") for one in found])
    if found:
        echo("`batch run` with --retry-failed repeats them, `batch report` lists every error")


def print_errors(unit: str, found: Sequence[tuple[Failures, str]]) -> None:
    """Print errors, each with the number of runs that failed with it, and which was the first."""
    if not found:
        return
    total = sum(one.count for one, _ in found)
    echo(f"\n{counted(total, unit)} failed:")
    for one, first in found[:_ERRORS]:
        echo(f"  {counted(one.count, 'time')}, first in {first}: {one.error}")
    if len(found) > _ERRORS:
        echo(f"  and {counted(len(found) - _ERRORS, 'other error')}")


_LETTERS_OF_A_TEXT = 60
"""Letters of a text that a terminal shows."""
_SHOWN_ROWS = 1000
"""Number of rows that are printed for people; --json has all."""


def print_answer(store: Store, sql: str, *, files: bool, as_json: bool) -> None:
    """Print the answer of DuckDB to a query on the rows; with `files` it may read and write files."""
    table = query(store, sql, files=files)
    if as_json:
        output.print_json("batch-sql", {"columns": table.column_names, "rows": _plain(table)})
        return
    columns = [map(_word, column.to_pylist()) for column in table.slice(0, _SHOWN_ROWS).columns]
    output.print_table(table.column_names, list(zip(*columns, strict=True)))
    if table.num_rows > _SHOWN_ROWS:
        echo(f"... and {table.num_rows - _SHOWN_ROWS:,} rows more")


def _plain(table: Any) -> list[dict[str, Any]]:
    # dates and decimals as texts
    return [json.loads(json.dumps(row, default=str)) for row in table.to_pylist()]


def _word(value: Any) -> str:
    """Return a value as text; a long text is cut in a terminal."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.15g}"
    if isinstance(value, bool | list | dict):
        return value_in_words(value)
    is_long = isinstance(value, str) and len(value) > _LETTERS_OF_A_TEXT and sys.stdout.isatty()
    return f"{value[: _LETTERS_OF_A_TEXT - 1]}…" if is_long else str(value)
