"""Play page: a game is set up or opened, and then played by clicking."""

from nicegui import ui

from brickphys.battles.result import AnyRecord
from brickphys.battles.seats import are_installed, installed_players
from brickphys.battles.start import GameStart, continued
from brickphys.battles.table import Rolls, Table
from brickphys.errors import BrickphysError
from brickphys.odds.law_file import DEFAULT, find_law
from brickphys.rules.game import AnyGame
from brickphys.rules.record import Ending, Setup
from brickphys.rules.registry import filed_game
from brickphys.rules.replay.playback import play_back
from brickphys.rules.replay.replay_file import parse_replay
from brickphys.seeds import chosen_root
from brickphys.text import spoken
from brickphys.view.app.battles.compiling import LOADING, tell_compiling
from brickphys.view.app.battles.kept_game import KeptGame
from brickphys.view.app.battles.played_game import PlayedGame
from brickphys.view.app.battles.replay_page import replay_page
from brickphys.view.app.battles.set_up import SetUp, load_first
from brickphys.view.app.battles.table_page import TablePage
from brickphys.view.app.browser_files import OpenedFile
from brickphys.view.app.glossary import glossary
from brickphys.view.app.jobs import at_work, long
from brickphys.view.app.tab_storage import TabStorage


async def play_page() -> None:
    """Add the fields of a new game, or the game of this tab: it goes on where it was left."""
    await _PlayPage().begin()


class _PlayPage:
    """Shows the fields of a new game, or a game."""

    def __init__(self) -> None:
        self._place = ui.element("div").classes("w-full")
        self._kept = KeptGame()
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
        table = await long(Table, game, start, players, find_law(DEFAULT), DEFAULT, rolls)
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
