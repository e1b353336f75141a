"""Pictures of BOW battles: the field with ground, decor and legend; figures, vehicles and objects."""

from collections.abc import Hashable, Sequence
from itertools import product
from math import floor
from typing import Any, ClassVar

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import EllipseCollection
from matplotlib.figure import Figure as Canvas
from matplotlib.patches import Circle, Patch

from brickphys.bow.field import BRICK_PLATES, FIGURE_PLATES, Decor, DecorType, Field
from brickphys.bow.scene import battle_scene
from brickphys.bow.sheets.plate import headline, summary
from brickphys.bow.state import State
from brickphys.bow.terrain import Terrain
from brickphys.geometry.polygon import TOLERANCE, Polygon
from brickphys.geometry.pose import Pose
from brickphys.grid.grid import each
from brickphys.plots import painter
from brickphys.plots.colors import Color, array_of, player_rgb
from brickphys.plots.games import bow_sheet
from brickphys.plots.games.bow_colors import decor_color, ground_colors, open_style
from brickphys.plots.labels import Extent, Label, Mark
from brickphys.rules.report.sheets import ArmyUnit
from brickphys.rules.scene import Piece, Scene
from brickphys.text import short_name, spoken
from brickphys.units import STUD_MM, Array
from brickphys.vehicles.scene import Vehicle

_MOST_PATCHES = 14
_OPEN = "open "


def height_patches(terrain: Terrain) -> list[Patch]:
    """Return the entries of the legend: the heights of the ground and of all sorts of decor."""
    heights: dict[tuple[str, Color], set[float]] = {}
    grounds = sorted(set(terrain.field.grounds_plates))
    if len(grounds) > 1:
        for plates, color in zip(grounds, ground_colors(np.array(grounds)).tolist(), strict=True):
            heights.setdefault(("ground", tuple(color)), set()).add(plates)
    for decor in terrain.field.decor:
        kind, color = decor.kind.value, decor_color(decor)
        if decor.id in terrain.open_ids:
            kind = f"{_OPEN}{kind}"
        studs = each(terrain.field.decor_studs[decor.id])
        base = min(terrain.field.grounds_plates[stud] for stud in studs)
        heights.setdefault((kind, color), set()).add(decor.top_plates - base)
    return [
        Patch(**_style(kind, color), label=f"{kind}, {_bricks(found)}")
        for (kind, color), found in list(heights.items())[:_MOST_PATCHES]
    ]


def _style(kind: str, color: Color) -> dict[str, Any]:
    if kind.startswith(_OPEN):
        return open_style(color)
    return {"facecolor": color, "edgecolor": "black", "lw": 0.6}


def _bricks(heights_plates: set[float]) -> str:
    """Write heights in bricks, or in plates unless all are whole bricks."""
    unit, plates = ("plates", 1.0), sorted(heights_plates)
    if all(height % BRICK_PLATES == 0 for height in plates):
        unit = ("bricks", BRICK_PLATES)
    shown = [f"{height / unit[1]:g}" for height in plates]
    if shown == ["1"]:
        return f"1 {unit[0].removesuffix('s')}"
    return f"{shown[0]} {unit[0]}" if len(shown) == 1 else f"{shown[0]} to {shown[-1]} {unit[0]}"


_STUD_RADIUS = 0.3
_LONGEST_SHADOW_PLATES = 30.0


def draw_terrain(terrain: Terrain, ax: Axes) -> None:
    """Draw the ground and the decor of a battlefield."""
    field = terrain.field
    _draw_ground(field, ax)
    for order, decor in enumerate(sorted(field.decor, key=lambda decor: decor.top_plates)):
        _draw_decor(field, decor, decor.id in terrain.open_ids, 3 + order / len(field.decor), ax)


def _draw_ground(field: Field, ax: Axes) -> None:
    colors = ground_colors(np.array(field.grounds_plates))
    painter.draw_cells(colors.reshape(field.length, field.width, 3), ax)
    middles = np.array([field.stances[stud][:2] for stud in range(field.width * field.length)])
    _draw_round_studs(middles, colors, 1.0, ax)
    _draw_steps(field, ax)


def _draw_steps(field: Field, ax: Axes) -> None:
    """Draw an edge where the ground rises or falls, thick where it cannot be walked."""
    ground = np.array(field.grounds_plates).reshape(field.length, field.width)
    for axis in (0, 1):
        rises = np.abs(np.diff(ground, axis=axis))
        for row, column in np.argwhere(rises > 0).tolist():
            x, y = (column, row + 1) if axis == 0 else (column + 1, row)
            steep = rises[row, column] > field.step_plates
            end = (x + 1, y) if axis == 0 else (x, y + 1)
            width = 1.6 if steep else 0.5
            ax.plot(*zip((x, y), end, strict=True), color="black", lw=width, zorder=2)


