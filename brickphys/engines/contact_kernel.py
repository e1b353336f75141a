"""Contact kernels: impulses between the lowest corners and the floor, with exact stick and slip.

Every contact gets the impulse of Coulomb's law, given the impulses of the others: the sticking impulse if it is in the
friction cone, else the impulse on the cone that opposes the remaining slip. Several contacts are iterated until the
impulses converge (block Gauss-Seidel, as in the non-smooth contact dynamics of J. J. Moreau and M. Jean).

A row of `Contacts.lever` has, for each axis of the world, ``r x axis`` in the body frame: the torque of a unit impulse,
and by symmetry the speed of the point of contact for a unit spin. A row of `Contacts.inverse_mass` is the symmetric
matrix from impulse to change of velocity (inverse effective mass): xx, xy, xz, yy, yz, zz.
"""

import math
from typing import NamedTuple

from brickphys.engines.flight_kernel import KernelBody, N, squared
from brickphys.jit import kernel
from brickphys.units import Array, Indices

InverseMass = tuple[N, N, N, N, N, N]

SWEEPS = 60
TURNS = 24
"""Newton steps for the direction of a slip."""
_LAST_TURN = 1e-5
"""The iteration ends at a half turn below this, since Newton's method squares the error."""
_DIRECTIONS = 48
"""Directions that are tried if Newton's method fails."""


class Contacts(NamedTuple):
    """Workspace for the contacts of one body; v is the number of its corners."""

    corner: Indices  # (v,)
    before: Indices  # (v,): the corners in contact at the last step, -1 for none
    lever: Array  # (v, 9)
    inverse_mass: Array  # (v, 6)
    impulse: Array  # (v, 3)
    target: Array  # (v,): least vertical speed after the impulses


@kernel
def prepare(solid: KernelBody, motion: Array, contacts: Contacts, number: int) -> None:
    """Fill levers and matrices of the first `number` contacts, but not their impulses."""
    x, y, z, w = motion[3], motion[4], motion[5], motion[6]
    axes = (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )
    a, b, c = solid.per_inertia
    lever, inverse_mass = contacts.lever, contacts.inverse_mass
    nx, ny, nz = axes[2]
    for i in range(number):
        k = contacts.corner[i]
        # the point of contact is below the corner of the core
        rx = solid.x[k] - solid.edge * nx
        ry = solid.y[k] - solid.edge * ny
        rz = solid.z[k] - solid.edge * nz
        for j in range(3):
            ux, uy, uz = axes[j]
            lever[i, 3 * j] = ry * uz - rz * uy
            lever[i, 3 * j + 1] = rz * ux - rx * uz
            lever[i, 3 * j + 2] = rx * uy - ry * ux
        slot = 0
        for j in range(3):
            for other in range(j, 3):
                p, q = 3 * j, 3 * other
                turned = lever[i, p] * lever[i, q] * a
                turned += (
                    lever[i, p + 1] * lever[i, q + 1] * b + lever[i, p + 2] * lever[i, q + 2] * c
                )
                inverse_mass[i, slot] = turned + (solid.per_mass if j == other else 0.0)
                slot += 1


@kernel
def start_cold(contacts: Contacts, number: int) -> None:
    """Set the impulses of the first `number` contacts to 0, also for a warm start of the next step."""
    contacts.impulse[:number] = 0.0
    contacts.before[:] = -1


@kernel
def start_warm(solid: KernelBody, motion: Array, contacts: Contacts, number: int) -> None:
    """Apply the impulses of the last step to the contacts that this step shares with it, as the first guess."""
    for i in range(number):
        if contacts.before[i] == contacts.corner[i]:
            px, py, pz = contacts.impulse[i, 0], contacts.impulse[i, 1], contacts.impulse[i, 2]
            push(solid, motion, contacts.lever, i, px, py, pz)
        else:
            contacts.impulse[i] = 0.0
            contacts.before[i] = contacts.corner[i]
    contacts.before[number:] = -1


@kernel
def push(
    solid: KernelBody, motion: Array, lever: Array, i: int, px: float, py: float, pz: float
) -> None:
    """Change the velocities by an impulse on contact `i`."""
    a, b, c = solid.per_inertia
    motion[7] += px * solid.per_mass
    motion[8] += py * solid.per_mass
    motion[9] += pz * solid.per_mass
    motion[10] += (px * lever[i, 0] + py * lever[i, 3] + pz * lever[i, 6]) * a
    motion[11] += (px * lever[i, 1] + py * lever[i, 4] + pz * lever[i, 7]) * b
    motion[12] += (px * lever[i, 2] + py * lever[i, 5] + pz * lever[i, 8]) * c


@kernel
def resolve(
    solid: KernelBody,
    motion: Array,
    contacts: Contacts,
    number: int,
    friction: float,
    tolerance: float,
) -> None:
    """Change the velocities by the impulses of all contacts, iterated until speeds change by less than `tolerance`."""
    lever, impulse = contacts.lever, contacts.impulse
    for _ in range(SWEEPS):
        change = 0.0
        for i in range(number):
            w = _inverse_mass(contacts.inverse_mass, i)
            px, py, pz = impulse[i, 0], impulse[i, 1], impulse[i, 2]
            ux, uy, uz = _corner_velocity(motion, lever, i)
            # the velocity without this contact
            ux -= w[0] * px + w[1] * py + w[2] * pz
            uy -= w[1] * px + w[3] * py + w[4] * pz
            uz -= w[2] * px + w[4] * py + w[5] * pz
            qx, qy, qz = contact_impulse(w, ux, uy, uz, contacts.target[i], friction, px, py)
            impulse[i, 0], impulse[i, 1], impulse[i, 2] = qx, qy, qz
            push(solid, motion, lever, i, qx - px, qy - py, qz - pz)
            change = max(change, (abs(qx - px) + abs(qy - py) + abs(qz - pz)) * solid.per_mass)
        if number == 1 or change < tolerance:
            return


@kernel
def _inverse_mass(table: Array, i: int) -> InverseMass[float]:
    return table[i, 0], table[i, 1], table[i, 2], table[i, 3], table[i, 4], table[i, 5]


@kernel
def _corner_velocity(motion: Array, lever: Array, i: int) -> tuple[float, float, float]:
    wx, wy, wz = motion[10], motion[11], motion[12]
    return (
        motion[7] + wx * lever[i, 0] + wy * lever[i, 1] + wz * lever[i, 2],
        motion[8] + wx * lever[i, 3] + wy * lever[i, 4] + wz * lever[i, 5],
        motion[9] + wx * lever[i, 6] + wy * lever[i, 7] + wz * lever[i, 8],
    )


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
