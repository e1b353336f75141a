"""Turn order: the roll for the order of the players; only players who tie roll again, inside their place."""

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar, TypeVar

from brickphys.rules.events.dice import DiceRoll
from brickphys.rules.events.event import Outcome
from brickphys.rules.pending import PendingRoll
from brickphys.rules.turn_state import Count, PlayerNumber, TurnState
from brickphys.text import spoken

S = TypeVar("S", bound=TurnState)


@dataclass(frozen=True, slots=True)
class OrderRoll(PendingRoll[S]):
    """The roll of the next player; a game says who rolls, and what begins when the order is known.

    Attributes
    ----------
    places
        The players in the order that is known so far; those who tie share a place.
    scores
        The rolls of those who share the first such place, as far as they have rolled.
    """

    what: ClassVar[str]  # what they roll for
    is_highest_first: ClassVar[bool]

    places: tuple[tuple[PlayerNumber, ...], ...]
    scores: tuple[Count, ...] = ()

    @abstractmethod
    def rollers(self, state: S) -> list[int]:
        """Return the players who take part, the lowest number first."""

    @abstractmethod
    def ordered(self, state: S, order: tuple[int, ...]) -> S:
        """Return the state after the order of the players is known."""

    @property
    def tied(self) -> tuple[int, ...]:
        """The players who roll now, one after the other."""
        return next((place for place in self.places if len(place) > 1), ())

    def problems(self, state: S) -> list[str]:
        """Return why this cannot be pending."""
        faults = []
        players = [player for place in self.places for player in place]
        if sorted(players) != self.rollers(state):
            faults.append(f"places: {players} must be the players who take part")
        if len(self.scores) >= len(self.tied):
            faults.append("scores: all have rolled")
        return faults

    def event(self, state: S) -> DiceRoll:
        """Return the die."""
        player = state.setting.players[self.tied[len(self.scores)]]
        first = f"the {'highest' if self.is_highest_first else 'lowest'} roll goes first"
        return DiceRoll(1, 6, f"{self.what} of {spoken(player)}; {first}")

    def settle(self, state: S, outcome: Outcome) -> S:
        """Add a roll; after the last one, players who still tie roll again, or the order is known."""
        (face,) = map(int, outcome)  # type: ignore[arg-type]
        scores, tied = (*self.scores, face), self.tied
        if len(scores) < len(tied):
            return state.push_pending(replace(self, scores=scores))
        rolls = list(zip(tied, scores, strict=True))
        levels = sorted({*scores}, reverse=self.is_highest_first)
        apart = [tuple(player for player, its in rolls if its == level) for level in levels]
        at = self.places.index(tied)
        places = (*self.places[:at], *apart, *self.places[at + 1 :])
        return replace(self, places=places, scores=()).asked(state)

    def asked(self, state: S) -> S:
        """Return the state in which players who tie roll, or if none do, the order is known."""
        if self.tied:
            return state.push_pending(self)
        return self.ordered(state, tuple(player for place in self.places for player in place))
