"""Captions: text on a picture, on translucent bars."""

import numpy as np
from matplotlib.font_manager import findfont
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont
from PIL.Image import Image as Picture

from brickphys.engines.view import Image
from brickphys.plots.glyphs import drawable

_LEAST_PIXELS = 14
"""Of a letter."""


def shrunk(image: Image, times: float) -> Image:
    """Return a picture so many times smaller, with smooth edges."""
    size = round(image.shape[1] / times), round(image.shape[0] / times)
    return np.asarray(Pillow.fromarray(image).resize(size, Pillow.Resampling.HAMMING))


def captioned(image: Image, title: str, corner: str, below: str) -> Image:
    """Return a picture with a title, words in the upper right corner, and words at its lower edge.

    Parameters
    ----------
    image : ndarray, shape (rows, columns, 3)
        Red, green and blue, 0 to 255.
    title, corner, below
        The words; empty for none.
    """
    picture = Pillow.fromarray(image)
    width, height = picture.size
    for words, at, anchor in (
        (title, (8, 4), "la"),
        (corner, (width - 8, 4), "ra"),
        (below, (8, height - 4), "ld"),
    ):
        if words:
            _write(picture, at, words, anchor)
    return np.asarray(picture)


def _write(picture: Picture, at: tuple[int, int], text: str, anchor: str) -> None:
    """Write a line on a bar, smaller where it would be too long."""
    text, draw = drawable(text), ImageDraw.Draw(picture, "RGBA")
    size = max(_LEAST_PIXELS, picture.height // 24)
    font = ImageFont.truetype(findfont("DejaVu Sans"), size)
    room = (picture.width - 16) / max(draw.textlength(text, font=font), 1.0)
    if room < 1:
        font = ImageFont.truetype(findfont("DejaVu Sans"), max(8, int(size * room)))
    left, top, right, bottom = draw.textbbox(at, text, font=font, anchor=anchor)
    draw.rectangle((left - 4, top - 3, right + 4, bottom + 3), fill=(255, 255, 255, 215))
    draw.text(at, text, font=font, anchor=anchor, fill=(20, 20, 20))
