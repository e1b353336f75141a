"""Flight kernels: one body in the air, as in `brickphys.throws.flight` but one at a time and compiled.

A motion is a row of thirteen numbers in millimetres and seconds: position and velocity of the centre of mass in the
world frame, orientation (body to world, scalar last), and spin *in the body frame*.
"""

import math
from typing import NamedTuple

from brickphys.arrays import Array, Indices
from brickphys.jit import kernel
from brickphys.throws.flight import TURN_PER_STEP_RAD
from brickphys.units import GRAVITY_M_S2

GRAVITY_MM_S2 = 1000.0 * GRAVITY_M_S2
QUATERNION, VELOCITY = 3, 7
"""Where these parts of a motion start."""
_MAX_ADVANCES = 64
_SINE = tuple(1.0 / math.factorial(2 * k + 1) for k in range(7))
_COSINE = tuple(1.0 / math.factorial(2 * k) for k in range(7))
"""Series of the sine and the cosine, without their signs."""


class KernelBody(NamedTuple):
    """One body for the kernels: numbers and flat arrays only, with the quotients that they need all the time."""

    x: Array
    y: Array
    z: Array
    per_mass: float
    per_inertia: tuple[float, float, float]
    inertia: tuple[float, float, float]
    euler: tuple[float, float, float]
    """Factors in Euler's equations: (I2 - I3) / I1 and so on."""
    axis: tuple[float, float, float]
    """Symmetry axis as a unit vector; zero if all three moments differ."""
    ratio: float
    """Moment about the symmetry axis over the other two."""
    radius: float
    """Distance of the farthest corner."""
    touch: float
    """A corner this close to the floor touches it."""


class Sight(NamedTuple):
    """Where the corners of one body are; v is their number."""

    height: Array
    """(v,): above the floor."""
    rise: Array
    """(v,): vertical speed."""
    near: Indices
    """(v,): the corners that can be down soon; the first `number[0]` entries count."""
    number: Indices
    """(1,)"""


@kernel
def floor_normal(motion: Array) -> tuple[float, float, float]:
    """Return the upward direction in the body frame."""
    x, y, z, w = motion[3], motion[4], motion[5], motion[6]
    return 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)


@kernel
def measure(solid: KernelBody, motion: Array, sight: Sight) -> float:
    """Write height and vertical speed of every corner; return the largest share of the speed that spin can have."""
    nx, ny, nz = floor_normal(motion)
    wx, wy, wz = motion[10], motion[11], motion[12]
    # (w x r) . n = (n x w) . r
    cx, cy, cz = ny * wz - nz * wy, nz * wx - nx * wz, nx * wy - ny * wx
    z, vz = motion[2], motion[9]
    for k in range(len(sight.height)):
        x, y, up = solid.x[k], solid.y[k], solid.z[k]
        sight.height[k] = z + (nx * x + ny * y + nz * up)
        sight.rise[k] = vz + (cx * x + cy * y + cz * up)
    return solid.radius * math.sqrt(cx * cx + cy * cy + cz * cz)


@kernel
def look(solid: KernelBody, motion: Array, sight: Sight, ahead_s: float) -> float:
    """Measure, and list the corners that can be down within `ahead_s`; return the least height of those.

    What is not listed is higher than that; without any, the answer is infinite.
    """
    down = measure(solid, motion, sight) - motion[9] + GRAVITY_MM_S2 * ahead_s
    limit = solid.touch + 2.0 * ahead_s * max(down, 0.0)
    least, number = math.inf, 0
    for k in range(len(sight.height)):
        if sight.height[k] <= limit:
            sight.near[number] = k
            number += 1
            least = min(least, sight.height[k])
    sight.number[0] = number
    return least


@kernel
def lowest(sight: Sight) -> int:
    """Return the lowest corner."""
    best = 0
    for k in range(1, len(sight.height)):
        if sight.height[k] < sight.height[best]:
            best = k
    return best


@kernel
def energy_mm(solid: KernelBody, motion: Array, gap: float) -> float:
    """Return kinetic plus potential energy over m g; a corner that has sunk in (`gap` < 0) is not taken off."""
    a, b, c = solid.inertia
    spinning = a * motion[10] ** 2 + b * motion[11] ** 2 + c * motion[12] ** 2
    square = motion[7] ** 2 + motion[8] ** 2 + motion[9] ** 2 + spinning * solid.per_mass
    energy: float = motion[2] - min(gap, 0.0) + square / (2 * GRAVITY_MM_S2)
    return energy


