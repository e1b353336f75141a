"""Melee: the odds of the dice of a melee, with its re-rolls, and of what they do to both sides (BB 9.4.4 to 9.4.10)."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated

from brickphys.blade_and_bow.combat.damage import shares
from brickphys.blade_and_bow.combat.hits import receivers
from brickphys.blade_and_bow.odds.chain import combat_stakes, sides, stand
from brickphys.blade_and_bow.odds.clash import EACH_HIT, Hits, Side, clash
from brickphys.blade_and_bow.odds.fates import fates
from brickphys.blade_and_bow.odds.stage import TARGET, bounded, fighter, party, stage
from brickphys.blade_and_bow.sheets.charts import charts
from brickphys.odds.distribution import Distribution
from brickphys.rules.report.odds_report import OddsReport, distribution
from brickphys.text import counted

MOST_RIGHTS = 6
"""Re-rolls of a side."""


def melee(
    attackers: Annotated[str, "Attackers, joined by +; 2*spears means two units."],
    target: Annotated[str, "Who is attacked."],
    attack_dice: Annotated[int, "Dice that cards add to the attack."] = 0,
    defence_dice: Annotated[int, "Dice that cards add to the defence."] = 0,
    attack_rerolls: Annotated[int, "Re-rolls that cards give the attacker."] = 0,
    defence_rerolls: Annotated[int, "Re-rolls that cards give the defender."] = 0,
    attacker_morale: Annotated[int, "Command value of the attacker's commander, 1 to 5."] = 3,
    target_morale: Annotated[int, "Command value of the target's commander, 1 to 5."] = 3,
) -> OddsReport:
    """Compute a melee: its hits and their effects (BB 9.4).

    Write a unit as its kind and, separated by commas, the words that count: ranks=2, disrupted, wall (a shield wall),
    leader (stacked with the unit), its ground, and for attackers the side of the target: front, left, right, rear.

    The lead is the attacker whose faces count, who takes the first hit, and who advances. Hits disrupt a unit, take its
    ranks, and make it recoil or rout.

    Each side re-rolls the dice that are best for it, the attacker first. It compares costs: a lost rank 1, a disruption
    0.3, a recoil 0.15, a rout 0.8. A unit that recoils has room.

    Example: brickphys odds blade_and_bow melee hoplite,ranks=2,leader+peltast,left immortals
    """
    those, struck = party(attackers), fighter(target)
    state = stage(struck, those, (attacker_morale, target_morale))
    own, other = sides(state)
    own = _with_cards("attack", own, attack_dice, attack_rerolls)
    other = _with_cards("defence", other, defence_dice, defence_rerolls)
    law = clash(own, other, combat_stakes(state))
    on_target, on_attackers = _marginals(law)
    count = len(receivers(state))
    first = [(shares(hits, count)[0], chance) for hits, chance in on_attackers.items()]
    target_fates = fates("target", stand(state, TARGET), on_target)
    lead_fates = fates("lead", stand(state, state.lead), distribution(first))
    return OddsReport(
        f"{' and '.join(one.words for one in those)} against {struck.words}: {_words(own)} against {_words(other)}",
        {**target_fates[0], **lead_fates[0]},
        {
            "hits on the target": on_target,
            "hits on the attackers": on_attackers,
            **target_fates[1],
            **lead_fates[1],
        },
    )


def dice(
    attack: Annotated[int, "Dice of the attacker, 1 to 8."],
    defence: Annotated[int, "Dice of the defender, 0 to 8."],
    attack_hits: Annotated[int, "Faces of the attacker's dice that are hits."] = 2,
    attack_cancels: Annotated[int, "Faces that are cancellations."] = 2,
    defence_hits: Annotated[int, "Faces of the defender's dice that are hits."] = 2,
    defence_cancels: Annotated[int, "Faces that are cancellations."] = 2,
    attack_rerolls: Annotated[int, "Dice that the attacker may re-roll."] = 1,
    defence_rerolls: Annotated[int, "Dice that the defender may re-roll."] = 0,
) -> OddsReport:
    """Compute a melee by numbers of dice (BB 9.4.5 to 9.4.7).

    Each side re-rolls the dice that are best for it, the attacker first; all remaining hits count the same.

    Example: brickphys odds blade_and_bow dice 6 4 --defence-hits 1
    """
    own = _side("attack", attack, attack_hits, attack_cancels, attack_rerolls, least=1)
    other = _side("defence", defence, defence_hits, defence_cancels, defence_rerolls)
    on_target, on_attackers = law = _marginals(clash(own, other, EACH_HIT))
    none = [side.probability(0) for side in law]
    return OddsReport(
        f"{_words(own)} against {_words(other)}",
        {"the target is hit": 1 - none[0], "an attacker is hit": 1 - none[1]},
        {"hits on the target": on_target, "hits on the attackers": on_attackers},
    )


def _side(what: str, count: int, hits: int, cancels: int, rights: int, least: int = 0) -> Side:
    most = charts().dice["most"]
    bounded(f"{what}: dice", count, least, most)
    bounded(f"{what}: re-rolls", rights, 0, MOST_RIGHTS)
    bounded(f"{what}: faces that are hits", hits, 0, 6)
    bounded(f"{what}: faces that are cancellations", cancels, 0, 6 - hits)
    return Side(count, hits, cancels, rights if count else 0)


def _with_cards(what: str, side: Side, more: int, rights: int) -> Side:
    """Return a side with what cards add, at most eight dice (BB 9.4.4)."""
    most = charts().dice["most"]
    bounded(f"{what}: dice of cards", more, 0, most)
    bounded(f"{what}: re-rolls of cards", rights, 0, MOST_RIGHTS - side.rerolls)
    return side._replace(dice=min(side.dice + more, most), rerolls=side.rerolls + rights)


def _marginals(law: Mapping[Hits, int]) -> tuple[Distribution, Distribution]:
    """Return the laws of the hits on the target and on the attackers."""
    total = sum(law.values())
    first, second = (
        distribution((hits[n], Fraction(weight, total)) for hits, weight in law.items())
        for n in (0, 1)
    )
    return first, second


def _words(side: Side) -> str:
    """Return the dice of a side in words."""
    faces = f"{counted(side.hits, 'face')} to hit, {side.cancels} to cancel"
    rights = f", {counted(side.rerolls, 're-roll')}" if side.rerolls else ""
    return f"{counted(side.dice, 'die', 'dice')} ({faces}{rights})"
