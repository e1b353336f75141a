"""Pictures of Minifig battles: the table with its zones, woods and walls, and all on it; and the land of a campaign."""

from collections.abc import Hashable, Iterator, Sequence
from typing import Any, ClassVar

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas
from matplotlib.patches import Circle, Ellipse, Patch, PathPatch, Polygon, Rectangle
from matplotlib.path import Path

from brickphys.geometry.polygon import Point
from brickphys.geometry.pose import Pose
from brickphys.minifig.campaign.state import GRID, Bend, Direction, River, Square, SquareGround
from brickphys.minifig.campaign.story import KnownLand, land_scene
from brickphys.minifig.scene import TREE_IN, battle_scene, tree_places
from brickphys.minifig.setting import Zone, ZoneKind
from brickphys.minifig.sheets import INCH_MM, charts
from brickphys.minifig.state import State
from brickphys.plots import painter
from brickphys.plots.colors import Color, array_of, rgb
from brickphys.plots.games.minifig_figures import (
    SIZE_INCHES,
    draw_sheet,
    draw_thing,
    draw_true_size,
    figure_marks,
    thing_marks,
    true_size_mm,
)
from brickphys.plots.labels import Extent, Mark
from brickphys.rules.report.sheets import ArmyUnit
from brickphys.rules.scene import Piece, Scene
from brickphys.text import counted
from brickphys.units import BRICK_MM, Array

_GRASS, _WOODS, _WATER = "#cdd3a4", "#9db579", "#7fb0d6"
_INCHES_A_BRICK = BRICK_MM / 25.4
_LIGHT = 0.6
"""Length of a shadow over the height of what throws it."""


def draw_ground(state: State, ax: Axes) -> None:
    """Draw the table with its zones, the hills from the lowest to the highest, and its walls."""
    setting = state.setting
    grass = Rectangle((0, 0), setting.width_in, setting.length_in, fc=_GRASS, lw=0, zorder=0)
    ax.add_patch(grass)
    for order, zone in enumerate(sorted(setting.zones, key=lambda zone: zone.height_bricks)):
        _draw_zone(zone, 1 + order / len(setting.zones), ax)
    for wall, out in zip(setting.walls, state.walls, strict=True):
        for run in wall.runs(out):
            corners = np.array(wall.corners_in(run.first_stud, run.end_stud))
            painter.draw_shadow(corners, _LIGHT * run.height_bricks * _INCHES_A_BRICK, 3.0, ax)
            _draw_wall(corners, run.end_stud - run.first_stud, wall_color(run.height_bricks), ax)


def ground_patches(state: State) -> Iterator[Patch]:
    """Yield the entries of the legend for the ground and the walls on a table."""
    zones = state.setting.zones
    style: dict[str, Any] = {"ec": "black", "lw": 0.6}
    if any(zone.kind is ZoneKind.WOODS for zone in zones):
        yield Patch(fc=_WOODS, label="woods", **style)
    if any(zone.kind is ZoneKind.WATER for zone in zones):
        yield Patch(fc=_WATER, label="water", **style)
    for bricks in sorted({zone.height_bricks for zone in zones if zone.kind is ZoneKind.HILL}):
        label = f"hill, {counted(bricks, 'brick')} high"
        yield Patch(fc=_hill_color(bricks), label=label, **style)
    for bricks in sorted(wall_heights(state)):
        label = f"wall, {counted(bricks, 'brick')} high"
        yield Patch(fc=wall_color(bricks), label=label, **style)


def wall_heights(state: State) -> set[int]:
    """Return how many bricks high the parts of the walls are."""
    walls = zip(state.setting.walls, state.walls, strict=True)
    return {run.height_bricks for wall, out in walls for run in wall.runs(out)}


def _hill_color(bricks: int) -> Color:
    shade = 1 / (1 + 0.12 * bricks)
    red, green, blue = (shade * array_of("tan")).tolist()
    return red, green, blue


def wall_color(bricks: int) -> Color:
    """Return the grey of a wall: the higher, the lighter, with steps that are seen between low ones."""
    shade = 0.97 * (1 - 0.66**bricks)
    return shade, shade, shade


