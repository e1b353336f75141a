"""Shot: the law of one shot: the chances that it meets each target, where and how fast, and that it knocks it over.

The sight is the speed and elevation at which a weapon without scatter hits a place. The fan is a set of paths of a
scattered shot, equally likely nodes over speed and elevation: a Fibonacci lattice, taken through the inverse of the
normal distribution, a rule of equal weights in two dimensions whose error falls nearly as 1/n (Sloan and Joe, Lattice
Methods for Multiple Integration, 1994). The two normal variables are turned by `_TURN_DEG`: speed and elevation act
together on the height at the target, and of six angles this one left the least error over all weapons. The azimuth is
no node: the law integrates it exactly.

By the aim law a shot meets a target directly, after a bounce or rolling. A projectile stops at what it hits unless it
is heavy: then it goes on with the share of its speed that a rigid impact on a free body leaves it, and may hit a second
target. Third hits are left out. The law of a shot is the aim law times the impact laws.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import inf

import numpy as np

from brickphys.errors import InvalidValueError
from brickphys.projectiles.flight import DIRECT, MOST_HOPS, Flights, GroundContact, flights
from brickphys.projectiles.impact_law import ASIDES_MM, HEIGHTS_MM, ImpactLaw, Shares, impact_law
from brickphys.projectiles.standing import Standing, view
from brickphys.projectiles.weapons import Projectile, Weapon
from brickphys.seeds import normal_quantiles
from brickphys.throws.conditions import BRICK_ON_BRICK, surface
from brickphys.units import Array, Indices

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


def ground(projectile: Projectile) -> GroundContact:
    """Return how a wooden table takes a projectile: the middle of the surface's ranges."""
    wood = surface("wood").nominal
    return GroundContact(wood.restitution, wood.friction, projectile.rolling)


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

    Raises InvalidValueError if the weapon cannot reach the place, or throws over it.
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


NODES = (233, 144)
"""Two Fibonacci numbers in a row: the number of nodes, and the generator of the lattice. Shares are right
within 0.007."""
COARSE = (89, 55)
"""Nodes for the estimates of bots: shares are right within 0.02."""
FINE = (4181, 2584)
"""Nodes where time does not matter: shares are right within 0.001."""
_TURN_DEG = 15.0
_SLOWEST = 0.1
"""No shot is slower than this share of the mean."""


def fan(weapon: Weapon, steps: int, height_mm: float, nodes: tuple[int, int] = NODES) -> Flights:
    """Return the paths of a shot at a place `steps` half inches away, at a height; InvalidValueError as `sight`."""
    aimed, scatter = sight(weapon, steps * STEP_MM, height_mm), weapon.scatter
    speed, elevation = normal_nodes(nodes)
    return paths(
        weapon,
        aimed.speed_m_s * np.maximum(1.0 + scatter.speed_share * speed, _SLOWEST),
        aimed.elevation_deg + scatter.elevation_deg * elevation,
    )


@lru_cache(maxsize=512)
def fan_arcs(
    weapon: Weapon, steps: int, height_mm: float, nodes: tuple[int, int] = NODES
) -> tuple[Array, float]:
    """Return the fan as the kernel reads it: arcs, shape (n, arcs, 6), and the deceleration of rolling.

    The columns are start, height, slope, speed, drag and phase of each arc, in mm and s.
    """
    found = fan(weapon, steps, height_mm, nodes)
    columns = (
        1000.0 * found.start_m,
        1000.0 * found.height_m,
        found.slope,
        1000.0 * found.speed_m_s,
        found.drag_per_m / 1000.0,
        found.phase.astype(float),
    )
    return np.stack(columns, axis=-1), 1000.0 * found.rolling_m_s2


def normal_nodes(nodes: tuple[int, int]) -> tuple[Array, Array]:
    """Return the lattice as two independent normal variables, shape (n,) each."""
    count, generator = nodes
    index = np.arange(count)
    first, second = (index + 0.5) / count, ((index * generator) % count + 0.5) / count
    c, s = np.cos(np.radians(_TURN_DEG)), np.sin(np.radians(_TURN_DEG))
    one, other = normal_quantiles(first), normal_quantiles(second)
    return c * one - s * other, s * one + c * other


Pair = tuple[int, int, int, int]
PHASES = ("direct", "bounced", "rolled")
WIDE = 4.5
"""Targets beyond this many standard deviations of azimuth are not looked at."""


@dataclass(frozen=True)
class Bins:
    """Edges of the bins in which a law counts hits; a value beyond them is in the last bin."""

    height_mm: tuple[float, ...] = (0.0, float("inf"))
    """Of the height of the projectile's centre at the contact."""
    aside_mm: tuple[float, ...] = (0.0, float("inf"))
    """Of its distance from the target's middle, across the flight; the first is 0."""


@dataclass(frozen=True, eq=False)
class AimLaw:
    """The law of one shot at k targets on the table."""

    shares: Array
    """Chance of a hit by target, phase (`PHASES`) and bins, shape (k, 3, heights, asides)."""
    speed_m_s: Array
    fall_deg: Array
    """Mean speed of these hits, and mean angle by which the projectile flies downwards, shape (k, 3, heights, asides);
    0 where there is none."""
    pairs: Mapping[Pair, float]
    """Chance that one shot hits two targets, by target and phase of the first and of the second; these hits are in
    `shares`, too."""

    @cached_property
    def by_phase(self) -> Array:
        """Chance of a hit of each target in each phase, shape (k, 3)."""
        return np.asarray(self.shares.sum(axis=(2, 3)))

    @cached_property
    def hit(self) -> Array:
        """Chance of a hit of each target, shape (k,)."""
        return np.asarray(self.shares.sum(axis=(1, 2, 3)))

    @property
    def miss(self) -> float:
        """Chance that nothing is hit."""
        return float(1.0 - self.shares.sum() + sum(self.pairs.values()))


