"""Live count: throws that are counted while somebody watches, in chunks that grow with their number."""

from collections.abc import Callable, Iterator
from time import perf_counter

from brickphys.calibration.tally import Tally
from brickphys.calibration.throwers import ThrowCell, ThrowChunk, throw
from brickphys.engines.registry import engine

_FIRST, _GROWTH = 10, 0.2
"""Hands of the first chunk; share of the hands so far in the next one."""
_LONG_S = 0.25
"""Chunks that take longer grow no more."""


def live_count(
    cell: ThrowCell, root: int, hands: int, stopped: Callable[[], bool] = lambda: False
) -> Iterator[Tally]:
    """Yield the tally of all throws so far after each chunk; the last one is that of `brickphys.calibration.drop.drop`.

    Parameters
    ----------
    cell, root
        What is thrown, and the root seed.
    hands
        How many hands.
    stopped
        Asked before each chunk; once it is true, there are no more.
    """
    group = engine(cell.engine).group_hands(cell.conditions.bricks, cell.floor)
    total: Tally | None = None
    done, size = 0, _FIRST
    while done < hands and not stopped():
        count = min(-(-size // group) * group, hands - done)
        start = perf_counter()
        more = throw(root, ThrowChunk(cell, done, count))
        total = more if total is None else total + more
        done += count
        yield total
        if perf_counter() - start < _LONG_S:
            size = max(size, int(_GROWTH * done))
