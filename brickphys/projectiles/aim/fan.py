"""Fan: the paths of a scattered shot, as equally likely nodes over speed and elevation.

The nodes are a Fibonacci lattice, taken through the inverse of the normal distribution: a rule of equal weights in two
dimensions whose error falls nearly as 1/n (Sloan and Joe, Lattice Methods for Multiple Integration, 1994). The two
normal variables are turned by `_TURN_DEG`: speed and elevation act together on the height at the target, and of six
angles this one left the least error over all weapons. The azimuth is no node: the law integrates it exactly.
"""

from functools import lru_cache

import numpy as np
from scipy.special import ndtri

from brickphys.arrays import Array
from brickphys.projectiles.aim.sight import STEP_MM, paths, sight
from brickphys.projectiles.flight import Flights
from brickphys.projectiles.weapons import Weapon

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
    """Return the paths of a shot at a place `steps` half inches away, at a height.

    Raises
    ------
    InvalidValueError
        As `sight`.
    """
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
    return c * ndtri(first) - s * ndtri(second), s * ndtri(first) + c * ndtri(second)
