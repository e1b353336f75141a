"""Painter of Pirate Wars: the sea with its ships, and beside it the wind rose and the damage forms."""

from collections.abc import Iterator, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Patch, Rectangle

from brickphys.geometry.polygon import Point
from brickphys.pirate_wars.report.status_text import remarks, swimmers
from brickphys.pirate_wars.state.ship import LOADED, Fate, ShipState
from brickphys.pirate_wars.state.state import State
from brickphys.plots.colors import Color, player_colors, rgb
from brickphys.plots.labels import Box, Label, draw_labels, point_length
from brickphys.plots.painter import Painter
from brickphys.plots.pirate_wars.form import draw_form
from brickphys.plots.pirate_wars.sheet import SIZE_INCHES, draw_sheet
from brickphys.plots.pirate_wars.ship import INK, draw_ship
from brickphys.plots.pirate_wars.wind import SEA, draw_rose, draw_streaks, sailing_patches
from brickphys.rules.report.names import compass
from brickphys.text import counted, spoken

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
_SWIMMER_STUDS = 1.1


class PirateWarsPainter(Painter[State]):
    """Draws the sea, the ships and their sheets."""

    def size(self, state: State) -> Point:
        """Return the width and the length of the sea with the panel beside it, in studs."""
        sea = state.setting.sea
        return sea.width_studs * (1 + _PANEL), sea.height_studs

    def players(self, state: State) -> tuple[str, ...]:
        """Return the names of the players."""
        return state.setting.players

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

    def draw_pieces(
        self, state: State, labels: Sequence[Label], written: Sequence[Box], ax: Axes
    ) -> None:
        """Draw the ships and who swims, with their names, and the damage forms beside the sea."""
        colors = player_colors(state.setting.players)
        for number, ship in _shown(state):
            spec = state.setting.ships[number]
            guns = [
                (ship.gun(spec.sheet, gun), now.loads == LOADED and ship.is_afloat)
                for gun, now in enumerate(ship.guns)
                if not now.is_lost
            ]
            alpha = 1.0 if ship.is_afloat else _STRUCK_ALPHA
            draw_ship(spec.sheet, ship.pose, colors[ship.owner], guns, ax, alpha=alpha)
        for one, other in state.lashed:
            ends = state.ships[one].centre_studs, state.ships[other].centre_studs
            ax.plot(*zip(*ends, strict=True), color=rgb("brown"), lw=2.5, ls=":", zorder=5.6)
        names = [*_ship_labels(state), *_draw_swimmers(state, colors, ax)]
        _draw_forms(state, colors, ax)
        width, length = self.size(state)
        half = state.setting.sea.width_studs * _PANEL / 2
        panel = Box(width - half, length / 2, half, length / 2)
        draw_labels([*labels, *names], [*written, panel], ax)

    def legend(self, state: State) -> Sequence[Patch]:
        """Return the points of sail of the wind rose."""
        return sailing_patches()

    def signs(self, state: State) -> str:
        """Return what the lines and the outlines mean."""
        return (
            "Line: way of the rudder. Dashed: bores of loaded cannons, ticked where shot ends. "
            "Outlines: hulls after each round."
        )

    def sheets_figure(self, sheets: Sequence[Any]) -> Figure:
        """Return a picture of sheets, one below the other (see `brickphys.pirate_wars.report.sheets`)."""
        width, height = SIZE_INCHES
        canvas = Figure(figsize=(width, height * len(sheets)), dpi=150, layout="constrained")
        for ax, plan in zip(canvas.subplots(len(sheets), squeeze=False)[:, 0], sheets, strict=True):
            draw_sheet(plan, ax)
        return canvas


def _shown(state: State) -> Iterator[tuple[int, ShipState]]:
    """Yield the ships that are on the sea: those afloat, and those that struck."""
    there = (Fate.AFLOAT, Fate.STRUCK)
    return ((number, ship) for number, ship in enumerate(state.ships) if ship.fate in there)


def _ship_labels(state: State) -> Iterator[Label]:
    for number, _ in _shown(state):
        name = spoken(state.setting.ships[number].name)
        yield Label(name, Box.around(state.prism(number).footprint))


def _draw_swimmers(state: State, colors: Sequence[str], ax: Axes) -> Iterator[Label]:
    """Draw who swims, and yield how many are at each place."""
    for (x, y), found in swimmers(state).items():
        player = state.setting.minifigs[found[0]].player
        head = Circle((x, y), _SWIMMER_STUDS, fc=rgb(colors[player]), ec=INK, lw=0.8, zorder=5.7)
        ax.add_patch(head)
        yield Label(f"{len(found)} in the water", Box(x, y, _SWIMMER_STUDS, _SWIMMER_STUDS))


def _draw_forms(state: State, colors: Sequence[str], ax: Axes) -> None:
    """Draw the damage forms of all ships in columns, each with its crew and guns."""
    sea, ships = state.setting.sea, state.setting.ships
    columns = -(-len(ships) // _FORMS_A_COLUMN)
    rows = max(-(-len(ships) // columns), _LEAST_ROWS)
    top, left = sea.height_studs * (1 - _ROSE), sea.width_studs * (1 + _MARGIN)
    width, height = sea.width_studs * (_PANEL - _MARGIN) / columns, top / rows
    most = max(_LEAST_LINES, *(len(spec.sheet.chart.lines) for spec in ships))
    box = min((width - sea.width_studs * _MARGIN) / most, height / 3.6)
    for number in range(len(ships)):
        corner = left + number // rows * width, top - number % rows * height
        _draw_form_of(state, number, rgb(colors[state.ships[number].owner]), corner, box, ax)


def _draw_form_of(
    state: State, number: int, color: Color, corner: Point, box: float, ax: Axes
) -> None:
    """Draw the form of a ship, below its name in the colour of its player, and over its crew and guns."""
    spec, ship, (x, y) = state.setting.ships[number], state.ships[number], corner
    points = min(_FORM_POINTS, 0.5 * box / point_length(ax))
    flag = Rectangle((x, y - 0.7 * box), 0.6 * box, 0.6 * box, fc=color, ec=INK, lw=0.8)
    flag.set_zorder(_PANEL_Z)
    ax.add_patch(flag)
    style: dict[str, Any] = {"va": "center", "color": INK, "zorder": 7, "fontsize": points + 0.5}
    title = f"{spoken(spec.name)}, {spec.sheet.title}"
    ax.text(x + 0.9 * box, y - 0.4 * box, title, weight="bold", **style)
    draw_form(spec.sheet.chart, ship.damage, (x, y - box), box, points, ax)
    ax.text(x, y - 2.9 * box, _form_text(state, number), **style)


def _form_text(state: State, number: int) -> str:
    """Return the crew and the guns of a ship and what is unusual, or what has become of it."""
    ship = state.ships[number]
    if ship.fate is not Fate.AFLOAT:
        return spoken(ship.fate.value)
    loaded = sum(gun.loads == LOADED and not gun.is_lost for gun in ship.guns)
    guns = f"{loaded} of {counted(len(ship.guns), 'gun')} loaded"
    return ", ".join([f"crew {len(state.crews[number])}", guns, *remarks(state, number)])
