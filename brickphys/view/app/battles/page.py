"""Page: a game is played by clicking: the picture, the legal actions, and all other buttons."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Protocol

from nicegui import ui
from nicegui.events import GenericEventArguments

from brickphys.battles.ongoing_game import OngoingGame, Waits
from brickphys.errors import BrickphysError, InvalidValueError, in_words
from brickphys.rules.players.orders import Orders, is_order
from brickphys.rules.players.person import BETWEEN, YES, answer, numbers_apart, planned_action
from brickphys.rules.players.preview import preview
from brickphys.rules.players.prompt import COMMANDS, Choice, listed
from brickphys.rules.record import CHANCE
from brickphys.text import sentence, spoken, with_blanks
from brickphys.view.app.battles import question
from brickphys.view.app.battles.danger import DangerPanel
from brickphys.view.app.battles.inputs import is_on_table, scenery, unit_of, why_nothing, words
from brickphys.view.app.battles.lesson import LessonPanel
from brickphys.view.app.battles.ordering import OrderPanel, moves
from brickphys.view.app.battles.picture import GamePicture, described, picked_place, show_status
from brickphys.view.app.battles.preview import ask_first
from brickphys.view.app.battles.replay import replay_address
from brickphys.view.app.battles.saving import LEAVE, SAVE, TabGame, leaving_dialog
from brickphys.view.app.battles.setup import how_to_play
from brickphys.view.app.elements import StatusLine, message
from brickphys.view.app.files import save_file
from brickphys.view.app.glossary import terms_of
from brickphys.view.app.jobs import BusyError, Latest, at_work, long, quick
from brickphys.view.battle import PlayedGame

_MOST_TYPED = 200
"""Letters of an action that is typed."""
_MOST_ROLLS = 13
"""Outcomes of a roll that have buttons."""
_ASKED = "There is no other choice. You are asked so that nobody can tell that from your silence."
_NO_CHOICE = {
    Waits.ROLL: "The roll comes first: type what came on your table.",
    Waits.OTHER: "It is the turn of somebody else.",
    Waits.END: "The game is over.",
}


class Home(Protocol):
    """What is there beside a game: where it is kept, and other games."""

    saved: TabGame

    async def leave(self, note: str = "") -> None:
        """Forget the game, and offer a new one."""

    async def again(self) -> None:
        """Begin the game once more, with other rolls."""


class GamePage:
    """A game that is played by clicking: its picture, what is asked, and what a person clicks or types.

    `play` shows another game once this one is left. While the game is busy it goes on by itself: a click does nothing.
    """

    def __init__(self, play: Home | None, table: OngoingGame, *, is_unsaved: bool = False) -> None:
        self._home, self._table = play, table
        self.is_busy = self._is_left = False
        self._is_unsaved = is_unsaved
        self._forced = list[str]()
        self._client = ui.context.client
        self._client.on_delete(self._stop)
        self._pass_screen = ui.element("div").classes("w-full")
        self._pass_screen.visible = False
        self._page = ui.element("div").classes("live-page")
        with self._page:
            self._picture = GamePicture(table)
            self._picture.element.on("picked", self._picked, args=["detail"])
            self._picture.element.on("turned", self._turned, args=["detail"])
            self._hand = (
                ui.element("section").classes("live-hand").props('aria-label="Cards" tabindex=0')
            )
            with ui.element("aside").classes("live-panel").props('aria-label="Your choice"'):
                self._fill_panel()
        self._leaving = leaving_dialog()

    @property
    def _play(self) -> Home:
        assert self._home is not None
        return self._home

    @property
    def _waits(self) -> Waits:
        """What the game waits for, as this page has to do with it."""
        return self._table.waits

    def _fill_panel(self) -> None:
        self._status = ui.label(question.LOADING).props("role=status").classes("live-status")
        question.tell_compiling(self._status, lambda: self.is_busy)
        self._note = StatusLine("alert")
        self._lesson = LessonPanel(self._table)
        self._picture.is_meant = self._lesson.is_meant
        self._danger = DangerPanel(
            self._picture,
            self._note,
            lambda: self._table.asked if self._waits is Waits.CHOICE else None,
        )
        self._here = ui.element("div").classes("live-here")
        self._list = ui.element("div").classes("live-here")
        self._orders = OrderPanel(self._picture, self._note, self._carry_out)
        self._saving = Latest[None](quick, lambda _: None, StatusLine("alert"))
        self._line = ui.input("Or type: an action, a place, a name")
        self._line.props(f"dense maxlength={_MOST_TYPED}", remove="stack-label")
        self._line.on("keydown.enter", self._enter).classes("w-full")
        with ui.row().classes("live-quiet"):
            self._add_buttons()
        ui.element("div").classes("live-about live-odds")
        self._tables = (
            ui.element("section").classes("live-tables").props('aria-label="Units" tabindex=0')
        )
        how_to_play(self._table.game, self._table.start.setup)

    def _add_buttons(self) -> None:
        """Add what one can do besides choosing."""
        self._button("Undo", self._table.undo)
        self._button("Redo", self._table.redo)
        hint = ui.button("Hint").props("outline")
        hint.on_click(lambda: at_work(hint, self._hint))
        ui.button("Save", on_click=self._save).props("outline")
        ui.button("New game", on_click=lambda: self._go_to(self._play.leave)).props("outline")

    async def start(self) -> None:
        """Show the game, and let it go on."""
        await self._change(lambda: None)

    # -- the game goes on

    async def _change(self, change: Callable[[], object]) -> None:
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
        self._forced.clear()
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
                if table.waits is not Waits.PROGRAM:
                    break
                await self._show_thinking()
                await long(self._picture.step)
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
                self._forced.append(spoken(table.take_only()))
            elif table.waits is not Waits.PROGRAM or table.session.actor != CHANCE or table.is_slow:
                return
            else:
                table.go_on()

    # -- what is shown

    async def _show_thinking(self) -> None:
        """Show what has happened; somebody else acts, or the bricks are thrown."""
        self._clear_question()
        self._line.classes("invisible")
        who = spoken(self._table.who)
        self._status.text = sentence(f"{who}: thinking ...") if who else "The bricks are thrown ..."
        self._picture.wait()
        (await quick(self._picture.filmed))()

    async def _refresh(self, fault: str = "") -> None:
        """Show what has happened, and what one may do; `fault` says why the game does not go on by itself."""
        waits = self._table.waits
        is_hidden = waits is Waits.SEAT
        self._pass_screen.visible, self._page.visible = is_hidden, not is_hidden
        self._saving.ask(self._play.saved.keep(self._table.rolls, await quick(self._table.replay)))
        if is_hidden:
            self._line.visible = False
            self._ask_to_pass()
        else:
            await self._show(fault)

    async def _show(self, fault: str) -> None:
        waits = self._waits
        self._line.classes(remove="invisible").visible = waits in (Waits.CHOICE, Waits.ROLL)
        show_film, status, choices = await quick(self._now, waits)
        if self._is_left:
            return
        self._clear_question()
        self._lesson.show()
        with self._list:
            if waits is Waits.CHOICE:
                self._ask(choices)
            elif waits is Waits.ROLL:
                self._ask_roll()
            elif waits is Waits.END:
                self._tell_end()
            elif waits is Waits.OTHER:
                self._status.text = sentence(f"{spoken(self._table.who)}: choosing ...")
            else:
                self._tell_fault(fault)
        show_status(self._tables, self._hand, status)
        show_film()
        self._picture.offer()

    def _now(self, waits: Waits) -> tuple[Callable[[], None], str, Sequence[Choice[Any]]]:
        """Return what shows the last steps, the state in words, and the legal actions."""
        show_film = self._picture.filmed()
        choices = listed(self._table.asked) if waits is Waits.CHOICE else []
        self._picture.place(choices)
        self._lesson.find()
        return show_film, described(self._table), choices

    def _clear_question(self) -> None:
        self._status.text = ""
        self._here.clear()
        self._list.clear()
        self._orders.offer(None)

    def _ask(self, choices: Sequence[Choice[Any]]) -> None:
        asked, picture = self._table.asked, self._picture
        assert picture.live is not None
        self._status.text = sentence(f"{spoken(asked.who)}: {asked.game.prompt(asked.state)}")
        if self._forced:
            ui.label(
                f"There was no other choice, so this was done for you: {'; '.join(dict.fromkeys(self._forced))}."
            ).classes("live-how")
        if asked.only() is not None:
            ui.label(_ASKED).classes("live-how")
        lit = [one for one, _ in picture.placed]
        how = question.what_to_do(
            lit,
            question.verbs(self._table, lit),
            picture.reaches_mm,
            picture.here_reach_mm,
            picture.live.builder.free_words,
        )
        if how := f"{how}{question.TURNS * bool(picture.turns)}".strip():
            ui.label(how).classes("live-how")
        self._choices().add(choices)
        self._orders.offer(asked)
        told = (one for choice in choices for one in (choice.text, choice.remark))
        terms_of(type(asked.game).__module__, [self._status.text, *self._lesson.lines, *told])

    def _choices(self) -> question.ChoiceList:
        return question.ChoiceList(self._picture, self._act, self._lesson.is_meant)

    def _ask_roll(self) -> None:
        table, event = self._table, self._table.event
        self._status.text = sentence(spoken(event.asked))
        ui.label(f"Type {event.wanted}, or choose:")
        if not event.exact:
            return
        outcomes = [event.format(outcome) for outcome in event.law(table.law)]
        if len(outcomes) <= _MOST_ROLLS:
            with ui.element("div").classes("live-list"):
                for text in outcomes:
                    self._button(text, partial(table.roll, text))

    def _tell_end(self) -> None:
        table, (record, told) = self._table, question.ended(self._table)
        self._status.text = sentence(told)
        if table.persons and all(step.actor not in table.persons for step in record.steps):
            ui.label("It was over before you could choose anything.")
        address = replay_address(PlayedGame(table.game, record, table.law))
        with ui.row().classes("items-center"):
            self._add_again()
            ui.link("Watch it again, with the odds of each roll", address, new_tab=True)
        ui.label(f"Seed {record.root}").classes("live-how")

    def _add_again(self) -> None:
        again = ui.button("Play again", on_click=lambda: self._go_to(self._play.again))
        again.props("outline")

    def _tell_fault(self, fault: str) -> None:
        """Tell why the game does not go on, and what one can do about it."""
        self._status.text = "The game stands still."
        self._note.refuse(fault)
        ui.label("Nothing is lost. Save the game: it goes on from there, also with other players.")
        self._button("Try again", lambda: None)

    def _button(self, text: str, change: Callable[[], object]) -> None:
        ui.button(text, on_click=lambda: self._change(change)).props("outline")

    def _ask_to_pass(self) -> None:
        """Hide everything until the next person is at the screen."""
        who = spoken(self._table.who)
        hidden = f"Others look away: what {who} hides comes next."
        with self._hide(f"Pass the screen to {who}.", hidden):
            ui.button("I am here", on_click=lambda: self._change(self._table.sit))

    def _hide(self, title: str, line: str) -> ui.element:
        """Show nothing of the game, but a message; return the place of its button."""
        self._picture.clear()
        show_status(self._tables, self._hand, "")
        self._danger.clear()
        self._clear_question()
        self._note.clear()
        self._pass_screen.clear()
        with self._pass_screen:
            return message(title, line)

    # -- what a person clicks or types

    async def _act(self, actions: Sequence[Any], *, is_sure: bool = False) -> None:
        """Take actions; first ask, where own men are likelier to be lost by it than enemies."""
        if self.is_busy or self._waits is not Waits.CHOICE:
            return
        asked, harm = self._table.asked, ""
        if not is_sure and len(asked.actions) > 1:
            with suppress(BusyError):
                harm = (await quick(preview, asked, actions)).harm
        if self.is_busy or self._waits is not Waits.CHOICE or self._table.asked is not asked:
            return
        if harm:
            ask_first(self._here, harm, lambda: self._act(actions, is_sure=True))
        else:
            await self._change(lambda: self._table.choose(*actions))

    async def _turned(self, event: GenericEventArguments) -> None:
        """Do what ends with the heading that was dragged to, or let the player choose if several do."""
        detail = event.args.get("detail") if isinstance(event.args, dict) else None
        numbers = detail if isinstance(detail, list) else []
        if found := [one for number in numbers if (one := self._picture.numbered(number))]:
            await self._choose_among(found)

    async def _carry_out(self, orders: Orders[Any, Any, Any]) -> None:
        """Do orders, all at once up to the next roll, then on; tell how far they are, and why they cannot go on."""
        begun, done, count = len(self._table.session.steps), -1, len(orders.left)
        with self._client, self._note.reporting_faults():
            while self._waits is Waits.CHOICE and done < len(self._table.session.steps):
                if orders.is_done or self._is_left:
                    return
                done, asks = len(self._table.session.steps), self._status.text
                self._status.text = f"Orders: {count - len(orders.left)} of {count} are done ..."
                await self._change(lambda: self._table.follow(moves(orders, self._table, begun)))
                if done == len(self._table.session.steps):
                    self._status.text = asks
            if orders.left and self._waits is not Waits.CHOICE:
                raise InvalidValueError(orders.stopped("the turn is over"))

    async def _picked(self, event: GenericEventArguments) -> None:
        """Do what leads to a place that was clicked, let the player choose if several do, or tell why none does."""
        found, live, waits = picked_place(event.args), self._picture.live, self._waits
        if self.is_busy or live is None or found is None:
            return
        if waits is not Waits.CHOICE:
            self._note.refuse(_NO_CHOICE.get(waits, ""))
            return
        at_mm, thing = found
        what = scenery(thing, live)
        if what and unit_of(thing) not in self._table.game.names(self._table.state):
            self._note.refuse(f"You clicked a part of the field: {what}.")
        elif not what and (hits := self._picture.hits(at_mm)):
            await self._choose_among([choice for choice, _ in hits])
        elif not thing and not is_on_table(at_mm, live):
            self._note.refuse("That is beyond the edge of the table.")
        else:
            await self._say(words(at_mm, thing, self._table, live), is_clicked=True)

    async def _choose_among(self, choices: Sequence[Choice[Any]]) -> None:
        """Do the only one of some choices, unless it leads to where the piece stands already; show several."""
        place, asked = choices[0].place, self._table.asked
        is_own = place is not None and place == asked.game.here(asked.state)
        if len(choices) == 1 and not is_own:
            await self._act(choices[0].actions)
            return
        self._here.clear()
        with self._here:
            self._choices().add_here(choices, "Here, where it stands already" if is_own else "Here")

    async def _enter(self) -> None:
        text = " ".join(str(self._line.value or "").split())
        if self.is_busy or not text:
            return
        self._line.value = ""
        word, _, rest = text.partition(" ")
        is_choice = self._waits is Waits.CHOICE
        if is_choice and is_order(text):
            await self._orders.show(text)
        elif is_choice and self._orders.shown and text.lower() in YES:
            await self._carry_out(self._orders.shown)
        elif word in COMMANDS and not (is_choice and text in self._table.asked.texts):
            await self._command(word, rest)
        elif is_choice:
            await self._say_all([one for one in BETWEEN.split(text) if one])
        elif self._table.waits is Waits.ROLL:
            await self._change(lambda: self._table.roll(text))

    async def _command(self, word: str, rest: str) -> None:
        if word in ("undo", "redo"):
            await self._change(self._table.undo if word == "undo" else self._table.redo)
        elif word == "save":
            await self._save()
        elif word == "hint":
            await self._hint()
        elif self._waits is not Waits.CHOICE:
            self._note.refuse(_NO_CHOICE.get(self._table.waits, ""))
        elif word == "threat":
            await self._danger.show()
        elif word in ("odds", "try", "why"):
            lines = await quick(lambda: [*map(str, answer(self._table.asked, word, rest))])
            self._note.tell("\n".join(lines))
        else:
            self._note.refuse(
                f"Nothing to type is called {word} here: the page has it as a button, a list or a picture."
            )

    async def _hint(self) -> None:
        """Show the best plans of a bot, unless something else has been done meanwhile."""
        if self._table.waits is not Waits.CHOICE:
            self._note.refuse(_NO_CHOICE.get(self._table.waits, ""))
            return
        asked = self._table.asked
        with self._note.reporting_faults():
            found = await long(lambda: asked.hints)
            if (
                self._table.waits is Waits.CHOICE
                and self._table.asked is asked
                and not self._is_left
            ):
                self._here.clear()
                with self._here:
                    self._choices().add_hints(found)

    async def _say_all(self, texts: Sequence[str]) -> None:
        """Do what several choices say, one after the other; tell which are left when one is not done."""
        while texts:
            if self._is_left or self._waits is not Waits.CHOICE:
                self._note.refuse(f"not done: {'; '.join(texts)}")
                return
            before = len(self._table.session.steps)
            first, *texts = numbers_apart(self._table.asked, texts)
            await self._say(first)
            if len(self._table.session.steps) == before:
                return

    async def _say(self, text: str, *, is_clicked: bool = False) -> None:
        """Do what words say; tell why not if that is illegal."""
        asked = self._table.asked
        try:
            found = planned_action(asked, text)
        except InvalidValueError as error:
            self._note.refuse(with_blanks(why_nothing(error, asked)) if is_clicked else str(error))
        else:
            await self._act(found.actions, is_sure=not is_clicked)

    # -- the game is left

    def _stop(self) -> None:
        """Let the game rest: the page is closed, or shows another one."""
        self._is_left = True

    async def _go_to(self, other: Callable[[], Awaitable[None]]) -> None:
        """Leave this game for another one, after a question if something would be lost."""
        if self._is_unsaved and self._table.waits is not Waits.END:
            answer = await self._leaving
            if answer == SAVE:
                await self._save()
            elif answer != LEAVE:
                return
        if self._is_left:  # by another click
            return
        self._stop()
        self._saving.drop()
        await other()

    async def _save(self) -> None:
        replay = await quick(self._table.replay)
        stem = f"{self._table.game.name} {self._table.start.root}"
        self._note.tell(f"{save_file(stem, 'jsonl', replay)} is saved.")
        self._is_unsaved = False
        if self._home is not None:
            self._home.saved.note_saved(replay)
