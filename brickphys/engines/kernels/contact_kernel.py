"""Contact kernels on vectors: impulses between the floor and as many bodies as a vector has lanes.

Every contact gets the impulse of Coulomb's law, given the impulses of the others: the sticking impulse if it is in the
friction cone, else the impulse on the cone that opposes the remaining slip. Several contacts are iterated until the
impulses converge (block Gauss-Seidel, as in the non-smooth contact dynamics of J. J. Moreau and M. Jean).

A lane has up to four contacts. The numbers of a contact are rows of a workspace, see `brickphys.engines.kernels.rows`.
Iterations go on until the last lane has converged; a lane that has is not changed any more, so that its result does not
depend on the others.
"""

import math

import numpy as np

from brickphys.engines.kernels import rows as at
from brickphys.engines.kernels.flight_kernel import (
    Triple,
    chosen,
    contact_row,
    cross,
    dot,
    plus,
    plus_times,
    put_triple,
    times,
    triple,
)
from brickphys.engines.kernels.scalar_kernel import TURNS, InverseMass
from brickphys.engines.kernels.tables import KernelBody
from brickphys.engines.kernels.vectors import (
    Mask,
    Vector,
    fused,
    least,
    load,
    most,
    root,
    select,
    size,
    some,
    spread,
    store,
)
from brickphys.jit import kernel
from brickphys.units import Array

SWEEPS = 60
"""Largest number of sweeps over the contacts of a body."""
_LAST_TURN = 2e-3
"""The search for the direction of a slip ends at a turn below this, in rad: Newton's method squares the error."""
_ANGLES = 2 * np.pi * np.arange(48) / 48
_DIRECTIONS = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=1).round(15)
"""Where Newton's method fails, the one of these directions that deviates least from its slip is taken."""


@kernel
def prepare(
    solid: KernelBody,
    rows: Array,
    axes: tuple[Triple, Triple, Triple],
    arm: Triple,
    first: int,
    where: Mask,
) -> None:
    """Write levers and inverse mass of a contact at a corner of the core, in the lanes of a mask."""
    east, north, up = axes
    # the point of contact is below the corner of the core
    point = plus_times(arm, -solid.edge, up)
    x, y, z = cross(point, east), cross(point, north), cross(point, up)
    _put(rows, first + at.LEVER, x, where)
    _put(rows, first + at.LEVER + 3, y, where)
    _put(rows, first + at.LEVER + 6, z, where)
    a, b, c = solid.per_inertia
    per_x, per_y = (x[0] * a, x[1] * b, x[2] * c), (y[0] * a, y[1] * b, y[2] * c)
    per_z, mass = (z[0] * a, z[1] * b, z[2] * c), solid.per_mass
    xx, xy, xz = dot(per_x, x) + mass, dot(per_x, y), dot(per_x, z)
    yy, yz, zz = dot(per_y, y) + mass, dot(per_y, z), dot(per_z, z) + mass
    _put(rows, first + at.MASS, (xx, xy, xz), where)
    _put(rows, first + at.MASS + 3, (yy, yz, zz), where)
    ixx, ixy, ixz = cross((xy, yy, yz), (xz, yz, zz))
    iyy, iyz, izz = (
        fused(xx, zz, -(xz * xz)),
        fused(xy, xz, -(xx * yz)),
        fused(xx, yy, -(xy * xy)),
    )
    scale = 1.0 / dot((xx, xy, xz), (ixx, ixy, ixz))
    _put(rows, first + at.INVERSE, times(scale, (ixx, ixy, ixz)), where)
    _put(rows, first + at.INVERSE + 3, times(scale, (iyy, iyz, izz)), where)


@kernel
def _put(rows: Array, first: int, vector: Triple, where: Mask) -> None:
    put_triple(rows, first, chosen(where, vector, triple(rows, first)))


@kernel
def _matrix(rows: Array, first: int) -> InverseMass[Vector]:
    """Return a symmetric matrix: xx, xy, xz, yy, yz, zz."""
    xx, xy, xz = triple(rows, first)
    yy, yz, zz = triple(rows, first + 3)
    return xx, xy, xz, yy, yz, zz


