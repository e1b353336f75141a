"""Table page: one seat of a game that is played on several machines, or the place of who watches.

A page gets only what its player may know: the server makes the picture, the words and the choices for each seat alone.
"""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from time import monotonic

from nicegui import ui

from brickphys.battles.ongoing_game import Waits
from brickphys.battles.players import PERSON
from brickphys.battles.table import MOST_NAME, MOST_WORDS, Offer, Table
from brickphys.errors import BrickphysError, InvalidValueError
from brickphys.view.app.access import TABLE
from brickphys.view.app.battles.page import GamePage
from brickphys.view.app.battles.preview import ask_first
from brickphys.view.app.battles.shared import SharedTable, shared_table
from brickphys.view.app.elements import add_links, message
from brickphys.view.solids import shown_players

_BOT = "fair"
"""Plays for a person who lets a bot play."""
_EVERY_S = 1.0
_AWAY_S = 5.0
"""How long a page may have lost its browser before its seat counts as empty."""
_OFFERED = {
    Offer.UNDO: "Take back",
    Offer.DRAW: "Offer a draw",
    Offer.REMATCH: "Play again",
}
"""The words of the buttons."""


async def table_page(key: str) -> None:
    """Add the seat of a key, or the place of who watches; tell why if there is none."""
    try:
        shared = await shared_table(key)
        player = shared.table.player_of(key)
    except InvalidValueError as error:
        with message("No seat here", str(error)):
            ui.button("To the start page", on_click=lambda: ui.navigate.to("/"))
        return
    await TablePage(shared, player).start()


