"""Study page: how far a study is, its table and plots so far, and one of its runs in three dimensions.

What several pages show of one study is read once.
"""

from functools import lru_cache
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import NamedTuple

from nicegui import ui

from brickphys.batch.report.plot_data import plots_of_report
from brickphys.batch.report.report import MOST_CELLS
from brickphys.batch.report.table import (
    RunCounts,
    cell_columns,
    cell_line,
    counts,
    errors,
    headings,
    summaries,
    value_in_words,
)
from brickphys.batch.spec import Spec
from brickphys.batch.store import JOURNAL, MANIFEST, Store, open_store
from brickphys.interface import drawer
from brickphys.rules.registry import trusting
from brickphys.text import counted
from brickphys.view.app.elements import StatusLine, UncorrectedNumber, heading, whole_number
from brickphys.view.app.glossary import glossary
from brickphys.view.app.jobs import at_work, long, quick
from brickphys.view.app.page_html import html_image, html_table
from brickphys.view.app.player import ScenePlayer
from brickphys.view.recording import SceneRecording

_REPORT_EVERY_S = 10.0
"""Least time between two reports while the study runs: each reads all rows."""
_MOST_ERRORS = 5
_MOST_STUDIES = 4


class StudyReport(NamedTuple):
    """Table, pictures and errors of a study, as HTML."""

    table: str
    pictures: str
    errors: str


class StudyWatch:
    """Reads the study in a folder, which may be running; threads may share it."""

    report: StudyReport | None = None
    """The last report, which may be some seconds old while the study runs; None before the first run is done."""
    _now: tuple[Store, RunCounts] | None = None
    _reported: RunCounts | None = None
    _report_at = -_REPORT_EVERY_S
    _is_reporting = False

    def __init__(self, folder: Path) -> None:
        self._folder, self._lock = folder, Lock()
        self._marks: list[object] = []

    def now(self) -> tuple[Store, RunCounts]:
        """Return the study, and how far it is; BatchFolderError if the folder cannot be read as a batch any more."""
        with self._lock:
            marks = [_mark(self._folder / name) for name in (MANIFEST, JOURNAL)]
            if self._now is None or marks != self._marks:
                self._now = None
                store = open_store(self._folder)
                self._marks, self._now = marks, (store, counts(store))
            return self._now

    def is_due(self, found: RunCounts) -> bool:
        """Whether a new report is to be made, and nobody makes one."""
        waited = monotonic() - self._report_at >= _REPORT_EVERY_S or not found.pending
        is_new = found.done + found.failed > 0 and found != self._reported
        return is_new and waited and not self._is_reporting

    def make_report(self, store: Store, found: RunCounts) -> None:
        """Make a new report."""
        self._is_reporting = True
        try:
            self.report, self._reported = _report(store), found
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
    faults = [(f"{o.cell}", o.error, f"{o.count:,}", f"{o.run:,}") for o in errors(store)]
    failed = html_table(
        "Failed runs", ("cell", "error", "runs", "first run"), faults[:_MOST_ERRORS]
    )
    return StudyReport(table, pictures, failed if faults else "")


_EVERY_S = 1.0
"""Time between two looks at the journal."""
_MOST_CHOICES = 1000


async def study_page(folder: Path, trust: bool = False) -> None:
    """Add the page of the study in a folder, which may be running; its runs load classes in modules if `trust` is."""
    watch = study_watch(folder)
    store, _ = await quick(watch.now)
    desk = StudyDesk(watch, store, trust=trust)
    await ui.context.client.connected()
    await desk.look()
    ui.timer(_EVERY_S, desk.look)


class StudyDesk:
    """A study of one open page: what it has come to, and which run is shown."""

    def __init__(self, watch: StudyWatch, store: Store, *, trust: bool) -> None:
        self._watch, self._trust = watch, trust
        self._found: RunCounts | None = None
        self._first: tuple[float, int] | None = None
        heading(store.spec.title)
        self._bar = ui.linear_progress(show_value=False, size="1rem")
        self._bar.props('aria-label="Runs that are done" instant-feedback')
        self._line = ui.label().props("role=status")
        self._fault = StatusLine("alert")
        self._report = [
            ui.html(sanitize=False).classes(name)
            for name in ("brickphys-wide", "brickphys-pictures", "brickphys-wide")
        ]
        self._add_runs(store)

    def _add_runs(self, store: Store) -> None:
        heading("One run")
        cells = range(min(len(store.spec.cells), _MOST_CHOICES))
        names = {cell: _cell_name(store, cell) for cell in cells}
        with ui.element("div").classes("brickphys-toolbar"):
            self._cell = ui.select(names, value=0, label="Cell").classes("w-80")
            self._last = store.spec.most_runs_a_cell - 1
            self._run = UncorrectedNumber("Run, from 0", value=0, min=0, max=self._last, step=1)
            self._run.classes("min-w-[9rem]")
            show = ui.button("Show this run")
            show.on_click(lambda: at_work(show, self._do_run))
        self._run_line = StatusLine()
        self._player = ScenePlayer()
        self._player.element.set_visibility(False)
        glossary("Cell", "Run", "95 % interval", "Seed")

    async def look(self) -> None:
        """Show how far the study is, and from time to time its report."""
        with self._fault.reporting_faults():
            store, found = await quick(self._watch.now)
            self._show_counts(found, store.spec)
            if self._watch.is_due(found):
                await long(self._watch.make_report, store, found)
            for element, content in zip(self._report, self._watch.report or (), strict=False):
                element.content = content

    def _show_counts(self, found: RunCounts, spec: Spec) -> None:
        if found == self._found:
            return
        self._found = found
        done = found.done + found.failed
        self._bar.value = done / max(done + found.pending, 1)
        rest = self._rest_text(done, found.pending)
        if spec.until and found.pending:  # how many follow is not known
            rest = "; more follow until each interval is narrow enough"
        self._line.text = f"{found.line(spec.study_type.unit)}{rest}."

    def _rest_text(self, done: int, pending: int) -> str:
        """Return how long the rest will take, judged by the time that the page is open."""
        now = monotonic()
        if self._first is None:
            self._first = (now, done)
        since, before = self._first
        if not pending or done <= before:
            return ""
        minutes = round(pending * (now - since) / (done - before) / 60)
        if not minutes:
            return ", less than a minute more"
        return f", about {counted(minutes, 'minute')} more"

    async def _do_run(self) -> None:
        self._run_line.tell("Doing this run once more ...")
        with self._run_line.reporting_faults():
            cell, number = int(self._cell.value or 0), whole_number(self._run, 0, self._last)
            store, _ = await quick(self._watch.now)
            recording = await long(_recorded, store, cell, number, self._trust)
            self._player.element.set_visibility(True)
            await self._player.show(recording)
            self._run_line.tell(f"{recording.title}. {recording.about}")


def _recorded(store: Store, cell: int, number: int, trust: bool) -> SceneRecording:
    from brickphys.view.study_run import row_recording  # loads engines and games

    with trusting(trust):
        return row_recording(store, cell, number)


def _cell_name(store: Store, cell: int) -> str:
    values = store.spec.cells[cell]
    named = ", ".join(
        f"{store.spec.heading(name)} {value_in_words(value)}" for name, value in values.items()
    )
    return f"{cell}: {named}" if named else f"{cell}"
