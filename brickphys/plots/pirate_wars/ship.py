"""Ship: a ship from above: hull, parts, guns and the bores along which they fire."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle

from brickphys.arrays import Array
from brickphys.geometry.polygon import Point, Polygon, unit_vector
from brickphys.geometry.pose import Pose
from brickphys.pirate_wars.report.plan import parts
from brickphys.pirate_wars.sheets.minifigs import Ammunition
from brickphys.pirate_wars.sheets.ship_sheet import Gun, Place, ShipSheet
from brickphys.plots.colors import array_of
from brickphys.plots.pieces import draw_polygons

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
    ax: Axes,
    *,
    alpha: float = 1.0,
) -> None:
    """Draw a ship whose hull has a colour of `brickphys.shapes.palette`, with the bores of the guns that are loaded."""
    style: dict[str, Any] = {"edgecolor": INK, "zorder": _Z, "alpha": alpha}
    hull = sheet.hull.vertices_studs
    _draw(hull, pose, ax, facecolor=array_of(color), lw=1.0, **style)
    _draw(hull * _RAIL, pose, ax, facecolor=array_of(DECK), lw=0.5, **style)
    for place, (rear, front, right, left) in parts(sheet):
        if place is Place.CASTLE:
            _draw_castle(pose.on_field(((rear + front) / 2, 0.0)), left, ax)
            continue
        corners = np.array([(rear, right), (front, right), (front, left), (rear, left)])
        _draw(corners, pose, ax, facecolor=array_of(FILLS[place]), lw=0.5, **style)
    stern = sheet.rudder_studs[0]
    rudder = np.array([(stern + x, y) for x, y in _RUDDER])
    _draw(rudder, pose, ax, facecolor=array_of("brown"), lw=0.5, **style)
    for gun, is_loaded in guns:
        _draw_gun(gun, pose, ax, is_loaded=is_loaded)


def _draw(corners: Array, pose: Pose, ax: Axes, **style: Any) -> None:
    draw_polygons([pose.placed(Polygon(corners)).vertices_studs], ax, **style)


def _draw_castle(middle: Point, radius: float, ax: Axes) -> None:
    """Draw a fighting top: a round platform about its mast."""
    for size, fill in ((radius, "white"), (0.35 * radius, "brown")):
        top = Circle(middle, size, fc=array_of(fill), ec=INK, lw=0.5)
        top.set_zorder(_Z + 0.1)
        ax.add_patch(top)


def bore(gun: Gun, pose: Pose) -> tuple[Point, Point]:
    """Return the muzzle of a gun, and where its ball falls at the latest, on the field."""
    return _along(gun, pose, 0.0), _along(gun, pose, gun.cannon(Ammunition.BALL).range_studs)


def _along(gun: Gun, pose: Pose, studs: float, aside: float = 0.0) -> Point:
    """Return a point so far ahead of a muzzle along the bore, and to its left, on the field."""
    ahead, left = unit_vector(gun.bearing_deg)
    x, y = gun.ahead_studs + studs * ahead, gun.left_studs + studs * left
    return pose.on_field((x - aside * left, y + aside * ahead))


def _draw_gun(gun: Gun, pose: Pose, ax: Axes, *, is_loaded: bool) -> None:
    """Draw a barrel, and if it is loaded its bore: as far as ball flies, with a tick as far as shot does."""
    half = _BARREL_WIDTH_STUDS / 2
    corners = ((-_BARREL_STUDS, -half), (0.0, -half), (0.0, half), (-_BARREL_STUDS, half))
    barrel = np.array([_along(gun, pose, *corner) for corner in corners])
    fill = INK if is_loaded else "white"
    draw_polygons([barrel], ax, facecolor=fill, edgecolor=INK, lw=0.7, zorder=_Z + 0.2)
    if not is_loaded:
        return
    line: dict[str, Any] = {"color": INK, "lw": 0.8, "zorder": _Z - 0.1}
    ax.plot(*zip(*bore(gun, pose), strict=True), ls=(0, (4, 2)), **line)
    for kind in Ammunition:
        studs = gun.cannon(kind).range_studs
        ends = _along(gun, pose, studs, -_TICK_STUDS), _along(gun, pose, studs, _TICK_STUDS)
        ax.plot(*zip(*ends, strict=True), **line)
