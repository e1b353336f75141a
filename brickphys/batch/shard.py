"""Shard: a file with the rows of chunks, its line in the journal, and the differences between the two.

Rows are read from shards by cell or all; each shard is compared with its line in the journal first.
"""

import hashlib
import re
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from brickphys.batch.chunk import CELL, ERROR, RUN, STAMP, Chunk, ChunkResult
from brickphys.batch.kinds.study_type import DRAWN, Fields, Times, values
from brickphys.errors import BatchFolderError, InvalidValueError
from brickphys.reading import LARGEST_INTEGER
from brickphys.units import Counts

_NAME = re.compile(r"cell([0-9]{1,19})-run([0-9]{1,19})-[0-9]{1,19}\.parquet")
_TYPES = {CELL: pa.int32(), RUN: pa.int64(), ERROR: pa.string(), STAMP: pa.string()}
_KEYS, _TIMES = {"blocks", "sha256", "seconds", "stamp"}, "times"


@dataclass(frozen=True, order=True)
class RowBlock:
    """Runs ``first .. first + count - 1`` of each of `cells` cells, from `cell` on; in each of them `failed` failed."""

    cell: int
    cells: int
    first: int
    count: int
    failed: int

    @property
    def end(self) -> int:
        """The run after its last one."""
        return self.first + self.count

    @property
    def numbers(self) -> range:
        """The numbers of its cells."""
        return range(self.cell, self.cell + self.cells)


