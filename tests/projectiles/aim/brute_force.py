"""Brute force: shots flown one by one against targets of true form, for comparison with the aim law."""

import numpy as np

from brickphys.projectiles.shot import STEP_MM, paths, sight

STEP = 1.5
"""Distance in mm between two looks at a flight."""


def gaps(part, standing, points, hidden=False):
    """Distance of points (n, 3) from what shows of a part of a standing target, or from what its wall hides."""
    turn = np.radians(standing.facing_deg)
    c, s = np.cos(turn), np.sin(turn)
    off = points - (standing.x_mm, standing.y_mm, 0.0)
    own = np.stack([c * off[:, 0] + s * off[:, 1], -s * off[:, 0] + c * off[:, 1], off[:, 2]], 1)
    wall = standing.target.wall_mm
    if hidden and not wall:
        return np.full(len(points), np.inf)
    low = part.low_mm if hidden else max(part.low_mm, wall)
    high = min(part.high_mm, wall) if hidden else part.high_mm
    up = np.maximum(np.maximum(low - own[:, 2], own[:, 2] - high), 0.0)
    if high <= low:
        return np.full(len(points), np.inf)
    side = own[:, :2] - part.centre_mm[:2]
    if part.kind == "cylinder":
        flat = np.maximum(np.hypot(*side.T) - part.size_mm[0] / 2, 0.0)
    else:
        flat = np.hypot(*np.maximum(np.abs(side) - np.array(part.size_mm[:2]) / 2, 0.0).T)
    return np.hypot(flat, up)


def first_met(weapon, standing, aimed, count, seed):
    """Shares of shots from the origin that first meet each target in each phase, shape (k, 3)."""
    rng, goal = np.random.default_rng(seed), standing[aimed]
    distance = goal.distance_mm(0.0, 0.0)
    middle = round(goal.target.aim_mm, 1)
    mean = sight(weapon, round(distance / STEP_MM) * STEP_MM, middle)
    speed = mean.speed_m_s * (1 + weapon.scatter.speed_share * rng.standard_normal(count))
    rise = mean.elevation_deg + weapon.scatter.elevation_deg * rng.standard_normal(count)
    turn = np.arctan2(goal.y_mm, goal.x_mm) + np.radians(
        weapon.scatter.azimuth_deg * rng.standard_normal(count)
    )
    flown = paths(weapon, speed, rise)
    met = np.zeros((len(standing), 3))
    open_ = np.ones(count, bool)
    far = [one.distance_mm(0.0, 0.0) for one in standing]
    for x in np.arange(min(far) - 50.0, max(far) + 50.0, STEP):
        there = flown.at(x / 1000.0)
        moving = open_ & (there.speed_m_s > 0)
        points = np.stack([x * np.cos(turn), x * np.sin(turn), 1000 * there.height_m], axis=1)
        nearest = np.full(count, np.inf)
        struck, shows = np.zeros(count, int), np.zeros(count, bool)
        for number, one in enumerate(standing):
            if abs(far[number] - x) > one.target.reach_mm + 20.0:
                continue
            shown = np.min([gaps(part, one, points) for part in one.target.parts], axis=0)
            hidden = np.min([gaps(part, one, points, True) for part in one.target.parts], axis=0)
            nearer = np.minimum(shown, hidden) < nearest
            struck[nearer], shows[nearer] = number, (shown <= hidden)[nearer]
            nearest = np.minimum(nearest, np.minimum(shown, hidden))
        near = moving & (nearest < weapon.projectile.radius_mm)
        np.add.at(met, (struck[near & shows], there.phase[near & shows]), 1)
        open_ &= ~near
    return met / count
