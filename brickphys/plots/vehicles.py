"""Vehicles: a compulsory move on the field, the sectors of a vehicle, and wrong answers of another program."""

from collections.abc import Sequence
from itertools import pairwise
from math import ceil, dist
from textwrap import shorten
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon, Wedge
from matplotlib.ticker import MaxNLocator

from brickphys.geometry.clearance import nearest_points
from brickphys.geometry.obstacles import Body
from brickphys.geometry.polygon import Polygon as Outline
from brickphys.plots.charts import BLUE, GREEN, VERMILION, label
from brickphys.text import counted, cut
from brickphys.units import Array
from brickphys.vehicles.collision import Collision, NearMiss
from brickphys.vehicles.course import Hit, Mover, MoveResult, PieceResult, relative_speed
from brickphys.vehicles.scene import Scene, Thing, ThingType, Vehicle
from brickphys.vehicles.sectors import Scheme, Sector, sector

if TYPE_CHECKING:
    from brickphys.vehicles.referee.worst_faults import FaultCase

COLORS = {Sector.FRONT: VERMILION, Sector.LEFT: "#56b4e9", Sector.RIGHT: BLUE, Sector.REAR: GREEN}
_BEARINGS_DEG = np.linspace(-180.0, 180.0, 1441)


def draw_sectors(vehicle: Vehicle, scheme: Scheme, ax: Axes) -> None:
    """Draw the sectors around a vehicle as wedges; for CONTACT those of a hit on a corner."""
    radius = sectors_radius_studs(vehicle)
    size = (vehicle.length_studs, vehicle.width_studs)
    found = [sector(scheme, bearing, *size) for bearing in _BEARINGS_DEG.tolist()]
    draw_ring(vehicle, _BEARINGS_DEG, found, (0.0, radius), 0.25, ax)


def sectors_radius_studs(vehicle: Vehicle) -> float:
    """Return the radius of the wedges around a vehicle."""
    return 0.75 * float(np.hypot(vehicle.length_studs, vehicle.width_studs))


def draw_ring(
    vehicle: Vehicle,
    bearings_deg: Array,
    sectors: Sequence[Sector],
    radii_studs: tuple[float, float],
    alpha: float,
    ax: Axes,
) -> None:
    """Draw one sector after the other, each over the bearings that name it."""
    low, high = radii_studs
    half = float(bearings_deg[1] - bearings_deg[0]) / 2
    # begin where a sector does, so that the one behind is a single wedge
    begin = next((i for i in range(1, len(sectors)) if sectors[i] is not sectors[i - 1]), 0)
    bearings_deg = np.append(bearings_deg[begin:], bearings_deg[:begin] + 360.0)
    sectors = [*sectors[begin:], *sectors[:begin]]
    ends = [i for i in range(1, len(sectors)) if sectors[i] is not sectors[i - 1]]
    for first, last in zip([0, *ends], [*ends, len(sectors)], strict=True):
        start, end = (vehicle.heading_deg + bearings_deg[i] for i in (first, last - 1))
        wedge = Wedge(vehicle.centre_studs, high, start - half, end + half, width=high - low)
        wedge.set(facecolor=COLORS[sectors[first]], alpha=alpha, lw=0, zorder=1.5)
        ax.add_patch(wedge)


_GROUND, _GRID, _WAY, _SWEPT, _GAP = "#e4ecd9", "#d2dcc4", "#0055bf", "#bcd1d4", "#7b2d8b"
_STEPS = 90
"""In which a piece of a course is drawn."""
_MOST_LISTED, _COLUMNS = 23, 3
"""So many hits, the first of them, are told in the legend, in so many columns."""
_MARGIN_STUDS = 4.0
"""Around everything that stands on the field; the rest of the field is left out."""
_LONGEST_NAME, _LONGEST_TITLE = 24, 110
"""Characters of a name and of a title that are shown."""
_BOX: dict[str, Any] = {"facecolor": "white", "alpha": 0.75, "lw": 0, "pad": 1}
"""Behind names."""
_COLORS = {ThingType.UNIT: "#f2cd37", ThingType.DECOR: "#8d8d88", ThingType.VEHICLE: "#c91a09"}