def _draw_decor(field: Field, decor: Decor, is_open: bool, zorder: float, ax: Axes) -> None:
    corners = decor.footprint.vertices_studs
    color = np.array(decor_color(decor))
    if is_open:
        painter.draw_polygons([corners], ax, zorder=zorder, **open_style(decor_color(decor)))
        return
    shadow_plates = min(decor.top_plates, _LONGEST_SHADOW_PLATES)
    painter.draw_shadow(corners, painter.SHADOW_A_PLATE * shadow_plates, 2.5, ax)
    style: dict[str, Any] = {"facecolor": color, "edgecolor": 0.45 * color, "lw": 0.9}
    if decor.locked:
        style["hatch"] = "xx"
    if _is_overhead(field, decor):
        style |= {"facecolor": (*color, 0.3), "ls": ":"}
    painter.draw_polygons([corners], ax, zorder=zorder, **style)
    if decor.kind is DecorType.TREE:
        _draw_crown(corners, zorder + 0.001, ax)
    elif not decor.kind.opens and not _is_overhead(field, decor):
        middles = [field.stances[stud][:2] for stud in each(field.decor_studs[decor.id])]
        inside = [middle for middle in middles if _holds(decor.footprint, middle)]
        if inside:
            _draw_round_studs(np.array(inside), np.array([color]), zorder + 0.001, ax)


def _draw_crown(corners: Array, zorder: float, ax: Axes) -> None:
    """Draw the leaves of a tree over its trunk: three rounds, the highest the smallest and lightest."""
    middle, size = corners.mean(axis=0), float(np.ptp(corners, axis=0).mean())
    for level, share in enumerate((1.15, 0.85, 0.5)):
        leaf = (array_of("green") + array_of("yellow") * 0.35 * level) / (1 + 0.35 * level)
        color = np.clip(leaf * 0.85, 0, 1)
        x, y = (middle + 0.04 * level * size * np.array([-1.0, 1.0])).tolist()
        leaves = Circle((x, y), share * size / 2, fc=color, ec=0.6 * color, lw=0.8)
        leaves.set_zorder(zorder + 0.0001 * level)
        ax.add_patch(leaves)


def _is_overhead(field: Field, decor: Decor) -> bool:
    levels = [field.levels_plates[stud] for stud in each(field.decor_studs[decor.id])]
    return decor.bottom_plates >= max(levels) + FIGURE_PLATES


def _holds(polygon: Polygon, middle: tuple[float, float]) -> bool:
    """Return whether a whole stud is on a polygon."""
    reach = polygon.normals @ np.array(middle)
    return bool((reach <= polygon.offsets_studs - _STUD_RADIUS).all())


def _draw_round_studs(middles: Array, colors: Array, zorder: float, ax: Axes) -> None:
    """Draw studs: a shadow, and the stud itself a little lighter than the brick."""
    size = 2 * _STUD_RADIUS
    for shift, shade in ((0.05, 0.72), (0.0, 1.12)):
        places: dict[str, Any] = {
            "offsets": middles + np.array([shift, -shift]),
            "offset_transform": ax.transData,
        }
        studs = EllipseCollection(size, size, 0, units="xy", **places)
        studs.set(facecolors=np.clip(colors * shade, 0, 1), lw=0, zorder=zorder)
        ax.add_collection(studs)


_SHEET_COLUMNS = 3
_STUD_RADIUS_STUDS = 0.3
_LABELLED_STUDS = 5
"""Studs from one number along an axis to the next."""


