"""Teller: shows somebody at the keyboard what happens in a game, step by step."""

from typing import Generic

from brickphys.rules.game import Game
from brickphys.rules.players.keyboard import Keyboard
from brickphys.rules.record import Action, State, View


class Teller(Generic[State, Action, View]):
    """Shows the steps of a game that are new to a reader when it is asked to.

    Parameters
    ----------
    game
        The game.
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
        """Show the steps that the reader was not told yet, as far as the reader may know them."""
        steps = self.keyboard.steps
        for number in range(self._told, len(steps)):
            before, step = steps[number]
            self.is_new |= step.actor != self.viewer
            if line := self.game.tell(before, step, self.viewer):
                self.keyboard.show(number, line)
        self._told = len(steps)
