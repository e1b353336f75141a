"""Battle: a game on its field as a picture: before it begins, and after it, with the ways of all units."""

from collections.abc import Iterator, Sequence
from textwrap import fill, wrap
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas
from matplotlib.patches import Patch

from brickphys.battles.battle import Battle
from brickphys.geometry.polygon import Point
from brickphys.plots.charts import heading, label
from brickphys.plots.colors import Color, player_rgb
from brickphys.plots.labels import Extent, Label, draw_areas, draw_labels, draw_marks, point_length
from brickphys.plots.painter import FieldPicture, Painter, draw_polygons, draw_way, frame_field
from brickphys.rules.record import State
from brickphys.rules.registry import painter
from brickphys.rules.report.sheets import ArmyTotal
from brickphys.rules.report.trajectories import Track, Trajectories
from brickphys.rules.scenario import ScenarioReport

_ROUND_POINTS, _RING_POINTS, _CROSS_POINTS = 7.0, 11.0, 13.0
_NUMBERED_TRACKS = 6
"""The most ways along which rounds are written; more would hide each other."""


def trajectories_figure(trajectories: Trajectories[State], painter: Painter[State]) -> Canvas:
    """Return the field at the end of a game, with the way of each unit and where it fell."""
    final, many = trajectories.final, len(trajectories.tracks) > _NUMBERED_TRACKS
    stage = FieldPicture(painter, final, trajectories.areas)
    colors = trajectories.colours
    caption = stage.wrapped(*_caption(trajectories, painter, many=many))
    stage.make_room(len(caption))
    stage.write(caption)
    stage.draw_field(final)
    for track in trajectories.tracks:
        stage.written += _draw_track(track, player_rgb(colors[track.player]), stage.ax, thin=many)
        if not many:
            stage.written += _draw_rounds(track, stage.ax)
    lost = [
        Label(
            _loss(track, painter.called(final, track.name), trajectories.time),
            cross_box(track.places[-1][1], stage.ax),
            colors[track.player],
        )
        for track in trajectories.tracks
        if track.end and track.places
    ]
    pieces = painter.pieces(final)
    names = shown_labels(trajectories, pieces.labels)
    draw_marks(pieces.marks, stage.ax)
    draw_labels([*lost, *stage.labels, *names], [*pieces.taken, *stage.written], stage.ax)
    return stage.canvas


def shown_labels(trajectories: Trajectories[State], labels: Sequence[Label]) -> list[Label]:
    """Return the names of the player whose units alone are shown, and those of nobody; all without such a player."""
    own = trajectories.shown_player
    if own is None:
        return list(labels)
    color = trajectories.colours[own]
    return [one for one in labels if one.color in (None, color)]


def _caption(
    trajectories: Trajectories[State], painter: Painter[State], *, many: bool
) -> Iterator[str]:
    """Yield who played, how it ended, whose ways are shown, and what the signs mean."""
    names, own = trajectories.names, trajectories.shown_player
    yield " against ".join(map("{} ({})".format, names, trajectories.played_by))
    only = "" if own is None else f" Shown: the ways and names of {names[own]} only."
    yield f"{trajectories.ending}{only}"
    signs = f"Ring: start. Cross: loss, and the {trajectories.time} of it."
    signs += f" Number: place at the end of that {trajectories.time}." * (not many)
    yield f"{signs} {painter.signs(trajectories.final)}".rstrip()


def battle_figure(battle: Battle) -> Canvas:
    """Return the picture of a game that was played."""
    return trajectories_figure(battle.game.trajectories(battle.record), painter(battle.game))


def _loss(track: Track, called: str, time: str) -> str:
    """Return what a unit that was lost is called, and the time, for the cross at the end of its way."""
    end = "" if track.end == "dies" else f" {track.end}"
    return f"{called}{end}, {'' if len(called) == 1 else f'{time} '}{track.end_round}"


def cross_box(at: Point, ax: Axes) -> Extent:
    """Return the space of a cross."""
    half = _CROSS_POINTS / 2 * point_length(ax)
    return Extent(*at, half, half)


def _draw_track(track: Track, color: Color, ax: Axes, *, thin: bool) -> list[Extent]:
    """Draw a way: a ring at its start unless the unit got off a vehicle there, a cross where it ends for good."""
    if not track.places:
        return []
    places = np.array([place for _, place in track.places])
    width = 5.0 if track.is_vehicle and not track.outlines else 1.2 if thin else 2.0
    ax.plot(*places.T, color="white", lw=width + 1.4, alpha=0.6, zorder=5.0, solid_capstyle="round")
    ax.plot(*places.T, color=color, lw=width, alpha=0.75, zorder=5.1, solid_capstyle="round")
    outlines = [np.array(outline) for _, outline in track.outlines]
    draw_polygons(outlines, ax, facecolor=(*color, 0.12), edgecolor=color, lw=0.8, zorder=4.2)
    if track.end:
        draw_cross(places[-1].tolist(), ax)
    if not track.begins_here:
        return []
    ax.plot(*places[0], marker="o", ms=_RING_POINTS, mfc="none", mec=color, mew=2, zorder=5.4)
    (x, y), half = places[0].tolist(), _RING_POINTS / 2 * point_length(ax)
    return [Extent(x, y, half, half)]


def _draw_rounds(track: Track, ax: Axes) -> list[Extent]:
    """Write the number of each round where a unit was at its end, the last of several at one place."""
    ends = {number: place for number, place in track.places if number}
    numbers = {place: number for number, place in ends.items()}
    for (x, y), number in numbers.items():
        box = {"facecolor": "white", "lw": 0, "boxstyle": "circle,pad=0.1", "alpha": 0.9}
        style: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": _ROUND_POINTS}
        ax.text(x, y, f"{number}", bbox=box, zorder=5.5, **style)
    half = 0.8 * _ROUND_POINTS * point_length(ax)
    return [Extent(x, y, half, half) for x, y in numbers]


def draw_cross(at: Sequence[float], ax: Axes) -> None:
    """Mark where a unit was lost."""
    style: dict[str, Any] = {"ms": _CROSS_POINTS, "mfc": "black", "mec": "white", "mew": 1.2}
    draw_way([at], ax, marker="X", zorder=8.2, **style)


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
        handles=[*_army_patches(report, painter), *painter.legend(report.state)],
        title="\n".join(lines),
        loc="outside lower center",
        ncols=max(2, int(width / _INCHES_A_COLUMN)),
        frameon=False,
    )
    canvas.draw_without_rendering()  # the sizes of labels depend on the size that the field has got
    written, beside = draw_areas(report.areas, ax)
    painter.draw_pieces(report.state, beside, written, ax)
    return canvas


def _army_patches(report: ScenarioReport[State], painter: Painter[State]) -> list[Patch]:
    armies = zip(report.armies, painter.colours(report.state), strict=True)
    return [
        Patch(facecolor=player_rgb(color), edgecolor="black", label=heading(_label(army)))
        for army, color in armies
    ]


def _label(army: ArmyTotal) -> str:
    """Return the name of an army with its cost, or else with how many there are of each sort."""
    if army.cost_points is not None:
        return f"{army.name}: {army.cost_points} cost points"
    counts = (f"{sort} {count}" for sort, count in army.counts.items() if count)
    return fill(f"{army.name}: {', '.join(counts)}", _LABEL_LETTERS)