def _draw_zone(zone: Zone, zorder: float, ax: Axes) -> None:
    corners = np.array(zone.corners_in)
    if zone.kind is ZoneKind.HILL:
        painter.draw_shadow(corners, _LIGHT * zone.height_bricks * _INCHES_A_BRICK, zorder, ax)
        brown = _hill_color(zone.height_bricks)
        painter.draw_polygons([corners], ax, fc=brown, ec="#8a7550", lw=1.0, zorder=zorder + 1e-3)
        return
    color, edge = (_WOODS, "#6f8a4d") if zone.kind is ZoneKind.WOODS else (_WATER, "#4f86b3")
    painter.draw_polygons([corners], ax, fc=color, ec=edge, lw=1.0, zorder=zorder)
    if zone.kind is ZoneKind.WOODS:
        for x, y in tree_places(corners):
            for size, shift, fill in ((1.0, 0.0, "#4d6b33"), (0.6, 0.1, "#648a41")):
                at = x - shift * TREE_IN, y + shift * TREE_IN
                tree = Circle(at, size * TREE_IN, fc=fill, lw=0, alpha=0.75, zorder=zorder + 1e-3)
                ax.add_patch(tree)


def _draw_wall(corners: Array, studs: int, color: Color, ax: Axes) -> None:
    painter.draw_polygons([corners], ax, fc=color, ec="black", lw=0.7, zorder=3.1)
    start, across, _, along = corners[0], *(corners[n] - corners[0] for n in (1, 2, 3))
    for number in range(studs):
        for side in (0.25, 0.75):
            at = tuple((start + side * across + (number + 0.5) / studs * along).tolist())
            stud = Circle(at, 0.09, fc=color, ec="black", lw=0.3, zorder=3.2)
            ax.add_patch(stud)


class MinifigPainter(painter.Painter[State]):
    """Draws the table, the figures and their sheets."""

    kinds: ClassVar = {"thing": thing_marks, "figure": figure_marks, "item": painter.tile_marks}
    unit = "inches"
    unit_mm = INCH_MM

    scene = staticmethod(battle_scene)
    draw_ground = staticmethod(draw_ground)
    true_size_mm = staticmethod(true_size_mm)
    draw_true_size = staticmethod(draw_true_size)

    def ground(self, state: State) -> Hashable:
        return state.walls

    def pieces(self, state: State) -> painter.Pieces:
        """Return figures, things and items with their names; no label is to cover a figure."""
        figures = self.scene(state).of("figure")
        bodies = (Extent.of(one) for one in figures if not one.what.is_dog)
        return super().pieces(state) + painter.Pieces(taken=tuple(bodies))

    def label(self, scene: Scene, piece: Piece) -> str:
        """Return what is written beside a piece: where figures are many, nothing beside horses and items."""
        is_small = piece.kind == "item" or (piece.kind == "thing" and piece.what.is_ridden)
        return "" if scene.is_crowded and is_small else super().label(scene, piece)

    def legend(self, state: State) -> Sequence[Patch]:
        """Return the ground, the walls, and the colours of bases."""
        worn = sorted({state.setting.figures[number].experience for number in state.alive})
        colours = charts().colours
        style: dict[str, Any] = {"ec": "black", "lw": 0.6}
        told = "middle of the base: experience"
        bases = (Patch(fc=rgb(colours[at]), label=f"{told} {at}", **style) for at in worn)
        return [*ground_patches(state), *bases]

    def later_entries(self, state: State) -> int:
        courses = max((wall.courses for wall in state.setting.walls), default=0)
        return courses - len(wall_heights(state))

    def signs(self, state: State) -> str:
        """Return the signs of figures, if they are many, and of items, if some lie about."""
        letters = self.letters_text(state)
        letters += " Rim of a base: player." * bool(letters)
        items = "White diamond: items." if any(item.at_in for item in state.items) else ""
        return f"{letters} {items}".strip()

    def sheets_figure(self, sheets: Sequence[Any]) -> Canvas:
        canvas, axes = painter.sheet_axes(len(sheets), SIZE_INCHES)
        for ax, sheet in zip(axes, sheets, strict=True):
            draw_sheet(sheet, ax)
        return canvas

    def draw_footprint(self, unit: ArmyUnit, heading_deg: float, ax: Axes) -> None:
        draw_thing(charts().things[unit.name], Pose(0.0, 0.0, heading_deg), False, ax)


_UNKNOWN = (0.93, 0.89, 0.80)
_LAND_WATER = (0.36, 0.60, 0.80)
_LAND = (0.70, 0.80, 0.52)
_COLORS = {
    SquareGround.OPEN: _LAND,
    SquareGround.WOODS: (0.33, 0.52, 0.30),
    SquareGround.VILLAGE: (0.84, 0.74, 0.52),
    SquareGround.POND: _LAND,
    SquareGround.SHORE: (0.86, 0.85, 0.66),
    SquareGround.LAKE: _LAND_WATER,
    SquareGround.RIVER: _LAND,
}
_LEGEND = {
    "open land": _LAND,
    "woods": _COLORS[SquareGround.WOODS],
    "village": _COLORS[SquareGround.VILLAGE],
    "shore": _COLORS[SquareGround.SHORE],
    "water": _LAND_WATER,
}
_FEW_SQUARES = 4 * GRID
"""Along a side with a tick at every third square; a longer one has a tick in each grid."""
_TREES = ((0.25, 0.3), (0.65, 0.25), (0.45, 0.6), (0.8, 0.7), (0.2, 0.75))
_HOUSES = ((0.2, 0.25), (0.55, 0.5))
_RIVER_ASIDE = 0.28
"""How far a river runs beside the middle of a square."""
_STEPS = {side: np.array(side.step, dtype=float) for side in Direction}


