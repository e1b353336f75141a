"""Page: a game is set up or opened, and played by clicking: the picture, the legal actions, and all other buttons."""

from collections.abc import Awaitable, Callable, Sequence
from enum import Enum
from typing import Any

from nicegui import ui

from brickphys.battles.ongoing_game import OngoingGame, Rolls, Waits
from brickphys.battles.players import AnyRecord, are_installed, installed_players
from brickphys.battles.start import GameStart, continued
from brickphys.errors import BrickphysError, in_words
from brickphys.odds.law_file import DEFAULT, find_law
from brickphys.rules.game import AnyGame
from brickphys.rules.players.prompt import Choice, listed
from brickphys.rules.record import CHANCE, Ending, Setup
from brickphys.rules.registry import filed_game
from brickphys.rules.replay import parse_replay, play_back
from brickphys.seeds import chosen_root
from brickphys.text import spoken
from brickphys.view.app.battles.inputs import Inputs
from brickphys.view.app.battles.picture import GamePicture, StatusTables, described
from brickphys.view.app.battles.question import LOADING, QuestionPanel, tell_compiling
from brickphys.view.app.battles.replay import replay_page
from brickphys.view.app.battles.saving import TabGame
from brickphys.view.app.battles.setup import SetUp, how_to_play, load_first
from brickphys.view.app.elements import OpenedFile, StatusLine, TabStorage, glossary, save_file
from brickphys.view.app.jobs import BusyError, Latest, at_work, long, quick
from brickphys.view.battle import PlayedGame

_QUESTION = "This game is not saved. If you leave it now, it cannot be got back."


class LeavingAnswer(Enum):
    """What a person may answer, with the words of its button."""

    SAVE = "Save and leave"
    LEAVE = "Leave"
    STAY = "Stay"


