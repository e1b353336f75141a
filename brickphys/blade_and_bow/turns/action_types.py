"""Action types: the tables of all action types and pending types, and what a player chooses from."""

from brickphys.blade_and_bow.combat.advance import AdvanceChoice, Aftermath
from brickphys.blade_and_bow.combat.commitment import CommitmentQuestion, CommitmentRoll
from brickphys.blade_and_bow.combat.hits import Struck
from brickphys.blade_and_bow.combat.lead import LeadQuestion
from brickphys.blade_and_bow.combat.party import Aim, Aiming, Attack, Charge, Loose, With
from brickphys.blade_and_bow.combat.pursuit import Pursuit, PursuitChoice, PursuitRoll
from brickphys.blade_and_bow.combat.recoil import Recoil, RecoilChoice, SteadyRoll
from brickphys.blade_and_bow.combat.retreat import Flight, RetreatQuestion
from brickphys.blade_and_bow.combat.rolling import Rerolls, Resolution, SideRoll
from brickphys.blade_and_bow.command.activation import Done
from brickphys.blade_and_bow.command.cards import CardDraw
from brickphys.blade_and_bow.command.casualties import DeathRoll, LeaderRoll
from brickphys.blade_and_bow.command.displacement import Displacing
from brickphys.blade_and_bow.command.formation import All, Form, Include, Ready, Single
from brickphys.blade_and_bow.command.hand import Discard, DrawChoice, Pass, Purchase
from brickphys.blade_and_bow.command.leading import (
    DepartureRoll,
    LeaderReturn,
    Relocate,
    Relocation,
)
from brickphys.blade_and_bow.command.moving import MOVER_TYPES, ReverseRoll, Take
from brickphys.blade_and_bow.command.playing import Play, PlayCards
from brickphys.blade_and_bow.command.rally import Facing, Rallying, RallyRoll
from brickphys.blade_and_bow.command.rout import RoutChecks, RoutRoll
from brickphys.blade_and_bow.state.pieces import Order
from brickphys.blade_and_bow.state.state import State
from brickphys.blade_and_bow.turns.initiative import InitiativeRoll
from brickphys.blade_and_bow.turns.path import PathRoll
from brickphys.blade_and_bow.turns.reinforcements import Arrival, ArrivalRoll, EntryRoll
from brickphys.blade_and_bow.turns.rounds import EndRoll
from brickphys.blade_and_bow.turns.rout_management import RoutedRoll, RoutedRolls, UnitReturn
from brickphys.blade_and_bow.turns.setup_choices import (
    CampPlace,
    LeaderPlace,
    RankChoice,
    WallChoice,
)
from brickphys.rules.notation import StateCodec
from brickphys.rules.pending import Pending, answer_types
from brickphys.rules.words import ActionTypes

_SETUP = (RankChoice, LeaderPlace, CampPlace, WallChoice)
_CARDS = (CardDraw, DrawChoice, PlayCards)
_TURNS = (InitiativeRoll, PathRoll, ArrivalRoll, EntryRoll, Arrival)
_MOVES = (Relocation, DepartureRoll, Displacing, ReverseRoll, Rallying, RallyRoll, Facing)
_CHARGES = (Aiming, RetreatQuestion, Flight, CommitmentRoll, CommitmentQuestion, LeadQuestion)
_DICE = (SideRoll, Rerolls, Resolution, Struck, LeaderRoll, DeathRoll, SteadyRoll)
_RETREATS = (Recoil, RecoilChoice, RoutChecks, RoutRoll, Aftermath, AdvanceChoice)
_PURSUITS = (Pursuit, PursuitRoll, PursuitChoice)
_ENDS = (LeaderReturn, UnitReturn, RoutedRolls, RoutedRoll, EndRoll)
PENDING_TYPES: tuple[type[Pending[State]], ...] = (
    *(*_SETUP, *_CARDS, *_TURNS, *_MOVES, *_CHARGES),
    *(*_DICE, *_RETREATS, *_PURSUITS, *_ENDS),
)
"""Everything that can be pending."""
_FREE: ActionTypes = (Form, Single, Relocate, Discard, Purchase, Play, Pass)
_FORMING: ActionTypes = (Include, All, Ready, Play)
_COMBATS: ActionTypes = (With, Charge)
_VOLLEYS: ActionTypes = (With, Loose)
_BETWEEN: dict[Order, ActionTypes] = {
    Order.MOVE: (Take, Play, Done),
    Order.SHOOT: (Aim, Play, Done),
    Order.MELEE: (Attack, Play, Done),
    Order.RALLY: (),
}
"""What comes next in an activation of each order; who rallies does so without a choice."""
_ALONE: ActionTypes = (*MOVER_TYPES, Play)
"""Of a unit that moves alone: it is taken at once, so cards are played while it moves."""
_ACTING: ActionTypes = (Include, All, Ready, Take, *MOVER_TYPES)
_FIGHTING: ActionTypes = (Aim, Attack, With, Charge, Loose, Done)
_ANSWERS: ActionTypes = tuple(each for each in answer_types(PENDING_TYPES) if each is not Play)
ACTION_TYPES: ActionTypes = (*_FREE, *_ACTING, *_FIGHTING, *_ANSWERS)
CODEC = StateCodec(State, PENDING_TYPES)
"""The notation of states: a line of JSON."""


def turn_types(state: State) -> ActionTypes:
    """Return the action types from which the player whose impulse it is chooses, in the order of the list."""
    activation = state.activation
    if activation is None:
        return _FREE
    if not activation.closed:
        return _FORMING
    if state.combat is not None:
        return _VOLLEYS if state.combat.ranged else _COMBATS
    if activation.active is None:
        return _BETWEEN[activation.order]
    return MOVER_TYPES if len(activation.units) > 1 else _ALONE
