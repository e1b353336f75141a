"""Table page: a game that is played by clicking: the picture, the legal actions, and what else one may do."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from nicegui import ui

from brickphys.battles.table import Table, Waits
from brickphys.errors import BrickphysError, in_words
from brickphys.rules.players.choices import Choice, listed
from brickphys.rules.record import CHANCE
from brickphys.text import spoken
from brickphys.view.app.battles.how_to_play import how_to_play
from brickphys.view.app.battles.inputs import Inputs
from brickphys.view.app.battles.kept_game import KeptGame
from brickphys.view.app.battles.leaving import Answer, Leaving
from brickphys.view.app.battles.question import Question
from brickphys.view.app.battles.seen_game import SeenGame
from brickphys.view.app.battles.status_tables import StatusTables, described
from brickphys.view.app.browser_files import save_file
from brickphys.view.app.jobs import BusyError, Latest, long, quick
from brickphys.view.app.status_line import StatusLine


class TablePage:
    """Shows a table; what is clicked on it is done.

    Parameters
    ----------
    table
        The game.
    title
        Its name for people.
    kept
        Keeps it for the tab.
    leave, again
        Called when the player wants another game, or the same one once more.
    is_unsaved
        Whether something was chosen in it before that may be in no file.

    Attributes
    ----------
    is_busy
        Whether the game goes on by itself just now: a click does nothing then.
    """

    def __init__(
        self,
        table: Table,
        title: str,
        kept: KeptGame,
        leave: Callable[[], Awaitable[None]],
        again: Callable[[], Awaitable[None]],
        *,
        is_unsaved: bool = False,
    ) -> None:
        self._table, self._kept = table, kept
        self._leave, self._again = leave, again
        self.is_busy = self._is_left = False
        self._is_unsaved = is_unsaved
        self._client = ui.context.client
        self._client.on_delete(self._stop)
        self._curtain = ui.element("section").classes("live-curtain")
        self._curtain.visible = False
        self._page = ui.element("div").classes("live-page")
        with self._page:
            self._seen = SeenGame(table, title, self._pick)
            with ui.element("aside").classes("live-panel").props('aria-label="Your choice"'):
                self._fill_panel()
        self._leaving = Leaving()

    async def start(self) -> None:
        """Show the game, and let it go on."""
        await self._do(lambda: None)

    def _fill_panel(self) -> None:
        """Add what stands beside the picture."""
        table, seen = self._table, self._seen
        self._question = Question(
            table, seen, self._do, lambda: self._go_to(self._again), lambda: self.is_busy
        )
        self._keeping = Latest[None](quick, lambda _: None, StatusLine("alert"))
        self._inputs = Inputs(
            table, seen, self._question, self._do, self._save, lambda: self.is_busy
        )
        with ui.row():
            ui.button("Undo", on_click=lambda: self._do(table.undo)).props("outline")
            ui.button("Redo", on_click=lambda: self._do(table.redo)).props("outline")
            ui.button("Save", on_click=self._save).props("outline")
            ui.button("New game", on_click=lambda: self._go_to(self._leave)).props("outline")
        self._tables = StatusTables()
        how_to_play(table.game, table.start.setup)

    async def _pick(self, at_mm: tuple[float, float], thing: str) -> None:
        await self._inputs.pick(at_mm, thing)

    # -- the game goes on

    async def _do(self, change: Callable[[], object]) -> None:
        """Change the game, unless it goes on by itself just now, and let it go on; tell why not if it cannot be."""
        if self.is_busy:
            return
        self.is_busy = True
        try:
            with self._client:  # what was clicked leaves the page while the game goes on
                if await self._is_changed(change):
                    fault = await self._go_on()
                    if not self._is_left:
                        await self._refresh(fault)
        finally:
            self.is_busy = False

    async def _is_changed(self, change: Callable[[], object]) -> bool:
        """Change the game; tell why not if it cannot be, and return whether it has changed."""
        before = len(self._table.session.steps)
        self._question.alone.clear()
        try:
            await quick(change)
        except BrickphysError as error:
            self._question.note.refuse(str(error))
            return len(self._table.session.steps) != before
        finally:
            self._is_unsaved |= len(self._table.session.steps) != before
        self._question.note.clear()
        return True

    async def _go_on(self) -> str:
        """Let bots act and the law roll until a person is to do something; return who has failed, empty if nobody."""
        table = self._table
        try:
            while not self._is_left:
                await quick(self._roll_all)
                if table.waits is not Waits.NOBODY:
                    break
                self._question.wait_for(table.who)
                self._seen.wait()
                (await quick(self._seen.filmed))()
                await long(self._seen.step)
        except BusyError as error:
            return str(error)
        except Exception as error:  # a bot of another package may raise anything
            return f"{spoken(table.who) or 'The roll'} has failed: {in_words(error)}"
        return ""

    def _roll_all(self) -> None:
        """Let the law roll, and take actions that alone are legal, as long as it is to go on so."""
        table = self._table
        while True:
            if table.only is not None:
                self._question.alone.append(spoken(table.take_only()))
            elif table.waits is not Waits.NOBODY or table.session.actor != CHANCE or table.is_slow:
                return
            else:
                table.go_on()

    # -- what is shown

    async def _refresh(self, fault: str = "") -> None:
        """Show what has happened, and what one may do; `fault` says why the game does not go on by itself."""
        waits = self._table.waits
        is_hidden = waits is Waits.SEAT
        self._curtain.visible, self._page.visible = is_hidden, not is_hidden
        self._keeping.ask(self._kept.keep(self._table.rolls, await quick(self._table.replay)))
        if is_hidden:
            self._draw_curtain()
        else:
            show_film, told, choices = await quick(self._now, waits)
            self._question.show(waits, choices, fault)
            self._inputs.show(waits)
            self._tables.show(told)
            show_film()
            self._seen.offer()

    def _now(self, waits: Waits) -> tuple[Callable[[], None], str, Sequence[Choice[Any]]]:
        """Return what shows the last steps, the state in words, and the legal actions."""
        show_film = self._seen.filmed()
        choices = listed(self._table.asked) if waits is Waits.CHOICE else []
        self._seen.place(choices)
        return show_film, described(self._table), choices

    def _draw_curtain(self) -> None:
        """Hide everything until the next person is at the screen."""
        self._seen.clear()
        self._tables.clear()
        self._question.clear()
        self._question.note.clear()
        self._curtain.clear()
        with self._curtain:
            who = spoken(self._table.who)
            ui.label(f"Pass the screen to {who}. Others look away: what {who} hides comes next.")
            ui.button("I am here", on_click=lambda: self._do(self._table.sit))

    # -- the game is left

    def _stop(self) -> None:
        """Let the game rest: the page is closed, or shows another one."""
        self._is_left = True

    async def _go_to(self, other: Callable[[], Awaitable[None]]) -> None:
        """Leave this game for another one, after a question if something would be lost."""
        if self._is_unsaved and self._table.waits is not Waits.END:
            answer = await self._leaving.answer()
            if answer is Answer.STAY:
                return
            if answer is Answer.SAVE:
                await self._save()
        if self._is_left:  # by another click
            return
        self._stop()
        self._keeping.drop()
        await other()

    async def _save(self) -> None:
        stem = f"{self._table.game.name} {self._table.start.root}"
        replay = await quick(self._table.replay)
        self._question.note.tell(f"{save_file(stem, 'jsonl', replay)} is saved.")
        self._kept.note_saved(replay)
        self._is_unsaved = False
