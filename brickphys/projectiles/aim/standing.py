"""Standing: targets on the table, and their parts as a shooter sees them."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import atan2, degrees, hypot

import numpy as np

from brickphys.arrays import Array, Indices
from brickphys.projectiles.bodies.silhouette import Side, silhouette
from brickphys.projectiles.bodies.target import Target


@dataclass(frozen=True)
class Standing:
    """A target on the table.

    Attributes
    ----------
    target
        What stands there.
    x_mm, y_mm
        Its place.
    facing_deg
        Its facing, counter-clockwise from +x.
    """

    target: Target
    x_mm: float
    y_mm: float
    facing_deg: float

    def bearing_deg(self, x_mm: float, y_mm: float) -> float:
        """Return the bearing of a place from its facing, counter-clockwise."""
        return degrees(atan2(y_mm - self.y_mm, x_mm - self.x_mm)) - self.facing_deg

    def side(self, x_mm: float, y_mm: float) -> Side:
        """Return the side that it turns to a place."""
        return Side.at(self.bearing_deg(x_mm, y_mm))

    def distance_mm(self, x_mm: float, y_mm: float) -> float:
        """Return its distance from a place."""
        return hypot(self.x_mm - x_mm, self.y_mm - y_mm)


@dataclass(frozen=True, eq=False)
class View:
    """The parts of targets as a shooter sees them who aims along one direction.

    Attributes
    ----------
    parts : ndarray, shape (n, 7)
        Nearest first, all in mm: where a part begins and ends along the flight, its two edges across about the target,
        the least and the greatest height that shows, and its underside.
    owners : ndarray, shape (n,)
        The target of each part, as its index in `bodies`.
    bodies : ndarray, shape (k, 7)
        Distance in mm, azimuth off the direction of aim in radians, mass in g, height of the centre of mass in mm,
        inertia about the axes across the flight and upright in g mm2, and height of the wall in mm.
    numbers : ndarray, shape (k,)
        The targets' places in the sequence that was given.
    """

    parts: Array
    owners: Indices
    bodies: Array
    numbers: Indices


def view(
    standing: Sequence[Standing], x_mm: float, y_mm: float, aimed_deg: float, spread_deg: float
) -> View:
    """Return the view from a place in a direction of all that stands within a spread of it."""
    places = np.array([(one.x_mm - x_mm, one.y_mm - y_mm, one.facing_deg) for one in standing])
    reach = np.array([one.target.reach_mm for one in standing])
    distance = np.hypot(places[:, 0], places[:, 1])
    toward = np.degrees(np.arctan2(places[:, 1], places[:, 0]))
    off = np.radians((toward - aimed_deg + 180.0) % 360.0 - 180.0)
    wide = np.radians(spread_deg) + (reach + 20.0) / np.maximum(distance, 1.0)
    numbers = np.flatnonzero((np.abs(off) < wide) & (distance > reach))
    bearing = toward + 180.0 - places[:, 2]
    seen = [standing[number].target for number in numbers.tolist()]
    owners = np.repeat(np.arange(len(numbers)), [len(one.table) for one in seen])
    tables = np.concatenate([one.table for one in seen]) if seen else np.zeros((0, 8))
    outline = silhouette(tables, bearing[numbers][owners])
    depth = outline.depth_mm + distance[numbers][owners, None]
    parts = np.concatenate([depth, outline.across_mm, outline.height_mm, tables[:, 4:5]], axis=1)
    order = np.argsort(parts[:, 0], kind="stable")
    masses = np.array([one.mass_row for one in seen]).reshape(-1, 6)
    turn = np.radians(bearing[numbers])
    c, s = np.cos(turn), np.sin(turn)
    mass, height, xx, xy, yy, upright = masses.T
    across = s * s * xx - 2 * s * c * xy + c * c * yy
    wall = np.array([one.wall_mm for one in seen])
    bodies = np.stack(
        [distance[numbers], off[numbers], mass, height, across, upright, wall], axis=1
    )
    return View(parts[order], owners[order], bodies, numbers)
