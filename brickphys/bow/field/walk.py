"""Walk: the studs that a figure can reach in a move action, and the way there (BOW 2.3.1)."""

from dataclasses import dataclass
from functools import cached_property, partial

from brickphys.bow.field.board import Board
from brickphys.bow.field.field import Stud, Studs
from brickphys.bow.field.terrain import Terrain
from brickphys.errors import InvalidValueError
from brickphys.grid.bitset import each
from brickphys.grid.rings import rings


@dataclass(frozen=True)
class Reachable:
    """The studs that a figure can reach in a number of steps.

    Attributes
    ----------
    terrain
        What it walks on.
    free
        The studs on which nothing is in its way, its own included.
    rings
        The studs that are first reached after 0, 1, 2, ... steps; the last ring is not empty.
    """

    terrain: Terrain
    free: Studs
    rings: tuple[Studs, ...]

    @cached_property
    def studs(self) -> Studs:
        """Every stud that it can reach, its own included."""
        studs = 0
        for ring in self.rings:
            studs |= ring
        return studs

    @cached_property
    def steps(self) -> dict[Stud, int]:
        """The number of steps to each stud, its own included."""
        return {stud: count for count, ring in enumerate(self.rings) for stud in each(ring)}

    def path(self, stud: Stud) -> list[Stud]:
        """Return the shortest path to a stud, both ends included; of several, one that is near the straight line.

        Raises
        ------
        InvalidValueError
            If it is out of reach.
        """
        if stud not in self.steps:
            x, y = self.terrain.field.xy(stud)
            raise InvalidValueError(f"stud ({x}, {y}) is out of reach")
        path = [stud]
        for ring in reversed(self.rings[: self.steps[stud]]):
            before = each(_one_step(self.terrain, self.free, 1 << path[-1]) & ring)
            path.append(min(before, key=lambda other: self._offset(other, stud)))
        return path[::-1]

    def _offset(self, stud: Stud, end: Stud) -> int:
        """Return the distance of a stud from the straight line to an end, times the length of that line."""
        xy = self.terrain.field.xy
        (x, y), (start_x, start_y), (end_x, end_y) = map(xy, (stud, next(each(self.rings[0])), end))
        return abs((end_x - start_x) * (y - start_y) - (end_y - start_y) * (x - start_x))


def reachable(board: Board, start: Stud, most_steps: int) -> Reachable:
    """Return the studs that a figure can reach.

    A step leads to one of the eight neighbours that is free and at most one step higher or lower. A diagonal step
    needs one of the two ways round its corner to be free as well: there is no way between two obstacles that touch
    corner to corner.

    Parameters
    ----------
    board
        What is in the way; the figure's own stud counts as free.
    start
        Where it stands.
    most_steps
        Its Move.
    """
    own = 1 << start
    free = board.terrain.standable & ~board.taken | own
    found = rings(own, partial(_one_step, board.terrain, free), most_steps)
    return Reachable(board.terrain, free, found)


def _one_step(terrain: Terrain, free: Studs, studs: Studs) -> Studs:
    """Return the free studs that are one step from some studs."""
    width = terrain.field.width
    e, ne, n, nw, w, sw, s, se = terrain.enterable
    east, west = studs << 1 & e & free, studs >> 1 & w & free
    north, south = studs << width & n & free, studs >> width & s & free
    north_east = (north << 1 & e | east << width & n) & ne
    north_west = (north >> 1 & w | west << width & n) & nw
    south_west = (south >> 1 & w | west >> width & s) & sw
    south_east = (south << 1 & e | east >> width & s) & se
    return east | west | north | south | (north_east | north_west | south_west | south_east) & free
