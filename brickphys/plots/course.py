"""Pictures of the course of a battle: who went where and who fell, on the field at the end; and as a film."""

import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Canvas

from brickphys.bow.clauses import spoken
from brickphys.bow.course import Track, attacks, blows, tracks, way
from brickphys.bow.place import is_enclosed
from brickphys.bow.state import NOBODY
from brickphys.bow.story import Turn, turns
from brickphys.plots.field import Color, Figure, Paint, draw_field, draw_pieces, draw_terrain
from brickphys.shapes.palette import PALETTE
from brickphys.vehicles.polygon import Point, unit_vector

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.text import Text

    from brickphys.bow.action import Action
    from brickphys.bow.setting import Setting
    from brickphys.bow.state import State
    from brickphys.engines.view import Image
    from brickphys.rules.play import Record

_COLORS = ("red", "blue", "yellow", "orange", "white", "black")
_INCHES_A_STUD = 0.24
_SMALLEST_INCHES, _LARGEST_INCHES = 6.0, 12.0
_FILM_DPI = 72
_SEATS_APART_STUDS = 1.8
_CAPTION_LINES = 3
_LETTERS_AN_INCH = 11
_NUMBERED_TRACKS = 6
"""Rounds are written along the ways of so few; more would hide each other."""
MOST_FRAMES = 160
FRAME_MS = 900
"""How long a turn is shown."""


def course_figure(record: "Record[State, Action]") -> Canvas:
    """Return the field at the end of a battle, with the way of everybody and where he fell."""
    final, setting = record.final, record.initial.setting
    canvas = _canvas(setting)
    ax = canvas.subplots()
    draw_field(final.board.terrain, figures(final), vehicles(final), ax)
    colors = player_colors(setting)
    ways = tracks(record)
    for track in ways:
        told = f"{spoken(track.name)}: {track.end}, " if len(ways) <= _NUMBERED_TRACKS else ""
        _draw_track(track, colors[track.player], f"{told}round {track.end_round}", ax)
        if len(ways) <= _NUMBERED_TRACKS:
            _draw_rounds(track, ax)
    names = " against ".join(
        f"{name} ({bot})" for name, bot in zip(setting.players, record.players, strict=True)
    )
    legend = "A ring is where somebody began, a cross where he fell"
    if len(ways) <= _NUMBERED_TRACKS:
        legend += ", a number where he was when that round ended"
    _write(canvas, [f"{names}, round {final.round}", f"{legend}."])
    return canvas


