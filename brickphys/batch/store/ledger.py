"""Ledger: the runs of each cell that are done, and those that are missing."""

from bisect import bisect_left, insort
from collections.abc import Iterator

from brickphys.batch.run.chunk import Chunk


class Ledger:
    """Disjoint ranges of runs by cell.

    Attributes
    ----------
    total
        Number of runs that are done, in all cells.
    """

    def __init__(self) -> None:
        self.total = 0
        self._ranges: dict[int, list[tuple[int, int]]] = {}
        self._done: dict[int, int] = {}
        self._failed: dict[int, int] = {}

    def overlaps(self, chunk: Chunk) -> bool:
        """Return whether some of the runs of a chunk are done."""
        mine = self._ranges.get(chunk.cell, [])
        place = bisect_left(mine, (chunk.first, 0))
        begins_before = place > 0 and mine[place - 1][1] > chunk.first
        return begins_before or (place < len(mine) and mine[place][0] < chunk.first + chunk.count)

    def add(self, chunk: Chunk, failed: int = 0) -> None:
        """Count a chunk as done; none of its runs may be done already."""
        ranges = self._ranges.setdefault(chunk.cell, [])
        first, end = chunk.first, chunk.first + chunk.count
        place = bisect_left(ranges, (first, end))
        if place < len(ranges) and ranges[place][0] == end:
            end = ranges.pop(place)[1]
        if place and ranges[place - 1][1] == first:
            first = ranges.pop(place - 1)[0]
        insort(ranges, (first, end))
        self._done[chunk.cell] = self.done(chunk.cell) + chunk.count
        self._failed[chunk.cell] = self.failed(chunk.cell) + failed
        self.total += chunk.count

    def done(self, cell: int) -> int:
        """Return how many runs of a cell are done, failed ones included."""
        return self._done.get(cell, 0)

    def failed(self, cell: int) -> int:
        """Return how many runs of a cell failed."""
        return self._failed.get(cell, 0)

    def end(self, cell: int) -> int:
        """Return the end of the last range of a cell; 0 if none of its runs is done."""
        ranges = self._ranges.get(cell)
        return ranges[-1][1] if ranges else 0

    def gaps(self, cell: int, target: int) -> Iterator[tuple[int, int]]:
        """Yield ``(first, end)`` of each range that is missing among the first `target` runs of a cell."""
        at = 0
        for first, end in self._ranges.get(cell, []):
            if at < min(first, target):
                yield at, min(first, target)
            at = end
        if at < target:
            yield at, target
