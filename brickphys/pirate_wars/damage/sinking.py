"""Sinking: a ship without hull lines goes down at the end of the phase (PW Damage Chart)."""

from dataclasses import dataclass

from brickphys.pirate_wars.damage.casualties import (
    captain,
    fighters,
    is_pirate_captain,
    kill,
    lose_crew,
    overboard,
)
from brickphys.pirate_wars.state.setting import ShipNumber
from brickphys.pirate_wars.state.ship import Fate
from brickphys.pirate_wars.state.state import State
from brickphys.rules.pending import FollowUp


def sink(state: State, ship: int) -> State:
    """Return the state in which a ship goes down: half of the crew, rounded up, dies; all others are in the water.

    The captain of an imperial ship is among the dead, that of a pirate ship never is.
    """
    deaths = (len(state.crews[ship]) + 1) // 2
    master = captain(state, ship)
    if master is not None and not is_pirate_captain(state, master):
        state, deaths = kill(state, master), deaths - 1
    return lose_crew(state.push_pending(Foundering(ship)), ship, deaths)


@dataclass(frozen=True, slots=True)
class Foundering(FollowUp[State]):
    """The ship disappears, and who is still aboard is in the water."""

    ship: ShipNumber

    def happen(self, state: State) -> State:
        """Put all in the water: boarders too, and those of the crew who have boarded another ship."""
        for number in (*fighters(state, self.ship), *state.boarders(self.ship)):
            state = overboard(state, number)
        return state.cast_off(self.ship).change_ship(self.ship, fate=Fate.SUNK)
