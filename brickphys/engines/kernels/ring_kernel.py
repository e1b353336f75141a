"""Ring kernel: throws of bodies of revolution, from release until they are decided or at rest.

Flights are in closed form; points that touch and fall faster than a threshold bounce at once. While a ring stays on the
floor, time advances in steps, whose impulses keep all rings above the floor to second order and in which rolling and
drilling lose energy. A ring touches at its lowest point, or at three points if it is level. All masses are 1: moments
of inertia are over the mass. A motion is a row of thirteen numbers in mm and s: position, orientation (quaternion,
scalar last, of a body whose axis is z), velocity and spin, all in the world frame.
"""

import math
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from brickphys.engines.kernels.scalar_kernel import (
    InverseMass,
    contact_impulse,
    drop_time,
    fall,
    is_slow,
)
from brickphys.engines.kernels.tables import (
    BOUNCES_AT_ONCE,
    DECIDED,
    DIVERGED,
    GRAVITY_MM_S2,
    OUT_OF_TIME,
    ThrowSettings,
)
from brickphys.jit import entry, kernel, outer_kernel
from brickphys.throws.faces import TIPPING_SHARE
from brickphys.throws.rings import Rings
from brickphys.units import Array, Indices

Triple = tuple[float, float, float]

HEIGHT, RISE, TARGET, IMPULSE = 3, 4, 5, 6
"""Columns of the workspace, with three rows for each ring: place from the centre of mass; height; vertical speed; least
vertical speed after the impulses, -infinite without contact; and impulse. The last row is for a motion."""
RIM_RAD_S, G = 30.0, GRAVITY_MM_S2  # the first is the speed to which the arm of rolling belongs
_LOOK_S, _LOOK_RAD, _EXACT_S, _EXACT_MM = 4e-4, 0.015, 1e-10, 1e-7
"""Time and turn between two looks at a body near the floor, which miss dips below 3e-5 of its radius; accuracy."""
_LEAN_RAD, _SWEEPS = 0.2, 100  # turn of the direction in which the axis leans, in a step
_ROCKING, _TORQUE, _SLIP_MM_S = 0.5, 0.3, 5.0
"""Most of what rolls on two rings and is decided: shares of the barrier and of the torque of its weight, and slip."""


class Solid(NamedTuple):
    """A body of revolution, and how it is thrown."""

    rings: Rings
    touch: float  # height up to which a point touches the floor
    level: float  # sine of the tilt below which rings are level
    rolling: float
    drilling: float  # arms of the losses, see `ContactCoefficients`
    law: ThrowSettings


@kernel
def _dot(a: Triple, b: Triple) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def _cross(a: Triple, b: Triple) -> Triple:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@kernel
def _length(x: float, y: float) -> float:
    """Return the length of a vector; `math.hypot` rounds it otherwise on ARM."""
    return math.sqrt(x * x + y * y)


@kernel
def _axis(motion: Array) -> Triple:
    x, y, z, w = motion[3], motion[4], motion[5], motion[6]
    return 2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)


@kernel
def _spin(motion: Array) -> Triple:
    return motion[10], motion[11], motion[12]


@kernel
def _twist(body: Rings, motion: Array, torque: Triple) -> None:
    d = _axis(motion)
    own = (1.0 / body.along_mm2 - 1.0 / body.across_mm2) * _dot(torque, d)
    for k in range(3):
        motion[10 + k] += torque[k] / body.across_mm2 + own * d[k]


@kernel
def _momentum(body: Rings, motion: Array) -> tuple[Triple, float]:
    """Return the angular momentum over the moment across the axis, and how much of the spin along it is missing."""
    d, w = _axis(motion), _spin(motion)
    excess = (body.along_mm2 / body.across_mm2 - 1.0) * _dot(w, d)
    return (w[0] + excess * d[0], w[1] + excess * d[1], w[2] + excess * d[2]), excess


@kernel
def _energy_mm(body: Rings, motion: Array, gap: float) -> float:
    """Return kinetic plus potential energy over the weight; a body that penetrates counts as on the floor."""
    v = motion[7], motion[8], motion[9]
    spinning = body.across_mm2 * _dot(_momentum(body, motion)[0], _spin(motion))
    return float(motion[2] - min(gap, 0.0) + (_dot(v, v) + spinning) / (2 * G))


