"""Sight: the speed and elevation at which a weapon without scatter hits a place."""

from dataclasses import dataclass
from functools import lru_cache
from math import inf

import numpy as np

from brickphys.arrays import Array
from brickphys.errors import InvalidValueError
from brickphys.projectiles.flight import DIRECT, MOST_HOPS, Flights, Ground, flights
from brickphys.projectiles.weapons import Projectile, Weapon
from brickphys.throws.surfaces import surface

MM_PER_INCH = 25.4
STEP_MM = MM_PER_INCH / 2
"""Sights are set in steps of half an inch."""
_LOWEST_DEG, _HIGHEST_DEG = -60.0, 60.0
_SETTINGS = 2049
"""Elevations or speeds that are looked at; between two of them the height is linear, within a micrometre."""


@dataclass(frozen=True)
class Sight:
    """Mean speed and elevation at release."""

    speed_m_s: float
    elevation_deg: float


def ground(projectile: Projectile) -> Ground:
    """Return how a wooden table takes a projectile: the middle of the surface's ranges."""
    wood = surface("wood").nominal
    return Ground(wood.restitution, wood.friction, projectile.rolling)


def paths(weapon: Weapon, speed_m_s: Array, elevation_deg: Array, hops: int = MOST_HOPS) -> Flights:
    """Return the flights of a weapon's projectile at speeds and elevations, shape (n,)."""
    thrown = weapon.projectile
    return flights(
        speed_m_s,
        elevation_deg,
        weapon.release_mm,
        thrown.radius_mm,
        thrown.drag_per_m,
        ground(thrown),
        hops,
    )


def check_range(weapon: Weapon, distance_mm: float) -> None:
    """Raise InvalidValueError if a distance is beyond the weapon's range."""
    inches = distance_mm / MM_PER_INCH
    if not 0 < inches <= weapon.range_in + 1e-9:
        raise InvalidValueError(
            f"{weapon.name}: range {inches:g} in must be above 0 and at most {weapon.range_in:g} in"
        )


@lru_cache(maxsize=4096)
def sight(weapon: Weapon, distance_mm: float, height_mm: float) -> Sight:
    """Return the sight that hits a height at a distance over the table, on the flattest path.

    A weapon with a fixed elevation aims by its speed, within its range; another by its elevation.

    Raises
    ------
    InvalidValueError
        If the weapon cannot reach the place, or throws over it.
    """
    inches = distance_mm / MM_PER_INCH
    settings, flown = _all_settings(weapon)
    there = flown.at(distance_mm / 1000.0)
    heights = np.where(there.phase == DIRECT, 1000.0 * there.height_m, -inf)
    enough = np.flatnonzero(heights >= height_mm)
    if not len(enough):
        raise InvalidValueError(f"{weapon.name} does not reach {inches:g} in")
    first = int(enough[0])
    if first == 0:
        raise InvalidValueError(f"{weapon.name} throws over what is {inches:g} in away: too near")
    rise = heights[first] - heights[first - 1]  # infinite where the path before touches the table
    back = (heights[first] - height_mm) / rise * (settings[first] - settings[first - 1])
    setting = float(settings[first] - back)
    if weapon.elevation_deg is None:
        return Sight(weapon.speed_m_s, setting)
    return Sight(setting, weapon.elevation_deg)


@lru_cache(maxsize=64)
def _all_settings(weapon: Weapon) -> tuple[Array, Flights]:
    """Return elevations or speeds that a weapon can be set to, and its paths up to their second touch of the table."""
    if weapon.elevation_deg is None:
        settings = np.linspace(_LOWEST_DEG, _HIGHEST_DEG, _SETTINGS)
        return settings, paths(weapon, np.full(_SETTINGS, weapon.speed_m_s), settings, hops=1)
    settings = np.linspace(*weapon.speed_range_m_s, _SETTINGS)
    return settings, paths(weapon, settings, np.full(_SETTINGS, weapon.elevation_deg), hops=1)
