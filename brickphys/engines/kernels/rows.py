"""Lanes rows: the workspace of the kernels, and which row of it has which number of the throws in the lanes.

The first thirteen are a motion, see `brickphys.engines.kernels.flight_kernel`.
"""

from typing import Any

import numpy as np

from brickphys.engines.kernels.tables import Walls

LANES = 16
"""Throws in a vector: with double precision two registers of AVX-512, four of AVX2, eight of SSE2 or Neon."""
_LINE = 8
"""Numbers in a line of the processor's cache."""
PLANES = 5
"""Near walls: the floor, and two walls across each of two axes."""
COLUMNS = 13  # of the workspace of `ring_kernel`


def _rows(*numbers: int) -> tuple[int, ...]:
    """Return integers of NumPy: for each of Python's, Numba would compile the kernels that take it once more."""
    return tuple(map(np.intp, numbers))  # type: ignore[arg-type]


POSITION, QUATERNION, VELOCITY, SPIN = _rows(0, 3, 7, 10)
"""First row of these parts of a motion."""
TIME, GAIN, START, LEAST, STILL = 13, 14, 15, 16, 17
"""Time, largest gain of energy, energy at the start and the least since, and how long the body has been slow."""
KEPT = 18
"""Rows that a throw keeps from lane to lane."""
STUCK, SPENT, HELD = 18, 19, 20
"""Bounces at this moment, time of the last step, and 1 in a lane whose throw has just come."""
NORMAL, LOWEST, GAP, ENERGY = _rows(21, 24, 25, 26)
"""Upward direction in the body frame (three rows), lowest corner, its height, and energy."""
NEAR, SLOWEST, STEP = 27, 28, 29
"""On the floor: how many corners are near it, the least vertical speed of those that touch it (infinite if none does),
and the length of the step, 0 of a bounce."""
ARM, SWEPT = _rows(30, 33)
"""In the air, the lowest corner in the body frame (three rows); on the floor, how often the impulses of this step have
been swept, and 0 if they have converged."""
CONTACTS = 34
"""First row of the first contact."""
MOST = 4
"""Largest number of contacts of a body at one time; they hold it on a plane as well as more."""
CORNER, BEFORE, TARGET, IMPULSE, LEVER, MASS, INVERSE, OFFSET, SLID = 0, 1, 2, 3, 6, 15, 21, 27, 30
"""Rows of a contact: its corner, -1 for none; its corner at the last step, -1 for none; the least vertical speed after
the impulses; the impulse; the levers, three rows for each axis of the world; the inverse mass: xx, xy, xz, yy, yz, zz;
the inverse of that; and what is added to the velocity of the point of contact, which sticks or slips with the sum."""
CONTACT = 33
_AFTER = CONTACTS + MOST * CONTACT
OLD_VELOCITY, OLD_SPIN, LAST = _rows(_AFTER, _AFTER + 3, _AFTER + 6)
"""Velocity and spin before the step (three rows each), and their share in those that move the body."""
NEARBY = _AFTER + 7
"""First row of the first corner that may reach the floor in this step: x, y and z, and which corner it is, -1 for none.
So many follow as the body has corners."""


def workspace(corners: int, count: int) -> tuple[Any, ...]:
    """Return what `throw_kernel.throw_all` works in: `Workspace` and the arrays of `Throws`, for so many corners."""
    lists = np.zeros((LANES, corners), dtype=np.intp), np.zeros(LANES, dtype=np.intp)
    number = (NEARBY + 4 * corners) * LANES
    flat = np.zeros(number + _LINE)
    # vectors in memory lie across no boundary of the cache
    begin = -flat.ctypes.data // flat.itemsize % _LINE
    rows = flat[begin : begin + number].reshape(-1, LANES)
    space = rows, np.zeros(LANES, dtype=np.intp), lists, np.zeros(3, dtype=np.intp)
    return space, (np.zeros((count, KEPT)), np.arange(count), np.empty(count, dtype=np.intp))


def walls_of(inside_mm: float | None, corners: int) -> Walls:
    """Return the walls of a tray of an inner width for a body with so many corners; None without walls."""
    if inside_mm is None:
        return None
    rows = np.zeros(CONTACTS + CONTACT * PLANES * corners)
    return inside_mm / 2, rows, rows.reshape(-1, 1)
