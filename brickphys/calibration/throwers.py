"""Throwers: worker processes that throw cells in chunks and hand the tallies back in order."""

import itertools
import signal
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import get_context
from types import TracebackType
from typing import Self

from brickphys.calibration.tally import Tally, tally
from brickphys.engines.registry import engine
from brickphys.errors import InvalidValueError, WorkerDiedError
from brickphys.shapes.body import Body
from brickphys.shapes.catalogue import parse_shape
from brickphys.shapes.dimensions import BrickDimensions
from brickphys.throws.conditions import Conditions
from brickphys.throws.release import release
from brickphys.throws.surfaces import Contact

MAX_WORKERS = 256
_BRICKS_PER_CHUNK = 1024
"""About a second of work, and enough to share the cost of a world."""
_AHEAD = 2
"""Chunks that are given out for each worker before they are asked for."""


@dataclass(frozen=True)
class Cell:
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
    """

    shape: str
    conditions: Conditions
    contact: Contact
    engine: str
    address: tuple[int, ...]
    dimensions: BrickDimensions | None = None


@dataclass(frozen=True)
class Chunk:
    """Hands ``first .. first + count - 1`` of a cell."""

    cell: Cell
    first: int
    count: int


@lru_cache(maxsize=64)
def body_of(shape: str, dimensions: BrickDimensions | None = None) -> Body:
    """Return the body of a shape, the same object every time: its face map is computed once a process."""
    return parse_shape(shape, dimensions)


def throw(root: int, chunk: Chunk) -> Tally:
    """Throw a chunk in this process and count what fell."""
    cell = chunk.cell
    body = body_of(cell.shape, cell.dimensions)
    states = release(body, cell.conditions, root, cell.address, chunk.first, chunk.count)
    return tally(engine(cell.engine).land(body, cell.contact, states))


def chunks(cell: Cell, count: int | None = None) -> Iterator[Chunk]:
    """Cut `count` hands of a cell (or any number of them) into chunks."""
    size = max(1, _BRICKS_PER_CHUNK // cell.conditions.bricks)
    for first in itertools.count(0, size):
        if count is not None and first >= count:
            return
        yield Chunk(cell, first, size if count is None else min(size, count - first))


def chunk_hands(cell: Cell) -> int:
    """Return how many hands a full chunk of this cell has."""
    return next(chunks(cell)).count


class Throwers:
    """One or more worker processes; one worker is this process itself.

    Parameters
    ----------
    root
        Root seed of everything that is thrown.
    workers
        How many processes throw.

    Raises
    ------
    InvalidValueError
        If `workers` is not 1 to 256.
    """

    def __init__(self, root: int, workers: int) -> None:
        if not 1 <= workers <= MAX_WORKERS:
            raise InvalidValueError(f"workers {workers} is outside 1..{MAX_WORKERS}")
        self._root, self._workers = root, workers
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        if self._workers > 1:
            self._pool = ProcessPoolExecutor(
                self._workers, mp_context=get_context("spawn"), initializer=_ignore_interrupts
            )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def warm_up(self, cell: Cell) -> None:
        """Let every worker start, import its engine and build a first world, so that timing can leave it out."""
        for _ in self.tallies([Chunk(cell, 0, 1)] * self._workers):
            pass

    def tallies(self, work: Iterable[Chunk]) -> Generator[Tally, None, None]:
        """Yield the tally of each chunk, in the order of the chunks, whoever threw it.

        Close the iterator to drop the chunks that were given out ahead.
        """
        if self._pool is None:
            yield from (throw(self._root, chunk) for chunk in work)
            return
        pending: deque[Future[Tally]] = deque()
        source = iter(work)
        try:
            while True:
                for chunk in itertools.islice(source, self._workers * _AHEAD - len(pending)):
                    pending.append(self._pool.submit(throw, self._root, chunk))
                if not pending:
                    return
                yield pending.popleft().result()
        except BrokenProcessPool as error:
            raise WorkerDiedError(f"a worker process died: {error}") from error
        finally:
            for future in pending:
                future.cancel()


def _ignore_interrupts() -> None:
    """Leave Ctrl-C to the parent, which then closes the pool in order."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
