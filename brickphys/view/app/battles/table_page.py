"""Table page: a game that is played by clicking: the picture, the legal actions, and what else one may do."""

import re
from collections.abc import Callable, Sequence
from itertools import groupby
from math import dist
from typing import Any

from nicegui import run, ui

from brickphys.arrays import Triple
from brickphys.battles.result import result_text
from brickphys.battles.table import Table, Waits
from brickphys.errors import BrickphysError, in_words
from brickphys.rules.players.choices import Choice, listed, placed
from brickphys.rules.players.plan import plan
from brickphys.rules.record import CHANCE, OVER, Ending
from brickphys.text import spoken
from brickphys.view.app.battles.kept_game import KeptGame
from brickphys.view.app.battles.live_player import LivePlayer
from brickphys.view.app.battles.named_replay import replay_address
from brickphys.view.app.browser_files import save_file
from brickphys.view.app.status_line import StatusLine
from brickphys.view.live_battle import LiveBattle
from brickphys.view.recording import SceneRecording

_MOST_BUTTONS = 14
"""Of more actions that begin with the same word one is selected from a list."""
_MOST_ROLLS = 13
"""Outcomes of a roll that have buttons."""
_NEAR = 0.75
"""How near to a place one clicks, in its width."""
_ATTACKS = ("attack", "shoot")
"""What one wants if one clicks on a unit of another player."""
_NO_CHOICE = {
    Waits.ROLL: "The roll comes first: type what came on your table.",
    Waits.END: "The game is over.",
}
_PART = re.compile(r"( in place \d+)?( \(\d+\))?$")
"""What a thing in the picture has behind the name of the unit."""