class BowPainter(painter.Painter[State]):
    """Draws the field, the pieces and the sheets of BOW."""

    kinds: ClassVar = {
        "object": painter.tile_marks,
        "vehicle": lambda scene, one: [Mark(_draw_vehicle, (one.what.body, scene.colour(one)))],
        "figure": lambda scene, one: [Mark(painter.draw_figure, (_figure(scene, one),))],
    }

    scene = staticmethod(battle_scene)

    def ground(self, state: State) -> Hashable:
        return state.open_ids

    def draw_ground(self, state: State, ax: Axes) -> None:
        """Draw ground and decor; the numbers along the axes are those of studs, in the middle of each."""
        draw_terrain(state.board.terrain, ax)
        for label, studs in zip((ax.set_xticks, ax.set_yticks), self.size(state), strict=True):
            numbers = range(0, int(studs), _LABELLED_STUDS)
            label([number + 0.5 for number in numbers], [str(number) for number in numbers])

    def pieces(self, state: State) -> painter.Pieces:
        """Return figures, vehicles and objects; figures are named first, and no label is to cover one."""
        scene = self.scene(state)
        bodies = (Extent(one.x, one.y, 0.6, 0.6) for one in figures(state))
        labels = (
            Label(text, Extent.of(one), scene.colour(one))
            for kind in reversed(self.kinds)
            for one in scene.of(kind)
            if (text := self.label(scene, one))
        )
        return painter.Pieces(super().pieces(state).marks, tuple(labels), tuple(bodies))

    def label(self, scene: Scene, piece: Piece) -> str:
        """Return a name without that of the player, of a vehicle with its crew; of many units their letters."""
        if piece.kind == "vehicle":
            crew = piece.what.crew
            return spoken(piece.name) + (f" ({', '.join(crew)})" if crew else "")
        if piece.kind == "object":
            here = (one.label for one in scene.of("object") if one.at == piece.at)
            return "" if scene.is_crowded or piece.order else ", ".join(here)
        if scene.is_crowded or piece.parent:
            return piece.letter
        return short_name(piece.name, scene.players)

    def called(self, state: State, unit: str) -> str:
        """Return the name of a unit or vehicle, or the letter of a unit on the map where there are many."""
        scene = self.scene(state)
        letter = scene.letters.get(unit) if scene.is_crowded else None
        return letter or short_name(unit, scene.players)

    def legend(self, state: State) -> Sequence[Patch]:
        """Return the heights of ground and decor by their colours."""
        return height_patches(state.board.terrain)

    def later_entries(self, state: State) -> int:
        """Return the sorts of doors and windows, which get entries of their own when they are opened."""
        return len({decor.kind for decor in state.setting.field.decor if decor.kind.opens})

    def signs(self, state: State) -> str:
        """Return the signs of units, if they are many, and of objects, if some lie about."""
        scene = self.scene(state)
        named = ((sign, short_name(name, scene.players)) for name, sign in scene.letters.items())
        letters = f"Letters: {painter.letter_groups(named)}." if scene.is_crowded else ""
        objects = "White diamond: object on the ground." if state.objects else ""
        return f"{letters} {objects}".strip()

    def sheets_figure(self, sheets: Sequence[Any]) -> Canvas:
        canvas, axes = painter.sheet_axes(len(sheets), bow_sheet.SIZE_INCHES, _SHEET_COLUMNS)
        for ax, one in zip(axes, sheets, strict=True):
            bow_sheet.draw_sheet(
                one.plate, spoken(one.name), headline(one.sheet), summary(one.sheet), ax
            )
        return canvas

    def true_size_mm(self, sheet: Any) -> tuple[float, float]:
        """Return width and height of a sheet with its labels, a stud being 8 mm."""
        return bow_sheet.true_plate_size_mm(sheet.plate)

    def draw_true_size(self, sheet: Any, ax: Axes) -> None:
        """Draw a sheet as a plate in true size, on which one of bricks can be built."""
        bow_sheet.draw_true_plate(sheet.plate, ax).set_gid(f"plate-{sheet.name}")

    def draw_footprint(self, unit: ArmyUnit, heading_deg: float, ax: Axes) -> None:
        """Draw the studs on which a vehicle stands, from its front left corner on."""
        assert unit.footprint is not None
        long, wide = (size / STUD_MM for size in unit.footprint.size_mm)
        pose = Pose(0.0, 0.0, heading_deg)
        for row, column in product(range(_whole(long)), range(_whole(wide))):
            at = pose.on_field((long / 2 - 0.5 - row, wide / 2 - 0.5 - column))
            ax.add_patch(Circle(at, _STUD_RADIUS_STUDS, fc="none", ec="#c3c9ce", lw=0.4))


def _whole(studs: float) -> int:
    """Return how many whole studs fit into a length."""
    return floor(studs + TOLERANCE)


def figures(state: State) -> list[painter.Figure]:
    """Return the figures that can be seen: on a stud, or in an open seat."""
    scene = battle_scene(state)
    return [_figure(scene, one) for one in scene.pieces if one.kind == "figure"]


def _figure(scene: Scene, one: Piece) -> painter.Figure:
    at, heading_deg = one.at, one.heading_deg
    if one.parent:
        (carrier,) = (other for other in scene.of("vehicle") if other.id == one.parent)
        at, heading_deg = carrier.pose.on_field(at), carrier.heading_deg
    return painter.Figure(*at, heading_deg, scene.colour(one) or "")


def _draw_vehicle(vehicle: Vehicle, color: str, ax: Axes) -> None:
    """Draw a vehicle: its body, and a windscreen and a nose towards its front."""
    corners = vehicle.prism.footprint.vertices_studs
    painter.draw_shadow(corners, painter.SHADOW_A_PLATE * vehicle.top_plates, 4.4, ax)
    painter.draw_polygons(
        [corners], ax, facecolor=player_rgb(color), edgecolor="black", lw=1.2, zorder=4.5
    )
    ahead = np.array(vehicle.heading)
    left = np.array([-ahead[1], ahead[0]])
    middle = np.array(vehicle.centre_studs)
    half_length, half_width = vehicle.length_studs / 2, 0.8 * vehicle.width_studs / 2
    screen = ((0.25, 1), (0.25, -1), (0.45, -0.85), (0.45, 0.85))
    nose = ((0.6, 0.45), (0.6, -0.45), (0.9, 0.0))
    for outline, facecolor in ((screen, array_of("glass")), (nose, "white")):
        polygon = [
            middle + along * half_length * ahead + aside * half_width * left
            for along, aside in outline
        ]
        style = {"facecolor": facecolor, "edgecolor": "black", "lw": 0.8, "zorder": 4.6}
        painter.draw_polygons([np.array(polygon)], ax, **style)