class Leaving:
    """The question, as a dialog; the keyboard is on *Stay* at first, and Escape stays, too."""

    def __init__(self) -> None:
        with ui.dialog() as self._dialog, ui.card():
            self._dialog.props(f'aria-label="{_QUESTION}"')
            ui.label(_QUESTION)
            with ui.row():
                for answer in LeavingAnswer:
                    button = ui.button(
                        answer.value, on_click=lambda one=answer: self._dialog.submit(one)
                    )
                    button.props("autofocus" if answer is LeavingAnswer.STAY else "outline")

    async def answer(self) -> LeavingAnswer:
        """Ask, and return the answer."""
        found = await self._dialog
        return found if isinstance(found, LeavingAnswer) else LeavingAnswer.STAY


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
        table: OngoingGame,
        title: str,
        kept: TabGame,
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
        self._pass_screen = ui.element("section").classes("live-pass-screen")
        self._pass_screen.visible = False
        self._page = ui.element("div").classes("live-page")
        with self._page:
            self._seen = GamePicture(table, title, self._pick)
            with ui.element("aside").classes("live-panel").props('aria-label="Your choice"'):
                self._fill_panel()
        self._leaving = Leaving()

    async def start(self) -> None:
        """Show the game, and let it go on."""
        await self._do(lambda: None)

    def _fill_panel(self) -> None:
        """Add what stands beside the picture."""
        table, seen = self._table, self._seen
        self._question = QuestionPanel(
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
        self._question.forced.clear()
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
                if table.waits is not Waits.PROGRAM:
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
                self._question.forced.append(spoken(table.take_only()))
            elif table.waits is not Waits.PROGRAM or table.session.actor != CHANCE or table.is_slow:
                return
            else:
                table.go_on()

    # -- what is shown

    async def _refresh(self, fault: str = "") -> None:
        """Show what has happened, and what one may do; `fault` says why the game does not go on by itself."""
        waits = self._table.waits
        is_hidden = waits is Waits.SEAT
        self._pass_screen.visible, self._page.visible = is_hidden, not is_hidden
        self._keeping.ask(self._kept.keep(self._table.rolls, await quick(self._table.replay)))
        if is_hidden:
            self._ask_to_pass()
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

    def _ask_to_pass(self) -> None:
        """Hide everything until the next person is at the screen."""
        self._seen.clear()
        self._tables.clear()
        self._question.clear()
        self._question.note.clear()
        self._pass_screen.clear()
        with self._pass_screen:
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
            if answer is LeavingAnswer.STAY:
                return
            if answer is LeavingAnswer.SAVE:
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


async def play_page() -> None:
    """Add the fields of a new game, or the game of this tab: it goes on where it was left."""
    await _PlayPage().begin()


class _PlayPage:
    """Shows the fields of a new game, or a game."""

    def __init__(self) -> None:
        self._place = ui.element("div").classes("w-full")
        self._kept = TabGame()
        self._last = TabStorage("brickphys-last-game")
        ui.context.client.on_delete(self._kept.leave)

    async def begin(self) -> None:
        """Go on with the game of this tab, or offer a new one."""
        with self._place:
            tell_compiling(ui.label(LOADING).props("role=status"))
        found = await self._kept.found()
        if found is None:
            await self._set_up()
            return
        rolls, text = found
        try:
            is_unsaved = not await self._kept.is_saved(text)
            await self._go_on(text, "the game that was left here", rolls, is_unsaved=is_unsaved)
        except BrickphysError as error:
            await self._leave(str(error))

    async def _set_up(self, note: str = "") -> None:
        """Show the fields of a new game, and why another one could not be opened."""
        first = await long(load_first, await self._last.kept())
        self._place.clear()
        with self._place:
            SetUp(self._begin, self._open, note, first)
            glossary("Bot", "Law", "Seed", "Replay")

    async def _go_on(self, text: str, name: str, rolls: Rolls, *, is_unsaved: bool = False) -> None:
        """Go on with the game of a replay, or show it if it is over; BrickphysError if it is none."""
        game, record, law = await long(_read, text, name)
        if record.ending is Ending.OVER:
            await self._watch(game, record, rolls)
        else:
            start = continued(record, law)
            await self._begin(game, start, start.players, rolls, is_unsaved=is_unsaved)

    async def _leave(self, note: str = "") -> None:
        """Forget the game of this tab, and offer a new one."""
        await self._kept.forget()
        await self._set_up(note)

    async def _watch(self, game: AnyGame, record: AnyRecord, rolls: Rolls) -> None:
        """Show a game that is over, and offer to play it again."""
        players = ",".join(record.players)

        async def again() -> None:
            await self._again(game, record.setup, players, rolls)

        self._place.clear()
        with self._place:
            with ui.row():
                if are_installed(players):
                    button = ui.button(
                        "Play again", on_click=lambda event: at_work(event.sender, again)
                    )
                    button.props("outline")
                ui.button("New game", on_click=lambda: self._leave()).props("outline")
            await replay_page(PlayedGame(game, record, find_law(DEFAULT)))

    async def _open(self, file: OpenedFile, rolls: Rolls) -> None:
        await self._go_on(file.text, file.name, rolls)

    async def _begin(
        self,
        game: AnyGame,
        start: GameStart,
        players: str,
        rolls: Rolls,
        *,
        is_unsaved: bool = False,
    ) -> None:
        """Show a game, and let it go on; no file of a visitor names code that would be imported."""
        installed_players(players, "the game")
        self._last.keep(game.name)
        table = await long(OngoingGame, game, start, players, find_law(DEFAULT), DEFAULT, rolls)
        self._place.clear()
        with self._place:
            page = TablePage(
                table,
                spoken(game.name),
                self._kept,
                self._leave,
                lambda: self._again(game, start.setup, players, rolls),
                is_unsaved=is_unsaved,
            )
            await page.start()

    async def _again(self, game: AnyGame, setup: Setup, players: str, rolls: Rolls) -> None:
        """Begin a game once more, with other rolls."""
        await self._begin(game, GameStart(setup, chosen_root(None)), players, rolls)


def _read(text: str, name: str) -> tuple[AnyGame, AnyRecord, str]:
    """Return the game of a replay, how it was played, and the source of its rolls; every line is checked."""
    written = parse_replay(text, name)
    game = filed_game(written.game)
    return game, play_back(game, written, name), written.law
