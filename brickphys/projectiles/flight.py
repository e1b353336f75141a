"""Flight: paths with drag, from release over the bounces on the table until the projectile has rolled to rest.

Drag is quadratic: a projectile loses the share k of its speed on each metre of its way. Drag acts against the velocity,
so the slope p = dz/dx obeys dp/dx = -g / vx2 exactly, and dvx/dx = -k sqrt(1 + p2) vx. Over a short arc the root is
nearly constant, and height, slope, speed and time are closed forms (Siacci's method; McCoy, Modern Exterior Ballistics,
1999, chapter 8). The way to the first touch has `PIECES` arcs, each hop one. Against integrated paths the height is
right within 1.5 mm up to 7 m (tested).

A ball strikes the table without spin at first. A bounce reverses the vertical speed times the restitution; friction
takes horizontal speed until the ball rolls, at most its coefficient times the vertical impulse. When hops are lower
than `LOWEST_HOP_M`, slip ends at once and the ball rolls at constant deceleration. Stones bounce like balls of their
mean size, which tumbling bricks do only on average.
"""

from dataclasses import dataclass

import numpy as np

from brickphys.units import GRAVITY_M_S2, Array, Indices

DIRECT, BOUNCED, ROLLED = range(3)
"""Phases of a flight: before the first touch of the table, between touches, and rolling."""
PIECES = 4
LOWEST_HOP_M = 0.0005
MOST_HOPS = 12
FAR_M = 20.0
"""A hop is cut off at this length: no table is as long."""
_GRIP = 2.0 / 7.0
"""Share of the slip that a solid ball loses as horizontal speed until it rolls; the rest becomes spin."""


@dataclass(frozen=True)
class GroundContact:
    """How the table takes a projectile."""

    restitution: float
    friction: float
    """Of a bounce, Newton's and Coulomb's."""
    rolling: float
    """Deceleration of rolling over gravity."""


@dataclass(frozen=True, eq=False)
class Flights:
    """Paths in the plane of flight, as arcs. All arrays have the shape (n, arcs), for n flights."""

    start_m: Array
    """Distance from the release, at which an arc begins; never decreasing."""
    height_m: Array
    slope: Array
    speed_m_s: Array
    """Height of the projectile's centre, slope and horizontal speed there."""
    drag_per_m: Array
    """Loss of horizontal speed on a metre over the ground; 0 while it rolls."""
    phase: Indices
    """`DIRECT`, `BOUNCED` or `ROLLED`; the last arc alone rolls."""
    rolling_m_s2: float
    """Deceleration of rolling, a number."""

    def at(self, distance_m: Array | float) -> "Passing":
        """Return the flights at distances that broadcast to (n,); beyond their rest they have speed 0."""
        x = np.broadcast_to(distance_m, self.start_m.shape[:1])
        arc = (self.start_m <= x[:, None]).sum(axis=1) - 1
        rows = np.arange(len(x)), np.maximum(arc, 0)
        dx = x - self.start_m[rows]
        height, slope, speed = arc_at(
            dx,
            self.height_m[rows],
            self.slope[rows],
            self.speed_m_s[rows],
            self.drag_per_m[rows],
        )
        rolls = self.phase[rows] == ROLLED
        left = np.sqrt(np.maximum(self.speed_m_s[rows] ** 2 - 2 * self.rolling_m_s2 * dx, 0.0))
        return Passing(
            np.where(rolls, self.height_m[rows], height),
            np.where(rolls, 0.0, slope),
            np.where(rolls, left, speed),
            self.phase[rows],
        )


@dataclass(frozen=True, eq=False)
class Passing:
    """Flights at one distance each, shape (n,): height of the centre, slope, horizontal speed and phase."""

    height_m: Array
    slope: Array
    speed_m_s: Array
    phase: Indices


def arc_at(
    dx_m: Array, height_m: Array, slope: Array, speed_m_s: Array, drag_per_m: Array
) -> tuple[Array, Array, Array]:
    """Return height, slope and horizontal speed at a distance from the start of arcs of constant relative drag.

    All arguments broadcast; without drag this is the parabola.
    """
    u = 2.0 * drag_per_m * dx_m
    fall = GRAVITY_M_S2 * dx_m / speed_m_s**2
    small = np.abs(u) < 1e-4
    v = np.where(small, 1.0, u)
    once = np.where(small, 1.0 + u / 2, np.expm1(u) / v)
    twice = np.where(small, 0.5 + u / 6, (np.expm1(u) - u) / v**2)
    return (
        height_m + dx_m * (slope - fall * twice),
        slope - fall * once,
        speed_m_s * np.exp(-u / 2),
    )