@dataclass(frozen=True)
class Shard:
    """A Parquet file with rows of one cell or of many."""

    blocks: tuple[RowBlock, ...]
    """What it holds, in order."""
    sha256: str
    """Its checksum, as it was written."""
    seconds: float
    stamp: str
    """Digest of the stamp of what computed it."""
    times: tuple[tuple[str, Times], ...] = ()
    """What took how long, by name."""

    @property
    def file(self) -> str:
        """Its file name: its first address, and the number of rows; no two of a batch have the same."""
        first = self.blocks[0]
        return f"cell{first.cell:06d}-run{first.first:010d}-{self.runs}.parquet"

    @property
    def runs(self) -> int:
        """How many rows it has."""
        return sum(block.cells * block.count for block in self.blocks)

    @property
    def failed(self) -> int:
        """How many of its rows hold an error."""
        return sum(block.cells * block.failed for block in self.blocks)

    @property
    def cells(self) -> Iterator[int]:
        """Its cells; one comes again for each chunk of it."""
        return (cell for one in self.blocks for cell in one.numbers)

    @property
    def chunks(self) -> tuple[Chunk, ...]:
        """Its chunks, in order."""
        return tuple(Chunk(n, one.first, one.count) for one in self.blocks for n in one.numbers)

    @property
    def is_disjoint(self) -> bool:
        """Whether it names no run twice."""
        ends: dict[int, int] = {}
        for one in sorted(self.blocks, key=lambda block: block.first):
            for cell in one.numbers:
                if ends.get(cell, 0) > one.first:
                    return False
                ends[cell] = one.end
        return True

    @property
    def entry(self) -> dict[str, Any]:
        """Its line in the journal."""
        return {
            "blocks": [list(astuple(block)) for block in self.blocks],
            "sha256": self.sha256,
            "seconds": round(self.seconds, 4),
            "stamp": self.stamp,
            **({_TIMES: {name: list(one) for name, one in self.times}} if self.times else {}),
        }

    def data(self, folder: Path) -> bytes:
        """Return the content of the file; InvalidValueError if the file is missing, or is not as it was written."""
        try:
            data = (folder / self.file).read_bytes()
        except FileNotFoundError:
            raise InvalidValueError("is missing") from None
        except OSError as error:
            raise InvalidValueError(f"cannot be read: {error.strerror}") from None
        if hashlib.sha256(data).hexdigest() != self.sha256:
            raise InvalidValueError("is not as it was written")
        return data

    def rows(self, folder: Path, fields: Collection[Fields], mark: str | None = None) -> pa.Table:
        """Return its rows, compared with the line in the journal and with the columns of the study.

        InvalidValueError if the file is missing, is not as it was written, or holds something else than the journal
        says. `fields` is what the rows of its cells have besides cell, run, error and stamp; none of it if all failed.
        `mark` is the stamp that its rows must have, if any.
        """
        try:
            file = pq.ParquetFile(pa.BufferReader(self.data(folder)))
            # a small file may hold many rows that are alike
            if file.metadata.num_rows != self.runs:
                raise InvalidValueError(
                    f"has {file.metadata.num_rows:,} rows, {self.runs:,} in the journal"
                )
            rows = file.read()
        except (pa.ArrowException, OSError) as error:
            raise InvalidValueError(
                f"is not a Parquet file: {str(error).splitlines()[0]}"
            ) from None
        if difference := self._difference(rows, fields, mark):
            raise InvalidValueError(difference)
        return rows

    def _difference(
        self, rows: pa.Table, fields: Collection[Fields], mark: str | None
    ) -> str | None:
        """Return in words how rows differ from the line in the journal."""
        if self.failed == self.runs and not set(rows.column_names) - set(_TYPES):
            fields = ()
        if fault := _wrong_columns(rows.schema, fields):
            return fault
        if any(rows[name].null_count for name in (CELL, RUN)):
            return "has rows without an address"
        cells, runs = self._addresses()
        wrong = (values(rows[CELL]) != cells) | (values(rows[RUN]) != runs)
        if wrong.any():
            at = int(wrong.argmax())
            found = f"run {rows[RUN][at]} of cell {rows[CELL][at]}"
            return f"holds {found} in the place of run {runs[at]} of cell {cells[at]}"
        return self._wrong_errors(rows) or _wrong_mark(rows, mark) or _missing_value(rows, fields)

    def _addresses(self) -> tuple[Counts, Counts]:
        """Return the cell and the run of each row."""
        cells = [np.repeat(one.numbers, one.count) for one in self.blocks]
        runs = [np.tile(np.arange(one.first, one.end), one.cells) for one in self.blocks]
        return np.concatenate(cells), np.concatenate(runs)

    def _wrong_errors(self, rows: pa.Table) -> str | None:
        listed = np.repeat([b.failed for b in self.blocks], [b.cells for b in self.blocks])
        failed = np.zeros(len(listed), np.int64)
        if ERROR in rows.column_names:
            ends = np.cumsum(
                np.repeat([b.count for b in self.blocks], [b.cells for b in self.blocks])
            )
            errors = np.cumsum([0, *values(rows[ERROR].is_valid())])
            failed = np.diff([0, *errors[ends]])
        if (failed != listed).any():
            at = int((failed != listed).argmax())
            cell = self.chunks[at].cell
            return f"has {failed[at]:,} failed runs of cell {cell}, {listed[at]:,} in the journal"
        return None


@dataclass(frozen=True)
class ShardProblems:
    """What in a folder differs from the journal."""

    unlisted: tuple[str, ...] = ()
    """Names of shards in the folder of which the journal lists neither file nor runs."""
    missing: tuple[str, ...] = ()
    """Names of shards of the journal that are not in the folder."""
    damaged: tuple[str, ...] = ()
    """Names of shards that are not as they were written, or hold something else than the journal says."""
    lines: tuple[str, ...] = ()
    """Numbers of lines of the journal that are not believed, each with the reason."""

    @property
    def lost(self) -> tuple[str, ...]:
        """Shards of the journal whose runs must be done again."""
        return (*self.missing, *self.damaged)


def shard_of(result: ChunkResult, stamp: str) -> Shard:
    """Return the shard that holds the rows of a result."""
    digest = hashlib.sha256(result.parquet).hexdigest()
    found = zip(result.chunks, result.failed, strict=True)
    blocks = (RowBlock(chunk.cell, 1, chunk.first, chunk.count, failed) for chunk, failed in found)
    times = tuple(
        (name, Times(one.number, *(round(s, 6) for s in one[1:])))
        for name, one in result.times.items()
    )
    return Shard(tuple(_joined(blocks)), digest, result.seconds, stamp, times)


