"""Played game: a game that was played, as a value, which is there before NiceGUI is loaded."""

from dataclasses import dataclass
from functools import cached_property

from brickphys.battles.result import AnyRecord
from brickphys.battles.setup import title_of
from brickphys.odds.law import RollLaw
from brickphys.rules.game import AnyGame


@dataclass(frozen=True, eq=False)
class PlayedGame:
    """A game that was played; one that is equal may be another one.

    Parameters
    ----------
    game, record
        The game, and how it was played.
    law
        The law of bricks by which odds are told.
    """

    game: AnyGame
    record: AnyRecord
    law: RollLaw

    @cached_property
    def title(self) -> str:
        """Title of its scenario; empty where it has none."""
        return title_of(self.game, self.record.setup)
