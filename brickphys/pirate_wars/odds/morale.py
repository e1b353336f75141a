"""Morale: the odds of a test of morale (PW Morale)."""

from fractions import Fraction
from typing import Annotated, Literal

from brickphys.errors import InvalidValueError
from brickphys.pirate_wars.state.state import MoraleCause
from brickphys.pirate_wars.turns.morale import gravest, held_by, is_passed, target_number
from brickphys.rules.report.odds_report import OddsReport
from brickphys.text import spoken

_FACES = range(1, 7)
_MOST_ATTACK = 6


def morale(
    attack: Annotated[int, "The highest Attack of the crew aboard: 5 with a captain."] = 5,
    cause: Annotated[
        tuple[Literal["adrift", "boarding", "captain", "half_crew"], ...],
        "Cause of the test; give it several times for several causes.",
    ] = ("boarding",),
) -> OddsReport:
    """Compute a test of morale and its effects (PW, Morale Chart)."""
    if not 1 <= attack <= _MOST_ATTACK:
        raise InvalidValueError(
            f"attack: {attack} is outside 1..{_MOST_ATTACK} (PW, Minifig Chart)"
        )
    if not cause:
        raise InvalidValueError(
            "cause: give one, since a crew is tested only for a cause (PW Morale)"
        )
    causes = [each for each in MoraleCause if each.value in cause]
    target = target_number(attack, causes)
    holds = Fraction(sum(is_passed(face, target) for face in _FACES), len(_FACES))
    effect = " or ".join(each.value for each in gravest(causes))
    words = ", ".join(spoken(each.value) for each in causes)
    title = f"Attack {attack}, {words}: {held_by(target)}"
    return OddsReport(title, {"the crew holds": holds, effect: 1 - holds})
