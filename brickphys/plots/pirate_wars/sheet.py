"""Pictures of sheets of ships: the ship from above, and its damage chart."""

from math import hypot
from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import Patch

from brickphys.geometry.pose import Pose
from brickphys.pirate_wars.report.plan import parts
from brickphys.pirate_wars.report.sheets import ShipPlan
from brickphys.pirate_wars.sheets.ship_sheet import Gun, ShipSheet, Side
from brickphys.plots.colors import array_of
from brickphys.plots.pirate_wars.form import draw_form, draw_printed_form
from brickphys.plots.pirate_wars.ship import DECK, FILLS, INK, bore, draw_ship
from brickphys.text import spoken

SIZE_INCHES = (8.0, 6.8)
"""A size for the axes of a sheet."""
_COLORS = {Side.PIRATE: "black", Side.IMPERIAL: "blue"}
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
    """Return the parts of a ship with their names, for the legend."""
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


def _write(x: float, y: float, text: str, ax: Axes, **style: Any) -> None:
    style = {"fontsize": 8.5, "color": _PALE, **style}
    ax.text(x, y, text, ha="center", va="center", **style)
