"""Conditions: the distributions of height, speed and spin at release, with named presets."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from brickphys.errors import InvalidValueError, unknown

MAX_HEIGHT_MM = 5000.0
MAX_SPEED_M_S = 20.0
MAX_SPIN_RAD_S = 500.0
MAX_BRICKS = 60
"""The most bricks of one brick roll, as `brickphys.odds.roll.MAX_BRICKS`."""


@dataclass(frozen=True)
class Conditions:
    """Conditions of release of a hand of bricks; orientations are uniform on SO(3).

    Attributes
    ----------
    height_mm
        Least and greatest height of the centre of mass above the floor; uniform, independent for each brick.
    speed_m_s
        Root mean square of the horizontal speed on each axis (normal); the vertical speed is zero.
    spin_rad_s
        Root mean square of the spin on each axis (normal).
    bricks
        Number of bricks thrown together.
    scatter
        Share of the variance of a brick's horizontal velocity that is independent for each brick; the rest is common
        to the hand. The speed of a brick thus has the same distribution in any hand.
    preset
        Name of the preset of these values, or ``"custom"``.

    Raises
    ------
    InvalidValueError
        If a value is not finite, negative, reversed or above its limit (5 m, 20 m/s, 500 rad/s, 60 bricks).
    """

    height_mm: tuple[float, float]
    speed_m_s: float
    spin_rad_s: float
    bricks: int = 1
    scatter: float = 0.1
    preset: str = "custom"

    def __post_init__(self) -> None:
        low, high = self.height_mm
        _check("height_mm", low, MAX_HEIGHT_MM)
        _check("height_mm", high, MAX_HEIGHT_MM)
        if low <= 0:
            raise InvalidValueError(f"height_mm {low:g} must be above 0")
        if low > high:
            raise InvalidValueError(
                f"height_mm {low:g}:{high:g} is reversed: write {high:g}:{low:g}"
            )
        _check("speed_m_s", self.speed_m_s, MAX_SPEED_M_S)
        _check("spin_rad_s", self.spin_rad_s, MAX_SPIN_RAD_S)
        _check("scatter", self.scatter, 1.0)
        if not 1 <= self.bricks <= MAX_BRICKS:
            raise InvalidValueError(f"bricks {self.bricks} is outside 1..{MAX_BRICKS}")


def _check(name: str, value: float, limit: float) -> None:
    if not math.isfinite(value) or not 0 <= value <= limit:
        raise InvalidValueError(f"{name} {value:g} is outside 0 to {limit:g}")


HAND_SPEED_M_S = (1.0, 3.0)
"""Horizontal speed in all of hand throws of dice and coins, as reported."""
HAND_SPIN_RAD_S = (10.0, 60.0)
"""Their spin in all."""

PRESETS: Mapping[str, Conditions] = {
    # Within reports on hand throws of dice and coins: released 0.1 to 0.4 m up, at HAND_SPEED_M_S and HAND_SPIN_RAD_S.
    # In all, over two and three axes, these values are 1.4 m/s and 52 rad/s.
    "hand": Conditions((100.0, 300.0), 1.0, 30.0, preset="hand"),
    # Dropped without a throw and with little spin; the bricks fall side by side.
    "drop": Conditions((200.0, 200.0), 0.0, 2.0, preset="drop"),
    # Shaken and poured out of a cup just above the table: low and slow, with much spin and much scatter.
    "cup": Conditions((50.0, 150.0), 0.6, 40.0, scatter=0.5, preset="cup"),
}


def preset(name: str) -> Conditions:
    """Return the preset of a name, else raise InvalidValueError with the nearest name."""
    if name not in PRESETS:
        raise unknown("preset", name, PRESETS)
    return PRESETS[name]
