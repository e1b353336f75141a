"""Start: where a game begins: a setup, or a game that was not played to its end."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from brickphys.errors import InvalidValueError
from brickphys.rules.game import AnyGame
from brickphys.rules.record import Ending, Record, Setup
from brickphys.rules.replay.playback import Replay, play_back


@dataclass(frozen=True)
class GameStart:
    """Where a game begins.

    Attributes
    ----------
    setup, root
        The setup, and the root seed.
    before
        The game so far; None for a new one.
    players, law
        Who has played it, and the source of its rolls in words; empty for a new one.
    """

    setup: Setup
    root: int
    before: Record[Any, Any] | None = None
    players: str = ""
    law: str = ""

    @property
    def steps(self) -> Sequence[Any]:
        """The steps so far."""
        return self.before.steps if self.before else ()

    @property
    def states(self) -> Sequence[Any]:
        """The states so far."""
        return self.before.states if self.before else ()

    @property
    def address(self) -> tuple[int, ...]:
        """Which game of its root it is."""
        return self.before.address if self.before else ()

    def names(self, game: AnyGame) -> list[str]:
        """Return the names of the players."""
        first = game.initial(self.setup)
        return [game.player_name(first, player) for player in range(game.players(first))]

    def told(self, law: str) -> str:
        """Return the source of all rolls in words, given that of the rolls to come."""
        if not self.law or self.law.endswith(law):
            return self.law or law
        return f"{self.law}; then {law}"

    def so_far(
        self, game: AnyGame, steps: Sequence[Any], players: Sequence[str]
    ) -> Record[Any, Any]:
        """Return the record of a game after its steps so far."""
        return Record(
            game=game.name,
            version=game.version,
            setup=self.setup,
            initial=game.initial(self.setup),
            steps=tuple(steps),
            ending=Ending.INTERRUPTED,
            returns=None,
            players=tuple(players),
            root=self.root,
            address=self.address,
        )


def resumed(game: AnyGame, written: Replay, source: str) -> GameStart:
    """Return the start of a game that goes on from its replay, which was read from a file; `source` names that.

    Raises
    ------
    InvalidValueError
        If it is over; ReplayFileError names the line that was edited.
    """
    record = play_back(game, written, source)
    if record.ending is Ending.OVER:
        raise InvalidValueError(f"{source}: the game is over and cannot be continued")
    return continued(record, written.law)


def continued(record: Record[Any, Any], law: str) -> GameStart:
    """Return the start of a game that goes on from a record; `law` is the source of its rolls in words."""
    return GameStart(record.setup, record.root, record, ",".join(record.players), law)
