"""Keyboard: the keyboard and the screen that all persons share, and who sits there.

`Teller` shows a person at the keyboard what happens in a game, step by step.
"""

from collections.abc import Callable, Collection
from typing import Any, Generic, Protocol, cast

from brickphys.errors import InterruptedRunError, InvalidValueError
from brickphys.rules.game import AnyGame, Game
from brickphys.rules.play import may_take_back
from brickphys.rules.players.bots import TakeBackError
from brickphys.rules.players.prompt import MarkedMap
from brickphys.rules.players.typed import WIDTH, wrapped
from brickphys.rules.record import CHANCE, Action, State, Step, View
from brickphys.rules.report.char_map import Ink, Tone, highlighted, inked, joined
from brickphys.rules.report.story import map_in
from brickphys.rules.sources import leaves

_UNSAVED = "the game is not saved: type save FILE to store it, or quit again to leave"


class LineReader(Protocol):
    """Somebody who may sit at the keyboard."""

    def tell_news(self) -> None:
        """Show what has happened since the reader was last told."""
        ...

    def show_end(self, state: Any) -> None:
        """Show the map of a game that is over."""
        ...


class Keyboard(Generic[State, Action]):
    """Notes the steps of a game, and which lines on them are on the screen: no line on a step stands there twice.

    Parameters
    ----------
    read
        Returns the next line that was typed and raises EOFError when there is none, as ``input`` does.
    write
        Shows lines; they may have tones (`brickphys.rules.report.char_map`).
    clear
        Wipes the screen; None if it cannot be wiped.
    columns
        How wide the screen is; None if nothing is to stand side by side.

    Attributes
    ----------
    save
        Writes the game so far to a file of a name, and returns a line on it; None where games are not saved.
    keep
        Called before each line is read while `is_unsaved`, to keep the game in case that it is never saved.
    is_unsaved
        Whether somebody at the keyboard has chosen or rolled anything that no file will have.
    is_recorded
        Whether a file will have the game at its end: then nobody needs to save it.
    is_automatic, automatic
        Whether the next step is the only legal one, which nobody chooses; the numbers of such steps.
    back_at
        How many steps were left after the last one was taken back.
    fixed
        How many steps cannot be taken back, because others may have read them.
    taken_back
        The steps that were taken back, the first of them last, while nothing else was done since.
    corrects
        Whether the outcome of a state's event is typed, so that it may be taken back.
    heading
        The heading below which lines on steps are shown now, such as that of a round.
    has_headed
        Whether the heading was shown above such lines, after the last description of the game.
    reader
        Who sits there; None before anybody does, and while the keyboard is passed on.
    """

    def __init__(
        self,
        read: Callable[[], str],
        write: Callable[[str], None],
        clear: Callable[[], None] | None = None,
        columns: Callable[[], int | None] = lambda: None,
    ) -> None:
        self.write = write
        self.steps: list[tuple[State, Step[State, Action]]] = []
        self.save: Callable[[str], str] | None = None
        self.keep: Callable[[], None] = lambda: None
        self.is_unsaved = self.is_recorded = self.is_automatic = False
        self.automatic = set[int]()
        self.back_at, self.fixed = -1, 0
        self.taken_back: list[Step[State, Action]] = []
        self.seats = set[int]()
        self.tables: Collection[str] = frozenset()
        self.corrects: Callable[[State], bool] = lambda _: False
        self.readers: list[LineReader] = []
        self.reader: LineReader | None = None
        self.has_headed = False
        self._read = read
        self._clear = clear
        self._columns = columns
        self.heading = ""
        self._shown = set[tuple[int, str]]()
        self._is_warned = False

    def line(self) -> str:
        """Return the next line that is typed, with single blanks between its words; games are saved meanwhile.

        InterruptedRunError if the player quits, or the input ends.
        """
        while True:
            if self.is_unsaved:
                self.keep()
            try:
                words = self._read().split()
            except EOFError:
                raise InterruptedRunError("the input ended at the question for an action") from None
            word = words[0].lower() if words else ""
            if word == "save":
                self.write(self._saved(" ".join(words[1:])))
            elif leaves(words):
                self._leave()
            else:
                return " ".join(words)

    def _saved(self, name: str) -> str:
        if self.save is None:
            return "this game cannot be saved"
        try:
            told = self.save(name)
        except InvalidValueError as error:
            return str(error)
        self.is_unsaved = self._is_warned = False
        return told

    def _leave(self) -> None:
        """End the game; where it is saved nowhere, only say so, once."""
        if self.save is None or self.is_recorded or not self.is_unsaved or self._is_warned:
            raise InterruptedRunError("the player has left")
        self._is_warned = True
        self.write(_UNSAVED)

    @property
    def columns(self) -> int | None:
        """How wide the screen is now; None if nothing is to stand side by side."""
        return self._columns()

    def wrapped(self, text: str) -> str:
        """Return each line of a text as several that fit on the screen; as it is if its width is not known."""
        columns = self.columns
        if columns is None:
            return text
        return "\n".join(wrapped(line, columns) for line in text.split("\n"))

    def watch(self, before: State, step: Step[State, Action]) -> None:
        """Note a step."""
        self.steps.append((before, step))
        if self.taken_back and self.taken_back.pop().move != step.move:
            self.taken_back.clear()
        is_own = step.actor in self.seats and not self.is_automatic
        self.is_unsaved |= is_own or self.may_correct
        if self.is_automatic:
            self.automatic.add(len(self.steps) - 1)
        self.is_automatic = False

    @property
    def may_correct(self) -> bool:
        """Whether the last step is an outcome that was typed."""
        if not self.steps:
            return False
        before, step = self.steps[-1]
        return step.actor == CHANCE and self.corrects(before)

    def undo(self, game: Game[State, Action, View], players: Collection[int]) -> None:
        """Take the last step back, if it is an outcome that was typed, or a choice of one of some players.

        A step that nobody chose is taken back only with the choice of the same player before it, or the typed outcome:
        the next call goes on with that. TakeBackError if it was taken back.
        """
        number = len(self.steps) - 1
        if number >= 0 and self.steps[number][1].actor in players:
            players = {self.steps[number][1].actor}
        while number in self.automatic and self._is_own(game, number, players):
            number -= 1
        if number < self.fixed:
            return
        before, step = self.steps[number]
        is_typed = step.actor == CHANCE and self.corrects(before)
        if is_typed or self._is_own(game, number, players):
            self.take_back()
            raise TakeBackError

    def _is_own(
        self, game: Game[State, Action, View], number: int, players: Collection[int]
    ) -> bool:
        """Tell whether a step is a choice of one of some players, which showed nobody a secret."""
        before, step = self.steps[number]
        return step.actor in players and may_take_back(game, before, step, step.actor)

    def take_back(self) -> None:
        """Forget the last step, which may be done again."""
        self.taken_back.append(self.steps.pop()[1])
        self.back_at = len(self.steps)
        self.automatic.discard(self.back_at)
        self._shown = {(number, line) for number, line in self._shown if number < len(self.steps)}

    def redone(self, player: int) -> Action | None:
        """Return the choice of a player that was taken back just before; None if there is none."""
        if not self.taken_back or self.taken_back[-1].actor != player:
            return None
        return cast(Action, self.taken_back[-1].move)

    def show(self, number: int, line: str, heading: str = "") -> None:
        """Show a line on a step, unless it is on the screen already; before it a heading that was not the last one."""
        if (number, line) in self._shown:
            return
        if heading not in ("", self.heading):
            self.heading, self.has_headed = heading, True
            self.write(joined(["", inked(heading, Ink.HEAD)], "\n"))
        self._shown.add((number, line))
        self.write(line)

    def tell_news(self) -> None:
        """Tell the news to who sits there, or else to the first of all readers."""
        self._first.tell_news()

    def tell_end(self, state: State) -> None:
        """Tell them the news of a game that is over, and show how it lies."""
        self._first.tell_news()
        self._first.show_end(state)

    @property
    def _first(self) -> LineReader:
        return self.reader or self.readers[0]

    def sit_down(self, reader: LineReader, name: str, *, secret: bool) -> None:
        """Let a reader take the seat; where players have secrets, another one leaves it first.

        InterruptedRunError if a player quits, or the input ends.
        """
        if secret and reader is not self.reader and len(self.readers) > 1:
            self.reader = None
            self._pass_to(name)
        self.reader = reader

    def _pass_to(self, name: str) -> None:
        """Wipe the screen, and wait until the next player sits there."""
        if self._clear is None:
            self.write(
                f"\n{name} is next; this is not a terminal, so the text above stays readable"
            )
            return
        self._clear()
        self._shown.clear()
        self.tables = frozenset()
        self.heading, self.has_headed = "", False
        is_there = False
        while not is_there:
            self.write(f"Pass the keyboard to {name}; press Enter")
            is_there = not self.line()


