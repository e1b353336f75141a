"""Person: a player at a keyboard, who sees the situation, types actions and may ask for odds."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from brickphys.errors import InvalidValueError
from brickphys.odds.law import RollLaw
from brickphys.rules.game import Game
from brickphys.rules.players.asked import COMMANDS, Asked
from brickphys.rules.players.keyboard import Keyboard
from brickphys.rules.players.teller import Teller
from brickphys.rules.record import Action, State, View
from brickphys.rules.report.ink import Ink, inked, joined
from brickphys.rules.session import why_not_back

if TYPE_CHECKING:
    import numpy as np

_IN_SENTENCES = ("help", "why")
"""The commands that are answered in sentences."""


class Person(Teller[State, Action, View]):
    """A player who types.

    Parameters
    ----------
    game
        The game.
    seat
        Which player.
    brick_law
        The law of a roll of bricks, for the odds.
    keyboard
        Where the player types and reads; it must watch the game.
    """

    name = "person"

    def __init__(
        self,
        game: Game[State, Action, View],
        seat: int,
        brick_law: RollLaw,
        keyboard: Keyboard[State, Action],
    ) -> None:
        super().__init__(game, seat, keyboard)
        keyboard.seats.add(seat)
        self._seat = seat
        self._brick_law = brick_law

    def choose(self, view: View, actions: Sequence[Action], rng: "np.random.Generator") -> Action:
        """Show the situation where it is new, and ask until a legal action is typed.

        Raises
        ------
        InterruptedRunError
            If the player quits, or the input ends.
        TakeBackError
            If the player takes the last action back.
        """
        asked = Asked(self.game, view, actions, rng, self._brick_law)
        self.keyboard.sit_down(self, asked.who, secret=self.game.hidden(asked.state))
        self.tell_news()
        columns, is_shown = self.keyboard.columns, False
        if self.is_new:
            situation = asked.situation(columns, self.keyboard.tables, self.announced(asked.state))
            self.show_situation(asked.state, situation)
            self.keyboard.tables = asked.tables
            is_shown = asked.shows_marks(columns)
        self.is_new = False
        for part in asked.question(columns, is_shown=is_shown):
            self.show(asked.state, part)
        while True:
            word, _, rest = self.keyboard.line().partition(" ")
            command = {"": "list", "?": "help"}.get(word, word.lower())
            if command == "undo":
                self._take_back()
            elif command in COMMANDS:
                answer = asked.answer(command, rest, columns)
                folds = self.keyboard.folded if command in _IN_SENTENCES else str
                self.show(asked.state, joined(map(folds, answer), "\n"))
            else:
                try:
                    return asked.typed.action(f"{word} {rest}".strip())
                except InvalidValueError as error:
                    self.show(asked.state, inked(self.keyboard.folded(str(error)), Ink.FAULT))

    def _take_back(self) -> None:
        """Take the last step back, if it may be."""
        steps = self.keyboard.steps
        self.keyboard.undo(self.game, [self._seat])
        why = why_not_back(steps[-1][1] if steps else None, self._seat)
        self.keyboard.write(f"nothing to take back: {why}")
