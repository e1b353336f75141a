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
    total_failed
        How many of them failed.
    """

    def __init__(self) -> None:
        self.total = self.total_failed = 0
        # most cells have one range, which begins at 0: its end is all that is kept of it
        self._ends: list[int] = []
        self._failed: list[int] = []
        self._beyond: dict[int, list[tuple[int, int]]] = {}

    def overlaps(self, chunk: Chunk, cells: int = 1) -> bool:
        """Return whether some of the runs of a chunk are done, in its cell or in the next ones, `cells` together."""
        mine = range(chunk.cell, chunk.cell + cells)
        if max(self._ends[mine.start : mine.stop], default=0) > chunk.first:
            return True
        return any(self._overlaps(cell, chunk) for cell in mine) if self._beyond else False

    def _overlaps(self, cell: int, chunk: Chunk) -> bool:
        beyond = self._beyond.get(cell, [])
        place = bisect_left(beyond, (chunk.first, 0))
        begins_before = place > 0 and beyond[place - 1][1] > chunk.first
        return begins_before or (place < len(beyond) and beyond[place][0] < chunk.end)

    def add(self, chunk: Chunk, failed: int = 0, cells: int = 1) -> None:
        """Count a chunk as done, and the same runs of the next cells, `cells` together; none may be done already."""
        mine = slice(chunk.cell, chunk.cell + cells)
        self._ends += [0] * (mine.stop - len(self._ends))
        self._failed += [0] * (mine.stop - len(self._failed))
        if not self._beyond and self._ends[mine] == [chunk.first] * cells:
            self._ends[mine] = [chunk.end] * cells
        else:
            for cell in range(mine.start, mine.stop):
                self._add(cell, chunk.first, chunk.end)
        if failed:
            self._failed[mine] = [before + failed for before in self._failed[mine]]
        self.total += chunk.count * cells
        self.total_failed += failed * cells

    def _add(self, cell: int, first: int, end: int) -> None:
        ranges = self._beyond.setdefault(cell, [])
        place = bisect_left(ranges, (first, end))
        if place < len(ranges) and ranges[place][0] == end:
            end = ranges.pop(place)[1]
        if place and ranges[place - 1][1] == first:
            first = ranges.pop(place - 1)[0]
        if first == self._ends[cell]:
            self._ends[cell] = end
        else:
            insort(ranges, (first, end))
        if not ranges:
            del self._beyond[cell]

    def done(self, cell: int) -> int:
        """Return how many runs of a cell are done, failed ones included."""
        return sum(end - first for first, end in self._ranges(cell))

    def failed(self, cell: int) -> int:
        """Return how many runs of a cell failed."""
        return self._failed[cell] if cell < len(self._failed) else 0

    def end(self, cell: int) -> int:
        """Return the end of the last range of a cell; 0 if none of its runs is done."""
        return self._ranges(cell)[-1][1]

    def gaps(self, cell: int, target: int) -> Iterator[tuple[int, int]]:
        """Yield ``(first, end)`` of each range that is missing among the first `target` runs of a cell."""
        at = 0
        for first, end in self._ranges(cell):
            if at < min(first, target):
                yield at, min(first, target)
            at = end
        if at < target:
            yield at, target

    def _ranges(self, cell: int) -> list[tuple[int, int]]:
        """Return the ranges of a cell; the first one begins at 0 and may be empty."""
        start = (0, self._ends[cell] if cell < len(self._ends) else 0)
        return [start, *self._beyond[cell]] if cell in self._beyond else [start]
