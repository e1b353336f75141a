"""Pictures of Pirate Wars: the sea with its ships, the wind rose, and the damage charts beside it."""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Patch, Rectangle, Wedge

from brickphys.geometry.polygon import Point, unit_vector
from brickphys.geometry.pose import Pose
from brickphys.pirate_wars.army import ShipPlan
from brickphys.pirate_wars.scene import LOADED_GUN, STRUCK, battle_scene
from brickphys.pirate_wars.sheets import Damage, DamageChart, sailing_chart
from brickphys.pirate_wars.state import LOADED, Fate, State
from brickphys.pirate_wars.status import remarks
from brickphys.plots.colors import Color, player_rgb, rgb
from brickphys.plots.games.pirate_wars_ship import (
    CHART_MM,
    INK,
    SIZE_INCHES,
    draw_chart,
    draw_form,
    draw_sheet,
    draw_ship,
)
from brickphys.plots.labels import Extent, Mark, point_length
from brickphys.plots.painter import Painter, Pieces, sheet_axes
from brickphys.rules.names import compass
from brickphys.rules.report.sheets import ArmyUnit
from brickphys.rules.scene import Piece, Scene
from brickphys.text import counted, spoken

SEA = "#dbe8ef"
_STREAK = "#ffffff"
_STREAKS_APART_STUDS = 20.0
_STREAK_STUDS = 6.0
_SAILING = (
    ("full speed", "#8fbbd6"),
    ("half speed", "#e9eff3"),
    ("in irons: adrift", "#6b747b"),
)
"""Name and colour of the headings up to each limit off running with the wind."""
_ARROW = "simple,tail_width=0.35,head_width=1.1,head_length=1.1"
_POINTS = ("E", "N", "W", "S")


def draw_streaks(width: float, height: float, wind_deg: float, ax: Axes) -> None:
    """Draw short arrows over the whole sea, along the wind."""
    step, (x, y) = _STREAKS_APART_STUDS, unit_vector(wind_deg)
    columns = np.arange(step / 2, width, step)
    rows = np.arange(step / 2, height, step)
    across, up = (places.ravel() for places in np.meshgrid(columns, rows))
    along = np.full_like(across, _STREAK_STUDS)
    ax.quiver(
        across, up, along * x, along * y, color=_STREAK, pivot="mid", angles="xy", width=1.3,
        scale_units="xy", scale=1.0, units="dots", headwidth=5, headlength=6, zorder=1,
    )  # fmt: skip


def draw_rose(middle: Point, radius: float, wind_deg: float, ax: Axes) -> None:
    """Draw the wind rose: an arrow along the wind, over the headings of full and half speed and those in irons."""
    start, chart = 0.0, sailing_chart()
    limits = chart.full_speed_deg, chart.half_speed_deg, 180.0
    for (_, color), end in zip(_SAILING, limits, strict=True):
        for first, last in ((start, end), (-end, -start)):
            between = wind_deg + first, wind_deg + last
            ax.add_patch(Wedge(middle, radius, *between, fc=color, ec=INK, lw=0.6, zorder=7))
        start = end
    style: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 8, "color": INK}
    for quarter, name in enumerate(_POINTS):
        ax.text(*_off(middle, 1.25 * radius, 90.0 * quarter), name, zorder=7.1, **style)
    head, tail = _off(middle, 0.9 * radius, wind_deg), _off(middle, -0.9 * radius, wind_deg)
    arrow = {"arrowstyle": _ARROW, "fc": INK, "ec": "white", "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", head, tail, arrowprops=arrow, zorder=7.1)


def _off(middle: Point, length: float, heading_deg: float) -> Point:
    ahead, up = unit_vector(heading_deg)
    return middle[0] + length * ahead, middle[1] + length * up


