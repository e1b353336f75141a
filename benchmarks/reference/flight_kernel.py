"""Flight kernels: free flight of one body, compiled; the methods are those of `brickphys.throws.flight`.

A motion is a row of thirteen numbers in millimetres and seconds: position and velocity of the centre of mass in the
world frame, orientation (body to world, scalar last), and spin *in the body frame*.

Corners are those of the core of the body. What touches the floor is the lowest point of the ball around a corner, which
has the corner's vertical speed.
"""

import math
from typing import NamedTuple

from brickphys.engines.kernels.flight_kernel import spin_change
from brickphys.engines.kernels.scalar_kernel import N, drop_time, fall, squared
from brickphys.engines.kernels.tables import GRAVITY_MM_S2, KernelBody
from brickphys.jit import kernel, outer_kernel
from brickphys.throws.flight import TURN_PER_STEP_RAD
from brickphys.units import Array, Indices

QUATERNION, VELOCITY = 3, 7
"""Index of the first number of these parts of a motion."""
_MAX_ADVANCES = 64
_SINE = tuple(1.0 / math.factorial(2 * k + 1) for k in range(7))
_COSINE = tuple(1.0 / math.factorial(2 * k) for k in range(7))
"""Coefficients of the series of sine and cosine, without their signs."""


class Corners(NamedTuple):
    """Heights and speeds of the v corners of one body."""

    height: Array
    """(v,): height above the floor of the lowest point of the ball around the corner."""
    rise: Array
    """(v,): vertical speed."""
    near: Indices
    """(v,): the corners that can soon touch the floor; only the first `number[0]` entries are valid."""
    number: Indices
    """(1,)"""


@kernel
def floor_normal(motion: Array) -> tuple[float, float, float]:
    """Return the upward direction in the body frame."""
    x, y, z, w = motion[3], motion[4], motion[5], motion[6]
    return 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)


@kernel
def measure(solid: KernelBody, motion: Array, corners: Corners) -> float:
    """Write height and vertical speed of every corner; return a bound of the vertical speed by spin."""
    nx, ny, nz = floor_normal(motion)
    wx, wy, wz = motion[10], motion[11], motion[12]
    # (w x r) . n = (n x w) . r
    cx, cy, cz = ny * wz - nz * wy, nz * wx - nx * wz, nx * wy - ny * wx
    z, vz = motion[2] - solid.edge, motion[9]
    for k in range(len(corners.height)):
        x, y, up = solid.x[k], solid.y[k], solid.z[k]
        corners.height[k] = z + (nx * x + ny * y + nz * up)
        corners.rise[k] = vz + (cx * x + cy * y + cz * up)
    return solid.radius * math.sqrt(cx * cx + cy * cy + cz * cz)


@kernel
def measure_near(solid: KernelBody, motion: Array, corners: Corners, ahead_s: float) -> float:
    """Measure the corners and list those that can touch the floor within `ahead_s`; return the least height of these.

    The other corners are higher. The result is infinite if no corner is listed.
    """
    down = measure(solid, motion, corners) - motion[9] + GRAVITY_MM_S2 * ahead_s
    limit = solid.touch + 2.0 * ahead_s * max(down, 0.0)
    number = 0
    for k in range(len(corners.height)):  # without a branch, which is often predicted wrongly
        corners.near[number] = k
        number += corners.height[k] <= limit
    corners.number[0] = number
    return corners.height[lowest(corners)] if number > 0 else math.inf


@kernel
def lowest(corners: Corners) -> int:
    """Return the lowest corner; it is a listed one if any are."""
    number = corners.number[0]
    listed = number > 0
    best = corners.near[0] if listed else 0
    for i in range(1, number if listed else len(corners.height)):
        k = corners.near[i] if listed else i
        if corners.height[k] < corners.height[best]:
            best = k
    return best


@kernel
def energy_mm(solid: KernelBody, motion: Array, gap: float) -> float:
    """Return kinetic plus potential energy over m g; a body that penetrates (`gap` < 0) counts as on the floor."""
    a, b, c = solid.inertia
    spinning = a * squared(motion[10]) + b * squared(motion[11]) + c * squared(motion[12])
    square = (
        squared(motion[7]) + squared(motion[8]) + squared(motion[9]) + spinning * solid.per_mass
    )
    energy: float = motion[2] - min(gap, 0.0) + square / (2 * GRAVITY_MM_S2)
    return energy


