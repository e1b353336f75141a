"""Flight: states of bodies, their energy, and free flight in closed form up to the first touch of the floor.

Rotations are unit quaternions, scalar last, body to world. The energy, kinetic plus potential, is the height to which
it would lift the body.

Between contacts a body is torque-free. Its centre follows a parabola; with two equal moments of inertia (a square
brick, a coin, a die) its rotation is a steady precession about the angular momentum times a steady spin about its
own axis. With three different moments (a 1x2, a 2x4) Euler's equations are integrated by the classical Runge-Kutta
method in steps of `TURN_PER_STEP_RAD`; the error of the orientation stays below 1e-6 rad a turn (tested).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from brickphys.shapes.body import Body
from brickphys.units import GRAVITY_M_S2, Array


def cross(a: Array, b: Array) -> Array:
    """Return the cross products, shape (..., 3); three times as fast as numpy.cross on small arrays."""
    ax, ay, az = a[..., 0], a[..., 1], a[..., 2]
    bx, by, bz = b[..., 0], b[..., 1], b[..., 2]
    x = np.asarray(ay * bz - az * by)
    product = np.empty((*x.shape, 3))
    product[..., 0], product[..., 1], product[..., 2] = x, az * bx - ax * bz, ax * by - ay * bx
    return product


def multiply(p: Array, q: Array) -> Array:
    """Return the quaternion products p q, scalar last; shapes (..., 4)."""
    pv, pw, qv, qw = p[..., :3], p[..., 3:], q[..., :3], q[..., 3:]
    vector = pw * qv + qw * pv + cross(pv, qv)
    scalar = pw * qw - (pv * qv).sum(axis=-1, keepdims=True)
    return np.concatenate([vector, scalar], axis=-1)


def rotate(q: Array, v: Array) -> Array:
    """Rotate the vectors `v` (..., 3) by the unit quaternions `q` (..., 4), body to world."""
    t = 2.0 * cross(q[..., :3], v)
    return np.asarray(v + q[..., 3:] * t + cross(q[..., :3], t))


def unrotate(q: Array, v: Array) -> Array:
    """Rotate `v` (..., 3) from world to body by the inverse of `q` (..., 4)."""
    return rotate(q * np.array([-1.0, -1.0, -1.0, 1.0]), v)


def down(q: Array) -> Array:
    """Return the direction of gravity in the body frame, shape (..., 3)."""
    x, y, z, w = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    return -np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], axis=-1)


def turn(axis_rad: Array) -> Array:
    """Return the quaternions of the rotation vectors `axis_rad` (n, 3)."""
    angle = np.linalg.norm(axis_rad, axis=-1, keepdims=True)
    half = 0.5 * angle
    # np.sinc is sin(pi x) / (pi x): finite at zero angle
    return np.concatenate([0.5 * np.sinc(half / np.pi) * axis_rad, np.cos(half)], axis=-1)


def angle_between(p: Array, q: Array) -> Array:
    """Return the angles in rad, shape (...,), of the turns from `p` to `q`, shapes (..., 4)."""
    return np.asarray(2.0 * np.arccos(np.minimum(np.abs((p * q).sum(axis=-1)), 1.0)))


@dataclass(frozen=True, eq=False)
class States:
    """Positions, orientations and velocities of bodies in the world frame; the floor is z = 0.

    The leading axes are free: ``(n, k)`` is `n` hands of `k` bricks, ``(n,)`` is `n` bodies.
    """

    position_mm: Array
    """Centres of mass, shape (..., 3)."""
    quaternion: Array
    """Body to world, scalar last, unit length, shape (..., 4)."""
    velocity_m_s: Array
    spin_rad_s: Array
    """Velocities of the centres of mass and angular velocities, shape (..., 3)."""

    def __len__(self) -> int:
        return len(self.position_mm)

    def __getitem__(self, index: Any) -> "States":
        """Select along the leading axes, as NumPy does."""
        return self.map(lambda array: np.asarray(array[index]))

    def map(self, change: Callable[[Array], Array]) -> "States":
        """Return the states with `change` applied to each array."""
        return States(*(change(getattr(self, field.name)) for field in fields(self)))

    def flat(self) -> "States":
        """Return the same bodies along one leading axis."""
        return self.map(lambda array: array.reshape(-1, array.shape[-1]))

    @staticmethod
    def concatenate(parts: Sequence["States"]) -> "States":
        """Join states along the first axis."""
        return States(
            *(
                np.concatenate([getattr(part, field.name) for part in parts])
                for field in fields(States)
            )
        )


def energy_height_mm(body: Body, states: States) -> Array:
    """Return kinetic plus potential energy over m g, in mm above the floor, shape (...,).

    A body that penetrates the floor counts as resting on it. So the height is an upper bound, and safe to compare
    with the barriers of `faces`.
    """
    reach = (down(states.quaternion) @ body.vertices_mm.T).max(axis=-1) + body.edge_radius_mm
    height = np.maximum(states.position_mm[..., 2], reach)
    spin = unrotate(states.quaternion, states.spin_rad_s)
    twice_kinetic = (states.velocity_m_s**2).sum(axis=-1) * 1e6 + (
        np.array(body.inertia_g_mm2) / body.mass_g * spin**2
    ).sum(axis=-1)
    return np.asarray(height + twice_kinetic / (2 * GRAVITY_M_S2 * 1000.0))


TURN_PER_STEP_RAD = 0.05
SYMMETRY_SHARE = 1e-6
"""Moments of inertia that differ by at most this share count as equal."""
AIRBORNE_MM = 0.05
"""A body whose lowest corner is higher than this is in the air."""
TOUCH_MM = 1e-3
"""A body whose lowest corner is at most this high touches the floor."""
_MAX_ADVANCES = 50


def symmetry_axis(body: Body) -> int | None:
    """Return the axis (0, 1, 2) of a symmetric top; None if all three moments differ."""
    moments = body.inertia_g_mm2
    for axis in (2, 1, 0):
        a, b = (moments[other] for other in range(3) if other != axis)
        if abs(a - b) <= SYMMETRY_SHARE * max(a, b):
            return axis
    return None


def fly(body: Body, states: States, time_s: Array) -> States:
    """Return the states after a free flight of `time_s` (n,) seconds each.

    The rotation of a symmetric top is ``exp(L t / I1) q exp(e3 w3 (1 - I3 / I1) t)``: Landau and Lifshitz,
    Mechanics, section 33.
    """
    t = time_s[..., None]
    fall = np.array([0.0, 0.0, GRAVITY_M_S2])
    position = states.position_mm + 1000.0 * (states.velocity_m_s - 0.5 * fall * t) * t
    velocity = states.velocity_m_s - fall * t
    axis = symmetry_axis(body)
    if axis is None:
        quaternion, spin = _asymmetric(body, states, time_s)
    else:
        quaternion, spin = _symmetric(body, axis, states, t)
    return States(position, quaternion, velocity, spin)


def _symmetric(body: Body, axis: int, states: States, t: Array) -> tuple[Array, Array]:
    own = body.inertia_g_mm2[axis]
    other = body.inertia_g_mm2[axis - 1]
    w = unrotate(states.quaternion, states.spin_rad_s)
    along = np.zeros(3)
    along[axis] = 1.0
    w3 = w[..., axis : axis + 1]
    momentum_over_other = rotate(states.quaternion, w + (own / other - 1.0) * w3 * along)
    nutation = turn(along * w3 * (1.0 - own / other) * t)
    q = multiply(multiply(turn(momentum_over_other * t), states.quaternion), nutation)
    q /= np.linalg.norm(q, axis=-1, keepdims=True)
    spin = momentum_over_other + rotate(q, along * w3) * (1.0 - own / other)
    return q, spin


def _asymmetric(body: Body, states: States, time_s: Array) -> tuple[Array, Array]:
    moments = np.array(body.inertia_g_mm2)
    q, w = states.quaternion, unrotate(states.quaternion, states.spin_rad_s)
    turned = np.linalg.norm(w, axis=-1) * time_s
    # the number of steps depends on the body alone, so flights are independent
    steps = np.maximum(1, np.ceil(turned / TURN_PER_STEP_RAD))

    def rates(q: Array, w: Array) -> tuple[Array, Array]:
        pure = np.concatenate([w, np.zeros_like(w[..., :1])], axis=-1)
        return 0.5 * multiply(q, pure), cross(moments * w, w) / moments

    for step in range(int(steps.max(initial=0))):
        h = np.where(step < steps, time_s / steps, 0.0)[..., None]
        q1, w1 = rates(q, w)
        q2, w2 = rates(q + 0.5 * h * q1, w + 0.5 * h * w1)
        q3, w3 = rates(q + 0.5 * h * q2, w + 0.5 * h * w2)
        q4, w4 = rates(q + h * q3, w + h * w3)
        q = q + h / 6.0 * (q1 + 2 * q2 + 2 * q3 + q4)
        w = w + h / 6.0 * (w1 + 2 * w2 + 2 * w3 + w4)
    q = q / np.linalg.norm(q, axis=-1, keepdims=True)
    return q, rotate(q, w)


def gap_mm(body: Body, states: States) -> Array:
    """Return the height of the lowest point of the hull above the floor, shape (...,)."""
    reach = _along(down(states.quaternion), body).max(axis=-1) + body.edge_radius_mm
    return np.asarray(states.position_mm[..., 2] - reach)


def _along(direction: Array, body: Body) -> Array:
    """Return the coordinates of the core's corners along directions (..., 3) in the body frame, shape (..., corners).

    Not a matrix product, because its rounding depends on the number of rows, and flights must be independent.
    """
    x, y, z = body.vertices_mm.T
    return np.asarray(direction[..., :1] * x + direction[..., 1:2] * y + direction[..., 2:] * z)


def time_to_touch(body: Body, states: States, advances: int = _MAX_ADVANCES) -> Array:
    """Return the times of first touch of the floor in seconds, shape (n,), of bodies with leading shape (n,).

    The method is conservative advancement. The height of a corner is at least its present value, plus its present
    speed times t, minus half the largest acceleration times t squared. An advance to the first time at which this
    bound is 0 for a corner never passes a touch, and converges to it like Newton's method. The point that touches is
    the edge radius below a corner of the core, so it moves up and down as that corner does.

    The result is 0 for bodies that touch the floor, and never later than the true touch. The gap is then at most
    `TOUCH_MM`, unless the body is still in the air after so many `advances`.
    """
    elapsed = np.zeros(len(states))
    active, now = np.arange(len(states)), states
    limit = _acceleration_bound(body, states)
    for _ in range(advances):
        direction = down(now.quaternion)
        height = now.position_mm[:, 2:] - body.edge_radius_mm - _along(direction, body)
        flying = height.min(axis=1) > TOUCH_MM
        if not flying.all():
            active, now = active[flying], now[flying]
            direction, height = direction[flying], height[flying]
        if not len(active):
            break
        spin = unrotate(now.quaternion, now.spin_rad_s)
        rise = 1000.0 * now.velocity_m_s[:, 2:] - _along(cross(direction, spin), body)
        a = limit[active, None]
        # height + rise t - a t2 / 2 = 0, solved without cancellation for either sign of the rise
        root = np.sqrt(rise**2 + 2.0 * a * height)
        step = np.where(rise > 0, (rise + root) / a, 2.0 * height / np.maximum(root - rise, 1e-300))
        shortest = step.min(axis=1)
        elapsed[active] += shortest
        now = fly(body, now, shortest)
    return elapsed


def _acceleration_bound(body: Body, states: States) -> Array:
    """Return an upper bound of the downward acceleration of a corner in free flight, mm/s2, shape (n,).

    The spin |w| is at most |L| / I_min. By Euler's equations in the body frame its rate of change is at most
    |w|^2 (I_max - I_min) / I_min.
    """
    moments = np.array(body.inertia_g_mm2)
    momentum = np.linalg.norm(moments * unrotate(states.quaternion, states.spin_rad_s), axis=-1)
    spin = momentum / moments.min()
    uneven = (moments.max() - moments.min()) / moments.min()
    return np.asarray(1000.0 * GRAVITY_M_S2 + (1.0 + uneven) * spin**2 * body.radius_mm)


def free_time(body: Body, states: States) -> Array:
    """Return a time in s during which the bricks of each hand (n, k) touch neither floor nor each other, shape (n,)."""
    n, k = states.position_mm.shape[:2]
    free = np.zeros(n)
    airborne = (gap_mm(body, states) > AIRBORNE_MM).all(axis=1)
    if not airborne.any():
        return free
    flying = states[airborne]
    time_s = time_to_touch(body, flying.flat()).reshape(-1, k).min(axis=1)
    if k > 1:
        time_s = np.minimum(time_s, _time_apart(2 * body.radius_mm, flying))
    free[airborne] = time_s
    return free


def _time_apart(reach_mm: float, states: States) -> Array:
    """Return how long the bricks of each hand stay farther apart than `reach_mm`, in s, shape (n,).

    All bricks have the same acceleration, so their relative velocities are constant.
    """
    i, j = np.triu_indices(states.position_mm.shape[1], k=1)
    r = (states.position_mm[:, i] - states.position_mm[:, j]) / 1000.0
    v = states.velocity_m_s[:, i] - states.velocity_m_s[:, j]
    a, b = (v**2).sum(axis=-1), (r * v).sum(axis=-1)
    c = (r**2).sum(axis=-1) - (reach_mm / 1000.0) ** 2
    root = b**2 - a * c
    meets = (b < 0) & (root > 0)
    time_s = np.where(meets, c / (-b + np.sqrt(np.where(meets, root, 1.0))), np.inf)
    return np.asarray(np.where(c <= 0, 0.0, time_s).min(axis=1))
