"""Home counts: hands of bricks thrown and counted at home, read from a CSV file."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from brickphys.arrays import Counts, Mask
from brickphys.calibration.csv_file import Row, header_problems, read_csv, table
from brickphys.errors import CountsFileError, unknown
from brickphys.odds.roll import MAX_BRICKS, SIDE
from brickphys.text import counted, shown
from brickphys.throws.faces import LEANING
from brickphys.throws.surfaces import SURFACES

BRICKS, SCORE, SURFACE = "bricks", "score", "surface"
POSES = ("studs_up", "studs_down", SIDE, LEANING)
"""Columns of poses; without the column ``leaning`` no brick leaned."""
_NEEDED_POSES = POSES[:3]
_MAX_DIGITS = 9


@dataclass(frozen=True, eq=False)
class HomeCounts:
    """Hands of bricks thrown at home.

    Attributes
    ----------
    bricks, score : ndarray of int, shape (n,)
        Number of bricks of each hand, and number of them on a side.
    poses : ndarray of int, shape (n, 4) or None
        Number of bricks in each of `POSES`; None if only scores were recorded.
    surfaces : tuple of str or None
        Name of the surface of each hand; None if not recorded.
    """

    bricks: Counts
    score: Counts
    poses: Counts | None = None
    surfaces: tuple[str, ...] | None = None

    @property
    def thrown(self) -> int:
        """Number of bricks."""
        return int(self.bricks.sum())

    @property
    def sides(self) -> int:
        """Number of bricks on a side."""
        return int(self.score.sum())

    @property
    def hands(self) -> int:
        """Number of hands."""
        return len(self.bricks)

    @cached_property
    def largest(self) -> int:
        """Number of bricks of the largest hand."""
        return int(self.bricks.max())

    def scores(self) -> Mapping[int, tuple[int, ...]]:
        """Return hand size K -> counts of hands that scored 0, 1, ..., K."""
        return {
            int(k): tuple(np.bincount(self.score[self.bricks == k], minlength=k + 1).tolist())
            for k in np.unique(self.bricks)
        }

    def pose_totals(self) -> Mapping[str, int] | None:
        """Return pose -> number of bricks; None if poses were not recorded."""
        if self.poses is None:
            return None
        return dict(zip(POSES, self.poses.sum(axis=0).tolist(), strict=True))

    def by_surface(self) -> Mapping[str, "HomeCounts"]:
        """Return surface -> its hands, in the order of the first hands; empty if surfaces were not recorded."""
        names = dict.fromkeys(self.surfaces or ())
        return {name: self._where(np.array(self.surfaces) == name) for name in names}

    def _where(self, chosen: Mask) -> "HomeCounts":
        poses = None if self.poses is None else self.poses[chosen]
        return HomeCounts(self.bricks[chosen], self.score[chosen], poses)


def read_home_counts(path: Path, own: str | None = None) -> HomeCounts:
    """Read a file of bricks thrown at home, one row for each hand; see ``docs/infer.md``.

    Parameters
    ----------
    path
        The file.
    own
        Name of a surface that rows may have besides those that ship.

    Raises
    ------
    CountsFileError
        If the file cannot be read, is empty, too large, not UTF-8 or not separated by commas, lacks a column, or has
        a count that is not a whole number, is negative or does not add up, or an unknown surface. The message is one
        line with the number of faults and the first ones, each with row, line and column.
    """
    header, rows = read_csv(path, lambda text: problems(text, own), CountsFileError)
    header = _names(header)
    column = {name: [row.cells[i] for row in rows] for i, name in enumerate(header)}

    def numbers(name: str) -> Counts:
        return np.array([int(cell) for cell in column.get(name, ["0"] * len(rows))], dtype=np.int64)

    poses = np.stack([numbers(name) for name in POSES], axis=1) if SIDE in header else None
    surfaces = tuple(name.lower() for name in column[SURFACE]) if SURFACE in header else None
    return HomeCounts(numbers(BRICKS), numbers(SCORE), poses, surfaces)


def problems(text: str, own: str | None = None) -> list[str]:
    """Return every fault of the text of a counts file, in the order of its rows; `own` as in `read_home_counts`."""
    header, rows = table(text)
    header = _names(header)
    has_poses = any(name in header for name in POSES)
    needed = (BRICKS, SCORE, *(_NEEDED_POSES if has_poses else ()))
    faults = header_problems(header, needed, (SURFACE, LEANING))
    if faults:
        return faults
    if not rows:
        return ["there are no throws below the header"]
    known = (*SURFACES, own) if own else tuple(SURFACES)
    return [f"{row.place}{fault}" for row in rows for fault in _row_problems(header, row, known)]


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
            yield f", column {SIDE}: {number[SIDE]}, but the score is {number[SCORE]}"
        if total != number[BRICKS]:
            yield f", columns {' + '.join(POSES)}: {total} for {counted(number[BRICKS], 'brick')}"
