"""Attack: the odds of an attack in hand-to-hand, and of all pairs of several figures (MF Resolving Combat)."""

from functools import partial
from operator import add
from typing import Annotated

from brickphys.errors import InvalidValueError
from brickphys.minifig.odds.volley import SHOT_WORDS, elimination, shot_shares
from brickphys.minifig.sheets.bricks import MOUNTED
from brickphys.minifig.sheets.charts import RIDER, charts
from brickphys.minifig.sheets.fighter import ATTACK, DEFENCE, DOWNWARD, HIGHER, Fighter, fighter
from brickphys.odds.law import RollLaw
from brickphys.odds.opposed import opposed, success_doubts
from brickphys.rules.report.odds_report import OddsReport, OddsTable, swap_hint
from brickphys.text import counted, spoken

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
    one: Fighter, other: Fighter, range_in: float, law: RollLaw, *, cover: bool
) -> OddsReport:
    """Compute the best shot of a figure at another one (MF Projectiles)."""
    missiles = list(dict.fromkeys(arm.missile for arm in one.arms if arm.missile))
    if not missiles:
        armed = ", ".join(arm.name for arm in charts().arms.values() if arm.missile)
        shoots = any(arm.missile for arm in other.arms)
        hint = swap_hint(one.text, other.text, shoots=shoots)
        raise InvalidValueError(
            f"{one.text} has no weapon that shoots: {armed} (MF Projectiles){hint}"
        )
    body = f"{RIDER if MOUNTED in other.places else other.kind.body}{_WALL * cover}"
    shares = {missile: shot_shares(missile, range_in, body) for missile in missiles}
    kills = {missile: elimination(missile, of, law) for missile, of in shares.items()}
    best = max(kills, key=lambda missile: kills[missile])
    behind = " behind a wall of two bricks" if cover else ""
    return OddsReport(
        f"{one.text} at {other.text}{behind}, {range_in:g} in away: a {spoken(best)}, "
        f"{counted(charts().missiles[best].bricks, 'brick')} after a hit that knocks nobody over",
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


def _pair(attacker: str, defender: str, experience_bricks: bool) -> tuple[Fighter, Fighter]:
    """Return both figures of a fight; InvalidValueError if they cannot stand so."""
    one = fighter(attacker, ATTACK, experience_bricks=experience_bricks)
    other = fighter(defender, DEFENCE, experience_bricks=experience_bricks)
    if one.places | other.places >= {DOWNWARD, HIGHER}:
        raise InvalidValueError(
            f"{attacker} against {defender}: only one of them can stand higher (MF Resolving Combat)"
        )
    return one, other
