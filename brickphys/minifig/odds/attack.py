"""Attack: the odds of an attack in hand-to-hand, and of all pairs of several figures (MF Resolving Combat)."""

from functools import partial
from operator import add
from typing import Annotated

from brickphys.errors import InvalidValueError
from brickphys.minifig.sheets.fighter import ATTACK, DEFENCE, DOWNWARD, HIGHER, Fighter, fighter
from brickphys.odds.law import RollLaw
from brickphys.odds.opposed import opposed, success_doubts
from brickphys.rules.report.odds_report import OddsReport, OddsTable

ELIMINATED = "the defender is eliminated"
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
) -> OddsReport:
    """Tell whether an attack in hand-to-hand eliminates the defender (MF Resolving Combat).

    A figure is its kind (soldier, peasant, dog), then what else counts, with commas between: what it wears and holds
    (sword, axe, spear, club, bow, crossbow, shield, helmet, armour, plate), how it stands (mounted; wall: they fight
    over one; an attacker downward or rear; a defender higher), and the colour of its base, for its experience.

    Example: brickphys odds minifig attack soldier,sword,rear,yellow soldier,shield,helmet
    """
    one, other = _pair(attacker, defender, experience_bricks)
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
    )


def table(
    law: RollLaw,
    attackers: Annotated[tuple[str, ...], "Who attacks; give it once for each."] = ATTACKERS,
    defenders: Annotated[tuple[str, ...], "Who is attacked; give it once for each."] = DEFENDERS,
    experience_bricks: Annotated[bool, "Experience adds bricks, not points."] = False,
) -> OddsReport:
    """Tell how likely each of several attackers eliminates each of several defenders (MF Resolving Combat).

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
    title = "attackers at the left against defenders at the top: the defender is eliminated"
    return OddsReport(title, table=OddsTable(attackers, defenders, chances))


def _pair(attacker: str, defender: str, experience_bricks: bool) -> tuple[Fighter, Fighter]:
    """Return both figures of a fight; InvalidValueError if they cannot stand so."""
    one = fighter(attacker, ATTACK, experience_bricks=experience_bricks)
    other = fighter(defender, DEFENCE, experience_bricks=experience_bricks)
    if one.places | other.places >= {DOWNWARD, HIGHER}:
        raise InvalidValueError(
            f"{attacker} against {defender}: only one of them stands higher (MF Resolving Combat)"
        )
    return one, other