@kernel
def _half_sine(square: float) -> tuple[float, float]:
    """Return sin(a / 2) / a and cos(a / 2) for an angle a, given its square.

    Small angles use the series, which is exact within rounding and several times as fast.
    """
    if square > 0.25:
        angle = math.sqrt(square)
        return math.sin(0.5 * angle) / angle, math.cos(0.5 * angle)
    q, sine, cosine = 0.25 * square, 0.0, 0.0
    for k in range(len(_SINE) - 1, -1, -1):
        sine, cosine = _SINE[k] - q * sine, _COSINE[k] - q * cosine
    return 0.5 * sine, cosine


@kernel
def _turn(motion: Array, bx: float, by: float, bz: float, bw: float) -> None:
    """Rotate the body by a quaternion in its own frame."""
    ax, ay, az, aw = motion[3], motion[4], motion[5], motion[6]
    motion[3] = aw * bx + bw * ax + ay * bz - az * by
    motion[4] = aw * by + bw * ay + az * bx - ax * bz
    motion[5] = aw * bz + bw * az + ax * by - ay * bx
    motion[6] = aw * bw - ax * bx - ay * by - az * bz


@kernel
def _normalise(motion: Array) -> None:
    """Normalise a quaternion of nearly unit length, by one step of Newton's method for the inverse square root."""
    square = squared(motion[3]) + squared(motion[4]) + squared(motion[5]) + squared(motion[6])
    scale = 1.5 - 0.5 * square
    for k in range(QUATERNION, VELOCITY):
        motion[k] *= scale


@kernel
def rotate_freely(solid: KernelBody, motion: Array, time_s: float) -> None:
    """Rotate the body without torque.

    This is exact for a symmetric top: precession ``exp(L t / I1)``, then the rotation about the body's axis.
    """
    ex, ey, ez = solid.axis
    if ex + ey + ez == 0.0:
        _rotate_asymmetric(solid, motion, time_s)
        return
    own = motion[10] * ex + motion[11] * ey + motion[12] * ez
    excess = (solid.ratio - 1.0) * own
    px, py, pz = motion[10] + excess * ex, motion[11] + excess * ey, motion[12] + excess * ez
    share, half_cos = _half_sine((px * px + py * py + pz * pz) * time_s * time_s)
    share *= time_s
    _turn(motion, share * px, share * py, share * pz, half_cos)
    angle = -excess * time_s
    share, half_cos = _half_sine(angle * angle)
    half_sin = share * angle
    _turn(motion, half_sin * ex, half_sin * ey, half_sin * ez, half_cos)
    _normalise(motion)
    # in the body frame, the angular momentum rotates about the axis in the opposite direction
    sin, cos = 2 * half_sin * half_cos, 1 - 2 * half_sin * half_sin
    rest = (1.0 - cos) * (px * ex + py * ey + pz * ez)
    motion[10] = cos * px - sin * (ey * pz - ez * py) + (rest - excess) * ex
    motion[11] = cos * py - sin * (ez * px - ex * pz) + (rest - excess) * ey
    motion[12] = cos * pz - sin * (ex * py - ey * px) + (rest - excess) * ez


@kernel
def _rates(
    solid: KernelBody, q: tuple[N, N, N, N], w: tuple[N, N, N]
) -> tuple[tuple[N, N, N, N], tuple[N, N, N]]:
    x, y, z, s = q
    wx, wy, wz = w
    return (
        0.5 * (s * wx + y * wz - z * wy),
        0.5 * (s * wy + z * wx - x * wz),
        0.5 * (s * wz + x * wy - y * wx),
        -0.5 * (x * wx + y * wy + z * wz),
    ), spin_change(solid, wx, wy, wz)


@kernel
def _ahead(
    q: tuple[N, N, N, N],
    w: tuple[N, N, N],
    rates: tuple[tuple[N, N, N, N], tuple[N, N, N]],
    h: N,
) -> tuple[tuple[N, N, N, N], tuple[N, N, N]]:
    dq, dw = rates
    return (
        q[0] + h * dq[0],
        q[1] + h * dq[1],
        q[2] + h * dq[2],
        q[3] + h * dq[3],
    ), (w[0] + h * dw[0], w[1] + h * dw[1], w[2] + h * dw[2])


@outer_kernel
def turn_by_step(
    solid: KernelBody, q: tuple[N, N, N, N], w: tuple[N, N, N], h: N
) -> tuple[tuple[N, N, N, N], tuple[N, N, N]]:
    """Return quaternion and spin after a step of Runge-Kutta's method for free rotation."""
    first = _rates(solid, q, w)
    second = _rates(solid, *_ahead(q, w, first, 0.5 * h))
    third = _rates(solid, *_ahead(q, w, second, 0.5 * h))
    fourth = _rates(solid, *_ahead(q, w, third, h))
    q, w = _ahead(q, w, first, h / 6)
    q, w = _ahead(q, w, second, h / 3)
    q, w = _ahead(q, w, third, h / 3)
    return _ahead(q, w, fourth, h / 6)


