"""A ship of Pirate Wars from above, with its parts, guns and bores; its damage chart as the book's form; its sheet."""

from collections.abc import Sequence
from math import hypot
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle, Patch, Rectangle
from matplotlib.text import Text

from brickphys.geometry.polygon import Point, Polygon, unit_vector
from brickphys.geometry.pose import Pose
from brickphys.pirate_wars.army import ShipPlan, crossed_lines, parts
from brickphys.pirate_wars.sheets import (
    MOST_HULL,
    TOP_SAILS,
    Allegiance,
    Ammunition,
    Damage,
    DamageChart,
    Gun,
    Line,
    ShipPlace,
    ShipSheet,
)
from brickphys.plots.colors import array_of, player_rgb, rgb
from brickphys.plots.painter import draw_polygons, draw_way
from brickphys.text import spoken

DECK = "tan"
INK = "#22272b"
FILLS = {
    ShipPlace.CABIN: "pale_brown",
    ShipPlace.GUN_DECK: "dark_tan",
    ShipPlace.CASTLE: "white",
    ShipPlace.HELM: "brown",
}
"""The colours of the parts of a ship."""
_RAIL = 0.84
"""Size of the deck over that of the hull, which has the colour of the player around it."""
_BARREL_STUDS, _BARREL_WIDTH_STUDS = 2.6, 0.9
_RUDDER_STUDS = 1.8
_RUDDER = ((-_RUDDER_STUDS, -0.4), (0.0, -0.4), (0.0, 0.4), (-_RUDDER_STUDS, 0.4))
_TICK_STUDS = 0.9
_Z = 4.5
_Guns = Sequence[tuple[Gun, bool]]
"""Guns, and whether each is loaded."""


def draw_ship(
    sheet: ShipSheet, pose: Pose, color: str, guns: _Guns, alpha: float, ax: Axes
) -> None:
    """Draw a ship whose hull has a colour of `brickphys.shapes.piece`, with the bores of the guns that are loaded."""
    hull = sheet.hull.vertices_studs
    outlines, fills = [hull, hull * _RAIL], [color, DECK]
    for place, (rear, front, right, left) in parts(sheet):
        if place is ShipPlace.CASTLE:
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
    _draw_guns(guns, pose, ax)


def _draw_castle(middle: Point, radius: float, ax: Axes) -> None:
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


def _draw_guns(guns: _Guns, pose: Pose, ax: Axes) -> None:
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


_FILLS = {Line.SAIL: "white", Line.HULL: "tan"}
HIT_COLOR = "#b03a2e"
_CUT = "#b9bfc4"
_PRINTED = DamageChart(MOST_HULL, MOST_HULL - 1 + TOP_SAILS, 0)
"""The printed chart, of which every ship has some lines (PW Damage Chart)."""
_PAD = 0.05
"""How far a cross stays off the name of a line, over the size of its letters."""
_HEIGHT = 0.75
"""Of a box, over its width."""


def draw_printed_form(
    chart: DamageChart, damage: Damage, corner: Point, width: float, ax: Axes
) -> None:
    """Draw the printed chart, the lines that a ship does not have in grey, in a width; see `draw_form`."""
    (x, y), box = corner, width / len(_PRINTED.lines)
    above = TOP_SAILS - (chart.sails - chart.hull + 1)
    for number, line in enumerate(_PRINTED.lines):
        _draw_line(line, (x + number * box, y), box, 7.5, ax, fill="white", color=_CUT)
    draw_form(chart, damage, (x + above * box, y), box, 7.5, ax)


def draw_form(
    chart: DamageChart, damage: Damage, corner: Point, box: float, fontsize: float, ax: Axes
) -> None:
    """Draw a damage chart as a row of boxes, the topmost on the left, the speeds below; `fontsize` is in points."""
    (x, y), height, crossed = corner, _HEIGHT * box, crossed_lines(chart, damage)
    for number, (line, speed) in enumerate(zip(chart.lines, chart.speeds, strict=True)):
        left = x + number * box
        _draw_line(line, (left, y), box, fontsize, ax, fill=_FILLS[line], color=INK)
        if speed is not None:
            style = {"fontsize": fontsize, "color": INK, "zorder": 7.1}
            _write(left + box / 2, y - 1.5 * height, str(speed), ax, **style)
        if number in crossed:
            across = [left + 0.1 * box, left + 0.9 * box]
            down = [y - 0.1 * height, y - 0.9 * height]
            cross: dict[str, Any] = {"color": HIT_COLOR, "lw": 1.6, "zorder": 7.05}
            ax.plot(across, down, **cross)
            ax.plot(across, down[::-1], **cross)


