"""Film: a game that was played, with a picture for each turn or action in which something happens.

From frame to frame only what has changed is drawn.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import Collection
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from brickphys.geometry.polygon import Point
from brickphys.plots.battle import cross_box, draw_cross, shown_labels
from brickphys.plots.camera import Image
from brickphys.plots.colors import Color, player_rgb, rgb
from brickphys.plots.labels import Label, Mark, TextImage, label_marks, paragraph, told_apart
from brickphys.plots.painter import CAPTION_POINTS, FieldPicture, Painter, Pieces, draw_way
from brickphys.rules.report.trajectories import Frame, Trajectories
from brickphys.units import Array

LOWEST_Z = 4.0
"""Marks have at least this order. Other things with this order may lie above marks, so they are not background."""
_PAD_PIXELS = 6.0
"""How far lines and their joints reach beyond their points."""
_Key = tuple[Mark, int]


@dataclass(frozen=True, eq=False)
class _Layer:
    """The artists of a mark, and the pixels that each may touch, shape (n, 4): left, top, right, bottom."""

    artists: tuple[Artist, ...]
    boxes: Array


class Animation:
    """Draws the frames of a figure with one pair of axes."""

    def __init__(self, canvas: Figure, ax: Axes, dpi: float) -> None:
        self._canvas, self._ax = canvas, ax
        self._agg: Any = FigureCanvasAgg(canvas)  # its methods have no types
        canvas.set_dpi(dpi)
        self._layers: dict[_Key, _Layer] = {}
        self._fixed: list[_Layer] = []
        self._background: Any = None
        self._image: Image = np.empty((0, 0, 3), dtype=np.uint8)

    def set_background(self, draw: Callable[[], None]) -> None:
        """Draw a background, which `draw` puts on the axes without any mark, for the next frames."""
        for artist in self._artists(self._layers.values()):
            artist.remove()
        self._layers = {}
        draw()
        children = self._ax.get_children()
        above = [one for one in children if one.get_zorder() >= LOWEST_Z and one.get_visible()]
        for artist in above:
            artist.set_visible(False)
        self._agg.draw()
        for artist in above:
            artist.set_visible(True)
        self._fixed = [self._layer(above)]
        self._background = self._agg.copy_from_bbox(self._canvas.bbox)
        self._image = self._pixels.copy()
        self._draw(self._fixed)

    def picture(self, marks: Sequence[Mark]) -> Image:
        """Return a frame with these marks, the later ones above the earlier ones of their order; a copy.

        The shape is (height, width, 3): red, green and blue, 0 to 255.
        """
        before, keys = self._layers, list(told_apart(marks))
        kept = before.keys() & keys
        is_same_order = [k for k in before if k in kept] == [k for k in keys if k in kept]
        self._layers = {key: before.get(key) or self._made(key[0]) for key in keys}
        gone = [layer for key, layer in before.items() if key not in self._layers]
        new = [layer for key, layer in self._layers.items() if key not in kept]
        changed = [*gone, *new] if is_same_order else [*gone, *self._layers.values()]
        for artist in self._artists(gone):
            artist.remove()
        self._draw(changed)
        return self._image.copy()

    @property
    def _pixels(self) -> Image:
        pixels: Image = np.asarray(self._agg.buffer_rgba())[..., :3]
        return pixels

    def _made(self, mark: Mark) -> _Layer:
        known = {*self._ax.get_children(), *self._canvas.get_children()}
        mark.on(self._ax)
        now = chain(self._ax.get_children(), self._canvas.get_children())
        return self._layer([child for child in now if child not in known])

    def _layer(self, artists: Sequence[Artist]) -> _Layer:
        renderer, height = self._agg.get_renderer(), self._pixels.shape[0]
        boxes = np.array([_extent(artist, renderer) for artist in artists]).reshape(-1, 4)
        left, low, right, high = boxes.T
        pad = _PAD_PIXELS * np.array([-1, -1, 1, 1])
        return _Layer(
            tuple(artists), np.stack([left, height - high, right, height - low], axis=1) + pad
        )

    def _draw(self, changed: Sequence[_Layer]) -> None:
        """Draw everything that reaches into what has changed anew, and take that over into the image."""
        holes = np.concatenate([np.empty((0, 4)), *(layer.boxes for layer in changed)])
        if not len(holes):
            return
        self._agg.restore_region(self._background)
        layers = [*self._fixed, *self._layers.values()]
        boxes = np.concatenate([layer.boxes for layer in layers])[:, None]
        reach = (boxes[..., :2] < holes[:, 2:]) & (holes[:, :2] < boxes[..., 2:])
        touched = np.flatnonzero(np.any(np.all(reach, axis=2), axis=1)).tolist()
        artists = self._artists(layers)
        renderer = self._agg.get_renderer()
        for artist in sorted((artists[number] for number in touched), key=_order):
            artist.draw(renderer)
        pixels = self._pixels
        height, width = pixels.shape[:2]
        for box in np.unique(holes.round().astype(int), axis=0):
            x, y, end_x, end_y = box.clip(0, [width, height] * 2).tolist()
            self._image[y:end_y, x:end_x] = pixels[y:end_y, x:end_x]

    @staticmethod
    def _artists(layers: Iterable[_Layer]) -> list[Artist]:
        return [artist for layer in layers for artist in layer.artists]


def _order(artist: Artist) -> tuple[bool, float]:
    """Return when an artist is drawn: what is on the figure itself comes last."""
    return artist.axes is None, artist.get_zorder()


def _extent(artist: Artist, renderer: Any) -> tuple[float, float, float, float]:
    """Return the pixels of an artist without the width of its lines: left, low, right, high."""
    if isinstance(artist, Collection):
        corners = np.concatenate([path.vertices for path in artist.get_paths()])
        return _around(artist.get_transform().transform(corners))
    if isinstance(artist, Patch):
        return _around(artist.get_transform().transform(artist.get_path().vertices))
    box = artist.get_window_extent(renderer)
    patch = artist.get_bbox_patch() if isinstance(artist, Text) else None
    if isinstance(artist, Text) and patch is not None:
        artist.update_bbox_position_size(renderer)
        box = Bbox.union([box, patch.get_window_extent(renderer)])
    return box.x0, box.y0, box.x1, box.y1


def _around(points: Array) -> tuple[float, float, float, float]:
    """Return the box around the corners and the control points of outlines."""
    (left, low), (right, high) = points.min(axis=0).tolist(), points.max(axis=0).tolist()
    return left, low, right, high


MOST_FRAMES = 160
FRAME_MS = 900
"""How long a frame is shown."""
_DPI = 72
_CAPTION_LINES = 4
_IMPACT_POINTS = 14.0
_HIT: dict[str, Any] = {"marker": "*", "mfc": rgb("orange")}
_SPLASH: dict[str, Any] = {"marker": "o", "mfc": "white"}


@dataclass(frozen=True, eq=False)
class FilmShot:
    """A frame that is shown, what stands on the field in it, and the frames since the last one that are left out."""

    frame: Frame[Any]
    pieces: Pieces
    left_out: tuple[Frame[Any], ...] = ()


class Film:
    """The pictures of a game that was played; each is drawn when it is asked for, the next one fastest.

    Turns in which nothing happens are left out: nobody moves, attacks, shoots or is lost, nothing is rolled, and the
    field looks as before.
    If one player alone is shown, the turns of others are left out in which that player loses nothing.
    Of a game with more than `MOST_FRAMES` others some are left out too, but none with a loss, and for one player none
    with an attack or a roll. The next caption names the turns that are left out, or at least who acted in them.
    """

    def __init__(self, trajectories: Trajectories[Any], painter: Painter[Any]) -> None:
        self._painter, self._trajectories = painter, trajectories
        self.shots = tuple(_shots(trajectories, painter))
        self._stage = FieldPicture(painter, trajectories.frames[0].state, trajectories.areas)
        self._stage.make_room(_CAPTION_LINES + 1)  # and one for what is left out
        self._animation = Animation(self._stage.canvas, self._stage.ax, _DPI)
        self._ground: object = object()

    def __len__(self) -> int:
        return len(self.shots)

    def __getitem__(self, number: int, /) -> Image:
        """Return a picture, shape (height, width, 3): red, green and blue, 0 to 255."""
        shot = self.shots[number]
        state = shot.frame.state
        ground = self._painter.ground(state)
        if ground != self._ground:
            self._animation.set_background(lambda: self._stage.draw_field(state))
            self._ground = ground
        return self._animation.picture(self.marks(shot))

    @property
    def left_out(self) -> int:
        """How many turns are not shown."""
        return sum(len(shot.left_out) for shot in self.shots)

    def marks(self, shot: FilmShot) -> list[Mark]:
        """Return everything that is drawn over the field, once the field of this shot is drawn."""
        stage, frame, pieces = self._stage, shot.frame, shot.pieces
        lost = [
            Label(
                self._painter.called(frame.state, one.name),
                cross_box(one.at, stage.ax),
                self._trajectories.colours[one.player],
            )
            for one in frame.kills
        ]
        labels = [*stage.labels, *lost, *shown_labels(self._trajectories, pieces.labels)]
        return [
            *pieces.marks,
            *label_marks(labels, [*pieces.taken, *stage.written], stage.ax),
            *_events(frame, self._trajectories.colours),
            Mark(_draw_caption, tuple(self.caption(shot))),
        ]

    def caption(self, shot: FilmShot) -> list[str]:
        """Return the lines over a frame: of a text that is too long the last events, and what was left out before.

        Over the first one they also say what signs mean.
        """
        lines, events = list[str](), shot.frame.text.split("; ")
        signs = self._painter.signs(shot.frame.state) if shot is self.shots[0] else ""
        for first in range(len(events)):
            text = "... " * (first > 0) + "; ".join(events[first:])
            lines = self._stage.wrapped(shot.frame.heading, text, signs)
            if len(lines) <= _CAPTION_LINES:
                break
        else:
            lines = [*lines[: _CAPTION_LINES - 1], f"{lines[_CAPTION_LINES - 1]} ..."]
        if not shot.left_out:
            return lines
        return [*lines, _left_out_text(shot.left_out, self._stage.letters)]


def _shots(trajectories: Trajectories[Any], painter: Painter[Any]) -> Iterator[FilmShot]:
    """Yield what is shown of a game: never nothing, and the last frame always."""
    frames, own = trajectories.frames, trajectories.shown_player
    looks = [(painter.ground(frame.state), painter.pieces(frame.state)) for frame in frames]
    last, happens = len(frames) - 1, list[int]()
    for number, frame in enumerate(frames):
        happened = not frame.is_still or looks[number] != looks[number - 1]
        if number in (0, last) or (happened and _is_of(frame, own)):
            happens.append(number)
    step, before = max(1, -(-len(happens) // MOST_FRAMES)), -1
    for count, number in enumerate(happens):
        frame = frames[number]
        fights = own is not None and (frame.attacks or frame.impacts or frame.rolled)
        if count % step == 0 or number == last or frame.kills or fights:
            yield FilmShot(frame, looks[number][1], tuple(frames[before + 1 : number]))
            before = number


def _left_out_text(frames: Sequence[Frame[Any]], letters: int) -> str:
    """Return one line about turns that are not shown: as they are told, or else who acted, as many as fit."""
    head = f"Left out before this ({len(frames)})"
    told = [frame.text.rstrip(".") for frame in frames if frame.text]
    names = list(dict.fromkeys(text.partition(":")[0] for text in told))
    lines = [f"{head}: {'; '.join(told)}"] if told else []
    for count in range(len(names), 0, -1):
        more = f" and {len(names) - count} more" * (count < len(names))
        lines.append(f"{head}: {', '.join(names[:count])}{more}")
    return next((line for line in lines if len(line) <= letters), head)


def _is_of(frame: Frame[Any], player: int | None) -> bool:
    """Whether a player acts in a frame or loses a unit; always true without a player."""
    return (
        player is None or frame.player == player or any(one.player == player for one in frame.kills)
    )


def _events(frame: Frame[Any], colours: Sequence[str]) -> Iterator[Mark]:
    """Yield the way of the unit that acted, its attacks, where shots fell, and crosses for those who were lost."""
    if frame.path and frame.player is not None:
        yield Mark(_draw_path, (frame.path, player_rgb(colours[frame.player])))
    yield from (Mark(_draw_attack, ends) for ends in frame.attacks)
    yield from (Mark(_draw_impact, impact) for impact in frame.impacts)
    yield from (Mark(draw_cross, (tuple(one.at),)) for one in frame.kills)


def _draw_path(path: Sequence[Point], color: Color, ax: Axes) -> None:
    draw_way(path, ax, color="white", lw=3.5, zorder=5.2, solid_capstyle="round")
    draw_way(path, ax, color=color, lw=2, zorder=5.3, solid_capstyle="round")


def _draw_attack(start: Point, end: Point, ax: Axes) -> None:
    draw_way([start, end], ax, color="black", lw=1.6, ls=(0, (3, 2)), zorder=7)


def _draw_impact(at: Point, hits: bool, ax: Axes) -> None:
    """Draw where a shot fell: a star for a hit, a round splash for a miss."""
    marker = _HIT if hits else _SPLASH
    draw_way([at], ax, ms=_IMPACT_POINTS, mec="black", mew=0.8, zorder=7.1, **marker)


def _draw_caption(*given: Any) -> None:
    """Write lines over the field; the axes come last."""
    *lines, ax = given
    pixels = round(CAPTION_POINTS * _DPI / 72)
    at = 0.02, 1 - 0.08 / ax.figure.get_figheight()
    stamp = TextImage(paragraph(tuple(lines), pixels), at, (0.0, 1.0), 3.0)
    stamp.set_transform(ax.figure.transFigure)
    ax.figure.add_artist(stamp)
