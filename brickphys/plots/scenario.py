"""Scenario: the picture of a game before it begins, with its field, armies, costs and aims."""

from collections.abc import Sequence
from textwrap import fill, wrap

from matplotlib.figure import Figure as Canvas
from matplotlib.patches import Patch

from brickphys.plots.areas import draw_areas
from brickphys.plots.colors import player_rgb
from brickphys.plots.field import frame_field
from brickphys.plots.glyphs import heading, label
from brickphys.plots.painter import Painter
from brickphys.rules.record import State
from brickphys.rules.report.scenario import ScenarioReport
from brickphys.rules.report.sheets import ArmyTotal

_INCHES_A_UNIT = 0.26
_LEAST_INCHES, _MOST_INCHES = 6.0, 16.0
_HEAD_INCHES, _HEAD_LINES, _LINE_INCHES = 2.0, 4, 0.17
"""Room beside the field, the lines of aims and signs that it holds, and room for each more."""
_INCHES_A_COLUMN = 2.6
_LETTERS_AN_INCH = 12
_LABEL_LETTERS = 28


def scenario_figure(report: ScenarioReport[State], painter: Painter[State]) -> Canvas:
    """Return the picture of a scenario at its beginning, with the costs of the armies."""
    field_width, field_length = painter.size(report.state)
    unit = max(_INCHES_A_UNIT, painter.least_inches)
    width = min(max(unit * field_width, _LEAST_INCHES), _MOST_INCHES)
    lines = [*map(label, report.aims)]
    lines += wrap(painter.signs(report.state), int(_LETTERS_AN_INCH * width))
    height = width * field_length / field_width + _HEAD_INCHES
    height += _LINE_INCHES * max(0, len(lines) - _HEAD_LINES)
    canvas = Canvas(figsize=(width, height), dpi=110, layout="constrained")
    ax = canvas.subplots()
    frame_field(field_width, field_length, painter.unit, ax)
    painter.draw_ground(report.state, ax)
    ax.set_title(label(report.title), fontsize=15, fontweight="bold")
    canvas.legend(
        handles=[
            *_army_patches(report, painter.colours(report.state)),
            *painter.legend(report.state),
        ],
        title="\n".join(lines),
        loc="outside lower center",
        ncols=max(2, int(width / _INCHES_A_COLUMN)),
        frameon=False,
    )
    canvas.draw_without_rendering()  # the sizes of labels depend on the size that the field has got
    written, beside = draw_areas(report.areas, ax)
    painter.draw_pieces(report.state, beside, written, ax)
    return canvas


def _army_patches(report: ScenarioReport[State], colors: Sequence[str]) -> list[Patch]:
    return [
        Patch(
            facecolor=player_rgb(color),
            edgecolor="black",
            label=heading(_label(army)),
        )
        for army, color in zip(report.armies, colors, strict=True)
    ]


def _label(army: ArmyTotal) -> str:
    """Return the name of an army with its cost, or else with how many there are of each sort."""
    if army.cost_points is not None:
        return f"{army.name}: {army.cost_points} cost points"
    counts = (f"{sort} {count}" for sort, count in army.counts.items() if count)
    return fill(f"{army.name}: {', '.join(counts)}", _LABEL_LETTERS)
