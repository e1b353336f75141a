"""Study page: how far a study is, its table and plots so far, and one of its runs in three dimensions."""

from pathlib import Path
from time import monotonic

from nicegui import ui

from brickphys.batch.report.table import RunCounts
from brickphys.batch.report.text import value_in_words
from brickphys.batch.store.store import Store
from brickphys.batch.study.spec import Spec
from brickphys.rules.own_class import trusting
from brickphys.text import counted
from brickphys.view.app.glossary import glossary
from brickphys.view.app.heading import heading
from brickphys.view.app.jobs import at_work, long, quick
from brickphys.view.app.number_field import RefusedNumber, whole
from brickphys.view.app.player import ScenePlayer
from brickphys.view.app.status_line import StatusLine
from brickphys.view.app.study_watch import StudyWatch, study_watch
from brickphys.view.recording import SceneRecording

_EVERY_S = 1.0
"""Time between two looks at the journal."""
_MOST_CHOICES = 1000


async def study_page(folder: Path, trust: bool = False) -> None:
    """Add the page of the study in a folder, which may be running; its runs load classes in modules if `trust` is."""
    watch = study_watch(folder)
    desk = StudyDesk(watch, (await quick(watch.now)).store, trust=trust)
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
            self._last = store.spec.most_runs_a_cell - 1
            self._run = RefusedNumber("Run, from 0", value=0, min=0, max=self._last, step=1)
            self._run.classes("min-w-[9rem]")
            self._show = ui.button("Show this run", on_click=self._show_run)
        self._run_line = StatusLine()
        self._player = ScenePlayer()
        self._player.element.set_visibility(False)
        glossary("Cell", "Run", "95 % interval", "Seed")

    async def look(self) -> None:
        """Show how far the study is, and from time to time its report."""
        with self._fault.telling():
            now = await quick(self._watch.now)
            self._show_counts(now.counts, now.store.spec)
            if self._watch.is_due(now.counts):
                await long(self._watch.make_report, now)
            if (report := self._watch.report) is not None:
                self._table.content, self._pictures.content = report.table, report.pictures
                self._errors.content = report.errors

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
        rest_s = pending * (now - since) / (done - before)
        minutes = round(rest_s / 60)
        return (
            f", about {counted(minutes, 'minute')} more" if minutes else ", less than a minute more"
        )

    async def _show_run(self) -> None:
        await at_work(self._show, self._do_run)

    async def _do_run(self) -> None:
        self._run_line.tell("Doing this run once more ...")
        with self._run_line.telling():
            cell, number = int(self._cell.value or 0), whole(self._run, 0, self._last)
            store, _ = await quick(self._watch.now)
            recording = await long(_recorded, store, cell, number, self._trust)
            self._player.element.set_visibility(True)
            await self._player.show(recording)
            self._run_line.tell(f"{recording.title}. {recording.about}")


def _recorded(store: Store, cell: int, number: int, trust: bool) -> SceneRecording:
    """Return a run of a study, done once more."""
    from brickphys.view.row import row_recording  # loads engines and games

    with trusting(trust):
        return row_recording(store, cell, number)


def _cell_name(store: Store, cell: int) -> str:
    values = store.spec.cells[cell]
    named = ", ".join(
        f"{store.spec.heading(name)} {value_in_words(value)}" for name, value in values.items()
    )
    return f"{cell}: {named}" if named else f"{cell}"
