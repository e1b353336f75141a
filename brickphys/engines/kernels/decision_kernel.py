"""Decision kernel: when a throw is over: at rest, lost, or decided by energy, as it slides level or near walls."""

import math

from brickphys.engines.kernels import rows as at
from brickphys.engines.kernels.flight_kernel import dot, energy, number_triple, triple
from brickphys.engines.kernels.tables import GRAVITY_MM_S2, Basins, KernelBody, ThrowSettings, Walls
from brickphys.engines.kernels.vectors import Mask, least, load, most, select, store
from brickphys.jit import kernel
from brickphys.throws.faces import TIPPING_SHARE
from brickphys.throws.release import FLAT_DEG
from brickphys.units import Array

OPEN = -1
"""The result of a throw that goes on."""
_SINE, _RISE = math.sin(math.radians(FLAT_DEG)), 1.0 - math.cos(math.radians(FLAT_DEG))


@kernel
def _may_lean(
    solid: KernelBody,
    basins: Basins,
    settings: ThrowSettings,
    walls: Walls,
    facet: int,
    place: tuple[float, float, float],
    energy: float,
) -> bool:
    """Return whether a body with an energy, as a height, may reach a wall, and there lean by more than `FLAT_DEG`.

    Friction takes the energy over the rest while it slides; it may also turn over an edge once, which takes nothing.
    """
    if walls is None:
        return False
    rest, left = basins.rest[facet], energy + settings.slack - basins.rest[facet]
    way = 3.0 * solid.radius + left / settings.friction
    lean = basins.tip_friction[facet] / TIPPING_SHARE * rest * _SINE - rest * _RISE
    return bool(max(abs(place[0]), abs(place[1])) + way >= walls[0] and left >= lean)


@kernel
def steepest_facet(
    solid: KernelBody, basins: Basins, corner: int, reach: float, nx: float, ny: float, nz: float
) -> int:
    """Return the facet around the lowest corner, `reach` below the centre of mass, towards which the height falls."""
    px = solid.x[corner] + reach * nx
    py = solid.y[corner] + reach * ny
    pz = solid.z[corner] + reach * nz
    best, steepest = 0, math.inf
    for turn in range(basins.incident.shape[1]):
        facet = basins.incident[corner, turn]
        slope = basins.normals[facet, 0] * px
        slope += basins.normals[facet, 1] * py + basins.normals[facet, 2] * pz
        if slope < steepest:
            best, steepest = facet, slope
    return best


@kernel
def is_level(
    solid: KernelBody,
    basins: Basins,
    settings: ThrowSettings,
    facet: int,
    normal: tuple[float, float, float],
    spin: tuple[float, float, float],
    height: float,
    rise: float,
) -> bool:
    """Return whether a body that stands on a facet is level, and neither friction nor spin can tip it."""
    if settings.friction >= basins.tip_friction[facet]:
        return False
    a, b, c = solid.inertia
    nx, ny, nz = normal
    own = spin[0] * nx + spin[1] * ny + spin[2] * nz
    if settings.friction + own * own * basins.tip_spin[facet] >= basins.tip_friction[facet]:
        return False
    x, y, z = spin[0] - own * nx, spin[1] - own * ny, spin[2] - own * nz
    square = rise * rise + (a * x * x + b * y * y + c * z * z) * solid.per_mass
    return bool(height - basins.rest[facet] + square / (2 * GRAVITY_MM_S2) < settings.level)


@kernel
def decided(
    solid: KernelBody, basins: Basins, settings: ThrowSettings, rows: Array, lane: int, flat: bool
) -> int:
    """Return the pose in which the body of a lane will come to rest; -1 if it is open. `flat`: it may slide level."""
    x, y, z = number_triple(rows, at.NORMAL, lane)
    k = int(rows[at.LOWEST, lane])
    reach = -(x * solid.x[k] + y * solid.y[k] + z * solid.z[k])
    facet = steepest_facet(solid, basins, k, reach, x, y, z)
    place, energy = number_triple(rows, at.POSITION, lane), rows[at.ENERGY, lane]
    if _may_lean(solid, basins, settings, settings.walls, facet, place, energy):
        return -1
    height, rise = place[2], rows[at.VELOCITY + 2, lane]
    spin = number_triple(rows, at.SPIN, lane)
    enough = energy + settings.slack < basins.barrier[facet]
    if enough or (flat and is_level(solid, basins, settings, facet, (x, y, z), spin, height, rise)):
        return int(basins.pose[facet])
    return -1


@kernel
def account(solid: KernelBody, settings: ThrowSettings, rows: Array, where: Mask) -> Mask:
    """Compare the energies with the least ones before, in the lanes of a mask; return which throws have diverged."""
    now, start = energy(solid, rows, load(rows, at.GAP)), load(rows, at.START)
    fresh = where & (start == 0.0)
    start, before = select(fresh, now, start), select(fresh, now, load(rows, at.LEAST))
    more = (now - before) / start
    store(rows, at.START, start)
    lost = where & ~(more <= settings.gain_limit)  # NaN has diverged, too
    store(rows, at.ENERGY, now)
    store(rows, at.GAIN, select(lost, more, most(select(where, more, 0.0), load(rows, at.GAIN))))
    store(rows, at.LEAST, select(where, least(now, before), before))
    return lost


@kernel
def is_low(basins: Basins, settings: ThrowSettings, rows: Array) -> Mask:
    """Return which bodies have less energy than the highest barrier."""
    return load(rows, at.ENERGY) + settings.slack < basins.highest


@kernel
def is_flat(solid: KernelBody, settings: ThrowSettings, rows: Array) -> Mask:
    """Return which bodies may slide level: at least three corners are near the floor, and they hardly rock or rise."""
    up, spin, rise = triple(rows, at.NORMAL), triple(rows, at.SPIN), load(rows, at.VELOCITY + 2)
    own = dot(up, spin)
    x, y, z = spin[0] - own * up[0], spin[1] - own * up[1], spin[2] - own * up[2]
    a, b, c = solid.inertia
    square = rise * rise + (a * x * x + b * y * y + c * z * z) * solid.per_mass
    # twice the limit, since `is_level` counts a height that may be a little below that of the rest
    return (load(rows, at.NEAR) > 2.5) & (square < 4.0 * GRAVITY_MM_S2 * settings.level)


@kernel
def is_still(settings: ThrowSettings, rows: Array, fresh: Mask) -> Mask:
    """Count how long each body has been slow; return which are at rest."""
    v, w = triple(rows, at.VELOCITY), triple(rows, at.SPIN)
    slow = dot(v, v) < settings.rest_speed * settings.rest_speed
    slow = slow & (dot(w, w) < settings.rest_spin * settings.rest_spin)
    still = select(slow, load(rows, at.STILL) + load(rows, at.SPENT), 0.0)
    still = select(fresh, still, load(rows, at.STILL))
    store(rows, at.STILL, still)
    # on fewer corners the body is balanced on an edge and will fall
    return fresh & (still >= settings.rest_time) & (load(rows, at.NEAR) > 2.5)
