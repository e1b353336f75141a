"""Painter of Blade & Bow: the map with its counters, as a viewer may see them, and sheets of kinds of units."""

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from brickphys.blade_and_bow.report.battle_map import unit_letters
from brickphys.blade_and_bow.report.status_text import ranks_text
from brickphys.blade_and_bow.report.trajectories import middle
from brickphys.blade_and_bow.state.state import State
from brickphys.geometry.polygon import Point
from brickphys.plots.blade_and_bow.counter import CounterPiece, draw_counter, draw_leader
from brickphys.plots.blade_and_bow.ground import draw_ground, ground_patches
from brickphys.plots.blade_and_bow.sheet import BOTH_SIDES_MM, draw_both_sides, sheets_figure
from brickphys.plots.colors import player_rgb
from brickphys.plots.labels import Box
from brickphys.plots.marks import Mark
from brickphys.plots.painter import Painter
from brickphys.plots.pieces import Pieces, letter_groups


class BladeAndBowPainter(Painter[State]):
    """Draws the map, the counters and the sheets."""

    unit = "squares"
    least_inches = 0.44

    def size(self, state: State) -> Point:
        """Return the columns and the rows of the map."""
        return state.setting.grid.width, state.setting.grid.length

    def players(self, state: State) -> tuple[str, ...]:
        """Return the names of the players."""
        return state.setting.players

    def colours(self, state: State) -> tuple[str, ...]:
        """Return the colours of the players."""
        return state.setting.colours

    def ground(self, state: State) -> Hashable:
        """Return the camps, and which of them are sacked."""
        return state.camps, state.sacked

    def draw_ground(self, state: State, ax: Axes) -> None:
        """Draw the terrain, the slopes, the walls and the camps."""
        draw_ground(state, ax)

    def pieces(self, state: State) -> Pieces:
        """Return the units with the letters of the map, and the leaders."""
        counters = list(_counters(state))
        marks = [Mark(draw_counter, (piece,)) for piece in counters]
        colors = state.setting.colours
        for square, (leader, *_) in state.leaders_at.items():
            spec = state.setting.leaders[leader]
            given = middle(state.setting, square), player_rgb(colors[spec.player]), spec.rank
            marks.append(Mark(draw_leader, given))
        return Pieces(tuple(marks), taken=tuple(Box(*one.at, 0.45, 0.45) for one in counters))

    def legend(self, state: State) -> Sequence[Patch]:
        """Return the terrain of the map."""
        return list(ground_patches(state))

    def signs(self, state: State) -> str:
        """Return what letters and signs stand for."""
        return (
            f"{_groups(state)}. Pale: disrupted. +n: ranks, ? if hidden. Pentagon: leader, by rank. "
            "Bar in front: shield wall. Tent: camp."
        )

    def sheets_figure(self, sheets: Sequence[Any]) -> Figure:
        """Return a picture of sheets side by side (see `brickphys.blade_and_bow.report`)."""
        return sheets_figure(sheets)

    def true_size_mm(self, sheet: Any) -> Point:
        """Return width and height of both sides of a counter, which have no true size."""
        return BOTH_SIDES_MM

    def draw_true_size(self, sheet: Any, ax: Axes) -> None:
        """Draw both sides of a counter."""
        draw_both_sides(sheet, ax)


def _counters(state: State) -> Iterator[CounterPiece]:
    """Yield the units on the map as they are drawn."""
    setting, letters = state.setting, unit_letters(state.setting)
    colors = setting.colours
    for square, number in state.at.items():
        spec, unit = setting.units[number], state.units[number]
        yield CounterPiece(
            at=middle(setting, square),
            facing=unit.facing,
            counter=spec.counter,
            color=player_rgb(colors[spec.player]),
            letter=letters[number],
            ranks=ranks_text(state, number),
            disrupted=unit.disrupted,
            wall=unit.wall,
            marker=unit.marker,
        )


def _groups(state: State) -> str:
    """Return the names that letters stand for."""
    setting = state.setting
    names = (spec.name for spec in setting.units)
    return letter_groups(zip(unit_letters(setting), names, strict=True))
