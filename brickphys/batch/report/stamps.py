"""Stamps: tells which programs computed the rows of a batch, where they differ."""

from dataclasses import dataclass
from typing import Any

from brickphys.batch.report.text import first_cells
from brickphys.batch.store.store import Store
from brickphys.text import counted, listed


@dataclass(frozen=True)
class StampedRows:
    """Rows of one stamp.

    Attributes
    ----------
    digest
        That of the stamp.
    rows
        How many rows have it.
    cells
        The cells that have such rows.
    differences
        In what it differs from the first stamp of the batch.
    """

    digest: str
    rows: int
    cells: tuple[int, ...]
    differences: tuple[str, ...]

    def document(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "digest": self.digest,
            "rows": self.rows,
            "cells": list(self.cells),
            "differences": list(self.differences),
        }


def stamped_rows(store: Store) -> list[StampedRows]:
    """Return the rows of a batch by their stamp, those of the first one first."""
    first = store.manifest.stamps[0]
    found = []
    for stamp in store.manifest.stamps:
        shards = [shard for shard in store.shards if shard.stamp == stamp.digest]
        if shards:
            cells = sorted({cell for shard in shards for cell in shard.cells})
            rows = sum(shard.runs for shard in shards)
            differences = tuple(first.differences(stamp))
            found.append(StampedRows(stamp.digest, rows, tuple(cells), differences))
    return found


def stamps_in_words(store: Store) -> str | None:
    """Return what differs between the stamps in one table, and which rows have which; None if there is one stamp."""
    found = stamped_rows(store)
    if len(found) < 2:
        return None
    unit = store.spec.study_type.unit
    parts = [
        f"{one.rows:,} {unit} of {counted(len(one.cells), 'cell')}, {first_cells(one.cells)}, have {one.digest}"
        + (f" ({listed(one.differences)})" if one.differences else "")
        for one in found
    ]
    return f"{len(found)} stamps in one table: {'; '.join(parts)}"