def shard_in(entry: Mapping[str, Any]) -> Shard | None:
    """Return the shard in a line of a journal, None if the line has none."""
    if entry.keys() - {_TIMES} != _KEYS:
        return None
    try:
        times = tuple((name, _times(*one)) for name, one in entry.get(_TIMES, {}).items())
        blocks = tuple(RowBlock(*map(_count, block)) for block in entry["blocks"])
        sha256, stamp, seconds = entry["sha256"], entry["stamp"], _seconds(entry["seconds"])
    except (AttributeError, TypeError, ValueError):
        return None
    whole = all(one.cells and one.count and one.failed <= one.count for one in blocks)
    if not (blocks and whole and isinstance(sha256, str) and isinstance(stamp, str)):
        return None
    return Shard(blocks, sha256, seconds, stamp, times)


def lost_entry(file: str, because: str) -> dict[str, Any]:
    """Return the line in the journal that takes a shard out."""
    return {"lost": file, "because": because}


def lost_in(entry: Mapping[str, Any]) -> str | None:
    """Return the name of the shard that a line of a journal takes out, None if the line takes none out."""
    file = entry.get("lost")
    if entry.keys() != lost_entry("", "").keys() or not isinstance(entry["because"], str):
        return None
    return file if isinstance(file, str) and named_block(file) else None


def named_block(file: str) -> RowBlock | None:
    """Return the first run in the shard with this file name, None if it is not the name of a shard."""
    found = _NAME.fullmatch(file)
    return RowBlock(int(found[1]), 1, int(found[2]), 1, 0) if found else None


def _joined(blocks: Iterable[RowBlock]) -> Iterator[RowBlock]:
    """Yield blocks with those of neighbouring cells that are alike made one."""
    last: RowBlock | None = None
    for block in blocks:
        if last and block == replace(last, cell=last.cell + last.cells, cells=1):
            last = replace(last, cells=last.cells + 1)
        else:
            if last:
                yield last
            last = block
    if last:
        yield last


def _count(value: Any) -> int:
    if type(value) is not int or not 0 <= value <= LARGEST_INTEGER:
        raise ValueError(value)
    return value


def _times(count: Any, seconds: Any, worst_s: Any) -> Times:
    return Times(_count(count), _seconds(seconds), _seconds(worst_s))


def _seconds(value: Any) -> float:
    if type(value) not in (int, float) or not 0 <= value <= LARGEST_INTEGER:
        raise ValueError(value)
    return float(value)


def _wrong_columns(schema: pa.Schema, fields: Collection[Fields]) -> str | None:
    """Return in words how columns differ from those that the rows of each of the cells have."""
    if twice := [name for name, count in Counter(schema.names).items() if count > 1]:
        return f"has the column {twice[0]} twice"
    for own in fields or (frozenset[pa.Field](),):
        types = _TYPES | {field.name: field.type for field in own}
        if others := set(schema.names) - set(types):
            return f"has a column {min(others)}, which the study does not have"
        missing = set(types) - {ERROR, STAMP} - set(schema.names)
        drawn = {name for name in types if name.startswith(DRAWN)}
        if missing and missing != drawn:  # an earlier version stored nothing that was drawn
            return f"lacks the column {min(missing)}"
        for found in schema:
            if found.type != types[found.name]:
                return f"its column {found.name} has the type {found.type}, not {types[found.name]}"
    return None


def _missing_value(rows: pa.Table, fields: Collection[Fields]) -> str | None:
    """Return in words which column has no value in a run that did not fail."""
    good = rows.filter(pc.is_null(rows[ERROR])) if ERROR in rows.column_names else rows
    needed = (field.name for own in fields for field in own if not field.nullable)
    names = (name for name in needed if name in good.column_names)  # all but those of `DRAWN`
    empty = sorted(name for name in names if good[name].null_count)
    return f"has no value of {empty[0]} in a run that did not fail" if empty else None


