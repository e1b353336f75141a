"""Status: a game at one moment: a headline, a map with letters for units, and tables of units in play."""

from collections.abc import Iterable, Iterator, Sequence
from string import ascii_lowercase, ascii_uppercase

from brickphys.text import columns


def status_text(
    headline: str,
    field: str,
    tables: Iterable[Iterable[Sequence[str]]],
    notes: Iterable[str] = (),
) -> str:
    """Return a game at one moment for people, part by part with a blank line between them.

    Parameters
    ----------
    headline
        The round, and whose turn it is.
    field
        The map.
    tables
        Rows of cells, the first of each table the names of its columns.
    notes
        Lines below the tables.
    """
    aligned = ("\n".join(columns(rows, "  ")) for rows in tables)
    return "\n\n".join([headline, field, *aligned, *notes])


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
    capitals, small = _free(ascii_uppercase, reserved), _free(ascii_lowercase, reserved)
    return tuple(next(small if owner else capitals, spare) for owner in owners)


def _free(alphabet: str, reserved: str) -> Iterator[str]:
    return (letter for letter in alphabet if letter not in reserved)
