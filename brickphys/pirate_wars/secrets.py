"""Secrets: with option `simultaneous`, orders are hidden until all players have written theirs (PW Firing)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from brickphys.pirate_wars.sheets.minifigs import Ammunition
from brickphys.pirate_wars.state.state import Phase, State
from brickphys.pirate_wars.tasks.firing import Fire
from brickphys.pirate_wars.tasks.orders import commanded
from brickphys.pirate_wars.tasks.resolve import ORDER_TYPES, Done
from brickphys.rules.words import Action, without_problems

if TYPE_CHECKING:
    import numpy as np

_MOST_DRAWN = 4
"""Orders that are drawn in place of those that a player has written in secret."""


def is_hidden(state: State) -> bool:
    """Tell whether players write orders that others may not know."""
    writes = state.phase is Phase.TASKS and not state.pending and state.winners is None
    return writes and state.setting.options.simultaneous


def seen(state: State, player: int) -> State:
    """Return a state without the orders that others have written."""
    if not is_hidden(state):
        return state
    own = tuple(order for order in state.orders if state.writer(order) == player)
    return state.replaced({"orders": own})


def redrawn(state: State, player: int, rng: "np.random.Generator") -> State:
    """Return a state with other orders, drawn at random, of all others who have begun to write."""
    if not is_hidden(state):
        return state
    turn, drawn = state.turn, seen(state, player)
    for number in range(turn + 1):
        drawn = drawn.replaced({"turn": number})
        if drawn.player != player:
            for _ in range(rng.integers(_MOST_DRAWN + 1)):
                drawn = _with_an_order(drawn, rng)
    return drawn.replaced({"turn": turn})


def _with_an_order(state: State, rng: "np.random.Generator") -> State:
    drawn = list(_possible(state))
    after: State = drawn[int(rng.integers(len(drawn)))].apply(state) if drawn else state
    return after


def _possible(state: State) -> Iterator[Action[State]]:
    """Yield the orders that are listed, and all shots that may be declared, though they be wasted."""
    for each in ORDER_TYPES:
        if each is not Done:
            yield from each.legal(state)
    names = [spec.name for spec in state.setting.ships]
    shots = (
        Fire(names[ship], gun, ammunition, names[enemy])
        for ship in commanded(state)
        for gun in range(len(state.ships[ship].guns))
        for ammunition in Ammunition
        for enemy, _ in state.enemies(state.player)
    )
    yield from without_problems(state, shots)
