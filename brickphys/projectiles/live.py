"""Live: one shot at a target in PyBullet, with the scatter of the weapon, flown in closed form up to the target."""

from dataclasses import dataclass

import numpy as np

from brickphys.engines.shoot import shoot
from brickphys.projectiles.measure import TUMBLE_RAD_S, missile, standing_body
from brickphys.projectiles.shot import PHASES, check_range, paths, sight
from brickphys.projectiles.standing import Standing
from brickphys.projectiles.weapons import Weapon
from brickphys.seeds import generator
from brickphys.throws.flight import States
from brickphys.throws.release import uniform_rotations
from brickphys.units import Array, Indices

_CLEAR_MM = 1.0
_STEP_MM = 2.0
"""The path by a target is taken as straight pieces of this length over the ground."""


@dataclass(frozen=True)
class LiveShot:
    """What one shot did."""

    phase: str
    """How it came to the target: ``direct``, ``bounced`` or ``rolled``; ``stopped`` if it came to rest before."""
    speed_m_s: float
    """Its speed there."""
    hit: bool
    knocked: bool
    height_mm: float | None = None
    aside_mm: float | None = None
    """Place of the projectile's centre at the contact: above the table, and to the left of the target's middle as the
    shooter sees it; None without a hit."""


def live_shot(weapon: Weapon, standing: Standing, seed: int, number: int = 0) -> LiveShot:
    """Shoot at a target from the origin.

    Raises InvalidValueError if the target is beyond the weapon's range, or the weapon cannot reach it or throws over
    it.
    """
    check_range(weapon, standing.distance_mm(0.0, 0.0))
    states, phase, flat = _pieces(weapon, standing, generator(seed, number))
    speed = np.linalg.norm(states.velocity_m_s, axis=1)
    moves = np.flatnonzero(speed > 0)
    if 0 not in moves:
        return LiveShot("stopped", 0.0, hit=False, knocked=False)
    found = shoot(standing_body(standing.target), missile(weapon.projectile), states[moves])
    way = (found.contact_mm - states.position_mm[moves]) @ flat
    first = np.flatnonzero(found.hit & (way <= _STEP_MM))[:1]
    if not len(first):
        return LiveShot(PHASES[phase[0]], float(speed[0]), hit=False, knocked=False)
    met = int(first[0])
    contact = found.contact_mm[met]
    return LiveShot(
        PHASES[phase[moves[met]]],
        float(speed[moves[met]]),
        hit=True,
        knocked=bool(found.knocked[met]),
        height_mm=float(contact[2]),
        aside_mm=float(contact @ _left(standing)),
    )


def _left(standing: Standing) -> Array:
    bearing = np.radians(standing.bearing_deg(0.0, 0.0))
    return np.array([np.sin(bearing), -np.cos(bearing), 0.0])


def _pieces(
    weapon: Weapon, standing: Standing, draws: np.random.Generator
) -> tuple[States, Indices, Array]:
    """Return a shot by the target, every `_STEP_MM`: its states, phases, and its direction over the ground."""
    target, scatter, distance = standing.target, weapon.scatter, standing.distance_mm(0.0, 0.0)
    aimed = sight(weapon, distance, target.height_mm / 2)
    fast, rise, turn = draws.standard_normal(3)
    thrown = missile(weapon.projectile)
    reach = target.reach_mm + thrown.reach_mm + _CLEAR_MM
    away = np.arange(distance - reach, distance + reach, _STEP_MM)
    there = paths(
        weapon,
        np.full(len(away), aimed.speed_m_s * (1 + scatter.speed_share * fast)),
        np.full(len(away), aimed.elevation_deg + scatter.elevation_deg * rise),
    ).at(away / 1000.0)
    azimuth, left, up = np.radians(scatter.azimuth_deg * turn), _left(standing), np.eye(3)[2]
    back = np.cross(left, -up)
    flat = np.sin(azimuth) * left - np.cos(azimuth) * back
    turned = np.repeat(uniform_rotations(draws.random((1, 3))), len(away), axis=0)
    # a stone that rolls lies on the table in any orientation
    height = np.maximum(1000.0 * there.height_m, thrown.depth_mm(turned))
    spin = TUMBLE_RAD_S * draws.standard_normal(3) if thrown.length_mm else np.zeros(3)
    states = States(
        distance * back + np.outer(away, flat) + np.outer(height, up),
        turned,
        there.speed_m_s[:, None] * (flat + np.outer(there.slope, up)),
        np.tile(spin, (len(away), 1)),
    )
    return states, there.phase, flat
