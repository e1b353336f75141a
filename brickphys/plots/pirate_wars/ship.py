"""Ship: a ship from above: hull, parts, guns and the bores along which they fire."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle

from brickphys.geometry.polygon import Point, Polygon, unit_vector
from brickphys.geometry.pose import Pose
from brickphys.pirate_wars.report.plan import parts
from brickphys.pirate_wars.sheets.minifigs import Ammunition
from brickphys.pirate_wars.sheets.ship_sheet import Gun, Place, ShipSheet
from brickphys.plots.colors import player_rgb, rgb
from brickphys.plots.pieces import draw_polygons, draw_way

DECK = "tan"
INK = "#22272b"
FILLS = {
    Place.CABIN: "pale_brown",
    Place.GUN_DECK: "dark_tan",
    Place.CASTLE: "white",
    Place.HELM: "brown",
}
"""The colours of the parts of a ship."""
_RAIL = 0.84
"""Size of the deck over that of the hull, which has the colour of the player around it."""
_BARREL_STUDS, _BARREL_WIDTH_STUDS = 2.6, 0.9
_RUDDER_STUDS = 1.8
_RUDDER = ((-_RUDDER_STUDS, -0.4), (0.0, -0.4), (0.0, 0.4), (-_RUDDER_STUDS, 0.4))
_TICK_STUDS = 0.9
_Z = 4.5


def draw_ship(
    sheet: ShipSheet,
    pose: Pose,
    color: str,
    guns: Iterable[tuple[Gun, bool]],
    alpha: float,
    ax: Axes,
) -> None:
    """Draw a ship whose hull has a colour of `brickphys.shapes.palette`, with the bores of the guns that are loaded."""
    hull = sheet.hull.vertices_studs
    outlines, fills = [hull, hull * _RAIL], [color, DECK]
    for place, (rear, front, right, left) in parts(sheet):
        if place is Place.CASTLE:
            _draw_castle(pose.on_field(((rear + front) / 2, 0.0)), left, ax)
            continue
        outlines.append(np.array([(rear, right), (front, right), (front, left), (rear, left)]))
        fills.append(FILLS[place])
    stern = sheet.rudder_studs[0]
    outlines.append(np.array([(stern + x, y) for x, y in _RUDDER]))
    fills.append("brown")
    draw_polygons(
        [pose.placed(Polygon(outline)).vertices_studs for outline in outlines],
        ax,
        facecolors=[player_rgb(fill) for fill in fills],
        edgecolors=INK,
        linewidths=[1.0, *[0.5] * (len(outlines) - 1)],
        alpha=alpha,
        zorder=_Z,
    )
    _draw_guns(list(guns), pose, ax)


def _draw_castle(middle: Point, radius: float, ax: Axes) -> None:
    """Draw a fighting top: a round platform about its mast."""
    for size, fill in ((radius, "white"), (0.35 * radius, "brown")):
        top = Circle(middle, size, fc=rgb(fill), ec=INK, lw=0.5)
        top.set_zorder(_Z + 0.1)
        ax.add_artist(top)


def bore(gun: Gun, pose: Pose) -> tuple[Point, Point]:
    """Return the muzzle of a gun, and where its ball falls at the latest, on the field."""
    return _along(gun, pose, 0.0), _along(gun, pose, gun.cannon(Ammunition.BALL).range_studs)


def _along(gun: Gun, pose: Pose, studs: float, aside: float = 0.0) -> Point:
    """Return a point so far ahead of a muzzle along the bore, and to its left, on the field."""
    ahead, left = unit_vector(gun.bearing_deg)
    x, y = gun.ahead_studs + studs * ahead, gun.left_studs + studs * left
    return pose.on_field((x - aside * left, y + aside * ahead))


def _draw_guns(guns: Sequence[tuple[Gun, bool]], pose: Pose, ax: Axes) -> None:
    """Draw barrels, and the bores of those that are loaded: as far as ball flies, with a tick as far as shot does."""
    if not guns:
        return
    half = _BARREL_WIDTH_STUDS / 2
    corners = ((-_BARREL_STUDS, -half), (0.0, -half), (0.0, half), (-_BARREL_STUDS, half))
    barrels = [np.array([_along(gun, pose, *corner) for corner in corners]) for gun, _ in guns]
    fills = [INK if is_loaded else "white" for _, is_loaded in guns]
    draw_polygons(barrels, ax, facecolors=fills, edgecolors=INK, lw=0.7, zorder=_Z + 0.2)
    line: dict[str, Any] = {"color": INK, "lw": 0.8, "zorder": _Z - 0.1}
    for gun, is_loaded in guns:
        if not is_loaded:
            continue
        draw_way(bore(gun, pose), ax, ls=(0, (4, 2)), **line)
        for kind in Ammunition:
            studs = gun.cannon(kind).range_studs
            draw_way([_along(gun, pose, studs, way * _TICK_STUDS) for way in (-1, 1)], ax, **line)
