"""Question: what a game asks of a person, beside its picture: an action or a roll; or how it has ended."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

from nicegui import ui

from brickphys.battles.result import AnyRecord, result_text
from brickphys.battles.table import Table, Waits
from brickphys.rules.players.choices import Choice
from brickphys.rules.record import OVER, Ending
from brickphys.text import spoken
from brickphys.view.app.battles.choice_list import ChoiceList
from brickphys.view.app.battles.compiling import LOADING, tell_compiling
from brickphys.view.app.battles.named_replay import replay_address
from brickphys.view.app.battles.played_game import PlayedGame
from brickphys.view.app.battles.seen_game import Placed, SeenGame
from brickphys.view.app.battles.what_to_do import verb, what_to_do
from brickphys.view.app.status_line import StatusLine

_MOST_ROLLS = 13
"""Outcomes of a roll that have buttons."""


class Question:
    """Asks, and offers the answers as buttons and lists.

    Parameters
    ----------
    table, seen
        The game, and its picture.
    do
        Changes the game, and lets it go on.
    again
        Begins the same game once more.
    is_busy
        Whether the game goes on by itself just now.

    Attributes
    ----------
    note
        The line for what came of a click, or why nothing did.
    alone
        Actions that were done without a question, since nothing else was legal.
    """

    def __init__(
        self,
        table: Table,
        seen: SeenGame,
        do: Callable[[Callable[[], object]], Awaitable[None]],
        again: Callable[[], Awaitable[None]],
        is_busy: Callable[[], bool],
    ) -> None:
        self._table, self._seen, self._do, self._again = table, seen, do, again
        self._status = ui.label(LOADING).props("role=status").classes("live-status")
        tell_compiling(self._status, is_busy)
        self.note = StatusLine("alert")
        self._here = ui.element("div")
        self._list = ui.element("div")
        self.alone = list[str]()

    def wait_for(self, who: str) -> None:
        """Tell who acts; empty for a roll."""
        self.clear()
        self._status.text = f"{spoken(who)}: thinking ..." if who else "The bricks are thrown ..."

    def clear(self) -> None:
        """Ask nothing."""
        self._status.text = ""
        self._here.clear()
        self._list.clear()

    def show(self, waits: Waits, choices: Sequence[Choice[Any]], fault: str) -> None:
        """Show what is asked for.

        Parameters
        ----------
        waits
            What the game waits for.
        choices
            The legal actions.
        fault
            Why the game does not go on by itself; empty if it waits for a person.
        """
        self.clear()
        with self._list:
            if waits is Waits.CHOICE:
                self._ask(choices)
            elif waits is Waits.ROLL:
                self._ask_roll()
            elif waits is Waits.END:
                self._end()
            else:
                self._stand_still(fault)

    def show_here(self, choices: Placed) -> None:
        """Show the choices that lead to one place."""
        self._here.clear()
        with self._here:
            self._choices(choices).add_here([choice for choice, _ in choices])

    def _ask(self, choices: Sequence[Choice[Any]]) -> None:
        """Show the legal actions."""
        asked, seen = self._table.asked, self._seen
        assert seen.live is not None
        self._status.text = f"{spoken(asked.who)}: {asked.game.prompt(asked.state)}"
        if self.alone:
            ui.label(
                f"There was no other choice, so this was done for you: {'; '.join(dict.fromkeys(self.alone))}."
            )
        here_mm, reaches_mm = seen.here_mm, seen.live.reaches_mm
        ui.label(
            what_to_do(
                [one for one, _ in seen.placed],
                [self._verb(one) for one, _ in seen.placed],
                reaches_mm([at for _, at in seen.placed]),
                None if here_mm is None else reaches_mm([here_mm])[0],
                seen.live.builder.free_words,
            )
        )
        self._choices(seen.placed).add(choices)

    def _choices(self, placed: Placed) -> ChoiceList:
        async def choose(choice: Choice[Any]) -> None:
            await self._do(lambda: self._table.choose(*choice.actions))

        return ChoiceList(placed, choose, self.note)

    def _verb(self, choice: Choice[Any]) -> str:
        """Return what a choice does, in a word."""
        texts = [step.text for step in self._table.session.steps[-1:]]
        texts += map(self._table.game.format_action, choice.actions[:-1])
        return verb(choice.text, texts[-1] if texts else "")

    def _ask_roll(self) -> None:
        """Ask for what was rolled on a real table."""
        event = self._table.event
        self._status.text = spoken(event.asked)
        ui.label(f"Type {event.wanted}, or choose:")
        if not event.exact:
            return
        outcomes = [event.format(outcome) for outcome in event.law(self._table.law)]
        if len(outcomes) <= _MOST_ROLLS:
            with ui.element("div").classes("live-list"):
                for text in outcomes:
                    self._button(text, partial(self._table.roll, text))

    def _end(self) -> None:
        """Show how the game has ended, and the way to its replay."""
        table = self._table
        record = table.record
        if table.session.actor != OVER:
            record = table.session.record(Ending.LIMIT)
        self._status.text = f"{_fortune(table, record)}{result_text(table.game, record)}"
        if table.persons and all(step.actor not in table.persons for step in record.steps):
            ui.label("It was over before you could choose anything.")
        address = replay_address(PlayedGame(table.game, record, table.law))
        with ui.row().classes("items-center"):
            ui.button("Play again", on_click=self._again).props("outline")
            ui.link("Watch it again, with the odds of each roll", address, new_tab=True)

    def _stand_still(self, fault: str) -> None:
        """Tell why the game does not go on, and what one can do about it."""
        self._status.text = "The game stands still."
        self.note.refuse(fault)
        ui.label("Nothing is lost. Save the game: it goes on from there, also with other players.")
        self._button("Try again", lambda: None)

    def _button(self, text: str, change: Callable[[], object]) -> None:
        ui.button(text, on_click=lambda: self._do(change)).props("outline")


def _fortune(table: Table, record: AnyRecord) -> str:
    """Return whether the person here has won; empty if the game is not over, or several persons play."""
    if record.ending is not Ending.OVER or len(table.persons) != 1:
        return ""
    payoff = (record.returns or ())[table.persons[0]]
    return "You have won: " if payoff > 0 else "You have lost: " if payoff < 0 else ""
