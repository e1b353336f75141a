"""Odds: an attack by the sheets of both sides, all pairs of several, two attacks compared (BOW 2.4.2, 2.4.3, 3.1)."""

from collections.abc import Callable, Mapping
from typing import Annotated

from brickphys.bow.actions.targets import WeaponInUse, bricks_lost, hand_weapons
from brickphys.bow.sheets.catalogue import catalogue, read_library
from brickphys.bow.sheets.rulebook import COVER_BRICKS
from brickphys.bow.sheets.sheet import MinifigSheet, VehicleSheet
from brickphys.errors import InvalidValueError, unknown
from brickphys.odds.comparison import MOST_ATTACKS, SUCCESS, turn_chances
from brickphys.odds.law import RollLaw
from brickphys.odds.opposed import kill_after, opposed, success_doubts
from brickphys.rules.report.parts import OddsReport, OddsTable, swap_hint
from brickphys.rules.setup import lookup
from brickphys.text import counted

Sheet = MinifigSheet | VehicleSheet
HIT, ONE_HIT = "the attack succeeds", "one attack succeeds"
_COVER_HELPS = "--cover helps against shots only (BOW 2.4.2)"
_FARTHEST_STUDS = 1000.0
UNITS = ("trooper", "knight", "archer", "droid", "wizard", "jedi")

WeaponName = Annotated[str | None, "Weapon of the attack; default: the one with the most bricks."]
Range = Annotated[float | None, "Studs between the heads; then only shots count."]
Cover = Annotated[bool, "The target has cover; it helps against shots only."]


def attack(
    attacker: Annotated[str, "Who attacks."],
    defender: Annotated[str, "Who is attacked."],
    law: RollLaw,
    weapon: WeaponName = None,
    range: Range = None,  # noqa: A002  the name of the option
    cover: Cover = False,
    attacks: Annotated[int, "Attacks in one turn."] = 1,
) -> OddsReport:
    """Compute an attack: success, damage, kill (BOW 2.4.2, 2.4.3).

    Units and vehicles are those of the shipped sheets (brickphys sheet bow), with all that they hold. Write a unit of
    your own as its file, mine.toml, or as mine.toml,gladiator if the file has several.

    Example: brickphys odds bow attack knight archer --attacks 2
    """
    if not 1 <= attacks <= MOST_ATTACKS:
        raise InvalidValueError(f"--attacks {attacks} is outside 1..{MOST_ATTACKS}")
    one, other = _unit(attacker), _sheet(defender)
    if range is not None and weapon is None and not _shots(one) and isinstance(other, MinifigSheet):
        hint = swap_hint(attacker, defender, shoots=bool(_shots(other)))
        raise InvalidValueError(f"{one.name} has no weapon that shoots{hint}")
    way = _way(one, weapon, range)
    if cover:
        _check_cover(one, way)
    roll = _bricks(way, other, range, cover)
    result = opposed(*roll, law)
    kills = kill_after([roll] * attacks, other.health, law)
    far = "" if range is None else f" over {range:g} studs"
    behind = " with cover" if cover else ""
    title = (
        f"{one.name} ({way.name}), {counted(roll[0], 'brick')}{far}, against {other.name}{behind}, "
        f"{counted(roll[1], 'brick')} and {other.health} health"
    )
    if attacks > 1:
        title += f", {counted(attacks, 'attack')}"
    turn = turn_chances(title, roll, law, health=other.health, attacks=attacks)
    chances, laws = {HIT: result.success}, {"damage": result.damage}
    if attacks > 1:
        chances = {ONE_HIT: result.success, SUCCESS: turn.events[SUCCESS]}
        laws = {"damage of one attack": result.damage, **turn.numbers}
    for number, chance in enumerate(kills, start=1):
        after = "" if attacks == 1 else f" after attack {number}"
        chances[f"{other.name} is dead{after}"] = chance
    doubts = {next(iter(chances)): success_doubts(*roll, law)}
    return OddsReport(title, chances, laws, doubts, turn=turn, bricks=roll)


