"""Live: one shot at a target in PyBullet, with the scatter of the weapon, flown in closed form up to the target."""

from dataclasses import dataclass

import numpy as np

from brickphys.engines.shots.shoot import shoot
from brickphys.projectiles.aim.aim_law import PHASES
from brickphys.projectiles.aim.sight import check_range, paths, sight
from brickphys.projectiles.aim.standing import Standing
from brickphys.projectiles.impact.strikes import TUMBLE_RAD_S, missile, standing_body
from brickphys.projectiles.weapons import Weapon
from brickphys.seeds import generator
from brickphys.throws.release import uniform_rotations
from brickphys.throws.states import States

_CLEAR_MM = 1.0


@dataclass(frozen=True)
class LiveShot:
    """What one shot did.

    Attributes
    ----------
    phase
        How it came to the target: ``direct``, ``bounced`` or ``rolled``; ``stopped`` if it came to rest before.
    speed_m_s
        Its speed there.
    hit, knocked
        Whether it met the target, and knocked it over.
    height_mm, aside_mm
        Place of the projectile's centre at the contact: above the table, and to the left of the target's middle as the
        shooter sees it; None without a hit.
    """

    phase: str
    speed_m_s: float
    hit: bool
    knocked: bool
    height_mm: float | None = None
    aside_mm: float | None = None


def live_shot(weapon: Weapon, standing: Standing, seed: int, number: int = 0) -> LiveShot:
    """Shoot at a target from the origin.

    Parameters
    ----------
    weapon
        What is shot.
    standing
        The target in the open, and where it stands.
    seed, number
        Root seed, and the number of the shot.

    Raises
    ------
    InvalidValueError
        If the target is beyond the weapon's range, or the weapon cannot reach it or throws over it.
    """
    target, scatter = standing.target, weapon.scatter
    distance = standing.distance_mm(0.0, 0.0)
    check_range(weapon, distance)
    aimed = sight(weapon, distance, target.height_mm / 2)
    draws = generator(seed, number)
    fast, rise, turn = draws.standard_normal(3)
    path = paths(
        weapon,
        np.array([aimed.speed_m_s * (1 + scatter.speed_share * fast)]),
        np.array([aimed.elevation_deg + scatter.elevation_deg * rise]),
    )
    thrown, body = missile(weapon.projectile), standing_body(target)
    start = distance - target.reach_mm - thrown.reach_mm - _CLEAR_MM
    there = path.at(start / 1000.0)
    speed, phase = float(there.total_speed_m_s[0]), PHASES[int(there.phase[0])]
    if not speed:
        return LiveShot("stopped", 0.0, hit=False, knocked=False)
    azimuth = np.radians(scatter.azimuth_deg * turn)
    bearing = np.radians(standing.bearing_deg(0.0, 0.0))
    back = np.array([np.cos(bearing), np.sin(bearing), 0.0])
    left, up = np.array([back[1], -back[0], 0.0]), np.array([0.0, 0.0, 1.0])
    flat = np.sin(azimuth) * left - np.cos(azimuth) * back
    turned = uniform_rotations(draws.random((1, 3)))
    # a stone that rolls lies on the table in any orientation
    height = max(1000.0 * float(there.height_m[0]), float(thrown.depth_mm(turned)[0]))
    place = distance * back + start * flat + height * up
    spin = TUMBLE_RAD_S * draws.standard_normal(3) if thrown.length_mm else np.zeros(3)
    states = States(
        place[None],
        turned,
        there.speed_m_s[0] * (flat + there.slope[0] * up)[None],
        spin[None],
    )
    found = shoot(body, thrown, states)
    if not found.hit[0]:
        return LiveShot(phase, speed, hit=False, knocked=False)
    contact = found.contact_mm[0]
    return LiveShot(
        phase,
        speed,
        hit=True,
        knocked=bool(found.knocked[0]),
        height_mm=float(contact[2]),
        aside_mm=float(contact[:2] @ left[:2]),
    )
