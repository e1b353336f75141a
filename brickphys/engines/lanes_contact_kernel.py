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
    slip,
    sticking_impulse,
)
from brickphys.engines.flight_kernel import KernelBody
from brickphys.engines.lanes_flight_kernel import (
    Triple,
    cross,
    dot,
    number_triple,
    put_triple,
    triple,
)
from brickphys.engines.lanes_rows import (
    CORNER,
    IMPULSE,
    LEVER,
    MASS,
    QUATERNION,
    SCRATCH,
    SPIN,
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
from brickphys.jit import kernel
from brickphys.units import Array

_LAST_TURN = 1e-3
"""The search for the direction of a slip ends at a half turn below this: Newton's method squares the error."""


@kernel
def prepare(solid: KernelBody, rows: Array, up: Triple, arm: Triple, first: int) -> None:
    """Write levers and inverse mass of a contact at a corner of the core."""
    i, j, k = triple(rows, QUATERNION)
    w = load(rows, QUATERNION + 3)
    east = 1.0 - 2.0 * (j * j + k * k), 2.0 * (i * j - w * k), 2.0 * (i * k + w * j)
    north = 2.0 * (i * j + w * k), 1.0 - 2.0 * (i * i + k * k), 2.0 * (j * k - w * i)
    # the point of contact is below the corner of the core
    point = arm[0] - solid.edge * up[0], arm[1] - solid.edge * up[1], arm[2] - solid.edge * up[2]
    x, y, z = cross(point, east), cross(point, north), cross(point, up)
    put_triple(rows, first + LEVER, x)
    put_triple(rows, first + LEVER + 3, y)
    put_triple(rows, first + LEVER + 6, z)
    a, b, c = solid.per_inertia
    per_x, per_y = (x[0] * a, x[1] * b, x[2] * c), (y[0] * a, y[1] * b, y[2] * c)
    per_z, mass = (z[0] * a, z[1] * b, z[2] * c), solid.per_mass
    put_triple(rows, first + MASS, (dot(per_x, x) + mass, dot(per_x, y), dot(per_x, z)))
    put_triple(rows, first + MASS + 3, (dot(per_y, y) + mass, dot(per_y, z), dot(per_z, z) + mass))


@kernel
def inverse_mass(rows: Array, first: int) -> InverseMass[Vector]:
    """Return the matrix from impulse to change of velocity."""
    row = first + MASS
    xx, xy, xz = triple(rows, row)
    yy, yz, zz = triple(rows, row + 3)
    return xx, xy, xz, yy, yz, zz


@kernel
def point_velocity(rows: Array, first: int) -> Triple:
    """Return the velocity of the point of contact."""
    v, w = triple(rows, VELOCITY), triple(rows, SPIN)
    row = first + LEVER
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
def contact_impulse(
    rows: Array,
    w: InverseMass[Vector],
    u: Triple,
    target: Vector,
    friction: float,
    guess: Triple,
) -> Triple:
    """Return the impulses of contacts whose points move at `u` without them; see `contact_kernel.contact_impulse`."""
    lack = target - u[2]
    wanted = lack > 0.0
    px, py, pz = sticking_impulse(w, u[0], u[1], lack)
    slips = wanted & ~((pz > 0.0) & (px * px + py * py <= friction * friction * pz * pz))
    if some(slips):
        known = guess[0] * guess[0] + guess[1] * guess[1] > 0.0
        sx, sy, sz = _sliding_impulse(
            rows,
            w,
            u,
            lack,
            friction,
            select(known, guess[0], px),
            select(known, guess[1], py),
            slips,
        )
        px, py, pz = select(slips, sx, px), select(slips, sy, py), select(slips, sz, pz)
    return select(wanted, px, 0.0), select(wanted, py, 0.0), select(wanted, pz, 0.0)


@kernel
def _sliding_impulse(
    rows: Array,
    w: InverseMass[Vector],
    u: Triple,
    lack: Vector,
    friction: float,
    px: Vector,
    py: Vector,
    slips: Mask,
) -> Triple:
    """Return impulses on the friction cone opposite to the remaining slips; see `contact_kernel.sliding_impulse`."""
    length = root(px * px + py * py)
    known = length > 0.0
    x, y = select(known, -px / length, 1.0), select(known, -py / length, 0.0)
    going = slips
    for _ in range(TURNS):
        _, _, _, across, change = slip(w, u[0], u[1], lack, friction, x, y)
        away = select(across < 0.0, spread(-0.3, x), 0.3)
        turn = select(change < 0.0, -across / change, away)
        half = most(least(0.5 * turn, 0.25), -0.25)
        scale = 1.0 / (1.0 + half * half)
        cos, sin = (1.0 - half * half) * scale, 2.0 * half * scale
        x, y = select(going, x * cos - y * sin, x), select(going, y * cos + x * sin, y)
        going = going & ~(size(half) < _LAST_TURN)
        if not some(going):
            break
    d, sx, sy, _, _ = slip(w, u[0], u[1], lack, friction, x, y)
    lost = slips & (going | ~((d > 0.0) & (x * sx + y * sy >= -1e-6 * size(lack) * d)))
    if some(lost):
        x, y = _scanned(rows, w, u, lack, friction, x, y, lost)
        d = select(lost, w[5] - friction * (w[2] * x + w[4] * y), d)
    pz = lack / d
    return -friction * pz * x, -friction * pz * y, pz


@kernel
def _scanned(
    rows: Array,
    w: InverseMass[Vector],
    u: Triple,
    lack: Vector,
    friction: float,
    x: Vector,
    y: Vector,
    lost: Mask,
) -> tuple[Vector, Vector]:
    """Return directions of slips, those of the lost lanes found one by one."""
    put_triple(rows, SCRATCH, (w[0], w[1], w[2]))
    put_triple(rows, SCRATCH + 3, (w[3], w[4], w[5]))
    put_triple(rows, SCRATCH + 6, (u[0], u[1], lack))
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
def resolve(solid: KernelBody, rows: Array, number: int, friction: float, tolerance: float) -> None:
    """Change the velocities by the impulses of all contacts; see `contact_kernel.resolve`."""
    going = load(rows, contact_row(0) + CORNER) >= 0.0
    for _ in range(SWEEPS):
        change = spread(0.0, load(rows, VELOCITY))
        for i in range(number):
            first = contact_row(i)
            active = going & (load(rows, first + CORNER) >= 0.0)
            if not some(active):
                continue
            w, p = inverse_mass(rows, first), triple(rows, first + IMPULSE)
            u = point_velocity(rows, first)
            # the velocity without this contact
            free = (
                u[0] - (w[0] * p[0] + w[1] * p[1] + w[2] * p[2]),
                u[1] - (w[1] * p[0] + w[3] * p[1] + w[4] * p[2]),
                u[2] - (w[2] * p[0] + w[4] * p[1] + w[5] * p[2]),
            )
            target = select(active, load(rows, first + TARGET), -math.inf)
            q = contact_impulse(rows, w, free, target, friction, p)
            more = (
                select(active, q[0] - p[0], 0.0),
                select(active, q[1] - p[1], 0.0),
                select(active, q[2] - p[2], 0.0),
            )
            put_triple(rows, first + IMPULSE, (p[0] + more[0], p[1] + more[1], p[2] + more[2]))
            push(solid, rows, first, more)
            change = most(change, (size(more[0]) + size(more[1]) + size(more[2])) * solid.per_mass)
        several = load(rows, contact_row(1) + CORNER) >= 0.0
        going = going & several & (change >= tolerance)
        if not some(going):
            return
