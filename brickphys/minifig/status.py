"""Status: a battle at one moment: the map of the table, and tables of figures, things, items and walls.

Here are also the names in play, and where on the map the acting figure is and an action leads.
"""

from collections.abc import Iterator, Sequence
from functools import partial

from brickphys.geometry.polygon import Point
from brickphys.minifig.actions import DONE, INCHES
from brickphys.minifig.scene import figure_letters, table_map
from brickphys.minifig.setting import Setting
from brickphys.minifig.state import Deed, State
from brickphys.rules.aims import CircleAims
from brickphys.rules.names import Names, Naming, facing_text, names_text, player_names
from brickphys.rules.report.story import status_text
from brickphys.rules.words import Action, last_place
from brickphys.text import counted, spoken


def battle_status(view: State) -> str:
    """Return the round, the map of the table, the living figures, and what else stands or lies on it."""
    tables = [[head, *rows(view)] for head, rows in _TABLES]
    shown = [table for table in tables if len(table) > 1]
    return status_text(_headline(view), table_map(view), shown, _notes(view))


def figure_name(state: State, number: int) -> str:
    """Return the name of a figure as it is read."""
    return spoken(state.setting.figures[number].name)


def arms_text(state: State, figure: int) -> str:
    """Return what a figure has in hand and wears: ``sword, shield, helmet``."""
    return ", ".join(arm.name for arm in state.arms(figure))


def place_text(at: Point) -> str:
    """Return a place on the table in inches: ``12.5,7.1``."""
    return f"{at[0]:.1f},{at[1]:.1f}"


def circle_aims(setting: Setting) -> CircleAims:
    """Return the aims of a battle as reports show them."""
    return CircleAims(
        setting.aims,
        setting.players,
        setting.teams,
        tuple(figure.name for figure in setting.figures),
        size=(setting.width_in, setting.length_in),
        unit="inches",
        noun="figure",
        points="the largest share of its figures left",
        last="The last side with figures left wins.",
    )


def _headline(state: State) -> str:
    """Return the round, whose turn it is, and which figure acts (MF Rules)."""
    if not state.round:
        return "Before the first round"
    if state.turn >= len(state.order):
        return f"Round {state.round}, the roll for the order"
    who = spoken(state.setting.players[state.player])
    text = f"Round {state.round}, {spoken(state.phase.value)} of {who}"
    if state.active is None:
        return text
    return f"{text}, {figure_name(state, state.active)} {DONE[state.step]}"


_DEEDS = {Deed.NOTHING: "", Deed.MOVED: "moved", Deed.ATTACKED: "attacked", Deed.OTHER: "done"}


def _figure_rows(state: State) -> Iterator[Sequence[str]]:
    setting, known = state.setting, figure_letters(state.setting)
    for number in state.alive:
        spec, figure = setting.figures[number], state.figures[number]
        acts = "acts" if number == state.active else _DEEDS[figure.deed]
        yield (
            known[number],
            spec.name,
            setting.players[spec.player],
            spec.kind.name,
            f"{spec.experience} ({setting.colour(number)})",
            arms_text(state, number),
            place_text(figure.place_in),
            facing_text(figure.facing_deg),
            acts,
            ", ".join(remarks(state, number)),
        )


def remarks(state: State, number: int) -> Iterator[str]:
    """Yield what is unusual about a figure: its horse, and the weapons that it must reload."""
    figure, setting = state.figures[number], state.setting
    if figure.horse is not None:
        yield f"rides {setting.things[figure.horse].name}"
    for item in state.held.get(number, ()):
        if not state.items[item].is_loaded:
            yield f"{setting.items[item].name} to reload"


def _thing_rows(state: State) -> Iterator[Sequence[str]]:
    for number in state.standing_things():
        spec, thing = state.setting.things[number], state.things[number]
        loaded = "loaded" if thing.is_loaded else "to reload"
        yield (
            spec.name,
            spoken(spec.kind.name),
            place_text(thing.place_in),
            facing_text(thing.facing_deg),
            loaded if spec.kind.missile else "",
        )


def _item_rows(state: State) -> Iterator[Sequence[str]]:
    for spec, item in zip(state.setting.items, state.items, strict=True):
        if item.at_in is not None:
            yield spec.name, spec.arm.name, place_text(item.at_in)


def _wall_rows(state: State) -> Iterator[Sequence[str]]:
    for spec, out in zip(state.setting.walls, state.walls, strict=True):
        runs = spec.runs(out)
        is_whole = sum(run.end_stud - run.first_stud for run in runs) == spec.length_studs
        lowest = min(run.height_bricks for run in runs) if is_whole else 0
        yield (
            spec.name,
            place_text((spec.x_in, spec.y_in)),
            facing_text(spec.facing_deg),
            str(spec.length_studs),
            f"{len(out)} of {len(spec.spans)}",
            f"{lowest} of {counted(spec.courses, 'course')}",
        )


_FIGURE_COLUMNS = (
    "", "figure", "player", "kind", "experience (base)", "arms", "at", "facing", "this round", "",
)  # fmt: skip
_TABLES = (
    (_FIGURE_COLUMNS, _figure_rows),
    (("thing", "kind", "at", "facing", ""), _thing_rows),
    (("lies about", "arms", "at"), _item_rows),
    (("wall", "at", "faces", "studs", "bricks out", "lowest part"), _wall_rows),
)
"""What tables of a battle show: the heads of their columns, and their rows."""


def _notes(state: State) -> Iterator[str]:
    figures = zip(state.setting.figures, state.figures, strict=True)
    if out := [spec.name for spec, figure in figures if not figure.is_alive]:
        yield f"eliminated: {names_text(out)}"


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
