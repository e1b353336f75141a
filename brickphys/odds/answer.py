"""Answer: the odds of one opposed roll, and a card of those of all usual attacks, as people see them.

An answer holds success, damage, kills, and how well they are known. A card shows the odds by one law, or of a game's
dice, as for the table.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from brickphys.errors import InvalidValueError
from brickphys.interface import Drawn, Row, json_object, public
from brickphys.odds import law_choice
from brickphys.odds.comparison import Chances, Comparison, compare, turn_chances
from brickphys.odds.law import Law, RollLaw
from brickphys.odds.law_file import DEFAULT
from brickphys.odds.opposed import (
    Interval,
    Opposed,
    kill_after,
    opposed,
    range90_laws,
    success_doubts,
    success_table,
)
from brickphys.text import counted, paragraphs, percent, percent_range, shown, table

MOST_ATTACK, MOST_DEFENCE = 8, 6
"""The largest numbers of bricks on a card; attacks begin at 1, defences at 0."""
_BRICKS = "The attack succeeds if more of its bricks score; a tie defends."

ChanceTable = tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True)
class CardWords:
    """The words of a card."""

    heading: str = "Does the attack succeed?"
    """The question that its chances answer."""
    attacks: str = "bricks of the attack"
    defences: str = "bricks of the defence"
    """What the numbers beside the rows and over the columns are."""
    mean: str = "expected damage"
    """What the second number of a cell is; empty if there is none."""
    remarks: tuple[str, ...] = (_BRICKS,)
    """Sentences below the cells."""


@dataclass(frozen=True, repr=False)
class OddsCard(Drawn):
    """The odds of a card."""

    words: CardWords
    attacks: tuple[int | str, ...]
    defences: tuple[int | str, ...]
    """The names of the rows and of the columns."""
    chances: ChanceTable
    """The chance of each row in each column."""
    means: ChanceTable = ()
    """The second numbers of the cells; empty if there are none."""
    law: RollLaw | None = None
    law_name: str = ""
    """The law, and its name for people; None and empty if dice are rolled."""
    widest_range90: float | None = None
    """By how much a chance of the card differs at most from that by another p of the 90 % range; None if p is stated or
    its range was not measured."""

    drawn_by = "paper:odds_card_figure"

    @property
    def notes(self) -> list[str]:
        """What the law lacks for the bricks of the card, in sentences."""
        numbers = (one for one in (*self.attacks, *self.defences) if isinstance(one, int))
        return [] if self.law is None else law_choice.shortcomings(self.law, set(numbers))

    @property
    def p_range90(self) -> Interval | None:
        """The 90 % range of a brick; None if it is not known."""
        return self.law.p_range90 if isinstance(self.law, Law) else None

    def document(self) -> dict[str, Any]:
        """Return the card as values of JSON."""
        return {
            "law": self.law_name or None,
            "p": None if self.law is None else float(self.law.p),
            "p_in_hand": None if self.law is None else float(law_choice.chance_in_hand(self.law)),
            "p_range90": self.p_range90,
            "about": self.words.heading,
            "attacks": self.attacks,
            "defences": self.defences,
            "success": _floats(self.chances),
            "expected_damage": _floats(self.means) or None,
            "widest_range90": self.widest_range90,
        }

    def line(self) -> str:
        by = f", by {self.law_name}" if self.law_name else ""
        return f"card of odds: {self.words.heading} {len(self.attacks)} x {len(self.defences)} chances{by}"

    def rows(self) -> list[Row]:
        return [
            {
                self.words.attacks: attack,
                **dict(zip(map(str, self.defences), map(float, row), strict=True)),
            }
            for attack, row in zip(self.attacks, self.chances, strict=True)
        ]

    def text(self) -> str:
        words = self.words
        by = f", by {self.law_name}" if self.law_name else ""
        rows = zip(map(str, self.attacks), self.cells(), strict=True)
        return paragraphs(
            f"{words.heading} In per cent{by}\nrows: {words.attacks}; columns: {words.defences}",
            table(("", *map(str, self.defences)), [(name, *row) for name, row in rows]),
            *self.notes,
        )

    def cells(self) -> list[list[str]]:
        """Return the chances in per cent, without the sign."""
        return [[percent(float(one)).removesuffix(" %") for one in row] for row in self.chances]


def _floats(rows: Sequence[Sequence[Fraction]]) -> list[list[float]]:
    return [[float(one) for one in row] for row in rows]


def odds_card(law: RollLaw, law_name: str, words: CardWords | None = None) -> OddsCard:
    """Return the card of opposed rolls of bricks by a law.

    The words are those of a game, or of BOW. The expected damage is on the card if they name it.
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


MAX_ATTACKS = 100


