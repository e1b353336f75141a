"""Paths: how far figures walk round walls and water, and whose view walls cross, for players who think.

Distances are on a grid, other figures left out: about a tenth of an inch to half an inch more than the shortest way of
`brickphys.minifig.reach`. Without walls and water they are straight.
"""

from functools import lru_cache
from math import cos, hypot, radians, sin
from typing import TYPE_CHECKING

import numpy as np

from brickphys.geometry.disc_way import Ground, is_free
from brickphys.minifig.ground import Walls, blocks, pieces
from brickphys.minifig.setting import STUD_IN, THICK_IN, Setting, ZoneKind
from brickphys.minifig.sheets import BASE_RADIUS_IN
from brickphys.units import Array, Indices, Mask

if TYPE_CHECKING:
    from scipy.sparse import csr_array

CELL_IN = 0.5
"""Size of a cell of the grid."""
_BESIDE_IN = 2.0
"""Nearer places are as far as they are straight."""


@lru_cache(maxsize=64)
def is_open(setting: Setting, walls: Walls) -> bool:
    """Tell whether nothing stands in anybody's way: no wall and no water."""
    water = any(zone.kind is ZoneKind.WATER for zone in setting.zones)
    return not water and all(piece.is_breach for piece in pieces(setting, walls))


@lru_cache(maxsize=16)
def _grid(
    setting: Setting, walls: Walls
) -> tuple[tuple[int, int], "csr_array[np.float64, tuple[int, int]]"]:
    """Return the size of the grid, and the lengths of the steps between its free cells, as a sparse matrix."""
    from scipy.sparse import coo_array

    wide, long = int(setting.width_in / CELL_IN) + 1, int(setting.length_in / CELL_IN) + 1
    x, y = np.meshgrid(np.arange(wide) * CELL_IN, np.arange(long) * CELL_IN, indexing="ij")
    room = BASE_RADIUS_IN - 0.05
    table = (setting.width_in + 1.0, setting.length_in + 1.0)
    ground = Ground(room, (-1.0, -1.0), table, np.empty((0, 3)), blocks(setting, walls))
    free = is_free(ground, np.stack([x.ravel(), y.ravel()], axis=1)).reshape(wide, long)
    numbers = np.arange(wide * long).reshape(wide, long)
    starts, ends, lengths = [], [], []
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
        low, high = max(0, -dy), long - max(0, dy)
        one = np.s_[: wide - dx, low:high]
        other = np.s_[dx:, low + dy : high + dy]
        both = free[one] & free[other]
        starts.append(numbers[one][both])
        ends.append(numbers[other][both])
        lengths.append(np.full(int(both.sum()), CELL_IN * hypot(dx, dy)))
    rows = np.concatenate(lengths), (np.concatenate(starts), np.concatenate(ends))
    return (wide, long), coo_array(rows, shape=(wide * long,) * 2).tocsr()


def _cells(size: tuple[int, int], places_in: Array) -> Indices:
    """Return the numbers of the cells of places, shape (n, 2): shape (n,)."""
    cells = np.clip(np.rint(places_in / CELL_IN).astype(np.intp), 0, np.array(size) - 1)
    found: Indices = cells[..., 0] * size[1] + cells[..., 1]
    return found


@lru_cache(maxsize=2048)
def _field(setting: Setting, walls: Walls, cell: int) -> Array:
    """Return how far all cells are from one, infinite where there is no way."""
    from scipy.sparse.csgraph import dijkstra

    _, steps = _grid(setting, walls)
    found: Array = dijkstra(steps, directed=False, indices=np.array([cell]))[0]
    return found


def ways_in(setting: Setting, walls: Walls, starts_in: Array, places_in: Array) -> Array:
    """Return how far places, shape (k, 2), are on foot from others, shape (n, 2): (k, n); infinite without a way."""
    straight: Array = np.hypot(
        places_in[:, 0, None] - starts_in[:, 0], places_in[:, 1, None] - starts_in[:, 1]
    )
    if is_open(setting, walls) or not straight.size:
        return straight
    size, _ = _grid(setting, walls)
    cells = _cells(size, places_in)
    fields = [_field(setting, walls, cell)[cells] for cell in _cells(size, starts_in).tolist()]
    round_in = np.stack(fields, axis=1) - 0.5 * CELL_IN
    return np.where(straight < _BESIDE_IN, straight, np.maximum(straight, round_in))


def crossed(setting: Setting, walls: Walls, from_in: Array, to_in: Array) -> Mask:
    """Tell which lines lead through a wall that is no breach: from n places to k, shapes (n, 2), (k, 2): (k, n)."""
    found = np.zeros((len(to_in), len(from_in)), dtype=bool)
    for piece in pieces(setting, walls):
        if piece.is_breach:
            continue
        spec, run = setting.walls[piece.wall], piece.run
        c, s = cos(radians(spec.facing_deg)), sin(radians(spec.facing_deg))
        turn, middle = np.array([[c, -s], [s, c]]), np.array([spec.x_in, spec.y_in])
        ends = (np.array([run.first_stud, run.end_stud]) - spec.length_studs / 2) * STUD_IN
        one, other = (from_in - middle) @ turn, (to_in - middle) @ turn
        low, high = np.array([-THICK_IN / 2, ends[0]]), np.array([THICK_IN / 2, ends[1]])
        ahead = other[:, None] - one[None]
        ahead = np.where(np.abs(ahead) < 1e-9, 1e-9, ahead)
        first, last = (low - one[None]) / ahead, (high - one[None]) / ahead
        enters = np.minimum(first, last).max(axis=-1)
        leaves = np.maximum(first, last).min(axis=-1)
        found |= (enters < leaves) & (enters < 1.0) & (leaves > 0.0)
    return found
