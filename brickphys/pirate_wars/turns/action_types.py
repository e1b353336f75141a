"""Action types: the tables of all action types and pending types, and what a player chooses from."""

from brickphys.pirate_wars.damage.casualties import Casualty, Lose
from brickphys.pirate_wars.damage.guns import GunLoss, LoseGun
from brickphys.pirate_wars.damage.sinking import Foundering
from brickphys.pirate_wars.sailing.movement import ChooseShip, FallOff, Swing
from brickphys.pirate_wars.state.state import Phase, State
from brickphys.pirate_wars.tasks.boarding import (
    BoardingResult,
    BoardingRoll,
    Cross,
    Crossing,
    EndCrossing,
    Flee,
    Riposte,
    StrikeBack,
)
from brickphys.pirate_wars.tasks.critical import CriticalRoll
from brickphys.pirate_wars.tasks.firing import GunRoll, MusketRoll
from brickphys.pirate_wars.tasks.resolve import ORDER_TYPES, CarryOut, EndOfTasks
from brickphys.pirate_wars.turns.initiative import InitiativeRoll
from brickphys.pirate_wars.turns.morale import Despair, MoraleRoll, Suffer
from brickphys.pirate_wars.turns.rounds import PhaseEnd
from brickphys.pirate_wars.turns.sharks import SharkRoll
from brickphys.rules.notation import StateCodec
from brickphys.rules.pending import Pending
from brickphys.rules.words import ActionTypes

ACTION_TYPES: ActionTypes = (
    ChooseShip,
    Swing,
    FallOff,
    *ORDER_TYPES,
    Lose,
    LoseGun,
    Cross,
    EndCrossing,
    StrikeBack,
    Flee,
    Suffer,
)
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
CODEC = StateCodec(State, PENDING_TYPES)
"""The notation of states: a line of JSON."""


def turn_types(state: State) -> ActionTypes:
    """Return the action types from which the player whose turn it is chooses, in the order of the list."""
    if state.phase is Phase.TASKS:
        return ORDER_TYPES
    if state.active is None:
        return (ChooseShip,)
    return (Swing,) if state.phase is Phase.MOVEMENT else (FallOff,)
