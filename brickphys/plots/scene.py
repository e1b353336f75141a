"""Pictures of a compulsory move: footprints, the way, sectors, and points of contact."""

from itertools import pairwise
from math import ceil
from textwrap import shorten

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon

from brickphys.arrays import Array
from brickphys.plots.glyphs import label
from brickphys.plots.sectors import draw_sectors
from brickphys.text import counted
from brickphys.vehicles.course import Hit, Mover, MoveResult, PieceResult
from brickphys.vehicles.resolve import relative_speed
from brickphys.vehicles.scene import Scene, Thing, ThingType, Vehicle

_GROUND, _GRID, _WAY, _SWEPT = "#e4ecd9", "#d2dcc4", "#0055bf", "#bcd1d4"
_STEPS = 90
"""In which a piece of a course is drawn."""
_MOST_INSIDE, _MOST_LISTED, _COLUMNS = 4, 23, 3
"""Up to so many hits are told within the field; more are told below it in so many columns, the first of them."""
_LONGEST_NAME, _LONGEST_TITLE = 24, 110
"""Characters of a name and of a title that are shown."""
_COLORS = {ThingType.UNIT: "#f2cd37", ThingType.DECOR: "#8d8d88", ThingType.VEHICLE: "#c91a09"}


def scene_figure(scene: Scene, move: MoveResult) -> Figure:
    """Return a picture of a scene, the move of its vehicle, and what it hits, as high as the field needs."""
    field = scene.bounds
    height = min(max(8.0 * field.height_studs / field.width_studs, 3.0), 12.0)
    size_in = (9.0, height + 0.8 + 0.2 * _legend_rows(len(move.hits)))
    figure = Figure(figsize=size_in, dpi=120, layout="constrained")
    draw_scene(scene, move, figure.add_subplot())
    return figure


def draw_scene(scene: Scene, move: MoveResult, ax: Axes) -> None:
    """Draw a scene, the move of its vehicle, and what it hits."""
    _draw_field(scene, ax)
    _draw_way(scene, move, ax)
    hit_ids = {hit.id for hit in move.hits}
    for thing in scene.things:
        if isinstance(thing, Vehicle) and thing.id in hit_ids:
            draw_sectors(thing, scene.scheme, ax)
        if thing.id not in (scene.mover_id, *scene.lashed):
            _draw_thing(
                thing, ax, is_named=thing.id not in hit_ids or thing.type is not ThingType.UNIT
            )
    for number, hit in enumerate(move.hits, start=1):
        _draw_hit(number, hit, scene, ax)
    if move.hits:
        _draw_legend(len(move.hits), ax)
    _fit(scene, move, ax)
    title = f"{_short(move.vehicle_id)}, speed {scene.mover.speed}: {move.ending}"
    ax.set_title(label(shorten(title, _LONGEST_TITLE, placeholder=" ...")), fontsize=11)


def _draw_field(scene: Scene, ax: Axes) -> None:
    width, height = scene.bounds.width_studs, scene.bounds.height_studs
    ax.set(aspect="equal")
    ax.set(xlabel="studs", ylabel="studs")
    border = np.array([(0, 0), (width, 0), (width, height), (0, height)])
    _draw_polygon(border, ax, facecolor=_GROUND, edgecolor="#93a380", zorder=0)
    if width * height <= 5000:
        for x in np.arange(1.0, width):
            ax.plot([x, x], [0, height], color=_GRID, lw=0.5, zorder=0.5)
        for y in np.arange(1.0, height):
            ax.plot([0, width], [y, y], color=_GRID, lw=0.5, zorder=0.5)


def _fit(scene: Scene, move: MoveResult, ax: Axes) -> None:
    """Show the whole field, and the mover where it reaches over the border at the start or at the end."""
    size = (scene.bounds.width_studs, scene.bounds.height_studs)
    body = Mover.of(scene.mover, scene.lashed_vehicles).body
    ends = [body]
    for piece in move.pieces:
        ends.append(piece.motion.placed(ends[-1], piece.at))
    corners = [prism.footprint.vertices_studs for body in ends for prism in body]
    low, high = np.vstack([(0, 0), *corners]).min(axis=0), np.vstack([size, *corners]).max(axis=0)
    ax.set(xlim=(low[0] - 1, high[0] + 1), ylim=(low[1] - 1, high[1] + 1))


