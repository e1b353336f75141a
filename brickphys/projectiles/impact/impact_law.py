"""Impact law: the shares of hits that knock a target over, by speed, fall, side and place of the hit, with intervals.

Speed and fall are nodes. Between speeds a share is linear in the logarithm of the speed, between falls in the angle;
beyond the ends the nearest node counts, but below the slowest a share falls with the speed to 0 at rest. Places of hits
are bins of height and of distance from the middle. The interval of a mean of independent shares combines theirs (MOVER:
Zou and Donner, Statistics in Medicine 27, 2008).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from brickphys.arrays import Array, Counts, Indices
from brickphys.errors import InvalidValueError
from brickphys.odds.intervals import Z95
from brickphys.projectiles.bodies.silhouette import Side
from brickphys.projectiles.bodies.target import Target
from brickphys.projectiles.weapons import Weapon
from brickphys.stamp import Stamp

HEIGHTS_MM = (0.0, 10.0, 20.0, 30.0, 45.0, float("inf"))
"""Edges of the bins of the height of the projectile's centre at the contact."""
ASIDES_MM = (0.0, 4.0, 9.0, 18.0, float("inf"))
"""Edges of the bins of its distance from the target's middle, across the flight."""
_SIDES = list(Side)


@dataclass(frozen=True, eq=False)
class Chances:
    """Shares and their 95 % intervals, of one shape."""

    share: Array
    low: Array
    high: Array

    def mean(self, weights: Array) -> "Chances":
        """Return sums of independent shares times weights over the last two axes, with their intervals."""
        share = (weights * self.share).sum(axis=(-2, -1))
        low = share - np.sqrt(((weights * (self.share - self.low)) ** 2).sum(axis=(-2, -1)))
        high = share + np.sqrt(((weights * (self.high - self.share)) ** 2).sum(axis=(-2, -1)))
        return Chances(share, low, high)


@dataclass(frozen=True, eq=False)
class ImpactLaw:
    """The measured law of a projectile and a body.

    Attributes
    ----------
    projectile, body
        Names of the projectile and of the target in the open.
    speeds_m_s, falls_deg
        Nodes, increasing.
    hits, knocked : ndarray of int, shape (3, falls, speeds, heights, asides)
        Numbers of hits, and of those that knocked the target over, by `Side`, fall, speed, `HEIGHTS_MM` and
        `ASIDES_MM`.
    unsettled
        Hits that the engine did not decide (`brickphys.engines.shots.shoot.Shots`); they count as the target was last.
    conditions
        Coefficients of contact, settings, masses.
    versions, seed, command
        Versions of libraries, root seed, and the command that made it.
    stamp
        What computed the law; None in files of earlier versions.
    """

    projectile: str
    body: str
    speeds_m_s: tuple[float, ...]
    falls_deg: tuple[float, ...]
    hits: Counts
    knocked: Counts
    unsettled: int
    conditions: Mapping[str, float]
    versions: Mapping[str, str]
    seed: int
    command: str = field(default="")
    stamp: Stamp | None = None

    def check(self, weapon: Weapon, target: Target) -> None:
        """Raise InvalidValueError unless the law is that of a weapon's projectile and of a target."""
        if weapon.projectile.name != self.projectile:
            raise InvalidValueError(
                f"the law is of {self.projectile} on {self.body}; {weapon.name} shoots {weapon.projectile.name}"
            )
        if target.name.partition(":")[0] != self.body:
            raise InvalidValueError(
                f"the law is of {self.projectile} on {self.body}, not on {target.name}"
            )

    def chances(
        self, sides: Sequence[Side], speed_m_s: Array | float, fall_deg: Array | float
    ) -> Chances:
        """Return the chances that hits of targets knock over, by bins.

        Parameters
        ----------
        sides
            The side of each target that is hit.
        speed_m_s, fall_deg
            Speed, and angle by which the projectile flies downwards; of the shape (targets, ..., heights, asides), or
            one for all.

        Returns
        -------
        Chances
            Of that shape, 0 at rest. A bin that was never hit has the share of all bins.
        """
        bins = self.hits.shape[3:]
        between = [1] * (max(np.ndim(speed_m_s), np.ndim(fall_deg), 1 + len(bins)) - 1)
        side = np.array([_SIDES.index(side) for side in sides]).reshape(-1, *between)
        shape = np.broadcast_shapes(side.shape, bins, np.shape(speed_m_s), np.shape(fall_deg))
        speeds, falls = np.broadcast_to(speed_m_s, shape), np.broadcast_to(fall_deg, shape)
        moves = speeds > 0.0
        height, aside = np.nonzero(moves)[-2:]
        of_side, speed = np.broadcast_to(side, shape)[moves], speeds[moves]
        share, below, above = np.zeros((3, len(speed)))
        for i, fall_weight in _between(falls[moves], np.asarray(self.falls_deg)):
            for j, speed_weight in _between(np.log(speed), np.log(self.speeds_m_s)):
                weight = fall_weight * speed_weight
                node = self._nodes[:, of_side, i, j, height, aside]
                share += weight * node[0]
                below += (weight * node[1]) ** 2
                above += (weight * node[2]) ** 2
        slow = np.minimum(speed / self.speeds_m_s[0], 1.0)
        low, high = np.maximum(share - np.sqrt(below), 0.0), np.minimum(share + np.sqrt(above), 1.0)
        found = np.zeros((3, *shape))
        found[:, moves] = slow * share, slow * low, slow * high
        return Chances(*found)

    @cached_property
    def _nodes(self) -> Array:
        """Shares at the nodes, and how far their intervals reach below and above them; shape (3, sides, falls, ...)."""
        hits, empty = self.hits, self.hits == 0
        knocked = np.where(empty, self.knocked.sum(axis=(3, 4), keepdims=True), self.knocked)
        found = wilson_chances(knocked, np.where(empty, hits.sum(axis=(3, 4), keepdims=True), hits))
        return np.stack([found.share, found.share - found.low, found.high - found.share])


def wilson_chances(knocked: Counts, hits: Counts) -> Chances:
    """Return shares and Wilson's intervals (`brickphys.odds.intervals.wilson`) of counts of one shape."""
    hits = np.asarray(hits, dtype=float)  # squares of whole numbers would overflow
    share = knocked / hits
    scale = 1 + Z95**2 / hits
    middle = (share + Z95**2 / (2 * hits)) / scale
    reach = Z95 / scale * np.sqrt(share * (1 - share) / hits + Z95**2 / (4 * hits**2))
    return Chances(share, np.maximum(middle - reach, 0.0), np.minimum(middle + reach, 1.0))


def _between(values: Array, nodes: Array) -> tuple[tuple[Indices, Array], tuple[Indices, Array]]:
    """Return the nodes before and after values, each with its weight in linear interpolation."""
    place = np.interp(values, nodes, np.arange(len(nodes)))
    before = place.astype(np.intp)
    after = np.minimum(before + 1, len(nodes) - 1)
    return (before, 1.0 - (place - before)), (after, place - before)
