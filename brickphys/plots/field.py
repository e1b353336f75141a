"""Field: axes in the unit of a game, with a plain ground or squares."""

import numpy as np
from matplotlib.axes import Axes

from brickphys.arrays import Array
from brickphys.plots.pieces import draw_polygons


def frame_field(width: float, length: float, unit: str, ax: Axes) -> None:
    """Make the axes show a field of a width and a length, x to the right and y upwards, both in `unit`."""
    ax.set(xlim=(0, width), ylim=(0, length), aspect="equal", xlabel=unit, ylabel=unit)


def draw_cells(colors: Array, ax: Axes, line_width: float = 0.3) -> None:
    """Draw squares of one unit of length.

    Parameters
    ----------
    colors
        Of the squares, shape (length, width, 3), 0 to 1, the row of the lowest y first.
    line_width
        Of the edges, in points; they have the colours of the squares.
    """
    length, width, _ = colors.shape
    x, y = (places.ravel() for places in np.meshgrid(np.arange(width), np.arange(length)))
    corners = ((0, 0), (1, 0), (1, 1), (0, 1))
    squares = np.stack([np.stack([x + a, y + b], axis=-1) for a, b in corners], axis=1)
    flat = colors.reshape(-1, 3)
    draw_polygons(list(squares.astype(float)), ax, facecolors=flat, edgecolors=flat, lw=line_width)
