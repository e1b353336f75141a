"""Pictures of the results of bricks thrown at home."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.contour import QuadContourSet
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from scipy.stats import beta

from brickphys.calibration.home import Inferred
from brickphys.calibration.inference import Inference
from brickphys.calibration.law_check import law_beta
from brickphys.calibration.posterior import beta_of
from brickphys.calibration.surface_posterior import SurfacePosterior
from brickphys.odds.law import Law
from brickphys.plots.charts import BLUE, PALE_BLUE, VERMILION
from brickphys.plots.glyphs import label

_POINTS = 400
_SPANS = 4.0
"""Standard deviations that are drawn on each side."""
_HELD = (0.95, 0.5)


@dataclass(frozen=True)
class ShareArtists:
    """What `draw_share` drew: the densities of p by the counts alone, by the law with all its doubt, and by both.

    The last two are None where there is no law for this surface.
    """

    home: Line2D
    law: Line2D | None
    both: Line2D | None


def draw_share(one: Inference, combined: Law | None, ax: Axes) -> ShareArtists:
    """Draw the chance of a side by the counts, by their law, and by `combined` where it is for the same surface."""
    p = one.share.p
    home = _curve(beta_of(p.mean, p.sd), ax, BLUE, "thrown at home")
    drawn_law = drawn_both = None
    if one.law is not None:
        law = law_beta(one.law, systematic=True)
        drawn_law = _curve(law, ax, "0.25", "the law, with its 90 % range")
        drawn_law.set(linestyle="--", zorder=3)  # it shows where the law and both together coincide
    if combined is not None and combined.surface.name == one.surface:
        both = law_beta(combined, systematic=True)
        drawn_both = _curve(both, ax, VERMILION, "both together")
    ax.axvspan(*(100 * end for end in p.ci95), color=BLUE, alpha=0.12, zorder=0)
    ax.set_title(label(f"Chance of a side on {one.surface}"))
    ax.set_xlabel("chance of a side (%); shaded: 95 % interval of the throws at home")
    ax.set_yticks([])
    ax.set_ylim(bottom=0)
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.legend(frameon=False, fontsize=9, loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=3)
    return ShareArtists(home, drawn_law, drawn_both)


def _curve(parameters: tuple[float, float], ax: Axes, colour: str, label: str) -> Line2D:
    middle, spread = beta.mean(*parameters), beta.std(*parameters)
    ends = np.clip([middle - _SPANS * spread, middle + _SPANS * spread], 0.0, 1.0)
    p = np.linspace(float(ends[0]), float(ends[1]), _POINTS)
    (line,) = ax.plot(100 * p, beta.pdf(p, *parameters), color=colour, linewidth=2, label=label)
    return line


def draw_contact(one: Inference, contact: SurfacePosterior, ax: Axes) -> QuadContourSet:
    """Draw friction and restitution as the regions that hold 95 % and 50 % of the probability.

    If the counts hardly determine one of them, a region of 50 % would look like a finding, and is left out. The limits
    of the axes are the ranges before the counts.
    """
    is_open = _is_open(one, contact)
    held, colours = (
        (_HELD[:1], [PALE_BLUE]) if any(is_open.values()) else (_HELD, [PALE_BLUE, BLUE])
    )
    levels = [*(_level(contact.weights, share) for share in held), 2 * contact.weights.max()]
    filled = ax.contourf(
        contact.friction.values,
        contact.restitution.values,
        contact.weights.T,
        levels=levels,
        colors=colours,
    )
    ax.plot(contact.friction.mean, contact.restitution.mean, "+", color="black", markersize=10)
    ax.set_xlim(contact.friction.values[0], contact.friction.values[-1])
    ax.set_ylim(contact.restitution.values[0], contact.restitution.values[-1])
    ax.set_xlabel("friction")
    ax.set_ylabel("restitution")
    regions = "light area 95 %, dark area 50 %, cross mean"
    if any(is_open.values()):
        hardly = " or ".join(name for name, is_so in is_open.items() if is_so)
        regions = f"light area 95 %, cross mean;\nthe counts hardly determine {hardly}"
    ax.set_title(f"Friction and restitution of {label(one.surface)}:\n{regions}")
    return filled


def _is_open(one: Inference, contact: SurfacePosterior) -> dict[str, bool]:
    """Return whether the counts leave friction and restitution as open as they were before."""
    return {
        "friction": contact.friction.is_open(one.ranges.friction),
        "restitution": contact.restitution.is_open(one.ranges.restitution),
    }


def _says_something(one: Inference) -> bool:
    return one.contact is not None and not all(_is_open(one, one.contact).values())


def _level(weights: np.ndarray[tuple[int, ...], np.dtype[np.float64]], share: float) -> float:
    """Return the density above which a share of the probability lies."""
    falling = np.sort(weights.ravel())[::-1]
    inside = min(int(np.searchsorted(np.cumsum(falling), share)), len(falling) - 1)
    return float(falling[inside])


def inferred_figure(inferred: Inferred) -> Figure:
    """Return the picture of what counted bricks say; see `infer_figure`."""
    return infer_figure(inferred.surfaces, inferred.combined)


def infer_figure(found: Sequence[Inference], combined: Law | None) -> Figure:
    """Draw every surface: the chance of a side to the left, friction and restitution to the right.

    Where the counts hardly determine friction nor restitution, there is nothing to see, and they are not drawn. The
    figure has no window and is unknown to pyplot; ``figure.savefig(path)`` writes it.
    """
    contacts = [one.contact if _says_something(one) else None for one in found]
    columns = 2 if any(contacts) else 1
    figure = Figure(figsize=(5.6 * columns, 4.4 * len(found)), dpi=120, layout="constrained")
    axes = figure.subplots(len(found), columns, squeeze=False)
    for one, contact, row in zip(found, contacts, axes, strict=True):
        draw_share(one, combined, row[0])
        if contact is not None:
            draw_contact(one, contact, row[1])
        else:
            for ax in row[1:]:
                ax.set_axis_off()
    return figure