@kernel
def point_velocity(rows: Array, first: int, velocity: int, spin: int) -> Triple:
    """Return the velocity of the point of contact, with the velocity and the spin in some rows."""
    v, w, row = triple(rows, velocity), triple(rows, spin), first + at.LEVER
    return (
        v[0] + dot(w, triple(rows, row)),
        v[1] + dot(w, triple(rows, row + 3)),
        v[2] + dot(w, triple(rows, row + 6)),
    )


@kernel
def push(solid: KernelBody, rows: Array, first: int, impulse: Triple) -> None:
    """Change the velocities by impulses on a contact."""
    v, w, row = triple(rows, at.VELOCITY), triple(rows, at.SPIN), first + at.LEVER
    put_triple(rows, at.VELOCITY, plus_times(v, solid.per_mass, impulse))
    x, y, z = triple(rows, row), triple(rows, row + 3), triple(rows, row + 6)
    a, b, c = solid.per_inertia
    turned = plus_times(plus_times(times(impulse[0], x), impulse[1], y), impulse[2], z)
    spun = fused(turned[0], a, w[0]), fused(turned[1], b, w[1]), fused(turned[2], c, w[2])
    put_triple(rows, at.SPIN, spun)


@kernel
def contact_impulse(rows: Array, first: int, p: Triple, target: Vector, friction: float) -> Triple:
    """Return the impulses of contacts that have given the impulses `p`; see `contact_kernel.contact_impulse`."""
    u, w, i = (
        plus(point_velocity(rows, first, at.VELOCITY, at.SPIN), triple(rows, first + at.OFFSET)),
        _matrix(rows, first + at.MASS),
        _matrix(rows, first + at.INVERSE),
    )
    more = target - u[2]
    lack = more + dot((w[2], w[4], w[5]), p)
    wanted = lack > 0.0
    x, y, z, sticks = _sticking(i, u[0], u[1], more, p, friction)
    if some(wanted & ~sticks):
        slid = triple(rows, first + at.SLID)
        # the slip stops and turns back within the step, so that its mean is zero
        a, b, c, turns = _sticking(i, u[0] + slid[0], u[1] + slid[1], more, p, friction)
        x, y, z = select(sticks, x, a), select(sticks, y, b), select(sticks, z, c)
        slips = wanted & ~sticks & ~turns
    else:
        slips = wanted & ~sticks
    if some(slips):
        known = p[0] * p[0] + p[1] * p[1] > 0.0
        guess = select(known, p[0], x), select(known, p[1], y)
        # the slip without this contact
        slid = triple(rows, first + at.SLID)
        ux = slid[0] + u[0] - dot((w[0], w[1], w[2]), p)
        uy = slid[1] + u[1] - dot((w[1], w[3], w[4]), p)
        q = _sliding_impulse(w, (ux, uy, lack), friction, guess, slips)
        x, y, z = select(slips, q[0], x), select(slips, q[1], y), select(slips, q[2], z)
    return select(wanted, x, 0.0), select(wanted, y, 0.0), select(wanted, z, 0.0)


@kernel
def _sticking(
    i: InverseMass[Vector], ux: Vector, uy: Vector, more: Vector, p: Triple, friction: float
) -> tuple[Vector, Vector, Vector, Mask]:
    """Return the impulses that stop slips, and which of them friction can give."""
    wanted = -ux, -uy, more
    x = p[0] + dot((i[0], i[1], i[2]), wanted)
    y = p[1] + dot((i[1], i[3], i[4]), wanted)
    z = p[2] + dot((i[2], i[4], i[5]), wanted)
    return x, y, z, (z > 0.0) & (fused(x, x, y * y) <= friction * friction * (z * z))


