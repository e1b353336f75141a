"""Costs: what hits cost the player of a unit, by which players choose their re-rolls (BB 8.5.3, 9.4.7, 9.4.10)."""

from functools import lru_cache
from typing import NamedTuple

from brickphys.blade_and_bow.combat.damage import damage
from brickphys.blade_and_bow.sheets.charts import FACES, charts
from brickphys.blade_and_bow.sheets.counters import Density

DISRUPTION, RECOIL, ROUT = 0.3, 0.15, 0.8
"""Cost of these, where a lost rank costs 1. A unit that routs may rally, but is missing for at least a turn."""
SACK, DECISIVE = 2.0, 8.0
"""Cost of a camp, and of a camp or leader that decides the battle, in the same unit."""


class Stand(NamedTuple):
    """What of a unit matters when it is hit.

    Attributes
    ----------
    density, ranks, disrupted
        Of the unit; ranks besides itself.
    morale
        The highest face with which a die of a rout check passes.
    guards
        Rout checks that are cancelled (BB 9.4.10).
    spared
        Hits that its camp cancels (BB 12).
    """

    density: Density
    ranks: int = 0
    disrupted: bool = False
    morale: int = 3
    guards: int = 0
    spared: int = 0


def holds(morale: int, checks: int) -> float:
    """Return the chance that all dice of a rout check pass."""
    return float((morale / FACES) ** checks)


@lru_cache(maxsize=4096)
def costs(stand: Stand, *, ranged: bool = False) -> tuple[float, ...]:
    """Return what 0, 1, 2, ... hits cost the player of a unit, by a lost rank as 1."""
    return tuple(_cost(stand, hits, ranged=ranged) for hits in range(charts().dice["most"] + 1))


def _cost(stand: Stand, hits: int, *, ranged: bool) -> float:
    left = max(hits - stand.spared, 0)
    found = damage(stand.density, stand.disrupted, stand.ranks, left, ranged)
    stays = holds(stand.morale, max(found.checks - stand.guards, 0))
    falls_back = found.recoils * (stays * RECOIL + (1.0 - stays) * ROUT)
    return found.disrupts * DISRUPTION + found.ranks + falls_back


@lru_cache
def camp_costs(*, decides: bool) -> tuple[float, ...]:
    """Return what 0, 1, 2, ... hits on a camp cost its player, who has lost without it if it decides the battle."""
    dice, cost = charts().dice, DECISIVE if decides else SACK
    return tuple(cost * (hits > dice["camp_cancels"]) for hits in range(dice["most"] + 1))
