"""Seen game: the picture of a game that is played, and the places of choices in it."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from brickphys.arrays import Triple
from brickphys.battles.table import Table, Waits
from brickphys.rules.players.choices import Choice, placed
from brickphys.rules.report.episode import Episode
from brickphys.view.app.battles.live_player import LivePlayer
from brickphys.view.live_battle import LiveBattle
from brickphys.view.recording import SceneRecording

Placed = Sequence[tuple[Choice[Any], Triple]]
"""Choices, each with its place in mm."""


class SeenGame:
    """Shows a table in three dimensions.

    Parameters
    ----------
    table
        The game.
    title
        Its name for people.
    on_pick
        Is called with the place in mm that is clicked, and the name of the thing that is there, which may be empty.

    Attributes
    ----------
    live
        What is shown; None if nothing is.
    placed
        The choices that have a place in the picture.
    """

    def __init__(
        self,
        table: Table,
        title: str,
        on_pick: Callable[[tuple[float, float], str], Awaitable[None]],
    ) -> None:
        self._table, self._title = table, title
        self._player = LivePlayer(on_pick)
        self._falls: dict[int, SceneRecording] = {}
        self.live: LiveBattle | None = None
        self.placed: Placed = ()

    def step(self) -> None:
        """Let the game go on by a step; bricks that an engine throws for it will be seen to fall."""
        table = self._table
        if table.live is None:
            table.go_on()
            return
        from brickphys.view.rolled import EVERY_S, rolled_recording  # loads the engines

        number, before = len(self._episode().record.steps), table.state
        table.go_on()
        if hands := table.live.hands(EVERY_S):
            self._falls[number] = rolled_recording(table.game.chance(before), hands)

    def filmed(self) -> Callable[[], None]:
        """Return what shows what has happened since the last picture; to make that takes a moment."""
        seen = self._episode()
        if self.live is not None:
            for number, fall in self._falls.items():
                self.live.rolled(number, fall)
            if (part := self.live.extended(seen.record)) is not None:
                self._falls.clear()
                return self._player.ready(part, self.live.falls())
        self._falls.clear()
        self.live = LiveBattle(seen.game, seen.record, self._table.viewer, seen.title)
        return self._player.ready(self.live.whole())

    def place(self, choices: Sequence[Choice[Any]]) -> None:
        """Find the places of choices; `offer` lights them."""
        live = self.live
        assert live is not None
        self.placed = [
            (choice, at)
            for choice in (placed(self._table.asked, choices) if choices else ())
            if (at := live.place_mm(choice.place)) is not None
        ]

    def offer(self) -> None:
        """Light the places of the choices, and the piece that acts."""
        assert self.live is not None
        self._player.offer(self.placed, self.live, self.here_mm)

    @property
    def here_mm(self) -> Triple | None:
        """Where the piece is that acts; None if there is none."""
        live, table = self.live, self._table
        if live is None or table.waits is not Waits.CHOICE:
            return None
        return live.place_mm(table.game.here(table.asked.state))

    def wait(self) -> None:
        """Light no place: nobody here is to act."""
        self.placed = ()
        self._player.wait()

    def clear(self) -> None:
        """Show nothing any more: nobody else may see what is here."""
        self.live = None
        self._player.clear()

    def _episode(self) -> Episode:
        """Return what is seen: a game that goes on within the game, such as a battle of a campaign, or the game."""
        game, record = self._table.game, self._table.record
        return game.current_episode(record) or Episode(self._title, game, record)
