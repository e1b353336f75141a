"""Pictures of a compulsory move: footprints, the way, sectors, and points of contact."""

from typing import TYPE_CHECKING

import numpy as np

from brickphys.plots.glyphs import label
from brickphys.plots.sectors import draw_sectors
from brickphys.text import counted
from brickphys.vehicles.resolve import relative_speed
from brickphys.vehicles.scene import ThingType, Vehicle

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from brickphys.arrays import Array
    from brickphys.vehicles.course import Hit, MoveResult
    from brickphys.vehicles.scene import Scene, Thing

_GROUND, _GRID, _WAY = "#e4ecd9", "#d2dcc4", "#0055bf"
_COLORS = {ThingType.UNIT: "#f2cd37", ThingType.DECOR: "#8d8d88", ThingType.VEHICLE: "#c91a09"}


def draw_scene(scene: "Scene", move: "MoveResult", ax: "Axes") -> None:
    """Draw a scene, the move of its vehicle, and what it hits.

    Parameters
    ----------
    scene
        Mover and obstacles.
    move
        The move, and what it hits.
    ax
        The axes.
    """
    _draw_field(scene, ax)
    _draw_way(scene.mover, move, ax)
    hit_ids = {hit.id for hit in move.hits}
    for thing in scene.things:
        if isinstance(thing, Vehicle) and thing.id in hit_ids:
            draw_sectors(thing, scene.scheme, ax)
        if thing.id != scene.mover_id:
            _draw_thing(thing, ax)
    for number, hit in enumerate(move.hits, start=1):
        _draw_hit(number, hit, scene, ax)
    title = f"{move.vehicle_id}, speed {scene.mover.speed}: {_summary(move)}"
    ax.set_title(label(title), fontsize=11)


def _draw_field(scene: "Scene", ax: "Axes") -> None:
    width, height = scene.bounds.width_studs, scene.bounds.height_studs
    ax.set(xlim=(-1, width + 1), ylim=(-1, height + 1), aspect="equal")
    ax.set(xlabel="studs", ylabel="studs")
    border = np.array([(0, 0), (width, 0), (width, height), (0, height)])
    _draw_polygon(border, ax, facecolor=_GROUND, edgecolor="#93a380", zorder=0)
    if width * height <= 5000:
        for x in np.arange(1.0, width):
            ax.plot([x, x], [0, height], color=_GRID, lw=0.5, zorder=0.5)
        for y in np.arange(1.0, height):
            ax.plot([0, width], [y, y], color=_GRID, lw=0.5, zorder=0.5)


def _draw_way(mover: Vehicle, move: "MoveResult", ax: "Axes") -> None:
    """Draw the mover at its start and at its end, and the area that it sweeps."""
    start = mover.prism.footprint
    shift = np.subtract(move.end_studs, mover.centre_studs)
    sides = start.vertices_studs[[0, 3]]
    swept = [*sides[::-1], *(start.vertices_studs[[1, 2]] + shift)]
    _draw_polygon(np.array(swept), ax, facecolor=_WAY, alpha=0.18, lw=0, zorder=2)
    _draw_polygon(start.vertices_studs, ax, facecolor="none", edgecolor=_WAY, ls="--", zorder=3)
    ahead = np.array(mover.heading)
    front = np.array(mover.centre_studs) + ahead * mover.length_studs / 2
    demanded = front + ahead * move.distance_studs
    ax.plot(*np.transpose([front, demanded]), color=_WAY, lw=1, ls=":", zorder=2.5)
    ax.plot(*demanded, marker="|" if abs(ahead[0]) > 0.7 else "_", color=_WAY, zorder=2.5)
    _draw_polygon(
        start.vertices_studs + shift, ax, facecolor=_WAY, alpha=0.75, edgecolor="black", zorder=4
    )
    _draw_arrow(np.array(move.end_studs), ahead, mover.length_studs, ax)
    _draw_name(mover.id, mover.centre_studs, "center", ax)


def _draw_thing(thing: "Thing", ax: "Axes") -> None:
    corners = thing.prism.footprint.vertices_studs
    _draw_polygon(
        corners, ax, facecolor=_COLORS[thing.type], alpha=0.9, edgecolor="black", lw=0.8, zorder=4.5
    )
    if isinstance(thing, Vehicle):
        heading = np.array(thing.heading)
        _draw_arrow(np.array(thing.centre_studs), heading, thing.length_studs, ax)
        _draw_name(thing.id, thing.centre_studs, "center", ax)
    else:
        low = (float(corners[:, 0].mean()), float(corners[:, 1].min()) - 0.2)
        _draw_name(thing.id, low, "top", ax)


def _draw_name(name: str, at: tuple[float, float], align: str, ax: "Axes") -> None:
    box = {"facecolor": "white", "alpha": 0.75, "lw": 0, "pad": 1}
    ax.text(*at, label(name), ha="center", va=align, fontsize=8, bbox=box, zorder=7)


def _draw_arrow(centre: "Array", ahead: "Array", length: float, ax: "Axes") -> None:
    """Draw an arrow to the front."""
    tail, tip = centre - 0.25 * length * ahead, centre + 0.4 * length * ahead
    ax.annotate(
        "",
        xy=tuple(tip),
        xytext=tuple(tail),
        arrowprops={"arrowstyle": "-|>", "color": "white", "lw": 1.8},
        zorder=5,
    )


def _draw_hit(number: int, hit: "Hit", scene: "Scene", ax: "Axes") -> None:
    x, y = hit.contact.point_studs
    ax.plot(x, y, "o", color="white", markeredgecolor="black", markersize=11, zorder=8)
    ax.text(x, y, str(number), ha="center", va="center", fontsize=7, zorder=9)
    sector = hit.sector(scene.scheme)
    side = f", {sector.value} sector" if sector else ""
    bricks = counted(relative_speed(scene.mover, hit, scene.scheme), "brick")
    entry = label(f"{number}  {hit.id}{side}: resists {bricks}")
    ax.plot([], [], "o", color="white", markeredgecolor="black", label=entry)
    ax.legend(loc="upper left", fontsize=8, framealpha=0.9)


def _summary(move: "MoveResult") -> str:
    if move.stopped_by:
        return f"stopped after {move.travelled_studs:.2f} studs by {' and '.join(move.stopped_by)}"
    if move.leaves_field:
        return f"leaves the field after {move.travelled_studs:.2f} studs"
    return f"travels {move.travelled_studs:g} studs"


def _draw_polygon(corners: "Array", ax: "Axes", **style: object) -> None:
    from matplotlib.patches import Polygon

    ax.add_patch(Polygon(corners, closed=True, **style))
