"""Rows: reads the rows of the shards of a batch, each shard compared with its line in the journal first."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from brickphys.batch.kinds.study_type import Fields
from brickphys.batch.run.chunk import CELL, ERROR, RUN, STAMP
from brickphys.batch.store.column import values
from brickphys.batch.store.shard import Shard
from brickphys.errors import BatchFolderError, InvalidValueError

_KEPT = 8
"""Shards whose rows are kept in memory: neighbouring cells are in the same ones."""


class Rows:
    """The rows in a folder of shards.

    Parameters
    ----------
    folder
        The folder.
    digests
        Digests of the stamps of the batch; rows of the first one have no mark.
    fields
        Returns the columns of the rows of a cell.
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
        """Return the rows of a cell in a shard."""
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
        if one.cell <= cell < one.cell + one.cells:
            places.append((at + (cell - one.cell) * one.count, one.count))
        at += one.cells * one.count
    return places


def _in_order(rows: pa.Table) -> pa.Table:
    """Return rows in the order of addresses."""
    keys = values(rows[CELL]).astype(np.int64) << 32 | values(rows[RUN])
    if (np.diff(keys) > 0).all():
        return rows
    return rows.take(pa.array(np.argsort(keys)))