@dataclass(frozen=True, repr=False)
class Odds(Drawn):
    """The odds of an attack."""

    law: RollLaw
    law_name: str
    """The law of the bricks, and its name for people."""
    opposed: Opposed
    """The exact laws of success and damage."""
    success_ci95: Interval | None
    """95 % interval of the chance of success by that of the law's p; None if the chance of a side is stated."""
    success_range90: Interval | None
    """Where that chance lies in nine cases of ten: some table of the law's kind and some hand, or the one table and
    hand of a measured law. None if that was not measured."""
    health: int | None = None
    kill_after: tuple[Fraction, ...] = ()
    """Exact chance that the target is dead after the 1st, 2nd, ... attack; empty without a health."""

    drawn_by = "odds:odds_figure"
    instead: ClassVar = {
        "p": "success is the chance of the attack, float(law.p) that of one brick",
        "hits": "success is the chance of a hit, damage the chance of each number of points",
        "hit": "success is the chance of a hit",
        "win": "success is the chance of the attack",
        "chance": "success is the chance of the attack",
        "probability": "success is the chance of the attack",
        "hp": "health is the health of the target, kill the chance to kill it",
    }

    @property
    def attack(self) -> int:
        """Bricks of the attack."""
        return self.opposed.attack

    @property
    def defence(self) -> int:
        """Bricks of the defence."""
        return self.opposed.defence

    @property
    def success(self) -> float:
        """Chance that the attack scores strictly more."""
        return float(self.opposed.success)

    @property
    def success_exact(self) -> Fraction:
        """The same as an exact fraction."""
        return self.opposed.success

    @property
    def ci95(self) -> Interval | None:
        """`success_ci95`: the main number of these odds is the chance of success."""
        return self.success_ci95

    @property
    def range90(self) -> Interval | None:
        """`success_range90`."""
        return self.success_range90

    @property
    def damage(self) -> dict[int, float]:
        """Points of damage -> chance."""
        return {points: float(chance) for points, chance in self.opposed.damage.items()}

    @property
    def expected_damage(self) -> float:
        """Mean damage, with 0 for a failed attack."""
        return float(self.opposed.expected_damage)

    @property
    def kill(self) -> float | None:
        """Chance that the target is dead after the last attack; None without a health."""
        return float(self.kill_after[-1]) if self.kill_after else None

    @public()
    def chances(self, law: law_choice.LawLike) -> Chances:
        """Return the chances of all attacks of the turn by some law."""
        rolled, _ = law_choice.named_law(law)
        count = len(self.kill_after) or 1
        title = bricks_title(self.attack, self.defence, self.health, count)
        bricks = self.attack, self.defence
        return turn_chances(title, bricks, rolled, health=self.health, attacks=count)

    def compare(self, *others: "Odds") -> Comparison:
        """Return these odds beside others by the same law.

        The 90 % range of a difference has the same chance of a side in both: the table and the hand are the same.
        Raises InvalidValueError if the laws differ, or there are too few or too many. There are one to five others.

        Examples
        --------
        >>> import brickphys
        >>> both = brickphys.odds(4, 3, 0.25).compare(brickphys.odds(3, 2, 0.25))
        >>> both
        <success in the turn: 4 bricks against 3 40.6 %; 3 bricks against 2 38.5 %, by p = 1/4 as stated>
        """
        for other in others:
            if not isinstance(other, Odds):
                raise InvalidValueError(
                    f"compare(): {shown(other)} is not odds; give brickphys.odds(4, 3)"
                )
            if other.law != self.law:
                raise InvalidValueError(
                    f"the laws differ, {self.law_name} and {other.law_name}: compare attacks by one law; of two laws, "
                    "print the odds by each, whose ranges (range90) show whether they differ"
                )
        return compare([one.chances for one in (self, *others)], self.law, self.law_name)

    def document(self) -> dict[str, Any]:
        """Return the odds as the JSON object of the command ``odds``."""
        result = self.opposed
        return json_object(
            "odds",
            {
                "attack": self.attack,
                "defence": self.defence,
                "law": self.law_name,
                "p": float(self.law.p),
                "p_in_hand": float(law_choice.chance_in_hand(self.law)),
                "engines": law_choice.made_by(self.law) or None,
                "outside_200": law_choice.outside_range(self.law),
                "success": self.success,
                "success_exact": str(result.success),
                "success_ci95": self.success_ci95,
                "success_range90": self.success_range90,
                "damage": self.damage,
                "expected_damage": self.expected_damage,
                "hp": self.health,
                "attacks": len(self.kill_after) or 1,
                "kill": self.kill,
                "extrapolated": result.extrapolated,
                "law_complete": self.law.complete if isinstance(self.law, Law) else None,
                "law_contradiction": self.law.contradiction if isinstance(self.law, Law) else "",
            },
        )

    def card(self) -> OddsCard:
        """Return the card of all usual attacks by the same law.

        Examples
        --------
        >>> import brickphys
        >>> brickphys.odds(3, 2, 0.25).card()
        <card of odds: Does the attack succeed? 8 x 7 chances, by p = 1/4 as stated>
        """
        return odds_card(self.law, self.law_name)

    def line(self) -> str:
        known = (
            f" (90 % range {percent_range(*self.success_range90)})" if self.success_range90 else ""
        )
        return (
            f"odds of {self.attack} against {self.defence}: success {percent(self.success)}{known}, "
            f"by {self.law_name}"
        )

    def text(self) -> str:
        damage = self.opposed.damage
        of = " of one attack" if len(self.kill_after) > 1 else ""
        width = len(f"expected damage{of}")
        rows = [
            (str(points), percent(float(share)), percent(float(damage.at_least(points))))
            for points, share in damage.items()
        ]
        kills = [(str(i), percent(float(share))) for i, share in enumerate(self.kill_after, 1)]
        known = [f"{name:<{width}}  {what}" for name, what in self._successes(of).items()]
        return paragraphs(
            f"attack {self.attack} against defence {self.defence}\n{law_choice.chance_lines(self.law, self.law_name)}",
            "\n".join([*known, f"expected damage{of}  {self.expected_damage:.2f}"]),
            table((f"damage{of}", "exactly", "at least"), rows),
            table((f"attacks on {self.health} hp", "killed"), kills) if kills else "",
            *law_choice.shortcomings(self.law, {self.attack, self.defence}),
        )

    def _successes(self, of: str) -> dict[str, str]:
        """Return the chance of success and how well it is known, its range first."""
        law, nominal = self.law, percent(self.success)
        if not isinstance(law, Law) or self.success_ci95 is None:
            return {f"success{of}": nominal}
        interval = {
            "  95 % interval": f"{percent_range(*self.success_ci95)}: {law.interval_meaning}"
        }
        if self.success_range90 is None:
            unknown = "not measured with this law: its tables and hands are unknown"
            return {f"success{of}": nominal, "  90 % range": unknown} | interval
        known = f"{percent_range(*self.success_range90)} (90 % range)"
        return {f"success{of}": known, "  nominal": nominal} | interval

    def rows(self) -> list[Row]:
        return [
            {
                "damage": points,
                "exactly": float(chance),
                "at_least": float(self.opposed.damage.at_least(points)),
            }
            for points, chance in self.opposed.damage.items()
        ]


