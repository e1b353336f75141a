"""Stage: the picture of a field with a caption above and a legend below, for any game with a painter."""

import textwrap
from collections.abc import Sequence
from functools import lru_cache
from typing import Generic

from matplotlib.figure import Figure as Canvas
from matplotlib.patches import Patch
from matplotlib.text import Text

from brickphys.plots.areas import draw_areas
from brickphys.plots.colors import player_rgb
from brickphys.plots.field import frame_field
from brickphys.plots.labels import Box, Label
from brickphys.plots.painter import Painter
from brickphys.rules.record import State
from brickphys.rules.report.scenario import NamedArea

CAPTION_POINTS = 10.0
_INCHES_A_UNIT = 0.24
"""Of a field that is neither small nor large."""
_SMALLEST_INCHES, _LARGEST_INCHES = 6.0, 12.0
_LETTERS_AN_INCH = 11
_INCHES_A_LINE, _INCHES_A_COLUMN = 0.19, 1.7


class Stage(Generic[State]):
    """A figure of the field of a game, as large as its state needs; the areas are framed and named."""

    def __init__(self, painter: Painter[State], state: State, areas: Sequence[NamedArea]) -> None:
        self._painter, self._state, self._areas = painter, state, areas
        self._width, self._length = painter.size(state)
        self._inches = max(_inches_a_unit(self._width, self._length), painter.least_inches)
        self.canvas = Canvas(figsize=(self._width * self._inches + 1.0, 1.0))
        self.ax = self.canvas.subplots()
        self.written: list[Box] = []
        """Spaces on the field that no label should cover."""
        self.labels: list[Label] = []
        """Names of areas that are written beside them."""
        self._is_blank = True

    @property
    def letters(self) -> int:
        """How many letters of a caption fit into a line over the field."""
        return int(self.canvas.get_figwidth() * _LETTERS_AN_INCH)

    def wrapped(self, *paragraphs: str) -> list[str]:
        """Return paragraphs in lines that fit over the field, without a lone last word."""
        return [line for one in paragraphs for line in _balanced(one, self.letters)]

    def make_room(self, lines: int) -> None:
        """Make the figure as high as the field needs, with so many lines of a caption above and a legend below."""
        state, width = self._state, self.canvas.get_figwidth()
        entries = len(legend_patches(self._painter, state)) + self._painter.later_entries(state)
        above = 0.2 + _INCHES_A_LINE * lines
        below = 0.7 + _INCHES_A_LINE * -(-entries // self._legend_columns)
        height = self._length * self._inches + above + below
        self.canvas.set_size_inches(width, height)
        self.canvas.subplots_adjust(
            left=0.7 / width, right=1 - 0.3 / width, bottom=below / height, top=1 - above / height
        )

    def draw_field(self, state: State) -> None:
        """Draw the ground with its areas, and the legend, anew."""
        if not self._is_blank:
            self.ax.clear()
        self._is_blank = False
        frame_field(self._width, self._length, self._painter.unit, self.ax)
        self._painter.draw_ground(state, self.ax)
        self.written, self.labels = draw_areas(self._areas, self.ax)
        self.canvas.legends.clear()
        self.canvas.legend(
            handles=legend_patches(self._painter, state),
            loc="lower center",
            ncols=self._legend_columns,
            fontsize=8,
            frameon=False,
        )

    def write(self, lines: Sequence[str]) -> Text:
        """Write a caption over the field."""
        top = 1 - 0.08 / self.canvas.get_figheight()
        return self.canvas.text(0.02, top, "\n".join(lines), va="top", fontsize=CAPTION_POINTS)

    @property
    def _legend_columns(self) -> int:
        return max(2, int(self.canvas.get_figwidth() / _INCHES_A_COLUMN))


@lru_cache(maxsize=256)
def _balanced(text: str, letters: int) -> Sequence[str]:
    """Return a text in as few lines as it needs, the last at least half as long as there is room, where it can be."""
    lines, width = textwrap.wrap(text, letters), letters
    while len(lines) > 1 and 2 * len(lines[-1]) < letters and width > letters // 2:
        width = (
            min(width, max(map(len, lines))) - 1
        )  # any width down to the longest line gives the same lines
        narrower = textwrap.wrap(text, width)
        if len(narrower) > len(lines):
            break
        lines = narrower
    return lines


def legend_patches(painter: Painter[State], state: State) -> list[Patch]:
    """Return the entries of the legend: the colours of the players, and those of the game."""
    names = painter.players(state)
    players = [
        Patch(facecolor=player_rgb(color), edgecolor="black", lw=0.6, label=name)
        for name, color in zip(names, painter.colours(state), strict=True)
    ]
    return [*players, *painter.legend(state)]


def _inches_a_unit(width: float, length: float) -> float:
    longest = max(width, length) * _INCHES_A_UNIT
    wanted = min(max(longest, _SMALLEST_INCHES), _LARGEST_INCHES) / longest
    least = (_SMALLEST_INCHES - 1.0) / (width * _INCHES_A_UNIT)
    return _INCHES_A_UNIT * max(wanted, least)
