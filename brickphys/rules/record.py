"""Record: a game that was played, step by step, and the constants that every game shares."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any, Generic, TypeAlias, TypeVar

from brickphys.rules.events.event import Outcome

State = TypeVar("State", bound=Hashable)
Action = TypeVar("Action", bound=Hashable)
View = TypeVar("View", bound=Hashable)

Setup: TypeAlias = Mapping[str, Any]
"""The start of a game: JSON values under string keys, complete, without names of files."""
Payoff: TypeAlias = int | Fraction
"""The return of a finished game to a player."""

CHANCE = -1
"""The actor of a state that waits for chance."""
OVER = -2
"""The actor of a state in which the game has ended."""


class Ending(Enum):
    """How a game that was played ended."""

    OVER = "over"
    LIMIT = "limit"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class Step(Generic[State, Action]):
    """One move of a game that was played.

    Attributes
    ----------
    actor
        The player's index, or `CHANCE`.
    move
        The action or the outcome.
    text
        Its notation.
    after
        The state that it led to.
    """

    actor: int
    move: Action | Outcome
    text: str
    after: State


@dataclass(frozen=True)
class Record(Generic[State, Action]):
    """A played game.

    Attributes
    ----------
    game, version
        Which game.
    setup, initial
        The setup, and the first state.
    steps
        The moves, in order.
    ending
        Over, stopped at the limit of steps, or interrupted: by a player or a source that left, or by Ctrl-C.
    returns
        The return to each player; None unless the game is over.
    players
        Names by index.
    root, address
        Root seed, and which game of that root.
    """

    game: str
    version: str
    setup: Setup
    initial: State
    steps: tuple[Step[State, Action], ...]
    ending: Ending
    returns: tuple[Payoff, ...] | None
    players: tuple[str, ...]
    root: int
    address: tuple[int, ...] = ()

    @property
    def states(self) -> tuple[State, ...]:
        """Every state of the game, from the first to the last."""
        return (self.initial, *(step.after for step in self.steps))

    @property
    def final(self) -> State:
        """The last state."""
        return self.steps[-1].after if self.steps else self.initial

    @property
    def winner(self) -> int | None:
        """The one player with the highest return; None if there is none, or the game is not over.

        A player who plays alone has won only with a return above 0.
        """
        if self.returns is None:
            return None
        best = max(self.returns)
        is_won = best > 0 if len(self.returns) == 1 else self.returns.count(best) == 1
        return self.returns.index(best) if is_won else None

    @property
    def actions(self) -> int:
        """How many actions players took."""
        return sum(step.actor != CHANCE for step in self.steps)


Watcher: TypeAlias = Callable[[State, Step[State, Action]], None]
"""Is shown the state before each step, and the step; after a step that was taken back, another one from its state."""
