"""Commit: how likely an attacker overcomes its fear, with points of cards (BB 4.1, 9.4.3)."""

from fractions import Fraction
from itertools import product
from typing import Annotated

from brickphys.blade_and_bow.combat.commitment import commitment_dice, commitment_least
from brickphys.blade_and_bow.odds.stage import bounded, fighter, stage
from brickphys.blade_and_bow.sheets.charts import FACES
from brickphys.odds.distribution import Distribution
from brickphys.rules.report.odds_report import OddsReport, distribution
from brickphys.text import counted

MOST_POINTS = 20
_ATTACKER = 1


def commit(
    attacker: Annotated[str, "Who attacks."],
    target: Annotated[str, "Who is attacked."],
    points: Annotated[int, "Points of commitment from cards, 0 to 20."] = 0,
    morale: Annotated[int, "Command value of the attacker's commander, 1 to 5."] = 3,
    lost_camp: Annotated[bool, "The attacker's camp is lost."] = False,
) -> OddsReport:
    """Compute a commitment roll before an attack (BB 9.4.3).

    The result has the chance to attack, and the missing points. Write units as for ``melee``. For the attacker, beside
    means a leader in an adjacent square, near a leader two squares away.

    Example: brickphys odds blade_and_bow commit hoplite,beside immortals --points 2
    """
    bounded("points", points, 0, MOST_POINTS)
    one, other = fighter(attacker), fighter(target)
    state = stage(other, [one], (morale, 3)).replaced({"sacked": (lost_camp, False)})
    count = commitment_dice(state, _ATTACKER)
    least = commitment_least(state, _ATTACKER)
    certain = state.leader_of(_ATTACKER) is not None
    lacks = lacking(0 if certain else count, least)
    passes = sum((chance for lack, chance in lacks.items() if lack <= points), Fraction(0))
    rolls = f"{counted(count, 'die', 'dice')}, failing from {least}"
    if certain or not count or least > FACES:
        rolls = "no roll is needed (BB 9.4.3)"
    helped = {f"it attacks with {counted(points, 'point')}": passes} if points else {}
    return OddsReport(
        f"{one.words} attacks {other.words} from the {one.side or 'front'}: {rolls}",
        {"it attacks without points": lacks.probability(0), **helped},
        {"points that it lacks": lacks},
    )


def lacking(dice: int, least: int) -> Distribution:
    """Return the law of the points that morale dice lack together, given the least face that fails (BB 4.1)."""
    found = {0: Fraction(1)}
    for _ in range(dice):
        after = dict[int, Fraction]()
        for (lack, chance), face in product(found.items(), range(1, FACES + 1)):
            lacks = lack + max(face - least + 1, 0)
            after[lacks] = after.get(lacks, Fraction(0)) + chance / FACES
        found = after
    return distribution(found.items())
