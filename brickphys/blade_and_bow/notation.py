"""Notation: all types of actions and pending steps, and the text of a state.

Here are also what a player chooses from, and checks that a state read from text can be reached in play.
"""

from collections import Counter
from collections.abc import Iterator

from brickphys.blade_and_bow import turns
from brickphys.blade_and_bow.combat import pursuit
from brickphys.blade_and_bow.combat.attack import (
    Aim,
    Aiming,
    AttackUnit,
    Charge,
    LeadQuestion,
    Loose,
    RetreatMove,
    RetreatQuestion,
    With,
)
from brickphys.blade_and_bow.combat.commitment import (
    CommitmentQuestion,
    CommitmentRoll,
    combat_problems,
)
from brickphys.blade_and_bow.combat.dice import Rerolls, Resolution, SideRoll
from brickphys.blade_and_bow.combat.hits import Recoil, RecoilChoice, SteadyRoll, Struck
from brickphys.blade_and_bow.command import cards
from brickphys.blade_and_bow.command.actions import EndAction
from brickphys.blade_and_bow.command.formation import (
    All,
    DepartureRoll,
    Form,
    Include,
    LeaderReturn,
    Ready,
    Relocate,
    Relocation,
    Single,
    formation_problems,
)
from brickphys.blade_and_bow.command.morale import (
    DeathRoll,
    Facing,
    LeaderRoll,
    Rallying,
    RallyRoll,
    RoutChecks,
    RoutRoll,
)
from brickphys.blade_and_bow.command.movement import MOVER_TYPES, Displacing, ReverseRoll, TakeUnit
from brickphys.blade_and_bow.deck import deck
from brickphys.blade_and_bow.deployment import (
    ArrivalQuestion,
    ArrivalRoll,
    CampPlace,
    EntryRoll,
    LeaderPlace,
    RankChoice,
    WallChoice,
    unchosen,
)
from brickphys.blade_and_bow.pieces import Box, FormationOrder, Stage
from brickphys.blade_and_bow.sheets import FACES, charts
from brickphys.blade_and_bow.state import Phase, State
from brickphys.rules.notation import StateCodec
from brickphys.rules.turn_state import Pending, answer_types
from brickphys.rules.words import ActionTypes

_SETUP = (RankChoice, LeaderPlace, CampPlace, WallChoice)
_CARDS = (cards.DeckDraw, cards.DrawChoice, cards.PlayCards)
_TURNS = (turns.InitiativeRoll, turns.PathRoll, ArrivalRoll, EntryRoll, ArrivalQuestion)
_MOVES = (Relocation, DepartureRoll, Displacing, ReverseRoll, Rallying, RallyRoll, Facing)
_CHARGES = (Aiming, RetreatQuestion, RetreatMove, CommitmentRoll, CommitmentQuestion, LeadQuestion)
_DICE = (SideRoll, Rerolls, Resolution, Struck, LeaderRoll, DeathRoll, SteadyRoll)
_RETREATS = (Recoil, RecoilChoice, RoutChecks, RoutRoll, pursuit.Aftermath, pursuit.AdvanceChoice)
_PURSUITS = (pursuit.Pursuit, pursuit.PursuitRoll, pursuit.PursuitChoice)
_ENDS = (LeaderReturn, turns.UnitReturn, turns.RoutedRolls, turns.RoutedRoll, turns.EndRoll)
PENDING_TYPES: tuple[type[Pending[State]], ...] = (
    *(*_SETUP, *_CARDS, *_TURNS, *_MOVES, *_CHARGES),
    *(*_DICE, *_RETREATS, *_PURSUITS, *_ENDS),
)
"""Everything that can be pending."""
_FREE: ActionTypes = (Form, Single, Relocate, cards.Discard, cards.Purchase, cards.Play, cards.Pass)
_FORMING: ActionTypes = (Include, All, Ready, cards.Play)
_COMBATS: ActionTypes = (With, Charge)
_VOLLEYS: ActionTypes = (With, Loose)
_BETWEEN: dict[FormationOrder, ActionTypes] = {
    FormationOrder.MOVE: (TakeUnit, cards.Play, EndAction),
    FormationOrder.SHOOT: (Aim, cards.Play, EndAction),
    FormationOrder.MELEE: (AttackUnit, cards.Play, EndAction),
    FormationOrder.RALLY: (),
}
"""What comes next in an activation of each order; who rallies does so without a choice."""
_ALONE: ActionTypes = (*MOVER_TYPES, cards.Play)
"""Of a unit that moves alone: it is taken at once, so cards are played while it moves."""
_ACTING: ActionTypes = (Include, All, Ready, TakeUnit, *MOVER_TYPES)
_FIGHTING: ActionTypes = (Aim, AttackUnit, With, Charge, Loose, EndAction)
_ANSWERS: ActionTypes = tuple(
    each for each in answer_types(PENDING_TYPES) if each is not cards.Play
)
ACTION_TYPES: ActionTypes = (*_FREE, *_ACTING, *_FIGHTING, *_ANSWERS)
CODEC = StateCodec(
    State,
    PENDING_TYPES,
    names={ArrivalQuestion: "Arrival", cards.DeckDraw: "CardDraw", RetreatMove: "Flight"},
)
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


def invariant_problems(state: State) -> Iterator[str]:
    """Yield what no play can reach: cards, squares, boxes, ranks and losses that do not add up."""
    yield from _card_problems(state)
    yield from _place_problems(state)
    yield from _rank_problems(state)


