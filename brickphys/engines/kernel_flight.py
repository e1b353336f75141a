"""Flight kernels: one body in the air, as in `brickphys.throws.flight` but one at a time and compiled.

A motion is a row of thirteen numbers in millimetres and seconds: position and velocity of the centre of mass in the
world frame, orientation (body to world, scalar last), and spin *in the body frame*.
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from brickphys.engines.jit import kernel
from brickphys.throws.flight import TURN_PER_STEP_RAD
from brickphys.units import GRAVITY_M_S2

Array = npt.NDArray[np.float64]

GRAVITY_MM_S2 = 1000.0 * GRAVITY_M_S2
POSITION, QUATERNION, VELOCITY, SPIN = 0, 3, 7, 10
"""Where each part of a motion starts."""
MOTION_SIZE = 13
_MAX_ADVANCES = 64


class Solid(NamedTuple):
    """One body for the kernels: numbers and flat arrays only."""

    x: Array
    y: Array
    z: Array
    mass: float
    inertia: tuple[float, float, float]
    axis: tuple[float, float, float]
    """Symmetry axis as a unit vector; zero if all three moments differ."""
    ratio: float
    """Moment about the symmetry axis over the other two."""
    radius: float
    """Distance of the farthest corner."""
    touch: float
    """A corner this close to the floor touches it."""


@kernel
def floor_normal(motion: Array) -> tuple[float, float, float]:
    """Return the upward direction in the body frame."""
    x, y, z, w = motion[3], motion[4], motion[5], motion[6]
    return 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)


@kernel
def look(solid: Solid, motion: Array, height: Array, rise: Array) -> int:
    """Write the height of every corner above the floor and its vertical speed; return the lowest corner."""
    nx, ny, nz = floor_normal(motion)
    wx, wy, wz = motion[10], motion[11], motion[12]
    # (w x r) . n = (n x w) . r
    cx, cy, cz = ny * wz - nz * wy, nz * wx - nx * wz, nx * wy - ny * wx
    z, vz = motion[2], motion[9]
    for k in range(len(height)):
        height[k] = z + (nx * solid.x[k] + ny * solid.y[k] + nz * solid.z[k])
        rise[k] = vz + (cx * solid.x[k] + cy * solid.y[k] + cz * solid.z[k])
    lowest = 0
    for k in range(1, len(height)):
        if height[k] < height[lowest]:
            lowest = k
    return lowest


@kernel
def energy_mm(solid: Solid, motion: Array, gap: float) -> float:
    """Return kinetic plus potential energy over m g; a corner that has sunk in (`gap` < 0) is not taken off."""
    kinetic = motion[7] ** 2 + motion[8] ** 2 + motion[9] ** 2
    for k in range(3):
        kinetic += solid.inertia[k] / solid.mass * motion[SPIN + k] ** 2
    return motion[2] - min(gap, 0.0) + kinetic / (2 * GRAVITY_MM_S2)


@kernel
def fall(motion: Array, time_s: float) -> None:
    """Move the centre of mass along its parabola."""
    motion[0] += motion[7] * time_s
    motion[1] += motion[8] * time_s
    motion[2] += (motion[9] - 0.5 * GRAVITY_MM_S2 * time_s) * time_s
    motion[9] -= GRAVITY_MM_S2 * time_s


@kernel
def _turn(motion: Array, x: float, y: float, z: float) -> None:
    """Turn the body about the rotation vector (x, y, z) in its own frame."""
    angle = math.sqrt(x * x + y * y + z * z)
    share = math.sin(0.5 * angle) / angle if angle > 0 else 0.5
    bx, by, bz, bw = share * x, share * y, share * z, math.cos(0.5 * angle)
    ax, ay, az, aw = motion[3], motion[4], motion[5], motion[6]
    motion[3] = aw * bx + bw * ax + ay * bz - az * by
    motion[4] = aw * by + bw * ay + az * bx - ax * bz
    motion[5] = aw * bz + bw * az + ax * by - ay * bx
    motion[6] = aw * bw - ax * bx - ay * by - az * bz


@kernel
def _normalise(motion: Array) -> None:
    length = math.sqrt(motion[3] ** 2 + motion[4] ** 2 + motion[5] ** 2 + motion[6] ** 2)
    for k in range(QUATERNION, VELOCITY):
        motion[k] /= length


@kernel
def rotate_freely(solid: Solid, motion: Array, time_s: float) -> None:
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
    _turn(motion, px * time_s, py * time_s, pz * time_s)
    angle = -excess * time_s
    _turn(motion, angle * ex, angle * ey, angle * ez)
    _normalise(motion)
    # seen from the body, the momentum turns the other way about the axis
    sin, cos = math.sin(angle), math.cos(angle)
    rest = (1.0 - cos) * (px * ex + py * ey + pz * ez)
    motion[10] = cos * px - sin * (ey * pz - ez * py) + (rest - excess) * ex
    motion[11] = cos * py - sin * (ez * px - ex * pz) + (rest - excess) * ey
    motion[12] = cos * pz - sin * (ex * py - ey * px) + (rest - excess) * ez


@kernel
def spin_change(
    solid: Solid, wx: float, wy: float, wz: float
) -> tuple[float, float, float]:
    """Return the torque-free change of the spin in the body frame (Euler's equations)."""
    a, b, c = solid.inertia
    return (b - c) / a * wy * wz, (c - a) / b * wz * wx, (a - b) / c * wx * wy


@kernel
def _rates(
    solid: Solid, q: tuple[float, float, float, float], w: tuple[float, float, float]
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
def _rotate_asymmetric(solid: Solid, motion: Array, time_s: float) -> None:
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
def fly(solid: Solid, motion: Array, time_s: float) -> None:
    """Fly freely."""
    fall(motion, time_s)
    rotate_freely(solid, motion, time_s)


@kernel
def acceleration_bound(solid: Solid, motion: Array) -> float:
    """Return the largest downward acceleration of any corner in free flight."""
    a, b, c = solid.inertia
    least, largest = min(a, b, c), max(a, b, c)
    momentum = (a * motion[10]) ** 2 + (b * motion[11]) ** 2 + (c * motion[12]) ** 2
    uneven = (largest - least) / least
    return GRAVITY_MM_S2 + (1.0 + uneven) * momentum / least**2 * solid.radius


@kernel
def _sphere_time(solid: Solid, motion: Array) -> float:
    """Return when the sphere around the body touches the floor: nothing can before."""
    room, rise = motion[2] - solid.radius, motion[9]
    if room <= 0:
        return 0.0
    root = math.sqrt(rise * rise + 2 * GRAVITY_MM_S2 * room)
    return (rise + root) / GRAVITY_MM_S2 if rise > 0 else 2 * room / (root - rise)


@kernel
def _safe_time(height: Array, rise: Array, lowest: int, bound: float) -> float:
    """Return a time before which no corner can be down, whatever the body does in free flight."""
    best = math.inf
    for turn in range(-1, len(height)):
        k = lowest if turn < 0 else turn
        room, up = max(height[k], 0.0), rise[k]
        # a corner still above the floor at the best time so far cannot improve it
        if best < math.inf and room + (up - 0.5 * bound * best) * best >= 0:
            continue
        root = math.sqrt(up * up + 2 * bound * room)
        best = (up + root) / bound if up > 0 else 2 * room / max(root - up, 1e-300)
    return best


@kernel
def fly_to_touch(
    solid: Solid, motion: Array, height: Array, rise: Array, limit_s: float
) -> float:
    """Fly until a corner touches the floor and does not rise; return the time.

    Conservative advancement, see `brickphys.throws.flight.time_to_touch`; corners that touch but rise have just
    bounced. The flight may end early, in the air: then call again.
    """
    elapsed = min(_sphere_time(solid, motion), limit_s)
    fly(solid, motion, elapsed)
    bound = acceleration_bound(solid, motion)
    for _ in range(_MAX_ADVANCES):
        lowest = look(solid, motion, height, rise)
        for k in range(len(height)):
            if height[k] <= solid.touch and rise[k] <= 0:
                return elapsed
        step = min(_safe_time(height, rise, lowest, bound), limit_s - elapsed)
        if step <= 0:
            break
        fly(solid, motion, step)
        elapsed += step
    return elapsed
