"""Army: the sheets of ships, and the ships and minifigs of a player with their weapons, as a page to print shows them.

A sheet has numbers, crew, guns, the damage chart and the ship from above.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from brickphys.errors import InvalidValueError, unknown
from brickphys.odds.distribution import Distribution
from brickphys.pirate_wars import sheets
from brickphys.pirate_wars.odds import bearing, hit_chance
from brickphys.pirate_wars.scenario import SCENARIOS, scenario_report
from brickphys.pirate_wars.setting import Minifig
from brickphys.rules.report.sheets import (
    ArmyList,
    ArmyUnit,
    Attack,
    Footprint,
    OddsColumns,
    Paint,
    Sheet,
    SheetList,
    chosen_army,
    known_chances,
    named_units,
    setup_in,
)
from brickphys.text import columns, counted, spoken
from brickphys.units import STUD_MM

Box = tuple[float, float, float, float]

PARTS: dict[sheets.ShipPlace, tuple[Box, ...]] = {
    sheets.ShipPlace.CABIN: ((-0.46, -0.22, -0.32, 0.32),),
    sheets.ShipPlace.GUN_DECK: ((-0.16, 0.13, -0.24, 0.24),),
    sheets.ShipPlace.CASTLE: ((-0.08, 0.0, -0.14, 0.14), (0.15, 0.23, -0.14, 0.14)),
    sheets.ShipPlace.HELM: ((-0.21, -0.17, -0.08, 0.08),),
}
"""Where parts are drawn: from and to ahead of the middle and to the left, as shares of length and width.

