"""Action types: the tables of all of them, of all that can be pending, and the choice of a type."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from brickphys.bow.actions.attack import Agree, Attack, AttackRoll, Disputable, Dispute, DisputeRoll
from brickphys.bow.actions.board_vehicle import BoardVehicle, ChangeSeat, LeaveVehicle
from brickphys.bow.actions.collision import Arrival, CrashRoll, RunOver
from brickphys.bow.actions.damage import ExtraPoint, Sharing
from brickphys.bow.actions.doors import Close, Open
from brickphys.bow.actions.effects import Leap, Leaping
from brickphys.bow.actions.give import Give, Offer, Refuse, Take
from brickphys.bow.actions.move import Face, Turning, Walk
from brickphys.bow.actions.objects import Flying, Grab, Land, Switch, Throw
from brickphys.bow.actions.pilot import Advance, ChangeDirection, ChangeSpeed, Drift
from brickphys.bow.actions.treat_repair import Repair, Treat, TreatmentRoll
from brickphys.bow.actions.use_custom import SpecialRoll, Use
from brickphys.bow.actions.words import TurnAction
from brickphys.bow.state.state import NOBODY, State
from brickphys.bow.turns.rounds import ChooseUnit, End, StartRoll
from brickphys.errors import unknown
from brickphys.rules.pending import Pending, Question
from brickphys.rules.words import NAME, Action, ActionTypes, by_word

TURN_TYPES: tuple[type[TurnAction], ...] = (
    Walk,
    Attack,
    Grab,
    Throw,
    Give,
    Switch,
    Open,
    Close,
    Treat,
    Repair,
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
_WITH_ARGUMENTS = tuple(each for each in TURN_TYPES if each.arguments)
_WITHOUT_ARGUMENTS = tuple(each for each in TURN_TYPES if not each.arguments)


@dataclass(frozen=True, slots=True)
class Do(Action[State]):
    """The type of the next action, whose arguments are the next choice; a complete action may be typed instead."""

    word = "do"
    arguments = (NAME,)
    kind: str

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield every type with arguments of which an action is legal."""
        return (cls(each.word) for each in _WITH_ARGUMENTS if each.is_possible(state))

    def problems(self, state: State) -> Iterator[str]:
        """Yield why there is no such action."""
        types = by_word(_WITH_ARGUMENTS)
        if self.kind not in types:
            yield f"{unknown('kind of action', self.kind, types)} (BOW 2.3)"
        elif not types[self.kind].is_possible(state):
            yield f"there is nothing to {self.kind} (BOW 2.3)"

    def apply(self, state: State) -> State:
        """Note the choice."""
        return state.changed(menu=self.kind)


ACTION_TYPES: ActionTypes = (
    ChooseUnit,
    Do,
    *TURN_TYPES,
    Face,
    Land,
    Take,
    Refuse,
    Leap,
    Agree,
    Dispute,
    ExtraPoint,
)
TYPES_BY_WORD = by_word(ACTION_TYPES)


IN_TURN_TYPES: tuple[type[Pending[State]], ...] = (
    Turning,
    Flying,
    Offer,
    AttackRoll,
    Disputable,
    DisputeRoll,
    TreatmentRoll,
    SpecialRoll,
    Leaping,
)
"""What can be pending in the turn of a unit only."""
PENDING_TYPES: tuple[type[Pending[State]], ...] = (
    StartRoll,
    RunOver,
    CrashRoll,
    Arrival,
    Sharing,
    *IN_TURN_TYPES,
)
"""Everything that can be pending."""


def asked_types(state: State) -> ActionTypes:
    """Return the action types that the player chooses from, in the order of the list."""
    if state.pending:
        question = state.pending[0]
        return question.answers if isinstance(question, Question) else ()
    if state.active == NOBODY:
        return (ChooseUnit,)
    if state.menu:
        return (TYPES_BY_WORD[state.menu],)
    return (Do, *_WITHOUT_ARGUMENTS)


def allowed_types(state: State) -> ActionTypes:
    """Return the action types that may be legal: those listed, and the types that `Do` stands for."""
    asked = asked_types(state)
    return (*asked, *_WITH_ARGUMENTS) if Do in asked else asked
