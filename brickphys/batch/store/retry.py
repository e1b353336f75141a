"""Retry: which shards of a batch are taken out, and in what order, so that failed runs are done again."""

from collections.abc import Sequence
from math import inf

from brickphys.batch.store.shard import Shard


def shards_to_retry(shards: Sequence[Shard], *, until: bool) -> list[Shard]:
    """Return the shards with failed runs, last ones first; they come out one after the other.

    If cells repeat until their interval is narrow (`until`), they may now end sooner: the shards with later runs of a
    cell come out, too. They come first, so that whoever stops in between leaves the failed runs by which they are
    found again.
    """
    failed = [shard for shard in shards if shard.failed]
    begins: dict[int, int] = {}
    for block in (block for shard in failed for block in shard.blocks if block.failed):
        for cell in range(block.cell, block.cell + block.cells):
            begins[cell] = min(block.first, begins.get(cell, block.first))
    later = [shard for shard in shards if not shard.failed and _is_later(shard, begins)]
    return [*(reversed(later) if until else ()), *reversed(failed)]


def _is_later(shard: Shard, begins: dict[int, int]) -> bool:
    """Return whether a shard has runs of a cell after the first one of that cell that failed."""
    return any(
        one.first > begins.get(cell, inf)
        for one in shard.blocks
        for cell in range(one.cell, one.cell + one.cells)
    )
