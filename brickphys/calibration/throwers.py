"""Throwers: cells cut into chunks, thrown by worker processes and counted in order."""

import itertools
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Self, TypeVar

from brickphys.calibration.tally import Tally, tally
from brickphys.engines.engine import Landing
from brickphys.engines.registry import engine
from brickphys.shapes.body import Body
from brickphys.shapes.catalogue import parse_shape
from brickphys.shapes.dimensions import BrickDimensions
from brickphys.throws.conditions import Conditions
from brickphys.throws.floors import PLANE, Floor
from brickphys.throws.release import release
from brickphys.throws.surfaces import ContactCoefficients
from brickphys.workers import LocalExecutor

K = TypeVar("K")


@dataclass(frozen=True)
class ThrowCell:
    """What is thrown, how and on what: everything that two throws can share.

    Attributes
    ----------
    shape
        As on the command line.
    conditions, contact, engine
        How it is thrown, what it falls on, who integrates it (a name).
    address
        Distinguishes the random numbers of this cell from those of other cells of the same root.
    dimensions
        Lengths of bricks and plates, if not the fitted ones.
    floor
        Form of what it falls on.
    """

    shape: str
    conditions: Conditions
    contact: ContactCoefficients
    engine: str
    address: tuple[int, ...]
    dimensions: BrickDimensions | None = None
    floor: Floor = PLANE


@dataclass(frozen=True)
class ThrowChunk:
    """Hands ``first .. first + count - 1`` of a cell."""

    cell: ThrowCell
    first: int
    count: int


@lru_cache(maxsize=64)
def body_of(shape: str, dimensions: BrickDimensions | None = None) -> Body:
    """Return the body of a shape, the same object every time: its face map is computed once a process."""
    return parse_shape(shape, dimensions)


def throw(root: int, chunk: ThrowChunk) -> Tally:
    """Throw a chunk in this process and count what fell."""
    return tally(land(root, chunk))


def land(root: int, chunk: ThrowChunk) -> Landing:
    """Throw a chunk in this process and return how each hand ended.

    Hands that influence each other are thrown in whole groups; only those of the chunk are returned.
    """
    cell, thrower = chunk.cell, engine(chunk.cell.engine)
    body = body_of(cell.shape, cell.dimensions)
    group = thrower.group_hands(cell.conditions.bricks, cell.floor)
    skipped = chunk.first % group
    count = -(-(skipped + chunk.count) // group) * group
    states = release(
        body, cell.conditions, root, cell.address, chunk.first - skipped, count, cell.floor
    )
    landing = thrower.land(body, cell.contact, states, cell.floor)
    return landing[skipped : skipped + chunk.count]


def chunks(cell: ThrowCell, count: int | None = None) -> Iterator[ThrowChunk]:
    """Cut `count` hands of a cell (or any number of them) into chunks."""
    size = engine(cell.engine).chunk_hands(cell.conditions.bricks, cell.floor)
    for first in itertools.count(0, size):
        if count is not None and first >= count:
            return
        yield ThrowChunk(cell, first, size if count is None else min(size, count - first))


def chunk_hands(cell: ThrowCell) -> int:
    """Return how many hands a full chunk of this cell has."""
    return next(chunks(cell)).count


class Throwers:
    """Worker processes that throw chunks of one root seed.

    Parameters
    ----------
    root
        Root seed of everything that is thrown.
    workers
        Number of processes.
    stopped
        Once it is true, no more chunks start; those that have started still count.

    Raises
    ------
    InvalidValueError
        If `workers` is not 1 to 256.
    """

    def __init__(
        self, root: int, workers: int, stopped: Callable[[], bool] = lambda: False
    ) -> None:
        self._executor = LocalExecutor(partial(throw, root), workers)
        self._stopped = stopped

    def __enter__(self) -> Self:
        self._executor.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._executor.__exit__(*error)

    def warm_up(self, cell: ThrowCell) -> None:
        """Start every worker, import its engine and build a first world, so that timing can leave it out."""
        for _ in self.tallies([ThrowChunk(cell, 0, 1)] * self._executor.workers):
            pass

    def tallies(self, work: Iterable[ThrowChunk]) -> Generator[Tally, None, None]:
        """Yield the tally of each chunk, in the order of the chunks; see `LocalExecutor.map`."""
        return self._executor.map(work, self._stopped)

    def totals(
        self,
        cells: Mapping[K, ThrowCell],
        count: int,
        progress: Callable[[int, int], None] = lambda *_: None,
    ) -> dict[K, Tally]:
        """Throw so many hands of each cell and return what fell in each; less, if stopped.

        After every chunk `progress` is told how many hands are done, and of how many.
        """
        work = [(key, chunk) for key, cell in cells.items() for chunk in chunks(cell, count)]
        totals: dict[K, Tally] = {}
        done = 0
        for (key, chunk), more in zip(work, self.tallies(c for _, c in work), strict=False):
            totals[key] = totals[key] + more if key in totals else more
            done += chunk.count
            progress(done, count * len(cells))
        return totals
