"""Table page: a game that is played by clicking: the picture, the legal actions, and what else one may do."""

from collections.abc import Awaitable, Callable, Sequence
from math import dist
from typing import Any

from nicegui import ui

from brickphys.arrays import Triple
from brickphys.battles.result import AnyRecord, result_text
from brickphys.battles.table import Table, Waits
from brickphys.errors import BrickphysError, InvalidValueError, in_words
from brickphys.rules.players.answers import answer
from brickphys.rules.players.asked import COMMANDS
from brickphys.rules.players.choices import Choice, listed, placed
from brickphys.rules.players.plan import plan
from brickphys.rules.record import CHANCE, OVER, Ending
from brickphys.rules.report.episode import Episode
from brickphys.text import spoken
from brickphys.view.app.battles.choice_list import ChoiceList
from brickphys.view.app.battles.clicked import is_on_table, scenery, why_nothing, words
from brickphys.view.app.battles.compiling import LOADING, tell_compiling
from brickphys.view.app.battles.how_to_play import how_to_play
from brickphys.view.app.battles.kept_game import KeptGame
from brickphys.view.app.battles.leaving import Answer, Leaving
from brickphys.view.app.battles.live_player import LivePlayer
from brickphys.view.app.battles.named_replay import replay_address
from brickphys.view.app.battles.played_game import PlayedGame
from brickphys.view.app.battles.status_tables import StatusTables, described
from brickphys.view.app.battles.what_to_do import verb, what_to_do
from brickphys.view.app.browser_files import save_file
from brickphys.view.app.jobs import BusyError, Latest, long, quick
from brickphys.view.app.status_line import StatusLine
from brickphys.view.live_battle import LiveBattle
from brickphys.view.recording import SceneRecording

