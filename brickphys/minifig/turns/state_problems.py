"""State problems: checks of a state that was read from text."""

from collections.abc import Iterator

from brickphys.geometry.polygon import Point
from brickphys.minifig.field.reach import base_problems
from brickphys.minifig.state.pieces import FigureState
from brickphys.minifig.state.state import Phase, State, Step
from brickphys.minifig.turns.action_types import Do
from brickphys.minifig.turns.order import playing


def base_faults(state: State) -> Iterator[tuple[str, str]]:
    """Yield the name of every base that stands off the table, on one before it, in a wall or in water, and why."""
    names = [state.setting.figures[number].name for number in state.alive]
    names += [state.setting.things[number].name for number in state.standing_things()]
    for row, (x, y, radius) in enumerate(state.bases.tolist()):
        for fault in base_problems(state, (x, y), radius, range(row, len(names))):
            yield names[row], fault


def state_problems(state: State) -> Iterator[str]:
    """Yield what can be in no state of a battle."""
    yield from _turn_problems(state)
    for number, figure in enumerate(state.figures):
        name = state.setting.figures[number].name
        yield from (f"{name}: {fault}" for fault in _figure_problems(state, number, figure))
    yield from _item_problems(state)
    for thing, now in zip(state.setting.things, state.things, strict=True):
        if now.worked_round > state.round:
            yield f"{thing.name}: worked in round {now.worked_round} of {state.round}"
    for number, (wall, out) in enumerate(zip(state.setting.walls, state.walls, strict=True)):
        if list(out) != sorted({*out} & set(range(len(wall.spans)))):
            yield f"walls[{number}]: {list(out)} are not numbers of its bricks in increasing order"


def menu_problems(state: State) -> Iterator[str]:
    """Yield why nothing can be chosen from the menu of a state that waits for its player."""
    if state.menu and (state.active is None or state.pending):
        yield f"menu: {state.menu!r}, but there is nothing to choose"
    elif state.menu:
        yield from (f"menu: {problem}" for problem in Do(state.menu).problems(state))


def _turn_problems(state: State) -> Iterator[str]:
    """Yield what contradicts whose turn it is."""
    if not state.round:
        yield "round: 0, but the battle has begun"
    if len(set(state.order)) < len(state.order):
        yield "order: a player is named twice"
    if state.order and not set(playing(state)) <= set(state.order):
        yield f"order: {list(state.order)} lacks a player who has a living figure"
    if state.turn > len(state.order):
        yield f"turn: {state.turn} of {len(state.order)} players"
    elif state.turn == len(state.order) and state.order and state.winners is None:
        yield f"turn: all of {len(state.order)} players are done"
    if state.active is not None and (
        state.turn >= len(state.order)
        or state.phase is not Phase.MOVEMENT
        or state.active not in state.ready(state.player)
    ):
        yield f"active: {state.active} is not a figure that acts now"
    if state.active is None and state.step is not Step.CHOSEN:
        yield f"step: {state.step.value}, but no figure acts"
    if state.active is not None and not _fits(state.step, state.figures[state.active]):
        rides = state.figures[state.active].horse is not None
        yield f"step: {state.step.value}, but figure {state.active} is {'on horseback' if rides else 'on foot'}"
    if state.winners is not None and not set(state.winners) <= set(state.setting.teams):
        yield f"winners: {list(state.winners)} are not teams"


def _fits(step: Step, figure: FigureState) -> bool:
    """Whether a figure can have come so far, on horseback or on foot."""
    if step in (Step.CHOSEN, Step.MOVED):
        return True
    return (step is Step.MOUNTED) == (figure.horse is not None)


def _figure_problems(state: State, number: int, figure: FigureState) -> Iterator[str]:
    setting = state.setting
    if not _is_on(state, figure.place_in):
        yield f"{figure.x_in:g},{figure.y_in:g} is off the table"
    if not 0.0 <= figure.facing_deg < 360.0:
        yield f"facing {figure.facing_deg:g} is not from 0 to 360"
    if figure.horse is not None:
        if not setting.things[figure.horse].kind.is_ridden:
            yield f"it rides {setting.things[figure.horse].name}"
        if state.riders[figure.horse] != number:
            yield "its horse has another rider"
        if not figure.is_alive:
            yield "it is dead, but rides"
    held = state.held.get(number, ())
    if len(held) > setting.figures[number].kind.hands:
        yield f"it holds {len(held)} things"
    if held and not figure.is_alive:
        yield "it is dead, but holds something"


def _item_problems(state: State) -> Iterator[str]:
    for item, now in zip(state.setting.items, state.items, strict=True):
        if (now.holder is None) != (now.at_in is not None):
            yield f"{item.name}: it must be either held or on the table"
        if now.at_in is not None and not _is_on(state, now.at_in):
            yield f"{item.name}: {now.at_in[0]:g},{now.at_in[1]:g} is off the table"


def _is_on(state: State, place_in: Point) -> bool:
    """Whether a place is on the table."""
    (x, y), setting = place_in, state.setting
    return 0.0 <= x <= setting.width_in and 0.0 <= y <= setting.length_in
