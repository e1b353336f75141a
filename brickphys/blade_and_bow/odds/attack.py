"""Attack: the odds of a melee, or over a range of a volley, by two names of units (BB 8.0, 9.4)."""

from typing import Annotated

from brickphys.blade_and_bow.odds.melee import melee
from brickphys.blade_and_bow.odds.missile import missile
from brickphys.blade_and_bow.odds.stage import fighter, party
from brickphys.errors import InvalidValueError
from brickphys.rules.report.odds_report import OddsReport
from brickphys.text import spoken

_COVER = "woods"
_MORALE = 3


def attack(
    attackers: Annotated[str, "Attackers, joined by +; 2*spears means two units."],
    target: Annotated[str, "Who is attacked."],
    range: Annotated[int | None, "Distance in points; then only missiles count."] = None,  # noqa: A002
    cover: Annotated[
        bool, "The target is in woods. Write a unit in a town as hoplite,town."
    ] = False,
    attacker_morale: Annotated[
        int, "Command value of the attacker's commander, 1 to 5; for a melee only."
    ] = _MORALE,
    target_morale: Annotated[int, "Command value of the target's commander, 1 to 5."] = _MORALE,
) -> OddsReport:
    """Compute a melee, or a volley with --range (BB 8.5, 9.4).

    Write units as for ``melee``. The lead is the attacker whose faces count, who takes the first hit, and who advances.

    Example: brickphys odds blade_and_bow attack archers hoplite,ranks=1 --range 4 --cover
    """
    if range is None:
        if cover:
            raise InvalidValueError("--cover applies to missiles only: give --range (BB 8.5)")
        return melee(
            attackers, target, attacker_morale=attacker_morale, target_morale=target_morale
        )
    if attacker_morale != _MORALE:
        raise InvalidValueError(
            "--attacker-morale applies to melees only: leave out --range (BB 8.5)"
        )
    if range < 0:
        raise InvalidValueError(f"--range: {range} is below 0")
    for one in party(attackers):
        reach = one.counter.good.missile_range
        if one.counter.good.missile_dice and range > reach:
            raise InvalidValueError(
                f"--range: {range} is beyond the missiles of {spoken(one.counter.name)}, whose range is "
                f"{reach} points (BB 8.2)"
            )
    struck = f"{target},{_COVER}" if cover and fighter(target).terrain != _COVER else target
    return missile(attackers, struck, target_morale=target_morale)
