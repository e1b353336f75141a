"""Pictures of a battlefield from above: baseplates, bricks with their studs, figures and vehicles."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from brickphys.arrays import Array
from brickphys.bow.field.field import Decor, DecorType
from brickphys.geometry.polygon import Polygon, unit_vector
from brickphys.grid.bitset import each
from brickphys.plots.bow.colors import array_of, decor_color, ground_colors, open_style
from brickphys.plots.bow.labels import Box, Label, draw_labels
from brickphys.vehicles.scene_rules import FIGURE_PLATES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from brickphys.bow.field.field import Field, Stud, Studs
    from brickphys.bow.field.terrain import Terrain
    from brickphys.vehicles.scene import Vehicle

_STUD_RADIUS = 0.3
_SHADOW_STUDS_A_PLATE = 0.045
"""Light comes from the upper left: how long the shadow of a plate is, along x and along -y."""
_LONGEST_SHADOW_PLATES = 30.0


@dataclass(frozen=True)
class Figure:
    """A figure as it is drawn.

    Attributes
    ----------
    x_studs, y_studs
        Its middle.
    heading_deg
        Where it looks, counter-clockwise from +x.
    color
        Of its torso: a name of `brickphys.shapes.palette`.
    name
        Written beside it.
    """

    x_studs: float
    y_studs: float
    heading_deg: float
    color: str
    name: str = ""


@dataclass(frozen=True)
class Paint:
    """A vehicle as it is drawn: its place, the colour of its bricks, and who sits in which seat."""

    vehicle: "Vehicle"
    color: str = "red"
    crew: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """What is written beside it."""
        name = self.vehicle.id.replace("_", " ")
        return f"{name} ({', '.join(self.crew)})" if self.crew else name


@dataclass(frozen=True)
class Tile:
    """Something that lies about, by its middle and its name."""

    x_studs: float
    y_studs: float
    name: str


def draw_terrain(terrain: "Terrain", ax: "Axes") -> None:
    """Draw the ground and the decor of a battlefield."""
    field = terrain.field
    ax.set(xlim=(0, field.width), ylim=(0, field.length), aspect="equal")
    ax.set(xlabel="studs", ylabel="studs")
    _draw_ground(field, ax)
    for order, decor in enumerate(sorted(field.decor, key=lambda decor: decor.top_plates)):
        _draw_decor(field, decor, decor.id in terrain.open_ids, 3 + order / len(field.decor), ax)


def draw_pieces(
    figures: Sequence[Figure],
    vehicles: Sequence[Paint],
    ax: "Axes",
    tiles: Sequence[Tile] = (),
    labels: Sequence[Label] = (),
    written: Sequence[Box] = (),
) -> None:
    """Draw pieces on a battlefield that is drawn; names and other labels over nothing else, nor what is written."""
    for tile in tiles:
        _draw_tile(tile, ax)
    for paint in vehicles:
        _draw_vehicle(paint, ax)
    for figure in figures:
        _draw_figure(figure, ax)
    bodies = [Box(figure.x_studs, figure.y_studs, 0.6, 0.6) for figure in figures]
    names = [figure.name for figure in figures]
    named = [Label(name, body) for name, body in zip(names, bodies, strict=True) if name]
    named += [Label(paint.label, _space(paint)) for paint in vehicles]
    named += [Label(tile.name, Box(tile.x_studs, tile.y_studs, 0.45, 0.45)) for tile in tiles]
    draw_labels([*labels, *named], [*bodies, *written], ax)


def _space(paint: Paint) -> Box:
    """Return the box around a vehicle."""
    (left, low), (right, high) = paint.vehicle.prism.footprint.box_studs
    return Box((left + right) / 2, (low + high) / 2, (right - left) / 2, (high - low) / 2)


def draw_studs(field: "Field", studs: "Studs", color: str, ax: "Axes") -> None:
    """Shade a set of studs, such as those that a figure can reach."""
    squares = [_square(*field.xy(stud)) for stud in each(studs)]
    _draw_polygons(squares, ax, facecolor=array_of(color), alpha=0.45, lw=0, zorder=2.9)


def draw_path(field: "Field", path: Sequence["Stud"], color: str, ax: "Axes") -> None:
    """Draw the way of a figure from stud to stud, with an arrow at its end."""
    middles = np.array([field.stances[stud][:2] for stud in path])
    ax.plot(*middles.T, color="white", lw=4, solid_capstyle="round", zorder=5.2)
    ax.plot(*middles.T, color=array_of(color), lw=2, solid_capstyle="round", zorder=5.3)
    if len(path) > 1:
        style = {"arrowstyle": "-|>", "color": array_of(color), "lw": 2, "shrinkA": 0, "shrinkB": 0}
        ax.annotate("", xy=middles[-1], xytext=middles[-2], arrowprops=style, zorder=5.4)


def _draw_ground(field: "Field", ax: "Axes") -> None:
    from matplotlib.collections import PolyCollection

    colors = ground_colors(np.array(field.grounds_plates))
    places = [field.xy(stud) for stud in range(field.width * field.length)]
    squares = [_square(x, y) for x, y in places]
    ax.add_collection(PolyCollection(squares, facecolors=colors, edgecolors=colors, lw=0.3))
    middles = np.array(places) + 0.5
    _draw_round_studs(middles, colors, 1.0, ax)
    _draw_steps(field, ax)


def _draw_steps(field: "Field", ax: "Axes") -> None:
    """Draw an edge where the ground rises or falls, thick where it cannot be walked."""
    ground = np.array(field.grounds_plates).reshape(field.length, field.width)
    for axis in (0, 1):
        rises = np.abs(np.diff(ground, axis=axis))
        for row, column in np.argwhere(rises > 0).tolist():
            x, y = (column, row + 1) if axis == 0 else (column + 1, row)
            steep = rises[row, column] > field.step_plates
            end = (x + 1, y) if axis == 0 else (x, y + 1)
            ax.plot(
                *zip((x, y), end, strict=True), color="black", lw=1.6 if steep else 0.5, zorder=2
            )


def _draw_decor(field: "Field", decor: Decor, is_open: bool, zorder: float, ax: "Axes") -> None:
    corners = decor.footprint.vertices_studs
    color = np.array(decor_color(decor))
    if is_open:
        _draw_polygons([corners], ax, zorder=zorder, **open_style(decor_color(decor)))
        return
    _draw_shadow(corners, min(decor.top_plates, _LONGEST_SHADOW_PLATES), 2.5, ax)
    style: dict[str, Any] = {"facecolor": color, "edgecolor": 0.45 * color, "lw": 0.9}
    if decor.locked:
        style["hatch"] = "xx"
    if _is_overhead(field, decor):
        style |= {"facecolor": (*color, 0.3), "ls": ":"}
    _draw_polygons([corners], ax, zorder=zorder, **style)
    if decor.kind is DecorType.TREE:
        _draw_crown(corners, zorder + 0.001, ax)
    elif not decor.kind.opens and not _is_overhead(field, decor):
        middles = [field.stances[stud][:2] for stud in each(field.decor_studs[decor.id])]
        inside = [middle for middle in middles if _holds(decor.footprint, middle)]
        if inside:
            _draw_round_studs(np.array(inside), np.array([color]), zorder + 0.001, ax)


def _draw_crown(corners: Array, zorder: float, ax: "Axes") -> None:
    """Draw the leaves of a tree over its trunk: three rounds, the highest the smallest and lightest."""
    from matplotlib.patches import Circle

    middle, size = corners.mean(axis=0), float(np.ptp(corners, axis=0).mean())
    for level, share in enumerate((1.15, 0.85, 0.5)):
        leaf = (array_of("green") + array_of("yellow") * 0.35 * level) / (1 + 0.35 * level)
        color = np.clip(leaf * 0.85, 0, 1)
        x, y = (middle + 0.04 * level * size * np.array([-1.0, 1.0])).tolist()
        leaves = Circle((x, y), share * size / 2, fc=color, ec=0.6 * color, lw=0.8)
        leaves.set_zorder(zorder + 0.0001 * level)
        ax.add_patch(leaves)


def _is_overhead(field: "Field", decor: Decor) -> bool:
    """Tell whether figures walk below."""
    levels = [field.levels_plates[stud] for stud in each(field.decor_studs[decor.id])]
    return decor.bottom_plates >= max(levels) + FIGURE_PLATES


def _draw_shadow(corners: Array, rise_plates: float, zorder: float, ax: "Axes") -> None:
    """Draw the shadow of something so high, darkest at its foot."""
    for rise in np.linspace(0.25, 1.0, 4) * rise_plates * _SHADOW_STUDS_A_PLATE:
        shadow = corners + np.array([rise, -rise])
        _draw_polygons([shadow], ax, facecolor="black", alpha=0.1, lw=0, zorder=zorder)


def _holds(polygon: Polygon, middle: tuple[float, float]) -> bool:
    """Tell whether a whole stud is on a polygon."""
    reach = polygon.normals @ np.array(middle)
    return bool((reach <= polygon.offsets_studs - _STUD_RADIUS).all())


def _draw_round_studs(middles: Array, colors: Array, zorder: float, ax: "Axes") -> None:
    """Draw studs: a shadow, and the stud itself a little lighter than the brick."""
    from matplotlib.collections import EllipseCollection

    size = 2 * _STUD_RADIUS
    for shift, shade in ((0.05, 0.72), (0.0, 1.12)):
        ax.add_collection(
            EllipseCollection(
                size,
                size,
                0,
                units="xy",
                offsets=middles + np.array([shift, -shift]),
                offset_transform=ax.transData,
                facecolors=np.clip(colors * shade, 0, 1),
                lw=0,
                zorder=zorder,
            )
        )


def _draw_vehicle(paint: Paint, ax: "Axes") -> None:
    """Draw a vehicle: its body, a bonnet and a windscreen towards its front, its name."""
    vehicle, color = paint.vehicle, array_of(paint.color)
    corners = vehicle.prism.footprint.vertices_studs
    _draw_shadow(corners, vehicle.top_plates, 4.4, ax)
    _draw_polygons([corners], ax, facecolor=color, edgecolor="black", lw=1.2, zorder=4.5)
    ahead = np.array(vehicle.heading)
    left = np.array([-ahead[1], ahead[0]])
    middle = np.array(vehicle.centre_studs)
    half_length, half_width = vehicle.length_studs / 2, 0.8 * vehicle.width_studs / 2
    screen = [
        middle + along * half_length * ahead + side * half_width * left
        for along, side in ((0.25, 1), (0.25, -1), (0.45, -0.85), (0.45, 0.85))
    ]
    glass = array_of("glass")
    _draw_polygons([np.array(screen)], ax, facecolor=glass, edgecolor="black", lw=0.8, zorder=4.6)
    nose = [
        middle + along * half_length * ahead + side * half_width * left
        for along, side in ((0.6, 0.45), (0.6, -0.45), (0.9, 0.0))
    ]
    _draw_polygons([np.array(nose)], ax, facecolor="white", edgecolor="black", lw=0.8, zorder=4.6)


def _draw_tile(tile: Tile, ax: "Axes") -> None:
    from matplotlib.patches import RegularPolygon

    diamond = RegularPolygon((tile.x_studs, tile.y_studs), 4, radius=0.42, fc="white", ec="black")
    diamond.set_zorder(5.45)
    ax.add_patch(diamond)


def _draw_figure(figure: Figure, ax: "Axes") -> None:
    """Draw a figure from above: shoulders, hands in front of them, and a head with a nose to the front."""
    from matplotlib.patches import Circle, Ellipse

    middle = np.array([figure.x_studs, figure.y_studs])
    ahead = np.array(unit_vector(figure.heading_deg))
    left = np.array([-ahead[1], ahead[0]])
    skin, color = array_of("yellow"), array_of(figure.color)
    x, y = figure.x_studs, figure.y_studs
    ax.add_patch(Circle((x + 0.12, y - 0.12), 0.5, fc="black", alpha=0.3, lw=0, zorder=6))
    for side in (1, -1):
        hand_x, hand_y = (middle + 0.36 * ahead + side * 0.36 * left).tolist()
        ax.add_patch(Circle((hand_x, hand_y), 0.13, fc=skin, ec="black", lw=0.7, zorder=6.1))
    shoulders = Ellipse((x, y), 0.62, 1.08, angle=figure.heading_deg, fc=color, ec="black", lw=0.7)
    shoulders.set_zorder(6.2)
    ax.add_patch(shoulders)
    nose = np.array([middle + 0.2 * left, middle - 0.2 * left, middle + 0.5 * ahead])
    _draw_polygons([nose], ax, facecolor=skin, edgecolor="black", lw=0.7, zorder=6.3)
    ax.add_patch(Circle((x, y), 0.28, fc=skin, ec="black", lw=0.7, zorder=6.4))


def _square(x: int, y: int) -> Array:
    return np.array([(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)], dtype=float)


def _draw_polygons(polygons: Sequence[Array], ax: "Axes", **style: Any) -> None:
    from matplotlib.collections import PolyCollection

    ax.add_collection(PolyCollection(polygons, **style))
