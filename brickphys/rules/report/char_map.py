"""Character map: a map in characters, with rulers and a legend, on which numbers may mark choices.

Text has tones that a terminal may show as colours; without colours the text is the same.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property, lru_cache
from itertools import groupby
from math import floor
from string import digits
from textwrap import wrap
from typing import TYPE_CHECKING, NamedTuple, Self, TypeAlias

from brickphys.text import spoken

if TYPE_CHECKING:
    from brickphys.geometry.polygon import Point


class Ink(Enum):
    """A tone that is not that of a player."""

    MARK = "mark"
    """What may be typed: a number of the list, on the map too."""
    HEAD = "head"
    """What is asked for, and headings."""
    QUIET = "quiet"
    """What is read last: sections of the rulebook, open ground."""
    FAULT = "fault"
    """Why something is not done."""
    WATER = "water"
    PLANTS = "plants"
    STONE = "stone"


Tone: TypeAlias = Ink | int
"""A kind of ink, or the number of the player whose thing it is."""
Span: TypeAlias = tuple[int, int, Tone]
"""From which character up to which other one a tone reaches."""
_SECTION = r"\([A-Z]{2,3} [^()]*\)"


class Inked(str):
    """A text with tones."""

    spans: tuple[Span, ...]
    """In order; they do not overlap."""

    def __new__(cls, text: str = "", spans: Iterable[Span] = ()) -> Self:
        """Return the text with spans."""
        self = super().__new__(cls, text)
        self.spans = tuple(spans)
        return self

    def rstripped(self) -> Self:
        """Return the text without blanks at its end."""
        text = self.rstrip()
        last = len(text)
        kept = ((start, min(end, last), tone) for start, end, tone in self.spans if start < last)
        return type(self)(text, kept)


def inked(text: str, tone: Tone) -> Inked:
    """Return a text that is all in one tone."""
    return Inked(text, [(0, len(text), tone)] if text else [])


def spans_of(text: str) -> tuple[Span, ...]:
    """Return the spans of a text, none for a plain one."""
    return text.spans if isinstance(text, Inked) else ()


def joined(parts: Iterable[str], between: str = "") -> Inked:
    """Return texts as one, with a text between any two of them."""
    parts, spans, at = list(parts), list[Span](), 0
    for part in parts:
        spans += [(start + at, end + at, tone) for start, end, tone in spans_of(part)]
        at += len(part) + len(between)
    return Inked(between.join(parts), spans)


def highlighted(text: str, tones: Mapping[str, Tone]) -> Inked:
    """Return a text in which names have their tones, as written and as spoken, and sections of rulebooks are quiet.

    What `text` has tones for already keeps them.
    """
    known = {form: tone for name, tone in tones.items() for form in _forms(name)}
    old = spans_of(text)
    return Inked(text, sorted([*old, *_found(text, known, old)], key=lambda span: span[:2]))


def _forms(name: str) -> tuple[str, ...]:
    """Return how a name stands in a text: as it is written, as it is spoken, and so at the beginning of a sentence."""
    said = spoken(name)
    return name, said, said[:1].upper() + said[1:]


def _found(text: str, known: Mapping[str, Tone], old: Iterable[Span]) -> Iterator[Span]:
    for match in _pattern(tuple(known)).finditer(text):
        start, end = match.span()
        if not any(start < other_end and other < end for other, other_end, _ in old):
            yield start, end, known.get(match[0], Ink.QUIET)


@lru_cache(maxsize=64)
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    """Return what finds sections and names, of several that begin alike the longest."""
    longest = sorted(filter(None, names), key=len, reverse=True)
    return re.compile(
        rf"{_SECTION}|(?<![\w+])(?:{'|'.join(map(re.escape, longest)) or '(?!)'})(?![\w+])"
    )


Cell = tuple[int, int]
"""Column and row of a square of the map, from the lower left."""

Marks = Mapping[Cell, Sequence[int | str]]
"""The numbers of choices by their squares, in the order of the list."""

MORE = "+"
"""Sign after a number: there are more choices in the same place."""
_LEGEND_COLUMNS = 100
_INDENT = " " * 5
_RAISED = str.maketrans(digits, "⁰¹²³⁴⁵⁶⁷⁸⁹")
"""Raised digits, for signs of the map that are digits where numbers mark choices."""
_ARROWS_NOTE = "arrows: facings of units"
_MARKS_NOTE = "numbers: choices of the list"
_MORE_NOTE = f", {MORE} several choices"


class Window(NamedTuple):
    """A part of a map: its first column and row, and those behind its last ones."""

    left: int
    bottom: int
    right: int
    top: int


@dataclass(frozen=True)
class Rulers:
    """What stands beside and below a map."""

    rows: tuple[str, ...]
    """What stands before each row, from the south; all are equally long."""
    columns: tuple[str, ...]
    every: int = 10
    """Of so many columns one is named."""
    above: bool = False
    """Whether the names of columns stand above the map, each as that of the square below it: ``A1``."""


@dataclass(frozen=True, kw_only=True)
class MapLayout:
    """What is on a map.

    `corner` is its lower left one, `square` the width and length of a square, in the unit in which places are told.
    """

    signs: tuple[str, ...]
    """A sign for each square, row by row from the south."""
    rulers: Rulers
    meanings: Mapping[str, str] = field(default_factory=dict)
    """The meanings of signs; the legend has those on the map."""
    notes: tuple[str, ...] = ()
    """Lines below the legend."""
    wide: int = 1
    """Characters of a square."""
    corner: "Point" = (0, 0)
    square: "Point" = (1, 1)
    inks: Mapping[str, Tone] = field(default_factory=dict)
    """The tones of signs; those of units have the number of their player."""
    arrows: Mapping[Cell, str] = field(default_factory=dict)
    """Where units look, by their squares: drawn behind their signs where squares are wide enough."""

    @property
    def size(self) -> Cell:
        """How many columns and rows there are."""
        return len(self.rulers.columns), len(self.rulers.rows)

    @property
    def whole(self) -> Window:
        """The window that shows all of it."""
        return Window(0, 0, *self.size)

    @property
    def margin(self) -> int:
        """Characters before the first column."""
        return len(self.rulers.rows[0])

    @cached_property
    def units(self) -> frozenset[Cell]:
        """The squares of units that fill no other square."""
        found: dict[str, list[Cell]] = {}
        for number, sign in enumerate(self.signs):
            if isinstance(self.inks.get(sign), int):
                row, column = divmod(number, self.size[0])
                found.setdefault(sign, []).append((column, row))
        return frozenset(cells[0] for cells in found.values() if len(cells) == 1)

    def sign(self, cell: Cell) -> str:
        """Return the sign of a square."""
        return self.signs[cell[1] * self.size[0] + cell[0]]

    def unit(self, cell: Cell, wide: int, mark: str = "") -> str:
        """Return how a unit is drawn in its square, before a mark; empty where there is none.

        It has an arrow if the square, which is so many characters wide, then has room for the mark and a blank.
        """
        if cell not in self.units:
            return ""
        sign, arrow = self.sign(cell), self.arrows.get(cell, "")
        has_room = wide > self.wide and (not mark or len(sign + arrow + mark) < wide)
        return sign + arrow if has_room else sign

    def cell_of(self, place: "Point") -> Cell | None:
        """Return the square of a place; None outside the map."""
        column, row = (
            floor((at - low) / side)
            for at, low, side in zip(place, self.corner, self.square, strict=True)
        )
        columns, rows = self.size
        is_inside = 0 <= column < columns and 0 <= row < rows
        return (column, row) if is_inside else None

    def lines(
        self,
        marks: Marks | None = None,
        *,
        window: Window | None = None,
        wide: int | None = None,
        legend: bool = True,
    ) -> list[Inked]:
        """Draw the map.

        `marks` are numbers on squares, the first of which is drawn; where there is no room, the next one to it gets a
        `MORE`. A `window` of it is drawn, a square so many characters `wide`; by default all, and as wide as usual.
        """
        window, wide, marks = window or self.whole, wide or self.wide, marks or {}
        body = [
            joined([self.rulers.rows[row], self._row(row, window, wide, marks)]).rstripped()
            for row in reversed(range(window.bottom, window.top))
        ]
        ruler = Inked(self._ruler(window, wide))
        body = [ruler, *body] if self.rulers.above else [*body, ruler]
        return [*body, *map(Inked, self._legend(window, wide, marks))] if legend else body

    def _row(self, row: int, window: Window, wide: int, marks: Marks) -> Inked:
        signs = self._signs(row, window)
        shown = [sign.translate(_RAISED) for sign in signs] if marks else signs
        strip = _Strip(shown, [self.inks.get(sign) for sign in signs], wide)
        for cell in self.units:
            if cell[1] == row and window.left <= cell[0] < window.right:
                unit = self.unit(cell, wide, mark_text(marks[cell]) if cell in marks else "")
                at, tone = (cell[0] - window.left) * wide, self.inks[self.sign(cell)]
                strip.put(at, unit, tone, keeps=True)
        here = [cell for cell in marks if cell[1] == row and window.left <= cell[0] < window.right]
        for cell in here:
            mark = mark_text(marks[cell])
            strip.mark((cell[0] - window.left) * wide, len(self.unit(cell, wide, mark)), mark)
        return strip.line()

    def _signs(self, row: int, window: Window) -> tuple[str, ...]:
        first = row * self.size[0]
        return self.signs[first + window.left : first + window.right]

    def _ruler(self, window: Window, wide: int) -> str:
        every, line = self.rulers.every, " " * self.margin
        row = self.rulers.rows[window.top - 1].strip() if self.rulers.above else ""
        if wide > self.wide:
            every = max(1, every // 2)
        for column in range(window.left, window.right):
            at = self.margin + (column - window.left) * wide
            if column % every == 0 and (at > len(line) or at == self.margin):
                line = f"{line.ljust(at)}{self.rulers.columns[column]}{row}"
        return line.rstrip()

    def _legend(self, window: Window, wide: int, marks: Marks) -> Iterator[str]:
        shown = {
            sign
            for row in range(window.bottom, window.top)
            for column, sign in enumerate(self._signs(row, window), start=window.left)
            if (column, row) not in marks or (column, row) in self.units
        }
        for sign, meaning in self.meanings.items():
            if sign in shown:
                entry = f"{_INDENT}{sign.translate(_RAISED) if marks else sign} {meaning}"
                yield from wrap(entry, _LEGEND_COLUMNS, subsequent_indent=f"{_INDENT}  ")
        yield from self.notes
        if wide > self.wide and self.arrows:
            yield f"{' ' * self.margin}{_ARROWS_NOTE}"
        if marks:
            several = any(len(numbers) > 1 for numbers in marks.values())
            yield f"{' ' * self.margin}{_MARKS_NOTE}{_MORE_NOTE if several else ''}"


class CharMap(str):
    """A map as text, with its legend and without tones or marks."""

    layout: MapLayout

    def __new__(cls, layout: MapLayout) -> Self:
        """Draw the map."""
        self = super().__new__(cls, "\n".join(layout.lines()))
        self.layout = layout
        return self


def mark_text(numbers: Sequence[int | str]) -> str:
    """Return how numbers mark a square: the first of them."""
    return f"{numbers[0]}{MORE if len(numbers) > 1 else ''}"


class _Strip:
    """The squares of a row while they are drawn, each so many characters wide."""

    def __init__(self, signs: Sequence[str], tones: Sequence[Tone | None], wide: int) -> None:
        self._characters = [letter for sign in signs for letter in sign[:wide].ljust(wide)]
        self._tones = [
            tone if at < len(sign) else None
            for sign, tone in zip(signs, tones, strict=True)
            for at in range(wide)
        ]
        self._is_kept = [False] * len(self._characters)
        self._ends: list[int] = []

    def put(self, at: int, text: str, tone: Tone | None, *, keeps: bool) -> None:
        """Write a text; marks leave alone what it keeps."""
        for place, character in enumerate(text[: len(self._characters) - at], start=at):
            self._characters[place], self._tones[place] = character, tone
            self._is_kept[place] = keeps

    def mark(self, at: int, unit: int, text: str) -> None:
        """Mark a square that begins at a character: there or before it, or behind a unit of so many characters."""
        for start in (at + unit,) if unit else (at, at - len(text) + 1):
            end = start + len(text)
            around = self._is_kept[start if unit else max(0, start - 1) : end + 1]
            if start >= 0 and end <= len(self._characters) and not any(around):
                self.put(start, text, Ink.MARK, keeps=True)
                self._ends.append(end)
                return
        end = min(self._ends, key=lambda end: abs(end - at), default=len(self._characters))
        is_free = end < len(self._characters) and not self._is_kept[end]
        if is_free and self._characters[end - 1] != MORE:
            self.put(end, MORE, Ink.MARK, keeps=True)

    def line(self) -> Inked:
        """Return the row."""
        spans, start = list[Span](), 0
        for tone, run in groupby(self._tones):
            end = start + len(list(run))
            if tone is not None:
                spans.append((start, end, tone))
            start = end
        return Inked("".join(self._characters), spans)


def text_map(
    width: int,
    signs: Sequence[str],
    meanings: Mapping[str, str],
    square: tuple[float, float] = (1, 1),
    *,
    inks: Mapping[str, Tone] | None = None,
    arrows: Mapping[int, str] | None = None,
) -> CharMap:
    """Write a map: the highest y on top, y at every fifth row, x under every tenth column, and a legend.

    Parameters
    ----------
    signs
        A character for each square, row by row from the south (y = 0).
    meanings
        The meanings of signs; the legend has those on the map.
    square
        Width and length of a square in the unit in which x and y are written.
    inks
        The tones of signs, those of units the number of their player.
    arrows
        Where units look, by the numbers of their squares.
    """
    rows = (f"{y * square[1]:g}" if y % 5 == 0 else "" for y in range(len(signs) // width))
    rulers = Rulers(
        rows=tuple(f"{row:>4} " for row in rows),
        columns=tuple(f"{x * square[0]:g}" for x in range(width)),
    )
    return CharMap(
        MapLayout(
            signs=tuple(signs),
            rulers=rulers,
            meanings=meanings,
            square=square,
            inks=inks or {},
            arrows={divmod(at, width)[::-1]: arrow for at, arrow in (arrows or {}).items()},
        )
    )
