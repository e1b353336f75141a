"""Aim law: the chances that a shot meets each target: directly, after a bounce or rolling, where and how fast.

The scatter in speed and elevation is a lattice of paths (`fan`), that in azimuth is integrated exactly. A projectile
stops at what it hits unless it is heavy: then it goes on with the share of its speed that a rigid impact on a free body
leaves it, and may hit a second target. Third hits are left out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from brickphys.arrays import Array, Indices
from brickphys.errors import InvalidValueError
from brickphys.projectiles.aim.fan import NODES, fan_arcs
from brickphys.projectiles.aim.sight import STEP_MM, check_range, sight
from brickphys.projectiles.aim.standing import Standing, view
from brickphys.projectiles.weapons import Weapon
from brickphys.throws.surfaces import BRICK_ON_BRICK

Pair = tuple[int, int, int, int]
PHASES = ("direct", "bounced", "rolled")
_WIDE = 4.5
"""Targets beyond this many standard deviations of azimuth are not looked at."""


@dataclass(frozen=True)
class Bins:
    """Edges of the bins in which a law counts hits; a value beyond them is in the last bin.

    Attributes
    ----------
    height_mm
        Of the height of the projectile's centre at the contact.
    aside_mm
        Of its distance from the target's middle, across the flight; the first is 0.
    """

    height_mm: tuple[float, ...] = (0.0, float("inf"))
    aside_mm: tuple[float, ...] = (0.0, float("inf"))


@dataclass(frozen=True, eq=False)
class AimLaw:
    """The law of one shot at k targets on the table.

    Attributes
    ----------
    shares : ndarray, shape (k, 3, heights, asides)
        Chance of a hit by target, phase (`PHASES`) and bins.
    speed_m_s, fall_deg : ndarray, shape (k, 3, heights, asides)
        Mean speed of these hits, and mean angle by which the projectile flies downwards; 0 where there is none.
    pairs
        Chance that one shot hits two targets, by target and phase of the first and of the second; these hits are in
        `shares`, too.
    """

    shares: Array
    speed_m_s: Array
    fall_deg: Array
    pairs: Mapping[Pair, float]

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

    Parameters
    ----------
    weapon
        With its scatter.
    place_mm
        Where the shooter stands; it is not among the targets.
    standing
        All that can be hit.
    aimed
        The target that is aimed at, as its number in `standing`.
    bins
        Bins of the hits; one for all by default.
    nodes
        Lattice of the fan, for checks of convergence.

    Raises
    ------
    InvalidValueError
        If the target is beyond the weapon's range or around the shooter, or the weapon cannot reach it or throws
        over it.
    """
    bins = bins or Bins()
    x, y = place_mm
    goal = standing[aimed]
    steps, middle = place_of_aim(weapon, place_mm, goal)
    arcs, rolling = fan_arcs(weapon, steps, middle, nodes)
    direction = float(np.degrees(np.arctan2(goal.y_mm - y, goal.x_mm - x)))
    scatter = weapon.scatter.azimuth_deg
    seen = view(standing, place_mm, direction, _WIDE * scatter, weapon.projectile.radius_mm)
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
    from brickphys.projectiles.aim.aim_kernel import shares

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
