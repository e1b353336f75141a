"""Action types: the tables of all action types and pending types, and what a player chooses from."""

from brickphys.pirate_wars.damage.casualties import Casualty
from brickphys.pirate_wars.damage.guns import GunLoss
from brickphys.pirate_wars.damage.sinking import Foundering
from brickphys.pirate_wars.sailing.movement import ChooseShip, FallOff, Swing
from brickphys.pirate_wars.state.state import Phase, State
from brickphys.pirate_wars.tasks.boarding import BoardingResult, BoardingRoll, Crossing, Riposte
from brickphys.pirate_wars.tasks.critical import CriticalRoll
from brickphys.pirate_wars.tasks.firing import GunRoll, MusketRoll
from brickphys.pirate_wars.tasks.resolve import ORDER_TYPES, CarryOut, EndOfTasks
from brickphys.pirate_wars.turns.initiative import InitiativeRoll
from brickphys.pirate_wars.turns.morale import Despair, MoraleRoll
from brickphys.pirate_wars.turns.rounds import PhaseEnd
from brickphys.pirate_wars.turns.sharks import SharkRoll
from brickphys.rules.notation import StateCodec
from brickphys.rules.pending import Pending, answer_types
from brickphys.rules.words import ActionTypes

PENDING_TYPES: tuple[type[Pending[State]], ...] = (
    InitiativeRoll,
    Casualty,
    GunLoss,
    Foundering,
    CarryOut,
    GunRoll,
    MusketRoll,
    CriticalRoll,
    BoardingRoll,
    BoardingResult,
    Crossing,
    Riposte,
    EndOfTasks,
    PhaseEnd,
    MoraleRoll,
    Despair,
    SharkRoll,
)
"""Everything that can be pending."""
ACTION_TYPES: ActionTypes = (
    ChooseShip,
    Swing,
    FallOff,
    *ORDER_TYPES,
    *answer_types(PENDING_TYPES),
)
CODEC = StateCodec(State, PENDING_TYPES)
"""The notation of states: a line of JSON."""


def turn_types(state: State) -> ActionTypes:
    """Return the action types from which the player whose turn it is chooses, in the order of the list."""
    if state.phase is Phase.TASKS:
        return ORDER_TYPES
    if state.active is None:
        return (ChooseShip,)
    return (Swing,) if state.phase is Phase.MOVEMENT else (FallOff,)
