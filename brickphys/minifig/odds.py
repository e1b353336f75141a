"""Odds: exact odds of shots and of attacks, for the command of that name.

Shots are at figures that stand alone (MF Projectiles); attacks are those of one figure on another, hand-to-hand or by a
shot, and all pairs of several figures (MF Resolving Combat).
"""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache, partial
from math import inf
from operator import add
from typing import Annotated, Literal

from brickphys.errors import InvalidValueError, unknown
from brickphys.minifig import sheets
from brickphys.minifig.missiles import HIT, KNOCKED_OVER, TOTAL, alone, bricks_of
from brickphys.odds.answer import CardWords
from brickphys.odds.distribution import Distribution
from brickphys.odds.law import RollLaw
from brickphys.odds.opposed import opposed, success_doubts
from brickphys.projectiles.shot import FINE, check_range
from brickphys.projectiles.standing import Side
from brickphys.rules.report.parts import OddsReport, OddsTable, swap_hint
from brickphys.text import counted, spoken

MOST_SHOTS = 60
SHOT_WORDS = {
    KNOCKED_OVER: "a shot knocks its figure over",
    HIT: "it hits, and the figure stands",
    "direct": "a shot hits directly",
    "bounced": "it hits after a bounce",
    "": "it does nothing",
}


def volley(
    missile: Annotated[
        Literal["bow", "crossbow", "spear", "small_catapult", "big_catapult"], "Weapon."
    ],
    law: RollLaw,
    range_in: Annotated[float, "Distance of the target, in inches."] = 24.0,
    shots: Annotated[int, "Shots, each at a figure of its own, 1 to 60."] = 1,
    body: Annotated[str, "foot, rider or dog; foot:wall2 is behind a wall of two bricks."] = "foot",
    side: Annotated[
        Literal["front", "side", "rear"], "Side that the target turns to the shooter."
    ] = "front",
    indirect: Annotated[
        bool, "Over a wall that hides the target, with more scatter; catapults only."
    ] = False,
) -> OddsReport:
    """Compute several shots at single targets (MF Projectiles).

    The result is the number of targets that are eliminated. The law of the missile counts in millionths; `brickphys
    shoot` prints its errors. With --indirect the scatter is larger, but the wall itself stops nothing: the odds of a
    shot in a battle count it.

    Example: brickphys odds minifig volley bow --range-in 24 --shots 6
    """
    if missile not in sheets.charts().missiles:
        raise unknown("missile", missile, sheets.charts().missiles)
    if indirect and sheets.charts().missiles[missile].indirect is None:
        able = ", ".join(name for name, row in sheets.charts().missiles.items() if row.indirect)
        raise InvalidValueError(f"--indirect: a {spoken(missile)} throws over no wall: {able}")
    if not 1 <= shots <= MOST_SHOTS:
        raise InvalidValueError(f"shots: {shots} is outside 1..{MOST_SHOTS}")
    shares = shot_shares(missile, range_in, body, side, is_hidden=indirect)
    kill = elimination(missile, shares, law)
    chances = {SHOT_WORDS[hit.partition(" ")[2]]: p for hit, p in shares}
    title = (
        f"{counted(shots, 'shot')} of a {spoken(missile)} at {body}, {range_in:g} in away, {side}"
        f"{', over a wall that hides it' * indirect}"
    )
    return OddsReport(
        title,
        {**chances, "a shot eliminates": kill, "any of them eliminates": 1 - (1 - kill) ** shots},
        {"figures that are eliminated": Distribution.binomial(shots, kill)},
    )


@lru_cache(maxsize=256)
def shot_shares(
    missile: str,
    range_in: float,
    body: str = "foot",
    side: str = "front",
    *,
    is_hidden: bool = False,
) -> tuple[tuple[str, Fraction], ...]:
    """Return the outcomes of a shot at a figure that stands alone, with their probabilities.

    InvalidValueError if the missile does not reach so far, or there is no such body.
    """
    check_range(sheets.charts().missiles[missile].weapon, range_in * sheets.INCH_MM)
    weights = alone(missile, body, Side(side), range_in * sheets.INCH_MM, FINE, is_hidden=is_hidden)
    return tuple((hit, Fraction(weight, TOTAL)) for hit, weight in weights)


def elimination(missile: str, shares: Iterable[tuple[str, Fraction]], law: RollLaw) -> Fraction:
    """Return the chance that a shot eliminates its figure, by `shot_shares` and the bricks after a hit."""
    return sum((p * _falls(missile, hit, law) for hit, p in shares), Fraction(0))


def _falls(missile: str, hit: str, law: RollLaw) -> Fraction:
    """Return the chance that an outcome eliminates its figure: one brick or more lies on its side."""
    bricks = bricks_of(missile, hit.partition(" ")[2])
    return Fraction(1) if bricks == inf else 1 - law.roll(int(bricks)).probability(0)


ELIMINATED = "the defender is eliminated"
_WALL = ":wall2"
ATTACKERS = (
    "peasant",
    "peasant,club",
    "dog",
    "soldier,bow",
    "soldier,sword",
    "soldier,sword,rear",
    "soldier,spear,mounted",
)
DEFENDERS = (
    "peasant",
    "soldier,shield",
    "soldier,shield,helmet",
    "soldier,shield,helmet,plate",
    "soldier,shield,helmet,mounted",
    "soldier,shield,helmet,wall",
)


