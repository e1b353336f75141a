"""Spectator: somebody who steps forward and back through a game that was played."""

from collections.abc import Iterator
from functools import cached_property
from textwrap import wrap
from typing import Any, Generic, TypeAlias

from brickphys.errors import InvalidValueError
from brickphys.rules.game import Game
from brickphys.rules.players.marked_map import MarkedMap
from brickphys.rules.players.menu import WIDTH
from brickphys.rules.players.teller import player_tones
from brickphys.rules.record import Action, Record, State, View
from brickphys.rules.report.char_map import CharMap
from brickphys.rules.report.ink import Ink, Inked, highlighted, inked, joined
from brickphys.rules.report.status import map_in

COMMANDS = {
    "n": "forward one step (or Enter, space, right arrow)",
    "p": "back one step (or b, left arrow)",
    "r": "r N: to the beginning of round N",
    "s": "show the whole situation: the map with its legend, and all tables",
    "h": "this help (or ?)",
    "q": "leave",
}
"""What a spectator may type or press."""
_SAME = {"": "n", " ": "n", "b": "p", "?": "h", "next": "n", "back": "p", "quit": "q", "help": "h"}
_TOLD = 5
"""Sentences on a page."""


class Spectator(Generic[State, Action, View]):
    """Steps through a game from one event that is told to the next.

    Parameters
    ----------
    game, record
        The game, and how it was played.
    viewer
        The player as whom the spectator sees it; None for one who may know everything.

    Attributes
    ----------
    at
        How many steps of the game are done.
    """

    def __init__(
        self,
        game: Game[State, Action, View],
        record: Record[State, Action],
        viewer: int | None = None,
    ) -> None:
        self.game = game
        self.record = record
        self.viewer = viewer
        self.at = 0
        self._lines: dict[int, str] = {}

    @cached_property
    def states(self) -> tuple[State, ...]:
        """Every state of the game."""
        return self.record.states

    @property
    def is_at_end(self) -> bool:
        """Whether all steps are done."""
        return self.at == len(self.record.steps)

    def do(self, text: str, columns: int = WIDTH) -> str | None:
        """Do what was typed; return what is to be shown in so many columns, None to leave.

        Raises
        ------
        InvalidValueError
            If it is nothing that can be done here.
        """
        word, _, rest = text.strip().partition(" ")
        command = _SAME.get(word, word)
        if command == "q":
            return None
        if command == "h":
            return "\n".join(f"  {word}  {about}" for word, about in COMMANDS.items())
        if command == "s":
            return self.situation(columns)
        if command == "r":
            self._go_to_round(rest)
        elif command in ("n", "p"):
            self._move(1 if command == "n" else -1)
        else:
            raise InvalidValueError(
                f"{text.strip()!r} is not a command; commands: {', '.join(COMMANDS)}"
            )
        return self.page(columns)

    def page(self, columns: int = WIDTH) -> str:
        """Return where the game is, its map, and what has just happened."""
        state = self.states[self.at]
        description = self._description(self.viewer or 0)
        chart = map_in(description)
        shown = _drawn(chart, columns, legend=False) if chart else description
        text = joined([self._head(), "", shown, "", *self._told(columns)], "\n")
        return highlighted(text, player_tones(self.game, state))

    def situation(self, columns: int = WIDTH) -> str:
        """Return the situation as a whole; if the viewer may know everything, as each player sees it."""
        state = self.states[self.at]
        viewers = range(self.game.players(state)) if self.viewer is None else (self.viewer,)
        views = {self._description(player): player for player in viewers}
        parts = list[str]()
        for description, player in views.items():
            if len(views) > 1:
                parts.append(inked(f"as {self.game.player_name(state, player)} sees it:", Ink.HEAD))
            chart = map_in(description)
            before, _, behind = description.partition(chart or "\0")
            lines = _drawn(chart, columns) if chart else ""
            parts.append(joined([before, lines, behind]))
        return highlighted(joined(parts, "\n\n"), player_tones(self.game, state))

    def _description(self, player: int) -> str:
        """Return the situation as a player sees it."""
        return self.game.describe(self.game.observe(self.states[self.at], player))

    def _head(self) -> str:
        number, last = self.game.rounds(self.states[self.at]), self.game.rounds(self.states[-1])
        where = f"step {self.at} of {len(self.record.steps)}"
        if number is not None:
            where += f", round {number} of {last}"
        return inked(where, Ink.HEAD)

    def _told(self, columns: int) -> Iterator[str]:
        """Yield the last sentences, those of this step at the end."""
        found, at = list[str](), self.at
        while at and len(found) < _TOLD:
            if line := self._line(at):
                found.insert(0, line)
            at -= 1
        for number, line in enumerate(found, start=1):
            folded = wrap(line, columns, subsequent_indent="  ") or [line]
            yield from folded if number == len(found) else (inked(one, Ink.QUIET) for one in folded)

    def _line(self, at: int) -> str:
        """Return the sentences of the step that was done before so many steps were."""
        if at not in self._lines:
            before, step = self.states[at - 1], self.record.steps[at - 1]
            self._lines[at] = self.game.tell(before, step, self.viewer)
        return self._lines[at]

    def _move(self, way: int) -> None:
        """Go to the next event that is told, or to the first or last step."""
        last = len(self.record.steps)
        if not 0 <= self.at + way <= last:
            raise InvalidValueError("this is the end" if way > 0 else "this is the beginning")
        self.at += way
        while 0 < self.at < last and not self._line(self.at):
            self.at += way

    def _go_to_round(self, text: str) -> None:
        numbers = [self.game.rounds(state) for state in self.states]
        first, last = numbers[0], numbers[-1]
        if first is None or last is None:
            raise InvalidValueError(f"{self.game.name} has no rounds")
        if not (text.isdecimal() and len(text) <= 6 and first <= int(text) <= last):
            raise InvalidValueError(f"r N: {text!r} is not a round from {first} to {last}")
        self.at = next(at for at, number in enumerate(numbers) if (number or 0) >= int(text))


def _drawn(chart: CharMap, columns: int, *, legend: bool = True) -> Inked:
    """Return a map in tones, with arrows where it has room for them."""
    whole = MarkedMap(chart.layout, {}).within(columns)
    lines = whole.whole(legend=legend) if whole.fits(columns) else chart.layout.lines(legend=legend)
    return joined(lines, "\n")


AnySpectator: TypeAlias = Spectator[Any, Any, Any]
"""A spectator of any game."""
