"""Sheets of ships as the command `sheet` shows them: numbers, crew, guns, the damage chart and the ship from above."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from brickphys.errors import InvalidValueError
from brickphys.pirate_wars.report.plan import LEGEND, plan_lines
from brickphys.pirate_wars.sheets.catalogue import ship, ships
from brickphys.pirate_wars.sheets.damage_chart import Damage, DamageChart, Line
from brickphys.pirate_wars.sheets.minifigs import Ammunition
from brickphys.pirate_wars.sheets.ship_sheet import ShipSheet, Side
from brickphys.rules.report.sheets import Paint, SheetList
from brickphys.text import columns, counted, spoken

OURS = "ours: the book has no plans of ships"
_CROSS = "x"
_HANDS = {Side.PIRATE: "pirate", Side.IMPERIAL: "sailor"}


@dataclass(frozen=True)
class ShipPlan:
    """A sheet of a ship, with the hits that are marked on its damage chart."""

    sheet: ShipSheet
    damage: Damage  # what is left of its lines

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

    @property
    def cost_points(self) -> None:
        """None: the book has no prices."""

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

    def crew_text(self) -> str:
        """Return who mans it, and who comes on top of that."""
        sheet = self.sheet
        extra = ", ".join(counted(count, role.value) for role, count in sheet.extra.items())
        return f"captain and {counted(sheet.crew - 1, _HANDS[sheet.side])}; extra {extra}"

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
        yield "crew", f"{sheet.crew}: {self.crew_text()}"
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
                *(f"{gun.cannon(kind).range_studs:g}" for kind in Ammunition),
            )


def sheet_list(source: str | None = None) -> SheetList:
    """Return the sheet of a ship, or without a source those of all ships."""
    found = ships().values() if source is None else [ship(source)]
    return SheetList(tuple(map(ship_plan, found)))


def ship_plan(sheet: ShipSheet) -> ShipPlan:
    """Return the sheet of a ship without damage."""
    return ShipPlan(sheet, Damage(sheet.chart.hull, sheet.chart.sails))


def crossed_lines(chart: DamageChart, damage: Damage) -> set[int]:
    """Return which lines of a chart are crossed off, counted from the top: of each kind the topmost ones."""
    left, crossed = {Line.HULL: damage.hull, Line.SAIL: damage.sails}, set[int]()
    for number, line in reversed(list(enumerate(chart.lines))):
        if left[line]:
            left[line] -= 1
        else:
            crossed.add(number)
    return crossed