class TablePage(GamePage):
    """A seat at a table, or the place of who watches: the game as that one may see it, and the people."""

    def __init__(self, shared: SharedTable, player: int | None) -> None:
        self._shared, self.player = shared, player
        self._number = 0
        self._bot: ui.button | None = None
        self._said_last: Sequence[tuple[str, str]] = ()
        self.is_away = False
        super().__init__(None, shared.table.ongoing.seen_from(player))
        self._client.on_disconnect(self._note_absence)
        self._client.on_connect(lambda: self._set_away(is_away=False))

    async def start(self) -> None:
        """Sit down, and show the game."""
        await self._shared.sit(self)
        self._shared.show_people()

    @property
    def _club(self) -> Table:
        return self._shared.table

    @property
    def _waits(self) -> Waits:
        return Waits.END if self._club.is_over else self._table.waits

    # -- what is added to the page of a game

    def _fill_panel(self) -> None:
        self._people = ui.element("section").classes("live-people").props('aria-label="Players"')
        self._offers = ui.element("div").classes("live-offers")
        super()._fill_panel()
        with ui.element("section").classes("live-talk").props('aria-label="Talk"'):
            self._said = ui.element("div").props("role=log tabindex=0").classes("live-said")
            self._words = ui.input("Say something")
            self._words.props(f"dense maxlength={MOST_WORDS}", remove="stack-label")
            self._words.on("keydown.enter", self._tell_all)
            if self.player is not None:
                self._name = ui.input("Your name")
                self._name.props(f"dense maxlength={MOST_NAME}", remove="stack-label")
                self._name.on("keydown.enter", self._call).on("blur", self._call)
        add_links({"To watch": TABLE + self._club.watch_key})
        if self._club.clock is not None:
            ui.timer(_EVERY_S, self._show_players)

    def _add_buttons(self) -> None:
        self._while_on, self._when_over = list[ui.button](), list[ui.button]()
        if self.player is None:
            return
        is_free = not self._club.is_official
        for kind in Offer:
            if kind is Offer.REMATCH and not is_free:
                continue
            buttons = self._when_over if kind is Offer.REMATCH else self._while_on
            buttons.append(ui.button(_OFFERED[kind], on_click=partial(self._offer, kind)))
        self._while_on.append(ui.button("Give up", on_click=self._ask_to_give_up))
        self._when_over.append(ui.button("Save", on_click=self._save))
        if is_free:
            self._bot = ui.button("Let a bot play", on_click=self._change_seat)
            self._while_on.append(self._bot)
        for button in (*self._while_on, *self._when_over):
            button.props("outline")

    # -- what is shown

    async def look(self, fault: str) -> None:
        """Show the table as it is now; `fault` says why the game does not go on by itself."""
        if self._is_left:  # closed while others were shown the same
            return
        with self._client:
            if self._table.session is not self._club.ongoing.session:  # another game has begun
                self._table = self._picture.table = self._club.ongoing.seen_from(self.player)
            self._number = self._shared.number
            self._pass_screen.visible, self._page.visible = False, True
            is_thinking = self._club.waits_for_program and not fault
            await (self._show_thinking() if is_thinking else self._show(fault))
        self.look_at_people()

    def look_at_people(self) -> None:
        """Show who is there, what they say and offer, and their time."""
        if self._is_left:
            return
        with self._client:
            self._show_players()
            self._show_offers()
            self._said.clear()
            with self._said:
                for who, words in self._club.lines:
                    ui.label(f"{who}: {words}" if who else words)
            if self._said_last != self._club.lines[-1:]:
                self._said_last = self._club.lines[-1:]
                self._client.run_javascript(f"getHtmlElement({self._said.id}).scrollTop = 1e6")
            for buttons, are_shown in ((self._while_on, False), (self._when_over, True)):
                for button in buttons:
                    button.visible = are_shown == self._club.is_over
            if self._bot is not None and self.player is not None:
                plays = self._club.ongoing.session.players[self.player].name
                self._bot.text = "Let a bot play" if plays == PERSON else "Play myself"

    def _show_players(self) -> None:
        club, now_s, live = self._club, monotonic(), self._picture.live
        colours = shown_players(live.builder.scene(live.scene).colours) if live else ()
        self._people.clear()
        with self._people:
            for player in range(len(club.keys)):
                acts = not club.is_over and club.ongoing.session.actor == player
                row = ui.row().classes("live-player" + (" acts" if acts else ""))
                row.style("".join(f"--of: {one}" for one in colours[player : player + 1]))
                with row:
                    ui.label(f"{club.player_name(player)}{self._presence(player)}")
                    if club.clock is not None:
                        left_s = int(club.clock.left_at(now_s, player))
                        ui.label(f"{left_s // 60}:{left_s % 60:02}").classes("live-clock")

    def _presence(self, player: int) -> str:
        if player == self.player:
            return ", you"
        is_away = player in self._club.ongoing.persons and not self._shared.is_taken(player)
        return ", away" if is_away else ""

    async def _note_absence(self) -> None:
        """Tell all that this seat is empty, unless the browser comes back soon, as one does that was busy."""
        await asyncio.sleep(_AWAY_S)
        self._set_away(is_away=not self._client.has_socket_connection)

    def _set_away(self, *, is_away: bool) -> None:
        if is_away != self.is_away:
            self.is_away = is_away
            self._shared.show_people()

    def _show_offers(self) -> None:
        self._offers.clear()
        with self._offers:
            for kind, by in self._club.offers.items():
                who = " and ".join(map(self._club.player_name, by))
                ui.label(f"{who}: {kind.value}?")
                if self.player is None:
                    continue
                with ui.row():
                    if self.player not in by:
                        ui.button("Agree", on_click=partial(self._offer, kind))
                    words = "Withdraw" if self.player in by else "Refuse"
                    refuse = partial(self._own, partial(self._club.refuse, kind))
                    ui.button(words, on_click=refuse).props("outline")

    def _add_again(self) -> None:
        """Add nothing: another game is offered, and begins once all agree."""

    def rest(self) -> None:
        """Show nothing any more: the seat is taken in another window."""
        with self._client:
            self._page.visible, self._pass_screen.visible = False, True
            with self._hide("This seat is taken in another window.", "The game goes on there."):
                ui.button("Play here", on_click=self.start)

    # -- what a person does

    async def _change(self, change: Callable[[], object]) -> None:
        """Change the game as this page shows it; what was clicked twice is refused, since it has gone on."""
        await self._do(change, self._number)

    async def _do(self, change: Callable[[], object], at: int | None = None) -> None:
        self._note.clear()
        try:
            await self._shared.change(change, at)
        except BrickphysError as error:
            with self._client:
                self._note.refuse(str(error))

    async def _own(self, change: Callable[[int], object], at: int | None = None) -> None:
        """Do what only who sits here may do, given the player."""
        if self.player is not None:
            await self._do(partial(change, self.player), at)

    async def _offer(self, kind: Offer) -> None:
        await self._own(partial(self._club.offer, kind), self._number)

    def _ask_to_give_up(self) -> None:
        give_up = partial(self._own, self._club.resign)
        ask_first(self._here, "the game is lost then", give_up, ("Give up", "Play on"))

    async def _change_seat(self) -> None:
        """Let a bot play here, or play again oneself."""
        if self.player is not None:
            is_person = self.player in self._club.ongoing.persons
            name = _BOT if is_person else PERSON
            await self._do(partial(self._club.seat, self.player, name))

    async def _tell_all(self) -> None:
        words, self._words.value = str(self._words.value or ""), ""
        await self._talk(partial(self._club.say, self.player, words))

    async def _call(self) -> None:
        name = str(self._name.value or "")
        if self.player is not None and name != self._club.called[self.player]:
            await self._talk(partial(self._club.call, self.player, name))

    async def _talk(self, change: Callable[[], object]) -> None:
        with self._note.reporting_faults():
            await self._shared.talk(change)

    async def _command(self, word: str, rest: str) -> None:
        if word == "undo":
            await self._offer(Offer.UNDO)
        elif word in ("odds", "threat", "try", "why"):
            await super()._command(word, rest)
        else:
            self._note.refuse(f"There is no {word} at a table.")

    def _stop(self) -> None:
        super()._stop()
        self._shared.leave(self)
