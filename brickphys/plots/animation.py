"""Animation: a picture that changes from frame to frame, of which only what has changed is drawn anew.

The background is drawn once. Marks are drawn over it where the picture has changed: inside the boxes of the marks that
came and went, every mark that reaches into them is drawn again, in order. So each frame has the pixels that a redraw of
the whole figure would give.
"""

from collections.abc import Callable, Iterable, Sequence
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

from brickphys.arrays import Array
from brickphys.engines.view import Image
from brickphys.plots.marks import Mark, told_apart

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
    """Draws the frames of a figure with one pair of axes.

    Parameters
    ----------
    canvas, ax
        The figure and its axes, on which all marks are drawn.
    dpi
        Pixels an inch.
    """

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
        """Return a frame with these marks, the later ones above the earlier ones of their order.

        Returns
        -------
        ndarray, shape (height, width, 3)
            Red, green and blue, 0 to 255; a copy.
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
        """Draw a mark on the axes for the first time."""
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
