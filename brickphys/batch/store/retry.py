"""Retry: which shards are removed together with others, because their runs may no longer be needed.

Cells that repeat until their interval is narrow may end sooner once failed runs are done again. So the shards with
later runs of these cells are removed, too. They are removed first: if the process stops in between, the failed runs
remain, and the shards are found again.
"""

from collections.abc import Sequence
from math import inf

from brickphys.batch.store.ledger import Ledger
from brickphys.batch.store.shard import Shard


def shards_to_retry(shards: Sequence[Shard], *, until: bool) -> list[Shard]:
    """Return the shards with failed runs, last ones first, after those with later runs if cells repeat `until`."""
    failed = [shard for shard in reversed(shards) if shard.failed]
    return [*(later_shards(shards, failed) if until else ()), *failed]


def later_shards(shards: Sequence[Shard], taken: Sequence[Shard]) -> list[Shard]:
    """Return the shards that may not be needed once the failed runs of others, `taken`, are done again, last first."""
    found: list[Shard] = []
    while more := _later(shards, [*found, *taken]):
        found = [*more, *found]
    return found


def without_gaps(shards: Sequence[Shard]) -> list[Shard]:
    """Return the shards before whose runs no run of the same cell is missing.

    If a journal has lost lines, they may be those of failed runs, and nobody knows of which.
    """
    left = [*shards]
    while True:
        ledger = Ledger()
        for block in (block for shard in left for block in shard.blocks):
            ledger.add(block.chunks[0], block.failed, block.cells)
        kept = [
            shard
            for shard in left
            if not any(any(ledger.gaps(one.cell, one.first)) for one in shard.chunks)
        ]
        if len(kept) == len(left):
            return kept
        left = kept


def _later(shards: Sequence[Shard], taken: Sequence[Shard]) -> list[Shard]:
    """Return the other shards with runs of a cell after the first one of that cell that failed, last ones first."""
    begins: dict[int, int] = {}
    for block in (block for shard in taken for block in shard.blocks if block.failed):
        for cell in range(block.cell, block.cell + block.cells):
            begins[cell] = min(block.first, begins.get(cell, block.first))
    gone = {shard.file for shard in taken}
    return [
        shard for shard in reversed(shards) if shard.file not in gone and _is_later(shard, begins)
    ]


def _is_later(shard: Shard, begins: dict[int, int]) -> bool:
    """Return whether a shard has runs of a cell after the first one of that cell that failed."""
    return any(
        one.first > begins.get(cell, inf)
        for one in shard.blocks
        for cell in range(one.cell, one.cell + one.cells)
    )