_PANEL = 0.42
"""Width of the panel with rose and forms over that of the sea."""
_MARGIN = 0.015
"""Gap between the sea and the forms over the width of the sea."""
_ROSE = 0.19
"""Height of the rose over that of the sea."""
_FORMS_A_COLUMN, _LEAST_ROWS, _LEAST_LINES = 8, 4, 11
_FORM_POINTS = 7.0
_PANEL_Z = 6.9
"""Above ships, which may reach beyond the sea."""
_STRUCK_ALPHA = 0.35


def _ship(scene: Scene, ship: Piece) -> Iterator[Mark]:
    guns = tuple((gun.what, LOADED_GUN in gun.marks) for gun in scene.of("gun", ship.id))
    alpha = _STRUCK_ALPHA if STRUCK in ship.marks else 1.0
    yield Mark(draw_ship, (ship.what, ship.pose, scene.colour(ship), guns, alpha))


def _draw_lashing(one: Point, other: Point, ax: Axes) -> None:
    ax.plot(*zip(one, other, strict=True), color=rgb("brown"), lw=2.5, ls=":", zorder=5.6)


def _swimmer(scene: Scene, one: Piece) -> Iterator[Mark]:
    """Yield the first of those who swim at a place."""
    if one.order == 0:
        yield Mark(_draw_swimmer, (one.at, one.radius, scene.colour(one)))


def _draw_swimmer(at: Point, radius: float, color: str, ax: Axes) -> None:
    ax.add_patch(Circle(at, radius, fc=player_rgb(color), ec=INK, lw=0.8, zorder=5.7))


class PirateWarsPainter(Painter[State]):
    """Draws the sea, the ships and their sheets."""

    kinds: ClassVar = {
        "ship": _ship,
        "lashing": lambda _, one: [Mark(_draw_lashing, one.what)],
        "swimmer": _swimmer,
    }

    scene = staticmethod(battle_scene)

    def size(self, state: State) -> Point:
        """Return the width and the length of the sea with the panel beside it, in studs."""
        width, length = super().size(state)
        return width * (1 + _PANEL), length

    def draw_ground(self, state: State, ax: Axes) -> None:
        """Draw the sea with the wind over it, and the wind rose beside it."""
        sea, wind_deg = state.setting.sea, state.setting.wind_deg
        width, height = sea.width_studs, sea.height_studs
        ax.add_patch(Rectangle((0, 0), width, height, fc=SEA, lw=0, zorder=0))
        draw_streaks(width, height, wind_deg, ax)
        panel = Rectangle((width, 0), _PANEL * width, height, fc="white", ec=INK, lw=0.8)
        panel.set_zorder(_PANEL_Z)
        ax.add_patch(panel)
        ax.set_xticks([tick for tick in ax.get_xticks() if tick <= width])
        ax.xaxis.set_label_coords(0.5 / (1 + _PANEL), -0.06)
        radius = min(_ROSE * height, _PANEL * width) * 0.33
        draw_rose((width * (1 + 0.75 * _PANEL), height * (1 - _ROSE / 2)), radius, wind_deg, ax)
        wind = f"Wind: {compass(wind_deg - 180)}\n(blows to the {compass(wind_deg)})"
        x, y = width * (1 + _MARGIN), height * (1 - _ROSE / 2)
        ax.text(x, y, wind, fontsize=9, color=INK, va="center", zorder=7)

    def pieces(self, state: State) -> Pieces:
        """Return the ships and who swims, with their names, and the damage forms beside the sea."""
        width, length = self.size(state)
        half = state.setting.sea.width_studs * _PANEL / 2
        panel = Extent(width - half, length / 2, half, length / 2)
        forms = Pieces(tuple(_forms(state, state.setting.colours)), taken=(panel,))
        return super().pieces(state) + forms

    def legend(self, state: State) -> Sequence[Patch]:
        style: dict[str, Any] = {"edgecolor": INK, "lw": 0.6}
        return [Patch(facecolor=fill, label=f"rose: {name}", **style) for name, fill in _SAILING]

    def signs(self, state: State) -> str:
        return (
            "Line: way of the rudder. Dashed: bores of loaded cannons, with a tick where shot ends. "
            "Outlines: hulls after each round."
        )

    def sheets_figure(self, sheets: Sequence[Any]) -> Figure:
        canvas, axes = sheet_axes(len(sheets), SIZE_INCHES)
        for ax, plan in zip(axes, sheets, strict=True):
            draw_sheet(plan, ax)
        return canvas

    def true_size_mm(self, sheet: Any) -> Point:
        return CHART_MM

    def draw_true_size(self, sheet: Any, ax: Axes) -> None:
        draw_chart(sheet, ax)

    def draw_footprint(self, unit: ArmyUnit, heading_deg: float, ax: Axes) -> None:
        if isinstance(unit.sheet, ShipPlan):
            sheet = unit.sheet.sheet
            guns = [(gun, False) for gun in sheet.guns]
            draw_ship(sheet, Pose(0.0, 0.0, heading_deg), "white", guns, 1.0, ax)


