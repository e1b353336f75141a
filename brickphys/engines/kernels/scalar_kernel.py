"""Scalar kernel: what a throw of one body at a time needs: its fall, its rest, and the impulse of one contact.

The impulse is that of Coulomb's law: the sticking impulse if it is in the friction cone, else the impulse on the cone
that opposes the remaining slip. The inverse effective mass is the symmetric matrix from impulse to change of velocity:
xx, xy, xz, yy, yz, zz. A motion is a row of thirteen numbers in mm and s: position, orientation, velocity and spin.
"""

import math
from typing import TypeVar

from brickphys.engines.kernels.tables import GRAVITY_MM_S2, ThrowSettings
from brickphys.jit import kernel
from brickphys.units import Array

N = TypeVar("N", float, Array)
"""A number, or an array of them."""
InverseMass = tuple[N, N, N, N, N, N]

TURNS = 24
"""Newton steps for the direction of a slip."""
_LAST_TURN = 1e-5
"""The iteration ends at a half turn below this, since Newton's method squares the error."""
_DIRECTIONS = 48
"""Directions that are tried if Newton's method fails."""


@kernel
def squared(x: float) -> float:
    """Return x times x."""
    return x * x


@kernel
def fall(motion: Array, time_s: float) -> None:
    """Move the centre of mass in free fall."""
    motion[0] += motion[7] * time_s
    motion[1] += motion[8] * time_s
    motion[2] += (motion[9] - 0.5 * GRAVITY_MM_S2 * time_s) * time_s
    motion[9] -= GRAVITY_MM_S2 * time_s


@kernel
def drop_time(room: float, rise: float, acceleration: float) -> float:
    """Return the time at which a point has fallen by `room`, without cancellation for either sign of `rise`."""
    root = math.sqrt(rise * rise + 2 * acceleration * room)
    return (rise + root) / acceleration if rise > 0 else 2 * room / max(root - rise, 1e-300)


@kernel
def is_slow(settings: ThrowSettings, motion: Array) -> bool:
    """Return whether speed and spin are below the limits of rest."""
    speed = squared(motion[7]) + squared(motion[8]) + squared(motion[9])
    spin = squared(motion[10]) + squared(motion[11]) + squared(motion[12])
    return bool(speed < squared(settings.rest_speed) and spin < squared(settings.rest_spin))


@kernel
def contact_impulse(
    w: InverseMass[float],
    ux: float,
    uy: float,
    uz: float,
    target: float,
    friction: float,
    guess_x: float,
    guess_y: float,
) -> tuple[float, float, float]:
    """Return the impulse of one contact whose corner moves at (ux, uy, uz) without it.

    Parameters
    ----------
    w
        Matrix from impulse to change of velocity.
    ux, uy, uz
        Velocity without the contact.
    target
        Least vertical speed after the impulse.
    friction
        Coefficient of Coulomb friction.
    guess_x, guess_y
        Horizontal impulse as the first guess for a slip; 0 for none.
    """
    if uz >= target:
        return 0.0, 0.0, 0.0
    lack = target - uz
    if friction == 0.0:
        return 0.0, 0.0, lack / w[5]
    px, py, pz = sticking_impulse(w, ux, uy, lack)
    if pz > 0 and px * px + py * py <= squared(friction * pz):
        return px, py, pz
    if guess_x != 0.0 or guess_y != 0.0:
        px, py = guess_x, guess_y
    return sliding_impulse(w, ux, uy, lack, friction, px, py)


@kernel
def sticking_impulse(w: InverseMass[N], ux: N, uy: N, lack: N) -> tuple[N, N, N]:
    """Return the impulse that stops the slip and adds `lack` to the vertical speed."""
    cxx, cxy, cxz = w[3] * w[5] - w[4] * w[4], w[2] * w[4] - w[1] * w[5], w[1] * w[4] - w[2] * w[3]
    cyy, cyz, czz = w[0] * w[5] - w[2] * w[2], w[1] * w[2] - w[0] * w[4], w[0] * w[3] - w[1] * w[1]
    scale = 1.0 / (w[0] * cxx + w[1] * cxy + w[2] * cxz)
    return (
        (-cxx * ux - cxy * uy + cxz * lack) * scale,
        (-cxy * ux - cyy * uy + cyz * lack) * scale,
        (-cxz * ux - cyz * uy + czz * lack) * scale,
    )


@kernel
def slip(
    w: InverseMass[N], ux: N, uy: N, lack: N, friction: float, x: N, y: N
) -> tuple[N, N, N, N, N]:
    """Return the result of a slip along the unit vector (x, y).

    Returns
    -------
    tuple
        The vertical inverse mass d (the vertical impulse is lack / d), the remaining slip times d (two numbers), its
        component across the direction, and the derivative of that component by the angle of the direction.
    """
    d = w[5] - friction * (w[2] * x + w[4] * y)
    turned = friction * (w[2] * y - w[4] * x)
    sx = d * ux + lack * (w[2] - friction * (w[0] * x + w[1] * y))
    sy = d * uy + lack * (w[4] - friction * (w[1] * x + w[3] * y))
    tx = turned * ux + lack * friction * (w[0] * y - w[1] * x)
    ty = turned * uy + lack * friction * (w[1] * y - w[3] * x)
    return d, sx, sy, x * sy - y * sx, x * ty - y * tx - (x * sx + y * sy)


@kernel
def sliding_impulse(
    w: InverseMass[float], ux: float, uy: float, lack: float, friction: float, px: float, py: float
) -> tuple[float, float, float]:
    """Return the impulse on the friction cone opposite to the remaining slip.

    The direction is found by Newton's method, starting opposite to (px, py).
    """
    length = math.sqrt(px * px + py * py)
    x, y = (-px / length, -py / length) if length > 0 else (1.0, 0.0)
    half = math.inf
    for _ in range(TURNS):
        d, sx, sy, across, change = slip(w, ux, uy, lack, friction, x, y)
        # turn towards the slip; a derivative of the wrong sign belongs to an unstable direction
        turn = -across / change if change < 0 else math.copysign(0.3, across)
        half = min(max(0.5 * turn, -0.25), 0.25)
        scale = 1.0 / (1.0 + half * half)
        cos, sin = (1.0 - half * half) * scale, 2.0 * half * scale
        x, y = x * cos - y * sin, y * cos + x * sin
        if abs(half) < _LAST_TURN:
            break
    if not (abs(half) < _LAST_TURN and d > 0 and x * sx + y * sy >= 0):
        x, y = scanned_direction(w, ux, uy, lack, friction)
    d = w[5] - friction * (w[2] * x + w[4] * y)
    pz = lack / d
    return -friction * pz * x, -friction * pz * y, pz


@kernel
def scanned_direction(
    w: InverseMass[float], ux: float, uy: float, lack: float, friction: float
) -> tuple[float, float]:
    """Return the evenly spaced direction with the least deviation from its remaining slip."""
    best, best_x, best_y = math.inf, 1.0, 0.0
    for k in range(_DIRECTIONS):
        angle = 2 * math.pi * k / _DIRECTIONS
        x, y = math.cos(angle), math.sin(angle)
        d, sx, sy, across, _ = slip(w, ux, uy, lack, friction, x, y)
        along = x * sx + y * sy
        deviation = math.atan2(abs(across), along)
        if d > 1e-3 * w[5] and deviation < best:
            best, best_x, best_y = deviation, x, y
    return best_x, best_y
