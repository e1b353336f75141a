"""Drop: one shape thrown under one condition, counted."""

import re
import time
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any

from brickphys.calibration.tally import Tally, side_interval
from brickphys.calibration.throwers import ThrowCell, Throwers, chunks, thrown_body
from brickphys.engines.engine import check_limits
from brickphys.engines.registry import default_engine, engine
from brickphys.errors import CancelledRunError, InvalidValueError
from brickphys.notes import NOTES, StageProgress
from brickphys.shapes.body_file import BodyFile
from brickphys.signals import StopRequest
from brickphys.throws.conditions import preset
from brickphys.throws.floors import floor
from brickphys.throws.surfaces import Surface, surface
from brickphys.workers import check_workers

MAX_THROWS = 100_000_000
_COIN = re.compile(r"coin:([\d.]+)x([\d.]+)")
"""The diameter and the thickness in the name of a coin."""
_LEAST_COMPARED = 0.35
"""Thickness over diameter of the thinnest coin that was compared with real tosses."""


@dataclass(frozen=True)
class DropResult:
    """Counts of one condition, and the time of the throws.

    Attributes
    ----------
    tally
        Counts of poses and scores.
    seconds
        Wall time of the throws in s, without the start of processes and the first world.
    asked
        Requested number of hands; the tally has fewer after Ctrl-C.
    scoring
        Poses that score: the side for bricks; empty for bodies that are not rolled for a score.
    """

    tally: Tally
    seconds: float
    asked: int
    scoring: tuple[str, ...]

    @property
    def complete(self) -> bool:
        """Whether all hands were thrown."""
        return self.tally.hands == self.asked

    @property
    def p_side(self) -> float | None:
        """Share of bricks in a pose that scores; None for bodies without one."""
        return self.tally.sides / self.tally.bricks if self.scoring else None

    @property
    def ci95(self) -> tuple[float, float] | None:
        """95 % interval of `p_side`, cluster-robust over hands."""
        return side_interval(self.tally) if self.scoring else None


def cell_of(
    shape: str | BodyFile,
    engine_name: str | None,
    preset_name: str,
    on: Surface | None = None,
    bricks: int = 1,
    floor_name: str = "plane",
    address: tuple[int, ...] | None = None,
    **changes: Any,
) -> ThrowCell:
    """Return the cell of a shape, engine, preset and floor by name on a surface, with single values changed.

    Parameters
    ----------
    shape, engine_name, preset_name
        Names, as on the command line, or what a body file says; None for the default engine.
    on
        The surface; None for the default one of the floor.
    bricks
        Bricks in each hand.
    floor_name
        Name of the floor.
    address
        Seed address; the number of bricks if None.
    **changes
        ``height_mm``, ``speed_m_s``, ``spin_rad_s`` of `Conditions`, ``friction``, ``restitution`` of
        `ContactCoefficients`, ``edge_radius_mm`` of `Body`; None keeps the value.

    Raises
    ------
    InvalidValueError
        If a name is unknown, a value outside its range, or the engine not made for these conditions.
    """
    wanted = {name: value for name, value in changes.items() if value is not None}
    pair = {name: wanted.pop(name) for name in ("friction", "restitution") if name in wanted}
    body, file = thrown_body(shape, wanted.pop("edge_radius_mm", None))
    ground = floor(floor_name)
    contact = replace((on or surface(ground.surface)).nominal, **pair)
    conditions = replace(preset(preset_name), bricks=bricks, **wanted)
    chosen = engine(engine_name or default_engine(bricks, ground))
    check_limits(chosen, contact, bricks, ground)
    return ThrowCell(
        body.name,
        conditions,
        contact,
        chosen.name,
        address or (bricks,),
        floor=ground,
        file=file,
    )


def _warn_of_thin_coin(name: str) -> None:
    """Warn that coins thinner than those that were compared with real ones stand on their edge far too often."""
    sizes = _COIN.match(name)
    if sizes and float(sizes[2]) < _LEAST_COMPARED * float(sizes[1]):
        NOTES.warning(
            "a coin thinner than %g of its diameter stops on its edge far too often here: it rolls without any loss "
            "(a nickel thrown by hand: 3 %% for some 0.02 %%)",
            _LEAST_COMPARED,
        )


def drop(
    cell: ThrowCell,
    throws: int,
    seed: int,
    workers: int,
    progress: StageProgress = lambda *_: None,
) -> DropResult:
    """Throw `throws` hands of a cell; on Ctrl-C, count the chunks that are done or under way.

    Raises
    ------
    InvalidValueError
        If `throws` is outside 1 to 1e8, or another value is impossible.
    CancelledRunError
        On Ctrl-C before any throw was counted.
    """
    if not 1 <= throws <= MAX_THROWS:
        raise InvalidValueError(f"throws {throws} is outside 1..{MAX_THROWS}")
    check_workers(workers)
    scoring = cell.body.scoring  # raises if there is no such body
    _warn_of_thin_coin(cell.body.name)
    work = list(chunks(cell, throws))
    total: Tally | None = None
    used = min(workers, len(work))
    with StopRequest() as stop, Throwers(seed, used, lambda: stop.asked) as throwers:
        throwers.warm_up(cell)
        start = time.perf_counter()
        for total in accumulate(throwers.tallies(work)):
            progress(cell.shape, total.hands, throws)
        seconds = time.perf_counter() - start
    if total is None:
        raise CancelledRunError(f"interrupted after 0 of {throws} throws")
    return DropResult(total, seconds, throws, scoring)
