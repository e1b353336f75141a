"""Animated GIFs."""

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image as Pillow

from brickphys.engines.view import Image
from brickphys.files import write_whole

HOLD_MS = 2500
"""How long the last frame is shown."""
_COLOURS = 256


def save_gif(images: Sequence[Image], path: Path, frame_ms: int) -> None:
    """Write an animated GIF whole or not at all; it repeats for ever and holds its last frame.

    Parameters
    ----------
    images
        At least one, all of one shape (height, width, 3), 0 to 255.
    path
        The file; an existing one is replaced.
    frame_ms
        How long each frame but the last is shown.

    Raises
    ------
    InvalidValueError
        If the file cannot be written.
    """
    stacked = Pillow.fromarray(np.vstack([images[0], images[len(images) // 2], images[-1]]))
    palette = stacked.quantize(_COLOURS, Pillow.Quantize.MAXCOVERAGE)  # keeps what is small
    flat = [
        Pillow.fromarray(image).quantize(palette=palette, dither=Pillow.Dither.NONE)
        for image in images
    ]
    content, times = BytesIO(), [frame_ms] * (len(flat) - 1) + [HOLD_MS]
    flat[0].save(content, "GIF", save_all=True, append_images=flat[1:], duration=times, loop=0)
    write_whole(content.getvalue(), path, force=True)
