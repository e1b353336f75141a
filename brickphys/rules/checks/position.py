"""Position: one state to be checked, and the finding of a check."""

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from brickphys.odds.law import RollLaw
from brickphys.rules.game import AnyGame
from brickphys.rules.record import CHANCE

if TYPE_CHECKING:
    import numpy as np


_TRIED = 12
"""The number of actions, outcomes and misprints that are tried in one state."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding of a check: its kind, which is reported once, and this case of it."""

    kind: str
    case: str


@dataclass(frozen=True)
class Position:
    """One state to be checked, with the other values that checks need.

    Attributes
    ----------
    game, state
        The game, and the state that is checked.
    initial
        The first state of its game.
    brick_law
        The law of a roll of bricks.
    foreign
        Actions that were legal in other states.
    rng
        The generator that draws the cases.
    """

    game: AnyGame
    state: Any
    initial: Any
    brick_law: RollLaw
    foreign: Sequence[Any]
    rng: "np.random.Generator"

    @property
    def actor(self) -> int:
        """The player who is to act, `CHANCE` or `OVER`."""
        return self.game.actor(self.state)

    def some(self, things: Sequence[Any]) -> list[Any]:
        """Return at most a dozen of the things, drawn at random."""
        if len(things) <= _TRIED:
            return list(things)
        return [things[int(i)] for i in self.rng.choice(len(things), _TRIED, replace=False)]

    def moves(self) -> list[Any]:
        """Return some of the actions, or of the outcomes where there is a law."""
        if self.actor != CHANCE:
            return self.some(self.game.actions(self.state))
        event = self.game.chance(self.state)
        return self.some(list(event.law(self.brick_law))) if event.exact else []

    @cached_property
    def copy(self) -> Any:
        """A copy of the state, made before anything could have changed it."""
        return deepcopy(self.state)

    @property
    def views(self) -> list[Any]:
        """The view of each player."""
        return [self.game.observe(self.state, p) for p in range(self.game.players(self.state))]


Check: TypeAlias = Callable[[Position], Iterator[Finding]]