def _wrong_mark(rows: pa.Table, mark: str | None) -> str | None:
    if mark is None:
        return f"its rows have a column {STAMP}" if STAMP in rows.column_names else None
    if STAMP not in rows.column_names:
        return f"its rows lack the column {STAMP}"
    found = rows[STAMP].unique().to_pylist()
    return None if found == [mark] else f"its rows have the stamp {found[0]}, not {mark}"


_KEPT = 8
"""Shards whose rows are kept in memory: neighbouring cells are in the same ones."""


class Rows:
    """The rows in a folder of shards.

    Rows of the first of the `digests` of stamps have no mark; `fields` returns the columns of the rows of a cell.
    """

    def __init__(
        self, folder: Path, digests: Sequence[str], fields: Callable[[int], Fields]
    ) -> None:
        self._folder, self._first, self._fields = folder, digests[0], fields
        self._tables: OrderedDict[Shard, pa.Table] = OrderedDict()

    def mark(self, digest: str) -> str | None:
        """Return what the rows of a stamp have in their column ``stamp``; None if they have no such column."""
        return None if digest == self._first else digest

    def fault(self, shard: Shard) -> str | None:
        """Return what is wrong with the file of a shard, None if nothing is."""
        try:
            self._rows(shard)
        except InvalidValueError as error:
            return str(error)
        return None

    def of_shards(self, shards: Sequence[Shard], columns: list[str] | None) -> pa.Table:
        """Return all rows of shards, only some columns if given, in the order of addresses."""
        return self._joined([self._read(shard) for shard in shards], columns)

    def of_cell(self, shards: Sequence[Shard], cell: int, columns: list[str] | None) -> pa.Table:
        """Return the rows of a cell in shards, only some columns if given, in the order of addresses."""
        return self._joined([self._of_cell(shard, cell) for shard in shards], columns)

    def _joined(self, tables: Sequence[pa.Table], columns: list[str] | None) -> pa.Table:
        if not tables:
            return pa.table({CELL: pa.array([], pa.int32()), RUN: pa.array([], pa.int64())})
        rows = _in_order(pa.concat_tables(tables, promote_options="default"))
        if STAMP in rows.column_names:
            filled = pc.fill_null(rows[STAMP], self._first)
            rows = rows.set_column(rows.column_names.index(STAMP), STAMP, filled)
        if ERROR in rows.column_names and rows[ERROR].null_count == rows.num_rows:
            rows = rows.drop_columns([ERROR])  # it is of other cells in the same shards
        names = sorted(rows.column_names, key=lambda name: (name == ERROR, name == STAMP))
        return rows.select([name for name in names if columns is None or name in columns])

    def _of_cell(self, shard: Shard, cell: int) -> pa.Table:
        table = self._tables.pop(shard, None)
        if table is None:
            table = self._read(shard)
        self._tables[shard] = table
        while len(self._tables) > _KEPT:
            self._tables.popitem(last=False)
        return pa.concat_tables(table.slice(at, count) for at, count in _places(shard, cell))

    def _rows(self, shard: Shard) -> pa.Table:
        fields = {self._fields(cell) for cell in shard.cells}
        return shard.rows(self._folder, fields, self.mark(shard.stamp))

    def _read(self, shard: Shard) -> pa.Table:
        try:
            return self._rows(shard)
        except InvalidValueError as error:
            raise BatchFolderError(
                f"{self._folder / shard.file}: {error}; batch run repeats its runs"
            ) from None


def _places(shard: Shard, cell: int) -> list[tuple[int, int]]:
    """Return where the rows of a cell are in a shard: the first one of each piece, and how many."""
    places, at = [], 0
    for one in shard.blocks:
        if cell in one.numbers:
            places.append((at + (cell - one.cell) * one.count, one.count))
        at += one.cells * one.count
    return places


def _in_order(rows: pa.Table) -> pa.Table:
    """Return rows in the order of addresses."""
    keys = values(rows[CELL]).astype(np.int64) << 32 | values(rows[RUN])
    if (np.diff(keys) > 0).all():
        return rows
    return rows.take(pa.array(np.argsort(keys)))
