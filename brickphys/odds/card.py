"""Card: the odds of all usual attacks by one law, as a card for the table shows them."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from brickphys.odds.law import Law, RollLaw
from brickphys.odds.opposed import Interval, Opposed, opposed, range90_laws
from brickphys.odds.table import success_table

MOST_ATTACK, MOST_DEFENCE = 8, 6
"""The largest numbers of bricks on a card; attacks begin at 1, defences at 0."""


@dataclass(frozen=True)
class OddsCard:
    """The odds of a card.

    Attributes
    ----------
    law, law_name
        The law, and its name for people.
    rolls
        The attacks of 1 to 8 bricks, each against 0 to 6.
    widest_range90
        By how much a success of the card differs at most from that by another p of the 90 % range; None if p is stated
        or its range was not measured.
    """

    law: RollLaw
    law_name: str
    rolls: tuple[tuple[Opposed, ...], ...]
    widest_range90: float | None

    @property
    def p_range90(self) -> Interval | None:
        """The 90 % range of a brick; None if it is not known."""
        return self.law.p_range90 if isinstance(self.law, Law) else None

    def document(self) -> dict[str, Any]:
        """Return the card as values of JSON."""
        return {
            "law": self.law_name,
            "p": float(self.law.p),
            "p_range90": self.p_range90,
            "attacks": [row[0].attack for row in self.rolls],
            "defences": [roll.defence for roll in self.rolls[0]],
            "success": [[float(roll.success) for roll in row] for row in self.rolls],
            "expected_damage": [
                [float(roll.expected_damage) for roll in row] for row in self.rolls
            ],
            "widest_range90": self.widest_range90,
        }


def odds_card(law: RollLaw, law_name: str) -> OddsCard:
    """Return the card of a law."""
    rolls = tuple(
        tuple(opposed(attack, defence, law) for defence in range(MOST_DEFENCE + 1))
        for attack in range(1, MOST_ATTACK + 1)
    )
    own = _successes(law)
    moved = [
        abs(here - there)
        for one in range90_laws(law)
        for here, there in zip(own, _successes(one), strict=True)
    ]
    return OddsCard(law, law_name, rolls, float(max(moved)) if moved else None)


def _successes(law: RollLaw) -> list[Fraction]:
    table = success_table(MOST_ATTACK, MOST_DEFENCE, law)
    return [chance for row in table[1:] for chance in row]
