"""Painter of Minifig battles: the table with its figures and things, and pictures of sheets."""

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from brickphys.geometry.polygon import Point
from brickphys.minifig.report.table_map import figure_letters
from brickphys.minifig.sheets.charts import INCH_MM, charts
from brickphys.minifig.state.state import State
from brickphys.plots.colors import rgb
from brickphys.plots.labels import Box, Label
from brickphys.plots.marks import Mark
from brickphys.plots.minifig.figure import FigurePiece, draw_thing, figure_pieces
from brickphys.plots.minifig.ground import draw_ground, ground_patches, wall_heights
from brickphys.plots.minifig.sheet import SIZE_INCHES, draw_sheet, draw_true_size, true_size_mm
from brickphys.plots.painter import Painter
from brickphys.plots.pieces import MOST_NAMES, Pieces, Tile, letter_groups
from brickphys.rules.report.army import ArmyUnit
from brickphys.text import short_name, spoken


class MinifigPainter(Painter[State]):
    """Draws the table, the figures and their sheets."""

    unit = "inches"
    unit_mm = INCH_MM

    def size(self, state: State) -> Point:
        """Return the width and the length of the table in inches."""
        return state.setting.width_in, state.setting.length_in

    def players(self, state: State) -> tuple[str, ...]:
        """Return the names of the players."""
        return state.setting.players

    def colours(self, state: State) -> tuple[str, ...]:
        """Return the colours of the players."""
        return state.setting.colours

    def ground(self, state: State) -> Hashable:
        """Return the bricks that are out of the walls."""
        return state.walls

    def draw_ground(self, state: State, ax: Axes) -> None:
        """Draw the zones and the walls."""
        draw_ground(state, ax)

    def pieces(self, state: State) -> Pieces:
        """Return figures, things and items with their names, or with the letters of the map where they are many."""
        figures = [self._figure(state, number) for number in state.alive]
        return _things(state) + figure_pieces(figures, list(_tiles(state)))

    def called(self, state: State, unit: str) -> str:
        """Return the name of a figure, or its letter on the map where there are many."""
        setting = state.setting
        if _has_names(state):
            return short_name(unit, setting.players)
        return figure_letters(setting)[setting.figure_numbers[unit]]

    def legend(self, state: State) -> Sequence[Patch]:
        """Return the ground, the walls, and the colours of bases."""
        worn = sorted({state.setting.figures[number].experience for number in state.alive})
        colours = charts().colours
        bases = (
            Patch(
                fc=rgb(colours[level]),
                ec="black",
                lw=0.6,
                label=f"middle of the base: experience {level}",
            )
            for level in worn
        )
        return [*ground_patches(state), *bases]

    def later_entries(self, state: State) -> int:
        """Return how many heights the walls may have besides those of now."""
        courses = max((wall.courses for wall in state.setting.walls), default=0)
        return courses - len(wall_heights(state))

    def signs(self, state: State) -> str:
        """Return the signs of figures, if they are many, and of items, if some lie about."""
        letters = "" if _has_names(state) else f"Letters: {_groups(state)}. Rim of a base: player."
        items = "White diamond: items." if any(item.at_in for item in state.items) else ""
        return f"{letters} {items}".strip()

    def sheets_figure(self, sheets: Sequence[Any]) -> Figure:
        """Return a picture of sheets, one below the other (see `brickphys.minifig.report.sheets`)."""
        width, height = SIZE_INCHES
        canvas = Figure(figsize=(width, height * len(sheets)), dpi=150, layout="constrained")
        for ax, sheet in zip(
            canvas.subplots(len(sheets), squeeze=False)[:, 0], sheets, strict=True
        ):
            draw_sheet(sheet, ax)
        return canvas

    def true_size_mm(self, sheet: Any) -> Point:
        """Return width and height of a figure from above with its bricks."""
        return true_size_mm(sheet)

    def draw_true_size(self, sheet: Any, ax: Axes) -> None:
        """Draw a figure from above on its base, and a place for each of its bricks."""
        draw_true_size(sheet, ax)

    def draw_footprint(self, unit: ArmyUnit, heading_deg: float, ax: Axes) -> None:
        """Draw a thing from above."""
        draw_thing(charts().things[unit.name], (0.0, 0.0), heading_deg, False, ax)

    def _figure(self, state: State, number: int) -> FigurePiece:
        """Return a figure as it is drawn."""
        setting, figure = state.setting, state.figures[number]
        spec = setting.figures[number]
        return FigurePiece(
            at=figure.place_in,
            facing_deg=figure.facing_deg,
            kind=spec.kind,
            arms=state.arms(number),
            base=setting.colour(number),
            color=setting.colours[spec.player],
            horse=None if figure.horse is None else setting.things[figure.horse].kind,
            name=self.called(state, spec.name),
        )


def _things(state: State) -> Pieces:
    """Return the things on the table with their names; those of horses only where figures have names."""
    marks, labels = list[Mark](), list[Label]()
    for number in state.standing_things():
        spec, thing = state.setting.things[number], state.things[number]
        given = spec.kind, thing.place_in, thing.facing_deg, thing.is_loaded
        marks.append(Mark(draw_thing, given))
        if _has_names(state) or not spec.kind.is_ridden:
            radius = spec.kind.radius_in
            labels.append(Label(spoken(spec.name), Box(*thing.place_in, radius, radius)))
    return Pieces(tuple(marks), tuple(labels))


def _tiles(state: State) -> Iterator[Tile]:
    """Yield the items that lie about, those at one place as one tile; with their names where figures are few."""
    found: dict[Point, list[str]] = {}
    for spec, item in zip(state.setting.items, state.items, strict=True):
        if item.at_in is not None:
            found.setdefault(item.at_in, []).append(spec.arm.name)
    named = _has_names(state)
    return (Tile(*at, ", ".join(names) if named else "") for at, names in found.items())


def _groups(state: State) -> str:
    """Return the names that letters stand for."""
    setting = state.setting
    names = (spec.name for spec in setting.figures)
    return letter_groups(zip(figure_letters(setting), names, strict=True))


def _has_names(state: State) -> bool:
    return len(state.figures) <= MOST_NAMES
