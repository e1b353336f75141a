"""Files: the report of a batch as Markdown with pictures, and as one HTML file."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from brickphys.batch.report.plot_data import plots_of_report
from brickphys.batch.report.report import MOST_CELLS, fingerprint, report_html, report_markdown
from brickphys.batch.report.table import counts, row, summaries
from brickphys.batch.store.store import Store
from brickphys.display import drawer
from brickphys.errors import InvalidValueError
from brickphys.files import make_folder, write_whole
from brickphys.reading import MOST_DATA_BYTES, read_text

_PAGE = "report.md"


def check_report_folder(store: Store, folder: Path, *, force: bool) -> None:
    """Raise InvalidValueError if a folder has files other than an earlier report of the study."""
    if force or not folder.is_dir():
        return
    found = sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))
    if found and not _holds_report(store, folder):
        raise InvalidValueError(
            f"{folder}: holds something other than a report of this study ({', '.join(found[:3])}): choose another "
            "folder, or --force writes there and overwrites files of the same names (from Python force=True)"
        )


def _holds_report(store: Store, folder: Path) -> bool:
    """Return whether the ``report.md`` of a folder names the fingerprint of the study."""
    page = folder / _PAGE
    try:
        return page.is_file() and fingerprint(store.spec) in read_text(page, MOST_DATA_BYTES)
    except InvalidValueError:  # no text, so not our report
        return False


def write_report(store: Store, folder: Path) -> list[Path]:
    """Write ``report.md`` with its pictures, and the self-contained ``report.html``; earlier ones are replaced.

    Of a study with more cells than the page shows, ``cells.csv`` has the whole table.
    """
    make_folder(folder)
    found = dict(summaries(store))
    plots = plots_of_report(store, found)
    draw = drawer("batch:plot_png")
    drawn = {plot.file: draw(plot) for plot in plots}
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


def _csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return a table as CSV; intervals and other lists are JSON."""
    target = io.StringIO()
    names = dict.fromkeys(name for row in rows for name in row)
    writer = csv.DictWriter(target, names, lineterminator="\n")
    writer.writeheader()
    for values in rows:
        lists = {n: json.dumps(v) for n, v in values.items() if isinstance(v, list | dict)}
        writer.writerow({**values, **lists})
    return target.getvalue()
