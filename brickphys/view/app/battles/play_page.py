"""Play page: a tab offers a new game, goes on with the one that it has kept, or lays a table for several machines."""

from functools import partial

from nicegui import ui

from brickphys.battles.lesson import lesson_start
from brickphys.battles.ongoing_game import OngoingGame, Rolls
from brickphys.battles.players import PERSON, AnyRecord, are_installed, installed_players
from brickphys.battles.start import GameStart, continued
from brickphys.errors import BrickphysError
from brickphys.odds.law_file import DEFAULT, find_law
from brickphys.rules.game import AnyGame
from brickphys.rules.record import Ending, Setup
from brickphys.rules.registry import FIRST_SETUP, filed_game, first_game, game
from brickphys.rules.replay import parse_replay, play_back
from brickphys.seeds import chosen_root
from brickphys.view.app.battles import question
from brickphys.view.app.battles.page import GamePage
from brickphys.view.app.battles.replay import replay_page
from brickphys.view.app.battles.saving import TabGame
from brickphys.view.app.battles.setup import SetUp, load_first
from brickphys.view.app.elements import add_links, message
from brickphys.view.app.files import OpenedFile, TabStorage
from brickphys.view.app.glossary import glossary
from brickphys.view.app.jobs import at_work, long
from brickphys.view.app.start_page import alone
from brickphys.view.app.tables import laid_table
from brickphys.view.battle import PlayedGame


class PlayPage:
    """The page of a tab: the fields of a new game, or the game that goes on; `saved` is that game as it is kept."""

    def __init__(self) -> None:
        self._place = ui.element("div").classes("brickphys-content w-full")
        self.saved = TabGame()
        self._last_game = TabStorage("brickphys-last-game")
        self._begun: tuple[AnyGame, Setup, str, Rolls] | None = None
        ui.context.client.on_delete(self.saved.leave)

    async def fill(self) -> None:
        """Go on with the game of this tab, or offer a new one."""
        with self._place:
            question.tell_compiling(ui.label(question.LOADING).props("role=status"))
        found, request = await self.saved.found(), ui.context.client.request
        wanted = {"now", "learn"} & {*(request.query_params if request else ())}
        begin = partial(self._begin_at_once, is_lesson="learn" in wanted)
        if wanted:  # a page that is loaded again goes on
            ui.run_javascript("history.replaceState(null, '', location.pathname)")
        if found is None:
            await (begin() if wanted else self._set_up())
        elif wanted:
            self._place.clear()
            goes_on = "A game goes on in this tab."
            with self._place, message(goes_on, "Another one takes its place."):
                ui.button("Go on with it", on_click=lambda: self._resume(*found))
                ui.button("Begin another", on_click=begin).props("outline")
        else:
            await self._resume(*found)

    async def _resume(self, rolls: Rolls, text: str) -> None:
        try:
            is_unsaved = not await self.saved.is_saved(text)
            await self._go_on(text, "the game that was left here", rolls, is_unsaved)
        except BrickphysError as error:
            await self.leave(str(error))

    async def _begin_at_once(self, *, is_lesson: bool) -> None:
        """Begin the first game, against a bot that is not too strong, or its lesson."""
        first = game(first_game())
        start = GameStart(first.setups[FIRST_SETUP], chosen_root(None), players=f"{PERSON},fair")
        start = lesson_start(first) if is_lesson else start
        await self.begin(first, start, start.players, Rolls.LAW)

    async def leave(self, note: str = "") -> None:
        """Forget the game of this tab, and offer a new one; a note tells why that one could not go on."""
        await self.saved.forget()
        await self._set_up(note)

    async def again(self) -> None:
        """Begin the last game once more, with other rolls."""
        assert self._begun is not None
        game, setup, players, rolls = self._begun
        await self.begin(game, GameStart(setup, chosen_root(None)), players, rolls)

    async def open(self, file: OpenedFile, rolls: Rolls) -> None:
        """Go on with a saved game, or show it if it is over; BrickphysError if it is none."""
        await self._go_on(file.text, file.name, rolls)

    async def begin(
        self, game: AnyGame, start: GameStart, players: str, rolls: Rolls, is_unsaved: bool = False
    ) -> None:
        """Show a game, and let it go on; no file of a visitor names code that would be imported."""
        installed_players(players, "the game")
        self._last_game.keep(game.name)
        self._begun = game, start.setup, players, rolls
        table = await long(OngoingGame, game, start, players, find_law(DEFAULT), DEFAULT, rolls)
        self._place.clear()
        with self._place:
            await GamePage(self, table, is_unsaved=is_unsaved).start()

    async def share(self, game: AnyGame, start: GameStart, players: str, clock: str) -> None:
        """Lay a table, whose rolls nobody can foresee, and show the links to its seats."""
        self._last_game.keep(game.name)
        links = await long(laid_table, game, start.setup, players, clock)
        send = (
            "Open the link of your own seat, and send the others to those who sit there, or watch. "
            "A seat that is yours alone must not be sent to anybody. "
            f"{alone(str(ui.context.client.request.url))}"
        )
        self._place.clear()
        with self._place, message("The table is laid", send):
            add_links(links)
            ui.button("New game", on_click=lambda: self._set_up()).props("outline")

    async def _set_up(self, note: str = "") -> None:
        """Show the fields of a new game, and why another one could not be opened."""
        first = await long(load_first, await self._last_game.kept())
        self._place.clear()
        with self._place:
            SetUp(self.begin, self.share, self.open, note, first)
            glossary("Bot", "Law", "Seed", "Replay")

    async def _go_on(self, text: str, name: str, rolls: Rolls, is_unsaved: bool = False) -> None:
        game, record, law = await long(_read, text, name)
        if record.ending is Ending.OVER or record.verdict:
            await self._watch(game, record, rolls)
        else:
            start = continued(record, law)
            await self.begin(game, start, start.players, rolls, is_unsaved)

    async def _watch(self, game: AnyGame, record: AnyRecord, rolls: Rolls) -> None:
        players = ",".join(record.players)
        self._begun = game, record.setup, players, rolls
        self._place.clear()
        with self._place:
            with ui.row():
                if are_installed(players):
                    again = ui.button("Play again").props("outline")
                    again.on_click(lambda: at_work(again, self.again))
                ui.button("New game", on_click=lambda: self.leave()).props("outline")
            await replay_page(PlayedGame(game, record, find_law(DEFAULT)))


async def play_page() -> None:
    """Add the fields of a new game, or the game of this tab: it goes on where it was left."""
    await PlayPage().fill()


def _read(text: str, name: str) -> tuple[AnyGame, AnyRecord, str]:
    """Return the game of a replay, how it was played, and the source of its rolls; every line is checked."""
    written = parse_replay(text, name)
    game = filed_game(written.game)
    return game, play_back(game, written, name), written.law