def _draw_line(
    line: Line, corner: Point, box: float, fontsize: float, ax: Axes, *, fill: str, color: str
) -> None:
    (x, y), height = corner, _HEIGHT * box
    frame = Rectangle((x, y - height), box, height, fc=array_of(fill), ec=color, lw=0.8)
    frame.set_zorder(7)
    ax.add_patch(frame)
    style = {"fontsize": fontsize, "color": color, "zorder": 7.1}
    name = _write(x + box / 2, y - height / 2, line.value, ax, **style)
    name.set_bbox({"fc": array_of(fill), "lw": 0, "pad": _PAD * fontsize})


SIZE_INCHES = (8.0, 6.8)
"""A size for the axes of a sheet."""
_COLORS = {Allegiance.PIRATE: "black", Allegiance.IMPERIAL: "blue"}
_PALE = "#5d666d"
_WIDTH_STUDS, _HEIGHT_STUDS = 80.0, 68.0
"""The axes: all ships are drawn to one scale."""
_POSE = Pose(38.0, 36.0, 0.0)
_FORM_CORNER, _FORM_WIDTH_STUDS = (2.0, 12.4), 76.0
_BEYOND_STUDS = 2.4
_RULER_STUDS, _LEGEND_CORNER = (2.0, 17.0), (79.0, 13.4)
CHART_MM = 94.4, 8.0
"""Width and height of a damage chart on paper; its boxes are about as wide as the largest one needs."""
_LINE_MM = 5.5
_REMARKS = (
    "Damage chart: topmost line on the left, speeds below. Bores: range of shot to the tick, of ball to the end.",
    "Ours: width, hull, parts, cannons and their places, and the room aboard:",
)


def draw_sheet(plan: ShipPlan, ax: Axes) -> None:
    """Draw the sheet of a ship; `SIZE_INCHES` is a good size of axes."""
    sheet, middle = plan.sheet, _WIDTH_STUDS / 2
    ax.set(xlim=(0, _WIDTH_STUDS), ylim=(0, _HEIGHT_STUDS), aspect="equal")
    ax.set_axis_off()
    guns = [(gun, True) for gun in sheet.guns]
    draw_ship(sheet, _POSE, _COLORS[sheet.side], guns, 1.0, ax)
    _write(middle, _HEIGHT_STUDS - 2.0, sheet.title, ax, fontsize=15, color=INK, weight="bold")
    *numbers, crew, _ = (f"{name} {value}" for name, value in plan.numbers())
    above, below = (", ".join(numbers), crew), (*_REMARKS, plan.room_text())
    for number, text in enumerate(above):
        _write(middle, _HEIGHT_STUDS - 5.4 - 2.4 * number, text, ax)
    for number, text in enumerate(below):
        _write(middle, 5.6 - 2.2 * number, text, ax)
    draw_printed_form(sheet.chart, plan.damage, _FORM_CORNER, _FORM_WIDTH_STUDS, ax)
    _draw_ruler(ax)
    for number, gun in enumerate(sheet.guns):
        _name_gun(number, gun, ax)
    style: dict[str, Any] = {"fontsize": 8.5, "labelcolor": _PALE, "frameon": False}
    place: dict[str, Any] = {"loc": "lower right", "bbox_to_anchor": _LEGEND_CORNER}
    ax.legend(handles=_names(sheet), bbox_transform=ax.transData, **place, **style)


def draw_chart(plan: ShipPlan, ax: Axes) -> None:
    """Draw the damage chart of a ship on axes of the size `CHART_MM`: a box for each hit, the speeds below."""
    wide, high = CHART_MM
    ax.set(xlim=(0, wide), ylim=(0, high))
    left = (wide - len(plan.sheet.chart.lines) * _LINE_MM) / 2
    draw_form(plan.sheet.chart, plan.damage, (left, high - 0.5), _LINE_MM, 5.5, ax)


def _names(sheet: ShipSheet) -> list[Patch]:
    colors = {spoken(place.value): FILLS[place] for place in dict(parts(sheet))}
    colors |= {"deck": DECK, "helm, rudder": colors.pop("helm")}
    return [Patch(fc=array_of(fill), ec=INK, lw=0.5, label=name) for name, fill in colors.items()]


def _name_gun(number: int, gun: Gun, ax: Axes) -> None:
    """Write the name of a gun beyond the end of its bore."""
    (x, y), (end_x, end_y) = bore(gun, _POSE)
    beyond = 1 + _BEYOND_STUDS / hypot(end_x - x, end_y - y)
    remark = "\nbelow" * gun.is_below + "\nlight" * gun.is_light
    _write(x + beyond * (end_x - x), y + beyond * (end_y - y), f"gun{number}{remark}", ax)


def _draw_ruler(ax: Axes) -> None:
    x, y = _RULER_STUDS
    ax.plot([x, x, x, x + 8, x + 8, x + 8], [y + 0.5, y - 0.5, y, y, y + 0.5, y - 0.5], color=INK)
    _write(x + 4, y + 1.4, "8 studs", ax)


def _write(x: float, y: float, text: str, ax: Axes, **style: Any) -> Text:
    style = {"fontsize": 8.5, "color": _PALE, **style}
    return ax.text(x, y, text, ha="center", va="center", **style)
