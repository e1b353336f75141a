"""Card: whether the target of a melee is hit, by numbers of dice, as a card for the table shows it (BB 9.4)."""

from fractions import Fraction

from brickphys.blade_and_bow.odds.clash import Side, clash
from brickphys.blade_and_bow.sheets.charts import FACES, charts
from brickphys.odds.card import CardWords, OddsCard

MOST_DEFENCE = 6
_WORDS = CardWords(
    "Is the target hit?",
    "dice of the attacker",
    "dice of the target",
    "expected hits",
    (
        "In melee, with the best re-roll of the attacker; hits less cancellations (BB 9.4.5 to 9.4.7).",
        "Missiles have no re-roll, so they hit less often (BB 8.5).",
    ),
)


def odds_card() -> OddsCard:
    """Return the chance of a hit and the expected hits of 1 to 8 dice against 0 to 6."""
    attacks, defences = range(1, charts().dice["most"] + 1), range(MOST_DEFENCE + 1)
    rerolls = charts().dice["attacker_rerolls"]
    cells = [[hits_left(one, other, rerolls) for other in defences] for one in attacks]
    return OddsCard(
        _WORDS,
        tuple(attacks),
        tuple(defences),
        tuple(tuple(chance for chance, _ in row) for row in cells),
        tuple(tuple(mean for _, mean in row) for row in cells),
    )


def hits_left(dice: int, defence: int, rerolls: int) -> tuple[Fraction, Fraction]:
    """Return the chance that a hit on the target is left after cancellations, and the mean number of those left.

    The attacker re-rolls what is best where each hit is worth the same.
    """
    law = clash(_side(dice, rerolls), _side(defence, 0))
    total = sum(law.values())
    hits = sum(weight for left, weight in law.items() if left.target)
    points = sum(weight * left.target for left, weight in law.items())
    return Fraction(hits, total), Fraction(points, total)


def _side(dice: int, rerolls: int) -> Side:
    faces = charts().dice
    return Side(dice, faces["hits_to"], FACES + 1 - faces["cancels_from"], rerolls)