class Teller(Generic[State, Action, View]):
    """Shows the steps of a game that are new to a reader when it is asked to.

    Parameters
    ----------
    viewer
        The player who reads; None for a reader who may know everything.
    keyboard
        Where the reader sits; it must watch the game. Steps that it knows already are no news.

    Attributes
    ----------
    is_new
        Whether another player has acted, or something was rolled, since this was last set to False; at first True.
    """

    def __init__(
        self,
        game: Game[State, Action, View],
        viewer: int | None,
        keyboard: Keyboard[State, Action],
    ) -> None:
        self.game = game
        self.viewer = viewer
        self.keyboard = keyboard
        self._told = len(keyboard.steps)
        self.is_new = True
        keyboard.readers.append(self)

    def tell_news(self) -> None:
        """Show the steps that the reader was not told yet, as far as the reader may know them, under their rounds.

        What changes hands in a step has the tone of its new player.
        """
        steps = self.keyboard.steps
        for number in range(self._told, len(steps)):
            before, step = steps[number]
            self.is_new |= step.actor != self.viewer
            if line := self.game.tell(before, step, self.viewer):
                tones = player_tones(self.game, before) | player_tones(self.game, step.after)
                heading = self._heading(before)
                self.keyboard.show(number, highlighted(self.keyboard.wrapped(line), tones), heading)
        self._told = len(steps)

    def show_end(self, state: State) -> None:
        """Show the map of a game that is over, if it has one."""
        chart = map_in(self.game.describe(self.game.observe(state, self.viewer or 0)))
        if chart is not None:
            lines = MarkedMap.of(chart.layout, (), None).whole(self.keyboard.columns or WIDTH)
            self.show(state, joined(["", *lines, ""], "\n"))

    def _heading(self, state: State) -> str:
        """Return the heading of the round of a state; empty before the first one, and in a game without rounds."""
        number = self.game.rounds(state)
        return f"{self.game.round_word} {number}" if number else ""

    def show(self, state: State, text: str) -> None:
        """Show lines, with the names of the state in the tones of their players."""
        self.keyboard.write(highlighted(text, player_tones(self.game, state)))

    def announced(self, state: State) -> str:
        """Return the heading of the round of a state if it has just been shown, above the news; else empty."""
        heading, keyboard = self._heading(state), self.keyboard
        return heading if keyboard.has_headed and keyboard.heading == heading else ""

    def show_situation(self, state: State, text: str) -> None:
        """Show a description of the game, which tells the round."""
        self.keyboard.heading, self.keyboard.has_headed = self._heading(state), False
        self.show(state, joined(["", text, ""], "\n"))


def player_tones(game: AnyGame, state: object) -> dict[str, Tone]:
    """Return the tone of each player, and of the names of what is the player's."""
    owned = game.names(state).items()
    return {
        **{game.player_name(state, player): player for player in range(game.players(state))},
        **{name: naming.player for name, naming in owned if naming.player is not None},
    }
