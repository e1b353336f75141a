"""Pictures of the course of a battle: who went where and who fell, on the field at the end; and as a film."""

import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Canvas
from matplotlib.patches import Patch

from brickphys.bow.report.story import Turn, ending, turns
from brickphys.bow.report.trajectories import Track, attacks, blows, tracks, way
from brickphys.bow.state.state import NOBODY
from brickphys.geometry.polygon import Point
from brickphys.plots.bow.areas import Area, aim_areas, draw_areas
from brickphys.plots.bow.colors import Color, height_handles, rgb
from brickphys.plots.bow.field import draw_pieces, draw_terrain
from brickphys.plots.bow.labels import Box, Label, studs_a_point
from brickphys.plots.bow.pieces import figures, player_colors, short_name, tiles, vehicles

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.text import Text

    from brickphys.bow.state.state import State
    from brickphys.engines.view import Image
    from brickphys.rules.record import Record
    from brickphys.rules.words import Action

_INCHES_A_STUD = 0.24
_SMALLEST_INCHES, _LARGEST_INCHES = 6.0, 12.0
_FILM_DPI = 72
_CAPTION_LINES = 4
_LETTERS_AN_INCH = 11
_ROUND_POINTS, _RING_POINTS = 7.0, 11.0
_NUMBERED_TRACKS = 6
"""Rounds are written along the ways of so few; more would hide each other."""
_INCHES_A_LINE, _INCHES_A_COLUMN = 0.19, 1.7
MOST_FRAMES = 160
FRAME_MS = 900
"""How long a turn is shown."""


def course_figure(record: "Record[State, Action[State]]") -> Canvas:
    """Return the field at the end of a battle, with the way of everybody and where he fell."""
    final, setting = record.final, record.initial.setting
    many = len(ways := tracks(record)) > _NUMBERED_TRACKS
    names = " against ".join(
        f"{name} ({bot})" for name, bot in zip(setting.players, record.players, strict=True)
    )
    legend = "A ring is where somebody began, a cross where he fell"
    legend += "" if many else ", a number where he was when that round ended"
    legend += ", a white diamond what lies about." if final.objects else "."
    canvas = _canvas(final)
    caption = _caption(canvas, names, ending(record), legend)
    _fit(canvas, final, len(caption))
    _write(canvas, caption)
    ax = canvas.subplots()
    draw_terrain(final.board.terrain, ax)
    written, names_beside = draw_areas(aim_areas(record.setup), ax)
    colors = player_colors(setting)
    for track in ways:
        written += _draw_track(track, colors[track.player], ax)
        if not many:
            written += _draw_rounds(track, ax)
    players = setting.players if many else ()
    fallen = [_fallen(track, players) for track in ways if track.end and track.places]
    labels = [*fallen, *names_beside]
    draw_pieces(figures(final), vehicles(final), ax, tiles(final), labels, written)
    _draw_legend(final, canvas)
    return canvas


def film(
    record: "Record[State, Action[State]]", advance: Callable[[int, int], None] | None = None
) -> "Iterator[Image]":
    """Yield a picture of the field after each turn, with what was done in it below.

    Of a long battle some turns are left out, but none in which somebody fell.

    Parameters
    ----------
    record
        A battle that was played.
    advance
        Is told how many pictures are done, and how many there will be.

    Yields
    ------
    ndarray, shape (height, width, 3)
        Red, green and blue, 0 to 255.
    """
    shown = _shown(list(turns(record)))
    stage = _Stage(record.initial, aim_areas(record.setup))
    for number, turn in enumerate(shown, start=1):
        yield stage.picture(turn, ending(record) if number == len(shown) else "")
        if advance:
            advance(number, len(shown))


