"""Faults: the scene of a wrong answer, the true move, and where the answer has the mover."""

from typing import Any

from matplotlib.figure import Figure
from matplotlib.patches import Polygon

from brickphys.plots.charts import VERMILION, label
from brickphys.plots.vehicles import scene_figure
from brickphys.text import cut
from brickphys.vehicles.referee.worst_faults import FaultCase

_LONGEST_NAME = 24


def fault_figure(case: FaultCase) -> Figure:
    """Return the picture of a wrong answer: the true move, the thing of the fault, and the mover where the answer says.

    The legend below the picture is that of `brickphys.plots.vehicles.scene_figure`.
    """
    figure, fault = scene_figure(case.scene, case.move), case.fault
    (ax,) = figure.axes
    style: dict[str, Any] = {"fill": False, "edgecolor": VERMILION, "lw": 2.0, "zorder": 6}
    marks = []
    if case.thing is not None:
        told = label(f"{fault.kind.value}: {cut(case.thing.id, _LONGEST_NAME)}")
        marks += [
            ax.add_patch(Polygon(prism.ring_studs, closed=True, label=told, **style))
            for prism in case.thing.body
        ]
    for part in case.seen_body:
        patch = Polygon(part.ring_studs, closed=True, ls="--", label="mover by the answer", **style)
        marks.append(ax.add_patch(patch))
    if marks:
        ends = [marks[0], *([marks[-1]] if case.seen_body else [])]
        ax.legend(handles=ends, loc="upper left", fontsize=8, framealpha=0.9)
    return figure
