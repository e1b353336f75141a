"""Impact law: the shares of hits that knock a target over, by speed, fall, side and place of the hit, with intervals.

Speed and fall are nodes. Between speeds a share is linear in the logarithm of the speed, between falls in the angle;
beyond the ends the nearest node counts, but below the slowest a share falls with the speed to 0 at rest. Places of hits
are bins of height and of distance from the middle. The interval of a mean of independent shares combines theirs (MOVER:
Zou and Donner, Statistics in Medicine 27, 2008).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from brickphys.arrays import Array, Counts
from brickphys.errors import InvalidValueError
from brickphys.odds.intervals import Z95
from brickphys.projectiles.bodies.silhouette import Side
from brickphys.projectiles.bodies.target import Target
from brickphys.projectiles.weapons import Weapon

HEIGHTS_MM = (0.0, 10.0, 20.0, 30.0, 45.0, float("inf"))
"""Edges of the bins of the height of the projectile's centre at the contact."""
ASIDES_MM = (0.0, 4.0, 9.0, 18.0, float("inf"))
"""Edges of the bins of its distance from the target's middle, across the flight."""


@dataclass(frozen=True, eq=False)
class Chances:
    """Shares and their 95 % intervals, of one shape."""

    share: Array
    low: Array
    high: Array

    def mean(self, weights: Array) -> "Chances":
        """Return the sum of independent shares times weights of their shape, with its interval; shape ()."""
        share = (weights * self.share).sum()
        low = share - np.sqrt(((weights * (self.share - self.low)) ** 2).sum())
        high = share + np.sqrt(((weights * (self.high - self.share)) ** 2).sum())
        return Chances(*(np.asarray(value) for value in (share, low, high)))


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

    def chances(self, side: Side, speed_m_s: Array | float, fall_deg: Array | float) -> Chances:
        """Return the chances that a hit knocks over, by bins.

        Parameters
        ----------
        side
            The side that is hit.
        speed_m_s, fall_deg
            Speed, and angle by which the projectile flies downwards; of the shape (heights, asides), or one for all.

        Returns
        -------
        Chances, shape (heights, asides)
            A bin that was never hit has the share of all bins.
        """
        shape = self.hits.shape[3:]
        log_speeds = np.log(self.speeds_m_s)
        speed = np.broadcast_to(np.log(np.maximum(speed_m_s, 1e-9)), shape)
        nodes = self._nodes(list(Side).index(side))
        weights = np.einsum(
            "f...,s...->fs...",
            _weights(np.asarray(self.falls_deg), np.broadcast_to(fall_deg, shape)),
            _weights(log_speeds, speed),
        )
        share = (weights * nodes.share).sum(axis=(0, 1))
        low = share - np.sqrt(((weights * (nodes.share - nodes.low)) ** 2).sum(axis=(0, 1)))
        high = share + np.sqrt(((weights * (nodes.high - nodes.share)) ** 2).sum(axis=(0, 1)))
        slow = np.minimum(np.broadcast_to(speed_m_s, shape) / self.speeds_m_s[0], 1.0)
        return Chances(slow * share, slow * np.maximum(low, 0.0), slow * np.minimum(high, 1.0))

    def _nodes(self, side: int) -> Chances:
        """Return the chances at the nodes, shape (falls, speeds, heights, asides)."""
        hits, knocked = self.hits[side], self.knocked[side]
        empty = hits == 0
        hits = np.where(empty, hits.sum(axis=(2, 3), keepdims=True), hits)
        knocked = np.where(empty, knocked.sum(axis=(2, 3), keepdims=True), knocked)
        return wilson_chances(knocked, hits)


def wilson_chances(knocked: Counts, hits: Counts) -> Chances:
    """Return shares and Wilson's intervals (`brickphys.odds.intervals.wilson`) of counts of one shape."""
    share = knocked / hits
    scale = 1 + Z95**2 / hits
    middle = (share + Z95**2 / (2 * hits)) / scale
    reach = Z95 / scale * np.sqrt(share * (1 - share) / hits + Z95**2 / (4 * hits**2))
    return Chances(share, np.maximum(middle - reach, 0.0), np.minimum(middle + reach, 1.0))


def _weights(nodes: Array, values: Array) -> Array:
    """Return the weights of nodes, shape (nodes, ...), in linear interpolation at values of shape (...,)."""
    identity = np.eye(len(nodes))
    return np.stack([np.interp(values, nodes, row) for row in identity])
