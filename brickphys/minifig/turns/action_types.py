"""Action types: the tables of all action types and pending types, and what a player chooses from."""

from collections.abc import Iterator
from typing import Self

from brickphys.minifig.actions.items import Exchange, PickUp
from brickphys.minifig.actions.melee import Attack, MeleeRoll
from brickphys.minifig.actions.missile_rolls import BreachRoll, HitRoll, MeleeHitRoll, ShotRoll
from brickphys.minifig.actions.moving import Go, Haul
from brickphys.minifig.actions.riding import Dismount, Mount
from brickphys.minifig.actions.shooting import Besiege, Launch, Reload, Shoot, Throw
from brickphys.minifig.actions.taking import Done, End, Take
from brickphys.minifig.state.state import Phase, State
from brickphys.minifig.turns.order import TurnOrderRoll
from brickphys.rules.notation import StateCodec
from brickphys.rules.pending import Pending, answer_types
from brickphys.rules.words import ActionTypes, ChooseType, by_word

PENDING_TYPES: tuple[type[Pending[State]], ...] = (
    TurnOrderRoll,
    MeleeRoll,
    ShotRoll,
    MeleeHitRoll,
    HitRoll,
    BreachRoll,
)
"""Everything that can be pending."""
_BETWEEN: ActionTypes = (Take, End)
_SHOTS: ActionTypes = (Shoot, Throw, Launch, Besiege, Reload)
_KINDS: ActionTypes = (Go, Haul, Mount, Dismount, PickUp, Exchange, *_SHOTS)
_BY_WORD = by_word(_KINDS)
_FIGHTS: ActionTypes = (Attack,)


class Do(ChooseType[State]):
    """What the figure does that was taken, where there are several kinds of it."""

    __slots__ = ()

    types = _KINDS
    section = "MF Rules"

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield every kind of which an action is legal; none where there is only one."""
        found = kinds(state)
        return (cls(each.word) for each in found if len(found) > 1)

    def apply(self, state: State) -> State:
        """Note the choice."""
        return state.replaced({"menu": self.kind})


ACTION_TYPES: ActionTypes = (Do, *_BETWEEN, *_KINDS, Done, *_FIGHTS, *answer_types(PENDING_TYPES))
CODEC = StateCodec(State, PENDING_TYPES)
"""The notation of states: a line of JSON."""


def turn_types(state: State) -> ActionTypes:
    """Return the action types from which the player whose turn it is chooses, in the order of the list."""
    if state.phase is Phase.COMBAT:
        return _FIGHTS
    if state.active is None:
        return _BETWEEN
    if state.menu:
        return (_BY_WORD[state.menu],)
    found = kinds(state)
    return (Do, Done) if len(found) > 1 else (Do, *found, Done)


def kinds(state: State) -> ActionTypes:
    """Return the kinds of which the active figure has a legal action, worked out once."""
    known: dict[str, ActionTypes] = vars(state)
    if "kinds" not in known:
        known["kinds"] = tuple(each for each in _KINDS if each.is_possible(state))
    return known["kinds"]
