"""Episode: a game within a game that was played, such as a battle of a campaign."""

from dataclasses import dataclass
from typing import Any

from brickphys.rules.record import Record


@dataclass(frozen=True)
class Episode:
    """A game within a game.

    Attributes
    ----------
    title
        When it was, and what about.
    game
        Which game it is, a `brickphys.rules.game.Game`.
    record
        How it was played.
    """

    title: str
    game: Any
    record: Record[Any, Any]