def _forms(state: State, colors: Sequence[str]) -> Iterator[Mark]:
    """Yield the damage forms of all ships in columns, each with its crew and guns."""
    sea, ships = state.setting.sea, state.setting.ships
    columns = -(-len(ships) // _FORMS_A_COLUMN)
    rows = max(-(-len(ships) // columns), _LEAST_ROWS)
    top, left = sea.height_studs * (1 - _ROSE), sea.width_studs * (1 + _MARGIN)
    width, height = sea.width_studs * (_PANEL - _MARGIN) / columns, top / rows
    most = max(_LEAST_LINES, *(len(spec.sheet.chart.lines) for spec in ships))
    box = min((width - sea.width_studs * _MARGIN) / most, height / 3.6)
    for number, (spec, ship) in enumerate(zip(ships, state.ships, strict=True)):
        corner = left + number // rows * width, top - number % rows * height
        titled = f"{spoken(spec.name)}, {spec.sheet.title}", player_rgb(colors[ship.owner])
        yield Mark(_draw_form, (*titled, spec.sheet.chart, ship.damage, corner, box))
        yield Mark(_write_crew, (_form_text(state, number), corner, box))


def _draw_form(
    title: str,
    color: Color,
    chart: DamageChart,
    damage: Damage,
    corner: Point,
    box: float,
    ax: Axes,
) -> None:
    """Draw the form of a ship, below its name in the colour of its player."""
    (x, y), points = corner, _points(box, ax)
    flag = Rectangle((x, y - 0.7 * box), 0.6 * box, 0.6 * box, fc=color, ec=INK, lw=0.8)
    flag.set_zorder(_PANEL_Z)
    ax.add_artist(flag)
    draw_form(chart, damage, (x, y - box), box, points, ax)
    _write((x + 0.9 * box, y - 0.4 * box), title, points, ax, weight="bold")


def _write_crew(text: str, corner: Point, box: float, ax: Axes) -> None:
    _write((corner[0], corner[1] - 2.9 * box), text, _points(box, ax), ax)


def _points(box: float, ax: Axes) -> float:
    """Return the size of letters in a form whose lines have boxes of a width."""
    return min(_FORM_POINTS, 0.5 * box / point_length(ax))


def _write(at: Point, text: str, points: float, ax: Axes, **style: Any) -> None:
    ax.text(*at, text, va="center", color=INK, zorder=7, fontsize=points + 0.5, **style)


def _form_text(state: State, number: int) -> str:
    """Return the crew and the guns of a ship and what is unusual, or what has become of it."""
    ship = state.ships[number]
    if ship.fate is not Fate.AFLOAT:
        return spoken(ship.fate.value)
    loaded = sum(gun.loads == LOADED and not gun.is_lost for gun in ship.guns)
    guns = f"{loaded} of {counted(len(ship.guns), 'gun')} loaded" if ship.guns else "no guns"
    return ", ".join([f"crew {len(state.crews[number])}", guns, *remarks(state, number)])
