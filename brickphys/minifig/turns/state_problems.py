"""State problems: checks of a state that was read from text."""

from collections.abc import Iterator

from brickphys.minifig.state.pieces import FigureState
from brickphys.minifig.state.state import Phase, State


def state_problems(state: State) -> Iterator[str]:
    """Yield what can be in no state of a battle."""
    yield from _turn_problems(state)
    for number, figure in enumerate(state.figures):
        name = state.setting.figures[number].name
        yield from (f"{name}: {fault}" for fault in _figure_problems(state, number, figure))
    yield from _item_problems(state)
    for number, (wall, out) in enumerate(zip(state.setting.walls, state.walls, strict=True)):
        if list(out) != sorted({*out} & set(range(len(wall.spans)))):
            yield f"walls[{number}]: {list(out)} are not numbers of its bricks in increasing order"


def _turn_problems(state: State) -> Iterator[str]:
    """Yield what contradicts whose turn it is."""
    if not state.round:
        yield "round: 0, and the battle has begun"
    if len(set(state.order)) < len(state.order):
        yield "order: a player is named twice"
    if state.turn > len(state.order):
        yield f"turn: {state.turn} of {len(state.order)} players"
    elif state.turn == len(state.order) and state.order and state.winners is None:
        yield f"turn: all of {len(state.order)} players are done"
    if state.active is not None and (
        state.turn >= len(state.order)
        or state.phase is not Phase.MOVEMENT
        or state.active not in state.ready(state.player)
    ):
        yield f"active: {state.active} is no figure that acts now"
    if state.winners is not None and not set(state.winners) <= set(state.setting.teams):
        yield f"winners: {list(state.winners)} are no teams"


def _figure_problems(state: State, number: int, figure: FigureState) -> Iterator[str]:
    setting = state.setting
    if not (0.0 <= figure.x_in <= setting.width_in and 0.0 <= figure.y_in <= setting.length_in):
        yield f"{figure.x_in:g},{figure.y_in:g} is off the table"
    if not 0.0 <= figure.facing_deg < 360.0:
        yield f"facing {figure.facing_deg:g} is not from 0 to 360"
    if figure.horse is not None:
        if not setting.things[figure.horse].kind.is_ridden:
            yield f"it rides {setting.things[figure.horse].name}"
        if state.riders[figure.horse] != number:
            yield "its horse has another rider"
        if not figure.is_alive:
            yield "it is dead, and rides"
    held = state.held.get(number, ())
    if len(held) > setting.figures[number].kind.hands:
        yield f"it holds {len(held)} things"
    if held and not figure.is_alive:
        yield "it is dead, and holds something"


def _item_problems(state: State) -> Iterator[str]:
    for item, now in zip(state.setting.items, state.items, strict=True):
        if (now.holder is None) != (now.at_in is not None):
            yield f"{item.name}: held and lying, or neither"
