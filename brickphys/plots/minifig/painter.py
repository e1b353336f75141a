"""Painter of Minifig battles: the table with its figures and things, and pictures of sheets."""

from collections.abc import Hashable, Iterator, Sequence

from matplotlib.axes import Axes
from matplotlib.patches import Patch

from brickphys.geometry.polygon import Point
from brickphys.minifig.report.table_map import figure_letters
from brickphys.minifig.sheets.charts import BASE_RADIUS_IN, charts
from brickphys.minifig.state.state import State
from brickphys.plots.colors import player_colors, rgb
from brickphys.plots.labels import Box, Label
from brickphys.plots.minifig.figure import (
    FIGURE_STUD_IN,
    draw_arms,
    draw_base,
    draw_dog,
    draw_horse,
    draw_thing,
)
from brickphys.plots.minifig.ground import draw_ground, ground_patches, wall_heights
from brickphys.plots.painter import Painter
from brickphys.plots.pieces import Figure, Tile, draw_pieces, short_name
from brickphys.text import spoken

_MOST_NAMES = 16
"""Of more figures the letters of the map are written, not the names."""


class MinifigPainter(Painter[State]):
    """Draws the table, the figures and their sheets."""

    unit = "inches"

    def size(self, state: State) -> Point:
        """Return the width and the length of the table in inches."""
        return state.setting.width_in, state.setting.length_in

    def players(self, state: State) -> tuple[str, ...]:
        """Return the names of the players."""
        return state.setting.players

    def ground(self, state: State) -> Hashable:
        """Return the bricks that are out of the walls."""
        return state.walls

    def draw_ground(self, state: State, ax: Axes) -> None:
        """Draw the zones and the walls."""
        draw_ground(state, ax)

    def draw_pieces(
        self, state: State, labels: Sequence[Label], written: Sequence[Box], ax: Axes
    ) -> None:
        """Draw figures, things and items with their names, or with the letters of the map where they are many."""
        named = [*_draw_things(state, ax), *_draw_dogs(state, ax)]
        figures = list(_draw_figures(state, ax))
        draw_pieces(figures, [], list(_tiles(state)), [*labels, *named], written, ax)

    def legend(self, state: State) -> Sequence[Patch]:
        """Return the ground, the walls, and the colours of bases."""
        worn = sorted({state.setting.figures[number].experience for number in state.alive})
        colours = charts().colours
        bases = (
            Patch(fc=rgb(colours[level]), ec="black", lw=0.6, label=f"base: experience {level}")
            for level in worn
        )
        return [*ground_patches(state), *bases]

    def later_entries(self, state: State) -> int:
        """Return how many heights the walls may have besides those of now."""
        courses = max((wall.courses for wall in state.setting.walls), default=0)
        return courses - len(wall_heights(state))

    def signs(self, state: State) -> str:
        """Return the sign of items, if some lie about."""
        return "White diamond: items." if any(item.at_in for item in state.items) else ""


def _draw_figures(state: State, ax: Axes) -> Iterator[Figure]:
    """Draw bases, horses and what figures hold, and yield the figures themselves; dogs are drawn apart."""
    setting, colors = state.setting, player_colors(state.setting.players)
    for number in state.alive:
        spec, figure = setting.figures[number], state.figures[number]
        at, facing, color = figure.place_in, figure.facing_deg, colors[spec.player]
        draw_base(at, setting.colour(number), ax)
        if figure.horse is not None:
            draw_horse(at, facing, setting.things[figure.horse].kind, ax)
        arms = [setting.items[item].arm for item in state.held.get(number, ())]
        draw_arms(at, facing, arms, rgb(color), ax)
        if not _is_dog(state, number):
            yield Figure(*at, facing, color, _name(state, number), FIGURE_STUD_IN)


def _draw_dogs(state: State, ax: Axes) -> Iterator[Label]:
    setting, colors = state.setting, player_colors(state.setting.players)
    for number in state.alive:
        if _is_dog(state, number):
            figure = state.figures[number]
            color = rgb(colors[setting.figures[number].player])
            draw_dog(figure.place_in, figure.facing_deg, color, ax)
            space = Box(*figure.place_in, BASE_RADIUS_IN, BASE_RADIUS_IN)
            yield Label(_name(state, number), space)


def _draw_things(state: State, ax: Axes) -> Iterator[Label]:
    """Draw the things on the table, and yield their names."""
    for number in state.standing_things():
        spec, thing = state.setting.things[number], state.things[number]
        if spec.kind.is_ridden:
            draw_horse(thing.place_in, thing.facing_deg, spec.kind, ax)
        else:
            draw_thing(thing.place_in, thing.facing_deg, spec.kind, thing.is_loaded, ax)
        yield Label(
            spoken(spec.name), Box(*thing.place_in, spec.kind.radius_in, spec.kind.radius_in)
        )


def _tiles(state: State) -> Iterator[Tile]:
    """Yield the items that lie about, those at one place as one tile."""
    found: dict[Point, list[str]] = {}
    for spec, item in zip(state.setting.items, state.items, strict=True):
        if item.at_in is not None:
            found.setdefault(item.at_in, []).append(spec.arm.name)
    return (Tile(*at, ", ".join(names)) for at, names in found.items())


def _is_dog(state: State, figure: int) -> bool:
    return state.body(figure) == "dog"


def _name(state: State, figure: int) -> str:
    """Return the name of a figure, or its letter on the map if there are many."""
    setting = state.setting
    if len(state.alive) > _MOST_NAMES:
        return figure_letters(setting)[figure]
    return short_name(setting.figures[figure].name, setting.players)