def film(
    record: "Record[State, Action]", advance: Callable[[int, int], None] | None = None
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
    stage = _Stage(record.initial.setting)
    for number, turn in enumerate(shown, start=1):
        yield stage.picture(turn)
        if advance:
            advance(number, len(shown))


def player_colors(setting: "Setting") -> tuple[str, ...]:
    """Return a colour for each player: that of his name if it is one, else the next that is free."""
    free = iter([color for color in _COLORS if color not in setting.players])
    return tuple(name if name in _COLORS else next(free) for name in setting.players)


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

    def __init__(self, setting: "Setting") -> None:
        self._canvas = _canvas(setting)
        self._agg: Any = FigureCanvasAgg(self._canvas)  # its methods have no types
        self._canvas.set_dpi(_FILM_DPI)
        self._ax = self._canvas.subplots()
        self._open_ids: frozenset[str] | None = None
        self._background: Any = None

    def picture(self, turn: Turn) -> "Image":
        """Return the field after a turn."""
        state = turn.after
        if state.open_ids != self._open_ids:
            self._ax.clear()
            draw_terrain(state.board.terrain, self._ax)
            self._agg.draw()
            self._background = self._agg.copy_from_bbox(self._canvas.bbox)
            self._open_ids = state.open_ids
        self._agg.restore_region(self._background)
        for artist in self._pieces(turn):
            artist.draw(self._agg.get_renderer())
            artist.remove()
        return np.asarray(self._agg.buffer_rgba())[..., :3].copy()

    def _pieces(self, turn: Turn) -> "list[Artist]":
        """Return everything that is drawn over the field, the lowest first."""
        ax, known = self._ax, set(self._ax.get_children())
        draw_pieces(figures(turn.after), vehicles(turn.after), ax)
        if turn.unit != NOBODY:
            setting = turn.before.setting
            color = player_colors(setting)[setting.units[turn.unit].player]
            _draw_way(turn, rgb(color), ax)
        for blow in blows(turn):
            _draw_cross(blow.at_studs, ax)
        drawn = [child for child in ax.get_children() if child not in known]
        caption = _write(self._canvas, [f"Round {turn.before.round}", turn.text])
        return [*sorted(drawn, key=lambda artist: artist.get_zorder()), caption]


def _draw_way(turn: Turn, color: Color, ax: "Axes") -> None:
    """Draw how the unit of a turn has gone, and whom it has attacked from where."""
    places = np.array(way(turn))
    ax.plot(*places.T, color="white", lw=3.5, zorder=5.2, solid_capstyle="round")
    ax.plot(*places.T, color=color, lw=2, zorder=5.3, solid_capstyle="round")
    for ends in attacks(turn):
        ax.plot(*np.array(ends).T, color="black", lw=1.6, ls=(0, (3, 2)), zorder=7)


def _draw_track(track: Track, color: str, said: str, ax: "Axes") -> None:
    """Draw a way: a ring where it begins; where it ends for good, a cross and what is said of it."""
    if not track.places:
        return
    passed = np.array([place for _, place in track.places])
    width = 5.0 if track.is_vehicle else 2.0
    ax.plot(*passed.T, color="white", lw=width + 1.4, alpha=0.6, zorder=5.0, solid_capstyle="round")
    ax.plot(*passed.T, color=rgb(color), lw=width, alpha=0.75, zorder=5.1, solid_capstyle="round")
    ax.plot(*passed[0], marker="o", ms=11, mfc="none", mec=rgb(color), mew=2, zorder=5.4)
    if track.end:
        _draw_cross(passed[-1].tolist(), ax)
        box = {"facecolor": "white", "alpha": 0.85, "lw": 0, "boxstyle": "round,pad=0.15"}
        x, y = passed[-1].tolist()
        ax.text(x, y + 0.9, said, ha="center", fontsize=8, bbox=box, zorder=8.5)


def _draw_rounds(track: Track, ax: "Axes") -> None:
    """Write each round's number where somebody was when it ended; only the last of several at one place."""
    last = {number: place for number, place in track.places if number}
    for (x, y), number in {place: number for number, place in last.items()}.items():
        box = {"facecolor": "white", "lw": 0, "boxstyle": "circle,pad=0.1", "alpha": 0.9}
        ax.text(x, y, f"{number}", ha="center", va="center", fontsize=7, bbox=box, zorder=5.5)


def _write(canvas: Canvas, paragraphs: Sequence[str]) -> "Text":
    """Write a heading and what is below it over the field."""
    heading, below = paragraphs
    wrapped = textwrap.wrap(below, int(canvas.get_figwidth() * _LETTERS_AN_INCH))
    caption = "\n".join([heading, *wrapped[:_CAPTION_LINES]])
    return canvas.text(0.02, 0.985, caption, va="top", fontsize=10)


def _draw_cross(at_studs: Sequence[float], ax: "Axes") -> None:
    ax.plot(*at_studs, marker="X", ms=13, mfc="black", mec="white", mew=1.2, zorder=8.2)


def _canvas(setting: "Setting") -> Canvas:
    """Return an empty figure as large as the field needs, with room for a caption above."""
    field = setting.field
    scale = _INCHES_A_STUD
    longest = max(field.width, field.length) * scale
    scale *= min(max(longest, _SMALLEST_INCHES), _LARGEST_INCHES) / longest
    size = (max(field.width * scale + 1.0, _SMALLEST_INCHES + 1.0), field.length * scale + 1.8)
    canvas = Canvas(figsize=size)
    canvas.subplots_adjust(left=0.08, right=0.98, bottom=0.55 / size[1], top=1 - 1.1 / size[1])
    return canvas


def figures(state: "State") -> list[Figure]:
    """Return who can be seen: on a stud, or in an open seat."""
    colors, players = player_colors(state.setting), state.setting.players
    return [
        Figure(
            *_middle(state, unit),
            heading_deg=state.heading_deg(unit),
            color=colors[state.setting.units[unit].player],
            name=_short(state.setting.units[unit].name, players) if figure.seat is None else "",
        )
        for unit, figure in state.in_play()
        if not is_enclosed(state, unit)
    ]


def vehicles(state: "State") -> list[Paint]:
    """Return the vehicles in play."""
    colors = player_colors(state.setting)
    return [
        Paint(state.vehicle(number), colors[state.setting.vehicles[number].player])
        for number in state.vehicles_left
    ]


def _middle(state: "State", unit: int) -> Point:
    """Return where a figure is drawn: those in a vehicle side by side, since all of them are at its middle."""
    x, y, _ = state.stance(unit)
    if state.figures[unit].seat is None:
        return x, y
    row = [one for one in state.occupants(state.seat_of(unit)[0]) if not is_enclosed(state, one)]
    aside = _SEATS_APART_STUDS * (row.index(unit) - (len(row) - 1) / 2)
    ahead_x, ahead_y = unit_vector(state.heading_deg(unit))
    return x + aside * ahead_y, y - aside * ahead_x


def _short(name: str, players: Sequence[str]) -> str:
    """Return a name as it is read, without that of its player, whom the colour tells."""
    for player in players:
        name = name.removeprefix(f"{player}_")
    return spoken(name)


def rgb(name: str) -> Color:
    """Return a colour of the palette for matplotlib."""
    red, green, blue = PALETTE[name]
    return red / 255, green / 255, blue / 255
