"""Teller: shows somebody at the keyboard what happens in a game, step by step."""

from collections.abc import Callable
from typing import Generic

from brickphys.rules.game import Game
from brickphys.rules.record import Action, State, Step, View


class Teller(Generic[State, Action, View]):
    """Notes the steps of a game, and shows those that are new when it is asked to.

    Parameters
    ----------
    game
        The game.
    viewer
        The player who reads; None for a reader who may know everything.
    write
        Shows lines.

    Attributes
    ----------
    steps
        The steps so far, each after the state before it.
    is_new
        Whether another player has acted, or something was rolled, since this was last set to False; at first True.
    """

    def __init__(
        self, game: Game[State, Action, View], viewer: int | None, write: Callable[[str], None]
    ) -> None:
        self.game = game
        self.viewer = viewer
        self.write = write
        self.steps: list[tuple[State, Step[State, Action]]] = []
        self._told = 0
        self.is_new = True

    def watch(self, before: State, step: Step[State, Action]) -> None:
        """Note a step; steps that another player at the keyboard has taken back are forgotten."""
        while self.steps and self.steps[-1][1].after is not before:
            self.steps.pop()
        self.steps.append((before, step))

    def tell_news(self) -> None:
        """Show the steps that are not shown yet, as far as the reader may know them."""
        for before, step in self.steps[self._told :]:
            self.is_new |= step.actor != self.viewer
            if line := self.game.tell(before, step, self.viewer):
                self.write(line)
        self._told = len(self.steps)
