"""Ram: a ship runs its bow into another one (PW Movement)."""

from collections.abc import Sequence

from brickphys.geometry.polygon import TOLERANCE
from brickphys.pirate_wars.damage.hits import hit
from brickphys.pirate_wars.sheets.charts import sailing_chart
from brickphys.pirate_wars.sheets.damage_chart import Line
from brickphys.pirate_wars.state.state import MoraleCause, State
from brickphys.vehicles.course import MoveResult


def rammed(state: State, move: MoveResult) -> list[int]:
    """Return the ships that a leap rams: it has made way, and strikes their faces at a large enough angle."""
    return [
        state.setting.ship_numbers[hit.id]
        for hit in move.hits
        if hit.distance_studs > TOLERANCE
        and hit.parting_deg is not None
        and hit.parting_deg >= sailing_chart().ram_deg - TOLERANCE
    ]


def ram(state: State, rammer: int, others: Sequence[int]) -> State:
    """Return the state after a ram of one ship, or of several at once: they are hit, adrift and lashed together."""
    sheets = [ship.sheet for ship in state.setting.ships]
    damage = -(-state.ships[rammer].sails // 2)
    for ship in (rammer, *others):
        state = state.change_ship(ship, is_adrift=True).with_cause(ship, MoraleCause.ADRIFT)
    for other in others:
        state = state.lash(rammer, other)
        state = hit(state, rammer, 1 + (sheets[other].size > sheets[rammer].size), Line.HULL)
        state = hit(state, other, damage, Line.HULL)
    return state