_MOST_ROLLS = 13
"""Outcomes of a roll that have buttons."""
_MOST_TYPED = 200
"""Letters of an action that is typed."""
_NEAR = 0.75
"""How near to a place one clicks, in its width."""
_NO_CHOICE = {
    Waits.ROLL: "The roll comes first: type what came on your table.",
    Waits.END: "The game is over.",
}


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
        self._table, self._title, self._kept = table, title, kept
        self._leave, self._again = leave, again
        self.is_busy = self._is_left = False
        self._is_unsaved = is_unsaved
        self._alone = list[str]()
        self._falls: dict[int, SceneRecording] = {}
        self._client = ui.context.client
        self._client.on_delete(self._stop)
        self._placed: Sequence[tuple[Choice[Any], Triple]] = ()
        self._curtain = ui.element("section").classes("live-curtain")
        self._curtain.visible = False
        self._page = ui.element("div").classes("live-page")
        with self._page:
            self._player = LivePlayer(self._pick)
            with ui.element("aside").classes("live-panel").props('aria-label="Your choice"'):
                self._status = ui.label(LOADING).props("role=status").classes("live-status")
                tell_compiling(self._status, lambda: self.is_busy)
                self._note, unkept = StatusLine("alert"), StatusLine("alert")
                self._here = ui.element("div")
                self._list = ui.element("div")
                self._typed = ui.input("Or type: an action, a place, a name")
                self._typed.props(f"maxlength={_MOST_TYPED}")
                self._typed.on("keydown.enter", self._enter).classes("w-full")
                self._tools()
        self._leaving = Leaving()
        self._keeping = Latest[None](quick, lambda _: None, unkept)
        self._live: LiveBattle | None = None

    async def start(self) -> None:
        """Show the game, and let it go on."""
        await self._do(lambda: None)

    def _tools(self) -> None:
        with ui.row():
            ui.button("Undo", on_click=self._take_back).props("outline")
            ui.button("Save", on_click=self._save).props("outline")
            ui.button("New game", on_click=lambda: self._go_to(self._leave)).props("outline")
        self._tables = StatusTables()
        how_to_play(self._table.game, self._table.start.setup)

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
        self._alone.clear()
        try:
            await quick(change)
        except BrickphysError as error:
            self._note.refuse(str(error))
            return len(self._table.session.steps) != before
        finally:
            self._is_unsaved |= len(self._table.session.steps) != before
        self._note.clear()
        return True

    async def _go_on(self) -> str:
        """Let bots act and the law roll until a person is to do something; return who has failed, empty if nobody."""
        table = self._table
        try:
            while not self._is_left:
                await quick(self._roll_all)
                if table.waits is not Waits.NOBODY:
                    break
                self._wait_for(table.who)
                (await quick(self._filmed))()
                await long(self._step)
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
                self._alone.append(spoken(table.take_only()))
            elif table.waits is not Waits.NOBODY or table.session.actor != CHANCE or table.is_slow:
                return
            else:
                table.go_on()

    def _step(self) -> None:
        """Let the game go on by a step, with the fall of its bricks."""
        table = self._table
        if table.live is None:
            table.go_on()
            return
        from brickphys.view.rolled import EVERY_S, rolled_recording  # loads the engines

        number, before = len(self._seen().record.steps), table.state
        table.go_on()
        if hands := table.live.hands(EVERY_S):
            self._falls[number] = rolled_recording(table.game.chance(before), hands)

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

    def _wait_for(self, who: str) -> None:
        self._status.text = f"{spoken(who)} is thinking ..." if who else "The bricks are thrown ..."
        self._placed = ()
        self._player.wait()
        self._here.clear()
        self._list.clear()

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
            self._show_choices(waits, choices, fault)
            self._tables.show(told)
            show_film()
            self._offer()

    def _now(self, waits: Waits) -> tuple[Callable[[], None], str, Sequence[Choice[Any]]]:
        """Return what shows the last steps, the state in words, and the legal actions."""
        show_film = self._filmed()
        self._placed = ()
        choices = self._choices() if waits is Waits.CHOICE else []
        return show_film, described(self._table), choices

    def _choices(self) -> Sequence[Choice[Any]]:
        """Return the legal actions, and note which of them have places."""
        asked, live = self._table.asked, self._live
        assert live is not None
        choices = listed(asked)
        self._placed = [
            (choice, at)
            for choice in placed(asked, choices)
            if (at := live.place_mm(choice.place)) is not None
        ]
        return choices

    def _show_choices(self, waits: Waits, choices: Sequence[Choice[Any]], fault: str) -> None:
        """Show the legal actions, or what else is to be done."""
        self._here.clear()
        self._list.clear()
        with self._list:
            if waits is Waits.CHOICE:
                self._ask(choices)
            elif waits is Waits.ROLL:
                self._ask_roll()
            elif waits is Waits.END:
                self._end()
            else:
                self._stand_still(fault)
        self._typed.visible = waits in (Waits.CHOICE, Waits.ROLL)

    def _offer(self) -> None:
        """Light the places of the choices, and the piece that acts."""
        assert self._live is not None
        self._player.offer(self._placed, self._live, self._here_mm)

    @property
    def _here_mm(self) -> Triple | None:
        """Where the piece is that acts; None if there is none."""
        live, table = self._live, self._table
        if live is None or table.waits is not Waits.CHOICE:
            return None
        return live.place_mm(table.game.here(table.asked.state))

    def _seen(self) -> Episode:
        """Return what is seen: a game that goes on within the game, such as a battle of a campaign, or the game."""
        game, record = self._table.game, self._table.record
        return game.current_episode(record) or Episode(self._title, game, record)

    def _filmed(self) -> Callable[[], None]:
        """Return what shows what has happened since the last picture."""
        seen = self._seen()
        if self._live is not None:
            for number, fall in self._falls.items():
                self._live.rolled(number, fall)
            if (part := self._live.extended(seen.record)) is not None:
                self._falls.clear()
                return self._player.ready(part, self._live.falls())
        self._falls.clear()
        self._live = LiveBattle(seen.game, seen.record, self._table.viewer, seen.title)
        return self._player.ready(self._live.whole())

    def _draw_curtain(self) -> None:
        """Hide everything until the next person is at the screen."""
        self._live = None
        self._player.clear()
        self._tables.clear()
        self._list.clear()
        self._here.clear()
        self._status.text = ""
        self._note.clear()
        self._curtain.clear()
        with self._curtain:
            ui.label(f"Pass the screen to {spoken(self._table.who)}")
            ui.button("I am here", on_click=self._sit)

    async def _sit(self) -> None:
        await self._do(self._table.sit)

    # -- what one may do

    def _ask(self, choices: Sequence[Choice[Any]]) -> None:
        """Show the legal actions."""
        asked, live = self._table.asked, self._live
        assert live is not None
        self._status.text = f"{spoken(asked.who)}: {asked.game.prompt(asked.state)}"
        if self._alone:
            ui.label(f"Done for you, as nothing else was legal: {'; '.join(self._alone)}.")
        reaches = live.reaches_mm([at for _, at in self._placed])
        offered = [one for one, _ in self._placed]
        verbs = [self._verb(one) for one in offered]
        ui.label(what_to_do(offered, verbs, reaches, acts=self._here_mm is not None))
        ChoiceList(self._placed, self._choose, self._note).add(choices)

    def _verb(self, choice: Choice[Any]) -> str:
        """Return what a choice does, in a word."""
        texts = [step.text for step in self._table.session.steps[-1:]]
        texts += map(self._table.game.format_action, choice.actions[:-1])
        return verb(choice.text, texts[-1] if texts else "")

    def _ask_roll(self) -> None:
        """Ask for what was rolled on a real table."""
        event = self._table.event
        self._status.text = event.asked
        ui.label(f"Type {event.wanted}, or choose:")
        if not event.exact:
            return
        outcomes = list(event.law(self._table.law))
        if len(outcomes) <= _MOST_ROLLS:
            with ui.element("div").classes("live-list"):
                for outcome in outcomes:
                    text = event.format(outcome)
                    ui.button(text, on_click=lambda text=text: self._roll(text)).props("outline")

    def _end(self) -> None:
        """Show how the game has ended, and the way to its replay."""
        table = self._table
        record = table.record
        if table.session.actor != OVER:
            record = table.session.record(Ending.LIMIT)
        self._status.text = f"{self._fortune(record)}{result_text(table.game, record)}"
        if table.persons and all(step.actor not in table.persons for step in record.steps):
            ui.label("It was over before you could choose anything.")
        address = replay_address(PlayedGame(table.game, record, table.law))
        with ui.row().classes("items-center"):
            ui.button("Play again", on_click=lambda: self._go_to(self._again)).props("outline")
            ui.link("Watch it again, with the odds of each roll", address, new_tab=True)

    def _fortune(self, record: AnyRecord) -> str:
        """Return whether the person here has won; empty if the game is not over, or several persons play."""
        if record.ending is not Ending.OVER or len(self._table.persons) != 1:
            return ""
        payoff = (record.returns or ())[self._table.persons[0]]
        return "You have won: " if payoff > 0 else "You have lost: " if payoff < 0 else ""

    def _stand_still(self, fault: str) -> None:
        """Tell why the game does not go on, and what one can do about it."""
        self._status.text = "The game stands still."
        self._note.refuse(fault)
        ui.label("Nothing is lost. Save the game: it goes on from there, also with other players.")
        ui.button("Try again", on_click=lambda: self._do(lambda: None)).props("outline")

    # -- what is clicked

    async def _choose(self, choice: Choice[Any]) -> None:
        await self._do(lambda: self._table.choose(*choice.actions))

    async def _roll(self, text: str) -> None:
        await self._do(lambda: self._table.roll(text))

    async def _take_back(self) -> None:
        await self._do(self._table.undo)

    async def _enter(self) -> None:
        """Do what was typed."""
        if self.is_busy:
            return
        text, self._typed.value = " ".join(str(self._typed.value or "").split()), ""
        if not text:
            return
        if self._table.waits is Waits.ROLL:
            await self._roll(text)
        elif self._table.waits is Waits.CHOICE:
            word, _, rest = text.partition(" ")
            if word in COMMANDS and text not in self._table.asked.texts:
                await self._command(word, rest)
            else:
                await self._say(text)

    async def _command(self, word: str, rest: str) -> None:
        """Do a command of the keyboard, or tell what there is in its place."""
        if word == "undo":
            await self._take_back()
        elif word == "save":
            await self._save()
        elif word in ("odds", "why"):
            lines = await quick(lambda: [*map(str, answer(self._table.asked, word, rest))])
            self._note.tell("\n".join(lines))
        else:
            self._note.refuse(
                f"Nothing to type is called {word} here: the page has it as a button, a list or a picture."
            )

    async def _say(self, text: str, *, is_clicked: bool = False) -> None:
        """Do what words say; tell why not if that is illegal."""
        table = self._table

        def choose() -> None:
            try:
                actions = plan(table.asked, text).actions
            except InvalidValueError as error:
                told = why_nothing(error, table.asked) if is_clicked else str(error)
                raise InvalidValueError(told) from None
            table.choose(*actions)

        await self._do(choose)

    async def _pick(self, at_mm: tuple[float, float], thing: str) -> None:
        """Do what leads to a place that was clicked, let the player choose if several do, or tell why none does."""
        if self.is_busy or self._live is None:
            return
        if self._table.waits is not Waits.CHOICE:
            self._note.refuse(_NO_CHOICE.get(self._table.waits, ""))
            return
        if what := scenery(thing, self._live):
            self._note.refuse(f"You clicked a part of the field: {what}.")
            return
        near = _NEAR * self._live.place_size_mm
        found = [(dist(at_mm, at[:2]), choice) for choice, at in self._placed]
        least = min((away for away, _ in found), default=near)
        hits = [choice for away, choice in found if away <= near and away <= least + 0.01]
        if len(hits) == 1:
            await self._choose(hits[0])
        elif hits:
            self._choose_here(hits)
        elif not thing and not is_on_table(at_mm, self._live):
            self._note.refuse("That is beyond the edge of the table.")
        else:
            await self._say(words(at_mm, thing, self._table, self._live), is_clicked=True)

    def _choose_here(self, choices: Sequence[Choice[Any]]) -> None:
        self._here.clear()
        with self._here:
            ChoiceList(self._placed, self._choose, self._note).add_here(choices)

    async def _save(self) -> None:
        stem = f"{self._table.game.name} {self._table.start.root}"
        replay = await quick(self._table.replay)
        self._note.tell(f"{save_file(stem, 'jsonl', replay)} is saved.")
        self._kept.note_saved(replay)
        self._is_unsaved = False
