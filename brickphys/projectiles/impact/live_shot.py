"""Live shot: one scattered shot at one target, flown with drag and struck in PyBullet."""

from dataclasses import dataclass, replace

import numpy as np

from brickphys.engines.shots.shoot import shoot
from brickphys.projectiles.aim.aim_law import PHASES
from brickphys.projectiles.aim.sight import MM_PER_INCH, paths, sight
from brickphys.projectiles.bodies.target import Target
from brickphys.projectiles.flight import Flights
from brickphys.projectiles.impact.strikes import TUMBLE_RAD_S, missile, standing_body
from brickphys.projectiles.weapons import Weapon
from brickphys.seeds import generator
from brickphys.throws.release import uniform_rotations
from brickphys.throws.states import States

_CLEAR_MM = 2.0


@dataclass(frozen=True)
class LiveShot:
    """What one shot did.

    Attributes
    ----------
    speed_m_s, elevation_deg, azimuth_deg
        At release, with the scatter that was drawn; the azimuth is to the left of the target.
    passing
        How it came to the target: one of `PHASES`, ``wall`` if the wall in front took it, ``short`` if it lay before.
    impact_m_s
        Speed there; 0 if it did not come so far.
    is_hit, is_knocked_over
        Whether the target was hit, and whether it fell.
    height_mm, aside_mm
        Height of the projectile's centre at the contact, and its place to the left of the target's middle, as the
        shooter sees it; None without a hit.
    """

    speed_m_s: float
    elevation_deg: float
    azimuth_deg: float
    passing: str
    impact_m_s: float
    is_hit: bool = False
    is_knocked_over: bool = False
    height_mm: float | None = None
    aside_mm: float | None = None


def live_shot(
    weapon: Weapon, target: Target, range_in: float, bearing_deg: float, seed: int
) -> LiveShot:
    """Shoot once at the middle of what shows of a target.

    Parameters
    ----------
    weapon, target
        Who shoots what, at what.
    range_in
        Distance.
    bearing_deg
        Direction from the target to the shooter, counter-clockwise from the target's facing.
    seed
        Root seed of scatter and tumbling.

    Raises
    ------
    InvalidValueError
        If the target is out of range (see `brickphys.projectiles.aim.sight.sight`).
    """
    rng, scatter, distance = generator(seed), weapon.scatter, range_in * MM_PER_INCH
    aimed = sight(weapon, distance, (target.wall_mm + target.height_mm) / 2)
    speed = aimed.speed_m_s * (1 + scatter.speed_share * rng.standard_normal())
    elevation = aimed.elevation_deg + scatter.elevation_deg * rng.standard_normal()
    azimuth = scatter.azimuth_deg * rng.standard_normal()
    flight = paths(weapon, np.array([speed]), np.array([elevation]))
    thrown, body = missile(weapon.projectile), standing_body(target)
    axis = distance * np.cos(np.radians(azimuth))
    start = axis - target.reach_mm - thrown.reach_mm - _CLEAR_MM
    height, slope, horizontal, phase = _arrival(flight, start, axis)
    if horizontal == 0.0:
        return LiveShot(speed, elevation, azimuth, "short", 0.0)
    impact = horizontal * float(np.hypot(1.0, slope))
    if height < target.wall_mm + thrown.radius_mm and target.wall_mm:
        return LiveShot(speed, elevation, azimuth, "wall", impact)
    quaternion = uniform_rotations(rng.uniform(size=3))
    bearing = np.radians(bearing_deg)
    back = np.array([np.cos(bearing), np.sin(bearing), 0.0])
    left = np.array([back[1], -back[0], 0.0])
    turn = np.radians(azimuth)
    ahead = -np.cos(turn) * back + np.sin(turn) * left
    place = distance * back + start * ahead
    place[2] = max(height, float(thrown.depth_mm(quaternion)))
    velocity = horizontal * ahead + np.array([0.0, 0.0, slope * horizontal])
    spin = TUMBLE_RAD_S * rng.standard_normal(3) if thrown.length_mm else np.zeros(3)
    states = States(place[None], quaternion[None], velocity[None], spin[None])
    shots = shoot(body, thrown, states)
    made = LiveShot(speed, elevation, azimuth, PHASES[phase], impact)
    if not shots.hit[0]:
        return made
    contact = shots.contact_mm[0]
    return replace(
        made,
        is_hit=True,
        is_knocked_over=bool(shots.knocked[0]),
        height_mm=float(contact[2]),
        aside_mm=float(contact @ left),
    )


def _arrival(flight: Flights, start_mm: float, axis_mm: float) -> tuple[float, float, float, int]:
    """Return height in mm, slope, horizontal speed and phase before the target.

    The slope is that of the chord to the target's axis, unless the table or the rest is between.
    """
    near, there = flight.at(start_mm / 1000), flight.at(axis_mm / 1000)
    height, slope = 1000 * float(near.height_m[0]), float(near.slope[0])
    phase = int(near.phase[0])
    if there.phase[0] == phase and there.speed_m_s[0] > 0:
        slope = (1000 * float(there.height_m[0]) - height) / (axis_mm - start_mm)
    return height, slope, float(near.speed_m_s[0]), phase