def scene_figure(scene: Scene, move: MoveResult, misses: Sequence[NearMiss] = ()) -> Figure:
    """Return a picture of a scene, the move of its vehicle, what it hits and misses, with a legend below."""
    figure = Figure(dpi=120, layout="constrained")
    ax = figure.add_subplot()
    _draw(scene, move, misses, ax)
    marks, entries = ax.get_legend_handles_labels()
    hits = len(move.hits)
    if hits > _MOST_LISTED:
        marks[_MOST_LISTED:hits] = [Line2D([], [], lw=0)]
        entries[_MOST_LISTED:hits] = [f"and {hits - _MOST_LISTED} more"]
    figure.legend(marks, entries, loc="outside lower center", fontsize=8, ncols=_COLUMNS)
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    height = min(max(8.0 * (top - bottom) / (right - left), 3.0), 12.0)
    figure.set_size_inches(9.0, height + 1.3 + 0.2 * ceil(len(entries) / _COLUMNS))
    return figure


def collision_figure(collision: Collision) -> Figure:
    """Return the picture of a collision; see `scene_figure`."""
    return scene_figure(collision.scene, collision.move, collision.misses or ())


def draw_scene(scene: Scene, move: MoveResult, ax: Axes) -> None:
    """Draw a scene, the move of its vehicle, and what it hits, with a legend in a corner."""
    _draw(scene, move, (), ax)
    ax.legend(loc="upper left", fontsize=8, framealpha=0.9)


def _draw(scene: Scene, move: MoveResult, misses: Sequence[NearMiss], ax: Axes) -> None:
    bodies = _bodies(scene, move)
    ax.set(aspect="equal", xlabel="studs", ylabel="studs")
    _fit(scene, move, bodies, ax)
    width, height = scene.bounds.width_studs, scene.bounds.height_studs
    border = np.array([(0, 0), (width, 0), (width, height), (0, height)])
    _draw_polygon(border, ax, facecolor=_GROUND, edgecolor="#93a380", zorder=0)
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    if (right - left) * (top - bottom) <= 5000:
        for x in np.arange(1.0, width):
            ax.plot([x, x], [0, height], color=_GRID, lw=0.5, zorder=0.5)
        for y in np.arange(1.0, height):
            ax.plot([0, width], [y, y], color=_GRID, lw=0.5, zorder=0.5)
    _draw_way(scene, move, bodies, ax)
    hit_ids = {hit.id for hit in move.hits}
    for thing in scene.things:
        if isinstance(thing, Vehicle) and thing.id in hit_ids:
            draw_sectors(thing, scene.scheme, ax)
        if thing.id not in (scene.mover_id, *scene.lashed):
            is_named = thing.id not in hit_ids or thing.type is not ThingType.UNIT
            _draw_thing(thing, ax, is_named=is_named)
    for number, hit in enumerate(move.hits, start=1):
        _draw_hit(number, hit, scene, ax)
    for miss in misses:
        _draw_gap(miss, bodies[miss.number], ax)
    _explain(scene, move, misses, ax)
    title = f"{_short(move.vehicle_id)}, speed {scene.mover.speed}: {move.ending}"
    ax.set_title(label(shorten(title, _LONGEST_TITLE, placeholder=" ...")), fontsize=11)


def _bodies(scene: Scene, move: MoveResult) -> list[Body]:
    """Return the body of the mover before each piece and at the end."""
    bodies = [Mover.of(scene.mover, scene.lashed_vehicles).body]
    for piece in move.pieces:
        bodies.append(piece.motion.placed(bodies[-1], piece.at))
    return bodies