def _draw_way(scene: Scene, move: MoveResult, ax: Axes) -> None:
    """Draw the mover at the start of each piece and at the end, the area that it sweeps, and the way of its centre."""
    body = Mover.of(scene.mover, scene.lashed_vehicles).body
    centre = scene.mover.centre_studs
    for piece in move.pieces:
        for prism in body:
            _draw_swept(prism.footprint.vertices_studs, piece, ax)
            corners = prism.footprint.vertices_studs
            _draw_polygon(corners, ax, facecolor="none", edgecolor=_WAY, ls="--", zorder=3)
        for until, style in ((piece.at, "-"), (piece.motion.extent, ":")):
            shares = np.linspace(0.0, until, _STEPS + 1)
            way = np.array([_moved(np.array([centre]), piece, at)[0] for at in shares])
            ax.plot(*way.T, color=_WAY, lw=1, ls=style, zorder=4.2)
        ax.plot(*way[-1], ".", color=_WAY, markersize=4, zorder=4.2)
        body, centre = piece.motion.placed(body, piece.at), piece.end.centre_studs
    for prism in body:
        corners = prism.footprint.vertices_studs
        _draw_polygon(corners, ax, facecolor=_WAY, alpha=0.75, edgecolor="black", zorder=4)
    _draw_arrow(np.array(move.end_studs), np.array(move.end.heading), scene.mover.length_studs, ax)
    for part in (scene.mover, *scene.lashed_vehicles):
        _draw_name(part.id, part.centre_studs, "center", ax)


def _draw_swept(corners: Array, piece: PieceResult, ax: Axes) -> None:
    """Draw what the edges of a footprint sweep, in steps so small that arcs look round."""
    places = [_moved(corners, piece, at) for at in np.linspace(0.0, piece.at, _STEPS + 1)]
    edges = [
        np.array([before[i - 1], before[i], after[i], after[i - 1]])
        for before, after in pairwise(places)
        for i in range(len(corners))
    ]
    ax.add_collection(
        PolyCollection([*places, *edges], facecolors=_SWEPT, edgecolors="none", zorder=1)
    )


def _moved(points: Array, piece: PieceResult, at: float) -> Array:
    """Return points of the mover, shape (n, 2), when a piece has come so far."""
    c, s, dx, dy = piece.motion.transform(at)
    moved: Array = points @ [[c, s], [-s, c]] + (dx, dy)
    return moved


def _draw_thing(thing: Thing, ax: Axes, *, is_named: bool) -> None:
    corners = thing.prism.footprint.vertices_studs
    _draw_polygon(
        corners, ax, facecolor=_COLORS[thing.type], alpha=0.9, edgecolor="black", lw=0.8, zorder=4.5
    )
    if isinstance(thing, Vehicle):
        heading = np.array(thing.heading)
        _draw_arrow(np.array(thing.centre_studs), heading, thing.length_studs, ax)
        _draw_name(thing.id, thing.centre_studs, "center", ax)
    elif is_named:
        low = (float(corners[:, 0].mean()), float(corners[:, 1].min()) - 0.2)
        _draw_name(thing.id, low, "top", ax)


def _draw_name(name: str, at: tuple[float, float], align: str, ax: Axes) -> None:
    box = {"facecolor": "white", "alpha": 0.75, "lw": 0, "pad": 1}
    ax.text(*at, label(_short(name)), ha="center", va=align, fontsize=8, bbox=box, zorder=7)


def _draw_arrow(centre: Array, ahead: Array, length: float, ax: Axes) -> None:
    """Draw an arrow to the front."""
    tail, tip = centre - 0.25 * length * ahead, centre + 0.4 * length * ahead
    ax.annotate(
        "",
        xy=tuple(tip),
        xytext=tuple(tail),
        arrowprops={"arrowstyle": "-|>", "color": "white", "lw": 1.8},
        zorder=5,
    )


def _draw_hit(number: int, hit: Hit, scene: Scene, ax: Axes) -> None:
    x, y = hit.contact.point_studs
    ax.plot(x, y, "o", color="white", markeredgecolor="black", markersize=11, zorder=8)
    ax.text(x, y, str(number), ha="center", va="center", fontsize=7, zorder=9)
    sector = hit.sector(scene.scheme)
    side = f", {sector.value} sector" if sector else ""
    bricks = counted(relative_speed(scene.mover, hit, scene.scheme), "brick")
    entry = label(f"{number}  {_short(hit.id)}{side}: resists {bricks}")
    ax.plot([], [], "o", color="white", markeredgecolor="black", label=entry)


def _legend_rows(hits: int) -> int:
    """Return how many lines a legend of hits takes below the field; 0 if they are few enough to be written in it."""
    return 0 if hits <= _MOST_INSIDE else ceil(min(hits, _MOST_LISTED + 1) / _COLUMNS)


def _draw_legend(hits: int, ax: Axes) -> None:
    """Tell what the numbers are, below the field if there are many."""
    if not _legend_rows(hits):
        ax.legend(loc="upper left", fontsize=8, framealpha=0.9)
        return
    marks, entries = ax.get_legend_handles_labels()
    if hits > _MOST_LISTED:
        more = f"and {hits - _MOST_LISTED} more"
        marks = [*marks[:_MOST_LISTED], Line2D([], [], lw=0)]
        entries = [*entries[:_MOST_LISTED], more]
    ax.figure.legend(marks, entries, loc="outside lower center", fontsize=8, ncols=_COLUMNS)


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}..."


def _draw_polygon(corners: Array, ax: Axes, **style: object) -> None:
    ax.add_patch(Polygon(corners, closed=True, **style))
