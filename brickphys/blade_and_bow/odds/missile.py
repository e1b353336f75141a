"""Missile: the odds of a volley, and of what it does to its target (BB 8.5)."""

from fractions import Fraction
from typing import Annotated

from brickphys.blade_and_bow.odds.chain import combat_law, sides, stand
from brickphys.blade_and_bow.odds.fates import fates
from brickphys.blade_and_bow.odds.stage import TARGET, Fighter, bounded, fighter, party, stage
from brickphys.errors import InvalidValueError
from brickphys.rules.report.odds_report import OddsReport, distribution, swap_hint
from brickphys.text import counted


def missile(
    shooters: Annotated[str, "Shooters, joined by +; 3*archers means three units."],
    target: Annotated[str, "At whom."],
    turned: Annotated[int, "Total number of directions by which the shooters turn, 0 to 12."] = 0,
    target_morale: Annotated[int, "Command value of the target's commander, 1 to 5."] = 3,
) -> OddsReport:
    """Compute a volley: its hits and their effects (BB 8.5).

    Write units as for ``melee``. A unit that recoils has room.

    Example: brickphys odds blade_and_bow missile 2*archers+psiloi hoplite,ranks=1
    """
    bounded("turned", turned, 0, 12)
    those, struck = party(shooters), fighter(target)
    for one in those:
        if not _shoots(one):
            hint = swap_hint(shooters, target, shoots=_shoots(struck))
            raise InvalidValueError(f"{one.words} cannot shoot (BB 3.5, 8.0){hint}")
    state = stage(struck, those, (3, target_morale), ranged=True, turned=turned)
    law = combat_law(state)
    total = sum(law.values())
    hits = distribution((hits.target, Fraction(weight, total)) for hits, weight in law.items())
    own, other = sides(state)
    chances, ranks = fates("target", stand(state, TARGET), hits, ranged=True)
    names = " and ".join(one.words for one in those)
    pools = f"{counted(own.dice, 'die', 'dice')} against {counted(other.dice, 'die', 'dice')}"
    return OddsReport(f"{names} at {struck.words}: {pools}", chances, {"hits": hits, **ranks})


def _shoots(one: Fighter) -> bool:
    return bool(one.counter.good.missile_dice) and not one.disrupted
