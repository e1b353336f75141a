"""Status: a game at one moment: a headline, a map with letters for units, and tables of units in play."""

from collections.abc import Iterable, Iterator, Sequence
from string import ascii_lowercase, ascii_uppercase
from typing import Self

from brickphys.rules.report.char_map import CharMap
from brickphys.text import columns

_LEAVES = "q"
"""Letter that a person types to leave the game."""


Table = tuple[tuple[str, ...], ...]
"""Rows of cells."""


class Status(str):
    """A game at one moment as text, which knows its parts.

    Attributes
    ----------
    headline
        The round, and whose turn it is.
    chart
        The map; None if it has none that can be marked.
    tables
        Rows of cells, the first of each table the names of its columns.
    notes
        Lines below the tables.
    """

    headline: str
    chart: CharMap | None
    tables: tuple[Table, ...]
    notes: tuple[str, ...]

    def __new__(
        cls,
        text: str,
        headline: str,
        chart: CharMap | None,
        tables: tuple[Table, ...],
        notes: tuple[str, ...],
    ) -> Self:
        """Return the text with its parts."""
        self = super().__new__(cls, text)
        self.headline, self.chart, self.tables, self.notes = headline, chart, tables, notes
        return self


def status_text(
    headline: str,
    field: str,
    tables: Iterable[Iterable[Sequence[str]]],
    notes: Iterable[str] = (),
) -> Status:
    """Return a game at one moment for people, part by part with a blank line between them.

    Parameters
    ----------
    headline
        The round, and whose turn it is.
    field
        The map, or a `Status` with one, whose tables come first.
    tables
        Rows of cells, the first of each table the names of its columns.
    notes
        Lines below the tables.
    """
    cells = tuple(tuple(map(tuple, rows)) for rows in tables)
    aligned = ("\n".join(columns(rows, "  ")) for rows in cells)
    last = tuple(notes)
    text = "\n\n".join([headline, field, *aligned, *last])
    if isinstance(field, Status):
        cells, last = (*field.tables, *cells), (*field.notes, *last)
    return Status(text, headline, map_in(field), cells, last)


def map_in(text: str) -> CharMap | None:
    """Return the map in a description of a game, or the map that it is; None if there is none that can be marked."""
    if isinstance(text, Status):
        return text.chart
    return text if isinstance(text, CharMap) else None


def letters(owners: Iterable[int], reserved: str, spare: str) -> tuple[str, ...]:
    """Return the letter of each unit on a map: capitals for the first player's, small letters for all others.

    Parameters
    ----------
    owners
        The player of each unit.
    reserved
        Letters that mean something else on the map.
    spare
        The sign of units for which no letter is left.
    """
    capitals = _free(ascii_uppercase, reserved)
    small = _free(ascii_lowercase, f"{reserved}{_LEAVES}")
    return tuple(next(small if owner else capitals, spare) for owner in owners)


def _free(alphabet: str, reserved: str) -> Iterator[str]:
    return (letter for letter in alphabet if letter not in reserved)