@kernel
def turn_freely(body: Rings, motion: Array, time_s: float) -> None:
    """Rotate without torque: the body precesses about its angular momentum and turns about its axis."""
    p, excess = _momentum(body, motion)
    rate = math.sqrt(_dot(p, p))
    share = math.sin(0.5 * rate * time_s) / rate if rate > 0.0 else 0.5 * time_s
    x, y, z, w = share * p[0], share * p[1], share * p[2], math.cos(0.5 * rate * time_s)
    a, b, c, s = motion[3], motion[4], motion[5], motion[6]
    qx, qy = w * a + x * s + y * c - z * b, w * b + y * s + z * a - x * c
    qz, qw = w * c + z * s + x * b - y * a, w * s - x * a - y * b - z * c
    scale = 1.0 / math.sqrt(qx * qx + qy * qy + qz * qz + qw * qw)
    k, w = -scale * math.sin(0.5 * excess * time_s), scale * math.cos(0.5 * excess * time_s)
    motion[3], motion[4] = qx * w + qy * k, qy * w - qx * k
    motion[5], motion[6] = qz * w + qw * k, qw * w - qz * k
    d = _axis(motion)
    for i in range(3):
        motion[10 + i] = p[i] - excess * d[i]


@kernel
def _measure(solid: Solid, motion: Array, points: Array) -> tuple[int, float, int, float]:
    """Write the points; return their number, the least height, how many touch, and the least speed up of those."""
    d, w = _axis(motion), _spin(motion)
    sine, touching, i = _length(d[0], d[1]), 0, 0
    gap, slowest = math.inf, math.inf
    x, y, z = (1.0, 0.0, 0.0) if sine < 1e-9 else (d[2] * d[0] / sine, d[2] * d[1] / sine, -sine)
    side = _cross(d, (x, y, z))
    for ring in range(len(solid.rings.z_mm)):
        for turn in range(3 if sine < solid.level else 1):
            a = solid.rings.radius_mm[ring] * (1.0 if turn == 0 else -0.5)
            b = solid.rings.radius_mm[ring] * math.sqrt(0.75) * (turn if turn < 2 else -1)
            px = solid.rings.z_mm[ring] * d[0] + a * x + b * side[0]
            py = solid.rings.z_mm[ring] * d[1] + a * y + b * side[1]
            pz = solid.rings.z_mm[ring] * d[2] + a * z + b * side[2] - solid.rings.edge_mm
            height, rise = motion[2] + pz, motion[9] + w[0] * py - w[1] * px
            points[i, 0], points[i, 1], points[i, 2] = px, py, pz
            points[i, HEIGHT], points[i, RISE] = height, rise
            gap, touches = min(gap, height), height <= solid.touch
            touching += touches
            slowest = min(slowest, rise) if touches else slowest
            i += 1
    return i, gap, touching, slowest


@kernel
def _push(body: Rings, motion: Array, row: Array, impulse: Triple) -> None:
    for k in range(3):
        motion[7 + k] += impulse[k]
    _twist(body, motion, _cross((row[0], row[1], row[2]), impulse))


@kernel
def _matrix(body: Rings, d: Triple, row: Array) -> InverseMass[float]:
    x, y, z = row[0], row[1], row[2]
    a, c = 1.0 / body.across_mm2, 1.0 / body.along_mm2 - 1.0 / body.across_mm2
    u, v, w = _cross((x, y, z), d)
    xx, xy = 1.0 + a * (y * y + z * z) + c * u * u, c * u * v - a * x * y
    xz, yy = c * u * w - a * x * z, 1.0 + a * (x * x + z * z) + c * v * v
    return xx, xy, xz, yy, c * v * w - a * y * z, 1.0 + a * (x * x + y * y) + c * w * w


@kernel
def _resolve(solid: Solid, motion: Array, points: Array, number: int) -> None:
    """Change the velocities by the impulses of all contacts, swept until they have converged."""
    points[:-1, IMPULSE:] = 0.0
    for _ in range(_SWEEPS):
        change = 0.0
        for i in range(number):
            row = points[i]
            if row[TARGET] > -math.inf:
                (x, y, z), w = (row[6], row[7], row[8]), _matrix(solid.rings, _axis(motion), row)
                ux, uy, uz = _cross(_spin(motion), (row[0], row[1], row[2]))
                # the velocity without this contact
                ux += motion[7] - (w[0] * x + w[1] * y + w[2] * z)
                uy += motion[8] - (w[1] * x + w[3] * y + w[4] * z)
                uz += motion[9] - (w[2] * x + w[4] * y + w[5] * z)
                p = contact_impulse(w, ux, uy, uz, row[TARGET], solid.law.friction, x, y)
                row[6], row[7], row[8] = p
                _push(solid.rings, motion, row, (p[0] - x, p[1] - y, p[2] - z))
                change = max(change, abs(p[0] - x) + abs(p[1] - y) + abs(p[2] - z))
        if change < 1e-4 * solid.law.bounce:
            return


