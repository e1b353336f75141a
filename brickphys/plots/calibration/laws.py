"""Picture of several laws: where the chance of a side lies by each."""

from collections.abc import Mapping

from matplotlib.figure import Figure

from brickphys.odds.law import Law
from brickphys.plots.charts import BLUE, PALE_BLUE, open_frame
from brickphys.plots.glyphs import label


def laws_figure(laws: Mapping[str, Law]) -> Figure:
    """Return the chance of a side by each law: a bar over its 90 % range, a line over its 95 % interval."""
    figure = Figure(figsize=(8, 1.4 + 0.45 * len(laws)), dpi=120, layout="constrained")
    ax = figure.add_subplot()
    for place, law in enumerate(laws.values()):
        low, high = (100 * end for end in law.p_range90 or law.ci95)
        ax.barh(place, high - low, 0.5, left=low, color=PALE_BLUE if law.p_range90 else "none")
        first, last = (100 * end for end in law.ci95)
        ax.hlines(place, first, last, color=BLUE, lw=4)
        ax.plot(100 * float(law.p), place, "o", color=BLUE, ms=7)
    names = [f"{name}: {law.shape}, {law.surface.description}" for name, law in laws.items()]
    ax.set_yticks(range(len(laws)), list(map(label, names)), fontsize=9)
    ax.use_sticky_edges = False  # a bar may not end at the frame
    ax.autoscale_view()
    ax.invert_yaxis()
    ax.set_xlabel("chance of a side (%): nominal (dot), 95 % interval (line), 90 % range (bar)")
    open_frame(ax)
    return figure
