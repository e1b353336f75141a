"""Study watch: what pages show of a study, read anew only after it has changed, once for all of them."""

from functools import lru_cache
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import NamedTuple

from brickphys.batch.report.plot_data import plots_of_report
from brickphys.batch.report.report import MOST_CELLS
from brickphys.batch.report.table import RunCounts, counts, errors, summaries
from brickphys.batch.report.text import cell_columns, cell_line, headings
from brickphys.batch.store.store import JOURNAL, MANIFEST, Store, open_store
from brickphys.display import drawer
from brickphys.view.app.html_image import html_image
from brickphys.view.app.html_table import html_table

_REPORT_EVERY_S = 10.0
"""Least time between two reports while the study runs: each reads all rows."""
_MOST_ERRORS = 5
_MOST_STUDIES = 4


class StudyNow(NamedTuple):
    """A study as it is.

    Attributes
    ----------
    store
        Its batch.
    counts
        How far it is.
    """

    store: Store
    counts: RunCounts


class StudyReport(NamedTuple):
    """Table, pictures and errors of a study, as HTML."""

    table: str
    pictures: str
    errors: str


class StudyWatch:
    """Reads the study in a folder, which may be running; threads may share it.

    Attributes
    ----------
    report
        The last report, which may be some seconds old while the study runs; None before the first run is done.
    """

    def __init__(self, folder: Path) -> None:
        self.report: StudyReport | None = None
        self._folder, self._lock = folder, Lock()
        self._mark: object = None
        self._now: StudyNow | None = None
        self._reported: RunCounts | None = None
        self._report_at = -_REPORT_EVERY_S
        self._is_reporting = False

    def now(self) -> StudyNow:
        """Return the study as it is now.

        Raises
        ------
        BatchFolderError
            If the folder cannot be read as a batch any more.
        """
        with self._lock:
            mark = [_mark(self._folder / name) for name in (MANIFEST, JOURNAL)]
            if self._now is None or mark != self._mark:
                self._now = None
                store = open_store(self._folder)
                self._mark, self._now = mark, StudyNow(store, counts(store))
            return self._now

    def is_due(self, found: RunCounts) -> bool:
        """Whether a new report is to be made, and nobody makes one."""
        waited = monotonic() - self._report_at >= _REPORT_EVERY_S or not found.pending
        is_new = found.done + found.failed > 0 and found != self._reported
        return is_new and waited and not self._is_reporting

    def make_report(self, now: StudyNow) -> None:
        """Make a new report."""
        self._is_reporting = True
        try:
            self.report, self._reported = _report(now.store), now.counts
        finally:
            self._report_at, self._is_reporting = monotonic(), False


@lru_cache(_MOST_STUDIES)
def study_watch(folder: Path) -> StudyWatch:
    """Return what watches the study in a folder for all pages."""
    return StudyWatch(folder)


def _mark(path: Path) -> object:
    """Return what changes with a file; None if it is not there."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def _report(store: Store) -> StudyReport:
    """Return what the report of a study shows, as far as it is done."""
    found = dict(summaries(store))
    shown = dict(list(found.items())[:MOST_CELLS])
    columns = cell_columns(store, list(shown.values()))
    lines = [
        (f"{cell}", *cell_line(store, cell, summary, columns, ends=columns))
        for cell, summary in shown.items()
    ]
    more = f", the first {MOST_CELLS:,}" if len(found) > MOST_CELLS else ""
    table = html_table(f"Cells{more}", ("cell", *headings(store, columns)), lines)
    draw = drawer("batch:plot_png")
    plots = plots_of_report(store, found)
    pictures = "".join(
        html_image(draw(plot), f"{plot.caption}; the table has the numbers") for plot in plots
    )
    faults = [(f"{cell}", error, f"{count:,}") for cell, error, count in errors(store)]
    told = (
        html_table("Failed runs", ("cell", "error", "runs"), faults[:_MOST_ERRORS])
        if faults
        else ""
    )
    return StudyReport(table, pictures, told)
