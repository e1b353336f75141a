"""Drop: one shape thrown under one condition, counted."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any

from brickphys.calibration.tally import Tally, side_interval
from brickphys.calibration.throwers import ThrowCell, Throwers, body_of, chunks
from brickphys.engines.engine import check_limits
from brickphys.engines.registry import engine, usual_engine
from brickphys.errors import CancelledRunError, InvalidValueError
from brickphys.odds.roll import SIDE
from brickphys.throws.conditions import preset
from brickphys.throws.floors import floor
from brickphys.throws.surfaces import surface
from brickphys.workers import StopRequest, check_workers

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
    asked
        How many hands were asked for; there are fewer in the tally after Ctrl-C.
    """

    tally: Tally
    seconds: float
    asked: int

    @property
    def complete(self) -> bool:
        """Whether all hands were thrown."""
        return self.tally.hands == self.asked

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


def cell_of(
    shape: str,
    engine_name: str | None,
    preset_name: str,
    surface_name: str | None,
    bricks: int = 1,
    floor_name: str = "plane",
    address: tuple[int, ...] | None = None,
    **changes: Any,
) -> ThrowCell:
    """Return what is thrown, from names and what differs from what they stand for.

    Parameters
    ----------
    shape, engine_name, preset_name, surface_name
        As on the command line; None stands for the usual engine, and for what the floor is usually made of.
    bricks
        Bricks in each hand.
    floor_name
        Form of the floor.
    address
        Of its random numbers; the number of bricks if None.
    **changes
        ``height_mm``, ``speed_m_s``, ``spin_rad_s`` of `Conditions`, ``friction``, ``restitution`` of `Contact`; None
        leaves a value as it is.

    Raises
    ------
    InvalidValueError
        If a name is unknown, a value absurd, or the engine not made for it.
    """
    wanted = {name: value for name, value in changes.items() if value is not None}
    pair = {name: wanted.pop(name) for name in ("friction", "restitution") if name in wanted}
    form = floor(floor_name)
    contact = replace(surface(surface_name or form.surface).nominal, **pair)
    conditions = replace(preset(preset_name), bricks=bricks, **wanted)
    thrower = engine(engine_name or usual_engine(bricks, form))
    check_limits(thrower, contact, bricks, form)
    name = body_of(shape).name
    return ThrowCell(name, conditions, contact, thrower.name, address or (bricks,), floor=form)


def drop(
    cell: ThrowCell,
    throws: int,
    seed: int,
    workers: int,
    progress: Callable[[str, int, int], None] = lambda *_: None,
) -> Drop:
    """Throw so many hands of a cell; after Ctrl-C, those that have been thrown or are in the air.

    Raises
    ------
    InvalidValueError
        If a value is impossible, or more than 1e8 hands are asked for.
    CancelledRunError
        On Ctrl-C before any throw was counted.
    """
    if not 1 <= throws <= MAX_THROWS:
        raise InvalidValueError(f"throws {throws} is outside 1..{MAX_THROWS}")
    check_workers(workers)
    body_of(cell.shape, cell.dimensions)
    work = list(chunks(cell, throws))
    total: Tally | None = None
    # a worker without work would only cost its start
    used = min(workers, len(work))
    with StopRequest() as stop, Throwers(seed, used, lambda: stop.asked) as throwers:
        throwers.warm_up(cell)
        start = time.perf_counter()
        for total in accumulate(throwers.tallies(work)):
            progress(cell.shape, total.hands, throws)
        seconds = time.perf_counter() - start
    if total is None:
        raise CancelledRunError(f"interrupted after 0 of {throws} throws")
    return Drop(total, seconds, throws)
