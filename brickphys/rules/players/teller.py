"""Teller: shows a person at the keyboard what happens in a game, step by step."""

from typing import Generic

from brickphys.rules.game import AnyGame, Game
from brickphys.rules.players.keyboard import Keyboard
from brickphys.rules.players.marked_map import MarkedMap
from brickphys.rules.players.menu import WIDTH
from brickphys.rules.record import Action, State, View
from brickphys.rules.report.ink import Tone, highlighted, joined
from brickphys.rules.report.status import map_in


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
