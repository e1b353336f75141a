"""Judging: a game that was played is judged on its page: luck, choices, and the chance to win below its picture."""

import json
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from nicegui import ui

from brickphys.errors import CancelledRunError
from brickphys.rules.plans import LEVELS, level
from brickphys.rules.report import analysis
from brickphys.text import spoken
from brickphys.view.app.elements import StatusLine, TableElement
from brickphys.view.app.jobs import at_work, long
from brickphys.view.battle import PlayedGame

_EVERY_S = 0.5


class Judging:
    """The choice of a bot, and the button that lets it judge the game; what it finds is told in the element `below`.

    `show` shows the game anew. What is `found` is None before the bot is asked.
    """

    def __init__(
        self,
        played: PlayedGame,
        line: StatusLine,
        below: ui.element,
        show: Callable[[], Awaitable[None]],
    ) -> None:
        self._played, self._line, self._below, self._show = played, line, below, show
        below.clear()
        self.found: analysis.Analysis | None = None
        self._done = self._all = 0
        self._is_left = False
        ui.context.client.on_delete(self._leave)
        with ui.element("div").classes("brickphys-toolbar"):
            self._bot = ui.select([*LEVELS], value="fair", label="Bot that judges")
            self._bot.classes("min-w-[10rem]")
            self._button = ui.button("Analyse luck and choices")
            self._button.props("outline").on_click(lambda: at_work(self._button, self._judge))
            self._progress = ui.label().props("role=status")

    async def _judge(self) -> None:
        self._done = self._all = 0
        timer = ui.timer(_EVERY_S, self._tell)
        with self._line.reporting_faults():
            try:
                self.found = await long(self._analysis)
                self._tell_found(self.found)
            finally:
                timer.cancel()
                self._progress.text = ""
            await self._show()

    def _analysis(self) -> analysis.Analysis:
        game, record = self._played.game, self._played.record
        analysis.check_is_open(game, record)
        bot = level(str(self._bot.value))
        assert bot is not None  # it was selected
        analyst: analysis.Analyst[Any, Any, Any] = analysis.Analyst(game, self._played.law, bot)
        return analyst.analysis(record, self._note)

    def _note(self, done: int, total: int) -> None:
        """Note how far it is; CancelledRunError if nobody waits any more."""
        self._done, self._all = done, total
        if self._is_left:
            raise CancelledRunError("the page was left")

    def _tell(self) -> None:
        if self._all:
            self._progress.text = f"{self._done} of {self._all} steps are judged"

    def _tell_found(self, found: analysis.Analysis) -> None:
        game, record = self._played.game, self._played.record
        names = [
            spoken(game.player_name(record.initial, player))
            for player in range(len(record.players))
        ]
        caption = f"The chance to win as {found.level} judges it, in points of 100"
        self._below.clear()
        with self._below:
            (_, *heads), *parts = zip(
                analysis.columns(found), *analysis.rows(found, names), strict=True
            )
            TableElement().show(caption, ("", *heads), parts)
            ui.label(analysis.caveat(found))
            with ui.element("div").classes("brickphys-judged"):
                for one in analysis.remarks(found, names):
                    with ui.element("button").props("type=button") as button:
                        ui.label(one.sign)
                        ui.label(one.text)
                    button.on("click", partial(self._lead, one.sign))

    async def _lead(self, sign: str) -> None:
        """Lead to what a sign is about, in the picture."""
        if await ui.run_javascript(f"globalThis.player?.chances?.go({json.dumps(sign)})"):
            self._line.clear()
        else:
            self._line.refuse("This moment is not shown: choose everything and all rounds above.")

    def _leave(self) -> None:
        self._is_left = True
