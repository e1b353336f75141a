"""Critical: the extra effect of three hits with ball (PW, Critical Hit Chart)."""

from dataclasses import dataclass

from brickphys.pirate_wars.damage.casualties import captain, kill
from brickphys.pirate_wars.damage.guns import lose_some_gun
from brickphys.pirate_wars.damage.hits import hit
from brickphys.pirate_wars.sheets.charts import tasks_chart
from brickphys.pirate_wars.sheets.damage_chart import Line
from brickphys.pirate_wars.state.pending import ship_names
from brickphys.pirate_wars.state.setting import ShipNumber
from brickphys.pirate_wars.state.state import MoraleCause, State
from brickphys.rules.pending import DieRoll


@dataclass(frozen=True, slots=True)
class CriticalRoll(DieRoll[State]):
    """The die of a critical hit on a ship."""

    ship: ShipNumber

    def reason(self, state: State) -> str:
        """Return where."""
        return f"critical hit on {ship_names(state, self)['ship']}"

    def rolled(self, state: State, face: int) -> State:
        """Bring the effect about."""
        return critical(state, self.ship, face)


def critical(state: State, ship: int, face: int) -> State:
    """Return the state after the effect of a face of the die."""
    match tasks_chart().critical[face - 1]:
        case "rudder":
            return state.change_ship(ship, rudder_lost=True).with_cause(ship, MoraleCause.ADRIFT)
        case "mast":
            return state.change_ship(ship, mast_turns=1).with_cause(ship, MoraleCause.ADRIFT)
        case "cannon":
            return lose_some_gun(state, ship)
        case "captain":
            master = captain(state, ship)
            return state if master is None else kill(state, master)
        case _:
            return hit(state, ship, tasks_chart().powder_hits, Line.HULL)
