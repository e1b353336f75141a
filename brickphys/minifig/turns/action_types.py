"""Action types: the tables of all action types and pending types, and what a player chooses from."""

from brickphys.minifig.actions.items import Exchange, PickUp
from brickphys.minifig.actions.melee import Attack, MeleeRoll
from brickphys.minifig.actions.missile_rolls import BreachRoll, HitRoll, ShotRoll
from brickphys.minifig.actions.moving import Go, Haul
from brickphys.minifig.actions.riding import Dismount, Mount
from brickphys.minifig.actions.shooting import Besiege, Launch, Reload, Shoot, Throw
from brickphys.minifig.actions.taking import Done, End, Take
from brickphys.minifig.state.state import Phase, State
from brickphys.minifig.turns.order import TurnOrderRoll
from brickphys.rules.notation import StateCodec
from brickphys.rules.pending import Pending, answer_types
from brickphys.rules.words import ActionTypes

PENDING_TYPES: tuple[type[Pending[State]], ...] = (
    TurnOrderRoll,
    MeleeRoll,
    ShotRoll,
    HitRoll,
    BreachRoll,
)
"""Everything that can be pending."""
_BETWEEN: ActionTypes = (Take, End)
_SHOTS: ActionTypes = (Shoot, Throw, Launch, Besiege, Reload)
_DEEDS: ActionTypes = (Go, Haul, Mount, Dismount, PickUp, Exchange, *_SHOTS, Done)
"""What the figure does that was taken."""
_FIGHTS: ActionTypes = (Attack,)
ACTION_TYPES: ActionTypes = (*_BETWEEN, *_DEEDS, *_FIGHTS, *answer_types(PENDING_TYPES))
CODEC = StateCodec(State, PENDING_TYPES)
"""The notation of states: a line of JSON."""


def turn_types(state: State) -> ActionTypes:
    """Return the action types from which the player whose turn it is chooses, in the order of the list."""
    if state.phase is Phase.COMBAT:
        return _FIGHTS
    return _BETWEEN if state.active is None else _DEEDS
