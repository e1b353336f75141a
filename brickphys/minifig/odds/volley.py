"""Volley: the odds of shots at figures that stand alone (MF Projectiles)."""

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from math import inf
from typing import Annotated, Literal

from brickphys.errors import InvalidValueError, unknown
from brickphys.minifig.actions.shot_law import HIT, KNOCKED_OVER, TOTAL, alone, bricks_of
from brickphys.minifig.sheets.charts import INCH_MM, charts
from brickphys.odds.distribution import Distribution
from brickphys.odds.law import RollLaw
from brickphys.projectiles.aim.fan import FINE
from brickphys.projectiles.aim.sight import check_range
from brickphys.projectiles.bodies.silhouette import Side
from brickphys.rules.report.odds_report import OddsReport
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
    if missile not in charts().missiles:
        raise unknown("missile", missile, charts().missiles)
    if indirect and charts().missiles[missile].indirect is None:
        able = ", ".join(name for name, row in charts().missiles.items() if row.indirect)
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

    Raises
    ------
    InvalidValueError
        If the missile does not reach so far, or there is no such body.
    """
    check_range(charts().missiles[missile].weapon, range_in * INCH_MM)
    weights = alone(missile, body, Side(side), range_in * INCH_MM, FINE, is_hidden=is_hidden)
    return tuple((hit, Fraction(weight, TOTAL)) for hit, weight in weights)


def elimination(missile: str, shares: Iterable[tuple[str, Fraction]], law: RollLaw) -> Fraction:
    """Return the chance that a shot eliminates its figure, by `shot_shares` and the bricks after a hit."""
    return sum((p * _falls(missile, hit, law) for hit, p in shares), Fraction(0))


def _falls(missile: str, hit: str, law: RollLaw) -> Fraction:
    """Return the chance that an outcome eliminates its figure: one brick or more lies on its side."""
    bricks = bricks_of(missile, hit.partition(" ")[2])
    return Fraction(1) if bricks == inf else 1 - law.roll(int(bricks)).probability(0)