def bricks_title(attack: int, defence: int, health: int | None, attacks: int) -> str:
    """Return attacks by their numbers of bricks in words: ``4 bricks against 3, 2 attacks on 3 health``."""
    target = "" if health is None else f" on {health} health"
    more = f", {counted(attacks, 'attack')}{target}" if attacks > 1 or target else ""
    return f"{counted(attack, 'brick')} against {defence}{more}"


@public()
def odds(
    attack: int,
    defence: int,
    law: law_choice.LawLike = DEFAULT,
    *,
    health: int | None = None,
    attacks: int = 1,
) -> Odds:
    """Return the exact odds of attack bricks against defence bricks: the higher score wins, a tie defends (BOW 2.4).

    Parameters
    ----------
    attack, defence
        Numbers of bricks, 0..60.
    law
        A law that ships (``"default"``, ``"glass"``, ...), a law file, the chance of a side (0.3), or a law.
    health
        Health of the target, 1..1000: adds the chance to kill it.
    attacks
        Attacks in one turn, 1..100; needs `health`.

    Raises
    ------
    InvalidValueError
        If a number is out of range, or there is no such law.

    Examples
    --------
    >>> import brickphys
    >>> brickphys.odds(3, 2, 0.3)
    <odds of 3 against 2: success 41.5 %, by p = 3/10 as stated>
    >>> brickphys.odds(4, 3, 0.25, health=2, attacks=2).kill
    0.32211288809776306
    """
    if not 1 <= attacks <= MAX_ATTACKS:
        raise InvalidValueError(f"attacks: {attacks} is outside 1..{MAX_ATTACKS}")
    if attacks != 1 and health is None:
        raise InvalidValueError(
            f"attacks: {attacks} need the health of the target; with health=1, kill is the chance that one succeeds"
        )
    rolled, name = law_choice.named_law(law)
    result = opposed(attack, defence, rolled)
    turns = () if health is None else kill_after([(attack, defence)] * attacks, health, rolled)
    return Odds(rolled, name, result, *success_doubts(attack, defence, rolled), health, turns)