@kernel
def _sliding_impulse(
    w: InverseMass[Vector],
    u: Triple,
    friction: float,
    guess: tuple[Vector, Vector],
    slips: Mask,
) -> Triple:
    """Return impulses on the friction cone opposite to the remaining slips; see `contact_kernel.sliding_impulse`.

    Parameters
    ----------
    u
        Slip without the contact, and the vertical speed that it must add.
    """
    ux, uy, lack = u
    # the slip that remains, times d of `contact_kernel.slip`: (fx, fy) less a matrix times the direction
    fx, fy = fused(w[5], ux, lack * w[2]), fused(w[5], uy, lack * w[4])
    xx, xy = friction * fused(w[2], ux, lack * w[0]), friction * fused(w[4], ux, lack * w[1])
    yx, yy = friction * fused(w[2], uy, lack * w[1]), friction * fused(w[4], uy, lack * w[3])
    square = fused(guess[0], guess[0], guess[1] * guess[1])
    known, scale = square > 0.0, -1.0 / root(square)
    x, y = select(known, scale * guess[0], 1.0), select(known, scale * guess[1], 0.0)
    going = slips
    for _ in range(TURNS):
        sx, sy = fx - fused(xx, x, xy * y), fy - fused(yx, x, yy * y)
        across, along = fused(x, sy, -(y * sx)), fused(x, sx, y * sy)
        change = fused(x, fused(yx, y, -(yy * x)), -fused(y, fused(xx, y, -(xy * x)), along))
        away = select(across < 0.0, spread(-0.5, x), 0.5)
        turn = select(change < 0.0, -across / change, away)
        turn = most(least(turn, 0.5), -0.5)
        a, b = fused(-turn, y, x), fused(turn, x, y)
        scale = fused(-0.5, fused(a, a, b * b), 1.5)
        x, y = select(going, a * scale, x), select(going, b * scale, y)
        going = going & ~(size(turn) < _LAST_TURN)
        if not some(going):
            break
    scale = 1.5 - 0.5 * (x * x + y * y)
    x, y = x * scale, y * scale
    d = w[5] - friction * (w[2] * x + w[4] * y)
    along = x * (fx - (xx * x + xy * y)) + y * (fy - (yx * x + yy * y))
    lost = slips & (going | ~((d > 0.0) & (along >= -1e-6 * size(lack) * d)))
    if some(lost):
        best = spread(-math.inf, x)
        for k in range(len(_DIRECTIONS)):
            a, b = _DIRECTIONS[k, 0], _DIRECTIONS[k, 1]
            sx, sy = fx - fused(xx, a, xy * b), fy - fused(yx, a, yy * b)
            cosine = fused(sx, a, sy * b) / root(fused(sx, sx, sy * sy))
            less = w[5] - friction * fused(w[2], a, w[4] * b)
            better = lost & (less > 1e-3 * w[5]) & (cosine > best)
            best, d = select(better, cosine, best), select(better, less, d)
            x, y = select(better, a, x), select(better, b, y)
    pz = lack / d
    return -friction * pz * x, -friction * pz * y, pz


@kernel
def sweep(solid: KernelBody, rows: Array, friction: float, tolerance: float) -> Mask:
    """Change the impulses of all contacts once, where they have not converged; return where they have not since.

    See `contact_kernel.resolve`; row `SWEPT` counts.
    """
    swept = load(rows, at.SWEPT)
    going = swept > 0.0
    change = spread(0.0, swept)
    for i in range(at.MOST):
        first = contact_row(i)
        active = going & (load(rows, first + at.CORNER) >= 0.0)
        if not some(active):
            break
        p = triple(rows, first + at.IMPULSE)
        target = select(active, load(rows, first + at.TARGET), -math.inf)
        q = contact_impulse(rows, first, p, target, friction)
        more = (
            select(active, q[0] - p[0], 0.0),
            select(active, q[1] - p[1], 0.0),
            select(active, q[2] - p[2], 0.0),
        )
        put_triple(rows, first + at.IMPULSE, (p[0] + more[0], p[1] + more[1], p[2] + more[2]))
        push(solid, rows, first, more)
        change = most(change, (size(more[0]) + size(more[1]) + size(more[2])) * solid.per_mass)
    several = load(rows, contact_row(1) + at.CORNER) >= 0.0
    going = going & several & (change >= tolerance) & (swept < float(SWEEPS))
    store(rows, at.SWEPT, select(going, swept + 1.0, 0.0))
    return going
