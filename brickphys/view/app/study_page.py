"""Study page: how far a study is, its table and plots so far, and one of its runs in three dimensions."""

from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from nicegui import run, ui

from brickphys.batch.report.plot_data import plots_of_report
from brickphys.batch.report.report import MOST_CELLS
from brickphys.batch.report.table import RunCounts, counts, errors, summaries
from brickphys.batch.report.text import cell_columns, cell_line, headings, value_in_words
from brickphys.batch.store.store import Store, open_store
from brickphys.display import drawer
from brickphys.text import counted
from brickphys.view.app.glossary import glossary
from brickphys.view.app.heading import heading
from brickphys.view.app.html_image import html_image
from brickphys.view.app.html_table import html_table
from brickphys.view.app.player import ScenePlayer
from brickphys.view.app.status_line import StatusLine
from brickphys.view.row import row_recording

_EVERY_S = 1.0
"""Time between two looks at the journal."""
_REPORT_EVERY_S = 10.0
"""Least time between two reports while the study runs: each reads all rows."""
_MOST_ERRORS = 5
_MOST_CHOICES = 1000


async def study_page(folder: Path) -> None:
    """Add the page of the study in a folder, which may be running."""
    desk = StudyDesk(folder)
    await ui.context.client.connected()
    await desk.look()
    ui.timer(_EVERY_S, desk.look)


@dataclass(frozen=True)
class _Report:
    """Table, pictures and errors of a study, as HTML."""

    table: str
    pictures: str
    errors: str


class StudyDesk:
    """A study of one open page: what it has come to, and which run is shown."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        store = open_store(folder)
        self._found: RunCounts | None = None
        self._reported: RunCounts | None = None
        self._first: tuple[float, int] | None = None
        self._report_at = -_REPORT_EVERY_S
        heading(store.spec.title)
        self._bar = ui.linear_progress(show_value=False, size="1rem")
        self._bar.props('aria-label="Runs that are done" instant-feedback')
        self._line = ui.label().props("role=status")
        self._fault = StatusLine("alert")
        self._table = ui.html(sanitize=False).classes("brickphys-wide")
        self._pictures = ui.html(sanitize=False).classes("brickphys-pictures")
        self._errors = ui.html(sanitize=False).classes("brickphys-wide")
        self._add_runs(store)

    def _add_runs(self, store: Store) -> None:
        heading("One run")
        names = {
            cell: _cell_name(store, cell)
            for cell in range(min(len(store.spec.cells), _MOST_CHOICES))
        }
        with ui.row().classes("items-end"):
            self._cell = ui.select(names, value=0, label="Cell").classes("w-80")
            self._run = ui.number("Run, from 0", value=0, min=0, step=1, precision=0)
            self._show = ui.button("Show this run", on_click=self._show_run)
        self._run_line = StatusLine()
        self._player = ScenePlayer()
        glossary("Cell", "Run", "95 % interval", "Seed")

    async def look(self) -> None:
        """Show how far the study is, and from time to time its report."""
        with self._fault.telling():
            store = await run.io_bound(open_store, self._folder)
            if store is None:
                return  # the server ends
            found = await run.io_bound(counts, store)
            if found is None:
                return
            self._show_counts(found, store.spec.study_type.unit)
            is_due = monotonic() - self._report_at >= _REPORT_EVERY_S or not found.pending
            if found != self._reported and is_due:
                await self._show_report(store, found)

    def _show_counts(self, found: RunCounts, unit: str) -> None:
        if found == self._found:
            return
        self._found = found
        done = found.done + found.failed
        self._bar.value = done / max(done + found.pending, 1)
        failed = f", {found.failed:,} failed" if found.failed else ""
        to_do = f", {found.pending:,} to do" if found.pending else ""
        rest = self._rest_text(done, found.pending)
        self._line.text = f"{found.done:,} {unit} done{failed}{to_do}{rest}."

    def _rest_text(self, done: int, pending: int) -> str:
        """Return how long the rest will take, judged by the time that the page is open."""
        now = monotonic()
        if self._first is None:
            self._first = (now, done)
        since, before = self._first
        if not pending or done <= before:
            return ""
        rest_s = pending * (now - since) / (done - before)
        minutes = round(rest_s / 60)
        return (
            f", about {counted(minutes, 'minute')} more" if minutes else ", less than a minute more"
        )

    async def _show_report(self, store: Store, found: RunCounts) -> None:
        if found.done + found.failed == 0:
            return
        report = await run.io_bound(_report, store)
        if report is None:
            return
        self._report_at, self._reported = monotonic(), found
        self._table.content, self._pictures.content = report.table, report.pictures
        self._errors.content = report.errors

    async def _show_run(self) -> None:
        self._show.disable()
        self._run_line.tell("Doing this run once more ...")
        with self._run_line.telling():
            cell, number = int(self._cell.value or 0), int(self._run.value or 0)
            store = await run.io_bound(open_store, self._folder)
            recording = None
            if store is not None:
                recording = await run.io_bound(row_recording, store, cell, number)
            if recording is not None:
                self._player.show(recording)
                self._run_line.tell(f"{recording.title}. {recording.about}")
        self._show.enable()


def _cell_name(store: Store, cell: int) -> str:
    values = store.spec.cells[cell]
    named = ", ".join(
        f"{store.spec.heading(name)} {value_in_words(value)}" for name, value in values.items()
    )
    return f"{cell}: {named}" if named else f"{cell}"


def _report(store: Store) -> _Report:
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
    return _Report(table, pictures, told)