@kernel
def _lose(solid: Solid, motion: Array, normal: float, is_level: bool) -> None:
    """Slow rolling along the rims and spinning about the vertical, in proportion to the normal impulse.

    The points of contact travel along the rims at q = w . h / sin a, with h the horizontal direction of the axis and a
    its tilt; so the torque on q is along h. Both are implicit, and reverse no motion.
    """
    d, w, a, c = _axis(motion), _spin(motion), solid.rings.across_mm2, solid.rings.along_mm2
    square = d[0] * d[0] + d[1] * d[1]
    if not is_level:
        rate, q = solid.rolling * normal / RIM_RAD_S, (w[0] * d[0] + w[1] * d[1]) / square
        pull = -rate * q / (1.0 + rate * (1.0 / c + (1.0 / square - 1.0) / a)) / square
        _twist(solid.rings, motion, (pull * d[0], pull * d[1], 0.0))
    whole = abs(motion[12]) / (square / a + d[2] * d[2] / c)
    pull = math.copysign(min(solid.drilling * normal, whole), -motion[12])
    _twist(solid.rings, motion, (0.0, 0.0, pull))


@kernel
def _height(body: Rings, motion: Array, ring: int) -> float:
    cosine = _axis(motion)[2]
    below = body.radius_mm[ring] * math.sqrt(max(0.0, 1.0 - cosine * cosine)) + body.edge_mm
    return float(motion[2] + body.z_mm[ring] * cosine - below)


@kernel
def _gap_after(body: Rings, motion: Array, trial: Array, time_s: float) -> float:
    """Return the height of the lowest ring after a time of flight; `trial` becomes the motion then."""
    for k in range(len(trial)):
        trial[k] = motion[k]
    turn_freely(body, trial, time_s)
    fall(trial, time_s)
    gap = math.inf
    for ring in range(len(body.z_mm)):
        gap = min(gap, _height(body, trial, ring))
    return gap


@kernel
def fly_to_touch(body: Rings, motion: Array, trial: Array, limit_s: float) -> float:
    """Fly until a ring falls onto the floor, or until `limit_s`; return the time."""
    lean = _cross(_spin(motion), _axis(motion))
    rate = math.sqrt(_dot(lean, lean))
    look, time = min(_LOOK_S, _LOOK_RAD / (rate + 1e-9)), 0.0
    gap = _gap_after(body, motion, trial, 0.0)
    floor = min(0.0, gap) - _EXACT_MM  # where it has just bounced
    low, above = 0.0, gap
    while time < limit_s and gap > floor:
        # no point falls faster than the centre of mass and the largest speed by spin together
        safe = drop_time(max(gap, 0.0), motion[9] - G * time - body.reach_mm * rate, G)
        floor = 0.0 if gap > 0.0 else floor
        low, above, time = time, gap, min(time + max(safe, look), limit_s)
        gap = _gap_after(body, motion, trial, time)
    while gap < floor - _EXACT_MM and time - low > _EXACT_S:  # false position
        share = min(max((above - floor) / (above - gap), 0.02), 0.98)
        middle = low + share * (time - low)
        found = _gap_after(body, motion, trial, middle)
        if found <= floor:
            time, gap = middle, found
        else:
            low, above = middle, found
    turn_freely(body, motion, time)
    fall(motion, time)
    return time


@kernel
def _bounce(solid: Solid, motion: Array, points: Array, number: int) -> None:
    law = solid.law
    for i in range(number):
        up, touches = points[i, RISE], points[i, HEIGHT] <= solid.touch
        kept = -law.restitution * up if up < -law.bounce else 0.0
        points[i, TARGET] = kept if touches else -math.inf
    _resolve(solid, motion, points, number)


@kernel
def _contact_step(solid: Solid, motion: Array, points: Array, number: int, longest: float) -> float:
    """Advance by a step, less if a point will touch that bounces or the lowest points travel on; return its length."""
    step, d, is_level = min(solid.law.step, longest), _axis(motion), number > len(solid.rings.z_mm)
    if not is_level:
        lean = _cross(_spin(motion), d)
        step = min(step, _LEAN_RAD * _length(d[0], d[1]) / (math.sqrt(_dot(lean, lean)) + 1e-9))
    for i in range(number):
        room, down = points[i, HEIGHT], -points[i, RISE]
        if room > solid.touch and down > solid.law.bounce and room < down * step:
            step = room / down
    trial, fall_mm = points[-1], 0.5 * G * step * step
    _gap_after(solid.rings, motion, trial, step)
    for i in range(number):
        room, rise = max(points[i, HEIGHT], 0.0), points[i, RISE] * step
        if not is_level:  # the lowest point travels along the ring
            room += _height(solid.rings, trial, i) - points[i, HEIGHT] - rise + fall_mm
        touches = points[i, HEIGHT] <= solid.touch or room + rise < 2.0 * fall_mm
        points[i, TARGET] = -room / step if touches else -math.inf
    motion[9] -= G * step
    _resolve(solid, motion, points, number)
    _lose(solid, motion, points[:number, IMPULSE + 2].sum(), is_level)
    for k in range(3):
        motion[k] += step * motion[7 + k]
    turn_freely(solid.rings, motion, step)
    return step