def attack(
    attacker: Annotated[str, "Who attacks."],
    defender: Annotated[str, "Who is attacked."],
    law: RollLaw,
    experience_bricks: Annotated[bool, "Experience adds bricks, not points."] = False,
    range: Annotated[float | None, "Distance in inches; then only shots count."] = None,  # noqa: A002
    cover: Annotated[bool, "The target of a shot is behind a wall of two bricks."] = False,
) -> OddsReport:
    """Compute a hand-to-hand attack, or a shot with --range.

    Write a figure as its kind (soldier, peasant, dog) and, separated by commas, the words that count: what it wears
    and holds (sword, axe, spear, club, bow, crossbow, shield, helmet, armour, plate), how it stands (mounted; wall for
    a fight over a wall; downward or rear for an attacker; higher for a defender), and the colour of its base, for its
    experience (MF Resolving Combat).

    For shots, the target stands alone and shows its front; what it wears does not count (MF Projectiles).

    Example: brickphys odds minifig attack soldier,sword,rear,yellow soldier,shield,helmet
    """
    one, other = _pair(attacker, defender, experience_bricks)
    if range is not None:
        if experience_bricks:
            raise InvalidValueError(
                "--experience-bricks changes hand-to-hand fights only: leave out --range"
            )
        return _shot(one, other, range, law, cover=cover)
    if cover:
        raise InvalidValueError(
            "--cover changes shots only: give --range, or write a fight over a wall as soldier,wall"
        )
    roll = one.total, other.total, law, one.points - other.points
    result = opposed(*roll)
    laws = {
        f"score of the {name}": law.roll(side.total).map(partial(add, side.points))
        for name, side in (("attack", one), ("defence", other))
    }
    return OddsReport(
        f"{one.words}, against {other.words}",
        {ELIMINATED: result.success, "the defender survives": 1 - result.success},
        laws,
        {ELIMINATED: success_doubts(*roll)},
        bricks=(one.total, other.total),
    )


def _shot(
    one: sheets.Fighter, other: sheets.Fighter, range_in: float, law: RollLaw, *, cover: bool
) -> OddsReport:
    """Compute the best shot of a figure at another one (MF Projectiles)."""
    missiles = list(dict.fromkeys(arm.missile for arm in one.arms if arm.missile))
    if not missiles:
        armed = ", ".join(arm.name for arm in sheets.charts().arms.values() if arm.missile)
        shoots = any(arm.missile for arm in other.arms)
        hint = swap_hint(one.text, other.text, shoots=shoots)
        raise InvalidValueError(
            f"{one.text} has no weapon that shoots: {armed} (MF Projectiles){hint}"
        )
    body = f"{sheets.RIDER if sheets.MOUNTED in other.places else other.kind.body}{_WALL * cover}"
    shares = {missile: shot_shares(missile, range_in, body) for missile in missiles}
    kills = {missile: elimination(missile, of, law) for missile, of in shares.items()}
    best = max(kills, key=lambda missile: kills[missile])
    behind = " behind a wall of two bricks" if cover else ""
    return OddsReport(
        f"{one.text} at {other.text}{behind}, {range_in:g} in away: a {spoken(best)}, "
        f"{counted(sheets.charts().missiles[best].bricks, 'brick')} after a hit that knocks nobody over",
        {
            ELIMINATED: kills[best],
            "the defender survives": 1 - kills[best],
            **{SHOT_WORDS[hit.partition(" ")[2]]: chance for hit, chance in shares[best]},
        },
    )


def table(
    law: RollLaw,
    attackers: Annotated[tuple[str, ...], "Who attacks; give it once for each."] = ATTACKERS,
    defenders: Annotated[tuple[str, ...], "Who is attacked; give it once for each."] = DEFENDERS,
    experience_bricks: Annotated[bool, "Experience adds bricks, not points."] = False,
) -> OddsReport:
    """Compute a table of hand-to-hand attacks (MF Resolving Combat).

    Figures are written as those of ``attack``.

    Example: brickphys odds minifig table --attackers soldier,sword --attackers dog --defenders peasant
    """
    pairs = [[_pair(one, other, experience_bricks) for other in defenders] for one in attackers]
    chances = tuple(
        tuple(
            opposed(one.total, other.total, law, one.points - other.points).success
            for one, other in row
        )
        for row in pairs
    )
    title = "rows: attackers; columns: defenders; chance that the defender is eliminated"
    return OddsReport(title, table=OddsTable(attackers, defenders, chances))


def _pair(
    attacker: str, defender: str, experience_bricks: bool
) -> tuple[sheets.Fighter, sheets.Fighter]:
    """Return both figures of a fight; InvalidValueError if they cannot stand so."""
    one = sheets.fighter(attacker, sheets.ATTACK, experience_bricks=experience_bricks)
    other = sheets.fighter(defender, sheets.DEFENCE, experience_bricks=experience_bricks)
    if one.places | other.places >= {sheets.DOWNWARD, sheets.HIGHER}:
        raise InvalidValueError(
            f"{attacker} against {defender}: only one of them can stand higher (MF Resolving Combat)"
        )
    return one, other


ODDS: Mapping[str, Callable[..., OddsReport]] = {"attack": attack, "table": table, "volley": volley}
CARD_WORDS = CardWords(
    "Is the defender eliminated?",
    mean="",
    remarks=("A tie survives. Column 0: also the bricks after a hit by a shot.",),
)
"""The words of the game's card of odds."""