def flights(
    speed_m_s: Array,
    elevation_deg: Array,
    release_mm: float,
    radius_mm: float,
    drag_per_m: float,
    ground: GroundContact,
    hops: int = MOST_HOPS,
) -> Flights:
    """Return the paths of projectiles released with speeds and elevations, shape (n,).

    Parameters
    ----------
    speed_m_s, elevation_deg
        At the release; speeds above 0, elevations within 80 degrees of level.
    release_mm
        Height of the centre at release, above the radius.
    radius_mm
        Of the projectile, or of the ball of its mean size.
    drag_per_m
        Share of its speed that it loses on a metre of its way.
    hops
        Touches of the table after which they roll at the latest.
    """
    rise, floor = np.radians(elevation_deg), radius_mm / 1000.0
    arc = _Arc(
        np.zeros_like(rise),
        np.full_like(rise, release_mm / 1000.0),
        np.tan(rise),
        speed_m_s * np.cos(rise),
    )
    arcs, spin = [], np.zeros_like(rise)
    way = arc.landing(floor, drag_per_m) / PIECES
    for _ in range(PIECES - 1):
        arcs.append((arc, arc.drag(drag_per_m, way), DIRECT))
        arc = arc.after(way, arcs[-1][1])
    phase = DIRECT
    for _ in range(hops):
        way = arc.landing(floor, drag_per_m)
        arcs.append((arc, arc.drag(drag_per_m, way), phase))
        arc, spin = _bounced(arc.after(way, arcs[-1][1]), spin, floor, ground)
        phase = BOUNCED
        if (arc.slope * arc.speed_m_s).max() ** 2 < 2.0 * GRAVITY_M_S2 * LOWEST_HOP_M:
            break
    rolling = arc.speed_m_s - _GRIP * (arc.speed_m_s - spin)
    flat = np.zeros_like(rise)
    arcs.append((_Arc(arc.start_m, arc.height_m, flat, rolling), flat, ROLLED))
    return Flights(
        np.stack([arc.start_m for arc, _, _ in arcs], axis=1),
        np.stack([arc.height_m for arc, _, _ in arcs], axis=1),
        np.stack([arc.slope for arc, _, _ in arcs], axis=1),
        np.stack([arc.speed_m_s for arc, _, _ in arcs], axis=1),
        np.stack([drag for _, drag, _ in arcs], axis=1),
        np.tile([phase for _, _, phase in arcs], (len(rise), 1)),
        ground.rolling * GRAVITY_M_S2,
    )


@dataclass(frozen=True, eq=False)
class _Arc:
    """The start of an arc of each flight, shape (n,)."""

    start_m: Array
    height_m: Array
    slope: Array
    speed_m_s: Array

    def landing(self, floor_m: float, drag_per_m: float) -> Array:
        """Return the distance over the ground to the floor, at most `FAR_M`.

        Newton's method on a concave path, from the landing without drag, which is farther.
        """
        rise = self.slope * self.speed_m_s
        above = np.maximum(self.height_m - floor_m, 0.0)
        time_s = (rise + np.sqrt(rise**2 + 2.0 * GRAVITY_M_S2 * above)) / GRAVITY_M_S2
        way = np.minimum(self.speed_m_s * time_s, FAR_M)
        for _ in range(20):
            drag = self.drag(drag_per_m, way)
            height, slope, _ = arc_at(way, above, self.slope, self.speed_m_s, drag)
            step = np.where(slope < 0, height / np.minimum(slope, -1e-12), 0.0)
            way = np.maximum(way - step, 0.0)
            if np.abs(step).max() < 1e-7:
                break
        return way

    def drag(self, drag_per_m: float, way_m: Array) -> Array:
        """Return the drag on a metre over the ground: times the mean of sqrt(1 + p2) over a way, by Simpson's rule."""
        turn = GRAVITY_M_S2 * way_m / self.speed_m_s**2
        first, middle, last = (
            self.slope - share * turn * (1.0 + share * drag_per_m * way_m)
            for share in (0.0, 0.5, 1.0)
        )
        whole = np.sqrt(1.0 + first**2) + 4.0 * np.sqrt(1.0 + middle**2) + np.sqrt(1.0 + last**2)
        return np.asarray(drag_per_m / 6.0 * whole)

    def after(self, way_m: Array, drag_per_m: Array) -> "_Arc":
        """Return the start of the next arc after a way over the ground."""
        height, slope, speed = arc_at(way_m, self.height_m, self.slope, self.speed_m_s, drag_per_m)
        return _Arc(self.start_m + way_m, height, slope, speed)


def _bounced(arc: _Arc, spin: Array, floor_m: float, ground: GroundContact) -> tuple[_Arc, Array]:
    """Return the arcs after a bounce, and the speed of the balls' surface by spin."""
    fall = np.maximum(-arc.slope * arc.speed_m_s, 0.0)
    slip = arc.speed_m_s - spin
    most = ground.friction * (1.0 + ground.restitution) * fall
    loss = np.clip(_GRIP * slip, -most, most)
    speed = arc.speed_m_s - loss
    up = ground.restitution * fall / speed
    return _Arc(arc.start_m, np.full_like(up, floor_m), up, speed), spin + 2.5 * loss