@kernel
def fall(motion: Array, time_s: float) -> None:
    """Move the centre of mass along its parabola."""
    motion[0] += motion[7] * time_s
    motion[1] += motion[8] * time_s
    motion[2] += (motion[9] - 0.5 * GRAVITY_MM_S2 * time_s) * time_s
    motion[9] -= GRAVITY_MM_S2 * time_s


@kernel
def _half_sine(square: float) -> tuple[float, float]:
    """Return sin(a / 2) / a and cos(a / 2) for an angle a, given its square.

    Small angles by their series, which is exact to rounding there and several times as fast.
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
    """Turn the body by a quaternion in its own frame."""
    ax, ay, az, aw = motion[3], motion[4], motion[5], motion[6]
    motion[3] = aw * bx + bw * ax + ay * bz - az * by
    motion[4] = aw * by + bw * ay + az * bx - ax * bz
    motion[5] = aw * bz + bw * az + ax * by - ay * bx
    motion[6] = aw * bw - ax * bx - ay * by - az * bz


@kernel
def _normalise(motion: Array) -> None:
    """Bring an almost unit quaternion back to length 1 (one step of Newton's method for the inverse root)."""
    square = motion[3] ** 2 + motion[4] ** 2 + motion[5] ** 2 + motion[6] ** 2
    scale = 1.5 - 0.5 * square
    for k in range(QUATERNION, VELOCITY):
        motion[k] *= scale


@kernel
def rotate_freely(solid: KernelBody, motion: Array, time_s: float) -> None:
    """Let the body rotate without torque.

    Exact for a symmetric top: precession ``exp(L t / I1)``, then the body's own turn about its axis.
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
    # seen from the body, the momentum turns the other way about the axis
    sin, cos = 2 * half_sin * half_cos, 1 - 2 * half_sin * half_sin
    rest = (1.0 - cos) * (px * ex + py * ey + pz * ez)
    motion[10] = cos * px - sin * (ey * pz - ez * py) + (rest - excess) * ex
    motion[11] = cos * py - sin * (ez * px - ex * pz) + (rest - excess) * ey
    motion[12] = cos * pz - sin * (ex * py - ey * px) + (rest - excess) * ez


@kernel
def spin_change(solid: KernelBody, wx: float, wy: float, wz: float) -> tuple[float, float, float]:
    """Return the torque-free change of the spin in the body frame (Euler's equations)."""
    a, b, c = solid.euler
    return a * wy * wz, b * wz * wx, c * wx * wy


@kernel
def _rates(
    solid: KernelBody, q: tuple[float, float, float, float], w: tuple[float, float, float]
) -> tuple[tuple[float, float, float, float], tuple[float, float, float]]:
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
    q: tuple[float, float, float, float],
    w: tuple[float, float, float],
    rates: tuple[tuple[float, float, float, float], tuple[float, float, float]],
    h: float,
) -> tuple[tuple[float, float, float, float], tuple[float, float, float]]:
    dq, dw = rates
    return (
        q[0] + h * dq[0],
        q[1] + h * dq[1],
        q[2] + h * dq[2],
        q[3] + h * dq[3],
    ), (w[0] + h * dw[0], w[1] + h * dw[1], w[2] + h * dw[2])


@kernel
def _rotate_asymmetric(solid: KernelBody, motion: Array, time_s: float) -> None:
    """Classical Runge-Kutta in steps of `TURN_PER_STEP_RAD`: within 1e-6 rad a turn (tested)."""
    spin = math.sqrt(motion[10] ** 2 + motion[11] ** 2 + motion[12] ** 2)
    steps = max(1, math.ceil(spin * time_s / TURN_PER_STEP_RAD))
    h = time_s / steps
    q = (motion[3], motion[4], motion[5], motion[6])
    w = (motion[10], motion[11], motion[12])
    for _ in range(steps):
        first = _rates(solid, q, w)
        second = _rates(solid, *_ahead(q, w, first, 0.5 * h))
        third = _rates(solid, *_ahead(q, w, second, 0.5 * h))
        fourth = _rates(solid, *_ahead(q, w, third, h))
        q, w = _ahead(q, w, first, h / 6)
        q, w = _ahead(q, w, second, h / 3)
        q, w = _ahead(q, w, third, h / 3)
        q, w = _ahead(q, w, fourth, h / 6)
    motion[3], motion[4], motion[5], motion[6] = q
    motion[10], motion[11], motion[12] = w
    _normalise(motion)


@kernel
def fly(solid: KernelBody, motion: Array, time_s: float) -> None:
    """Fly freely."""
    fall(motion, time_s)
    rotate_freely(solid, motion, time_s)


@kernel
def acceleration_bound(solid: KernelBody, motion: Array) -> float:
    """Return the largest downward acceleration of any corner in free flight.

    Spin gives a corner at the distance r at most r w2, its change at most r |w'|. A symmetric top keeps both; else
    w is at most the angular momentum over the smallest moment, and w' at most the unevenness of the moments times w2.
    """
    ex, ey, ez = solid.axis
    if ex + ey + ez > 0:
        square = motion[10] ** 2 + motion[11] ** 2 + motion[12] ** 2
        ax, ay, az = spin_change(solid, motion[10], motion[11], motion[12])
        largest = square + math.sqrt(ax * ax + ay * ay + az * az)
        return GRAVITY_MM_S2 + float(largest * solid.radius)
    a, b, c = solid.inertia
    least = min(a, b, c)
    momentum = (a * motion[10]) ** 2 + (b * motion[11]) ** 2 + (c * motion[12]) ** 2
    uneven = (max(a, b, c) - least) / least
    return GRAVITY_MM_S2 + float((1.0 + uneven) * momentum / least**2 * solid.radius)


@kernel
def _sphere_time(solid: KernelBody, motion: Array) -> float:
    """Return when the sphere around the body touches the floor: nothing can before."""
    room, rise = motion[2] - solid.radius, motion[9]
    if room <= 0:
        return 0.0
    return _drop_time(room, rise, GRAVITY_MM_S2)


@kernel
def _drop_time(room: float, rise: float, acceleration: float) -> float:
    """Return when a point has come down by `room`, without cancellation whatever the sign of `rise`."""
    root = math.sqrt(rise * rise + 2 * acceleration * room)
    return (rise + root) / acceleration if rise > 0 else 2 * room / max(root - rise, 1e-300)


@kernel
def _safe_time(sight: Sight, first: int, bound: float) -> tuple[float, int]:
    """Return a time before which no corner can be down in free flight, and the corner that sets it.

    A corner that is still above the floor at the best time so far cannot improve it; tried first is a corner that
    will probably set it, so that most others need no root.
    """
    best, setter = _drop_time(max(sight.height[first], 0.0), sight.rise[first], bound), first
    below, half = 0, 0.5 * bound * best
    for k in range(len(sight.height)):  # a sum of integers: compilers make short work of it
        below += sight.height[k] + (sight.rise[k] - half) * best < 0
    if below == 0:
        return best, setter
    for k in range(len(sight.height)):
        room = max(sight.height[k], 0.0)
        if room + (sight.rise[k] - 0.5 * bound * best) * best < 0:
            best, setter = _drop_time(room, sight.rise[k], bound), k
    return best, setter


@kernel
def fly_to_touch(solid: KernelBody, motion: Array, sight: Sight, limit_s: float) -> float:
    """Fly until a corner touches the floor and does not rise; return the time.

    Conservative advancement, see `brickphys.throws.flight.time_to_touch`; corners that touch but rise have just
    bounced. The flight may end early, in the air: then call again. The corners are measured before and afterwards.
    """
    bound = acceleration_bound(solid, motion)
    setter, elapsed = lowest(sight), 0.0
    for _ in range(_MAX_ADVANCES):
        down = 0
        for k in range(len(sight.height)):
            down += (sight.height[k] <= solid.touch) & (sight.rise[k] <= 0)
        if down > 0 or elapsed >= limit_s:
            break
        step, setter = _safe_time(sight, setter, bound)
        step = min(max(step, _sphere_time(solid, motion)), limit_s - elapsed)
        fly(solid, motion, step)
        measure(solid, motion, sight)
        elapsed += step
    return elapsed
