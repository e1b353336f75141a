"""Landings on several corners: poses that show Bullet each corner that touches the floor.

Bullet finds one contact a step of a hull with a plane, at the lowest corner. A brick that lands on a face would bounce
off one corner and start to turn. Bullet's remedy, for which PyBullet has no option, is to tilt a body a little and to
collect the lowest corners of all its poses. This module gives such poses: four for a face, which is as many contacts as
Bullet keeps of a pair. The bounces of a brick that neither turns nor slides are computed in closed form instead.
"""

from dataclasses import replace

import numpy as np

from brickphys.arrays import Array, Indices, Mask
from brickphys.engines.bullet.settings import BulletSettings
from brickphys.shapes.body import Body
from brickphys.throws.faces import face_map
from brickphys.throws.flight import TOUCH_MM
from brickphys.throws.rotations import down, multiply, rotate, turn
from brickphys.throws.states import States
from brickphys.units import GRAVITY_M_S2


def level_landings(
    body: Body, states: States, depth_mm: float
) -> tuple[Indices, States, list[States]]:
    """Return the hands with a brick that touches the floor with several corners, and their poses for Bullet.

    Parameters
    ----------
    body : Body
    states : States, shape (m, k)
        Hands of bricks.
    depth_mm
        Corners touch together if their heights differ by at most this.

    Returns
    -------
    rows : ndarray, shape (n,)
        These hands.
    lowered : States, shape (n, k)
        Their states, with the lowest corner of each such brick that deep in the floor. Bullet lets a corner above the
        floor approach by its gap in a step, and a micrometre in a step is 4 mm/s.
    tilted : list of States
        The same four times, with these bricks turned a little towards one of their corners.
    """
    shape = (*states.position_mm.shape[:2], *body.vertices_mm.shape)
    arms = rotate(states.quaternion[..., None, :], np.broadcast_to(body.vertices_mm, shape))
    height = states.position_mm[..., 2:] + arms[..., 2] - body.edge_radius_mm
    lowest = height.min(axis=-1)
    near = height <= lowest[..., None] + depth_mm
    level = (near.sum(axis=-1) > 1) & (lowest <= TOUCH_MM)
    rows = np.flatnonzero(level.any(axis=1))

    shift = np.where(level, lowest + depth_mm, 0.0)[..., None] * np.array([0.0, 0.0, 1.0])
    lowered = replace(states, position_mm=states.position_mm - shift)[rows]
    angle_rad = np.where(level, depth_mm / (2 * body.radius_mm), 0.0)[rows]
    arms, near = arms[rows], near[rows]
    tilted = [_tilt(lowered, arms, near, way, angle_rad) for way in _ways(arms, near)]
    return rows, lowered, tilted


def bounce_out(
    body: Body, states: States, restitution: float, settings: BulletSettings
) -> tuple[States, Array]:
    """Return bricks after all their bounces on a face, and how long these take in s; others as they are, and 0.

    All corners of a face bounce together, so the flights form a geometric series. This holds while the corners touch
    together: their heights may differ by `sunk_mm`, and the brick may turn and slide by no more than that in the time
    of all bounces and in that of a check. Its place is kept.

    Parameters
    ----------
    body : Body
    states : States, shape (...)
        Bricks that touch the floor.
    restitution, settings
        Restitution on the floor, and the settings of the engine.
    """
    tilt_deg = np.degrees(settings.sunk_mm / (2 * body.radius_mm))
    downward = down(states.quaternion)
    pose = face_map(body).pose_at_rest(downward.reshape(-1, 3), tilt_deg)
    on_face = (pose < len(body.poses)).reshape(downward.shape[:-1])
    impact_m_s = -states.velocity_m_s[..., 2]
    lost = max(1 - restitution, 1e-9)  # at a restitution of 1 bounces do not end
    time_s = 2 * restitution / lost * impact_m_s / GRAVITY_M_S2
    slide_mm_s = 1000 * np.sqrt(_square(states.velocity_m_s[..., :2]))
    turn_mm_s = body.radius_mm * np.sqrt(_square(states.spin_rad_s))
    moved_mm = (slide_mm_s + turn_mm_s) * np.maximum(time_s, settings.check_s)
    ends = on_face & (time_s > 0) & (moved_mm <= settings.sunk_mm)
    left = np.where(ends, 0.0, 1.0)[..., None]
    stopped = replace(
        states, velocity_m_s=left * states.velocity_m_s, spin_rad_s=left * states.spin_rad_s
    )
    return stopped, np.where(ends, time_s, 0.0)


def _ways(arms: Array, near: Mask) -> list[Array]:
    """Return four horizontal directions, shape (n, k, 3): along the longest diagonal of `near` corners, and across."""
    level = near[..., None]
    middle = np.where(level, arms, 0.0).sum(axis=2) / level.sum(axis=2)
    first = _best(arms, near, _square(arms - middle[..., None, :]))
    last = _best(arms, near, _square(arms - first[..., None, :]))
    x, y, _ = np.moveaxis(last - first, -1, 0)
    along = np.stack([x, y, np.zeros_like(x)], axis=-1)
    along /= np.maximum(np.sqrt(_square(along)), 1e-12)[..., None]  # 0 for a brick on one corner
    across = along[..., [1, 0, 2]] * np.array([-1.0, 1.0, 0.0])
    return [along, across, -along, -across]


def _tilt(states: States, arms: Array, near: Mask, way: Array, angle_rad: Array) -> States:
    """Return the bricks turned about the `near` corner that is farthest along a direction, so that it is the lowest."""
    corner = _best(arms, near, (arms * way[..., None, :]).sum(axis=-1))
    axis = way[..., [1, 0, 2]] * np.array([-1.0, 1.0, 0.0])
    turned = turn(angle_rad[..., None] * axis)
    return replace(
        states,
        position_mm=states.position_mm + corner - rotate(turned, corner),
        quaternion=multiply(turned, states.quaternion),
    )


def _best(arms: Array, near: Mask, score: Array) -> Array:
    """Return the `near` corner with the highest score of each brick, shape (n, k, 3)."""
    best = np.where(near, score, -np.inf).argmax(axis=-1)
    return np.take_along_axis(arms, best[..., None, None], axis=2)[..., 0, :]


def _square(vectors: Array) -> Array:
    return np.asarray((vectors**2).sum(axis=-1))
