"""Trajectories of a game on its field: the ways of all units and where they fell, and a film of its frames."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Canvas

from brickphys.battles.battle import Battle
from brickphys.engines.view import Image
from brickphys.geometry.polygon import Point
from brickphys.plots.colors import Color, player_colors, rgb
from brickphys.plots.labels import Box, Label, point_length
from brickphys.plots.painter import Painter
from brickphys.plots.pieces import draw_polygons, short_name
from brickphys.plots.stage import Stage
from brickphys.rules.record import State
from brickphys.rules.registry import painter
from brickphys.rules.report.trajectories import Frame, Track, Trajectories

_FILM_DPI = 72
_CAPTION_LINES = 4
_ROUND_POINTS, _RING_POINTS, _CROSS_POINTS, _IMPACT_POINTS = 7.0, 11.0, 13.0, 14.0
_HIT: dict[str, Any] = {"marker": "*", "mfc": rgb("orange")}
_SPLASH: dict[str, Any] = {"marker": "o", "mfc": "white"}
_NUMBERED_TRACKS = 6
"""The most ways along which rounds are written; more would hide each other."""
MOST_FRAMES = 160
FRAME_MS = 900
"""How long a frame is shown."""


def trajectories_figure(trajectories: Trajectories[State], painter: Painter[State]) -> Canvas:
    """Return the field at the end of a game, with the way of each unit and where it fell."""
    final, many = trajectories.final, len(trajectories.tracks) > _NUMBERED_TRACKS
    stage = Stage(painter, final, trajectories.areas)
    signs = "Ring: start. Cross: loss."
    signs += f" Number: place at the end of that {trajectories.time}." * (not many)
    caption = stage.wrapped(
        " against ".join(map("{} ({})".format, trajectories.names, trajectories.played_by)),
        trajectories.ending,
        f"{signs} {painter.signs(final)}".rstrip(),
    )
    stage.make_room(len(caption))
    stage.write(caption)
    stage.draw_field(final)
    colors = player_colors(trajectories.names)
    for track in trajectories.tracks:
        stage.written += _draw_track(track, rgb(colors[track.player]), stage.ax)
        if not many:
            stage.written += _draw_rounds(track, stage.ax)
    players, time = trajectories.names if many else (), trajectories.time
    lost = [
        _loss(track, players, time, stage.ax)
        for track in trajectories.tracks
        if track.end and track.places
    ]
    painter.draw_pieces(final, [*lost, *stage.labels], stage.written, stage.ax)
    return stage.canvas


def battle_figure(battle: Battle) -> Canvas:
    """Return the picture of a game that was played."""
    return trajectories_figure(battle.game.trajectories(battle.record), painter(battle.game))


def film(
    trajectories: Trajectories[State],
    painter: Painter[State],
    advance: Callable[[int, int], None] | None = None,
) -> Iterator[Image]:
    """Yield a picture of each frame, with its sentence above the field; of one that is too long the last events.

    Of a long game some frames are left out, but none with a loss.

    Parameters
    ----------
    advance
        Is called with the number of pictures that are done, and of all.

    Yields
    ------
    ndarray, shape (height, width, 3)
        Red, green and blue, 0 to 255.
    """
    shown = _sample(trajectories.frames)
    projector = _Projector(trajectories, painter)
    for number, frame in enumerate(shown, start=1):
        yield projector.picture(frame)
        if advance:
            advance(number, len(shown))


def _sample(frames: Sequence[Frame[State]]) -> list[Frame[State]]:
    """Return at most `MOST_FRAMES` frames, evenly, and all with a loss."""
    step, last = max(1, -(-len(frames) // MOST_FRAMES)), len(frames) - 1
    return [
        frame
        for number, frame in enumerate(frames)
        if number % step == 0 or number == last or frame.kills
    ]


class _Projector:
    """Draws a field once, and the pieces of each frame over it."""

    def __init__(self, trajectories: Trajectories[Any], painter: Painter[Any]) -> None:
        self._trajectories, self._painter = trajectories, painter
        self._stage = Stage(painter, trajectories.frames[0].state, trajectories.areas)
        self._stage.make_room(_CAPTION_LINES)
        self._agg: Any = FigureCanvasAgg(self._stage.canvas)  # its methods have no types
        self._stage.canvas.set_dpi(_FILM_DPI)
        self._ground: object = object()
        self._background: Any = None

    def picture(self, frame: Frame[Any]) -> Image:
        """Return the picture of a frame."""
        ground = self._painter.ground(frame.state)
        if ground != self._ground:
            self._stage.draw_field(frame.state)
            self._agg.draw()
            self._background = self._agg.copy_from_bbox(self._stage.canvas.bbox)
            self._ground = ground
        self._agg.restore_region(self._background)
        for artist in self._artists(frame):
            artist.draw(self._agg.get_renderer())
            artist.remove()
        return np.asarray(self._agg.buffer_rgba())[..., :3].copy()

    def _artists(self, frame: Frame[Any]) -> list[Artist]:
        """Return everything that is drawn over the field, the lowest first."""
        stage, names = self._stage, self._trajectories.names
        ax, known = stage.ax, set(stage.ax.get_children())
        lost = [Label(short_name(one.name, names), _cross_box(one.at, ax)) for one in frame.kills]
        self._painter.draw_pieces(frame.state, [*stage.labels, *lost], stage.written, ax)
        if frame.player is not None:
            _draw_path(frame, rgb(player_colors(names)[frame.player]), ax)
        _draw_attacks(frame, ax)
        for one in frame.kills:
            _draw_cross(one.at, ax)
        drawn = [child for child in ax.get_children() if child not in known]
        caption = stage.write(self._caption(frame))
        return [*sorted(drawn, key=lambda artist: artist.get_zorder()), caption]

    def _caption(self, frame: Frame[Any]) -> list[str]:
        """Return the lines over a frame: of a text that is too long the last events."""
        events, lines = frame.text.split("; "), list[str]()
        for first in range(len(events)):
            text = "... " * (first > 0) + "; ".join(events[first:])
            lines = self._stage.wrapped(frame.heading, text)
            if len(lines) <= _CAPTION_LINES:
                return lines
        return [*lines[: _CAPTION_LINES - 1], f"{lines[_CAPTION_LINES - 1]} ..."]


def _draw_path(frame: Frame[State], color: Color, ax: Axes) -> None:
    """Draw the way of the unit that acted."""
    places = np.array(frame.path)
    ax.plot(*places.T, color="white", lw=3.5, zorder=5.2, solid_capstyle="round")
    ax.plot(*places.T, color=color, lw=2, zorder=5.3, solid_capstyle="round")


def _draw_attacks(frame: Frame[State], ax: Axes) -> None:
    """Draw from where to where units attacked, and where shots fell: a star for a hit, a round splash for a miss."""
    for ends in frame.attacks:
        ax.plot(*np.array(ends).T, color="black", lw=1.6, ls=(0, (3, 2)), zorder=7)
    for (x, y), hits in frame.impacts:
        marker = _HIT if hits else _SPLASH
        ax.plot(x, y, ms=_IMPACT_POINTS, mec="black", mew=0.8, zorder=7.1, **marker)


def _loss(track: Track, players: Sequence[str], time: str, ax: Axes) -> Label:
    """Return the name of a unit that was lost, and the time, for the cross at the end of its way."""
    end = "" if track.end == "dies" else f" {track.end}"
    text = f"{short_name(track.name, players)}{end}, {time} {track.end_round}"
    return Label(text, _cross_box(track.places[-1][1], ax))


def _cross_box(at: Point, ax: Axes) -> Box:
    half = _CROSS_POINTS / 2 * point_length(ax)
    return Box(*at, half, half)


def _draw_track(track: Track, color: Color, ax: Axes) -> list[Box]:
    """Draw a way: a ring at its start unless the unit got off a vehicle there, a cross where it ends for good.

    Returns
    -------
    list of Box
        The space of the ring, if there is one.
    """
    if not track.places:
        return []
    places = np.array([place for _, place in track.places])
    width = 5.0 if track.is_vehicle and not track.outlines else 2.0
    ax.plot(*places.T, color="white", lw=width + 1.4, alpha=0.6, zorder=5.0, solid_capstyle="round")
    ax.plot(*places.T, color=color, lw=width, alpha=0.75, zorder=5.1, solid_capstyle="round")
    outlines = [np.array(outline) for outline in track.outlines]
    draw_polygons(outlines, ax, facecolor=(*color, 0.12), edgecolor=color, lw=0.8, zorder=4.2)
    if track.end:
        _draw_cross(places[-1].tolist(), ax)
    if not track.begins_here:
        return []
    ax.plot(*places[0], marker="o", ms=_RING_POINTS, mfc="none", mec=color, mew=2, zorder=5.4)
    (x, y), half = places[0].tolist(), _RING_POINTS / 2 * point_length(ax)
    return [Box(x, y, half, half)]


def _draw_rounds(track: Track, ax: Axes) -> list[Box]:
    """Write the number of each round where a unit was at its end, the last of several at one place.

    Returns
    -------
    list of Box
        The spaces of the numbers.
    """
    ends = {number: place for number, place in track.places if number}
    numbers = {place: number for number, place in ends.items()}
    for (x, y), number in numbers.items():
        box = {"facecolor": "white", "lw": 0, "boxstyle": "circle,pad=0.1", "alpha": 0.9}
        ax.text(
            x,
            y,
            f"{number}",
            ha="center",
            va="center",
            fontsize=_ROUND_POINTS,
            bbox=box,
            zorder=5.5,
        )
    half = 0.8 * _ROUND_POINTS * point_length(ax)
    return [Box(x, y, half, half) for x, y in numbers]


def _draw_cross(at: Sequence[float], ax: Axes) -> None:
    ax.plot(*at, marker="X", ms=_CROSS_POINTS, mfc="black", mec="white", mew=1.2, zorder=8.2)