def _fit(scene: Scene, move: MoveResult, bodies: Sequence[Body], ax: Axes) -> None:
    """Show the part of the field with all things on it, and all of the mover and of sectors even beyond the border."""
    size = np.array((scene.bounds.width_studs, scene.bounds.height_studs))
    mover = np.vstack([prism.ring_studs for body in bodies for prism in body])
    things = np.vstack([mover, *(thing.prism.footprint.vertices_studs for thing in scene.things)])
    things = np.clip(things, 0.0, size)
    low = np.maximum(things.min(axis=0) - _MARGIN_STUDS, -1.0)
    high = np.minimum(things.max(axis=0) + _MARGIN_STUDS, size + 1.0)
    wheels = (_wheel(hit.thing) for hit in move.hits if isinstance(hit.thing, Vehicle))
    whole = np.vstack([mover, *wheels])
    low, high = np.minimum(low, whole.min(axis=0) - 1), np.maximum(high, whole.max(axis=0) + 1)
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(MaxNLocator(integer=True))
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), autoscale_on=False)


def _wheel(vehicle: Vehicle) -> Array:
    """Return two corners of the square around the sectors of a vehicle, shape (2, 2)."""
    radius = sectors_radius_studs(vehicle)
    corners: Array = np.array(vehicle.centre_studs) + np.array([[-radius], [radius]])
    return corners


def _draw_way(scene: Scene, move: MoveResult, bodies: Sequence[Body], ax: Axes) -> None:
    """Draw the mover at the start of each piece and at the end, the area that it sweeps, and the path of its centre."""
    centre = scene.mover.centre_studs
    for number, (body, piece) in enumerate(zip(bodies, move.pieces, strict=False)):
        for prism in body:
            _draw_swept(prism.ring_studs, piece, ax)
            corners = prism.ring_studs
            _draw_polygon(corners, ax, facecolor="none", edgecolor=_WAY, ls="--", zorder=3)
        for until, style in ((piece.at, "-"), (piece.motion.extent, ":")):
            shares = np.linspace(0.0, until, _STEPS + 1)
            way = np.array([_moved(np.array([centre]), piece, at)[0] for at in shares])
            ax.plot(*way.T, color=_WAY, lw=1, ls=style, zorder=4.2)
        ax.plot(*way[-1], ".", color=_WAY, markersize=4, zorder=4.2)
        if len(move.course) > 1:
            x, y = _moved(np.array([centre]), piece, 0.5 * piece.at)[0].tolist()
            _draw_name(f"piece {number}", (x, y), "center", ax)
        centre = piece.end.centre_studs
    outline = "black" if len(bodies[-1]) == len(scene.moving) else "none"
    for prism in bodies[-1]:
        _draw_polygon(prism.ring_studs, ax, facecolor=_WAY, alpha=0.75, edgecolor=outline, zorder=4)
    _draw_arrow(np.array(move.end_studs), np.array(move.end.heading), scene.mover.length_studs, ax)
    for part in scene.moving:
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
    corners, color = thing.prism.footprint.vertices_studs, _COLORS[thing.type]
    style: dict[str, Any] = {"facecolor": color, "alpha": 0.9, "edgecolor": "black", "lw": 0.8}
    if thing.shape:
        style["edgecolor"] = "none"  # the seams of parts are no edges
        ax.add_collection(
            LineCollection(
                list(thing.border[:, 2:6].reshape(-1, 2, 2)), colors="black", lw=0.8, zorder=4.6
            )
        )
    for prism in thing.body:
        _draw_polygon(prism.ring_studs, ax, zorder=4.5, **style)
    if isinstance(thing, Vehicle):
        heading = np.array(thing.heading)
        _draw_arrow(np.array(thing.centre_studs), heading, thing.length_studs, ax)
        _draw_name(thing.id, thing.centre_studs, "center", ax)
    elif is_named:
        low = (float(corners[:, 0].mean()), float(corners[:, 1].min()) - 0.2)
        _draw_name(thing.id, low, "top", ax)


def _draw_name(name: str, at: tuple[float, float], align: str, ax: Axes) -> None:
    ax.text(*at, label(_short(name)), ha="center", va=align, fontsize=8, bbox=_BOX, zorder=7)


