"""Line: straight lines over the field, and whether anything solid is in their way.

A line is clear of a solid if no part of it is inside by more than the tolerance; it may graze a face. Where it runs
along the border of two studs, or through a corner between two, both must be filled to stop it: there is no gap between
neighbours, along an edge or a diagonal. It is as clear from one end as from the other. A line of no length is a point;
a point on the border of the field counts as just inside.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from brickphys.arrays import Array, Indices, Mask
from brickphys.bow.field import line_kernel
from brickphys.bow.field.board import Board
from brickphys.bow.field.field import FIGURE_PLATES
from brickphys.bow.field.terrain import Terrain
from brickphys.geometry.line import Line, clear_lines
from brickphys.geometry.obstacles import Obstacles
from brickphys.geometry.polygon import TOLERANCE
from brickphys.geometry.prism import Prism
from brickphys.grid.bitset import each

if TYPE_CHECKING:
    from brickphys.vehicles.scene import Vehicle


@dataclass(frozen=True, eq=False)
class Solids:
    """Everything that may be in the way of a line.

    Attributes
    ----------
    terrain
        The ground and the decor.
    figures_plates : ndarray, shape (studs, 2)
        Bottom and top of the figure on each stud; both 0 where there is none.
    prisms
        Decor at an angle, then the vehicles.
    among : ndarray of int
        Those prisms that count.
    """

    terrain: Terrain
    figures_plates: Array
    prisms: Obstacles
    among: Indices

    def clear(self, lines: Sequence[Line]) -> Mask:
        """Tell which lines meet nothing solid; figures at their ends are not in the way."""
        field, rows = self.terrain.field, np.array(lines)
        clear = line_kernel.clear_lines(
            rows,
            field.width,
            field.length,
            *_columns(self.terrain),
            self.figures_plates,
            TOLERANCE,
        )
        return clear & clear_lines(rows, self.prisms, self.among) if len(self.among) else clear


def solids(board: Board, without: Collection[str] = ()) -> Solids:
    """Return everything that may be in the way of a line on a board, except vehicles with some ids."""
    everything = _everything(board)
    if not without:
        return everything
    first = len(everything.prisms.prisms) - len(board.vehicles)
    others = [n for n, vehicle in enumerate(board.vehicles, first) if vehicle.id not in without]
    return replace(everything, among=np.array([*range(first), *others], dtype=np.intp))


@lru_cache(maxsize=64)
def _everything(board: Board) -> Solids:
    levels = board.field.levels_plates
    figures = np.zeros((len(levels), 2))
    for stud in each(board.units):
        figures[stud] = levels[stud], levels[stud] + FIGURE_PLATES
    prisms = _prisms(board.terrain, board.vehicles)
    return Solids(board.terrain, figures, prisms, np.arange(len(prisms.prisms)))


@lru_cache(maxsize=256)
def _prisms(terrain: Terrain, vehicles: tuple["Vehicle", ...]) -> Obstacles:
    return _decor(terrain).updated(add=[vehicle.prism for vehicle in vehicles])


@lru_cache(maxsize=256)
def _decor(terrain: Terrain) -> Obstacles:
    return Obstacles.of([Prism(one.footprint, *one.span_plates) for one in terrain.at_an_angle])


@lru_cache(maxsize=256)
def _columns(terrain: Terrain) -> tuple[Indices, Array]:
    """Return the number of the first span of each stud, shape (studs + 1,), and the spans, shape (k, 2)."""
    columns = terrain.solids_plates
    firsts = np.cumsum([0, *map(len, columns)])
    return firsts, np.array([span for column in columns for span in column])
