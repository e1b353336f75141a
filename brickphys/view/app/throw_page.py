"""Throw page: the throw lab: what is thrown, in slow motion and counted, and how the interval of its share narrows."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import Any, TypeVar

from nicegui import ui

from brickphys.calibration.throw import Throws, cell_of
from brickphys.calibration.throwers import Tally, live_count
from brickphys.errors import CancelledRunError
from brickphys.signals import cancelled_by
from brickphys.text import counted, percent, percent_range, rough_duration, spoken
from brickphys.view.app.elements import StatusLine, TableElement, desk
from brickphys.view.app.files import save_file
from brickphys.view.app.glossary import glossary
from brickphys.view.app.jobs import at_work, long, quick
from brickphys.view.app.page_html import Cell, Chance
from brickphys.view.app.player import ScenePlayer
from brickphys.view.app.throw_fields import LabThrow, ThrowFields, difference_text
from brickphys.view.recording import SceneRecording
from brickphys.view.settling import beside, pose_colour, settling_recording
from brickphys.view.throw import CONTACT_COLOUR, hand_recording, throw_recording

COLOURS = ("#0a4f8f", "#d98200")
"""Of the first and of the second table: the one is darker."""
_LINES = ("solid", "dashed")


class IntervalChart:
    """A chart of shares and their 95 % intervals over the number of throws, for one table or two."""

    def __init__(self) -> None:
        self.element = ui.echart({}, renderer="svg").classes("w-full max-w-3xl h-72")
        self.element.set_visibility(False)

    def begin(self, names: list[str], hands: int, what: str) -> None:
        """Show an empty chart of the share of something on each table, over so many hands."""
        self.element.props(f'role=img aria-label="Share of {what} and its 95 % interval"')
        self.element.options.clear()
        self.element.options.update(_options(names, hands, what))
        self.element.set_visibility(True)

    def add(self, number: int, throws: Throws) -> None:
        """Add what one of the tables has come to; the update of the element sends it to the browser."""
        if throws.p_side is None or throws.ci95 is None:
            return
        low, high = throws.ci95
        series = self.element.options["series"][3 * number : 3 * number + 3]
        for one, share in zip(series, (low, high - low, throws.p_side), strict=True):
            one["data"].append((throws.tally.hands, round(100 * share, 3)))


def _options(names: list[str], hands: int, what: str) -> dict[str, Any]:
    series = [one for number, name in enumerate(names) for one in _series(number, name)]
    return {
        "animation": False,
        "legend": {"data": names, "top": 0},
        "grid": {"left": 56, "right": 24, "top": 34, "bottom": 44},
        "xAxis": {
            "type": "log",
            "name": "throws",
            "nameLocation": "middle",
            "nameGap": 26,
            "min": 10,
            "max": max(hands, 100),
        },
        "yAxis": {"type": "value", "name": f"{what}, %", "min": 0, "nameLocation": "end"},
        "series": series,
    }


def _series(number: int, name: str) -> list[dict[str, Any]]:
    """Return the lower end, the band up to the higher one, and the line of the share."""
    colour, line = COLOURS[number], _LINES[number]
    band = {"stack": f"band {number}", "lineStyle": {"opacity": 0}}
    drawn = {"color": colour, "type": line, "width": 2}
    own: list[dict[str, Any]] = [
        {**band, "name": f"{name}: low"},
        {**band, "name": f"{name}: band", "areaStyle": {"color": colour, "opacity": 0.28}},
        {"name": name, "itemStyle": {"color": colour}, "lineStyle": drawn},
    ]
    return [{"type": "line", "symbol": "none", "data": [], "silent": True, **one} for one in own]


ONE, HUNDRED, MANY = 1, 100, 10_000
_ASKS = "Throw one to watch it in slow motion, a hundred to see them settle, ten thousand to count."
_SOON_S = 5.0
_R = TypeVar("_R")
_Picture = Callable[[Throws], SceneRecording]


async def throw_page() -> None:
    """Add the fields of a throw, the buttons, and what comes of it; load the engine meanwhile."""
    lab = ThrowLab()
    glossary(
        *("Pose", "Barrier", "95 % interval", "Percentage points", "Law"),
        *("Throw", "Friction", "Restitution", "Seed"),
    )
    await lab.show_lying(await long(_lying))


def _lying() -> SceneRecording:
    """Return a throw; the first one that is asked for need not wait for the compiled engine then."""
    cell = cell_of("2x2", None, "hand")
    for _ in live_count(cell, 0, 1):
        pass
    return hand_recording(cell, 0, 0)


class ThrowLab:
    """The lab of one visitor: what was asked, what has come of it, and whether throws go on."""

    def __init__(self) -> None:
        self._stopped = asyncio.Event()
        self._client = ui.context.client
        panel, content = desk()
        with panel:
            self._fill_panel()
        with content:
            self._line = StatusLine()
            self._line.tell(_ASKS)
            self._legend = ui.element("div").classes("brickphys-legend")
            self._player = ScenePlayer()
            self._chart = IntervalChart()
            self._difference = ui.label().props("role=status")
            with ui.row().classes("items-start w-full"):
                self._tables = [TableElement(), TableElement()]
            self._saves = ui.row()
        self._client.on_delete(self._stop)

    def _fill_panel(self) -> None:
        """Add what is thrown, the buttons, and the line of results, beside which the throw is seen."""
        self._fields = ThrowFields()
        with ui.element("div").classes("brickphys-go"):
            one = self._button("Throw one", ONE, throw_recording)
            others = [
                self._button("Throw a hundred", HUNDRED, settling_recording),
                self._button("Throw ten thousand", MANY, None),
            ]
            self._cancel = ui.button("Cancel", on_click=self._stop)
            for button in (*others, self._cancel):
                button.props("outline")
            self._buttons = [one, *others]
            self._cancel.disable()
            self._bar = ui.linear_progress(0.0, show_value=False)
            self._bar.props('aria-label="Throws so far"').set_visibility(False)

    async def show_lying(self, recording: SceneRecording) -> None:
        """Show how a throw ends, unless something was asked for meanwhile."""
        if self._line.text == _ASKS:
            await self._player.show(recording, is_over=True)

    def _stop(self) -> None:
        self._stopped.set()

    def _button(self, text: str, hands: int, picture: _Picture | None) -> ui.button:
        button = ui.button(text)
        throw = partial(self._throw, button, hands, picture)
        return button.on_click(lambda: at_work(button, throw))

    async def _throw(self, pressed: ui.element, hands: int, picture: _Picture | None) -> None:
        """Throw on each table, and show it: as a count that grows, or as a scene."""
        self._stopped = asyncio.Event()  # a job that was cancelled may still look at the one before
        self._set_busy(pressed, busy=True)
        try:
            with self._line.reporting_faults():
                asked = await quick(self._fields.throws)
                self._clear()
                found = await self._count(asked, hands, has_chart=picture is None)
                if found:
                    self._fields.move_on()
                    self._show(asked, found)
                if found and picture is not None and not self._stopped.is_set():
                    await self._picture(asked, found, picture)
        finally:
            self._set_busy(pressed, busy=False)

    async def _unless_stopped(self, function: Callable[..., _R], *given: object) -> _R | None:
        """Return what a long job returns; None once the visitor cancels it, or goes: the job ends soon after."""
        stopped = self._stopped.is_set

        def wanted() -> _R | None:
            with suppress(CancelledRunError), cancelled_by(stopped):
                return function(*given)
            return None

        async def do() -> _R | None:
            with self._client:
                return await long(wanted)

        working, stopping = asyncio.create_task(do()), asyncio.create_task(self._stopped.wait())
        await asyncio.wait((working, stopping), return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        if not working.done():
            working.cancel()
            return None
        return working.result()

    def _set_busy(self, pressed: ui.element, *, busy: bool) -> None:
        for button in self._buttons:
            button.set_enabled(button is pressed or not busy)
        self._cancel.set_enabled(busy)
        self._bar.set_visibility(busy)
        self._bar.value = 0.0

    def _clear(self) -> None:
        self._difference.text = ""
        for table in self._tables:
            table.clear()
        self._saves.clear()
        self._chart.element.set_visibility(False)
        self._legend.clear()
        self._player.hide()

    async def _count(
        self, asked: Sequence[LabThrow], hands: int, *, has_chart: bool
    ) -> list[Throws]:
        """Throw all hands, or those until the visitor stops it; empty if there are none."""
        self._line.tell("Throwing ...", aloud=False)
        counts = [live_count(one.cell, one.seed, hands) for one in asked]
        if has_chart and asked[0].cell.body.scoring:
            what = " or ".join(map(spoken, asked[0].cell.body.scoring))
            self._chart.begin([one.table for one in asked], hands, what)
        found: dict[int, Throws] = {}
        first_done, first_s = 0.0, 0.0  # without the first throws: they may wait for the engine
        while totals := await self._unless_stopped(_next, counts):
            for number, total in totals.items():
                found[number] = asked[number].result(total, hands)
                if has_chart:
                    self._chart.add(number, found[number])
            if has_chart:
                self._chart.element.update()
            done = sum(one.tally.hands for one in found.values()) / len(asked)
            self._bar.value = done / hands
            first_done, first_s = first_done or done, first_s or monotonic()
            left_s = (monotonic() - first_s) * (hands - done) / max(done - first_done, 1)
            self._line.tell(_so_far(asked, found) + _left(left_s), aloud=False)
        if self._client.is_deleted:  # the visitor has gone
            return []
        if len(found) < len(asked):
            self._line.tell("Cancelled before anything was thrown.")
            return []
        self._line.tell(_so_far(asked, found), aloud=has_chart)
        return [found[number] for number in range(len(asked))]

    def _show(self, asked: Sequence[LabThrow], found: Sequence[Throws]) -> None:
        """Show the counts of each table, the difference of two, and what can be saved; one throw tells no share."""
        if found[0].tally.hands == 1:
            return
        for one, throws, table in zip(asked, found, self._tables, strict=False):
            rows: list[list[Cell]] = [
                [spoken(pose), f"{count:,}", Chance(share, throws.poses_ci95[pose])]
                for pose, count in throws.counts.items()
                for share in [count / throws.tally.bricks]
            ]
            table.show(_title(one, throws), ("pose", "bodies", "share, 95 % interval"), rows)
        if len(found) == 2:
            names = asked[0].table, asked[1].table
            self._difference.text = difference_text(found[0], found[1], names)
        with self._saves:
            for one, throws in zip(asked, found, strict=True):
                on = f" of {one.table}" if len(asked) > 1 else ""
                save = ui.button(f"Save as a law{on}", on_click=partial(self._save, one, throws))
                save.props("outline")

    async def _save(self, one: LabThrow, throws: Throws) -> None:
        with self._line.reporting_faults():
            text = await quick(lambda: one.law(throws).file_text())
            name = save_file(f"{throws.cell.shape} {one.table}", "json", text)
            self._line.tell(f"{name} is saved. The odds desk opens it as a law file.")

    async def _picture(
        self, asked: Sequence[LabThrow], found: Sequence[Throws], picture: _Picture
    ) -> None:
        result = self._line.text
        self._line.tell(f"{result} The trajectories are computed ...", aloud=False)
        recording = await self._unless_stopped(_recorded, asked, found, picture)
        if recording is not None and not self._stopped.is_set():
            if picture is settling_recording:
                self._show_colours(asked, found)
            else:
                with self._legend:
                    _explain(CONTACT_COLOUR, "contact points", "brickphys-star")
            self._player.element.set_visibility(True)
            await self._player.show(recording, plays=True)
        self._line.tell(result)

    def _show_colours(self, asked: Sequence[LabThrow], found: Sequence[Throws]) -> None:
        with self._legend:
            for one, throws in zip(asked, found, strict=True):
                if len(asked) > 1:
                    ui.label(f"{one.table}:")
                for pose, count in throws.counts.items():
                    if count:
                        _explain(pose_colour(throws.cell, pose), f"{spoken(pose)} {count}")


def _explain(colour: str, meaning: str, form: str = "") -> None:
    """Add a colour and what it means to a legend; its form is a class of the style sheet, a square by default."""
    ui.element("i").props("aria-hidden=true").style(f"background:{colour}").classes(form)
    ui.label(meaning)


def _next(counts: Sequence[Iterator[Tally]]) -> dict[int, Tally]:
    """Return the next total of each count that goes on; empty once none does."""
    totals = ((number, next(one, None)) for number, one in enumerate(counts))
    return {number: total for number, total in totals if total is not None}


def _recorded(
    asked: Sequence[LabThrow], found: Sequence[Throws], picture: _Picture
) -> SceneRecording:
    first, *others = map(picture, found)
    if not others:
        return first
    return beside(first, others[0], (asked[0].table, asked[1].table))


def _left(seconds: float) -> str:
    return f" About {rough_duration(seconds)} left." if seconds > _SOON_S else " Throwing ..."


def _title(one: LabThrow, throws: Throws) -> str:
    bricks = one.cell.conditions.bricks
    together = f" of {bricks}" if bricks > 1 else ""
    thrown = f"{counted(throws.tally.hands, 'throw')}{together}"
    return f"{throws.cell.shape} on {one.table}: {thrown} (seed {one.seed})"


def _poses(throws: Throws) -> str:
    many = throws.tally.bricks > 1
    return ", ".join(
        f"{count} {spoken(pose)}" if many else spoken(pose)
        for pose, count in throws.counts.items()
        if count
    )


def _so_far(asked: Sequence[LabThrow], found: dict[int, Throws]) -> str:
    parts = []
    for number, throws in sorted(found.items()):
        text = _title(asked[number], throws)
        if throws.tally.hands == 1:
            text += f": {_poses(throws)}"
        elif throws.p_side is not None and throws.ci95 is not None:
            scored = " or ".join(map(spoken, throws.scoring))
            text += f", {scored} in {percent(throws.p_side)} ({percent_range(*throws.ci95)})"
        parts.append(text)
    return "; ".join(parts) + "."
