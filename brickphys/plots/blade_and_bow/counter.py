"""Counters: units from above, turned to where they look, with their letter, ranks and markers; leaders."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Polygon, RegularPolygon

from brickphys.arrays import Array
from brickphys.blade_and_bow.sheets.counters import Counter, Size
from brickphys.geometry.polygon import Point, unit_vector
from brickphys.grid.directions import heading_deg
from brickphys.plots.colors import Color
from brickphys.plots.pieces import draw_way

_DEPTHS = {Size.LIGHT: 0.2, Size.MEDIUM: 0.25, Size.HEAVY: 0.31}
"""Half the depth of a counter, over the side of a square."""
_HALF_WIDTH = 0.42
_PALE = 0.6
_LETTER_POINTS, _RANK_POINTS = 9.5, 7.0


@dataclass(frozen=True)
class CounterPiece:
    """A unit on the map.

    Attributes
    ----------
    at
        The middle of its square.
    facing
        Where it looks, as `brickphys.grid.directions` numbers it.
    counter
        Its kind.
    color
        Of its player.
    letter
        Its letter on maps.
    ranks
        What is known of its ranks: ``+1``, ``?``, or empty.
    disrupted, wall, marker
        Whether it is disrupted, has a shield wall, and has a melee marker.
    """

    at: Point
    facing: int
    counter: Counter
    color: Color
    letter: str = ""
    ranks: str = ""
    disrupted: bool = False
    wall: bool = False
    marker: bool = False


def draw_counter(piece: CounterPiece, ax: Axes) -> None:
    """Draw a unit: the deeper the heavier, an arrow head in front, pale and dashed if disrupted."""
    depth = _DEPTHS[piece.counter.size]
    body = _turned(
        piece,
        (
            (-depth, -_HALF_WIDTH),
            (-depth, _HALF_WIDTH),
            (depth, _HALF_WIDTH),
            (depth, -_HALF_WIDTH),
        ),
    )
    fill = np.array(piece.color)
    if piece.disrupted:
        fill = fill + (1 - fill) * _PALE
    style: dict[str, Any] = {"ec": "black", "lw": 0.9, "zorder": 6.0}
    if piece.disrupted:
        style["ls"] = (0, (2, 1.5))
    if piece.counter.is_horse:
        style["joinstyle"] = "round"
    ax.add_artist(Polygon(body, fc=fill, **style))
    head = _turned(piece, ((depth, -0.12), (depth, 0.12), (depth + 0.13, 0.0)))
    ax.add_artist(Polygon(head, fc="black", lw=0, zorder=6.1))
    if piece.counter.is_horse:  # a slash, as on maps of battles
        slash = _turned(piece, ((-depth, _HALF_WIDTH), (depth, -_HALF_WIDTH)))
        draw_way(slash, ax, color="black", lw=0.8, zorder=6.1)
    if piece.wall:
        front = _turned(piece, ((depth + 0.04, -_HALF_WIDTH), (depth + 0.04, _HALF_WIDTH)))
        draw_way(front, ax, color="black", lw=3.2, zorder=6.2, solid_capstyle="butt")
    text: dict[str, Any] = {"ha": "center", "va": "center", "zorder": 6.3, "color": _ink(fill)}
    x, y = piece.at
    aside = 0.14 if piece.ranks else 0.0
    ax.text(x - aside, y, piece.letter, fontsize=_LETTER_POINTS, weight="bold", **text)
    if piece.ranks:
        ax.text(x + 0.2, y, piece.ranks, fontsize=_RANK_POINTS, **text)
    if piece.marker:
        sign: dict[str, Any] = {"marker": "x", "ms": 4, "color": "black", "mew": 1.2}
        draw_way([(x - 0.34, y - 0.34)], ax, zorder=6.3, **sign)


def draw_leader(at: Point, color: Color, rank: int, ax: Axes) -> None:
    """Draw a leader in the corner of its square, the commander with the highest rank as 1."""
    x, y = at[0] - 0.32, at[1] + 0.32
    star = RegularPolygon((x, y), 5, radius=0.17, fc=color, ec="black", lw=0.8)
    star.set_zorder(6.5)
    ax.add_artist(star)
    style: dict[str, Any] = {
        "ha": "center",
        "va": "center",
        "color": _ink(np.array(color)),
        "zorder": 6.6,
    }
    ax.text(x, y, str(rank), fontsize=_RANK_POINTS, **style)


def _turned(piece: CounterPiece, points: tuple[Point, ...]) -> Array:
    """Return points that are given ahead and to the left of the middle of a unit, on the map."""
    ahead = np.array(unit_vector(heading_deg(piece.facing)))
    left = np.array([-ahead[1], ahead[0]])
    rows = np.array(points)
    found: Array = np.array(piece.at) + rows[:, :1] * ahead + rows[:, 1:] * left
    return found


def _ink(fill: Array) -> str:
    """Return the colour of letters that can be read on another."""
    luminance = float(np.array([0.299, 0.587, 0.114]) @ fill)
    return "black" if luminance > 0.5 else "white"
