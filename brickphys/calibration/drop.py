"""Drop: one shape thrown under one condition, counted."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from brickphys.calibration.tally import SIDE, Tally, side_interval
from brickphys.calibration.throwers import Cell, Throwers, body_of, chunks
from brickphys.errors import InterruptedRunError, InvalidValueError

MAX_THROWS = 100_000_000


@dataclass(frozen=True)
class Drop:
    """What fell, and how fast.

    Attributes
    ----------
    tally
        Counts of bricks and scores of hands.
    seconds
        Wall time of the throws; starting processes and building the first world is not in it.
    """

    tally: Tally
    seconds: float

    @property
    def p_side(self) -> float | None:
        """Share of bricks on a side; None for shapes without sides."""
        return self.tally.sides / self.tally.bricks if self._has_side else None

    @property
    def ci95(self) -> tuple[float, float] | None:
        """95 % interval of `p_side`; robust against bricks of one hand that influence each other."""
        return side_interval(self.tally) if self._has_side else None

    @property
    def _has_side(self) -> bool:
        return SIDE in self.tally.counts


def drop(
    cell: Cell,
    throws: int,
    seed: int,
    workers: int,
    progress: Callable[[str, int, int], None] = lambda *_: None,
) -> Drop:
    """Throw so many hands of a cell.

    Raises
    ------
    InvalidValueError
        If a value is impossible, or more than 1e8 hands are asked for.
    InterruptedRunError
        On Ctrl-C; nothing is kept.
    """
    if not 1 <= throws <= MAX_THROWS:
        raise InvalidValueError(f"throws {throws} is outside 1..{MAX_THROWS}")
    body_of(cell.shape, cell.dimensions)
    total: Tally | None = None
    with Throwers(seed, workers) as throwers:
        throwers.warm_up(cell)
        start = time.perf_counter()
        try:
            for tally in throwers.tallies(chunks(cell, throws)):
                total = tally if total is None else total + tally
                progress(cell.shape, total.hands, throws)
        except KeyboardInterrupt:
            done = total.hands if total else 0
            raise InterruptedRunError(f"interrupted after {done} of {throws} throws") from None
        seconds = time.perf_counter() - start
    if total is None:
        raise InvalidValueError("nothing was thrown")
    return Drop(total, seconds)
