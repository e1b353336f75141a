"""Order: the roll for the order of the players in a round (MF Rules)."""

from dataclasses import dataclass

from brickphys.minifig.state.state import State
from brickphys.rules.turn_order import OrderRoll


@dataclass(frozen=True, slots=True)
class TurnOrderRoll(OrderRoll[State]):
    """The roll of the next player: the highest has the first turn."""

    what = "the order of the round,"
    is_highest_first = True

    def rollers(self, state: State) -> list[int]:
        """Return the players who have a living figure."""
        return playing(state)

    def problems(self, state: State) -> list[str]:
        """Return why this cannot be pending."""
        faults = super(TurnOrderRoll, self).problems(state)
        if state.order:
            faults.append("pending: the order of the round is known")
        return faults

    def ordered(self, state: State, order: tuple[int, ...]) -> State:
        """Begin the turn of the first player."""
        return state.replaced({"order": order})


def playing(state: State) -> list[int]:
    """Return the players who have a living figure."""
    return [player for player, count in enumerate(state.strength) if count]
