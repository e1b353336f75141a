"""Home counts: hands of bricks thrown and counted at home, read from a CSV file with the place of every fault."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

import numpy as np

from brickphys.errors import CountsFileError, InvalidValueError, raised_as, unknown
from brickphys.odds.roll import MAX_BRICKS, SIDE
from brickphys.reading import MOST_COUNTS_BYTES, CsvRow, parse_csv, read_rows
from brickphys.text import counted, nearest, shown
from brickphys.throws.conditions import SURFACES
from brickphys.throws.faces import LEANING
from brickphys.units import Counts, Mask

SHOWN_FAULTS = 5
MOST_FAULTS = 1000
"""Further ones are not looked for."""
_OTHER_DELIMITERS = {";": "semicolons", "\t": "tabs", "|": "bars"}


@dataclass(frozen=True, slots=True)
class Row:
    """A row that is not blank."""

    number: int
    """Number of the row, from 1 below the header, without blank lines."""
    line: int
    """Number of the line in the file, from 1."""
    cells: tuple[str, ...]
    """Texts without surrounding blanks."""

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


BRICKS, SCORE, SURFACE = "bricks", "score", "surface"
POSES = ("studs_up", "studs_down", SIDE, LEANING)
"""Columns of poses; without the column ``leaning`` no brick leaned."""
_NEEDED_POSES = POSES[:3]
_COLUMNS = (BRICKS, SCORE, *POSES, SURFACE)
_MAX_DIGITS = 9
_MOST_SEEN = 100_000
"""A hand may be written in many ways, such as 007."""


@dataclass(frozen=True, eq=False)
class HomeCounts:
    """Hands of bricks thrown at home. Hands that are alike may be one row."""

    bricks: Counts
    score: Counts
    """Number of bricks of each hand, and number of them on a side, shape (n,)."""
    poses: Counts | None = None
    """Number of bricks in each of `POSES`, shape (n, 4); None if only scores were recorded."""
    surfaces: tuple[str, ...] | None = None
    """Name of the surface of each hand, in the order of the first ones; None if not recorded."""
    repeats: Counts | None = None
    """Number of hands that each row stands for, shape (n,); None if it is one each."""

    @cached_property
    def times(self) -> Counts:
        """Number of hands that each row stands for, shape (n,)."""
        return np.ones(len(self.bricks), dtype=np.int64) if self.repeats is None else self.repeats

    @property
    def thrown(self) -> int:
        """Number of bricks."""
        return int(self.bricks @ self.times)

    @property
    def sides(self) -> int:
        """Number of bricks on a side."""
        return int(self.score @ self.times)

    @property
    def hands(self) -> int:
        """Number of hands."""
        return int(self.times.sum())

    @cached_property
    def largest(self) -> int:
        """Number of bricks of the largest hand."""
        return int(self.bricks.max())

    def scores(self) -> Mapping[int, tuple[int, ...]]:
        """Return hand size K -> counts of hands that scored 0, 1, ..., K."""
        found = {int(k): np.zeros(k + 1, dtype=np.int64) for k in np.unique(self.bricks)}
        for k, score, times in zip(self.bricks, self.score, self.times, strict=True):
            found[int(k)][score] += times
        return {k: tuple(hands.tolist()) for k, hands in found.items()}

    def pose_totals(self) -> Mapping[str, int] | None:
        """Return pose -> number of bricks; None if poses were not recorded."""
        if self.poses is None:
            return None
        return dict(zip(POSES, (self.times @ self.poses).tolist(), strict=True))

    def by_surface(self) -> Mapping[str, "HomeCounts"]:
        """Return surface -> its hands, in the order of the first hands; empty if surfaces were not recorded."""
        names = dict.fromkeys(self.surfaces or ())
        return {name: self._where(np.array(self.surfaces) == name) for name in names}

    def _where(self, chosen: Mask) -> "HomeCounts":
        poses = None if self.poses is None else self.poses[chosen]
        return HomeCounts(
            self.bricks[chosen], self.score[chosen], poses, repeats=self.times[chosen]
        )


def read_home_counts(path: Path, own: str | None = None) -> HomeCounts:
    """Read a file of bricks thrown at home, one row for each hand; see ``docs/infer.md``.

    Raises CountsFileError if the file cannot be read, is empty, too large, not UTF-8 or not separated by commas, lacks
    a column, or has a count that is not a whole number, is negative or does not add up, or an unknown surface. The
    message is one line with the number of faults and the first ones, each with row, line and column. `own` is a surface
    that rows may have besides those that ship.
    """
    with raised_as(CountsFileError):
        return _counts(read_rows(path, MOST_COUNTS_BYTES), str(path), own)


def parse_home_counts(text: str, name: str, own: str | None = None) -> HomeCounts:
    """Return the hands in the text of a counts file; see `read_home_counts`. Messages start with `name`."""
    with raised_as(CountsFileError):
        return _counts(parse_csv(text, name), name, own)


def _counts(rows: Iterator[CsvRow], name: str, own: str | None) -> HomeCounts:
    kinds: Counter[_Kind] = Counter()
    refuse_rows(name, _faults(rows, own, kinds))
    numbers = np.array([kind.numbers for kind in kinds], dtype=np.int64)
    names = tuple(kind.surface for kind in kinds if kind.surface is not None)
    return HomeCounts(
        bricks=numbers[:, 0],
        score=numbers[:, 1],
        poses=numbers[:, 2:] if numbers.shape[1] > 2 else None,
        surfaces=names or None,
        repeats=np.array(list(kinds.values()), dtype=np.int64),
    )


def problems(text: str, own: str | None = None) -> list[str]:
    """Return every fault of the text of a counts file, in the order of its rows; `own` as in `read_home_counts`."""
    return list(_faults(parse_csv(text, "counts"), own, Counter()))


class _Kind(NamedTuple):
    """Hands that are alike: bricks, score and, where they were recorded, the number of each of `POSES`; the surface."""

    numbers: tuple[int, ...]
    surface: str | None


def _faults(rows: Iterator[CsvRow], own: str | None, kinds: Counter[_Kind]) -> Iterator[str]:
    """Yield every fault of the rows; count the hands without one, by kind."""
    header = _names(next((row for _, row in rows if any(map(str.strip, row))), ()))
    found = _header_problems(header)
    if found:
        yield from found
        return
    known = (*SURFACES, own) if own else tuple(SURFACES)
    own_cells = itemgetter(*(header.index(name) for name in _COLUMNS if name in header))
    seen: dict[tuple[str, ...], _Kind] = {}  # few hands differ: the others need no check
    number = 0
    for line, cells in rows:
        kind = seen.get(own_cells(cells)) if len(cells) == len(header) else None
        if kind is None:
            row = Row(number + 1, line, tuple(map(str.strip, cells)))
            if not any(row.cells):
                continue
            faults = [f"{row.place}{fault}" for fault in _row_problems(header, row, known)]
            yield from faults
            if not faults:
                kind = _kind(dict(zip(header, row.cells, strict=True)))
                if len(seen) < _MOST_SEEN:
                    seen[own_cells(cells)] = kind
        number += 1
        if kind:
            kinds[kind] += 1
    if not number:
        yield "there are no throws below the header"


def _kind(cells: Mapping[str, str]) -> _Kind:
    names = (BRICKS, SCORE, *(POSES if SIDE in cells else ()))
    surface = cells[SURFACE].lower() if SURFACE in cells else None
    return _Kind(tuple(int(cells.get(name, "0")) for name in names), surface)


def _header_problems(header: Sequence[str]) -> list[str]:
    poses = [name for name in POSES if name in header]
    found = header_problems(header, (BRICKS, SCORE), (SURFACE, *POSES))
    missing = [name for name in _NEEDED_POSES if name not in header]
    if poses and missing:
        found.append(
            f"{' and '.join(map(shown, missing))} missing among the columns: the poses are "
            f"{', '.join(_NEEDED_POSES)}, all of them or none"
        )
    return found


def _names(header: Sequence[str]) -> tuple[str, ...]:
    """Return the normalised names of the columns: ``Studs up`` becomes ``studs_up``."""
    return tuple("_".join(re.split(r"[ _-]+", name.strip().lower())) for name in header)


def _row_problems(header: Sequence[str], row: Row, surfaces: Sequence[str]) -> Iterator[str]:
    if len(row.cells) != len(header):
        yield f": {len(row.cells)} values for {len(header)} columns"
        return
    cells = dict(zip(header, row.cells, strict=True))
    faults = [*_cell_problems(cells, surfaces)]
    yield from faults or _sum_problems(cells)


def _cell_problems(cells: Mapping[str, str], surfaces: Sequence[str]) -> Iterator[str]:
    for name in (BRICKS, SCORE, *POSES):
        cell = cells.get(name, "0")
        digits = cell.removeprefix("-")
        if not (digits.isascii() and digits.isdigit()):
            yield f", column {name}: {shown(cell)} is not a whole number"
        elif len(digits) > _MAX_DIGITS:
            yield f", column {name}: {shown(cell)} has more than {_MAX_DIGITS} digits"
        elif int(cell) < 0:
            yield f", column {name}: {cell} is negative"
    if SURFACE in cells and cells[SURFACE].lower() not in surfaces:
        yield f", column {SURFACE}: {unknown('surface', cells[SURFACE], surfaces)}"


def _sum_problems(cells: Mapping[str, str]) -> Iterator[str]:
    """Yield contradictions between the counts of a row."""
    number = Counter({name: int(cells.get(name, "0")) for name in (BRICKS, SCORE, *POSES)})
    if not 1 <= number[BRICKS] <= MAX_BRICKS:
        yield f", column {BRICKS}: {number[BRICKS]} is outside 1..{MAX_BRICKS}"
    elif number[SCORE] > number[BRICKS]:
        yield f", column {SCORE}: {number[SCORE]} of {counted(number[BRICKS], 'brick')} cannot stop on a side"
    elif SIDE in cells:
        total = sum(number[name] for name in POSES)
        if number[SIDE] != number[SCORE]:
            yield f", column {SIDE}: {number[SIDE]}, but column {SCORE} has {number[SCORE]}"
        if total != number[BRICKS]:
            poses = " + ".join(f"{name} {number[name]}" for name in POSES if name in cells)
            yield f", columns {poses}: together {total}, but column {BRICKS} has {number[BRICKS]}"