class TablePage:
    """Shows a table; what is clicked on it is done.

    Parameters
    ----------
    table
        The game.
    title
        Its name for people.
    leave
        Called when the player wants another game.
    """

    def __init__(self, table: Table, title: str, leave: Callable[[], None]) -> None:
        self._table, self._title, self._leave = table, title, leave
        self._kept = KeptGame()
        self._is_busy = self._is_left = False
        self._falls: dict[int, SceneRecording] = {}
        ui.context.client.on_delete(self._stop)
        self._placed: Sequence[tuple[Choice[Any], Triple]] = ()
        self._curtain = ui.element("section").classes("live-curtain")
        self._curtain.visible = False
        self._page = ui.element("div").classes("live-page")
        with self._page:
            self._player = LivePlayer(self._pick)
            with ui.element("aside").classes("live-panel").props('aria-label="Your choice"'):
                self._status = ui.label().props("role=status").classes("live-status")
                self._note = StatusLine("alert")
                self._here = ui.element("div")
                self._list = ui.element("div")
                self._typed = ui.input("Or type: an action, a place, a name")
                self._typed.on("keydown.enter", self._enter).classes("w-full")
                self._tools()
        self._live: LiveBattle | None = None

    async def start(self) -> None:
        """Show the game, and let it go on."""
        await self._go_on()

    def _tools(self) -> None:
        with ui.row():
            self._undo = ui.button("Undo", on_click=self._take_back).props("outline")
            ui.button("Save", on_click=self._save).props("outline")
            ui.button("New game", on_click=self._another).props("outline")

    # -- the game goes on

    async def _go_on(self) -> None:
        """Let bots act and the law roll until a person is to do something, or somebody fails."""
        table = self._table
        self._is_busy, fault = True, ""
        try:
            while table.waits is Waits.NOBODY:
                if table.session.actor == CHANCE and not table.is_slow:
                    table.go_on()
                    continue
                self._show_scene()
                self._wait_for(table.who)
                gone_on = await run.io_bound(self._step)
                if self._is_left or not gone_on:  # nobody looks any more, or the server stops
                    return
        except Exception as error:  # a bot of another package may raise anything
            fault = f"{spoken(table.who) or 'The roll'} has failed: {in_words(error)}"
        finally:
            self._is_busy = False
        self._refresh(fault)

    def _step(self) -> bool:
        """Let the game go on by a step, with the fall of its bricks; where the server stops NiceGUI returns None."""
        table = self._table
        number, before = len(table.session.steps), table.state
        table.go_on()
        if table.live is not None:
            from brickphys.view.rolled import EVERY_S, rolled_recording  # loads the engines

            if hands := table.live.hands(EVERY_S):
                self._falls[number] = rolled_recording(table.game.chance(before), hands)
        return True

    def _stop(self) -> None:
        """Let the game rest: the page is closed, or shows another one."""
        self._is_left = True

    def _another(self) -> None:
        self._stop()
        self._leave()

    def _wait_for(self, who: str) -> None:
        self._status.text = f"{spoken(who)} is thinking ..." if who else "The bricks are thrown ..."
        self._placed = ()
        self._player.wait()
        self._here.clear()
        self._list.clear()

    def _refresh(self, fault: str = "") -> None:
        """Show what has happened, and what one may do; `fault` says why the game does not go on by itself."""
        waits = self._table.waits
        is_hidden = waits is Waits.SEAT
        self._curtain.visible, self._page.visible = is_hidden, not is_hidden
        if is_hidden:
            self._draw_curtain()
            return
        self._show_scene()
        self._placed = ()
        self._here.clear()
        self._list.clear()
        with self._list:
            if waits is Waits.CHOICE:
                self._ask()
            elif waits is Waits.ROLL:
                self._ask_roll()
            elif waits is Waits.END:
                self._end()
            else:
                self._stand_still(fault)
        self._offer()
        self._undo.set_enabled(self._table.may_undo)
        self._typed.visible = waits in (Waits.CHOICE, Waits.ROLL)
        self._kept.keep(self._table)

    def _offer(self) -> None:
        """Light the places of the choices, and the piece that acts."""
        live, table, here = self._live, self._table, None
        assert live is not None
        if table.waits is Waits.CHOICE:
            here = live.place_mm(table.game.here(table.asked.state))
        self._player.offer(self._placed, live, here)

    def _show_scene(self) -> None:
        record = self._table.record
        if self._live is not None:
            for number, fall in self._falls.items():
                self._live.rolled(number, fall)
            if (part := self._live.extended(record)) is not None:
                self._falls.clear()
                self._player.fall(self._live.falls())
                self._player.extend(part)
                return
        self._falls.clear()
        self._live = LiveBattle(self._table.game, record, self._table.viewer, self._title)
        self._player.begin(self._live.whole())

    def _draw_curtain(self) -> None:
        """Hide everything until the next person is at the screen."""
        self._live = None
        self._player.clear()
        self._list.clear()
        self._here.clear()
        self._status.text = ""
        self._note.clear()
        self._curtain.clear()
        with self._curtain:
            ui.label(f"Pass the screen to {spoken(self._table.who)}")
            ui.button("I am here", on_click=self._sit)

    def _sit(self) -> None:
        self._table.sit()
        self._refresh()

    # -- what one may do

    def _ask(self) -> None:
        """Show the legal actions."""
        asked = self._table.asked
        self._status.text = f"{spoken(asked.who)}: {asked.game.prompt(asked.state)}"
        choices = listed(asked)
        assert self._live is not None
        self._placed = [
            (choice, at)
            for choice in placed(asked, choices)
            if (at := self._live.place_mm(choice.place)) is not None
        ]
        for word, group in groupby(choices, lambda choice: choice.text.partition(" ")[0]):
            self._group(word, list(group))

    def _group(self, word: str, choices: Sequence[Choice[Any]]) -> None:
        if len(choices) > _MOST_BUTTONS:
            self._selection(word, choices)
            return
        if len(choices) > 1:
            ui.label(spoken(word)).classes("live-heading")
        with ui.element("div").classes("live-list"):
            for choice in choices:
                self._button(choice, word if len(choices) > 1 else "")

    def _button(self, choice: Choice[Any], heading: str = "") -> None:
        """Add the button of an action; the word above it is not repeated, but read aloud."""
        kind = "aims" if choice.is_attack else "goes" if choice.place is not None else ""
        with ui.element("button").classes(kind).props("type=button") as button:
            text = spoken(choice.text)
            ui.label(text.removeprefix(heading).strip() or text)
            button.props["aria-label"] = f"{text}: {choice.told}" if choice.told else text
            if choice.told:
                ui.label(choice.told).classes("told")
        button.on("click", lambda: self._choose(choice))
        number = next((n for n, (one, _) in enumerate(self._placed) if one is choice), None)
        if number is not None:
            point = f"() => globalThis.player?.point?.({number})"
            button.on("mouseenter", js_handler=point)
            button.on("focus", js_handler=point)

    def _selection(self, word: str, choices: Sequence[Choice[Any]]) -> None:
        """Show many actions as a list to select from."""
        names = {n: _told(choice) for n, choice in enumerate(choices)}
        with ui.row().classes("items-center"):
            chosen = ui.select(names, label=f"{spoken(word)} ({len(choices)})", with_input=True)
            chosen.classes("min-w-[14rem]")

            async def go() -> None:
                if chosen.value is not None:
                    await self._choose(choices[chosen.value])

            ui.button("Go", on_click=go).props(f'aria-label="{word}: go"')

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
        self._status.text = result_text(table.game, record)
        address = replay_address(table.game, record, table.law)
        ui.link("Watch it again, with the odds of each roll", address, new_tab=True)

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

    async def _do(self, change: Callable[[], None]) -> None:
        """Change the game, unless it goes on by itself just now; tell why not if it cannot be."""
        if self._is_busy:
            return
        with self._note.telling():
            change()
        await self._go_on()

    async def _take_back(self) -> None:
        await self._do(self._table.undo)

    async def _enter(self) -> None:
        """Do what was typed."""
        text, self._typed.value = " ".join(str(self._typed.value or "").split()), ""
        if not text or self._is_busy:
            return
        if self._table.waits is Waits.ROLL:
            await self._roll(text)
        elif self._table.waits is Waits.CHOICE:
            await self._say(text)

    async def _say(self, text: str) -> None:
        """Do what words say; tell why not if that is illegal."""
        try:
            actions = plan(self._table.asked, text).actions
        except BrickphysError as error:
            self._note.refuse(str(error))
            return
        await self._do(lambda: self._table.choose(*actions))

    async def _pick(self, at_mm: tuple[float, float], thing: str) -> None:
        """Do what leads to a place that was clicked, let the player choose if several do, or tell why none does."""
        if self._is_busy or self._live is None:
            return
        if self._table.waits is not Waits.CHOICE:
            self._note.refuse(_NO_CHOICE.get(self._table.waits, ""))
            return
        near = _NEAR * self._live.place_size_mm
        found = [(dist(at_mm, at[:2]), choice) for choice, at in self._placed]
        least = min((away for away, _ in found), default=near)
        hits = [choice for away, choice in found if away <= near and away <= least + 0.01]
        if len(hits) == 1:
            await self._choose(hits[0])
        elif hits:
            self._choose_here(hits)
        elif not thing and not self._is_on_table(at_mm):
            self._note.refuse("That is beyond the edge of the table.")
        else:
            name = _PART.sub("", thing).removeprefix("vehicle ").partition("/")[0]
            names = self._table.game.names(self._table.asked.state)
            unit = self._live.builder.unit_mm
            place = (at_mm[0] / unit, at_mm[1] / unit)
            text = self._live.builder.place_text(self._live.scene, place)
            if name in names and names[name].player not in (None, self._table.session.actor):
                text = self._attack(name)
            elif name in names:
                text = name
            await self._say(text)

    def _is_on_table(self, at_mm: tuple[float, float]) -> bool:
        live = self._live
        assert live is not None
        sizes = live.builder.size(live.scene)
        unit = live.builder.unit_mm
        return all(0 <= at <= size * unit for at, size in zip(at_mm, sizes, strict=True))

    def _attack(self, name: str) -> str:
        """Return the words of an attack on a unit, for the reasons why there is none."""
        words = self._table.game.action_words()
        return f"{next((word for word in _ATTACKS if word in words), '')} {name}".strip()

    def _choose_here(self, choices: Sequence[Choice[Any]]) -> None:
        self._here.clear()
        with self._here:
            ui.label("Here").classes("live-heading")
            with ui.element("div").classes("live-list"):
                for choice in choices:
                    self._button(choice)

    def _save(self) -> None:
        save_file(
            f"{self._table.game.name} {self._table.start.root}", "jsonl", self._table.replay()
        )


def _told(choice: Choice[Any]) -> str:
    rest = choice.text.partition(" ")[2] or choice.text
    return f"{spoken(rest)}: {choice.told}" if choice.told else spoken(rest)