def aim_law(
    weapon: Weapon,
    place_mm: tuple[float, float],
    standing: Sequence[Standing],
    aimed: int,
    bins: Bins | None = None,
    nodes: tuple[int, int] = NODES,
) -> AimLaw:
    """Return the law of a shot at the middle of what shows of one target.

    InvalidValueError if the target is beyond the weapon's range or around the shooter, or the weapon cannot reach it or
    throws over it.

    Parameters
    ----------
    place_mm
        Where the shooter stands; it is not among the targets.
    aimed
        The target that is aimed at, as its number in `standing`.
    bins
        Bins of the hits; one for all by default.
    nodes
        Lattice of the fan, for checks of convergence.
    """
    bins = bins or Bins()
    x, y = place_mm
    goal = standing[aimed]
    steps, middle = place_of_aim(weapon, place_mm, goal)
    arcs, rolling = fan_arcs(weapon, steps, middle, nodes)
    direction = float(np.degrees(np.arctan2(goal.y_mm - y, goal.x_mm - x)))
    scatter = weapon.scatter.azimuth_deg
    seen = view(standing, place_mm, direction, WIDE * scatter, weapon.projectile.radius_mm)
    edges = np.array(bins.height_mm, dtype=float), np.array(bins.aside_mm, dtype=float)
    hits = np.zeros((3, len(seen.numbers), 3, len(edges[0]) - 1, len(edges[1]) - 1))
    pairs = np.zeros((len(seen.numbers), 3, len(seen.numbers), 3))
    numbers = (
        weapon.projectile.radius_mm,
        weapon.projectile.mass_g,
        rolling,
        float(np.radians(scatter)),
        BRICK_ON_BRICK.restitution,
    )
    from brickphys.projectiles.aim_kernel import shares

    shares(arcs, (seen.parts, seen.owners, seen.bodies), numbers, edges, hits, pairs)
    return _law(hits, pairs, seen.numbers, len(standing))


def place_of_aim(
    weapon: Weapon, place_mm: tuple[float, float], goal: Standing
) -> tuple[int, float]:
    """Return how many half inches away, and how high in mm, a shot at a target is aimed; errors as `aim_law`."""
    distance = goal.distance_mm(*place_mm)
    check_range(weapon, distance)
    if distance <= goal.target.inner_mm:
        raise InvalidValueError(
            f"{goal.target.name} stands within {goal.target.inner_mm:.0f} mm of the shooter: too near"
        )
    steps, middle = max(round(distance / STEP_MM), 1), round(goal.target.aim_mm, 1)
    sight(weapon, steps * STEP_MM, middle)
    return steps, middle


def _law(hits: Array, pairs: Array, numbers: Indices, count: int) -> AimLaw:
    """Return the law from the sums over the targets that are seen, given by their numbers among all."""
    shares, speeds, falls = np.zeros((3, count, *hits.shape[2:]))
    whole = np.where(hits[0] > 0, hits[0], 1.0)
    shares[numbers] = hits[0]
    speeds[numbers] = hits[1] / (1000.0 * whole)
    falls[numbers] = np.degrees(hits[2] / whole)
    where = np.nonzero(pairs)
    one, how, other, then = where
    rows = np.stack([numbers[one], how, numbers[other], then], axis=1).tolist()
    found = zip(map(tuple, rows), pairs[where].tolist(), strict=True)
    return AimLaw(shares, speeds, falls, dict(found))


IMPACT_BINS = Bins(HEIGHTS_MM, ASIDES_MM)


@dataclass(frozen=True, eq=False)
class ShotLaw:
    """The law of one shot at k targets."""

    aim: AimLaw
    """Who is met, how and where."""
    knocked: Shares
    """Chance that a target is hit in a phase (`PHASES`) and knocked over, shape (k, 3); the interval is that of the
    impact law. What stands fast (`brickphys.projectiles.target`) is hit, and never knocked over."""

    def knocked_by(self, number: int) -> Shares:
        """Return the chance that a target is hit in any phase and knocked over; shape ().

        The phases draw on the same counts, so the errors of their shares add up.
        """
        of_target = (self.knocked.share, self.knocked.low, self.knocked.high)
        return Shares(*(np.asarray(ends[number].sum()) for ends in of_target))


def shot_law(
    weapon: Weapon,
    place_mm: tuple[float, float],
    standing: Sequence[Standing],
    aimed: int,
    laws: Mapping[str, ImpactLaw] | None = None,
    nodes: tuple[int, int] = NODES,
) -> ShotLaw:
    """Return the law of a shot; parameters as `aim_law`.

    InvalidValueError if the target is out of range, an impact law is of another weapon or body, or none ships. `laws`
    are impact laws by the name of the body; those that ship for bodies that are not named.
    """
    aim = aim_law(weapon, place_mm, standing, aimed, IMPACT_BINS, nodes)
    knocked = np.zeros((3, len(standing), len(PHASES)))
    by_body: dict[str, list[int]] = {}
    for number in np.flatnonzero(aim.hit).tolist():
        if not standing[number].target.is_fixed:
            by_body.setdefault(standing[number].target.name, []).append(number)
    for body, numbers in by_body.items():
        target = standing[numbers[0]].target
        law = (laws or {}).get(body) or impact_law(weapon.projectile, target)
        law.check(weapon, target)
        sides = [standing[number].side(*place_mm) for number in numbers]
        found = law.chances(sides, aim.speed_m_s[numbers], aim.fall_deg[numbers])
        mean = found.mean(aim.shares[numbers])
        knocked[:, numbers] = mean.share, mean.low, mean.high
    return ShotLaw(aim, Shares(*knocked))
