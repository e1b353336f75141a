"""Strikes: hits of a projectile all over a target, drawn by address and shot in PyBullet.

All parallel paths that can meet the target are equally likely, from all bearings of one side. A cylinder tumbles in any
orientation.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from brickphys.arrays import Array, Mask
from brickphys.engines.shots.missile import Missile
from brickphys.engines.shots.shoot import SHOT_SETTINGS, shoot
from brickphys.engines.shots.standing import StandingBody
from brickphys.projectiles.bodies.silhouette import Side
from brickphys.projectiles.bodies.target import Target
from brickphys.projectiles.weapons import Projectile
from brickphys.seeds import uniforms
from brickphys.shapes.body import Part
from brickphys.throws.release import uniform_rotations
from brickphys.throws.states import States

TUMBLE_RAD_S = 30.0
"""Standard deviation of each component of a cylinder's spin, as that of bricks thrown by hand: an assumption."""
_WIDTH = 10
"""Random numbers for a strike: side, bearing, across, height, orientation (3), spin (3)."""
_SIDES = {Side.FRONT: (0.0, 45.0), Side.SIDE: (45.0, 135.0), Side.REAR: (135.0, 180.0)}


@dataclass(frozen=True)
class Arrival:
    """How a projectile arrives: its speed, the angle by which it flies downwards, and the side that it meets."""

    speed_m_s: float
    fall_deg: float
    side: Side

    @property
    def address(self) -> tuple[int, ...]:
        """Its cell among random numbers (`brickphys.seeds`)."""
        return (
            round(1000 * self.speed_m_s),
            round(1000 * self.fall_deg),
            list(Side).index(self.side),
        )


@dataclass(frozen=True, eq=False)
class Strikes:
    """Hits, shape (n,) each; projectiles that pass the target or meet the table before it are left out.

    Attributes
    ----------
    height_mm
        Height of the projectile's centre at the contact.
    aside_mm
        Its distance from the target's middle, across the flight.
    knocked
        Whether the target was knocked over.
    settled
        Whether the engine decided that (`brickphys.engines.shots.shoot.Shots`); else it is as the target was last.
    """

    height_mm: Array
    aside_mm: Array
    knocked: Mask
    settled: Mask


def standing_body(target: Target) -> StandingBody:
    """Return a target as the engine takes it."""
    parts = tuple(
        Part(part.centre_mm, part.size_mm, part.kind == "cylinder") for part in target.parts
    )
    return StandingBody(parts, target.mass, target.base_mm)


def missile(projectile: Projectile) -> Missile:
    """Return a projectile as the engine takes it."""
    length = projectile.height_mm if projectile.shape == "cylinder" else 0.0
    return Missile(projectile.diameter_mm / 2, projectile.mass_g, length)


def strike(
    target: Target, projectile: Projectile, arrival: Arrival, seed: int, first: int, count: int
) -> Strikes:
    """Shoot the draws ``first .. first + count - 1`` of an arrival at a target; return the hits among them."""
    thrown, body = missile(projectile), standing_body(target)
    numbers = uniforms(seed, arrival.address, first, count, _WIDTH)
    low, high = np.radians(_SIDES[arrival.side])
    bearing = np.where(numbers[:, 0] < 0.5, -1.0, 1.0) * (low + (high - low) * numbers[:, 1])
    states = _arriving(arrival, thrown, body, bearing, numbers[:, 2:])
    shots = shoot(body, thrown, states, settings=SHOT_SETTINGS)
    contact = shots.contact_mm[shots.hit]
    left = np.stack([np.sin(bearing), -np.cos(bearing)], axis=1)[shots.hit]
    return Strikes(
        contact[:, 2],
        np.abs((contact[:, :2] * left).sum(axis=1)),
        shots.knocked[shots.hit],
        shots.settled[shots.hit],
    )


def _arriving(
    arrival: Arrival, thrown: Missile, body: StandingBody, bearing: Array, numbers: Array
) -> States:
    """Return missiles clear of the body, on paths that are uniform over all that can meet it."""
    fall = np.radians(arrival.fall_deg)
    corners = body.corners_mm + body.mass.centre_mm
    wide = float(np.hypot(corners[:, 0], corners[:, 1]).max()) + thrown.reach_mm
    slope = wide * np.tan(fall)
    low, high = -slope, float(corners[:, 2].max()) + thrown.reach_mm + slope
    out = np.stack([np.cos(bearing), np.sin(bearing), np.zeros_like(bearing)], axis=1)
    left = np.stack([out[:, 1], -out[:, 0], out[:, 2]], axis=1)
    up = np.array([0.0, 0.0, 1.0])
    back = np.cos(fall) * out + np.sin(fall) * up
    middle = (2 * numbers[:, :1] - 1) * wide * left + (low + (high - low) * numbers[:, 1:2]) * up
    away = 2 * (wide + high) * back
    spin = np.zeros_like(out)
    if thrown.length_mm:
        spin = TUMBLE_RAD_S * ndtri(numbers[:, 5:8])
    velocity = -arrival.speed_m_s * back
    return States(middle + away, uniform_rotations(numbers[:, 2:5]), velocity, spin)
