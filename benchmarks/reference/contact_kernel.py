"""Contact kernels: impulses between the lowest corners and the floor, with exact stick and slip.

Every contact gets the impulse of Coulomb's law, given the impulses of the others: the sticking impulse if it is in the
friction cone, else the impulse on the cone that opposes the remaining slip. Several contacts are iterated until the
impulses converge (block Gauss-Seidel, as in the non-smooth contact dynamics of J. J. Moreau and M. Jean).

A row of `Contacts.lever` has, for each axis of the world, ``r x axis`` in the body frame: the torque of a unit impulse,
and by symmetry the speed of the point of contact for a unit spin. A row of `Contacts.inverse_mass` is the symmetric
matrix from impulse to change of velocity (inverse effective mass): xx, xy, xz, yy, yz, zz.
"""

from typing import NamedTuple

from brickphys.engines.kernels.contact_kernel import SWEEPS
from brickphys.engines.kernels.scalar_kernel import InverseMass, contact_impulse
from brickphys.engines.kernels.tables import KernelBody
from brickphys.jit import kernel
from brickphys.units import Array, Indices


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
