"""Peer libraries: Box2D, shapely, Coal and PyBullet, each asked where shapes that move first meet others.

Each gets the outlines and the motion, straight or a turn, of each vehicle that moves, and tells after which share of
the motion it first meets each thing that has a height in common with it. The benchmark `peers` runs them.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from brickphys.engines.client import connection
from brickphys.geometry.polygon import TOLERANCE
from brickphys.vehicles.course import resolve
from brickphys.vehicles.validation.bisection import Corners, Leg, corners_of, meetings, shapely

STEP_STUDS = 0.05
"""Of shapely in steps: how far a corner moves between two looks."""
MOST_ADVANCES = 1000
_SLIDE = 1e-6
"""Share of the speed of the fastest corner at which one slides."""
_LEVEL = (1.0, 2.0)
"""Half the heights of movers and of things, in three dimensions: their tops never meet."""
_TILT = 2e-3
"""Radians by which a normal may be off: the root of twice the tolerance of Coal."""

Shares = dict[str, float]
"""Thing -> share of the motion after which it is first met."""
First = Callable[[Leg, Any, Any], float | None]
"""Returns the share of a leg after which a shape that moves first meets one that does not."""


class Peer(NamedTuple):
    """A library with a way to use it."""

    tolerance: float
    """Studs by which it may be off, by its own settings."""
    shares: Callable[[Sequence[Leg]], Iterator[Shares | None]]
    """Returns what each leg meets; None if the library refuses a shape."""


def by_pairs(
    shape: Callable[[Corners, bool], Any], first: First, clear: Callable[[], None] = lambda: None
) -> Any:
    """Return the shares of a library that compares two shapes; `shape` gets corners and whether they move."""

    def shares(legs: Sequence[Leg]) -> Iterator[Shares | None]:
        for leg in legs:
            try:
                yield _shares(leg, shape, first)
            except (ValueError, RuntimeError, AssertionError):
                yield None
            clear()

    return shares


def _shares(leg: Leg, shape: Callable[[Corners, bool], Any], first: First) -> Shares:
    found: Shares = {}
    own = {vehicle.id for vehicle in leg.scene.moving}
    things = [
        (thing, shape(true_corners(corners_of(thing)), False))
        for thing in leg.scene.things
        if thing.id not in own
    ]
    for vehicle, corners in zip(leg.scene.moving, leg.parts(0.0), strict=True):
        ours = shape(corners, True)
        for thing, theirs in things:
            top = min(vehicle.top_plates, thing.top_plates)
            if top - max(vehicle.bottom_plates, thing.bottom_plates) > TOLERANCE:
                share = first(leg, ours, theirs)
                if share is not None:
                    found[thing.id] = min(share, found.get(thing.id, 1.0))
    return found


def true_corners(ring: Corners) -> Corners:
    """Return the corners of a polygon without those on straight edges, on which Box2D crashes at times."""
    before, after = np.roll(ring, 1), np.roll(ring, -1)
    off = ((ring - before).conj() * (after - before)).imag / np.abs(after - before)
    return ring[np.abs(off) > TOLERANCE]


def advanced(
    leg: Leg,
    corners: Corners,
    gap: Callable[[float], tuple[float, complex]],
    near: float,
    surplus: float = 0.0,
) -> float | None:
    """Return the share after which two convex shapes touch, by conservative advancement; None if they do not.

    No corner can cross the line that parts both before it has come to it, by its speed across that line and the bend of
    its arc.

    Parameters
    ----------
    corners
        Those of the shape that moves, where it starts.
    gap
        Returns how far they are apart after a share, and in which direction the other one lies.
    near
        Studs at which they touch.
    surplus
        By how much they may be nearer, and the same times their distance.
    """
    share, arms = 0.0, np.abs(corners - leg.pivot)
    fastest = abs(leg.path) or abs(leg.angle_rad) * arms.max()
    bends = arms * leg.angle_rad**2
    for _ in range(MOST_ADVANCES):
        apart, towards = gap(share)
        if apart < -near:
            return share
        here = leg.pivot + (corners - leg.pivot) * np.exp(1j * leg.angle_rad * share)
        reach = ((here + leg.path * share) * towards.conjugate()).real
        ways = (leg.path or 1j * leg.angle_rad * (here - leg.pivot)) * towards.conjugate()
        speeds = ways.real + np.zeros(len(here))
        room = np.maximum(apart - surplus * (1 + apart) + reach.max() - reach, 0.0)
        touching = (room.min() <= near) & (room <= near + _TILT * arms.max())
        coming = touching & (speeds > _SLIDE * fastest)
        if coming.any():
            return share + max(apart, 0.0) / float(speeds[coming].max())
        roots = np.sqrt(speeds**2 + 2 * bends * room)
        with np.errstate(divide="ignore", invalid="ignore"):
            steps = np.where(speeds > 0, 2 * room / (speeds + roots), (roots - speeds) / bends)
        share += max(float(np.nanmin(steps, initial=2.0)), 1e-9)
        if share > 1:
            return None
    return share


def box_of(corners: Corners) -> tuple[complex, float, float, float] | None:
    """Return the middle, the heading and half the sizes of a rectangle; None of another polygon."""
    middle = complex(corners.mean())
    if len(corners) != 4 or np.ptp(np.abs(corners - middle)) > 1e-12 * abs(middle):
        return None
    along, across = complex(corners[1] - corners[0]), complex(corners[2] - corners[1])
    return middle, math.atan2(along.imag, along.real), abs(along) / 2, abs(across) / 2


def box2d(turn_deg: float) -> Peer:
    """Box2D: its time of impact of two polygons, a stud as a metre, all relative to the mover as its floats are short.

    Source: its manual and ``b2TimeOfImpact``, which ends where cores are the linear slop of 0.005 apart, a quarter of
    it more or less.
    """
    library = import_module("Box2D")
    states = (library.b2TOIOutput.e_touching, library.b2TOIOutput.e_overlapped)

    def shape(corners: Corners, _: bool) -> tuple[Any, complex]:
        middle = complex(corners.mean())
        flat = corners - middle
        area = abs((flat.conj() * np.roll(flat, -1)).imag.sum()) / 2
        if area < 1e-6 * np.abs(flat).max() ** 2:
            raise ValueError("too thin for floats: Box2D crashes")
        return library.b2PolygonShape(vertices=[(c.real, c.imag) for c in flat.tolist()]), middle

    def sweep(start: complex, end: complex, angles: tuple[float, float], pivot: complex) -> Any:
        made = library.b2Sweep()
        made.c0, made.c = (start.real, start.imag), (end.real, end.imag)
        made.a0, made.a = angles
        made.localCenter, made.alpha0 = (pivot.real, pivot.imag), 0.0
        return made

    def first(leg: Leg, ours: tuple[Any, complex], theirs: tuple[Any, complex]) -> float | None:
        there = theirs[1] - leg.centre
        still = sweep(there, there, (0.0, 0.0), 0j)
        parts = math.ceil(abs(math.degrees(leg.angle_rad)) / turn_deg) or 1
        for part in range(parts):
            start = (leg.pivot if leg.angle_rad else ours[1]) - leg.centre
            angles = (leg.angle_rad * part / parts, leg.angle_rad * (part + 1) / parts)
            middle = leg.pivot - ours[1] if leg.angle_rad else 0j
            state, share = library.b2TimeOfImpact(
                shapeA=ours[0], shapeB=theirs[0], idxA=0, idxB=0,
                sweepA=sweep(start, start + leg.path, angles, middle), sweepB=still, tMax=1.0,
            )  # fmt: skip
            if state in states:
                return float((part + share) / parts)
        return None

    return Peer(0.0065, by_pairs(shape, first))


def coal() -> Peer:
    """Coal: conservative advancement by its signed distance.

    The tolerance of that is 1e-6, and as much times the distance, if nobody says otherwise.
    """
    library = import_module("coal")
    request, result, near = library.DistanceRequest(), library.DistanceResult(), 1e-6

    def placed(at: complex, turn_rad: float) -> Any:
        c, s = math.cos(turn_rad), math.sin(turn_rad)
        rotation = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        return library.Transform3s(rotation, np.array([at.real, at.imag, 0.0]))

    def shape(corners: Corners, moves: bool) -> tuple[Any, complex, float, Corners]:
        level, box = _LEVEL[not moves], box_of(corners)
        if box:
            middle, heading, *sizes = box
            return library.Box(*(2 * size for size in (*sizes, level))), middle, heading, corners
        middle = complex(corners.mean())
        return prism(corners - middle, level), middle, 0.0, corners

    def prism(ring: Corners, level: float) -> Any:
        """Return a prism with its faces: Qhull, which Coal would ask for them, crashes on slivers."""
        ring = ring if (ring.conj() * np.roll(ring, -1)).imag.sum() > 0 else ring[::-1]
        points, faces, count = library.StdVec_Vec3s(), library.StdVec_Triangle(), len(ring)
        for z in (-level, level):
            for corner in ring.tolist():
                points.append(np.array([corner.real, corner.imag, z]))
        for k in range(1, count - 1):
            faces.append(library.Triangle(0, k + 1, k))
            faces.append(library.Triangle(count, count + k, count + k + 1))
        for k in range(count):
            after = (k + 1) % count
            faces.append(library.Triangle(k, after, count + after))
            faces.append(library.Triangle(k, count + after, count + k))
        return library.Convex(points, faces)

    def first(leg: Leg, ours: Any, theirs: Any) -> float | None:
        there = placed(*theirs[1:3])

        def gap(share: float) -> tuple[float, complex]:
            here = placed(leg.moved(ours[1], share), ours[2] + leg.angle_rad * share)
            result.clear()
            apart = library.distance(ours[0], here, theirs[0], there, request, result)
            return apart, complex(result.normal[0], result.normal[1])

        return advanced(leg, ours[3], gap, near, near)

    return Peer(1e-4, by_pairs(shape, first))


def pybullet() -> Peer:
    """PyBullet: conservative advancement by ``getClosestPoints``, a stud as a unit; hulls lie on a grid of Bullet's."""
    world = connection()
    client = world.__enter__()  # open until the process ends
    near, margin = 1e-3, 1e-4

    def shape(corners: Corners, moves: bool) -> tuple[int, complex, float, Corners]:
        level, box = _LEVEL[not moves], box_of(corners)
        if box:
            middle, heading, *sizes = box
            form = client.createCollisionShape(client.GEOM_BOX, halfExtents=[*sizes, level])
        else:
            middle, heading = complex(corners.mean()), 0.0
            flat = [
                [c.real, c.imag, z] for c in (corners - middle).tolist() for z in (-level, level)
            ]
            form = client.createCollisionShape(client.GEOM_MESH, vertices=flat)
        body = client.createMultiBody(0, form)
        client.changeDynamics(body, -1, collisionMargin=margin)
        place(body, middle, heading)
        return body, middle, heading, corners

    def place(body: int, at: complex, turn_rad: float) -> None:
        turn = [0.0, 0.0, math.sin(turn_rad / 2), math.cos(turn_rad / 2)]
        client.resetBasePositionAndOrientation(body, [at.real, at.imag, 0.0], turn)

    def first(leg: Leg, ours: Any, theirs: Any) -> float | None:
        def gap(share: float) -> tuple[float, complex]:
            _ = world  # a connection closes with what opened it
            place(ours[0], leg.moved(ours[1], share), ours[2] + leg.angle_rad * share)
            points = client.getClosestPoints(ours[0], theirs[0], 1e5)
            nearest = min(points, key=lambda point: float(point[8]))
            return nearest[8], -complex(*nearest[7][:2])

        return advanced(leg, ours[3], gap, near)

    return Peer(0.02, by_pairs(shape, first, client.resetSimulation))


