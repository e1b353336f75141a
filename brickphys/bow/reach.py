"""Reach: how many steps every stud is away, and what is seen from where, as arrays over the studs of a field.

Plans weigh hundreds of places at once by these tables. They know the ground and the decor, not who stands in the way.
Sight is worked out between blocks of studs, each by one stud of it.
"""

from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from brickphys.bow.field import Field, Studs
from brickphys.bow.sight import EYE_PLATES, SAMPLES_PLATES, SIDE_STUDS, solids
from brickphys.bow.terrain import Board, Terrain, one_step
from brickphys.grid.grid import DIRECTIONS, rings
from brickphys.units import Array, Indices

Steps = npt.NDArray[np.int16]
"""Numbers of steps."""
Sights = npt.NDArray[np.uint8]
"""How much is seen: `HIDDEN`, `COVERED` or `OPEN`."""

FAR = 999
"""Steps to a stud to which no way leads."""
HIDDEN, COVERED, OPEN = 0, 1, 2
_BLOCK_STUDS = (2, 3)
_LARGE_STUDS = 1_600
"""On a larger field, blocks of studs are larger."""
_LONGEST_WALK_STUDS = 8
_SAMPLES_PLATES = (SAMPLES_PLATES[0], SAMPLES_PLATES[-1])


class Middles(NamedTuple):
    """The middles of all studs of a field by number, in studs."""

    xs: Array
    ys: Array


@lru_cache(maxsize=64)
def middles(field: Field) -> Middles:
    """Return the middles of all studs of a field, each array of shape (studs,)."""
    numbers = np.arange(field.width * field.length)
    columns, rows = numbers % field.width, numbers // field.width
    return Middles(columns.astype(float) + 0.5, rows.astype(float) + 0.5)


def members(field: Field, studs: Studs) -> Indices:
    """Return the numbers of the studs of a set in ascending order."""
    count = field.width * field.length
    octets = np.frombuffer(studs.to_bytes((count + 7) // 8, "little"), np.uint8)
    return np.flatnonzero(np.unpackbits(octets, count=count, bitorder="little"))


@lru_cache(maxsize=4096)
def steps_from(terrain: Terrain, studs: Studs, taken: Studs = 0) -> Steps:
    """Return the steps of a figure from the nearest of some studs to every stud, shape (studs,); `FAR` without a way.

    No unit and no vehicle is in the way, but on studs that are taken. The steps back are as many.
    """
    field = terrain.field
    found = np.full(field.width * field.length, FAR, np.int16)
    step = partial(one_step, terrain, (terrain.standable | studs) & ~taken)
    for count, ring in enumerate(rings(studs & ~taken, step, FAR - 1)):
        found[members(field, ring)] = count
    return found


class Blocks(NamedTuple):
    """The blocks of studs between which sight is worked out.

    Attributes
    ----------
    of_stud : ndarray of int, shape (studs,)
        The block of each stud.
    studs : ndarray of int, shape (blocks,)
        The stud that stands for each block: the first on which a figure can stand.
    """

    of_stud: Indices
    studs: Indices


@lru_cache(maxsize=64)
def blocks(terrain: Terrain) -> Blocks:
    """Return the blocks of a terrain."""
    field = terrain.field
    count = field.width * field.length
    size = _BLOCK_STUDS[count > _LARGE_STUDS]
    numbers = np.arange(count)
    across = -(-field.width // size)
    of_stud = numbers // field.width // size * across + numbers % field.width // size
    good = np.zeros(count, bool)
    good[members(field, terrain.standable)] = True
    order = np.lexsort((numbers, ~good, of_stud))
    _, firsts = np.unique(of_stud[order], return_index=True)
    return Blocks(of_stud, order[firsts])


@lru_cache(maxsize=16)
def sight_between(terrain: Terrain) -> Sights:
    """Return how much of a figure on each block is seen from each block, shape (from, to)."""
    field, (_, studs) = terrain.field, blocks(terrain)
    at = middles(field)
    xs, ys = at.xs[studs], at.ys[studs]
    levels = np.array(field.levels_plates)[studs]
    count = len(studs)
    dx, dy = xs[None, :] - xs[:, None], ys[None, :] - ys[:, None]
    across = SIDE_STUDS / np.maximum(np.hypot(dx, dy), SIDE_STUDS)
    points = [(side, height) for side in (1.0, -1.0) for height in _SAMPLES_PLATES]
    lines = np.empty((len(points), count, count, 6))
    lines[..., 0], lines[..., 1] = xs[:, None], ys[:, None]
    lines[..., 2] = levels[:, None] + EYE_PLATES
    for line, (side, height) in zip(lines, points, strict=True):
        line[..., 3], line[..., 4] = xs - side * across * dy, ys + side * across * dx
        line[..., 5] = levels + height
    clear = solids(Board(terrain)).clear(lines.reshape(-1, 6)).reshape(len(points), count, count)
    found = np.array(clear.any(axis=0), np.uint8)
    found[clear.all(axis=0)] = OPEN
    return found


@lru_cache(maxsize=64)
def sight_after_walk(terrain: Terrain, move_studs: int) -> Sights:
    """Return how much of a figure on each block is seen after a walk from each block, shape (from, to)."""
    seen, (_, studs) = sight_between(terrain), blocks(terrain)
    most = min(move_studs, _LONGEST_WALK_STUDS)
    near = np.stack([_within(terrain, int(stud), most)[studs] for stud in studs])
    walks = near.astype(np.float32)
    found = np.zeros_like(seen)
    for least in (COVERED, OPEN):
        found += walks @ (seen >= least).astype(np.float32) > 0.0
    return found


def _within(terrain: Terrain, stud: int, most: int) -> npt.NDArray[np.bool_]:
    field = terrain.field
    step = partial(one_step, terrain, terrain.standable | 1 << stud)
    found = np.zeros(field.width * field.length, bool)
    for ring in rings(1 << stud, step, most):
        found[members(field, ring)] = True
    return found


AHEAD: Array = np.array(DIRECTIONS, dtype=float) / np.hypot(*np.array(DIRECTIONS).T)[:, None]
"""The directions of the eight facings, as vectors of length 1, shape (8, 2)."""
