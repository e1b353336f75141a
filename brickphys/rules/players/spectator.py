"""Spectator: somebody who goes forward and back through a game that was played, event by event."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from textwrap import wrap
from typing import Any, Generic, TypeAlias

from brickphys.errors import InvalidValueError
from brickphys.rules.game import Game
from brickphys.rules.players.keyboard import player_tones
from brickphys.rules.players.prompt import MarkedMap
from brickphys.rules.players.typed import WIDTH
from brickphys.rules.record import Action, Record, State, View
from brickphys.rules.report.char_map import CharMap, Ink, Inked, highlighted, inked, joined
from brickphys.rules.report.story import map_in
from brickphys.rules.sources import LEAVING

COMMANDS = {
    "n": "the next event (or Enter, space, right arrow)",
    "p": "the previous event (or b, left arrow)",
    "r": "r N: go to the first event of round N",
    "s": "show the whole situation: the map with its legend, and all tables",
    "h": "this help (or ?)",
    "q": "leave",
}
"""What a spectator may type or press."""
_SAME = {"": "n", " ": "n", "b": "p", "?": "h", "next": "n", "back": "p", "help": "h"}
_SAME |= dict.fromkeys(LEAVING, "q")
_TOLD = 5
"""Sentences on a page."""


class Spectator(Generic[State, Action, View]):
    """Goes through the pages of a game: its beginning, one for each event that is told, and its end.

    It is seen as one player, or without a `viewer` as who may know everything. The result is how it has ended, in
    words.
    """

    def __init__(
        self,
        game: Game[State, Action, View],
        record: Record[State, Action],
        viewer: int | None = None,
        result: str = "",
    ) -> None:
        self.game = game
        self.record = record
        self.viewer = viewer
        self.result = result
        self.number = 0

    @cached_property
    def states(self) -> tuple[State, ...]:
        """Every state of the game."""
        return self.record.states

    @cached_property
    def events(self) -> Sequence[tuple[int, str]]:
        """The steps that are told, each as the number of steps up to it, and its lines; a roll-off is one event."""
        found, is_roll_off = list[tuple[int, str]](), False
        pairs = zip(self.states, self.record.steps, strict=False)
        for number, (before, step) in enumerate(pairs, start=1):
            goes_on, is_roll_off = is_roll_off, self.game.is_roll_off(before)
            if told := self.game.tell(before, step, self.viewer):
                if goes_on and is_roll_off:
                    told = f"{found.pop()[1]}\n{told}"
                found.append((number, told))
        return found

    @property
    def is_at_end(self) -> bool:
        """Whether this is the last page."""
        return self.number > len(self.events)

    @property
    def at(self) -> int:
        """The number of steps that are done on this page."""
        if self.is_at_end:
            return len(self.record.steps)
        return self.events[self.number - 1][0] if self.number else 0

    def do(self, text: str, columns: int = WIDTH) -> str | None:
        """Do what was typed; return what is to be shown in so many columns, None to leave.

        InvalidValueError if it is nothing that can be done here.
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
            new = self.number + (1 if command == "n" else -1)
            if not 0 <= new <= len(self.events) + 1:
                raise InvalidValueError(f"this is the {'end' if command == 'n' else 'beginning'}")
            self.number = new
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
        if self.number == 0:
            where = "the beginning"
        else:
            where = f"event {self.number} of {len(self.events)}"
            where = "the end" if self.is_at_end else where
        numbers = self._rounds
        if numbers[-1] is not None:
            where += f", {self.game.round_word.lower()} {numbers[self.number]} of {numbers[-1]}"
        return inked(where, Ink.HEAD)

    @cached_property
    def _rounds(self) -> Sequence[int | None]:
        """The round of each page: that in which its event begins."""
        states = [self.states[0], *(self.states[at - 1] for at, _ in self.events), self.states[-1]]
        return [self.game.rounds(state) for state in states]

    def _told(self, columns: int) -> Iterator[str]:
        """Yield the last sentences, those of this page at the end."""
        lines = [self._beginning(), *(line for _, line in self.events)]
        if self.is_at_end:
            lines.append(self.result or "the game ends here")
        found = lines[: self.number + 1][-_TOLD:]
        for number, event in enumerate(found, start=1):
            lines = event.split("\n")
            wrapped = [part for one in lines for part in wrap(one, columns, subsequent_indent="  ")]
            yield from (
                wrapped if number == len(found) else (inked(one, Ink.QUIET) for one in wrapped)
            )

    def _beginning(self) -> str:
        names = (self.game.player_name(self.states[0], n) for n in range(len(self.record.players)))
        pairs = zip(names, self.record.players, strict=True)
        return f"{self.game.name}: {', '.join(f'{name} ({bot})' for name, bot in pairs)}"

    def _go_to_round(self, text: str) -> None:
        numbers = self._rounds
        first, last = numbers[0], numbers[-1]
        if first is None or last is None:
            raise InvalidValueError(f"{self.game.name} has no rounds")
        if not (text.isdecimal() and len(text) <= 6 and first <= int(text) <= last):
            word = self.game.round_word.lower()
            raise InvalidValueError(f"r N: {text!r} is not a {word} from {first} to {last}")
        self.number = next(n for n, number in enumerate(numbers) if (number or 0) >= int(text))


def _drawn(chart: CharMap, columns: int, *, legend: bool = True) -> Inked:
    """Return a map in tones, with arrows where it has room for them."""
    return joined(MarkedMap(chart.layout, {}).whole(columns, legend=legend), "\n")


AnySpectator: TypeAlias = Spectator[Any, Any, Any]
"""A spectator of any game."""
