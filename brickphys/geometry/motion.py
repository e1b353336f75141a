"""Motion: a rigid body goes straight ahead or turns about a point, and what it meets first.

A contact is where two footprints touch, along which normal, and on which edge.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import acos, atan2, copysign, degrees, hypot, inf, radians, tau
from typing import NamedTuple

import numpy as np

from brickphys.geometry.border_kernel import border_contact
from brickphys.geometry.obstacles import Body, Obstacles
from brickphys.geometry.polygon import (
    TOLERANCE,
    Point,
    Polygon,
    intersection,
    turned_points,
    unit_vector,
)
from brickphys.geometry.pose import Pose
from brickphys.geometry.shape import solid_of, start_contacts
from brickphys.geometry.sweep import sweep, swing
from brickphys.geometry.sweep_kernel import contact
from brickphys.units import Array

Transform = tuple[float, float, float, float]
"""Cosine and sine of a turn about the origin, and a shift after it in studs."""


class ContactPoint(NamedTuple):
    """Where a mover and an obstacle meet."""

    point_studs: Point
    """The middle of what they share on the obstacle; for an overlap at the start, the centre of the common area."""
    normal: Point
    """Unit vector, outward from the obstacle; for an overlap at the start, where they are least deep in each other."""
    edge: int | None
    """Which edge of the obstacle is touched; None at a corner, and for an overlap at the start."""
    on_face: bool
    """Whether a face of either is touched; else corners meet, which have no one normal, or they overlap at the
    start."""


def contact_point(
    mover: Polygon, transform: Transform, hit: Polygon, axis: int | None
) -> ContactPoint:
    """Return where a mover touches an obstacle.

    `transform` is what the motion has done to it at the touch. `axis` is the edge whose line parts them, as
    `brickphys.geometry.sweep` tells it, if it is known.
    """
    x, y, nx, ny, edge, on_face = contact(
        hit.edges, mover.vertices_studs, transform, -1 if axis is None else axis, TOLERANCE
    )
    return ContactPoint((x, y), (nx, ny), edge if edge >= 0 else None, on_face)


def overlap_contact(mover: Polygon, hit: Polygon) -> ContactPoint:
    """Return the centre of what a mover has in common with an obstacle that it overlaps at the start."""
    met = contact_point(mover, (1.0, 0.0, 0.0, 0.0), hit, None)
    # far from the origin a sliver rounds away: it is cut out near one, and if it still vanishes, faces meet there
    origin = mover.vertices_studs[0]
    common = intersection(mover.moved(-origin), hit.moved(-origin))
    if common:
        x, y = np.add(common.centroid_studs, origin).tolist()
        return ContactPoint((x, y), met.normal, None, False)
    return ContactPoint(met.point_studs, met.normal, None, False)


class BorderContact(NamedTuple):
    """Where outlines of any form meet, and which of their parts do; None for an overlap at the start."""

    point: ContactPoint
    mover_part: int | None
    hit_part: int | None


class Touch(NamedTuple):
    """The first meeting of a body with one obstacle."""

    number: int
    at: float
    """How far the motion has come: studs, or degrees of a turn; 0 for an overlap at the start."""
    part: int
    axis: int | None
    """Which edge parts them then (see `brickphys.geometry.sweep`); None if that is not known."""
    overlaps_at_start: bool
    """Whether they overlap before the motion begins."""


@dataclass(frozen=True)
class Motion(ABC):
    """A motion of a rigid body in the plane."""

    extent: float
    """How far it goes: studs, or degrees of a turn; not negative."""

    @abstractmethod
    def touches(self, body: Body, obstacles: Obstacles) -> list[Touch]:
        """Return the first meetings of all parts of a body; none of them stops it."""

    @abstractmethod
    def transform(self, at: float) -> Transform:
        """Return what the motion has done when it has come so far."""

    @abstractmethod
    def numbers(self, until: float) -> tuple[float, float, float, float]:
        """Return it as kernels read it: direction, length and 0; or pivot, radians, and 1 for a left turn, else -1."""

    @abstractmethod
    def turned_deg(self, at: float) -> float:
        """Return how far it has turned the body then, counter-clockwise."""

    @abstractmethod
    def way(self, point_studs: Point) -> Point | None:
        """Return the direction in which a point of the body moves, a unit vector; None if it does not."""

    @abstractmethod
    def to_border(self, point_studs: Point, size_studs: Point) -> float:
        """Return how far the motion comes before it carries a point off a field; infinite if it does not.

        The field is a rectangle from the origin. A point beyond by no more than the tolerance is on it.
        """

    def pose(self, start: Pose, at: float) -> Pose:
        """Return the pose when the motion has come so far."""
        c, s, dx, dy = self.transform(at)
        x, y, heading_deg = start
        return Pose(c * x - s * y + dx, s * x + c * y + dy, heading_deg + self.turned_deg(at))

    @abstractmethod
    def placed(self, body: Body, at: float) -> Body:
        """Return a body when the motion has come so far."""

    def placed_border(self, border: Array, at: float) -> Array:
        """Return a border (`brickphys.geometry.border_kernel`) when the motion has come so far."""
        c, s, dx, dy = self.transform(at)
        found = border.copy()
        points = turned_points(found[:, :6].reshape(-1, 2), c, s) + np.array((dx, dy))
        found[:, :6] = points.reshape(-1, 6)
        return found

    def contact(self, body: Body, touch: Touch, obstacles: Obstacles) -> ContactPoint:
        """Return where a body touches an obstacle."""
        mover, hit = body[touch.part].footprint, obstacles.prisms[touch.number].footprint
        if touch.overlaps_at_start:
            return overlap_contact(mover, hit)
        return contact_point(mover, self.transform(touch.at), hit, touch.axis)

    def border_contact(self, mover: Array, touch: Touch, hit: Array) -> "BorderContact":
        """Return where two outlines of any form touch, given their borders before the motion."""
        if touch.overlaps_at_start:
            x, y, nx, ny = start_contacts([solid_of(mover)], [solid_of(hit)])[0].tolist()
            return BorderContact(ContactPoint((x, y), (nx, ny), None, False), None, None)
        best, edge = border_contact(hit, mover, self.transform(touch.at), self.numbers(self.extent))
        on_face, row, other, x, y, nx, ny = (best + 0.0)[[1, 6, 7, 8, 9, 10, 11]].tolist()
        point = ContactPoint((x, y), (nx, ny), edge if edge >= 0 else None, on_face == 1.0)
        return BorderContact(point, int(mover[int(other), 7]), int(hit[int(row), 7]))


@dataclass(frozen=True)
class Translation(Motion):
    """A straight motion; its extent is in studs."""

    direction: Point
    """Unit vector."""

    def touches(self, body: Body, obstacles: Obstacles) -> list[Touch]:
        """Return the first meetings of all parts of a body; none of them stops it."""
        return [
            Touch(number, at, part, axis, overlaps)
            for part, prism in enumerate(body)
            for number, at, axis, overlaps in sweep(prism, self.direction, self.extent, obstacles)
        ]

    def transform(self, at: float) -> Transform:
        return 1.0, 0.0, at * self.direction[0], at * self.direction[1]

    def numbers(self, until: float) -> tuple[float, float, float, float]:
        return (*self.direction, until, 0.0)

    def turned_deg(self, at: float) -> float:
        return 0.0

    def way(self, point_studs: Point) -> Point:
        return self.direction

    def to_border(self, point_studs: Point, size_studs: Point) -> float:
        """Return how far the motion comes before it carries a point off a field; infinite if it does not."""
        found = inf
        for start, speed, limit in zip(point_studs, self.direction, size_studs, strict=True):
            to_go = limit - start if speed > 0 else start
            if abs(speed) * self.extent > to_go + TOLERANCE:
                found = min(found, max(to_go, 0.0) / abs(speed))
        return found

    def placed(self, body: Body, at: float) -> Body:
        shift = self.transform(at)[2:]
        return tuple(prism.on(prism.footprint.moved(shift)) for prism in body)


@dataclass(frozen=True)
class Rotation(Motion):
    """A turn about a point; its extent is in degrees, up to 360."""

    pivot_studs: Point
    sense: float
    """1 for a counter-clockwise turn, -1 for a clockwise one."""

    @staticmethod
    def by(pivot_studs: Point, angle_deg: float) -> "Rotation":
        """Return a turn by an angle, counter-clockwise if it is above 0."""
        return Rotation(abs(angle_deg), pivot_studs, copysign(1.0, angle_deg))

    def touches(self, body: Body, obstacles: Obstacles) -> list[Touch]:
        """Return the first meetings of all parts of a body; none of them stops it."""
        angle_deg = self.turned_deg(self.extent)
        return [
            Touch(number, abs(angle), part, None, overlaps)
            for part, prism in enumerate(body)
            for number, angle, overlaps in swing(prism, self.pivot_studs, angle_deg, obstacles)
        ]

    def transform(self, at: float) -> Transform:
        c, s = unit_vector(self.turned_deg(at))
        x, y = self.pivot_studs
        return c, s, x - (c * x - s * y), y - (s * x + c * y)

    def numbers(self, until: float) -> tuple[float, float, float, float]:
        return (*self.pivot_studs, radians(until), self.sense)

    def turned_deg(self, at: float) -> float:
        return self.sense * at

    def way(self, point_studs: Point) -> Point | None:
        """Return the direction in which a point of the body moves, a unit vector; None at the pivot."""
        x, y = point_studs[0] - self.pivot_studs[0], point_studs[1] - self.pivot_studs[1]
        far = hypot(x, y)
        return (-self.sense * y / far, self.sense * x / far) if far > TOLERANCE else None

    def to_border(self, point_studs: Point, size_studs: Point) -> float:
        """Return how far the motion comes before it carries a point off a field; infinite if it does not.

        The distance of the point beyond a side is that of the pivot plus r cos(b + t) after a turn by t.
        """
        (px, py), (width, height) = self.pivot_studs, size_studs
        x, y = point_studs[0] - px, point_studs[1] - py
        far, bearing = hypot(x, y), atan2(y, x)
        found = inf
        for normal, room in ((0, width - px), (90, height - py), (180, px), (270, py)):
            if not far > abs(room + TOLERANCE):
                continue  # the circle is all on this side, or the point does not move
            ahead = self.sense * (bearing - radians(normal))
            beyond = (-acos((room + TOLERANCE) / far) - ahead) % tau
            if beyond < radians(self.extent):
                touch = beyond - acos(max(room / far, -1.0)) + acos((room + TOLERANCE) / far)
                found = min(found, max(degrees(touch), 0.0))
        return found

    def placed(self, body: Body, at: float) -> Body:
        angle_deg = self.turned_deg(at)
        return tuple(
            prism.on(prism.footprint.turned(self.pivot_studs, angle_deg)) for prism in body
        )
