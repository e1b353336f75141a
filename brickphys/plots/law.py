"""Law: a measured law: its poses, its scores and its uncertainty; several laws; how far each cause moves the chance."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from brickphys.calibration.measure.measured_law import Measured
from brickphys.calibration.sensitivity import CauseEffect, CauseRanking, Sensitivity
from brickphys.odds.distribution import Z95, wilson
from brickphys.odds.law import BinomialLaw, Law
from brickphys.odds.provenance import CONTACT_LAW, ENGINE, Source, Systematic
from brickphys.plots import charts
from brickphys.plots.throws import draw_poses
from brickphys.text import counted, percent, percent_range, signed

_BAND = "0.85"
_BAR = 0.8
_MIN_PLACES = 14
"""The panel of scores has room for at least so many bars, so that few bars do not become wide."""
_MAX_SIZES = 6
"""Hand sizes whose names fit side by side."""


_WHISKERS: dict[str, Any] = {
    "fmt": "none",
    "ecolor": charts.VERMILION,
    "elinewidth": 1.2,
    "capsize": 2.5,
}


def draw_scores(law: Law, ax: Axes) -> None:
    """Draw the scores of hands of each size, next to those of independent bricks with the law's p.

    Of many hand sizes the first four, the middle and the last are shown.
    """
    start, ticks = 0, dict[int, str]()
    sizes = sorted(law.scores)
    if len(sizes) > _MAX_SIZES:
        sizes = [*sizes[: _MAX_SIZES - 2], sizes[len(sizes) // 2 - 1], sizes[-1]]
    for bricks in sizes:
        counts = law.scores[bricks]
        places = range(start, start + len(counts))
        _draw_hands(bricks, counts, places, law.share, ax)
        ticks.update(zip(places, map(str, range(len(counts))), strict=True))
        middle = start + bricks / 2
        ax.annotate(
            f"{counted(bricks, 'body', 'bodies')}\n{sum(counts):,}{'' if bricks == 1 else ' hands'}",
            (middle, 0),
            (0, -22),
            xycoords=("data", "axes fraction"),
            textcoords="offset points",
            ha="center",
            va="top",
        )
        start += len(counts) + 1
    ax.set_xticks(list(ticks), list(ticks.values()))
    ax.tick_params(axis="x", length=0)
    ax.set_xlabel(f"score: bodies that stopped {law.stops}", labelpad=34)
    ax.set(ylabel="share of hands (%)", title=_scores_title(law))
    charts.open_frame(ax)
    if sizes:
        ax.set(xlim=(-1, max(start - 1, _MIN_PLACES)), ylim=(0, None))
        ax.legend(frameon=False, loc="upper right")
    else:
        _say(ax, "no hands were thrown")


def _draw_hands(
    bricks: int, counts: Sequence[int], places: Sequence[int], p: Fraction, ax: Axes
) -> None:
    names = ("thrown", "95 % interval", f"independent bodies, each {100 * float(p):.1f} %")
    thrown, interval, independent = names if places[0] == 0 else (None,) * 3
    hands = sum(counts)
    shares = [100 * count / hands for count in counts]
    ends = 100 * np.array([wilson(count, hands) for count in counts]).T
    binomial = BinomialLaw(p).roll(bricks)
    expected = [100 * float(binomial.probability(score)) for score in range(bricks + 1)]
    ax.bar(places, shares, width=_BAR, color=charts.PALE_BLUE, label=thrown)
    style: dict[str, Any] = {"fmt": "none", "ecolor": "black", "elinewidth": 1}
    charts.draw_intervals(places, shares, ends, ax, label=interval, **style)
    mark: dict[str, Any] = {"marker": "_", "markersize": 13, "markeredgewidth": 2.2, "ls": "none"}
    ax.plot(places, expected, color=charts.VERMILION, label=independent, **mark)


def _scores_title(law: Law) -> str:
    found = law.overdispersion
    if found is None:
        return "Scores of hands"
    verdict = (
        "the bodies are correlated" if found.found else "no correlation between them was found"
    )
    rho, low, high = (_signed(value) for value in (found.rho, *found.ci95))
    figures = f"correlation {rho}, 95 % interval {low} to {high}; p-value {found.p_value:.2g}"
    return f"Scores of hands: {verdict}\n({figures})"


def draw_systematic(law: Law, ax: Axes) -> None:
    """Draw the 90 % range of the chance of a side, how far each source moves it, and the 95 % interval of p.

    A bar runs from the middle of the range half the measured shift down and up: to the chance at the low and at the
    high end of the source, averaged over all others. That of the engine has its whole shift, and ends at a nominal. If
    there are no sources, only the interval is drawn.
    """
    p = 100 * float(law.p)
    low, high = (100 * end for end in law.ci95)
    ax.axvspan(low, high, color=_BAND, zorder=0, label="95 % interval")
    ax.axvline(p, color="black", linewidth=1)
    ax.set(xlabel=f"chance of {law.scored} (%)", title=_range_title(law))
    if law.systematic is None:
        ax.set_yticks([])
        ax.spines["left"].set_visible(False)
        ax.set_xlim(p - 3 * (high - low), p + 3 * (high - low))
        _say(ax, "not measured", 0.25)
    else:
        _draw_causes(law, law.systematic, ax)
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=2, frameon=False)
    charts.open_frame(ax)


def _draw_causes(law: Law, systematic: Systematic, ax: Axes) -> None:
    sources = sorted(systematic.sources.items(), key=lambda item: -abs(item[1].shift))
    p, (least, most) = float(law.p), law.p_range90 or (float(law.p),) * 2
    middles = [100 * (p if name == ENGINE else (least + most) / 2) for name, _ in sources]
    rows = range(1, len(sources) + 1)
    # a nominal is at the high end of the engine; the other sources are moved about the middle of the range
    engine = 0.0 if law.nominal is None else 100.0
    share = np.array([engine if name == ENGINE else 50.0 for name, _ in sources])
    shift, error = np.array([(source.shift, source.error) for _, source in sources]).T
    right = (100 - share) * shift
    _draw_ends(rows, middles, -share * shift, right, ax, height=0.7)
    whiskers = np.maximum(share, 100 - share) * Z95 * error
    ax.errorbar(middles + right, rows, xerr=whiskers, label="interval of the high end", **_WHISKERS)
    if law.p_range90:
        style: dict[str, Any] = {"fill": False, "hatch": "////", "edgecolor": "0.3"}
        ax.barh([0], [100 * (most - least)], left=100 * least, height=0.7, **style)
    names = [_cause(name, source) for name, source in sources]
    ax.set_yticks(range(len(names) + 1), ["90 % range", *names])


def _draw_ends(
    rows: Sequence[int],
    middles: Sequence[float] | float,
    low: ArrayLike,
    high: ArrayLike,
    ax: Axes,
    **style: Any,
) -> None:
    """Draw bars from the middle to both ends of the range of each cause, from the top downwards."""
    ax.barh(rows, low, left=middles, color=charts.PALE_BLUE, label="low end of the range", **style)
    ax.barh(rows, high, left=middles, color=charts.BLUE, label="high end of the range", **style)
    ax.use_sticky_edges = False  # else a bar may end on the frame
    ax.invert_yaxis()
    ax.tick_params(axis="y", length=0)


def _range_title(law: Law) -> str:
    if law.p_range90 is None:
        return f"90 % range of {law.scored}: not measured"
    where = percent_range(*law.p_range90)
    return f"{law.range_meaning.capitalize()}:\n{law.scored} in {where} (90 % range)"


def law_figure(law: Law) -> Figure:
    """Draw a law: poses and uncertainty above, scores below, and a title with the throws.

    The figure has no window and is unknown to pyplot; ``figure.savefig(path)`` writes it.
    """
    figure = Figure(figsize=(11, 8.2), dpi=120, layout="constrained")
    axes = figure.subplot_mosaic(
        [["poses", "systematic"], ["scores", "scores"]], width_ratios=[4, 5], height_ratios=[5, 4]
    )
    draw_poses(law, axes["poses"])
    draw_systematic(law, axes["systematic"])
    draw_scores(law, axes["scores"])
    figure.suptitle(charts.heading(_title(law)))
    return figure


def measured_figure(measured: Measured) -> Figure:
    """Return the picture of the law of one table and one hand."""
    return law_figure(measured.law)


def _title(law: Law) -> str:
    digits = 1 if law.ci95[1] - law.ci95[0] > 0.004 else 2
    cut_short = "" if law.complete else " (interrupted)"
    together = law.hands_engine
    hands = f" ({together} for hands)" if together and together != law.engine else ""
    where = "90 % range not measured"
    if law.p_range90 is not None:
        where = f"{law.stops} in {percent_range(*law.p_range90)} (90 % range)"
    return (
        f"{law.shape}, preset {law.conditions.preset}, on {law.surface.description}: {where}\n"
        f"nominal {percent(float(law.p), digits)}, 95 % interval {percent_range(*law.ci95, digits)}, "
        f"{law.throws:,} throws{cut_short}, engine {law.engine}{hands}, seed {law.seed}"
    )


def _cause(name: str, source: Source) -> str:
    if name == ENGINE:
        return "reference engine"
    if name == CONTACT_LAW:
        return "contact law"
    words, unit = charts.cause_and_unit(name)
    return f"{words} {source.low:.3g} to {source.high:.3g} {unit}".rstrip()


def _signed(value: float) -> str:
    return signed(value, 3).replace("-", "\N{MINUS SIGN}")


def _say(ax: Axes, what: str, x: float = 0.5) -> None:
    ax.text(x, 0.5, what, transform=ax.transAxes, ha="center", va="center", color="0.35")


def laws_figure(laws: Mapping[str, Law]) -> Figure:
    """Return the chance of a side by each law: a bar over its 90 % range, a line over its 95 % interval."""
    figure, ax = charts.one_chart(8, 1.4 + 0.45 * len(laws))
    for place, law in enumerate(laws.values()):
        low, high = (100 * end for end in law.p_range90 or law.ci95)
        ax.barh(
            place, high - low, 0.5, left=low, color=charts.PALE_BLUE if law.p_range90 else "none"
        )
        first, last = (100 * end for end in law.ci95)
        ax.hlines(place, first, last, color=charts.BLUE, lw=4)
        ax.plot(100 * float(law.p), place, "o", color=charts.BLUE, ms=7)
    names = [f"{name}: {law.shape}, {law.surface.description}" for name, law in laws.items()]
    ax.set_yticks(range(len(laws)), list(map(charts.label, names)), fontsize=9)
    ax.use_sticky_edges = False  # a bar may not end at the frame
    ax.autoscale_view()
    ax.invert_yaxis()
    ax.set_xlabel("chance of a side (%): nominal (dot), 95 % interval (line), 90 % range (bar)")
    charts.open_frame(ax)
    return figure


def draw_tornado(found: Sensitivity, ax: Axes, scored: str = "a side") -> None:
    """Draw p at both ends of the range of each cause, averaged over all others, with intervals.

    `scored` names the poses whose chance p is.
    """
    ordered = sorted(found.effects.items(), key=lambda item: -abs(item[1].shift))
    rows = list(range(len(ordered)))
    middle = 100 * found.p
    swings = [*(effect.low for _, effect in ordered), *(effect.high for _, effect in ordered)]
    ends = 100 * np.array([swing.p for swing in swings])
    low, high = np.split(ends - middle, 2)
    _draw_ends(rows, middle, low, high, ax)
    reach = [100 * (swing.ci95[1] - swing.p) for swing in swings]
    ax.errorbar(ends, rows + rows, xerr=reach, label="95 % interval", **_WHISKERS)
    ax.axvline(middle, color="black", linewidth=1)
    ax.set_yticks(rows, [_name(name, effect) for name, effect in ordered])
    ax.set_xlabel(f"chance of {scored} (%), averaged over all other causes")
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=3, frameon=False)
    charts.open_frame(ax)


def _name(name: str, effect: CauseEffect) -> str:
    words, unit = charts.cause_and_unit(name)
    return f"{words}\n{effect.low.value:.3g} to {effect.high.value:.3g} {unit}".rstrip()


def tornado_figure(found: CauseRanking) -> Figure:
    """Return the figure of ranked causes."""
    figure, ax = charts.one_chart(8, 6)
    draw_tornado(found.effects, ax, found.scored)
    doubt = "" if found.effects.reliable else "\n(too few throws to tell the causes apart)"
    ax.set_title(f"What decides the chance of {found.scored}\n{found.title}{doubt}")
    return figure
