"""Status text: a battle at one moment: the map of the table, and tables of figures, things, items and walls."""

from collections.abc import Iterator, Sequence

from brickphys.geometry.polygon import Point
from brickphys.minifig.actions.words import DONE
from brickphys.minifig.report.table_map import figure_letters, table_map
from brickphys.minifig.state.pieces import Deed
from brickphys.minifig.state.state import State
from brickphys.rules.report.names import compass, names_text
from brickphys.rules.report.status import status_text
from brickphys.text import counted, spoken


def battle_status(state: State) -> str:
    """Return the round, the map of the table, the living figures, and what else stands or lies on it."""
    tables = [
        [_FIGURE_COLUMNS, *_figure_rows(state)],
        [_THING_COLUMNS, *_thing_rows(state)],
        [_ITEM_COLUMNS, *_item_rows(state)],
        [_WALL_COLUMNS, *_wall_rows(state)],
    ]
    shown = [table for table in tables if len(table) > 1]
    return status_text(_headline(state), table_map(state), shown, _notes(state))


def arms_text(state: State, figure: int) -> str:
    """Return what a figure has in hand and wears: ``sword, shield, helmet``."""
    return ", ".join(arm.name for arm in state.arms(figure))


def place_text(at: Point) -> str:
    """Return a place on the table in inches: ``12.5,7.1``."""
    return f"{at[0]:.1f},{at[1]:.1f}"


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
    name = spoken(state.setting.figures[state.active].name)
    return f"{text}, {name} {DONE[state.step]}"


_DEEDS = {
    Deed.NOTHING: "",
    Deed.MOVED: "moved",
    Deed.ATTACKED: "attacked",
    Deed.OTHER: "done",
}
_FIGURE_COLUMNS = (
    "",
    "figure",
    "player",
    "kind",
    "experience (base)",
    "arms",
    "at",
    "facing",
    "this round",
    "",
)


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
            compass(figure.facing_deg),
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


_THING_COLUMNS = ("thing", "kind", "at", "facing", "")


def _thing_rows(state: State) -> Iterator[Sequence[str]]:
    for number in state.standing_things():
        spec, thing = state.setting.things[number], state.things[number]
        loaded = "loaded" if thing.is_loaded else "to reload"
        yield (
            spec.name,
            spoken(spec.kind.name),
            place_text(thing.place_in),
            compass(thing.facing_deg),
            loaded if spec.kind.missile else "",
        )


_ITEM_COLUMNS = ("lies about", "arms", "at")


def _item_rows(state: State) -> Iterator[Sequence[str]]:
    for spec, item in zip(state.setting.items, state.items, strict=True):
        if item.at_in is not None:
            yield spec.name, spec.arm.name, place_text(item.at_in)


_WALL_COLUMNS = ("wall", "at", "faces", "studs", "bricks out", "lowest part")


def _wall_rows(state: State) -> Iterator[Sequence[str]]:
    for spec, out in zip(state.setting.walls, state.walls, strict=True):
        runs = spec.runs(out)
        is_whole = sum(run.end_stud - run.first_stud for run in runs) == spec.length_studs
        lowest = min(run.height_bricks for run in runs) if is_whole else 0
        yield (
            spec.name,
            place_text((spec.x_in, spec.y_in)),
            compass(spec.facing_deg),
            str(spec.length_studs),
            f"{len(out)} of {len(spec.spans)}",
            f"{lowest} of {counted(spec.courses, 'course')}",
        )


def _notes(state: State) -> Iterator[str]:
    figures = zip(state.setting.figures, state.figures, strict=True)
    if out := [spec.name for spec, figure in figures if not figure.is_alive]:
        yield f"eliminated: {names_text(out)}"