@kernel
def _is_decided(solid: Solid, motion: Array, points: Array, number: int, basin: int) -> bool:
    """Return whether the body cannot leave its basin although it has the energy: level on a ring, or rolling on two."""
    d, w, arm = _axis(motion), _spin(motion), motion[2]
    body, law = solid.rings, solid.law
    rocking = arm - body.rest_mm[basin] + motion[9] * motion[9] / (2 * G)
    if number > len(body.z_mm):
        foot = body.radius_mm[0] if d[2] > 0 else body.radius_mm[-1]
        rocking += body.across_mm2 * (w[0] * w[0] + w[1] * w[1]) / (2 * G)
        return bool(law.friction * arm < TIPPING_SHARE * foot and rocking < law.level)
    sine, back, front = _length(d[0], d[1]), 0.0, 0.0  # its line, from below the centre of mass
    for i in range(number):
        if points[i, HEIGHT] <= solid.touch:
            at = body.z_mm[i] * sine + body.radius_mm[i] * d[2]
            back, front = min(back, at), max(front, at)
    tilting, rolling = (w[0] * d[1] - w[1] * d[0]) / sine, (w[0] * d[0] + w[1] * d[1]) / sine
    across = body.across_mm2 + arm * arm  # about the line
    rocking += across * tilting * tilting / (2 * G)
    spin = (body.along_mm2 - body.across_mm2) * _dot(w, d) * sine + across * rolling
    slip = _length(motion[7] - w[1] * arm, motion[8] + w[0] * arm)
    return bool(
        rocking < _ROCKING * (body.barrier_mm[basin] - body.rest_mm[basin])
        and abs(spin * w[2]) < _TORQUE * G * min(-back, front)
        and (slip < _SLIP_MM_S or law.friction == 0.0)
    )


@outer_kernel
def throw(solid: Solid, motion: Array, points: Array) -> tuple[int, int, float, float]:
    """Throw one body to its final motion; return result, pose, time, and largest gain as a share of energy."""
    points[:] = 0.0  # a throw must not depend on the previous one
    law = solid.law
    number, gap, touching, slowest = _measure(solid, motion, points)
    start = _energy_mm(solid.rings, motion, gap)
    least, gain, time, still, stuck = start, 0.0, 0.0, 0.0, 0
    while law.limit - time > 1e-9:
        spent = 0.0
        if slowest < -law.bounce and stuck < BOUNCES_AT_ONCE:
            _bounce(solid, motion, points, number)
        elif slowest <= law.bounce:
            spent = _contact_step(solid, motion, points, number, law.limit - time)
        else:
            spent = fly_to_touch(solid.rings, motion, points[-1], law.limit - time)
        time += spent
        stuck = stuck + 1 if spent == 0.0 else 0
        number, gap, touching, slowest = _measure(solid, motion, points)
        energy = _energy_mm(solid.rings, motion, gap)
        more = (energy - least) / start
        gain, least = max(gain, more), min(least, energy)
        if not more <= law.gain_limit:  # NaN fails too
            return DIVERGED, 0, time, more
        basin = int(np.searchsorted(solid.rings.pass_sink, -_axis(motion)[2]))
        low = energy + solid.touch < solid.rings.barrier_mm[basin]
        rests = touching > 1  # on one point it is balanced
        known = low or (rests and _is_decided(solid, motion, points, number, basin))
        still = still + spent if is_slow(law, motion) else 0.0
        if (law.by_energy and known) or (still >= law.rest_time and rests):
            return DECIDED, solid.rings.pose[basin], time, gain
    return OUT_OF_TIME, 0, time, gain


@partial(entry, allocates=False)
def throw_all(
    tables: tuple[Any, ...], points: Array, motions: Array, ends: Indices, measures: Array
) -> None:
    """Throw n bodies: the parts of `Solid` as plain tuples, else as `throw_kernel.throw_all`."""
    rings, touch, level, rolling, drilling, law = tables
    solid = Solid(Rings(*rings), touch, level, rolling, drilling, ThrowSettings(*law))
    for i in range(len(motions)):
        end, pose, time, gain = throw(solid, motions[i], points)
        ends[i, 0], ends[i, 1] = end, pose
        measures[i, 0], measures[i, 1] = time, gain