They are ours, and no rule depends on them: the book has no plans.
"""
_SIGNS = {
    sheets.ShipPlace.CABIN: "c",
    sheets.ShipPlace.GUN_DECK: "g",
    sheets.ShipPlace.CASTLE: "^",
    sheets.ShipPlace.HELM: "h",
}
_HULL, _SEA, _RUDDER = ".", " ", "r"
LEGEND = "r rudder, h helm, c cabin, ^ castle, g gun deck, numbers guns; bow to the right"
_LINE_STUDS = 2
"""A character is about twice as high as wide."""


def parts(sheet: sheets.ShipSheet) -> Iterator[tuple[sheets.ShipPlace, Box]]:
    """Yield the parts that a ship has, with where they are drawn in studs: from and to ahead, from and to the left."""
    for place, boxes in PARTS.items():
        if sheet.room(place):
            for rear, front, right, left in boxes:
                length, width = sheet.length_studs, sheet.width_studs
                yield place, (rear * length, front * length, right * width, left * width)


def plan_lines(sheet: sheets.ShipSheet) -> Iterator[str]:
    """Yield a ship in characters, one a stud of its length and a line for two of its width."""
    length, width = int(sheet.length_studs), int(sheet.width_studs)
    rows = range(width // _LINE_STUDS)
    lefts = [width / 2 - _LINE_STUDS * (row + 0.5) for row in rows]
    signs = [
        [_sign(sheet, -length / 2 + column + 0.5, left) for column in range(length)]
        for left in lefts
    ]
    for number, gun in enumerate(sheet.guns):
        row = min(rows, key=lambda row: abs(lefts[row] - gun.left_studs))
        signs[row][min(int(gun.ahead_studs + length / 2), length - 1)] = str(number)
    for row, line in enumerate(signs):
        rudder = _RUDDER if row == width // _LINE_STUDS // 2 else _SEA
        yield f"{rudder}{''.join(line)}".rstrip()


def _sign(sheet: sheets.ShipSheet, ahead: float, left: float) -> str:
    if not sheet.covers(ahead, left):
        return _SEA
    sign = _HULL
    for place, (rear, front, right, to_left) in parts(sheet):
        if rear <= ahead <= front and right <= left <= to_left:
            sign = _SIGNS[place]
    return sign


OURS = "ours: the book has no plans of ships"
_CROSS = "x"
_HANDS = {sheets.Allegiance.PIRATE: "pirate", sheets.Allegiance.IMPERIAL: "sailor"}


@dataclass(frozen=True)
class ShipPlan(Sheet):
    """A sheet of a ship, with the hits that are marked on its damage chart."""

    sheet: sheets.ShipSheet
    damage: sheets.Damage  # what is left of its lines

    @property
    def name(self) -> str:
        """Its name."""
        return self.sheet.name

    @property
    def about(self) -> str:
        """Its title and numbers, in a line."""
        sheet = self.sheet
        numbers = f"HF {sheet.chart.hull}, SF {sheet.chart.sails}, speed {sheet.speed_studs}"
        return f"{sheet.title}, {numbers}, {counted(len(sheet.guns), 'cannon')}"

    def marked(self, marks: Mapping[str, int]) -> "ShipPlan":
        """Return the sheet after a number of hits with balls; InvalidValueError for more than it has lines."""
        if wrong := [name for name in marks if name != "damage"]:
            raise InvalidValueError(f"{', '.join(wrong)}: a ship has nothing but damage to mark")
        plan = self
        for hit in range(marks["damage"]):
            if plan.sheet.chart.topmost(plan.damage) is None:
                raise InvalidValueError(
                    f"damage: {self.name} has no open line after {counted(hit, 'hit')} "
                    "(PW Damage Chart)"
                )
            plan = replace(plan, damage=plan.sheet.chart.hit(plan.damage))
        return plan

    def text(self, paint: Paint) -> str:
        """Return the numbers, the damage chart, the guns and the ship from above."""
        parts = [
            columns(self.numbers(), "  "),
            ["", "damage chart, the topmost line first:", *columns(self._form(), "  ")],
            ["", f"cannons ({OURS}):", *columns(self._guns(), "  ")],
            ["", "from above (ours):", *(f"  {line}" for line in plan_lines(self.sheet))],
            ["", LEGEND],
        ]
        return "\n".join([f"{self.name}: {self.about}", *(line for part in parts for line in part)])

    def document(self) -> dict[str, Any]:
        """Return the sheet as values of JSON; what is ours under ``reconstructed``."""
        sheet, chart = self.sheet, self.sheet.chart
        return {
            "name": self.name,
            "title": sheet.title,
            "side": sheet.side.value,
            "chart": {"lines": [line.value for line in chart.lines], **asdict(chart)},
            "left": {**asdict(self.damage), "speed_studs": chart.speed_studs(self.damage)},
            "speed_studs": sheet.speed_studs,
            "length_studs": sheet.length_studs,
            "crew": sheet.crew,
            "extra": {role.value: count for role, count in sheet.extra.items()},
            "reconstructed": {
                "width_studs": sheet.width_studs,
                "places": {place.value: count for place, count in sheet.places.items()},
                "guns": [asdict(gun) for gun in sheet.guns],
            },
        }

    def room_text(self) -> str:
        """Return how many minifigs each place holds."""
        places = self.sheet.places.items()
        held = [f"{spoken(place.value)} {count}" for place, count in places if count]
        return f"{', '.join(held)}, helm 1, each cannon 2"

    def numbers(self) -> Iterator[tuple[str, str]]:
        """Yield the names and values of its numbers."""
        sheet, chart = self.sheet, self.sheet.chart
        yield "HF", f"{self.damage.hull} of {chart.hull}"
        yield "SF", f"{self.damage.sails} of {chart.sails}"
        yield "speed", f"{chart.speed_studs(self.damage)} of {sheet.speed_studs} studs"
        yield "sail loss", f"{chart.sail_loss} studs a line"
        yield "length", f"{sheet.length_studs:g} studs, width {sheet.width_studs:g} (ours)"
        hands = counted(sheet.crew - 1, _HANDS[sheet.side])
        extra = ", ".join(counted(count, role.value) for role, count in sheet.extra.items())
        yield "crew", f"{sheet.crew}: captain and {hands}; extra {extra}"
        yield "room", f"{self.room_text()} (ours)"

    def _form(self) -> Iterator[list[str]]:
        """Yield the rows of the damage chart (PW Damage Chart)."""
        chart = self.sheet.chart
        yield ["Hits", *(line.value for line in chart.lines)]
        yield ["Speed", *("" if speed is None else str(speed) for speed in chart.speeds)]
        if crossed := crossed_lines(chart, self.damage):
            yield ["Hit", *(_CROSS * (n in crossed) for n in range(len(chart.lines)))]

    def _guns(self) -> Iterator[tuple[str, ...]]:
        yield "", "fires over", "below", "ahead", "left", "bearing", "shot to", "ball to"
        for number, gun in enumerate(self.sheet.guns):
            yield (
                f"gun{number}{' (light)' if gun.is_light else ''}",
                gun.side,
                "yes" if gun.is_below else "no",
                f"{gun.ahead_studs:g}",
                f"{gun.left_studs:g}",
                f"{gun.bearing_deg:g}",
                *(f"{gun.cannon(kind).range_studs:g}" for kind in sheets.Ammunition),
            )


def sheet_list(source: str | None = None) -> SheetList:
    """Return the sheet of a ship, or without a source those of all ships."""
    found = sheets.ships().values() if source is None else [sheets.ship(source)]
    return SheetList(tuple(map(ship_plan, found)))


def ship_plan(sheet: sheets.ShipSheet) -> ShipPlan:
    """Return the sheet of a ship without damage."""
    return ShipPlan(sheet, sheets.Damage(sheet.chart.hull, sheet.chart.sails))


def crossed_lines(chart: sheets.DamageChart, damage: sheets.Damage) -> set[int]:
    """Return which lines of a chart are crossed off, counted from the top: of each kind the topmost ones."""
    left, crossed = {sheets.Line.HULL: damage.hull, sheets.Line.SAIL: damage.sails}, set[int]()
    for number, line in reversed(list(enumerate(chart.lines))):
        if left[line]:
            left[line] -= 1
        else:
            crossed.add(number)
    return crossed


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
_Crew = Counter[tuple[sheets.Role, bool]]
"""Minifigs by their role, and whether they are women."""


def army_list(words: Sequence[str], name: str | None = None) -> ArmyList:
    """Return an army: ships that are named have their full crews, and roles that are named are on top of that."""
    setup = setup_in(words, SCENARIOS)
    if setup is not None:
        return _army_of_setup(setup, name)
    fleet, crew = Counter[sheets.ShipSheet](), _Crew()
    for word, count in named_units(words, name).items():
        if word in sheets.ROLES:
            crew[sheets.ROLES[word], False] += count
        elif word in sheets.ships():
            fleet[sheets.ships()[word]] += count
            for role, hands in sheets.ships()[word].full_crew.items():
                crew[role, False] += hands * count
        else:
            raise unknown("ship or minifig", word, [*sheets.ships(), *sheets.ROLES])
    return _listed("army", fleet, crew)


def _army_of_setup(source: str, name: str | None) -> ArmyList:
    setting = scenario_report(source).state.setting
    fleet_name = chosen_army(source, setting.players, name)
    player = setting.players.index(fleet_name)
    fleet = Counter(spec.sheet for spec in setting.ships if spec.player == player)
    mine = [minifig for minifig in setting.minifigs if minifig.player == player]
    return _listed(fleet_name, fleet, _Crew((one.role, one.is_woman) for one in mine))


def _listed(name: str, fleet: Counter[sheets.ShipSheet], crew: _Crew) -> ArmyList:
    units = [_ship(sheet, count) for sheet, count in fleet.items()]
    order = sorted(crew.items(), key=lambda one: (list(sheets.Role).index(one[0][0]), one[0][1]))
    units += [_minifigs(role, count, is_woman=woman) for (role, woman), count in order if count]
    return ArmyList(name, tuple(units), _COLUMNS, _NOTES if fleet else ())


def _ship(sheet: sheets.ShipSheet, count: int) -> ArmyUnit:
    plan = ship_plan(sheet)
    hull = tuple((STUD_MM * x, STUD_MM * y) for x, y in sheet.hull.vertices_studs.tolist())
    size_mm = STUD_MM * sheet.length_studs, STUD_MM * sheet.width_studs
    gear = f"{counted(len(sheet.guns), 'cannon')}; damage chart, the topmost line on the left"
    attacks, footprint = tuple(_cannon_attacks(sheet.guns)), Footprint(size_mm, outline_mm=hull)
    numbers = tuple(plan.numbers())
    return ArmyUnit(
        sheet.name, count, attacks, plan, footprint, gear=gear, numbers=numbers, title=sheet.title
    )


def _cannon_attacks(guns: Sequence[sheets.Gun]) -> Iterator[Attack]:
    """Yield the fire of all cannons that bear over one side together (PW Firing)."""
    for (where, is_light), count in bearing(guns).items():
        for ammunition in sheets.Ammunition:
            cannon = sheets.minifigs().cannons[is_light, ammunition]
            kind = "light cannon" if is_light else "cannon"
            words = f"{counted(count, kind)} over {where}, {ammunition.value}"
            yield _attack(words, cannon, count * cannon.dice, cannon.target or 0)


def _minifigs(role: sheets.Role, count: int, *, is_woman: bool) -> ArmyUnit:
    one = Minifig(role.value, 0, role, 0, is_woman)
    does = ["sails"] * one.sheet.sails + ["reloads cannons"] * one.sheet.reloads_cannons
    tasks = ", ".join(does) or "neither sails nor reloads cannons"
    gear = f"Melee {one.sheet.melee}, Attack {one.attack}; {tasks}"
    attacks: tuple[Attack, ...] = ()
    if one.weapon is not None:
        name = f"{one.weapon_name}{', always loaded' * is_woman}"
        attacks = (_attack(name, one.weapon, 1, one.attack),)
    return ArmyUnit(f"{role.value}{' (woman)' * is_woman}", count, attacks, gear=gear)


def _attack(words: str, weapon: sheets.WeaponSheet, dice: int, target: int) -> Attack:
    """Return an attack with dice, each of which hits with a face up to the target number (PW Introduction)."""
    distance_mm = weapon.range_studs * STUD_MM
    distance = f"to {weapon.range_studs:g} ({distance_mm / 10:.1f} cm)"
    law = Distribution.binomial(dice, hit_chance(target))
    hits = range(1, min(dice, _MOST_HITS) + 1)
    return Attack(
        words, distance, distance_mm, dice, known_chances([law.at_least(one) for one in hits])
    )