def in_steps() -> Peer:
    """Shapely in steps, as it is often used: the first place at which outlines intersect, then bisection before it."""
    module = shapely()

    def outlines(corners: Corners) -> Any:
        return module.polygons(np.stack([corners.real, corners.imag], axis=-1))

    def there(leg: Leg, ours: Corners, shares: Any) -> Any:
        turn = np.exp(1j * leg.angle_rad * shares)[:, None]
        return outlines(leg.pivot + (ours - leg.pivot) * turn + leg.path * shares[:, None])

    def first(leg: Leg, ours: Corners, theirs: Corners) -> float | None:
        arm = float(np.abs(ours - leg.pivot).max())
        other, way = outlines(theirs), abs(leg.path) or abs(leg.angle_rad) * arm
        shares = np.linspace(0, 1, 1 + math.ceil(way / STEP_STUDS))
        met = np.flatnonzero(module.intersects(there(leg, ours, shares), other))
        if not len(met) or not met[0]:
            return 0.0 if len(met) else None
        low, high = shares[met[0] - 1], shares[met[0]]
        while high - low > 0.01 * TOLERANCE / way:
            middle = (low + high) / 2
            is_met = module.intersects(there(leg, ours, np.array([middle])), other)[0]
            low, high = (low, middle) if is_met else (middle, high)
        return float(high)

    return Peer(STEP_STUDS, by_pairs(lambda corners, _: corners, first))


def by_bisection() -> Peer:
    """Shapely by bisection on swept areas, which are convex: the independent check of the sweep."""

    def shares(legs: Sequence[Leg]) -> Iterator[Shares | None]:
        for leg, met in zip(legs, meetings(legs), strict=True):
            yield {name: one.at / leg.extent for name, one in met.items() if one.is_hit}

    return Peer(TOLERANCE, shares)


def exact() -> Peer:
    """Our own sweep, which is also what the referee judges by: this row tells its speed alone."""

    def shares(legs: Sequence[Leg]) -> Iterator[Shares | None]:
        for leg in legs:
            yield {hit.id: hit.at / leg.extent for hit in resolve(leg.scene).hits}

    return Peer(TOLERANCE, shares)


PEERS: dict[str, Callable[[], Peer]] = {
    "brickphys": exact,
    "shapely, bisection": by_bisection,
    "shapely, steps": in_steps,
    "Box2D": partial(box2d, 90.0),  # the most that it lets a body turn in a step
    "Box2D, finer turns": partial(box2d, 10.0),
    "Coal": coal,
    "PyBullet": pybullet,
}
