"""Ledger: which runs of each cell are done, and which are still to do."""

from bisect import bisect_left, insort
from collections.abc import Iterator

from brickphys.batch.run.chunk import Chunk


class Ledger:
    """Disjoint stretches of runs by cell.

    Attributes
    ----------
    total
        How many runs are done, in all cells.
    """

    def __init__(self) -> None:
        self.total = 0
        self._stretches: dict[int, list[tuple[int, int]]] = {}
        self._done: dict[int, int] = {}
        self._failed: dict[int, int] = {}

    def overlaps(self, chunk: Chunk) -> bool:
        """Tell whether some of the runs of a chunk are done."""
        mine = self._stretches.get(chunk.cell, [])
        place = bisect_left(mine, (chunk.first, 0))
        begins_before = place > 0 and mine[place - 1][1] > chunk.first
        return begins_before or (place < len(mine) and mine[place][0] < chunk.first + chunk.count)

    def add(self, chunk: Chunk, failed: int = 0) -> None:
        """Note a chunk, none of whose runs was done, as done."""
        stretches = self._stretches.setdefault(chunk.cell, [])
        first, end = chunk.first, chunk.first + chunk.count
        place = bisect_left(stretches, (first, end))
        if place < len(stretches) and stretches[place][0] == end:
            end = stretches.pop(place)[1]
        if place and stretches[place - 1][1] == first:
            first = stretches.pop(place - 1)[0]
        insort(stretches, (first, end))
        self._done[chunk.cell] = self.done(chunk.cell) + chunk.count
        self._failed[chunk.cell] = self.failed(chunk.cell) + failed
        self.total += chunk.count

    def done(self, cell: int) -> int:
        """Return how many runs of a cell are done, the failed ones among them."""
        return self._done.get(cell, 0)

    def failed(self, cell: int) -> int:
        """Return how many of them failed."""
        return self._failed.get(cell, 0)

    def end(self, cell: int) -> int:
        """Return the end of the last stretch of a cell; 0 if nothing of it is done."""
        stretches = self._stretches.get(cell)
        return stretches[-1][1] if stretches else 0

    def gaps(self, cell: int, target: int) -> Iterator[tuple[int, int]]:
        """Yield ``(first, end)`` of what is missing of the first `target` runs of a cell."""
        at = 0
        for first, end in self._stretches.get(cell, []):
            if at < min(first, target):
                yield at, min(first, target)
            at = end
        if at < target:
            yield at, target
