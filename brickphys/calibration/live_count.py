"""Live count: throws that are counted while somebody watches, in chunks that grow with their number."""

from collections.abc import Iterator
from time import perf_counter

from brickphys.calibration.tally import Tally
from brickphys.calibration.throwers import ThrowCell, ThrowChunk, throw
from brickphys.engines.registry import engine

_FEW, _GROWTH = 10, 0.2
"""Most hands of the second chunk; share of the hands so far in later ones."""
_LONG_S = 0.25
"""No chunk is planned to take longer, so that a count stops soon."""


def live_count(cell: ThrowCell, root: int, hands: int) -> Iterator[Tally]:
    """Yield the tally of all throws so far after each chunk; the last one is that of `brickphys.calibration.drop.drop`.

    Parameters
    ----------
    cell, root
        What is thrown, and the root seed.
    hands
        How many hands.
    """
    group = engine(cell.engine).group_hands(cell.conditions.bricks, cell.floor)
    total: Tally | None = None
    done, size = 0, 1
    while done < hands:
        count = min(-(-size // group) * group, hands - done)
        start = perf_counter()
        more = throw(root, ThrowChunk(cell, done, count))
        total = more if total is None else total + more
        done += count
        in_time = int(_LONG_S * count / (perf_counter() - start))
        size = max(min(in_time, max(_FEW, int(_GROWTH * done))), 1)
        yield total
