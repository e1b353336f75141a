"""Card: the odds of all usual attacks by one law, or of a game's dice, as a card for the table shows them."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from brickphys.display import Drawn, Row
from brickphys.odds.law import Law, RollLaw
from brickphys.odds.law_words import chance_in_hand, shortcomings
from brickphys.odds.opposed import Interval, opposed, range90_laws
from brickphys.odds.table import success_table
from brickphys.text import percent

MOST_ATTACK, MOST_DEFENCE = 8, 6
"""The largest numbers of bricks on a card; attacks begin at 1, defences at 0."""
_BRICKS = "The attack succeeds if more of its bricks score; a tie defends."

Chances = tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True)
class CardWords:
    """The words of a card.

    Attributes
    ----------
    heading
        The question that its chances answer.
    attacks, defences
        What the numbers beside the rows and over the columns are.
    mean
        What the second number of a cell is; empty if there is none.
    remarks
        Sentences below the cells.
    """

    heading: str = "Does the attack succeed?"
    attacks: str = "bricks of the attack"
    defences: str = "bricks of the defence"
    mean: str = "expected damage"
    remarks: tuple[str, ...] = (_BRICKS,)


@dataclass(frozen=True, repr=False)
class OddsCard(Drawn):
    """The odds of a card.

    Attributes
    ----------
    words
        What it is about.
    attacks, defences
        The names of the rows and of the columns.
    chances
        The chance of each row in each column.
    means
        The second numbers of the cells; empty if there are none.
    law, law_name
        The law, and its name for people; None and empty if dice are rolled.
    widest_range90
        By how much a chance of the card differs at most from that by another p of the 90 % range; None if p is stated
        or its range was not measured.
    """

    words: CardWords
    attacks: tuple[int | str, ...]
    defences: tuple[int | str, ...]
    chances: Chances
    means: Chances = ()
    law: RollLaw | None = None
    law_name: str = ""
    widest_range90: float | None = None

    drawn_by = "paper.odds_card:odds_card_figure"

    @property
    def notes(self) -> list[str]:
        """What the law lacks for the bricks of the card, in sentences."""
        numbers = (one for one in (*self.attacks, *self.defences) if isinstance(one, int))
        return [] if self.law is None else shortcomings(self.law, set(numbers))

    @property
    def p_range90(self) -> Interval | None:
        """The 90 % range of a brick; None if it is not known."""
        return self.law.p_range90 if isinstance(self.law, Law) else None

    def document(self) -> dict[str, Any]:
        """Return the card as values of JSON."""
        return {
            "law": self.law_name or None,
            "p": None if self.law is None else float(self.law.p),
            "p_in_hand": None if self.law is None else float(chance_in_hand(self.law)),
            "p_range90": self.p_range90,
            "about": self.words.heading,
            "attacks": self.attacks,
            "defences": self.defences,
            "success": _floats(self.chances),
            "expected_damage": _floats(self.means) or None,
            "widest_range90": self.widest_range90,
        }

    def line(self) -> str:
        """Return what it is about, its size and its law."""
        by = f", by {self.law_name}" if self.law_name else ""
        return f"card of odds: {self.words.heading} {len(self.attacks)} x {len(self.defences)} chances{by}"

    def rows(self) -> list[Row]:
        """Return the chances of each attack."""
        return [
            {
                self.words.attacks: attack,
                **dict(zip(map(str, self.defences), map(float, row), strict=True)),
            }
            for attack, row in zip(self.attacks, self.chances, strict=True)
        ]

    def cells(self) -> list[list[str]]:
        """Return the chances in per cent, without the sign."""
        return [[percent(float(one)).removesuffix(" %") for one in row] for row in self.chances]


def _floats(rows: Sequence[Sequence[Fraction]]) -> list[list[float]]:
    return [[float(one) for one in row] for row in rows]


def odds_card(law: RollLaw, law_name: str, words: CardWords | None = None) -> OddsCard:
    """Return the card of opposed rolls of bricks by a law.

    Parameters
    ----------
    law, law_name
        The law, and its name for people.
    words
        The words of a game; those of BOW if not given. The expected damage is on the card if they name it.
    """
    words = words or CardWords()
    attacks, defences = range(1, MOST_ATTACK + 1), range(MOST_DEFENCE + 1)
    rolls = [[opposed(attack, defence, law) for defence in defences] for attack in attacks]
    means = tuple(tuple(roll.expected_damage for roll in row) for row in rolls)
    own = _successes(law)
    moved = [
        abs(here - there)
        for one in range90_laws(law)
        for here, there in zip(own, _successes(one), strict=True)
    ]
    return OddsCard(
        words,
        tuple(attacks),
        tuple(defences),
        tuple(tuple(roll.success for roll in row) for row in rolls),
        means if words.mean else (),
        law,
        law_name,
        float(max(moved)) if moved else None,
    )


def _successes(law: RollLaw) -> list[Fraction]:
    table = success_table(MOST_ATTACK, MOST_DEFENCE, law)
    return [chance for row in table[1:] for chance in row]
