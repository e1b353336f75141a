"""Standing: targets on the table, and their parts as a shooter sees them.

A silhouette is what a shooter sees of a target: rectangles whose union is exact, since all parts stand upright. A
bearing is the direction from the target to the shooter, counter-clockwise from the target's own facing: 0 is in front,
90 at its left, 180 behind. Across is measured to the left as the shooter sees it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from math import atan2, degrees, hypot

import numpy as np

from brickphys.projectiles.target import Target
from brickphys.units import Array, Indices


class Side(Enum):
    """The side of a target that faces the shooter, in quarters about its facing."""

    FRONT = "front"
    SIDE = "side"
    REAR = "rear"

    @staticmethod
    def at(bearing_deg: float) -> "Side":
        """Return the side at a bearing; exactly 45 and 135 degrees belong to front and rear."""
        off = abs((bearing_deg + 180.0) % 360.0 - 180.0)
        return Side.FRONT if off <= 45.0 else Side.REAR if off >= 135.0 else Side.SIDE


@dataclass(frozen=True, eq=False)
class Silhouette:
    """Rectangles of an outline, one for each part; they may overlap."""

    across_mm: Array
    """Least and greatest coordinate across the line of flight, shape (n, 2); 0 is the target's origin."""
    height_mm: Array
    """Least and greatest height above the ground, shape (n, 2). Behind a wall what is hidden is cut off, and a part
    that is hidden whole has no height."""
    depth_mm: Array
    """Where the part begins and ends along the line of flight, on average over its width, shape (n, 2); 0 is the
    target's origin."""


def silhouette(parts: Array, bearing_deg: Array | float) -> Silhouette:
    """Return the outlines of parts that are seen from bearings.

    The parts, shape (n, 8), are those of one or several tables of targets, the bearings a number, or one for each part.
    """
    bearing = np.radians(bearing_deg)
    c, s = np.cos(bearing), np.sin(bearing)
    x, y, length, width, low, high, wall, is_round = parts.T
    half = np.where(is_round, length, length * np.abs(s) + width * np.abs(c)) / 2
    chord = np.where(is_round, np.pi / 4 * length, length * width / (2 * half))
    middle, along = x * s - y * c, -x * c - y * s
    bottom = np.maximum(low, wall)
    return Silhouette(
        np.stack([middle - half, middle + half], axis=1),
        np.stack([bottom, np.maximum(high, bottom)], axis=1),
        np.stack([along - chord / 2, along + chord / 2], axis=1),
    )


@dataclass(frozen=True)
class Standing:
    """A target on the table."""

    target: Target
    x_mm: float
    y_mm: float
    facing_deg: float
    """Its facing, counter-clockwise from +x."""

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
    """The parts of targets as a shooter sees them who aims along one direction."""

    parts: Array
    """Nearest first, all in mm, shape (n, 8): where a part begins and ends along the flight, its two edges across about
    the target, the least and the greatest height that shows, and its underside; and what the row stands for. 1: all
    paths that touch the part. A projectile that touches two bricks of a wall hits the one that its middle meets: so
    what stands fast has rows of its own for paths whose middle meets its face (0), and for those whose middle is
    between its edges across (0.5); they come by this share of the radius sooner."""
    owners: Indices
    """The target of each part, as its index in `bodies`, shape (n,)."""
    bodies: Array
    """Shape (k, 9): distance in mm, azimuth off the direction of aim in radians, mass in g, height of the centre of
    mass in mm, inertia about the axes across the flight and upright in g mm2; height of the wall, the end along the
    flight, and the top in mm."""
    numbers: Indices
    """The targets' places in the sequence that was given, shape (k,)."""


def view(
    standing: Sequence[Standing],
    place_mm: tuple[float, float],
    aimed_deg: float,
    spread_deg: float,
    radius_mm: float,
) -> View:
    """Return the view from a place in a direction of all that stands within a spread of it.

    The spread is half of the angle that is looked at.
    """
    x_mm, y_mm = place_mm
    rows = [
        (one.x_mm, one.y_mm, one.facing_deg, one.target.reach_mm, one.target.inner_mm)
        for one in standing
    ]
    x, y, facing, reach, inner = np.array(rows).T
    x, y = x - x_mm, y - y_mm
    distance = np.hypot(x, y)
    toward = np.degrees(np.arctan2(y, x))
    off = np.radians((toward - aimed_deg + 180.0) % 360.0 - 180.0)
    wide = np.radians(spread_deg) + (reach + radius_mm) / np.maximum(distance, 1.0)
    numbers = np.flatnonzero((np.abs(off) < wide) & (distance > inner))
    bearing = toward + 180.0 - facing
    seen = [standing[number].target for number in numbers.tolist()]
    owners = np.repeat(np.arange(len(numbers)), [len(one.table) for one in seen])
    tables = np.concatenate([one.table for one in seen]) if seen else np.zeros((0, 8))
    outline = silhouette(tables, bearing[numbers][owners])
    depth = outline.depth_mm + distance[numbers][owners, None]
    whole = np.ones((len(tables), 1))
    parts = np.concatenate(
        [depth, outline.across_mm, outline.height_mm, tables[:, 4:5], whole], axis=1
    )
    fixed = np.array([one.is_fixed for one in seen], dtype=bool)[owners]
    if fixed.any():
        for row in (0.0, 0.5):
            again = parts[: len(tables)][fixed]
            again[:, 7] = row
            parts = np.concatenate([parts, again])
        owners = np.concatenate([owners, owners[fixed], owners[fixed]])
    order = np.lexsort((-parts[:, 5], parts[:, 0] + radius_mm * parts[:, 7]))
    masses = np.array([one.mass_row for one in seen]).reshape(-1, 6)
    turn = np.radians(bearing[numbers])
    c, s = np.cos(turn), np.sin(turn)
    mass, height, xx, xy, yy, upright = masses.T
    across = s * s * xx - 2 * s * c * xy + c * c * yy
    wall, top = np.array([(one.wall_mm, one.height_mm) for one in seen]).reshape(-1, 2).T
    end = distance[numbers] + reach[numbers]
    bodies = np.stack(
        [distance[numbers], off[numbers], mass, height, across, upright, wall, end, top], axis=1
    )
    return View(parts[order], owners[order], bodies, numbers)
