"""Army list: the ships and minifigs of a player of Pirate Wars with their weapons, as a page to print shows them."""

from collections import Counter
from collections.abc import Iterator, Sequence

from brickphys.errors import unknown
from brickphys.odds.distribution import Distribution
from brickphys.pirate_wars.odds.attack import ROLES
from brickphys.pirate_wars.odds.cannons import bearing, hit_chance
from brickphys.pirate_wars.report.sheets import ship_plan
from brickphys.pirate_wars.scenario_report import scenario_report
from brickphys.pirate_wars.setup.scenario_file import SCENARIOS
from brickphys.pirate_wars.sheets.catalogue import ships
from brickphys.pirate_wars.sheets.minifigs import Ammunition, Role, WeaponSheet, minifigs
from brickphys.pirate_wars.sheets.ship_sheet import Gun, ShipSheet
from brickphys.rules.report.army import (
    ArmyList,
    ArmyUnit,
    Attack,
    Footprint,
    OddsColumns,
    known_chances,
)
from brickphys.rules.report.army_words import chosen_army, named_units, setup_in
from brickphys.text import counted
from brickphys.units import STUD_MM

_MOST_HITS = 6
_COLUMNS = OddsColumns(
    "chance in % of at least this many hits; distances in studs",
    "% for at least this many hits",
    tuple(f"{hits}+" for hits in range(1, _MOST_HITS + 1)),
    "dice",
)
_NOTES = (
    "The book gives the length of each ship (PW, Ship Data Chart). It has no plans: widths, outlines and places of "
    "cannons are this game's own.",
)
_Crew = Counter[tuple[Role, bool]]
"""Minifigs by their role, and whether they are women."""


def army_list(words: Sequence[str], name: str | None = None) -> ArmyList:
    """Return an army; see `brickphys.rules.report.parts.Parts.army`.

    A ship that is named comes with its full crew. Roles that are named are on top of that.
    """
    setup = setup_in(words, SCENARIOS)
    if setup is not None:
        return _army_of_setup(setup, name)
    fleet, crew = Counter[ShipSheet](), _Crew()
    for word, count in named_units(words, name).items():
        if word in ROLES:
            crew[ROLES[word], False] += count
        elif word in ships():
            fleet[ships()[word]] += count
            for role, hands in ships()[word].full_crew.items():
                crew[role, False] += hands * count
        else:
            raise unknown("ship or minifig", word, [*ships(), *ROLES])
    return _listed("army", fleet, crew)


def _army_of_setup(source: str, name: str | None) -> ArmyList:
    """Return the fleet of a player of a setup."""
    setting = scenario_report(source).state.setting
    fleet_name = chosen_army(source, setting.players, name)
    player = setting.players.index(fleet_name)
    fleet = Counter(spec.sheet for spec in setting.ships if spec.player == player)
    mine = [minifig for minifig in setting.minifigs if minifig.player == player]
    return _listed(fleet_name, fleet, _Crew((one.role, one.is_woman) for one in mine))


def _listed(name: str, fleet: Counter[ShipSheet], crew: _Crew) -> ArmyList:
    units = [_ship(sheet, count) for sheet, count in fleet.items()]
    order = sorted(crew.items(), key=lambda one: (list(Role).index(one[0][0]), one[0][1]))
    units += [_minifigs(role, count, is_woman=woman) for (role, woman), count in order if count]
    return ArmyList(name, tuple(units), _COLUMNS, _NOTES if fleet else ())


def _ship(sheet: ShipSheet, count: int) -> ArmyUnit:
    plan = ship_plan(sheet)
    hull = tuple((STUD_MM * x, STUD_MM * y) for x, y in sheet.hull.vertices_studs.tolist())
    size_mm = STUD_MM * sheet.length_studs, STUD_MM * sheet.width_studs
    return ArmyUnit(
        sheet.name,
        count,
        tuple(_cannon_attacks(sheet.guns)),
        plan,
        Footprint(size_mm, outline_mm=hull),
        gear=f"{counted(len(sheet.guns), 'cannon')}; damage chart, the topmost line on the left",
        numbers=tuple(plan.numbers()),
        title=sheet.title,
    )


def _cannon_attacks(guns: Sequence[Gun]) -> Iterator[Attack]:
    """Yield the fire of all cannons that bear over one side together, with ball and with shot (PW Firing)."""
    for (where, is_light), count in bearing(guns).items():
        for ammunition in Ammunition:
            cannon = minifigs().cannons[is_light, ammunition]
            kind = "light cannon" if is_light else "cannon"
            words = f"{counted(count, kind)} over {where}, {ammunition.value}"
            yield _attack(words, cannon, count * cannon.dice, cannon.target or 0)


def _minifigs(role: Role, count: int, *, is_woman: bool) -> ArmyUnit:
    charts = minifigs()
    sheet = charts.roles[role]
    attack = sheet.attack + charts.woman_bonus * is_woman
    weapon = charts.woman_weapon if is_woman else sheet.weapon
    tasks = _tasks(sails=sheet.sails, reloads=sheet.reloads_cannons)
    gear = f"Melee {sheet.melee}, Attack {attack}; {tasks}"
    attacks: tuple[Attack, ...] = ()
    if weapon is not None:
        always = ", always loaded" * is_woman
        attacks = (_attack(f"{weapon}{always}", charts.weapons[weapon], 1, attack),)
    name = f"{role.value}{' (woman)' * is_woman}"
    return ArmyUnit(name, count, attacks, gear=gear)


def _tasks(*, sails: bool, reloads: bool) -> str:
    does = ["sails"] * sails + ["reloads cannons"] * reloads
    return ", ".join(does) or "neither sails nor reloads cannons"


def _attack(words: str, weapon: WeaponSheet, dice: int, target: int) -> Attack:
    """Return an attack with dice, each of which hits with a face up to the target number (PW Introduction)."""
    distance_mm = weapon.range_studs * STUD_MM
    distance = f"to {weapon.range_studs:g} ({distance_mm / 10:.1f} cm)"
    law = Distribution.binomial(dice, hit_chance(target))
    hits = range(1, min(dice, _MOST_HITS) + 1)
    return Attack(
        words, distance, distance_mm, dice, known_chances([law.at_least(one) for one in hits])
    )
