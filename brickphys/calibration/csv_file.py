"""CSV file: reading of tracked tosses and of counts of bricks thrown at home, with the place of every fault."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from brickphys.errors import InvalidValueError, raised_as
from brickphys.reading import MOST_TABLE_BYTES, parse_csv, read_text
from brickphys.text import counted, nearest, shown

SHOWN_FAULTS = 5
MOST_FAULTS = 1000
"""Further ones are not looked for."""
_OTHER_DELIMITERS = {";": "semicolons", "\t": "tabs", "|": "bars"}


@dataclass(frozen=True)
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


def read_csv(
    path: Path, problems: Callable[[str], list[str]], error: type[InvalidValueError]
) -> tuple[tuple[str, ...], list[Row]]:
    """Return the header and the rows of a file in which `problems` finds no fault.

    Parameters
    ----------
    path
        A text file in UTF-8, with or without byte order mark, with any line ends.
    problems
        Returns every fault of the text.
    error
        Class of the error; its message is one line with the number of faults and the first ones.

    Raises
    ------
    InvalidValueError
        Of the class `error`, if the file cannot be read, is too large, is not UTF-8 or not CSV, or has faults.
    """
    with raised_as(error):
        text = read_text(path, MOST_TABLE_BYTES)
        for _ in parse_csv(text, str(path)):  # so that nothing below can fail
            pass
        refuse_rows(path, problems(text))
        return table(text)


def refuse_rows(path: Path | str, faults: Iterable[str]) -> None:
    """Raise InvalidValueError with the number of faults of a file and the first ones, if there are any."""
    found = list(islice(faults, MOST_FAULTS + 1))
    if found:
        many = len(found) > MOST_FAULTS
        told = f"more than {MOST_FAULTS:,} faults" if many else counted(len(found), "fault")
        more = len(found) - SHOWN_FAULTS
        tail = f"; and {'' if many else f'{more} '}more" if more > 0 else ""
        raise InvalidValueError(f"{path}: {told}: {'; '.join(found[:SHOWN_FAULTS])}{tail}")


def table(text: str) -> tuple[tuple[str, ...], list[Row]]:
    """Return the header (empty for an empty text) and the rows below it that are not blank."""
    stripped = (
        (line, tuple(cell.strip() for cell in row)) for line, row in parse_csv(text, "table")
    )
    lines = [(line, row) for line, row in stripped if any(row)]
    if not lines:
        return (), []
    rows = [Row(number, line, cells) for number, (line, cells) in enumerate(lines[1:], start=1)]
    return lines[0][1], rows


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
