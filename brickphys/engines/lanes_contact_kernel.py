"""Contact kernels on vectors: impulses between the floor and as many bodies as a vector has lanes.

The laws are those of `brickphys.engines.contact_kernel`. A lane has up to four contacts. The numbers of a contact are
rows of a workspace, see `brickphys.engines.lanes_rows`. Iterations go on until the last lane has
converged; a lane that has is not changed any more, so that its result does not depend on the others.
"""

import math

from brickphys.engines.contact_kernel import (
    SWEEPS,
    TURNS,
    InverseMass,
    scanned_direction,
)
from brickphys.engines.flight_kernel import KernelBody
from brickphys.engines.lanes_flight_kernel import (
    Triple,
    chosen,
    cross,
    dot,
    number_triple,
    plus,
    put_triple,
    triple,
)
from brickphys.engines.lanes_rows import (
    CORNER,
    IMPULSE,
    INVERSE,
    LEVER,
    MASS,
    MOST,
    OFFSET,
    QUATERNION,
    SCRATCH,
    SPIN,
    SWEPT,
    TARGET,
    VELOCITY,
    contact_row,
)
from brickphys.engines.vectors import (
    Mask,
    Vector,
    lanes_of,
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
from brickphys.jit import exact_kernel as kernel
from brickphys.units import Array

_LAST_TURN = 2e-3
"""The search for the direction of a slip ends at a turn below this, in rad: Newton's method squares the error."""


@kernel
def prepare(
    solid: KernelBody, rows: Array, up: Triple, arm: Triple, first: int, where: Mask
) -> None:
    """Write levers and inverse mass of a contact at a corner of the core, in the lanes of a mask."""
    i, j, k = triple(rows, QUATERNION)
    w = load(rows, QUATERNION + 3)
    east = 1.0 - 2.0 * (j * j + k * k), 2.0 * (i * j - w * k), 2.0 * (i * k + w * j)
    north = 2.0 * (i * j + w * k), 1.0 - 2.0 * (i * i + k * k), 2.0 * (j * k - w * i)
    # the point of contact is below the corner of the core
    point = arm[0] - solid.edge * up[0], arm[1] - solid.edge * up[1], arm[2] - solid.edge * up[2]
    x, y, z = cross(point, east), cross(point, north), cross(point, up)
    _put(rows, first + LEVER, x, where)
    _put(rows, first + LEVER + 3, y, where)
    _put(rows, first + LEVER + 6, z, where)
    a, b, c = solid.per_inertia
    per_x, per_y = (x[0] * a, x[1] * b, x[2] * c), (y[0] * a, y[1] * b, y[2] * c)
    per_z, mass = (z[0] * a, z[1] * b, z[2] * c), solid.per_mass
    xx, xy, xz = dot(per_x, x) + mass, dot(per_x, y), dot(per_x, z)
    yy, yz, zz = dot(per_y, y) + mass, dot(per_y, z), dot(per_z, z) + mass
    _put(rows, first + MASS, (xx, xy, xz), where)
    _put(rows, first + MASS + 3, (yy, yz, zz), where)
    ixx, ixy, ixz = yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy
    iyy, iyz, izz = xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy
    scale = 1.0 / (xx * ixx + xy * ixy + xz * ixz)
    _put(rows, first + INVERSE, (ixx * scale, ixy * scale, ixz * scale), where)
    _put(rows, first + INVERSE + 3, (iyy * scale, iyz * scale, izz * scale), where)


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
    v, w, row = triple(rows, velocity), triple(rows, spin), first + LEVER
    return (
        v[0] + dot(w, triple(rows, row)),
        v[1] + dot(w, triple(rows, row + 3)),
        v[2] + dot(w, triple(rows, row + 6)),
    )


@kernel
def push(solid: KernelBody, rows: Array, first: int, impulse: Triple) -> None:
    """Change the velocities by impulses on a contact."""
    v, w, row = triple(rows, VELOCITY), triple(rows, SPIN), first + LEVER
    mass = solid.per_mass
    pushed = v[0] + impulse[0] * mass, v[1] + impulse[1] * mass, v[2] + impulse[2] * mass
    put_triple(rows, VELOCITY, pushed)
    x, y, z = triple(rows, row), triple(rows, row + 3), triple(rows, row + 6)
    a, b, c = solid.per_inertia
    spun = (
        w[0] + (impulse[0] * x[0] + impulse[1] * y[0] + impulse[2] * z[0]) * a,
        w[1] + (impulse[0] * x[1] + impulse[1] * y[1] + impulse[2] * z[1]) * b,
        w[2] + (impulse[0] * x[2] + impulse[1] * y[2] + impulse[2] * z[2]) * c,
    )
    put_triple(rows, SPIN, spun)


@kernel
def contact_impulse(rows: Array, first: int, p: Triple, target: Vector, friction: float) -> Triple:
    """Return the impulses of contacts that have given the impulses `p`; see `contact_kernel.contact_impulse`."""
    u, w, i = (
        plus(point_velocity(rows, first, VELOCITY, SPIN), triple(rows, first + OFFSET)),
        _matrix(rows, first + MASS),
        _matrix(rows, first + INVERSE),
    )
    more = target - u[2]
    lack = more + (w[2] * p[0] + w[4] * p[1] + w[5] * p[2])
    wanted = lack > 0.0
    x = p[0] + (i[2] * more - (i[0] * u[0] + i[1] * u[1]))
    y = p[1] + (i[4] * more - (i[1] * u[0] + i[3] * u[1]))
    z = p[2] + (i[5] * more - (i[2] * u[0] + i[4] * u[1]))
    slips = wanted & ~((z > 0.0) & (x * x + y * y <= friction * friction * z * z))
    if some(slips):
        known = p[0] * p[0] + p[1] * p[1] > 0.0
        guess = select(known, p[0], x), select(known, p[1], y)
        # the slip without this contact
        ux = u[0] - (w[0] * p[0] + w[1] * p[1] + w[2] * p[2])
        uy = u[1] - (w[1] * p[0] + w[3] * p[1] + w[4] * p[2])
        q = _sliding_impulse(rows, w, (ux, uy, lack), friction, guess, slips)
        x, y, z = select(slips, q[0], x), select(slips, q[1], y), select(slips, q[2], z)
    return select(wanted, x, 0.0), select(wanted, y, 0.0), select(wanted, z, 0.0)


@kernel
def _sliding_impulse(
    rows: Array,
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
    fx, fy = w[5] * ux + lack * w[2], w[5] * uy + lack * w[4]
    xx, xy = friction * (w[2] * ux + lack * w[0]), friction * (w[4] * ux + lack * w[1])
    yx, yy = friction * (w[2] * uy + lack * w[1]), friction * (w[4] * uy + lack * w[3])
    square = guess[0] * guess[0] + guess[1] * guess[1]
    known, scale = square > 0.0, -1.0 / root(square)
    x, y = select(known, scale * guess[0], 1.0), select(known, scale * guess[1], 0.0)
    going = slips
    for _ in range(TURNS):
        sx, sy = fx - (xx * x + xy * y), fy - (yx * x + yy * y)
        across, along = x * sy - y * sx, x * sx + y * sy
        change = x * (yx * y - yy * x) - y * (xx * y - xy * x) - along
        away = select(across < 0.0, spread(-0.5, x), 0.5)
        turn = select(change < 0.0, -across / change, away)
        turn = most(least(turn, 0.5), -0.5)
        a, b = x - turn * y, y + turn * x
        scale = 1.5 - 0.5 * (a * a + b * b)
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
        x, y = _scanned(rows, w, u, friction, x, y, lost)
        d = select(lost, w[5] - friction * (w[2] * x + w[4] * y), d)
    pz = lack / d
    return -friction * pz * x, -friction * pz * y, pz


@kernel
def _scanned(
    rows: Array,
    w: InverseMass[Vector],
    u: Triple,
    friction: float,
    x: Vector,
    y: Vector,
    lost: Mask,
) -> tuple[Vector, Vector]:
    """Return directions of slips, those of the lost lanes found one by one."""
    put_triple(rows, SCRATCH, (w[0], w[1], w[2]))
    put_triple(rows, SCRATCH + 3, (w[3], w[4], w[5]))
    put_triple(rows, SCRATCH + 6, u)
    store(rows, SCRATCH + 9, x)
    store(rows, SCRATCH + 10, y)
    bits = lanes_of(lost)
    for lane in range(rows.shape[1]):
        if bits >> lane & 1:
            xx, xy, xz = number_triple(rows, SCRATCH, lane)
            yy, yz, zz = number_triple(rows, SCRATCH + 3, lane)
            ux, uy, wanted = number_triple(rows, SCRATCH + 6, lane)
            found = scanned_direction((xx, xy, xz, yy, yz, zz), ux, uy, wanted, friction)
            rows[SCRATCH + 9, lane], rows[SCRATCH + 10, lane] = found[0], found[1]
    return load(rows, SCRATCH + 9), load(rows, SCRATCH + 10)


@kernel
def sweep(solid: KernelBody, rows: Array, friction: float, tolerance: float) -> Mask:
    """Change the impulses of all contacts once, where they have not converged; return where they have not since.

    See `contact_kernel.resolve`; row `SWEPT` counts.
    """
    swept = load(rows, SWEPT)
    going = swept > 0.0
    change = spread(0.0, swept)
    for i in range(MOST):
        first = contact_row(i)
        active = going & (load(rows, first + CORNER) >= 0.0)
        if not some(active):
            break
        p = triple(rows, first + IMPULSE)
        target = select(active, load(rows, first + TARGET), -math.inf)
        q = contact_impulse(rows, first, p, target, friction)
        more = (
            select(active, q[0] - p[0], 0.0),
            select(active, q[1] - p[1], 0.0),
            select(active, q[2] - p[2], 0.0),
        )
        put_triple(rows, first + IMPULSE, (p[0] + more[0], p[1] + more[1], p[2] + more[2]))
        push(solid, rows, first, more)
        change = most(change, (size(more[0]) + size(more[1]) + size(more[2])) * solid.per_mass)
    several = load(rows, contact_row(1) + CORNER) >= 0.0
    going = going & several & (change >= tolerance) & (swept < float(SWEEPS))
    store(rows, SWEPT, select(going, swept + 1.0, 0.0))
    return going
