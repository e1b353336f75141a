"""Marked map: the map of a game with the numbers of the list on it, whole or the part that a question is about.

How wide a square is drawn depends on the map and the screen alone: from one question to the next all columns stay.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from brickphys.rules.players.menu import WIDTH
from brickphys.rules.report.char_map import MORE, Cell, MapLayout, Marks, Window
from brickphys.rules.report.ink import Inked

if TYPE_CHECKING:
    from brickphys.geometry.polygon import Point

_ROUND_SQUARES = 2
"""Rows shown around marked rows, on a map whose squares are those of the rules."""
_ROUND_SIGNS = 4
"""The same, of other maps."""
_MORE, _LEAST_MORE = 3, 2
"""Characters that a square gets besides its sign where there is room, and with which most numbers fit."""
_MORE_NOTE = "other choices of the list lead there, too"
_MORE_OF_SIGNS = 1
"""The same, of other maps: numbers that lie nearer to each other share a mark."""


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
    """

    layout: MapLayout
    marks: Marks
    here: Cell | None = None

    @classmethod
    def of(
        cls,
        layout: MapLayout,
        places: "Iterable[Point | None]",
        here: "Point | None",
        labels: Sequence[str] | None = None,
    ) -> Self:
        """Return the map with labels at their places, by default numbers from 1 on; some may have no place."""
        marks: dict[Cell, list[int | str]] = {}
        for number, place in enumerate(places):
            cell = None if place is None else layout.cell_of(place)
            if cell is not None:
                marks.setdefault(cell, []).append(labels[number] if labels else number + 1)
        return cls(layout, marks, None if here is None else layout.cell_of(here))

    def has_room(self, columns: int) -> bool:
        """Tell whether the whole map in so many columns has room for numbers.

        Where squares are not those of the rules, numbers stand on the ground around their squares.
        """
        if not self._is_of_squares:
            return self.fits(columns)
        return self._wide(columns) >= self.layout.wide + _LEAST_MORE

    def fits(self, columns: int) -> bool:
        """Tell whether the whole map, without numbers, has room in so many columns."""
        return self.layout.margin + self.layout.wide * self.layout.size[0] <= columns

    def whole(
        self, columns: int = WIDTH, *, is_marked: bool = True, legend: bool = True
    ) -> list[Inked]:
        """Return the whole map, its squares as wide as there is room in so many columns."""
        marks = self.marks if is_marked else {}
        return self.layout.lines(marks, wide=self._wide(columns), legend=legend)

    def part(self, columns: int = WIDTH, *, legend: bool = False) -> list[Inked]:
        """Return the rows around the marks and the unit that acts: with all columns, or as many as there is room for.

        Parameters
        ----------
        columns
            Characters of a line.
        legend
            Whether the legend follows.
        """
        layout, wide = self.layout, self._wide(columns)
        window = self._rows()
        if not self.has_room(columns):
            wide = layout.wide + self._most_more
            left, right = self._columns(max(1, (columns - layout.margin) // wide))
            window = window._replace(left=left, right=right)
        return layout.lines(self.marks, window=window, wide=wide, legend=legend)

    @property
    def notes(self) -> list[Inked]:
        """What stands below a part without a legend: a line on squares with several numbers, if there are any."""
        several = any(len(numbers) > 1 for numbers in self.marks.values())
        return [Inked(f"{' ' * self.layout.margin}{MORE} {_MORE_NOTE}")] * several

    @property
    def _is_of_squares(self) -> bool:
        """Whether a square of the map is one of the rules, so that each choice has its own."""
        return self.layout.square == (1, 1)

    @property
    def _most_more(self) -> int:
        """Characters that a square gets at most, besides those of its sign."""
        if not self._is_of_squares:
            return _MORE_OF_SIGNS
        return _MORE if self.layout.wide == 1 else _LEAST_MORE

    def _wide(self, columns: int) -> int:
        """Return how many characters a square of the whole map has in so many columns."""
        layout, room = self.layout, columns - self.layout.margin
        more = room // layout.size[0] - layout.wide
        return layout.wide + max(0, min(more, self._most_more))

    @property
    def _cells(self) -> list[Cell]:
        """The squares that a question is about."""
        return [*self.marks, *([self.here] if self.here else [])]

    def _rows(self) -> Window:
        """Return the part with all columns whose rows hold the marks and the unit that acts, and some around."""
        if not self._cells:
            return self.layout.whole
        around = _ROUND_SQUARES if self._is_of_squares else _ROUND_SIGNS
        rows = [row for _, row in self._cells]
        bottom, top = max(0, min(rows) - around), max(rows) + around + 1
        return self.layout.whole._replace(bottom=bottom, top=min(self.layout.size[1], top))

    def _columns(self, count: int) -> tuple[int, int]:
        """Return the first of so many columns and the one behind them, about the unit that acts or the marks.

        The first one is a column that the ruler names, if all marks are shown so: the part moves on by leaps.
        """
        across, named = self.layout.size[0], max(1, self.layout.rulers.every // 2)
        if count >= across:
            return 0, across
        marked = [column for column, _ in self._cells] or [across // 2]
        middle = self.here[0] if self.here else (min(marked) + max(marked)) // 2
        left = max(0, middle - count // 2) // named * named
        if max(marked) - min(marked) < count:
            left = min(max(left, max(marked) + 1 - count), min(marked))
        return min(left, across - count), min(left, across - count) + count
