"""Systematic: shifts of the probability of a side over the plausible ranges of table, mould and throw.

All causes are varied at once between the ends of their ranges, in a two-level fractional factorial design of 16 cells.
Its resolution is IV: no main effect is aliased with another one or with an interaction of two causes (Box, Hunter and
Hunter, Statistics for Experimenters, chapter 6). Every throw counts for every cause, so each shift is as precise as if
all throws were made for it alone.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import hadamard

from brickphys.arrays import Counts
from brickphys.calibration.tally import Tally
from brickphys.calibration.throwers import ThrowCell, Throwers, body_of
from brickphys.notes import Progress
from brickphys.odds.provenance import ENGINE, Source, Systematic
from brickphys.shapes.dimensions import default_dimensions
from brickphys.throws.conditions import Conditions
from brickphys.throws.surfaces import ContactCoefficients, Surface

RUNS = 16
THROW_FACTOR = 1.5
"""Players throw with up to this factor more or less height, speed and spin than the preset: an assumption."""
_ROOM = 1.02
_COLUMNS = (1, 2, 4, 8, 7, 11, 13, 14)
"""Columns of the Hadamard matrix: four base factors and their four triple products."""
_ADDRESS = 2


@dataclass(frozen=True)
class Factor:
    """An uncertain cause.

    Attributes
    ----------
    low, high
        Ends of its plausible range.
    move
        Function that returns a cell with the cause set to a value.
    """

    low: float
    high: float
    move: Callable[[ThrowCell, float], ThrowCell]


def factors(cell: ThrowCell, surface: Surface) -> Mapping[str, Factor]:
    """Return the uncertain causes of a thrown brick by name: table, mould and throw."""
    conditions, mould = cell.conditions, cell.dimensions or default_dimensions(cell.shape)
    low_mm, high_mm = conditions.height_mm
    # the whole range is scaled, but no brick may start inside the floor
    lowest = max(1 / THROW_FACTOR, _ROOM * body_of(cell.shape).radius_mm / low_mm)
    middle_mm = (low_mm + high_mm) / 2
    causes = {
        "friction": Factor(*surface.friction, _friction),
        "restitution": Factor(*surface.restitution, _restitution),
        # around the fitted lengths, over the range that calipers find: walls of 1.2 to 1.5, tops from 1.0, studs of 1.6
        # to 1.8 (see BrickDimensions); the diameter of studs was tried too and had no effect
        "wall_mm": Factor(mould.wall_mm - 0.2, mould.wall_mm + 0.1, _dimension("wall_mm")),
        "top_mm": Factor(mould.top_mm - 0.1, mould.top_mm + 0.4, _dimension("top_mm")),
        "stud_height_mm": Factor(1.6, 1.8, _dimension("stud_height_mm")),
        "height_mm": Factor(lowest * middle_mm, THROW_FACTOR * middle_mm, _height),
        "speed_m_s": _throw_factor(conditions.speed_m_s, _speed),
        "spin_rad_s": _throw_factor(conditions.spin_rad_s, _spin),
    }
    return {name: cause for name, cause in causes.items() if cause.low < cause.high}


def _throw_factor(value: float, move: Callable[[ThrowCell, float], ThrowCell]) -> Factor:
    return Factor(value / THROW_FACTOR, value * THROW_FACTOR, move)


def _friction(cell: ThrowCell, value: float) -> ThrowCell:
    return replace(cell, contact=ContactCoefficients(value, cell.contact.restitution))


def _restitution(cell: ThrowCell, value: float) -> ThrowCell:
    return replace(cell, contact=ContactCoefficients(cell.contact.friction, value))


def _dimension(name: str) -> Callable[[ThrowCell, float], ThrowCell]:
    def move(cell: ThrowCell, value: float) -> ThrowCell:
        return replace(
            cell,
            dimensions=replace(cell.dimensions or default_dimensions(cell.shape), **{name: value}),
        )

    return move


def _height(cell: ThrowCell, middle_mm: float) -> ThrowCell:
    low, high = cell.conditions.height_mm
    scale = 2 * middle_mm / (low + high)
    return _thrown(cell, replace(cell.conditions, height_mm=(low * scale, high * scale)))


def _speed(cell: ThrowCell, value: float) -> ThrowCell:
    return _thrown(cell, replace(cell.conditions, speed_m_s=value))


def _spin(cell: ThrowCell, value: float) -> ThrowCell:
    return _thrown(cell, replace(cell.conditions, spin_rad_s=value))


def _thrown(cell: ThrowCell, conditions: Conditions) -> ThrowCell:
    return replace(cell, conditions=conditions)


def design(count: int) -> Counts:
    """Return the levels (-1 or 1) of up to 8 factors in the 16 runs, shape (16, count)."""
    columns = np.asarray(hadamard(RUNS), dtype=np.int64)[:, list(_COLUMNS)]
    return columns[:, :count]


def design_cells(cell: ThrowCell, causes: Mapping[str, Factor]) -> list[ThrowCell]:
    """Return the 16 cells of the design, with a seed address for each."""
    cells = []
    for run, levels in enumerate(design(len(causes))):
        moved = replace(cell, address=(*cell.address, _ADDRESS, run))
        for level, cause in zip(levels, causes.values(), strict=True):
            moved = cause.move(moved, cause.high if level > 0 else cause.low)
        cells.append(moved)
    return cells


def measure_systematic(
    throwers: Throwers,
    cell: ThrowCell,
    surface: Surface,
    throws_per_run: int,
    progress: Progress = lambda *_: None,
) -> Systematic | None:
    """Throw the design and return the shift of p by each cause; None if the throwers were stopped before its end.

    Parameters
    ----------
    throwers
        The worker processes.
    cell
        Single bricks at the nominal values.
    surface
        The surface, with its ranges of friction and restitution.
    throws_per_run
        Throws in each of the 16 cells.
    progress
        Called with the throws done and all throws.
    """
    causes = factors(cell, surface)
    runs = dict(enumerate(design_cells(cell, causes)))
    totals = throwers.totals(runs, throws_per_run, progress).values()
    if sum(total.hands for total in totals) < RUNS * throws_per_run:
        return None
    return effects(causes, list(totals))


def effects(causes: Mapping[str, Factor], tallies: Sequence[Tally]) -> Systematic:
    """Return the shifts, their errors and their combined half-width.

    A shift is the mean of p over the eight runs at the high end minus that over the eight at the low end. The
    half-width is the root of the sum of the squared half shifts, with the expected square of the sampling error
    subtracted from each.
    """
    p = np.array([tally.sides / tally.bricks for tally in tallies])
    n = np.array([tally.bricks for tally in tallies])
    # one success and one failure are added, so that the error of a share of 0 or 1 is not 0
    share = (p * n + 1) / (n + 2)
    error = float(np.sqrt((share * (1 - share) / n).sum()) / (RUNS / 2))
    shifts = design(len(causes)).T @ p / (RUNS / 2)
    square = sum(max(0.0, float(shift) ** 2 - error**2) for shift in shifts)
    sources = {
        name: Source(cause.low, cause.high, float(shift), error)
        for (name, cause), shift in zip(causes.items(), shifts, strict=True)
    }
    return Systematic(math.sqrt(square) / 2, int(n.sum()), sources)


def with_engine(systematic: Systematic, shift: Source) -> Systematic:
    """Return the systematic uncertainty with the shift between two engines included.

    The law's engine is at one end of that range, not in its middle. So the whole shift counts, with the expected square
    of its sampling error subtracted.
    """
    square = systematic.half_width**2 + max(0.0, shift.shift**2 - shift.error**2)
    return replace(
        systematic,
        half_width=math.sqrt(square),
        sources={**systematic.sources, ENGINE: shift},
    )
