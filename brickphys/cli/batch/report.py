"""The report of a batch as files, and the answers of SQL queries on its rows."""

import csv
import io
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from brickphys.cli.shared import output
from brickphys.cli.shared.echo import echo
from brickphys.errors import InvalidValueError
from brickphys.files import make_folder, write_whole
from brickphys.reading import MOST_DATA_BYTES, read_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from brickphys.batch.report.plot_data import PlotData
    from brickphys.batch.store.store import Store

_PAGE = "report.md"
_LETTERS = 60
"""Letters of a text that a terminal shows."""
_SHOWN = 1000
"""Rows of an answer that are printed for people; --json has all."""


def check_report_folder(store: "Store", folder: Path, *, force: bool) -> None:
    """Raise InvalidValueError if a folder has files other than an earlier report of the study."""
    if force or not folder.is_dir():
        return
    found = sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))
    if found and not _holds_report(store, folder):
        raise InvalidValueError(
            f"{folder}: holds something that is no report of this study ({', '.join(found[:3])}): choose another "
            "folder, or --force writes there and overwrites files of the same names"
        )


def _holds_report(store: "Store", folder: Path) -> bool:
    """Return whether the ``report.md`` of a folder names the fingerprint of the study."""
    from brickphys.batch.report.report import fingerprint

    page = folder / _PAGE
    try:
        return page.is_file() and fingerprint(store.spec) in read_text(page, MOST_DATA_BYTES)
    except InvalidValueError:  # no text, so not our report
        return False


def write_report(store: "Store", folder: Path) -> list[Path]:
    """Write ``report.md`` with its pictures, and the self-contained ``report.html``; earlier ones are replaced.

    Of a study with more cells than the page shows, ``cells.csv`` has the whole table.
    """
    from brickphys.batch.report.plot_data import plots_of_report
    from brickphys.batch.report.report import MOST_CELLS, report_html, report_markdown
    from brickphys.batch.report.table import counts, row, summaries

    make_folder(folder)
    found = dict(summaries(store))
    plots = plots_of_report(store, found)
    drawn = {plot.file: _png(plot) for plot in plots}
    text = report_markdown(
        store, counts(store), found, [(plot.file, plot.caption) for plot in plots]
    )
    page = report_html(text, drawn, store.spec.title)
    first = write_whole(text, folder / _PAGE, force=True)  # it marks the folder as a report
    for name, data in drawn.items():
        write_whole(data, folder / name, force=True)
    files = [first, write_whole(page, folder / "report.html", force=True)]
    if len(found) > MOST_CELLS:
        table = _csv([row(store, cell, summary) for cell, summary in found.items()])
        files.append(write_whole(table, folder / "cells.csv", force=True))
    return files


def _csv(rows: "Sequence[Mapping[str, Any]]") -> str:
    """Return a table as CSV; intervals and other lists are JSON."""
    target = io.StringIO()
    names = dict.fromkeys(name for row in rows for name in row)
    writer = csv.DictWriter(target, names, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        lists = {n: json.dumps(v) for n, v in row.items() if isinstance(v, list | dict)}
        writer.writerow({**row, **lists})
    return target.getvalue()


def answer(store: "Store", sql: str, *, files: bool, as_json: bool) -> None:
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


def _png(plot: "PlotData") -> bytes:
    from matplotlib.figure import Figure

    from brickphys.plots.batch import draw_plot

    figure = Figure(figsize=(7.0, 4.2), dpi=120, layout="constrained")
    draw_plot(plot, figure.add_subplot())
    target = io.BytesIO()
    figure.savefig(target, format="png")
    return target.getvalue()


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
