"""Action types: the tables of all action types and pending types, and what a player chooses from."""

from brickphys.bow.actions.attack import Attack, AttackRoll, Disputable, DisputeRoll
from brickphys.bow.actions.damage import Sharing
from brickphys.bow.actions.doors import Close, Open
from brickphys.bow.actions.effects import Leaping
from brickphys.bow.actions.give import Give, Offer
from brickphys.bow.actions.grab import Grab
from brickphys.bow.actions.move import Turning, Walk
from brickphys.bow.actions.put import Drop, Put
from brickphys.bow.actions.reload import Reload
from brickphys.bow.actions.switch import Switch
from brickphys.bow.actions.throw import Flying, Throw
from brickphys.bow.actions.treat_repair import Repair, Treat, TreatmentRoll
from brickphys.bow.actions.use_custom import CustomActionRoll, Use
from brickphys.bow.actions.words import TurnAction
from brickphys.bow.driving.at_rest import AtRest
from brickphys.bow.driving.board_vehicle import BoardVehicle, ChangeSeat, LeaveVehicle
from brickphys.bow.driving.collision import Arrival, CrashRoll, RunOver
from brickphys.bow.driving.pilot import Advance, ChangeDirection, ChangeSpeed, Drift
from brickphys.bow.state.state import NOBODY, State
from brickphys.bow.turns.rounds import ChooseUnit, End, StartRoll
from brickphys.rules.pending import Pending, answer_types
from brickphys.rules.words import ActionTypes, ChooseType, by_word

TURN_TYPES: tuple[type[TurnAction], ...] = (
    Walk,
    Attack,
    Grab,
    Throw,
    Give,
    Switch,
    Put,
    Drop,
    Open,
    Close,
    Treat,
    Repair,
    Reload,
    Use,
    BoardVehicle,
    LeaveVehicle,
    ChangeSeat,
    ChangeSpeed,
    ChangeDirection,
    Advance,
    Drift,
    End,
)
"""What a unit can do in its turn, in the order in which it is listed."""
_WITHOUT_ARGUMENTS = tuple(each for each in TURN_TYPES if not each.arguments)


class Do(ChooseType[State]):
    """The type of the unit's next action."""

    __slots__ = ()

    types = tuple(each for each in TURN_TYPES if each.arguments)
    section = "BOW 2.3"

    def apply(self, state: State) -> State:
        """Note the choice."""
        return state.replaced({"menu": self.kind})


_BY_WORD = by_word(TURN_TYPES)
IN_TURN_TYPES: tuple[type[Pending[State]], ...] = (
    Turning,
    Flying,
    Offer,
    AttackRoll,
    Disputable,
    DisputeRoll,
    TreatmentRoll,
    CustomActionRoll,
    Leaping,
)
"""What can be pending only in the turn of a unit."""
PENDING_TYPES: tuple[type[Pending[State]], ...] = (
    StartRoll,
    RunOver,
    CrashRoll,
    Arrival,
    AtRest,
    Sharing,
    *IN_TURN_TYPES,
)
"""Everything that can be pending."""
ACTION_TYPES: ActionTypes = (ChooseUnit, Do, *TURN_TYPES, *answer_types(PENDING_TYPES))


def turn_types(state: State) -> ActionTypes:
    """Return the action types from which the player whose turn it is chooses, in the order of the list."""
    if state.active == NOBODY:
        return (ChooseUnit,)
    if state.menu:
        return (_BY_WORD[state.menu],)
    return (Do, *_WITHOUT_ARGUMENTS)
