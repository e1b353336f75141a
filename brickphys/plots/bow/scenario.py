"""Picture of a scenario: its field with all figures and vehicles in the colours of their players."""

from typing import TYPE_CHECKING

from matplotlib.figure import Figure as Canvas
from matplotlib.patches import Patch

from brickphys.bow.report.scenario_text import aim_texts
from brickphys.plots.bow.areas import aim_areas, draw_areas
from brickphys.plots.bow.colors import height_handles, rgb
from brickphys.plots.bow.field import draw_pieces, draw_terrain
from brickphys.plots.bow.pieces import figures, player_colors, tiles, vehicles

if TYPE_CHECKING:
    from brickphys.bow.sheets.cost import ArmyTotal
    from brickphys.bow.state.state import State
    from brickphys.rules.scenario.scenario import Scenario

_INCHES_A_STUD = 0.26
_LEAST_INCHES, _MOST_INCHES = 6.0, 16.0
_HEAD_INCHES = 2.0
_INCHES_A_COLUMN = 2.6


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
    draw_terrain(state.board.terrain, ax)
    ax.set_title(scenario.title, fontsize=15, fontweight="bold")
    patches = [
        Patch(
            facecolor=rgb(color),
            edgecolor="black",
            label=f"{army.name}: {army.cost_points} cost points",
        )
        for army, color in zip(armies, colors, strict=True)
    ]
    handles = [*patches, *height_handles(state.board.terrain)]
    canvas.legend(
        handles=handles,
        title="\n".join(aim_texts(scenario)),
        loc="outside lower center",
        ncols=max(2, int(width / _INCHES_A_COLUMN)),
        frameon=False,
    )
    canvas.draw_without_rendering()  # labels need to know how large the field has become
    written, beside = draw_areas(aim_areas(scenario.setup, scenario.areas), ax)
    draw_pieces(figures(state), vehicles(state), ax, tiles(state), beside, written)
    return canvas
