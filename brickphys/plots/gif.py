"""GIF: animated GIFs, and words on their frames."""

from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Protocol

import numpy as np
from matplotlib.font_manager import findfont
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont
from PIL.Image import Image as Picture

from brickphys.files import write_whole
from brickphys.plots.camera import Image
from brickphys.plots.charts import drawable
from brickphys.units import Mask

HOLD_MS = 2500
"""How long the last frame is shown."""
_COLOURS = 255
"""One less than a GIF can have: the last one means that a pixel stays as it was."""
_AS_BEFORE = _COLOURS
_APART = 16
"""Rows that may be alike between two parts of a picture that are taken over as one."""


class Pictures(Protocol):
    """Pictures by their numbers, all of one shape (height, width, 3), 0 to 255; they may be drawn when asked for."""

    def __len__(self) -> int: ...

    def __getitem__(self, number: int, /) -> Image: ...


def save_gif(
    images: Pictures,
    path: Path,
    frame_ms: int,
    advance: Callable[[int, int], None] = lambda *_: None,
    sampled: Sequence[int] | None = None,
) -> None:
    """Write an animated GIF whole or not at all; it repeats for ever and holds its last frame.

    InvalidValueError if the file cannot be written.

    Parameters
    ----------
    path
        The file; an existing one is replaced.
    frame_ms
        How long each frame but the last is shown.
    sampled
        Numbers of the pictures whose colours the film has; None for the last, the middle and the first one.
    """
    count = len(images)
    numbers = (count - 1, count // 2, 0) if sampled is None else sampled
    stacked = Pillow.fromarray(np.vstack([images[number] for number in numbers]))
    palette = stacked.quantize(_COLOURS, Pillow.Quantize.MAXCOVERAGE)  # keeps what is small
    flat = _flat(images, palette, advance)
    content, times = BytesIO(), [frame_ms] * (count - 1) + [HOLD_MS]
    next(flat).save(
        content,
        "GIF",
        save_all=True,
        append_images=flat,
        duration=times,
        loop=0,
        transparency=_AS_BEFORE,
        optimize=False,  # or Pillow looks again for what has changed
    )
    write_whole(content.getvalue(), path, force=True)


def _flat(
    images: Pictures, palette: Pillow.Image, advance: Callable[[int, int], None]
) -> Iterator[Pillow.Image]:
    """Yield the first picture in the colours of a palette, and of each other one what differs from the one before."""
    image = images[0]
    whole = _converted(image, palette)
    yield whole
    advance(1, len(images))
    for number in range(1, len(images)):
        before, image = image, images[number]
        flat = whole.copy()
        flat.paste(_AS_BEFORE, (0, 0, *flat.size))
        red, green, blue = np.moveaxis(before != image, 2, 0)
        differs = red | green | blue  # much faster than any(axis=2)
        for rows, columns in changes(differs):
            part = _converted(image[rows, columns], palette)
            flat.paste(part, (columns.start, rows.start), Pillow.fromarray(differs[rows, columns]))
        yield flat
        advance(number + 1, len(images))


def _converted(image: Image, palette: Pillow.Image) -> Pillow.Image:
    picture = Pillow.fromarray(np.ascontiguousarray(image))
    return picture.quantize(palette=palette, dither=Pillow.Dither.NONE)


def changes(differs: Mask) -> Iterator[tuple[slice, slice]]:
    """Yield rows and columns of the parts of a picture in which pixels differ, one below the other."""
    rows = np.flatnonzero(differs.any(axis=1))
    if not len(rows):
        return
    breaks = np.flatnonzero(np.diff(rows) > _APART) + 1
    for first, end in pairwise([0, *breaks.tolist(), len(rows)]):
        band = slice(int(rows[first]), int(rows[end - 1]) + 1)
        columns = np.flatnonzero(differs[band].any(axis=0))
        yield band, slice(int(columns[0]), int(columns[-1]) + 1)


_LEAST_PIXELS = 14
"""Of a letter."""


def shrunk(image: Image, times: float) -> Image:
    """Return a picture so many times smaller, with smooth edges."""
    size = round(image.shape[1] / times), round(image.shape[0] / times)
    return np.asarray(Pillow.fromarray(image).resize(size, Pillow.Resampling.HAMMING))


def captioned(image: Image, title: str, corner: str, below: str) -> Image:
    """Return a picture with a title, words in the upper right corner, and words at its lower edge.

    `image` has red, green and blue, 0 to 255, shape (rows, columns, 3).
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
