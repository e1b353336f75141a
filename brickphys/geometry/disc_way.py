"""The shortest way of a disc among discs and convex polygons in a rectangle, exactly.

All lengths are in one unit, which the caller chooses. Obstacles grow by the disc's radius, discs to larger discs and
polygons to rounded ones; among them its centre moves as a point. A shortest way is then made of straight parts, tangent
to what has grown, and of arcs round it (a taut string); it is searched for by A* in the graph of tangents.

Two tolerances hold here. To be nearer to an obstacle than the radius by up to `TOLERANCE` is to touch it, which no way
is forbidden. Places may be rounded: an end of a way that is nearer by up to the *slack* of the ground
is free, and whatever it is in is, for this way, smaller by as much. So a disc in touch with others can always leave.
"""

from dataclasses import dataclass
from functools import cached_property
from math import ceil, isfinite

import numpy as np
import numpy.typing as npt

from brickphys.geometry.obstacles import Obstacles
from brickphys.geometry.polygon import TOLERANCE, Point
from brickphys.units import Array, Counts, Mask


@dataclass(frozen=True, eq=False)
class Ground:
    """What a disc moves among."""

    radius: float
    """Of the disc that moves."""
    low: Point
    high: Point
    """Corners of the rectangle in which all of the disc stays."""
    discs: Array
    """Centre and radius of each disc that stands, shape (n, 3)."""
    walls: Obstacles
    """Convex polygons; their heights do not count."""
    slack: float = 1e-4
    """Greatest error of a place by rounding."""

    @cached_property
    def rows(self) -> tuple[tuple[float, float, float], Array, Array, Array, Array]:
        """What the kernels take: sizes, box, discs, heads and edges, see `disc_way_kernel.gather`."""
        sizes = (float(self.radius), float(self.slack), TOLERANCE)
        box = np.array([*self.low, *self.high], dtype=float)
        discs = np.ascontiguousarray(self.discs, dtype=float).reshape(-1, 3)
        return sizes, box, discs, self.walls.heads, self.walls.edges

    def _grown(self, start: Point, goals: Array, most: float) -> tuple[Array, Array, Counts]:
        """Return the circles and barriers of ways, see `brickphys.geometry.disc_way_kernel.gather`."""
        from brickphys.geometry.disc_way_kernel import gather  # Numba: only where it is needed

        return gather(np.array(start, dtype=float), goals, most, *self.rows)


@dataclass(frozen=True, eq=False)
class Way:
    """A way of the centre of a disc."""

    length: float
    legs: Array
    """Shape (n, 7): beginning (x, y) and end (x, y) of a straight part; centre (x, y) and angle in radians,
    counter-clockwise, of the arc that follows it (0 after the last one)."""

    def points(self, step: float) -> Array:
        """Return points along it, shape (k, 2): the ends of its parts, and others, no farther apart than a step."""
        places = [self.legs[0, :2]]
        for x, y, end_x, end_y, centre_x, centre_y, turn in self.legs.tolist():
            end, centre = complex(end_x, end_y), complex(centre_x, centre_y)
            begin = complex(x, y)
            line = begin + _shares(abs(end - begin), step) * (end - begin)
            arc = centre + (end - centre) * np.exp(
                1j * turn * _shares(abs(turn) * abs(end - centre), step)
            )
            for part in (line, arc) if turn else (line,):
                places.extend(np.stack([part.real, part.imag], axis=1))
        return np.array(places)


def _shares(length: float, step: float) -> Array:
    """Return the shares of a part at which its points are, its beginning left out."""
    count = max(1, ceil(length / step))
    shares: Array = np.arange(1, count + 1) / count
    return shares


def is_free(ground: Ground, points: npt.ArrayLike) -> Mask:
    """Tell at which of some points, shape (n, 2), the disc may be, up to the slack."""
    from brickphys.geometry.disc_way_kernel import are_free  # Numba: only where it is needed

    return are_free(_places(points), *ground.rows)


def straight_reach(ground: Ground, start: Point, directions: Array, most: float) -> Array:
    """Return how far the disc goes straight until it touches something, shape (n,); -1 if the start is not free.

    The directions, shape (n, 2), are unit vectors.
    """
    from brickphys.geometry.disc_way_kernel import straight_lengths

    circles, barriers, _ = ground._grown(start, _places(start), 2.0 * float(most))
    if not len(circles):
        return np.full(len(directions), -1.0)
    return straight_lengths(directions, float(most), circles, barriers, TOLERANCE)


def shortest_way(ground: Ground, start: Point, goal: Point, most: float) -> Way | None:
    """Return the shortest way of the disc, or None if there is none of a permitted length.

    If either end of the way of its centre is not free, there is none. Up to `TOLERANCE` more than the most is
    permitted.
    """
    from brickphys.geometry.disc_way_kernel import find_way

    most = float(most) + TOLERANCE
    circles, barriers, _ = ground._grown(start, _places(goal), most)
    length, legs = find_way(circles, barriers, most, TOLERANCE)
    return Way(length, legs) if isfinite(length) else None


def way_lengths(ground: Ground, start: Point, goals: npt.ArrayLike, most: float) -> Array:
    """Return the lengths of `shortest_way` to goals, shape (n, 2): shape (n,); infinity where there is none."""
    from brickphys.geometry.disc_way_kernel import find_lengths

    most = float(most) + TOLERANCE
    return find_lengths(*ground._grown(start, _places(goals), most), most, TOLERANCE)


def way_length(ground: Ground, start: Point, goal: Point, most: float) -> float:
    """Return the length of `shortest_way`; infinity if there is none."""
    return float(way_lengths(ground, start, goal, most)[0])


def _places(points: npt.ArrayLike) -> Array:
    """Return points as the kernels take them, shape (n, 2)."""
    return np.ascontiguousarray(points, dtype=float).reshape(-1, 2)