@kernel
def _rotate_asymmetric(solid: KernelBody, motion: Array, time_s: float) -> None:
    """Integrate by Runge-Kutta in steps of `TURN_PER_STEP_RAD`; the error is below 1e-6 rad a turn (tested)."""
    spin = math.sqrt(squared(motion[10]) + squared(motion[11]) + squared(motion[12]))
    steps = max(1, math.ceil(spin * time_s / TURN_PER_STEP_RAD))
    h = time_s / steps
    q = (motion[3], motion[4], motion[5], motion[6])
    w = (motion[10], motion[11], motion[12])
    for _ in range(steps):
        q, w = turn_by_step(solid, q, w, h)
    motion[3], motion[4], motion[5], motion[6] = q
    motion[10], motion[11], motion[12] = w
    _normalise(motion)


@kernel
def fly(solid: KernelBody, motion: Array, time_s: float) -> None:
    """Move the body in free flight."""
    fall(motion, time_s)
    rotate_freely(solid, motion, time_s)


@kernel
def acceleration_bound(solid: KernelBody, motion: Array) -> float:
    """Return an upper bound of the downward acceleration of a corner in free flight.

    A corner at distance r gets at most r w^2 by the spin w and r |w'| by its change. Both are constant for a symmetric
    top. Else w is at most L / I_min, and |w'| at most w^2 (I_max - I_min) / I_min.
    """
    ex, ey, ez = solid.axis
    if ex + ey + ez > 0:
        square = squared(motion[10]) + squared(motion[11]) + squared(motion[12])
        ax, ay, az = spin_change(solid, motion[10], motion[11], motion[12])
        largest = square + math.sqrt(ax * ax + ay * ay + az * az)
        return GRAVITY_MM_S2 + float(largest * solid.radius)
    a, b, c = solid.inertia
    least = min(a, b, c)
    momentum = squared(a * motion[10]) + squared(b * motion[11]) + squared(c * motion[12])
    uneven = (max(a, b, c) - least) / least
    return GRAVITY_MM_S2 + float((1.0 + uneven) * momentum / squared(least) * solid.radius)


@kernel
def _sphere_time(solid: KernelBody, motion: Array) -> float:
    """Return the time at which the bounding sphere touches the floor; the body cannot touch earlier."""
    room, rise = motion[2] - solid.radius, motion[9]
    if room <= 0:
        return 0.0
    return drop_time(room, rise, GRAVITY_MM_S2)


@kernel
def _safe_time(corners: Corners, first: int, bound: float) -> tuple[float, int]:
    """Return a time before which no corner can touch the floor in free flight, and the corner that limits it.

    A corner that is above the floor at the best time so far cannot improve it. `first` is the corner that probably
    limits the time, so most others need no square root.
    """
    best, setter = drop_time(max(corners.height[first], 0.0), corners.rise[first], bound), first
    below, half = 0, 0.5 * bound * best
    for k in range(len(corners.height)):  # a sum of integers, which compilers vectorise
        below += corners.height[k] + (corners.rise[k] - half) * best < 0
    if below == 0:
        return best, setter
    for k in range(len(corners.height)):
        room = max(corners.height[k], 0.0)
        if room + (corners.rise[k] - 0.5 * bound * best) * best < 0:
            best, setter = drop_time(room, corners.rise[k], bound), k
    return best, setter


@kernel
def fly_to_touch(solid: KernelBody, motion: Array, corners: Corners, limit_s: float) -> float:
    """Fly until a corner touches the floor and does not rise, or until `limit_s`; return the time.

    The method is conservative advancement, see `brickphys.throws.flight.time_to_touch`. Corners that touch but rise
    have just bounced. The flight may end early, in the air; then call again. The corners must be measured before, and
    are measured afterwards.
    """
    bound = acceleration_bound(solid, motion)
    setter, elapsed = lowest(corners), 0.0
    for _ in range(_MAX_ADVANCES):
        down = 0
        for k in range(len(corners.height)):
            down += (corners.height[k] <= solid.touch) & (corners.rise[k] <= 0)
        if down > 0 or elapsed >= limit_s:
            break
        step, setter = _safe_time(corners, setter, bound)
        step = min(max(step, _sphere_time(solid, motion)), limit_s - elapsed)
        fly(solid, motion, step)
        measure(solid, motion, corners)
        elapsed += step
    return elapsed