def state_problems(state: State) -> Iterator[str]:
    """Yield what can be in no state of a battle."""
    yield from _turn_problems(state)
    yield from _activation_problems(state)
    yield from combat_problems(state)


def _card_problems(state: State) -> Iterator[str]:
    piles = {"deck": state.deck, "discards": state.discards}
    piles |= {f"hands[{player}]": hand for player, hand in enumerate(state.hands)}
    for name, pile in piles.items():
        if list(pile) != sorted(pile):
            yield f"{name}: {list(pile)} is not in increasing order"
    count = Counter(card for pile in piles.values() for card in pile)
    if wrong := [card for card in state.setting.cards if count[card] != 1]:
        yield f"cards: {wrong} are not in exactly one of the deck, the hands and the discards (BB 4)"
    for player, hand in enumerate(state.hands):
        if any(deck()[card].is_reshuffle for card in hand):
            yield f"hands[{player}]: the reshuffle card cannot stay in a hand (BB 5.1)"


def _place_problems(state: State) -> Iterator[str]:
    setting = state.setting
    for unit_spec, unit in zip(setting.units, state.units, strict=True):
        if (unit.square is None) == (unit.box is Box.MAP) or unit.box is Box.CAPTURED:
            yield f"{unit_spec.name}: in the box {unit.box.value}, with square {unit.square}"
        if unit.square is not None and setting.closed >> unit.square & 1:
            yield f"{unit_spec.name}: no unit can enter {setting.squares[unit.square]}"
        fights = state.combat is not None and state.combat.stage is Stage.HITS
        if unit.wall and (unit.square is None or (unit.disrupted and not fights)):
            yield f"{unit_spec.name}: a shield wall of a unit that is disrupted or off the map (BB 13.3)"
    squares = Counter(unit.square for unit in state.units if unit.square is not None)
    for square, count in squares.items():
        if count > 1:
            yield f"{setting.squares[square]}: {count} units in one square (BB 3.2)"
    for leader_spec, leader in zip(setting.leaders, state.leaders, strict=True):
        if (leader.square is None) == (leader.box is Box.MAP) or leader.box in _NO_LEADERS:
            yield f"{leader_spec.name}: in the box {leader.box.value}, with square {leader.square}"
    for player, (camp, places) in enumerate(zip(state.camps, setting.camp_places, strict=True)):
        if camp is not None and camp not in places:
            yield f"camps[{player}]: {setting.squares[camp]} is not a place for it"


_NO_LEADERS = (Box.RALLIED, Box.LEFT)


def _rank_problems(state: State) -> Iterator[str]:
    setting = state.setting
    sums, losses = [0] * len(setting.players), [0] * len(setting.players)
    for number, (spec, unit) in enumerate(zip(setting.units, state.units, strict=True)):
        had = unit.ranks + unit.lost
        sums[spec.player] += had
        losses[spec.player] += unit.lost + (unit.box is Box.ELIMINATED)
        if number not in setting.chosen_ranks and had != spec.ranks:
            yield f"{spec.name}: +{had} at first, not +{spec.ranks} as printed (BB 14.2 Steps)"
        elif had > max(spec.most_ranks, spec.ranks):
            yield f"{spec.name}: +{had} at first, above the limit of +{spec.most_ranks} (BB 14.2 Steps)"
    waiting = {state.player_of(number) for number in unchosen(state)}
    for player, (found, printed) in enumerate(zip(sums, setting.ranks, strict=True)):
        name = setting.players[player]
        if found != printed and not (player in waiting and found < printed):
            yield f"{name}: ranks of {found} in all, not {printed} (BB 14.2 Steps)"
        if losses[player] != state.losses[player]:
            yield f"{name}: losses of {state.losses[player]}, not {losses[player]} (BB 14.4)"


def _turn_problems(state: State) -> Iterator[str]:
    setting = state.setting
    if state.turn > len(charts().ends) or (state.turn == 0) != (state.phase is Phase.SETUP):
        yield f"turn: {state.turn} in the phase {state.phase.value}"
    for player, size in enumerate(state.hand_sizes):
        values = (leader.value for leader in setting.leaders if leader.player == player)
        if size > max(values, default=0) + 1:
            yield f"hand_sizes[{player}]: no leader allows {size} (BB 4.0)"
    for player, count in enumerate(state.impulses):
        if count > setting.impulses[player]:
            yield f"impulses[{player}]: {count} of {setting.impulses[player]} (BB 5.2)"
    if state.actions and state.phase is not Phase.IMPULSES:
        yield f"actions: {state.actions} in the phase {state.phase.value}"
    if state.discovered and not setting.special.hidden_path:
        yield "discovered: there is no hidden path"
    if state.entry > (FACES if setting.special.entries else 0) or (state.delay and not state.entry):
        yield f"entry: {state.entry} with delay {state.delay}"


def _activation_problems(state: State) -> Iterator[str]:
    activation, combat = state.activation, state.combat
    if activation is None:
        return
    if state.phase is not Phase.IMPULSES:
        yield f"activation: in the phase {state.phase.value}"
    own = [*activation.units, *(combat.units if combat else ())]
    if foreign := [number for number in own if state.player_of(number) != state.mover]:
        yield f"activation: {foreign} are units of the enemy"
    if any(state.units[number].square is None for number in activation.waiting):
        yield "waiting: some units are off the map"
    else:
        yield from formation_problems(state)
    if not set(activation.waiting) <= set(activation.units):
        yield "waiting: some units are not activated"
    moving = activation.waiting if activation.order is FormationOrder.MOVE else ()
    if activation.active is not None and activation.active not in moving:
        yield f"active: {activation.active} does not wait to move"
