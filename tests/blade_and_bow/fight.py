"""Fights in a test: units of the first player that are activated, and a combat that is played move by move."""

from brickphys.blade_and_bow.combat.attack import Aim, AttackUnit, Charge, Loose, With
from brickphys.blade_and_bow.combat.commitment import combat_following, combat_problems
from brickphys.blade_and_bow.command.actions import finished
from brickphys.blade_and_bow.pieces import Activation, Combat, FormationOrder, Stage
from brickphys.blade_and_bow.state import State
from brickphys.rules.turn_state import FollowUp, PendingRoll
from brickphys.rules.words import ActionTypes, by_word, parse_action

TYPES: dict[tuple[FormationOrder, bool], ActionTypes] = {
    (FormationOrder.MELEE, False): (AttackUnit,),
    (FormationOrder.MELEE, True): (With, Charge),
    (FormationOrder.SHOOT, False): (Aim,),
    (FormationOrder.SHOOT, True): (With, Loose),
}


def activated(state: State, order: FormationOrder, *names: str) -> State:
    """Return the state in which units of some names are a formation that acts; if none is named, all units."""
    own = [spec.name for spec in state.setting.units if spec.player == state.mover]
    units = tuple(state.setting.unit_numbers[name] for name in names or own)
    activation = Activation(order, None, units, closed=True, waiting=units)
    return state.replaced({"activation": activation})


def melee(state: State, *names: str) -> State:
    """Return the state in which units are a formation that is ordered to melee."""
    return activated(state, FormationOrder.MELEE, *names)


def volley(state: State, *names: str) -> State:
    """Return the state in which units are a formation that is ordered to shoot."""
    return activated(state, FormationOrder.SHOOT, *names)


def clash(state: State, target: str | None, *names: str, ranged: bool = False) -> State:
    """Return the state in which units attack a target, or a camp, and dice come next; the first unit leads."""
    numbers = state.setting.unit_numbers
    units = tuple(numbers[name] for name in names)
    number = None if target is None else numbers[target]
    square = state.camps[1 - state.mover] if number is None else state.units[number].square
    assert square is not None
    combat = Combat(number, square, units, ranged, Stage.DICE, units[0])
    return (volley if ranged else melee)(state, *names).replaced({"combat": combat})


def choices(state: State) -> list[str]:
    """Return the legal actions of a combat or of an order to fight, in their order."""
    if not state.pending and state.activation is None:
        return []
    return [action.text() for each in _types(state) for action in each.legal(state)]


def play(state: State, *moves: str | tuple[int, ...]) -> State:
    """Return the state after some actions, as texts, and outcomes of rolls, and after what follows by itself."""
    for move in moves:
        if isinstance(move, str):
            assert move in choices(state), (move, choices(state))
            action = parse_action(by_word(_types(state)), move)
            assert not list(action.problems(state))
            state = _settled(action.apply(state))
        else:
            roll = state.pending[0]
            assert isinstance(roll, PendingRoll)
            assert not roll.problems(state)
            assert not roll.event(state).problems(move)
            state = _settled(roll.settle(state.pop_pending(), move))
    return state


def _types(state: State) -> ActionTypes:
    if state.pending:
        return state.answers
    assert state.activation is not None
    return TYPES[state.activation.order, state.combat is not None]


def _settled(state: State) -> State:
    """Go on until somebody chooses, or dice are rolled, or the action is over."""
    while True:
        assert not list(combat_problems(state))
        first = state.first_pending
        if first is None:
            after = combat_following(state) if state.combat is not None else None
            if after is None:
                is_done = state.activation is not None and not state.activation.waiting
                return finished(state) if is_done and state.combat is None else state
            state = after
        elif first.lapses(state):
            state = state.pop_pending()
        elif isinstance(first, FollowUp):
            state = first.happen(state.pop_pending())
        else:
            assert not first.problems(state)
            return state
