"""Attack: the odds of one ship against another, or of one minifig against another, by their names (PW Tasks)."""

from typing import Annotated, Literal

from brickphys.errors import InvalidValueError, unknown
from brickphys.pirate_wars.odds.board import board
from brickphys.pirate_wars.odds.broadside import broadside
from brickphys.pirate_wars.odds.cannons import bearing, hit_chance
from brickphys.pirate_wars.sheets.catalogue import ship, ships
from brickphys.pirate_wars.sheets.minifigs import Ammunition, Role, WeaponSheet, minifigs
from brickphys.rules.report.odds_report import OddsReport, swap_hint
from brickphys.text import counted

ROLES = {role.value: role for role in Role}


def attack(
    attacker: Annotated[str, "Who attacks: a ship, or a minifig such as marine."],
    defender: Annotated[str, "Who is attacked: a ship, or a minifig."],
    range: Annotated[float | None, "Distance in studs; then only shots count."] = None,  # noqa: A002
    cover: Annotated[bool, "The target is in a cabin or on the gun deck."] = False,
    ammunition: Annotated[Literal["ball", "shot"], "Ammunition of the cannons."] = "ball",
    raking: Annotated[bool, "Fire from dead ahead or astern, where shot counts twice."] = False,
) -> OddsReport:
    """Compute a boarding, or shots with --range (PW Boarding).

    Ships have their full crews. With --range, a ship fires all cannons of its stronger side (PW Firing).

    Example: brickphys odds pirate_wars attack black_pearl imperial_flagship --range 8
    """
    for name in (attacker, defender):
        if name not in ships() and name not in ROLES:
            raise unknown("ship or minifig", name, [*ships(), *ROLES])
    by_ship = attacker in ships()
    if by_ship != (defender in ships()):
        raise InvalidValueError(
            f"{attacker} and {defender}: name two ships or two minifigs; a ship and a minifig have no roll (PW Tasks)"
        )
    if by_ship and cover:
        raise InvalidValueError(f"--cover: {defender} is a ship, which has no cover (PW Firing)")
    kind = Ammunition(ammunition)
    if not by_ship and (raking or kind is not Ammunition.BALL):
        raise InvalidValueError(
            "--ammunition and --raking apply to cannons: name ships (PW Firing)"
        )
    if range is None:
        if cover or raking or kind is not Ammunition.BALL:
            raise InvalidValueError(
                "--cover, --ammunition and --raking change shots only: give --range (PW Firing)"
            )
        return board(_crew(attacker), _crew(defender))
    if not range >= 0.0:
        raise InvalidValueError(f"--range: {range:g} is below 0")
    if by_ship:
        return _cannons(attacker, defender, range, kind, raking=raking)
    return _shot(attacker, defender, range, cover=cover)


def _crew(name: str) -> str:
    """Return a ship or a minifig as the odds of boardings name crews."""
    return name if name in ships() else f"{name}=1"


def _cannons(
    attacker: str, defender: str, range_studs: float, ammunition: Ammunition, *, raking: bool
) -> OddsReport:
    """Compute the cannons of the stronger side of a ship."""
    (_, is_light), count = next(iter(bearing(ship(attacker).guns).items()))
    kind = f"a cannon with {ammunition.value}"
    _check_range(kind, minifigs().cannons[is_light, ammunition], range_studs)
    return broadside(count, ammunition.value, defender, light=is_light, raking=raking)


def _shot(attacker: str, defender: str, range_studs: float, *, cover: bool) -> OddsReport:
    """Compute a shot of a musket or pistol."""
    sheet = minifigs().roles[ROLES[attacker]]
    if sheet.weapon is None:
        armed = ", ".join(name for name, role in ROLES.items() if minifigs().roles[role].weapon)
        shoots = minifigs().roles[ROLES[defender]].weapon is not None
        hint = swap_hint(attacker, defender, shoots=shoots)
        raise InvalidValueError(
            f"a {attacker} has no weapon that shoots; these have: {armed} (PW Firing){hint}"
        )
    weapon = minifigs().weapons[sheet.weapon]
    _check_range(f"a {sheet.weapon}", weapon, range_studs)
    hits = hit_chance(0 if cover else sheet.attack)  # who is not seen is not hit
    where = " below deck" if cover else ""
    return OddsReport(
        f"{attacker} with a {sheet.weapon}, {counted(weapon.dice, 'die', 'dice')}, "
        f"target number {sheet.attack}, against a {defender}{where}",
        {"the shot hits": hits, "it misses": 1 - hits},
    )


def _check_range(what: str, weapon: WeaponSheet, range_studs: float) -> None:
    if range_studs > weapon.range_studs:
        raise InvalidValueError(
            f"--range: {range_studs:g} is beyond the range of {what}, {weapon.range_studs:g} studs (PW Firing)"
        )