def _shown(all_turns: Sequence[Turn]) -> list[Turn]:
    """Return at most `MOST_FRAMES` turns, evenly, and all in which somebody fell."""
    step = max(1, -(-len(all_turns) // MOST_FRAMES))
    last = len(all_turns) - 1
    return [
        turn
        for number, turn in enumerate(all_turns)
        if number % step == 0 or number == last or blows(turn)
    ]


class _Stage:
    """A field that is drawn once, on which the pieces change."""

    def __init__(self, state: "State", areas: Sequence[Area]) -> None:
        self._canvas = _canvas(state)
        _fit(self._canvas, state, _CAPTION_LINES)
        self._areas = areas
        self._agg: Any = FigureCanvasAgg(self._canvas)  # its methods have no types
        self._canvas.set_dpi(_FILM_DPI)
        self._ax = self._canvas.subplots()
        self._open_ids: frozenset[str] | None = None
        self._background: Any = None
        self._written: list[Box] = []
        self._beside: list[Label] = []

    def picture(self, turn: Turn, end: str = "") -> "Image":
        """Return the field after a turn, and how the battle has ended if it has."""
        state = turn.after
        if state.open_ids != self._open_ids:
            self._ax.clear()
            draw_terrain(state.board.terrain, self._ax)
            self._written, self._beside = draw_areas(self._areas, self._ax)
            self._canvas.legends.clear()
            _draw_legend(state, self._canvas)
            self._agg.draw()
            self._background = self._agg.copy_from_bbox(self._canvas.bbox)
            self._open_ids = state.open_ids
        self._agg.restore_region(self._background)
        for artist in self._pieces(turn, end):
            artist.draw(self._agg.get_renderer())
            artist.remove()
        return np.asarray(self._agg.buffer_rgba())[..., :3].copy()

    def _pieces(self, turn: Turn, end: str) -> "list[Artist]":
        """Return everything that is drawn over the field, the lowest first."""
        ax, known = self._ax, set(self._ax.get_children())
        players, state = turn.before.setting.players, turn.after
        labels = list(self._beside)
        labels += [
            Label(short_name(blow.name, players), _mark(blow.at_studs)) for blow in blows(turn)
        ]
        draw_pieces(figures(state), vehicles(state), ax, tiles(state), labels, self._written)
        if turn.unit != NOBODY:
            setting = turn.before.setting
            color = player_colors(setting)[setting.units[turn.unit].player]
            _draw_way(turn, rgb(color), ax)
        for blow in blows(turn):
            _draw_cross(blow.at_studs, ax)
        drawn = [child for child in ax.get_children() if child not in known]
        heading = f"Round {turn.before.round}. {end}".removesuffix(". ")
        told = _caption(self._canvas, heading, turn.text)
        caption = _write(self._canvas, told[:_CAPTION_LINES])
        return [*sorted(drawn, key=lambda artist: artist.get_zorder()), caption]


def _draw_way(turn: Turn, color: Color, ax: "Axes") -> None:
    """Draw how the unit of a turn has gone, and whom it has attacked from where."""
    places = np.array(way(turn))
    ax.plot(*places.T, color="white", lw=3.5, zorder=5.2, solid_capstyle="round")
    ax.plot(*places.T, color=color, lw=2, zorder=5.3, solid_capstyle="round")
    for ends in attacks(turn):
        ax.plot(*np.array(ends).T, color="black", lw=1.6, ls=(0, (3, 2)), zorder=7)


def _fallen(track: Track, players: Sequence[str]) -> Label:
    """Return who fell, and when, for the cross where his way ends."""
    end = "" if track.end == "dies" else f" {track.end}"
    return Label(
        f"{short_name(track.name, players)}{end}, round {track.end_round}",
        _mark(track.places[-1][1]),
    )


def _mark(at_studs: Point) -> Box:
    """Return the space of a cross."""
    return Box(*at_studs, 0.5, 0.5)


def _handles(state: "State") -> list[Patch]:
    """Return what the legend says: whose colours are whose, and how high things are."""
    setting = state.setting
    players = [
        Patch(facecolor=rgb(color), edgecolor="black", lw=0.6, label=name)
        for name, color in zip(setting.players, player_colors(setting), strict=True)
    ]
    return [*players, *height_handles(state.board.terrain)]


def _draw_legend(state: "State", canvas: Canvas) -> None:
    """Write the legend below the field."""
    columns = _legend_columns(canvas)
    canvas.legend(
        handles=_handles(state), loc="lower center", ncols=columns, fontsize=8, frameon=False
    )


def _legend_columns(canvas: Canvas) -> int:
    return max(2, int(canvas.get_figwidth() / _INCHES_A_COLUMN))


def _draw_track(track: Track, color: str, ax: "Axes") -> list[Box]:
    """Draw a way: a ring where somebody begins who has not just got off, a cross where it ends for good.

    Returns
    -------
    list of Box
        The space of the ring, if there is one.
    """
    if not track.places:
        return []
    passed = np.array([place for _, place in track.places])
    width = 5.0 if track.is_vehicle else 2.0
    ax.plot(*passed.T, color="white", lw=width + 1.4, alpha=0.6, zorder=5.0, solid_capstyle="round")
    ax.plot(*passed.T, color=rgb(color), lw=width, alpha=0.75, zorder=5.1, solid_capstyle="round")
    if track.end:
        _draw_cross(passed[-1].tolist(), ax)
    if not track.begins_here:
        return []
    ax.plot(*passed[0], marker="o", ms=_RING_POINTS, mfc="none", mec=rgb(color), mew=2, zorder=5.4)
    (x, y), half = passed[0].tolist(), _RING_POINTS / 2 * studs_a_point(ax)
    return [Box(x, y, half, half)]


def _draw_rounds(track: Track, ax: "Axes") -> list[Box]:
    """Write each round's number where somebody was when it ended, of several at one place the last; return where."""
    last = {number: place for number, place in track.places if number}
    numbers = {place: number for number, place in last.items()}
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
    half = 0.8 * _ROUND_POINTS * studs_a_point(ax)
    return [Box(x, y, half, half) for x, y in numbers]


def _caption(canvas: Canvas, *paragraphs: str) -> list[str]:
    """Return paragraphs in lines that fit."""
    letters = int(canvas.get_figwidth() * _LETTERS_AN_INCH)
    return [line for paragraph in paragraphs for line in textwrap.wrap(paragraph, letters)]


def _write(canvas: Canvas, caption: Sequence[str]) -> "Text":
    """Write a caption over the field."""
    top = 1 - 0.08 / canvas.get_figheight()
    return canvas.text(0.02, top, "\n".join(caption), va="top", fontsize=10)


def _draw_cross(at_studs: Sequence[float], ax: "Axes") -> None:
    ax.plot(*at_studs, marker="X", ms=13, mfc="black", mec="white", mew=1.2, zorder=8.2)


def _canvas(state: "State") -> Canvas:
    """Return an empty figure as wide as the field needs."""
    return Canvas(figsize=(state.setting.field.width * _inches_a_stud(state) + 1.0, 1.0))


def _inches_a_stud(state: "State") -> float:
    field = state.setting.field
    longest = max(field.width, field.length) * _INCHES_A_STUD
    wanted = min(max(longest, _SMALLEST_INCHES), _LARGEST_INCHES) / longest
    least = (_SMALLEST_INCHES - 1.0) / (field.width * _INCHES_A_STUD)
    return _INCHES_A_STUD * max(wanted, least)


def _fit(canvas: Canvas, state: "State", lines: int) -> None:
    """Make a figure as high as the field needs, with room for a caption above and a legend below."""
    later = {decor.kind for decor in state.setting.field.decor if decor.kind.opens}
    rows = -(-(len(_handles(state)) + len(later)) // _legend_columns(canvas))
    above, below = 0.2 + _INCHES_A_LINE * lines, 0.7 + _INCHES_A_LINE * rows
    field, width = state.setting.field, canvas.get_figwidth()
    height = field.length * _inches_a_stud(state) + above + below
    canvas.set_size_inches(width, height)
    canvas.subplots_adjust(
        left=0.7 / width, right=1 - 0.3 / width, bottom=below / height, top=1 - above / height
    )
