"""Picture of a scenario: its field with all figures and vehicles in the colours of their players."""

from typing import TYPE_CHECKING

from matplotlib.figure import Figure as Canvas
from matplotlib.patches import Patch

from brickphys.bow.place import is_enclosed
from brickphys.bow.scenario_text import aim_texts
from brickphys.plots.field import Figure, Paint, draw_areas, draw_field, draw_objects
from brickphys.shapes.palette import PALETTE
from brickphys.vehicles.polygon import Point, unit_vector

if TYPE_CHECKING:
    from brickphys.bow.cost import ArmyTotal
    from brickphys.bow.scenario_file import Scenario
    from brickphys.bow.setting import Setting
    from brickphys.bow.state import State

_COLORS = ("red", "blue", "yellow", "orange", "white", "black")
_INCHES_A_STUD = 0.26
_LEAST_INCHES, _MOST_INCHES = 6.0, 16.0
_HEAD_INCHES = 1.7
_ROW_STUDS = 1.8
"""From seat to seat, as they are drawn."""


def scenario_figure(
    scenario: "Scenario", state: "State", armies: "tuple[ArmyTotal, ...]"
) -> Canvas:
    """Return the picture of a scenario at its beginning, with what the armies cost."""
    field = state.setting.field
    width = min(max(_INCHES_A_STUD * field.width, _LEAST_INCHES), _MOST_INCHES)
    height = width * field.length / field.width + _HEAD_INCHES
    canvas = Canvas(figsize=(width, height), dpi=110, layout="constrained")
    ax = canvas.subplots()
    colors = player_colors(state.setting)
    draw_field(state.board.terrain, figures(state), vehicles(state), ax)
    draw_areas(scenario.areas, ax)
    draw_objects(field, state.objects, ax)
    ax.set_title(scenario.title, fontsize=15, fontweight="bold")
    patches = [
        Patch(
            facecolor=_rgb(color),
            edgecolor="black",
            label=f"{army.name}: {army.cost_points} cost points",
        )
        for army, color in zip(armies, colors, strict=True)
    ]
    canvas.legend(
        handles=patches,
        title="\n".join(aim_texts(scenario)),
        loc="outside lower center",
        ncols=len(patches),
        frameon=False,
    )
    return canvas


def player_colors(setting: "Setting") -> tuple[str, ...]:
    """Return a colour for each player: that of his name if it is one, else the next that is free."""
    free = iter([color for color in _COLORS if color not in setting.players])
    return tuple(name if name in _COLORS else next(free) for name in setting.players)


def figures(state: "State") -> list[Figure]:
    """Return the units that are seen from above, with their names on foot."""
    setting, colors = state.setting, player_colors(state.setting)
    return [
        Figure(
            *_middle(state, unit),
            heading_deg=state.heading_deg(unit),
            color=colors[setting.units[unit].player],
            name=_short(setting, unit) if figure.seat is None else "",
        )
        for unit, figure in state.in_play()
        if not is_enclosed(state, unit)
    ]


def vehicles(state: "State") -> list[Paint]:
    """Return the vehicles in play."""
    parked, colors = state.setting.vehicles, player_colors(state.setting)
    return [
        Paint(state.vehicle(number), colors[parked[number].player])
        for number in state.vehicles_left
    ]


def _rgb(color: str) -> tuple[float, float, float]:
    red, green, blue = PALETTE[color]
    return red / 255, green / 255, blue / 255


def _middle(state: "State", unit: int) -> Point:
    """Return where a figure is drawn: those in a vehicle side by side, since all of them are at its middle."""
    x, y, _ = state.stance(unit)
    if state.figures[unit].seat is None:
        return x, y
    row = [one for one in state.occupants(state.seat_of(unit)[0]) if not is_enclosed(state, one)]
    aside = _ROW_STUDS * (row.index(unit) - (len(row) - 1) / 2)
    ahead_x, ahead_y = unit_vector(state.heading_deg(unit))
    return x + aside * ahead_y, y - aside * ahead_x


def _short(setting: "Setting", unit: int) -> str:
    """Return a name without that of its player, whom the colour tells."""
    entry = setting.units[unit]
    return entry.name.removeprefix(f"{setting.players[entry.player]}_").replace("_", " ")
