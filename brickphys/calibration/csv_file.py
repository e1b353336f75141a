"""CSV file: reading of tracked tosses and of counts of bricks thrown at home, with the place of every fault."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from brickphys.errors import InvalidValueError
from brickphys.reading import CsvRow
from brickphys.text import counted, nearest, shown

SHOWN_FAULTS = 5
MOST_FAULTS = 1000
"""Further ones are not looked for."""
_OTHER_DELIMITERS = {";": "semicolons", "\t": "tabs", "|": "bars"}


@dataclass(frozen=True, slots=True)
class Row:
    """A row that is not blank.

    Attributes
    ----------
    number
        Number of the row, from 1 below the header, without blank lines.
    line
        Number of the line in the file, from 1.
    cells
        Texts without surrounding blanks.
    """

    number: int
    line: int
    cells: tuple[str, ...]

    @property
    def place(self) -> str:
        """Row and line, for a message."""
        return f"row {self.number} (line {self.line})"


def refuse_rows(path: Path | str, faults: Iterable[str]) -> None:
    """Raise InvalidValueError with the number of faults of a file and the first ones, if there are any."""
    found = list(islice(faults, MOST_FAULTS + 1))
    if found:
        many = len(found) > MOST_FAULTS
        told = f"more than {MOST_FAULTS:,} faults" if many else counted(len(found), "fault")
        more = len(found) - SHOWN_FAULTS
        tail = f"; and {'' if many else f'{more} '}more" if more > 0 else ""
        raise InvalidValueError(f"{path}: {told}: {'; '.join(found[:SHOWN_FAULTS])}{tail}")


def table(lines: Iterable[CsvRow]) -> tuple[tuple[str, ...], Iterator[Row]]:
    """Return the header (empty if there is none) and, as they are read, the rows below it that are not blank."""
    stripped = ((line, tuple(cell.strip() for cell in row)) for line, row in lines)
    filled = ((line, cells) for line, cells in stripped if any(cells))
    _, header = next(filled, (0, ()))
    return header, (Row(number, *row) for number, row in enumerate(filled, start=1))


def header_problems(
    header: Sequence[str], needed: Sequence[str], known: Sequence[str] = ()
) -> list[str]:
    """Return the faults of a header that needs each column of `needed` once and may have each of `known` once."""
    if not header:
        return ["the file is empty"]
    if len(header) == 1 and len(needed) > 1:
        for sign, name in _OTHER_DELIMITERS.items():
            if sign in header[0]:
                return [f"line 1: columns are separated by {name}; write commas"]
    missing = [name for name in needed if name not in header]
    faults = [f"column {name!r} is missing" for name in missing]
    if missing:
        others = [name for name in header if name not in (*needed, *known)]
        meant = nearest(missing[0], others)
        faults[0] += (
            f" (is {shown(meant)} meant for it?)"
            if meant
            else f" (the columns are {', '.join(map(shown, header))})"
        )
    twice = [name for name in (*needed, *known) if header.count(name) > 1]
    return faults + [f"column {name!r} occurs twice" for name in twice]
