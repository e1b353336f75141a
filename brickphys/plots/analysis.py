"""Analysis: the chance to win over a game that was played, with its rounds, its worst choices and its greatest luck."""

from collections.abc import Sequence
from textwrap import fill
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas

from brickphys.battles.players import AnyRecord, names_of
from brickphys.plots.charts import heading, label, one_chart, open_frame
from brickphys.plots.colors import INK, PALE_INK, player_rgb
from brickphys.rules.game import AnyGame
from brickphys.rules.players.advice import points
from brickphys.rules.report.analysis import Analysis, Remark, remarks
from brickphys.text import cut

_WIDTH, _HEIGHT, _LINE = 9.0, 4.2, 0.19
"""Width of the picture, height of the chart and of a line below it, in inches."""
_COLUMNS, _MOST = 150, 280
"""Letters in a line, and in a remark."""
_MOST_ROUNDS = 20
"""Rounds with a number; of more only some have one."""
_ROOM = 7.0
"""Points of 100 between a mark and its sign, and between two signs."""
_NEAR = 0.03
"""Share of the width within which two signs would touch each other."""


def analysis_figure(game: AnyGame, record: AnyRecord, analysis: Analysis) -> Canvas:
    """Return the chance to win after each step: of two players that of the first, else that of each player."""
    names = names_of(game, record)
    found = [*remarks(analysis, names)]
    told = "\n".join(_told(one) for one in found)
    lines = told.count("\n") + 2
    figure, ax = one_chart(_WIDTH, _HEIGHT + _LINE * lines)
    _draw_chances(game, record, analysis, names, ax)
    _draw_rounds(game, record, ax)
    for sign, place in _places(found, analysis).items():
        _draw_sign(sign, *place, ax)
    ax.set_title(f"Chance to win as {analysis.level} judges it", loc="left")
    figure.supxlabel(heading(told), x=0.02, ha="left", fontsize=8, color=INK)
    return figure


def _draw_chances(
    game: AnyGame, record: AnyRecord, analysis: Analysis, names: Sequence[str], ax: Axes
) -> None:
    colours = [player_rgb(name) for name in game.player_colours(record.initial)]
    steps = np.arange(len(analysis.worths))
    chances = points(1.0) * (1.0 + np.array(analysis.worths))
    ax.set(xlim=(0, max(len(steps) - 1, 1)), ylim=(0, 100), ylabel="chance to win (%)")
    ax.axhline(50, color=PALE_INK, linewidth=0.8, linestyle="--")
    style: dict[str, Any] = {"step": "post", "alpha": 0.35, "linewidth": 0}
    if len(names) == 2:
        ax.fill_between(steps, 0, chances[:, 0], color=colours[0], label=label(names[0]), **style)
        ax.fill_between(steps, chances[:, 0], 100, color=colours[1], label=label(names[1]), **style)
        ax.step(steps, chances[:, 0], where="post", color=INK, linewidth=1.4)
    else:
        for player, name in enumerate(names):
            line: dict[str, Any] = {"color": colours[player], "linewidth": 1.8}
            ax.step(steps, chances[:, player], where="post", label=label(name), **line)
    ax.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=len(names), frameon=False)
    open_frame(ax)


def _draw_rounds(game: AnyGame, record: AnyRecord, ax: Axes) -> None:
    """Draw a line where each round begins; without rounds the axis counts steps."""
    begins: dict[int, int] = {}
    for step, state in enumerate(record.states):
        if number := game.rounds(state):
            begins.setdefault(number, step)
    if not begins:
        ax.set_xlabel("step")
        return
    every = -(-len(begins) // _MOST_ROUNDS)
    shown = {number: step for number, step in begins.items() if (number - 1) % every == 0}
    ax.set_xticks([*shown.values()], [*map(str, shown)])
    ax.set_xlabel(game.round_word.lower())
    for step in begins.values():
        ax.axvline(step, color=PALE_INK, linewidth=0.5, alpha=0.5)


def _places(found: Sequence[Remark], analysis: Analysis) -> dict[str, tuple[int, float, float]]:
    """Return for each sign its step, the chance then, and the height at which it is written, apart from others."""
    places: dict[str, tuple[int, float, float]] = {}
    near = _NEAR * len(analysis.worths)
    for sign, step, *_ in sorted(found, key=lambda one: one.step):
        chance = points(1.0 + analysis.worths[step][0])
        away = _ROOM if chance < 50 else -_ROOM
        taken = [height for at, _, height in places.values() if step - at < near]
        height = chance + away
        while any(abs(height - other) < _ROOM for other in taken):
            height += away
        places[sign] = step, chance, height
    return places


def _draw_sign(sign: str, step: int, chance: float, height: float, ax: Axes) -> None:
    """Mark the end of a step, and write a sign above or below."""
    is_choice = sign.isdecimal()
    ax.plot(step, chance, "v" if is_choice else "*", color=INK, markersize=6, clip_on=False)
    ax.plot((step, step), (chance, height), color=INK, linewidth=0.6)
    shape = "round,pad=0.15" if is_choice else "circle,pad=0.15"
    box = {"boxstyle": shape, "facecolor": "white"}
    ax.text(step, height, sign, ha="center", va="center", weight="bold", bbox=box)


def _told(remark: Remark) -> str:
    return fill(cut(f"{remark.sign}  {remark.text}", _MOST), _COLUMNS, subsequent_indent="    ")
