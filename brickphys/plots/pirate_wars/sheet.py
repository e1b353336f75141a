"""Pictures of sheets of ships: the ship from above, and its damage chart."""

from collections.abc import Iterator
from math import hypot
from typing import Any

from matplotlib.axes import Axes

from brickphys.geometry.pose import Pose
from brickphys.pirate_wars.report.plan import parts
from brickphys.pirate_wars.report.sheets import ShipPlan
from brickphys.pirate_wars.sheets.ship_sheet import Gun, ShipSheet, Side
from brickphys.plots.labels import Box, Label, draw_labels
from brickphys.plots.pirate_wars.form import draw_printed_form
from brickphys.plots.pirate_wars.ship import INK, RUDDER_STUDS, bore, draw_ship
from brickphys.text import spoken

SIZE_INCHES = (8.0, 6.8)
"""A size for the axes of a sheet."""
_COLORS = {Side.PIRATE: "black", Side.IMPERIAL: "blue"}
_PALE = "#5d666d"
_WIDTH_STUDS, _HEIGHT_STUDS = 80.0, 68.0
"""The axes: all ships are drawn to one scale."""
_POSE = Pose(38.0, 36.0, 0.0)
_FORM_CORNER, _FORM_WIDTH_STUDS = (2.0, 12.4), 76.0
_POINTED_AT = 0.75
"""Where the line to the name of a part ends, as a share of its length: castles stand in the middle of others."""
_BEYOND_STUDS = 2.4
_RULER_STUDS = (2.0, 17.0)
_REMARKS = (
    "Damage chart: topmost line left, speeds below. Bores: shot flies to the tick, ball to the end.",
    "Ours: width, hull, parts, cannons and their places, and the room:",
)


def draw_sheet(plan: ShipPlan, ax: Axes) -> None:
    """Draw the sheet of a ship; `SIZE_INCHES` is a good size of axes."""
    sheet, middle = plan.sheet, _WIDTH_STUDS / 2
    ax.set(xlim=(0, _WIDTH_STUDS), ylim=(0, _HEIGHT_STUDS), aspect="equal")
    ax.set_axis_off()
    draw_ship(sheet, _POSE, _COLORS[sheet.side], [(gun, True) for gun in sheet.guns], ax)
    _write(middle, _HEIGHT_STUDS - 2.0, sheet.title, ax, fontsize=15, color=INK, weight="bold")
    *numbers, crew, room = (f"{name} {value}" for name, value in plan.numbers())
    above, below = (", ".join(numbers), crew), (*_REMARKS, room)
    for number, text in enumerate(above):
        _write(middle, _HEIGHT_STUDS - 5.4 - 2.4 * number, text, ax)
    for number, text in enumerate(below):
        _write(middle, 5.6 - 2.2 * number, text, ax)
    draw_printed_form(sheet.chart, plan.damage, _FORM_CORNER, _FORM_WIDTH_STUDS, ax)
    _draw_ruler(ax)
    for number, gun in enumerate(sheet.guns):
        _name_gun(number, gun, ax)
    hull = Box(*_POSE.centre_studs, sheet.length_studs / 2, sheet.width_studs / 2)
    bores = [_bore_box(sheet, number) for number in range(len(sheet.guns))]
    draw_labels(list(_labels(sheet)), [hull, *bores], ax)


def _labels(sheet: ShipSheet) -> Iterator[Label]:
    """Yield the names of the parts; one of which there are several is named once."""
    for place, (rear, front, right, left) in dict(parts(sheet)).items():
        x, y = _POSE.on_field((rear + _POINTED_AT * (front - rear), (right + left) / 2))
        yield Label(spoken(place.value), Box(x, y, 0.5, 0.5))
    x, y = _POSE.on_field(sheet.rudder_studs)
    yield Label("rudder", Box(x - RUDDER_STUDS / 2, y, RUDDER_STUDS / 2, 0.5))


def _name_gun(number: int, gun: Gun, ax: Axes) -> None:
    """Write the name of a gun beyond the end of its bore."""
    (x, y), (end_x, end_y) = bore(gun, _POSE)
    beyond = 1 + _BEYOND_STUDS / hypot(end_x - x, end_y - y)
    remark = "\nbelow" * gun.is_below + "\nlight" * gun.is_light
    _write(x + beyond * (end_x - x), y + beyond * (end_y - y), f"gun{number}{remark}", ax)


def _bore_box(sheet: ShipSheet, number: int) -> Box:
    (x, y), (end_x, end_y) = bore(sheet.guns[number], _POSE)
    half_width, half_length = abs(end_x - x) / 2 + 1.0, abs(end_y - y) / 2 + 1.0
    return Box((x + end_x) / 2, (y + end_y) / 2, half_width, half_length)


def _draw_ruler(ax: Axes) -> None:
    x, y = _RULER_STUDS
    ax.plot([x, x, x, x + 8, x + 8, x + 8], [y + 0.5, y - 0.5, y, y, y + 0.5, y - 0.5], color=INK)
    _write(x + 4, y + 1.4, "8 studs", ax)


def _write(x: float, y: float, text: str, ax: Axes, **style: Any) -> None:
    style = {"fontsize": 8.5, "color": _PALE, **style}
    ax.text(x, y, text, ha="center", va="center", **style)
