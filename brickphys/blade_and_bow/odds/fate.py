"""Fate: what hits do to a unit, and what that costs its player (BB 8.5.3, 9.4.7, 9.4.10)."""

from functools import lru_cache
from typing import NamedTuple

from brickphys.blade_and_bow.combat.damage import Damage, damage
from brickphys.blade_and_bow.odds.clash import FACES
from brickphys.blade_and_bow.sheets.charts import charts
from brickphys.blade_and_bow.sheets.counters import Density

DISRUPTION, RECOIL, ROUT = 0.3, 0.15, 0.8
"""What these cost, by a lost rank as 1: a unit that routs may rally, and is missed for a turn at least."""


class Stand(NamedTuple):
    """What of a unit matters when it is hit.

    Attributes
    ----------
    density, ranks, disrupted
        Of the unit; ranks besides itself.
    morale
        The highest face with which a die of a rout check passes.
    guards
        Rout checks that are cancelled: by a leader (BB 9.4.10), or by a card.
    """

    density: Density
    ranks: int = 0
    disrupted: bool = False
    morale: int = 3
    guards: int = 0


def fate(stand: Stand, hits: int, *, ranged: bool = False) -> Damage:
    """Return what hits do to a unit, without the rout checks that are cancelled."""
    found = damage(stand.density, stand.disrupted, stand.ranks, hits, ranged)
    return found._replace(checks=max(found.checks - stand.guards, 0))


def holds(stand: Stand, checks: int) -> float:
    """Return the chance that a unit passes its rout check."""
    return float((stand.morale / FACES) ** checks)


@lru_cache(maxsize=4096)
def costs(stand: Stand, *, ranged: bool = False) -> tuple[float, ...]:
    """Return what 0, 1, 2, ... hits cost the player of a unit, by a lost rank as 1."""
    return tuple(_cost(stand, hits, ranged=ranged) for hits in range(charts().dice["most"] + 1))


def _cost(stand: Stand, hits: int, *, ranged: bool) -> float:
    disrupts, ranks, recoils, checks = fate(stand, hits, ranged=ranged)
    stays = holds(stand, checks)
    falls_back = recoils * stays * RECOIL + (1.0 - stays) * ROUT
    return disrupts * DISRUPTION + ranks + falls_back
