"""Marked map: the map of a game with the numbers of the list on it, whole or the part that a question is about."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil
from typing import TYPE_CHECKING, Self

from brickphys.rules.players.menu import WIDTH
from brickphys.rules.report.char_map import Cell, MapLayout, Window, mark_text
from brickphys.rules.report.ink import Inked

if TYPE_CHECKING:
    from brickphys.geometry.polygon import Point

_ROUND_SQUARES = 2
"""Squares that are shown around those that are marked, of a map whose squares are those of the rules."""
_ROUND_SIGNS = (8, 4)
"""Columns and rows that are shown around what is marked, of other maps."""
_WIDEST = 2
"""Characters of a square, of other maps: numbers that lie nearer to each other share a mark."""


@dataclass(frozen=True)
class MarkedMap:
    """A map, and the numbers of choices by their squares.

    Attributes
    ----------
    layout
        The map.
    marks
        The numbers in each square, the lowest first.
    here
        The square of the unit that acts; None if there is none.
    is_tight
        Whether a number may cover empty squares beside its own.
    """

    layout: MapLayout
    marks: Mapping[Cell, Sequence[int]]
    here: Cell | None = None
    is_tight: bool = False

    @classmethod
    def of(cls, layout: MapLayout, places: "Iterable[Point | None]", here: "Point | None") -> Self:
        """Return the map with numbers from 1 on at their places; those without a place are not on it."""
        marks: dict[Cell, list[int]] = {}
        for number, place in enumerate(places, start=1):
            cell = None if place is None else layout.cell_of(place)
            if cell is not None:
                marks.setdefault(cell, []).append(number)
        return cls(layout, marks, None if here is None else layout.cell_of(here))

    def fits(self, columns: int) -> bool:
        """Tell whether the whole map has enough room in so many columns, with its marks."""
        return self.layout.margin + self._wide * self.layout.size[0] <= columns

    def within(self, columns: int) -> Self:
        """Return the map as it has enough room in so many columns: without arrows, or tight; else as it is."""
        bare = replace(self, layout=replace(self.layout, arrows={}))
        forms = (self, bare, replace(bare, is_tight=True))
        return next((form for form in forms if form.fits(columns)), self)

    def whole(self, *, legend: bool = True) -> list[Inked]:
        """Return the whole map."""
        return self.layout.lines(self.marks, wide=self._wide, legend=legend)

    def part(self, columns: int = WIDTH, *, legend: bool = False) -> list[Inked]:
        """Return the part of the map around the marks and the unit that acts, in so many columns at most."""
        room, wide = columns - self.layout.margin, self._wide
        window = self._window()
        across = window.right - window.left
        wide = max(self.layout.wide, min(wide, room // across))
        if across * wide > room:
            window = self._narrowed(window, max(1, room // wide))
        return self.layout.lines(self.marks, window=window, wide=wide, legend=legend)

    @property
    def _is_of_squares(self) -> bool:
        """Whether a square of the map is one of the rules, so that each choice has its own."""
        return self.layout.square == (1, 1)

    @property
    def _wide(self) -> int:
        """Characters that a square needs, so that no number covers another one or a unit."""
        layout, texts = self.layout, dict[Cell, str]()
        needed = layout.wide + bool(layout.arrows)
        for cell in layout.units | self.marks.keys():
            mark = mark_text(self.marks[cell]) if cell in self.marks else ""
            texts[cell] = layout.unit(cell, needed) + mark
        for one, other in pairwise(sorted(texts, key=lambda cell: cell[::-1])):
            if one[1] == other[1] and (one in self.marks or other in self.marks):
                needed = max(needed, ceil((len(texts[one]) + 1) / (other[0] - one[0])))
        across = layout.size[0]
        needed = max(
            [needed, *(ceil(len(texts[cell]) / (across - cell[0])) for cell in self.marks)]
        )
        if self._is_of_squares and not self.is_tight:
            return max([needed, *(len(texts[cell]) for cell in self.marks)])
        return needed if self._is_of_squares else min(needed, max(_WIDEST, layout.wide))

    def _window(self) -> Window:
        """Return the part that holds the marks and the unit that acts, and what is near."""
        cells = [*self.marks, *([self.here] if self.here else [])]
        if not cells:
            return self.layout.whole
        aside, along = (_ROUND_SQUARES,) * 2 if self._is_of_squares else _ROUND_SIGNS
        columns, rows = zip(*cells, strict=True)
        across, up = self.layout.size
        return Window(
            max(0, min(columns) - aside),
            max(0, min(rows) - along),
            min(across, max(columns) + aside + 1),
            min(up, max(rows) + along + 1),
        )

    def _narrowed(self, window: Window, columns: int) -> Window:
        """Return so many columns of a window, about the unit that acts or its middle."""
        middle = self.here[0] if self.here else (window.left + window.right) // 2
        left = min(max(middle - columns // 2, window.left), window.right - columns)
        return window._replace(left=left, right=left + columns)