class CampaignPainter(painter.Painter[KnownLand]):
    """Draws what the party knows; what nobody knows is blank. Heavy lines part the grids of 9 x 9 squares."""

    kinds: ClassVar = {
        "square": lambda _, one: [Mark(_draw_square, (one.at, one.what))],
        "party": lambda scene, one: [Mark(painter.draw_figure, (_party(scene, one),))],
    }
    unit = "squares"

    def scene(self, state: KnownLand) -> Scene:
        return land_scene(state)

    def legend(self, state: KnownLand) -> Sequence[Patch]:
        """Return a colour for each kind of ground, and the lines between grids if there are any."""
        entries = [
            Patch(facecolor=color, edgecolor="black", lw=0.6, label=name)
            for name, color in _LEGEND.items()
        ]
        edges = Patch(facecolor="black", alpha=0.5, label="line: edge of a grid")
        return [*entries, *[edges] * (max(self.size(state)) > GRID)]

    def draw_ground(self, state: KnownLand, ax: Axes) -> None:
        ax.set_facecolor(_UNKNOWN)
        width, length = self.size(state)
        for ticks, lines, low, count in (
            (ax.set_xticks, ax.axvline, state.low[0], round(width)),
            (ax.set_yticks, ax.axhline, state.low[1], round(length)),
        ):
            apart = 3 if count <= _FEW_SQUARES else GRID
            middles = range(GRID // 2 % apart, count, apart)
            ticks([middle + 0.5 for middle in middles], [str(low + middle) for middle in middles])
            for edge in range(GRID, count, GRID):
                lines(edge, color="black", lw=1.2, alpha=0.5, zorder=4.5)


def _party(scene: Scene, piece: Piece) -> painter.Figure:
    x, y = piece.at
    return painter.Figure(x, y, piece.heading_deg, scene.colour(piece) or "", stud=0.6)


def _draw_square(middle: Point, square: Square, ax: Axes) -> None:
    """Draw the ground of a square, with trees, houses, water or a river."""
    x, y = (one - 0.5 for one in middle)
    color = _COLORS[square.ground]
    corners = [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]
    ax.add_artist(Polygon(corners, fc=color, ec=(0, 0, 0, 0.15), lw=0.5, zorder=4))
    if square.ground is SquareGround.WOODS:
        trees = (Path.circle((x + east, y + north), 0.12) for east, north in _TREES)
        wood = Path.make_compound_path(*trees)
        ax.add_artist(PathPatch(wood, fc=(0.16, 0.36, 0.18), lw=0, zorder=4.2))
    elif square.ground is SquareGround.VILLAGE:
        for east, north in _HOUSES:
            wall = ((0, 0), (0.28, 0), (0.28, 0.16), (0.14, 0.32), (0, 0.16))
            outline = [(x + east + a, y + north + b) for a, b in wall]
            ax.add_artist(Polygon(outline, fc=(0.62, 0.24, 0.18), ec="black", lw=0.5, zorder=4.2))
    elif square.ground is SquareGround.POND:
        ax.add_artist(Ellipse((x + 0.5, y + 0.45), 0.55, 0.35, fc=_LAND_WATER, lw=0, zorder=4.2))
    if square.river is not None:
        _draw_river(square.river, middle, ax)


def _draw_river(river: River, middle: Point, ax: Axes) -> None:
    """Draw a river beside the middle of a square, from where the party came in to where it flows out."""
    aside = _RIVER_ASIDE * _STEPS[river.along.turned(river.side)]
    if river.bend is Bend.STRAIGHT:
        points = [aside - 0.5 * _STEPS[river.along], aside + 0.5 * _STEPS[river.along]]
    else:
        out = _RIVER_ASIDE * _STEPS[river.flow.turned(river.side)]
        corner = aside + out
        points = [aside - 0.5 * _STEPS[river.along], corner, out + 0.5 * _STEPS[river.flow]]
    course = np.array(points) + middle
    painter.draw_way(course, ax, color=_LAND_WATER, lw=4, solid_capstyle="round", zorder=4.3)
