"""Fates: how likely hits disrupt a unit, take its ranks, drive it back and rout it (BB 8.5.3, 9.4.7, 9.4.10)."""

from fractions import Fraction

from brickphys.blade_and_bow.combat.damage import damage
from brickphys.blade_and_bow.odds.costs import Stand
from brickphys.blade_and_bow.sheets.charts import FACES
from brickphys.odds.distribution import Distribution
from brickphys.rules.report.odds_report import distribution


def fates(
    who: str, stand: Stand, hits: Distribution, *, ranged: bool = False
) -> tuple[dict[str, Fraction], dict[str, Distribution]]:
    """Return the chances of what becomes of a unit, and the law of the ranks that it loses, in words.

    Parameters
    ----------
    who
        What the unit is called.
    stand
        The unit.
    hits
        The law of its hits.
    ranged
        Whether they are of missiles: who passes its rout check then recoils, and else it rolls after its recoil.
    """
    disrupted = recoils = routs = Fraction(0)
    ranks: list[tuple[int, Fraction]] = []
    for count, chance in hits.items():
        left = max(count - stand.spared, 0)
        found = damage(stand.density, stand.disrupted, stand.ranks, left, ranged)
        checks = max(found.checks - stand.guards, 0)
        holds = Fraction(stand.morale, FACES) ** checks
        disrupted += chance * found.disrupts
        recoils += chance * found.recoils * holds
        routs += chance * (1 - holds)
        ranks.append((found.ranks, chance))
    chances = {
        f"the {who} is disrupted": disrupted,
        f"the {who} recoils, and holds": recoils,
        f"the {who} routs": routs,
    }
    if stand.disrupted:
        del chances[f"the {who} is disrupted"]
    return chances, {f"ranks lost by the {who}": distribution(ranks)} if stand.ranks else {}
