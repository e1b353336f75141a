"""Fights in a test: units of the first player that are activated, and a combat that is played move by move."""

from brickphys.blade_and_bow.combat.attack import Aim, AttackUnit, Charge, Loose, With
from brickphys.blade_and_bow.combat.commitment import combat_following, combat_problems
from brickphys.blade_and_bow.command.actions import finished
from brickphys.blade_and_bow.pieces import Activation, Combat, FormationOrder, Stage
from brickphys.blade_and_bow.state import State
from brickphys.rules.events import Outcome
from brickphys.rules.turn_state import FollowUp, PendingRoll
from brickphys.rules.words import Action, ActionTypes, by_word, parse_action

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
            state = _settled(_moved(state, parse_action(by_word(_types(state)), move)))
        else:
            state = _settled(_moved(state, move))
    return state


def after(state: State, *moves: Action[State] | Outcome) -> State:
    """Return the state after some answers to what is pending, and all that is pending before the next one."""
    state = _proceed(state)
    for move in moves:
        state = _proceed(_moved(state, move))
    return state


def _moved(state: State, move: Action[State] | Outcome) -> State:
    first = state.first_pending
    if isinstance(move, Action):
        assert move.text() in choices(state), f"{move} is no answer to {first}"
        assert not list(move.problems(state))
        return move.apply(state)
    assert isinstance(first, PendingRoll), f"{move} is no outcome of {first}"
    assert not first.event(state).problems(move), f"{move} is no outcome of {first}"
    return first.settle(state.pop_pending(), move)


def _types(state: State) -> ActionTypes:
    if state.pending:
        return state.answers
    assert state.activation is not None
    return TYPES[state.activation.order, state.combat is not None]


def _proceed(state: State) -> State:
    while first := state.first_pending:
        if first.lapses(state):
            state = state.pop_pending()
        elif isinstance(first, FollowUp):
            state = first.happen(state.pop_pending())
        else:
            break
    return state


def _settled(state: State) -> State:
    """Go on until somebody chooses, or dice are rolled, or the action is over."""
    while True:
        state = _proceed(state)
        assert not list(combat_problems(state))
        if state.first_pending is not None:
            assert not state.first_pending.problems(state)
            return state
        following = combat_following(state) if state.combat is not None else None
        if following is None:
            is_done = state.activation is not None and not state.activation.waiting
            return finished(state) if is_done and state.combat is None else state
        state = following
