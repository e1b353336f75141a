"""Stamps: words that are drawn once as an image, and put into the frames of a film by copying."""

from functools import lru_cache
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.font_manager import findfont
from matplotlib.transforms import Bbox
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from brickphys.arrays import Array
from brickphys.engines.view import Image
from brickphys.geometry.polygon import Point
from brickphys.plots.colors import Color
from brickphys.plots.glyphs import drawable

_CLEAR = (255, 255, 255, 0)
_INK = (0, 0, 0, 255)
_LINE = 1.25
"""Distance of lines over the size of the font."""


class Stamp(Artist):
    """An image on a figure, at whole pixels.

    Parameters
    ----------
    image : ndarray, shape (height, width, 4)
        Red, green, blue and opacity, 0 to 255.
    at
        The place in data, or in shares of the figure where the stamp is put on a figure.
    anchor
        The point of the image that is there, in shares of its width and height from the lower left.
    """

    def __init__(self, image: Image, at: Point, anchor: Point, zorder: float) -> None:
        super().__init__()
        self._upwards = np.ascontiguousarray(image[::-1])
        self._at, self._anchor = at, anchor
        self.set_zorder(zorder)

    def _corner(self) -> Array:
        """Return the pixel of its lower left corner."""
        place = self.get_transform().transform(self._at)
        height, width = self._upwards.shape[:2]
        corner: Array = np.round(place - np.array(self._anchor) * (width, height))
        return corner

    def get_window_extent(self, renderer: Any = None) -> Bbox:
        """Return its pixels."""
        x, y = self._corner()
        height, width = self._upwards.shape[:2]
        return Bbox.from_bounds(x, y, width, height)

    def draw(self, renderer: Any) -> None:
        """Copy it into the picture."""
        x, y = self._corner()
        context = renderer.new_gc()
        renderer.draw_image(context, x, y, self._upwards)
        context.restore()


@lru_cache(maxsize=1024)
def boxed(text: str, pixels: int, opacity: float, edge: Color | None = None) -> Image:
    """Return a line of letters of a size on a white box through which the picture shines, with an edge of a colour."""
    font, text = _font(pixels), drawable(text)
    left, _, right, _ = font.getbbox(text, anchor="ls")
    pad = round(0.25 * pixels)
    size = round(right - left) + 2 * pad, round(1.1 * pixels) + 2 * pad
    picture = Pillow.new("RGBA", size, _CLEAR)
    draw = ImageDraw.Draw(picture)
    fill = (255, 255, 255, round(255 * opacity))
    outline = None if edge is None else tuple(round(255 * value) for value in edge)
    draw.rounded_rectangle((0, 0, size[0] - 1, size[1] - 1), round(0.3 * pixels), fill, outline)
    draw.text((pad - left, pad + round(0.9 * pixels)), text, _INK, font, "ls")
    return np.asarray(picture)


def paragraph(lines: tuple[str, ...], pixels: int) -> Image:
    """Return lines of letters of a size below each other, on nothing."""
    font, height = _font(pixels), round(_LINE * pixels)
    shown = [drawable(line) for line in lines]
    width = max((round(font.getlength(line)) for line in shown), default=0) + 2
    picture = Pillow.new("RGBA", (width, height * len(lines) + 2), _CLEAR)
    draw = ImageDraw.Draw(picture)
    for number, line in enumerate(shown):
        draw.text((0, number * height + pixels), line, _INK, font, "ls")
    return np.asarray(picture)


@lru_cache(maxsize=8)
def _font(pixels: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(findfont("DejaVu Sans"), pixels)
