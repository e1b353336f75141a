"""Keyboard: the keyboard and the screen that all persons share, and who sits there."""

from collections.abc import Callable
from typing import Generic, Protocol

from brickphys.errors import InterruptedRunError
from brickphys.rules.players.bots import TakeBackError
from brickphys.rules.players.menu import folded
from brickphys.rules.record import CHANCE, Action, State, Step


class Reader(Protocol):
    """Somebody who may sit at the keyboard."""

    def tell_news(self) -> None:
        """Show what has happened since the reader was last told."""
        ...


class Keyboard(Generic[State, Action]):
    """Notes the steps of a game, and which lines on them are on the screen: no line on a step stands there twice.

    Parameters
    ----------
    read
        Returns the next line that was typed and raises EOFError when there is none, as ``input`` does.
    write
        Shows lines; they may have tones (`brickphys.rules.report.ink`).
    clear
        Wipes the screen; None if it cannot be wiped.
    columns
        How wide the screen is; None if nothing is to stand side by side.

    Attributes
    ----------
    steps
        The steps so far, each after the state before it.
    readers
        All who read the screen.
    save
        Writes the game so far to a file of a name, and returns a line on it; None where games are not saved.
    goes_on
        The command that goes on from the last save; empty before one.
    corrects
        Whether the outcome of a state's event is typed, so that it may be taken back.
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
        self.goes_on = ""
        self.corrects: Callable[[State], bool] = lambda _: False
        self.readers: list[Reader] = []
        self.reader: Reader | None = None
        self._read = read
        self._clear = clear
        self._columns = columns
        self._shown = set[tuple[int, str]]()

    def line(self) -> str:
        """Return the next line that is typed, with single blanks between its words.

        Raises
        ------
        InterruptedRunError
            If the player quits, or the input ends.
        """
        try:
            words = self._read().split()
        except EOFError:
            raise InterruptedRunError("the input ended where an action was asked for") from None
        if words and words[0].lower() == "quit":
            raise InterruptedRunError("the player has left")
        return " ".join(words)

    @property
    def columns(self) -> int | None:
        """How wide the screen is now; None if nothing is to stand side by side."""
        return self._columns()

    def folded(self, line: str) -> str:
        """Return a line as several that fit on the screen; as it is if its width is not known."""
        return line if self.columns is None else folded(line, self.columns)

    def watch(self, before: State, step: Step[State, Action]) -> None:
        """Note a step."""
        self.steps.append((before, step))

    @property
    def may_correct(self) -> bool:
        """Whether the last step is an outcome that was typed."""
        if not self.steps:
            return False
        before, step = self.steps[-1]
        return step.actor == CHANCE and self.corrects(before)

    def correct(self) -> None:
        """Take the last outcome back, if it was typed.

        Raises
        ------
        TakeBackError
            If it was.
        """
        if self.may_correct:
            self.take_back()
            raise TakeBackError

    def take_back(self) -> None:
        """Forget the last step."""
        self.steps.pop()
        self._shown = {(number, line) for number, line in self._shown if number < len(self.steps)}

    def show(self, number: int, line: str) -> None:
        """Show a line on a step, unless it is on the screen already."""
        if (number, line) not in self._shown:
            self._shown.add((number, line))
            self.write(line)

    def tell_news(self) -> None:
        """Tell the news to who sits there, or else to the first of all readers."""
        (self.reader or self.readers[0]).tell_news()

    def sit_down(self, reader: Reader, name: str, *, secret: bool) -> None:
        """Let a reader take the seat; where players have secrets, another one leaves it first.

        Raises
        ------
        InterruptedRunError
            If a player quits, or the input ends.
        """
        if secret and reader is not self.reader and len(self.readers) > 1:
            self.reader = None
            self._pass_to(name)
        self.reader = reader

    def _pass_to(self, name: str) -> None:
        """Wipe the screen, and wait until the next player sits there."""
        if self._clear is None:
            self.write(f"\n{name} is next; this is not a terminal, so everything above can be read")
            return
        self._clear()
        self._shown.clear()
        is_there = False
        while not is_there:
            self.write(f"Pass the keyboard to {name}; press Enter")
            is_there = not self.line()
