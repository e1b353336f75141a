"""Initiative: the roll for the order of the players (PW Initiative)."""

from dataclasses import dataclass

from brickphys.pirate_wars.state.state import Phase, State
from brickphys.rules.turn_order import OrderRoll


@dataclass(frozen=True, slots=True)
class InitiativeRoll(OrderRoll[State]):
    """The roll of the next player: the lowest moves first."""

    what = "initiative"
    is_highest_first = False

    def rollers(self, state: State) -> list[int]:
        """Return the players who take part."""
        return playing(state)

    def problems(self, state: State) -> list[str]:
        """Return why this cannot be pending."""
        faults = super(InitiativeRoll, self).problems(state)
        if state.phase is not Phase.INITIATIVE:
            faults.append(f"pending: initiative in the phase {state.phase.value}")
        return faults

    def ordered(self, state: State, order: tuple[int, ...]) -> State:
        """Begin the phase of movement."""
        return state.replaced({"order": order, "phase": Phase.MOVEMENT})


def playing(state: State) -> list[int]:
    """Return the players who have a ship or a swimmer in the battle."""
    found = {ship.owner for _, ship in state.afloat()}
    return sorted(found.union(state.setting.minifigs[n].player for n in state.swimmers()))
