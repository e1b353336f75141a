"""Sight: the speed and elevation at which a weapon without scatter hits a place."""

from dataclasses import dataclass
from functools import lru_cache

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
_GRID, _ROUNDS = 33, 4


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
            f"{weapon.name}: range {inches:g} in is outside 0 to {weapon.range_in:g} in"
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
    if weapon.elevation_deg is None:
        low, high = _LOWEST_DEG, _HIGHEST_DEG
    else:
        low, high = weapon.speed_range_m_s
    for _ in range(_ROUNDS):
        grid = np.linspace(low, high, _GRID)
        enough = np.flatnonzero(_heights_mm(weapon, grid, distance_mm) >= height_mm)
        if not len(enough):
            raise InvalidValueError(f"{weapon.name} does not reach {inches:g} in")
        if enough[0] == 0:
            raise InvalidValueError(
                f"{weapon.name} throws over what is {inches:g} in away: too near"
            )
        low, high = grid[enough[0] - 1], grid[enough[0]]
    if weapon.elevation_deg is None:
        return Sight(weapon.speed_m_s, float(high))
    return Sight(float(high), weapon.elevation_deg)


def _heights_mm(weapon: Weapon, settings: Array, distance_mm: float) -> Array:
    """Return the heights over a distance for elevations or speeds; below the table where the path has touched it."""
    level = np.ones_like(settings)
    if weapon.elevation_deg is None:
        flown = paths(weapon, weapon.speed_m_s * level, settings, hops=1)
    else:
        flown = paths(weapon, settings, weapon.elevation_deg * level, hops=1)
    there = flown.at(distance_mm / 1000.0)
    return np.where(there.phase == DIRECT, 1000.0 * there.height_m, -1.0)
