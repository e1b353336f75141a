"""Places: the names in play, and where on the map the acting figure is and an action leads."""

from functools import partial

from brickphys.geometry.polygon import Point
from brickphys.minifig.actions.words import INCHES
from brickphys.minifig.report.table_map import figure_letters
from brickphys.minifig.state.state import State
from brickphys.rules.names import Names, Naming, player_names
from brickphys.rules.words import Action, last_place


def names(state: State) -> Names:
    """Return the names of figures, things, items and walls; what a figure holds or rides is its player's."""
    setting, figures = state.setting, state.setting.figures
    others = [*setting.item_numbers, *setting.wall_numbers, *setting.thing_numbers]
    held = zip(setting.items, state.items, strict=True)
    taken = {spec.name: item.holder for spec, item in held if item.holder is not None}
    taken |= {setting.things[horse].name: rider for horse, rider in state.riders.items()}
    return {
        **dict.fromkeys(others, Naming()),
        **{name: Naming(figures[holder].player) for name, holder in taken.items()},
        **player_names(figures, figure_letters(setting)),
    }


def here(state: State) -> Point | None:
    """Return the place of the active figure."""
    return None if state.active is None else state.figures[state.active].place_in


def place_of(state: State, action: Action[State]) -> Point | None:
    """Return the place that an action names, or else that of the last figure, thing, item or wall that it names."""
    pairs = zip(action.arguments, action.values(), strict=True)
    inches = [value for argument, value in pairs if argument is INCHES]
    if inches:
        x_in, y_in = inches
        return x_in, y_in
    return last_place(action, partial(_place, state))


def _place(state: State, name: str) -> Point | None:
    setting = state.setting
    if name in setting.figure_numbers:
        figure = state.figures[setting.figure_numbers[name]]
        return figure.place_in if figure.is_alive else None
    if name in setting.thing_numbers:
        return state.things[setting.thing_numbers[name]].place_in
    if name in setting.item_numbers:
        return state.items[setting.item_numbers[name]].at_in
    if name in setting.wall_numbers:
        wall = setting.walls[setting.wall_numbers[name]]
        return wall.x_in, wall.y_in
    return None
