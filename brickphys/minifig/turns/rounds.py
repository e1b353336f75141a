"""Rounds: the turns of the players, hand-to-hand after each, and the automatic steps (MF Rules)."""

from brickphys.minifig.actions.melee import attacks, strike
from brickphys.minifig.state.pieces import Deed
from brickphys.minifig.state.state import Phase, State, Step
from brickphys.minifig.turns.order import TurnOrderRoll, playing
from brickphys.minifig.turns.victory import held, last_team, winners_of_round, winners_of_turn


def begin_round(state: State) -> State:
    """Return the state with the next round: all figures are ready, and the players roll for their order, or keep it."""
    figures = tuple(
        figure if figure.deed is Deed.NOTHING else figure.replaced({"deed": Deed.NOTHING})
        for figure in state.figures
    )
    changes = {"figures": figures, "round": state.round + 1, "order": (), "turn": 0}
    state = state.replaced({**changes, "phase": Phase.MOVEMENT})
    players = tuple(playing(state))
    is_fixed = state.setting.options.fixed_order
    places = tuple((player,) for player in players) if is_fixed else (players,)
    return TurnOrderRoll(places).asked(state)


def following(state: State) -> State | None:
    """Return what follows by itself where nothing is pending; None if the player has a choice."""
    if (won := last_team(state)) is not None:
        return state.replaced({"winners": won, "active": None, "step": Step.CHOSEN})
    if state.turn == len(state.order):
        return _end_round(state)
    if state.phase is Phase.COMBAT:
        return _fight(state)
    if state.active is not None or next(state.ready(state.player), None) is not None:
        return None
    return state.replaced({"phase": Phase.COMBAT})


def _fight(state: State) -> State | None:
    """Let a figure attack that touches one enemy only; then the player chooses for the others (MF Resolving Combat).

    This order is the best for the player: the others know then who is left.
    """
    able = attacks(state)
    for figure, enemies in able.items():
        if len(enemies) == 1:
            return strike(state, figure, enemies[0])
    return None if able else _end_turn(state)


def _end_turn(state: State) -> State:
    won = winners_of_turn(state)
    if won is not None:
        return state.replaced({"winners": won})
    return state.replaced({"turn": state.turn + 1, "phase": Phase.MOVEMENT})


def _end_round(state: State) -> State:
    """Judge the battle, and begin the next round."""
    state = state.replaced({"holding": held(state)})
    won = winners_of_round(state)
    return begin_round(state) if won is None else state.replaced({"winners": won})
