"""Roll-off: players roll in turn; the highest score wins, and players who tie for it roll again."""

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import TypeVar

from brickphys.rules.events.event import Outcome
from brickphys.rules.pending import PendingRoll
from brickphys.rules.turn_state import PlayerNumber, TurnState

S = TypeVar("S", bound=TurnState)


@dataclass(frozen=True, slots=True)
class RollOff(PendingRoll[S]):
    """The roll of the next player; a game adds the event, and the prize of the winner.

    Attributes
    ----------
    contenders
        The players who roll, in this order.
    scores
        The scores of those who have rolled.
    """

    contenders: tuple[PlayerNumber, ...]
    scores: tuple[int, ...] = ()

    @abstractmethod
    def won(self, state: S, player: int) -> S:
        """Return the state after a player has won."""

    @property
    def roller(self) -> int:
        """The player who rolls next."""
        return self.contenders[len(self.scores)]

    def problems(self, state: S) -> list[str]:
        """Return why this cannot be pending."""
        return [] if len(self.scores) < len(self.contenders) else ["scores: all have rolled"]

    def settle(self, state: S, outcome: Outcome) -> S:
        """Add a score; after the last one a player has won, or several roll again."""
        scores = (*self.scores, int(outcome))  # type: ignore[arg-type]
        if len(scores) < len(self.contenders):
            return state.push_pending(replace(self, scores=scores))
        pairs = zip(self.contenders, scores, strict=True)
        best = tuple(player for player, score in pairs if score == max(scores))
        if len(best) > 1:
            return state.push_pending(replace(self, contenders=best, scores=()))
        return self.won(state, best[0])
