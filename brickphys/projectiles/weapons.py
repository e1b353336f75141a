"""Weapons: speed, scatter and range of what a figure shoots or throws; data in ``weapons.toml``."""

from collections.abc import Mapping
from dataclasses import astuple, dataclass, replace
from functools import lru_cache
from importlib.resources import files
from math import pi
from typing import Any, Literal

from brickphys.errors import InvalidValueError, unknown
from brickphys.reading import shipped_toml

AIR_G_MM3 = 1.2e-6
"""Density of air at 20 degrees and sea level."""
TOY_LIMIT_J = 0.08
"""Largest energy of a rigid projectile of a toy (EN 71-1, stored energy without resilient tip)."""
FASTEST_M_S = 200.0
"""Above it air is compressed, and no drag coefficient here holds."""
_FILE = files("brickphys.projectiles") / "weapons.toml"


@dataclass(frozen=True)
class Projectile:
    """What flies: a ball, or a short cylinder that tumbles."""

    name: str
    """Such as ``bb``."""
    shape: Literal["sphere", "cylinder"]
    diameter_mm: float
    height_mm: float
    mass_g: float
    drag_coefficient: float
    """Of the drag force, on the mean projected area."""
    rolling: float
    """Deceleration of rolling on the table, over gravity."""

    @property
    def area_mm2(self) -> float:
        """Mean projected area: a quarter of the surface of a convex body (Cauchy)."""
        if self.shape == "sphere":
            return pi * self.diameter_mm**2 / 4
        return pi * self.diameter_mm * (self.diameter_mm / 2 + self.height_mm) / 4

    @property
    def radius_mm(self) -> float:
        """Radius of the ball; of a cylinder that of the ball with the same mean projected area."""
        return float((self.area_mm2 / pi) ** 0.5)

    @property
    def drag_per_m(self) -> float:
        """Share of its speed that a metre of flight takes: density of air times coefficient times area over 2 m."""
        per_mm = AIR_G_MM3 * self.drag_coefficient * self.area_mm2 / (2.0 * self.mass_g)
        return 1000.0 * per_mm

    def energy_j(self, speed_m_s: float) -> float:
        """Return the kinetic energy at a speed, without spin."""
        return self.mass_g / 1000.0 * speed_m_s**2 / 2


@dataclass(frozen=True)
class Scatter:
    """Standard deviations of a shot: normal, independent."""

    speed_share: float
    """Of the speed."""
    azimuth_deg: float
    elevation_deg: float


@dataclass(frozen=True)
class Weapon:
    """A weapon."""

    name: str
    """Such as ``bow``."""
    about: str
    source: str
    projectile: Projectile
    speed_m_s: float
    """Mean speed at release of a weapon that aims by its elevation; of one with a fixed elevation the usual one."""
    speed_range_m_s: tuple[float, float]
    """Least and greatest mean speed."""
    elevation_deg: float | None
    """Fixed elevation of a weapon that aims by its speed; None if it fires as flat as reaches the target."""
    release_mm: float
    """Height of release above the table."""
    range_in: float
    """Greatest distance at which the rules let it shoot."""
    scatter: Scatter

    def scattered(self, times: float) -> "Weapon":
        """Return the weapon with so many times its scatter."""
        wide = Scatter(*(times * each for each in astuple(self.scatter)))
        return replace(self, scatter=wide)

    def at_speed(self, speed_m_s: float, *, any_speed: bool = False) -> "Weapon":
        """Return the weapon with another mean speed.

        InvalidValueError if the speed is not above 0 or above `FASTEST_M_S`, or, unless `any_speed`, the energy is
        above `TOY_LIMIT_J` or the speed is outside the weapon's range. `any_speed` allows what no toy may have and no
        source gives.
        """
        if not 0 < speed_m_s <= FASTEST_M_S:
            raise InvalidValueError(
                f"speed {speed_m_s:g} m/s must be above 0 and at most {FASTEST_M_S:g} m/s"
            )
        energy = self.projectile.energy_j(speed_m_s)
        if energy > TOY_LIMIT_J and not any_speed:
            raise InvalidValueError(
                f"{self.name} at {speed_m_s:g} m/s: {energy:.3g} J is above the limit of toys, {TOY_LIMIT_J:g} J"
            )
        low, high = self.speed_range_m_s
        if not low <= speed_m_s <= high and not any_speed:
            raise InvalidValueError(
                f"{self.name} at {speed_m_s:g} m/s: outside {low:g} to {high:g} m/s, its speeds"
            )
        return replace(self, speed_m_s=speed_m_s)


@lru_cache
def weapons() -> Mapping[str, Weapon]:
    """Return the weapons that ship, by name."""
    tables = shipped_toml(_FILE)
    stones, scatter = tables.pop("projectile"), _without(tables.pop("scatter"))
    thrown = {name: Projectile(name, **_without(table, "about")) for name, table in stones.items()}
    return {
        name: _weapon(name, table, thrown, Scatter(**scatter)) for name, table in tables.items()
    }


def weapon(name: str) -> Weapon:
    """Return the weapon of a name.

    Raises InvalidValueError if no such weapon ships, with the nearest name.
    """
    if name not in weapons():
        raise unknown("weapon", name, weapons())
    return weapons()[name]


def _weapon(
    name: str, table: Mapping[str, Any], thrown: Mapping[str, Projectile], scatter: Scatter
) -> Weapon:
    return Weapon(
        name,
        table["about"],
        table["source"].strip(),
        thrown[table["projectile"]],
        table["speed_m_s"],
        (table["speed_range_m_s"][0], table["speed_range_m_s"][1]),
        table.get("elevation_deg"),
        table["release_mm"],
        table["range_in"],
        scatter,
    )


def _without(table: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in table.items() if key not in ("source", *keys)}