def table(
    law: RollLaw,
    attackers: Annotated[tuple[str, ...], "Who attacks; give it once for each."] = UNITS,
    defenders: Annotated[tuple[str, ...], "Who is attacked; give it once for each."] = UNITS,
    range: Range = None,  # noqa: A002
    cover: Cover = False,
    kill: Annotated[bool, "Show the chance that one attack kills, not that it succeeds."] = False,
) -> OddsReport:
    """Compute a table of attacks between units (BOW 2.4.2).

    Each attacker uses the weapon with the most bricks.

    Example: brickphys odds bow table --attackers knight --attackers archer --defenders wizard
    """
    ways = [_way(_unit(name), None, range) for name in attackers]
    if cover and not any(way.is_shot for way in ways):
        raise InvalidValueError(f"{_COVER_HELPS}, and none of these attackers shoots")
    chances = []
    for way in ways:
        row = []
        for other in map(_sheet, defenders):
            result = opposed(*_bricks(way, other, range, cover), law)
            row.append(result.damage.at_least(other.health) if kill else result.success)
        chances.append(tuple(row))
    what = "one attack kills" if kill else "the attack succeeds"
    title = f"rows: attackers; columns: defenders; chance that {what}"
    return OddsReport(title, table=OddsTable(attackers, defenders, tuple(chances)))


def _sheet(words: str) -> Sheet:
    """Return a sheet that ships, or one of a file: ``mine.toml,gladiator``, or ``mine.toml`` if it has no other."""
    file, _, name = words.partition(",")
    if not file.endswith(".toml"):
        return lookup("unit or vehicle", words, catalogue().sheets)
    own = read_library(file, catalogue()).sheets
    if name:
        return lookup(f"unit or vehicle of {file}", name, own)
    if len(own) != 1:
        names = ", ".join(own) or "no units"
        raise InvalidValueError(f"{file} has {names}: name one of them after a comma: {file},NAME")
    return next(iter(own.values()))


def _unit(name: str) -> MinifigSheet:
    sheet = _sheet(name)
    if not isinstance(sheet, MinifigSheet):
        raise InvalidValueError(
            f"{sheet.name} is a vehicle: name a member of its crew, who attacks (BOW 3.4)"
        )
    return sheet


def _way(sheet: MinifigSheet, weapon: str | None, range_studs: float | None) -> WeaponInUse:
    """Return the weapon of a name, or the one with the most bricks; only shots go over a range."""
    ways = {way.name: way for way in hand_weapons(sheet)}
    if weapon is not None:
        if weapon not in ways:
            raise unknown(f"weapon of {sheet.name}", weapon, ways)
        if range_studs is not None and not ways[weapon].is_shot:
            raise InvalidValueError(f"--range is for shots only, and {weapon} does not shoot")
        return ways[weapon]
    able = [way for way in ways.values() if way.is_shot or range_studs is None]
    if not able:
        raise InvalidValueError(f"{sheet.name} has no weapon that shoots")
    return max(able, key=lambda way: way.bricks)


def _shots(sheet: MinifigSheet) -> list[WeaponInUse]:
    return [way for way in hand_weapons(sheet) if way.is_shot]


def _check_cover(sheet: MinifigSheet, way: WeaponInUse) -> None:
    """Raise InvalidValueError if cover does not help against a way to attack, with the shot that may be meant."""
    if way.is_shot:
        return
    shots = _shots(sheet)
    meant = f"; for the {shots[0].name}, give --range" if shots else ""
    raise InvalidValueError(f"{_COVER_HELPS}, and {sheet.name} attacks with {way.name}{meant}")


def _bricks(
    way: WeaponInUse, other: Sheet, range_studs: float | None, cover: bool
) -> tuple[int, int]:
    """Return the bricks of the attack and of the defence (BOW 2.4.2)."""
    if range_studs is not None and not 0 <= range_studs <= _FARTHEST_STUDS:
        raise InvalidValueError(f"--range {range_studs:g} is outside 0 to {_FARTHEST_STUDS:g}")
    lost = 0 if range_studs is None else bricks_lost(range_studs)
    if way.is_shot and way.bricks <= lost:
        raise InvalidValueError(
            f"{way.name}: the distance costs {lost} of its {way.bricks} bricks, so none is left (BOW 2.4.2)"
        )
    defence = other.dodge_armor if isinstance(other, MinifigSheet) else other.armor
    return way.bricks - lost, defence + COVER_BRICKS * (cover and way.is_shot)


ODDS: Mapping[str, Callable[..., OddsReport]] = {"attack": attack, "table": table}
"""What the command `odds` offers for this game."""
