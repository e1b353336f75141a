"""Pictures of the worth of units beside their prices, and of wins over the ratio of costs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes
from matplotlib.container import ErrorbarContainer
from matplotlib.lines import Line2D

from brickphys.batch.value.unit_value import UnitValues
from brickphys.plots.charts import COLOURS, open_frame
from brickphys.text import spoken

_MARKERS = "osD^"
_STEP, _ROOM = 0.26, 0.8
"""Rows between the dots of two sets of battles, and the most rows of all of them."""
_BESIDE = 1.012
"""Shift between the ratios of two sets in the picture, so that their intervals are beside each other."""
_RATIOS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0)


@dataclass(frozen=True)
class WinsArtists:
    """What `draw_wins` drew: the shares of each set of battles, and the fitted slopes."""

    shares: tuple[ErrorbarContainer, ...]
    lines: tuple[Line2D, ...]


def draw_worths(found: Mapping[str, UnitValues], ax: Axes) -> tuple[ErrorbarContainer, ...]:
    """Draw the worth of every unit over its price, with intervals; a fair price lies on the line.

    Of the sets of battles by their names, the first gives the order, the most underpriced unit on top; the result has
    an artist for each.
    """
    first = next(iter(found.values()))
    ordered = sorted(first.units, key=lambda unit: -unit.worth.value / unit.price)
    rows = {unit.name: row for row, unit in enumerate(ordered)}
    drawn = []
    for index, worth in enumerate(found.values()):
        units = [unit for unit in worth.units if unit.name in rows]
        shift = min(_STEP, _ROOM / len(found)) * (index - (len(found) - 1) / 2)
        ratios = [unit.worth.value / unit.price for unit in units]
        low = [(unit.worth.value - unit.worth.low) / unit.price for unit in units]
        high = [(unit.worth.high - unit.worth.value) / unit.price for unit in units]
        drawn.append(
            ax.errorbar(
                ratios,
                [rows[unit.name] + shift for unit in units],
                xerr=[low, high],
                fmt=_marker(index),
                color=COLOURS[index % len(COLOURS)],
                markersize=5,
                capsize=2.5,
                elinewidth=1.2,
            )
        )
    ax.axvline(1.0, color="black", linewidth=1)
    ax.set_xscale("log")
    ends = ax.get_xlim()
    shown = [ratio for ratio in _RATIOS if ends[0] <= ratio <= ends[1]]
    ax.set_xticks(shown, [f"{ratio:g}" for ratio in shown])
    ax.minorticks_off()
    ax.set_yticks(
        range(len(ordered)), [f"{spoken(unit.name)} ({unit.price:g})" for unit in ordered]
    )
    ax.invert_yaxis()
    ax.grid(axis="y", color="0.92")
    ax.set_axisbelow(True)
    ax.set_xlabel("worth / price (below 1: too expensive, above 1: too cheap)")
    ax.set_title("Worth of units (price in brackets)")
    _finish(ax, drawn, [f"{name} ({worth.battles:,} battles)" for name, worth in found.items()])
    return tuple(drawn)


def draw_wins(found: Mapping[str, UnitValues], ax: Axes) -> WinsArtists:
    """Draw the share of wins of the first army over the ratio of costs, with the fitted slopes."""
    shares, lines, labels = [], [], []
    for index, (name, worth) in enumerate(found.items()):
        colour = COLOURS[index % len(COLOURS)]
        wins = [share.wins for share in worth.curve]
        ratios = [share.ratio for share in worth.curve]
        beside = _BESIDE ** (index - (len(found) - 1) / 2)
        shares.append(
            ax.errorbar(
                [ratio * beside for ratio in ratios],
                [100 * one.value for one in wins],
                yerr=[
                    [100 * (one.value - one.low) for one in wins],
                    [100 * (one.high - one.value) for one in wins],
                ],
                fmt=_marker(index),
                color=colour,
                capsize=2.5,
                elinewidth=1.2,
            )
        )
        odds = worth.seat.value / (1.0 - worth.seat.value)
        grid = [min(ratios) * (max(ratios) / min(ratios)) ** (step / 50) for step in range(51)]
        chances = [odds * ratio**worth.slope.value for ratio in grid]
        (line,) = ax.plot(grid, [100 * o / (1 + o) for o in chances], color=colour)
        lines.append(line)
        labels.append(f"{name}: odds = ratio ^ {worth.slope.value:.1f}")
    ax.axhline(50, color="0.7", linewidth=1, zorder=0)
    ax.axvline(1, color="0.7", linewidth=1, zorder=0)
    ax.set_ylim(0, 100)
    ax.set_xlabel("cost of the first army / cost of the second")
    ax.set_ylabel("the first army wins (%), draws as halves")
    ax.set_title("Does the more expensive army win?")
    _finish(ax, list(zip(shares, lines, strict=True)), labels)
    return WinsArtists(tuple(shares), tuple(lines))


def _marker(index: int) -> str:
    """Return the marker of a set of battles; it changes once the colours begin anew."""
    return _MARKERS[(index + index // len(COLOURS)) % len(_MARKERS)]


def _finish(ax: Axes, handles: Sequence[Any], labels: Sequence[str]) -> None:
    """Write the legend of the sets of battles below, and remove needless lines of the frame."""
    ax.legend(
        handles, labels, loc="upper center", bbox_to_anchor=(0.5, -0.11), frameon=False, fontsize=9
    )
    open_frame(ax)