def _draw_arrow(centre: Array, ahead: Array, length: float, ax: Axes) -> None:
    tail, tip = centre - 0.25 * length * ahead, centre + 0.4 * length * ahead
    arrow: dict[str, Any] = {"arrowstyle": "-|>", "color": "white", "lw": 1.8}
    ax.annotate("", xy=tuple(tip), xytext=tuple(tail), arrowprops=arrow, zorder=5)


def _draw_hit(number: int, hit: Hit, scene: Scene, ax: Axes) -> None:
    x, y = hit.contact.point_studs
    ax.plot(x, y, "o", color="white", markeredgecolor="black", markersize=11, zorder=8)
    ax.text(x, y, str(number), ha="center", va="center", fontsize=7, zorder=9)
    sector = hit.sector(scene.scheme)
    side = f", {sector.value} sector" if sector else ""
    bricks = counted(relative_speed(scene.mover, hit, scene.scheme), "brick")
    entry = label(f"{number}  {_short(hit.id)}{side}: resists {bricks}")
    ax.plot([], [], "o", color="white", markeredgecolor="black", label=entry)


def _draw_gap(miss: NearMiss, before: Body, ax: Axes) -> None:
    """Draw the line between a thing and the mover where they are nearest, and its length."""
    there = miss.piece.motion.placed(before, miss.piece.at)
    pairs = [
        nearest_points(Outline(one.ring_studs), Outline(other.ring_studs))
        for one in there
        for other in miss.thing.body
    ]
    ends = np.array(min(pairs, key=lambda pair: dist(*pair)))
    ax.plot(*ends.T, color=_GAP, lw=1.5, marker=".", zorder=6)
    x, y = ends.mean(axis=0).tolist()
    beside: dict[str, Any] = {"xytext": (6, 6), "textcoords": "offset points"}
    style: dict[str, Any] = {"color": _GAP, "fontsize": 8, "bbox": _BOX, "zorder": 7}
    ax.annotate(f"{miss.clearance_studs:.3g}", (x, y), **beside, **style)


def _explain(scene: Scene, move: MoveResult, misses: Sequence[NearMiss], ax: Axes) -> None:
    if move.pieces:
        start = "mover before each piece" if len(move.pieces) > 1 else "mover at the start"
        ax.plot([], [], color=_WAY, ls="--", label=start)
        ax.plot([], [], color=_WAY, lw=1, label="path of its centre")
    if any(piece.at < piece.motion.extent for piece in move.pieces):
        ax.plot([], [], color=_WAY, lw=1, ls=":", label="rest of the way, not travelled")
    if misses:
        ax.plot([], [], color=_GAP, lw=1.5, marker=".", label="nearest gap (studs)")
    if any(hit.sector(scene.scheme) for hit in move.hits):
        for side, colour in COLORS.items():
            ax.plot([], [], "s", color=colour, alpha=0.5, label=f"{side.value} sector")


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}..."


def _draw_polygon(corners: Array, ax: Axes, **style: object) -> None:
    ax.add_patch(Polygon(corners, closed=True, **style))


def fault_figure(case: "FaultCase") -> Figure:
    """Return the picture of a wrong answer: the true move, the thing of the fault, and the mover where the answer says.

    The legend below the picture is that of `scene_figure`.
    """
    figure, fault = scene_figure(case.scene, case.move), case.fault
    (ax,) = figure.axes
    style: dict[str, Any] = {"fill": False, "edgecolor": VERMILION, "lw": 2.0, "zorder": 6}
    marks = []
    if case.thing is not None:
        told = label(f"{fault.kind.value}: {cut(case.thing.id, _LONGEST_NAME)}")
        marks += [
            ax.add_patch(Polygon(prism.ring_studs, closed=True, label=told, **style))
            for prism in case.thing.body
        ]
    for part in case.seen_body:
        patch = Polygon(part.ring_studs, closed=True, ls="--", label="mover by the answer", **style)
        marks.append(ax.add_patch(patch))
    if marks:
        ends = [marks[0], *([marks[-1]] if case.seen_body else [])]
        ax.legend(handles=ends, loc="upper left", fontsize=8, framealpha=0.9)
    return figure
