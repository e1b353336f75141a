"""Write the tables and the picture of sheets.md.

python docs/sheet_tables.py
"""

from pathlib import Path
from textwrap import fill

from matplotlib.figure import Figure

from brickphys.bow.sheets.catalogue import catalogue
from brickphys.bow.sheets.gear import Armor, Bag, HandWeapon, Item
from brickphys.bow.sheets.library import cost_points
from brickphys.bow.sheets.plate import plate_of, summary
from brickphys.bow.sheets.sheet import HealthColour, MinifigSheet, VehicleSheet
from brickphys.plots.games.bow_sheet import SIZE_INCHES, draw_sheet

DOCS = Path(__file__).parent
PAGE = DOCS / "sheets.md"
BEGIN, END = "<!-- {}: python docs/sheet_tables.py -->", "<!-- end of {} -->"
SHOWN = ("trooper", "wizard", "snowspeeder")


def main() -> None:
    """Write the tables and the picture."""
    text = PAGE.read_text(encoding="utf-8")
    for name, table in tables().items():
        before, after = text.split(BEGIN.format(name))[0], text.split(END.format(name))[1]
        text = f"{before}{BEGIN.format(name)}\n\n{table}\n{END.format(name)}{after}"
    PAGE.write_text(text, encoding="utf-8", newline="\n")
    picture().savefig(DOCS / "img" / "sheets.png")


def tables() -> dict[str, str]:
    """Return the tables by name, as Markdown."""
    library = catalogue()
    return {
        "units": "| unit | cost | actions | move | dodge + armor | attack + damage | health "
        "| treat, repair |\n|---|---|---|---|---|---|---|---|\n"
        + "".join(map(unit_row, library.units.values()))
        + "\n"
        + "".join(map(described, library.units.values())),
        "vehicles": "| vehicle | cost | speeds | armor | health | size, studs |\n|---|---|---|---|---|---|\n"
        + "".join(map(vehicle_row, library.vehicles.values()))
        + "\n"
        + "".join(map(described, library.vehicles.values())),
        "gear": "| object | hands | effect |\n|---|---|---|\n"
        + "".join(map(gear_row, library.gear.values())),
    }


def unit_row(sheet: MinifigSheet) -> str:
    """Return the row of a unit."""
    health = f"{sheet.health} {'red' if sheet.health_colour is HealthColour.RED else 'yellow'}"
    cells = (
        f"`{sheet.name}`",
        cost_points(sheet),
        sheet.action_budget,
        sheet.move,
        f"{sheet.dodge} + {sheet.armor}",
        f"{sheet.attack} + {sheet.damage}",
        health,
        f"{sheet.treat}, {sheet.repair}",
    )
    return f"| {' | '.join(map(str, cells))} |\n"


def vehicle_row(sheet: VehicleSheet) -> str:
    """Return the row of a vehicle."""
    lowest = sheet.speeds[1]
    size = f"{sheet.footprint.length_studs:g} x {sheet.footprint.width_studs:g}"
    cells = (
        f"`{sheet.name}`",
        cost_points(sheet),
        f"{lowest} to {sheet.speed}" + ", flies" * sheet.flying,
        sheet.armor,
        sheet.health,
        size,
    )
    return f"| {' | '.join(map(str, cells))} |\n"


def described(sheet: MinifigSheet | VehicleSheet) -> str:
    """Return what a unit or vehicle is, with its gear or its seats, as an entry of a list."""
    custom = sheet.custom if isinstance(sheet, MinifigSheet) else ()
    points = "".join(f"; {name} {number}" for name, number in custom).replace("_", " ")
    text = f"`{sheet.name}`: {sheet.about} ({summary(sheet)}{points})"
    return fill(text, 120, initial_indent="- ", subsequent_indent="  ") + "\n"


def gear_row(item: Item) -> str:
    """Return the row of an object."""
    effect = "an object"
    if isinstance(item, HandWeapon):
        reach = f", reaches {item.reach_studs}" if item.reach_studs else ""
        pair = ", also as a pair" if item.paired else ""
        effect = f"damage {item.damage}, {item.kind.value.replace('_', '-')}{reach}{pair}"
    elif isinstance(item, Armor):
        effect = f"armor {item.armor}, {item.place.value.replace('_', ' ')}"
    elif isinstance(item, Bag):
        effect = f"holds {item.holds}"
    return f"| `{item.name}` | {item.hands} | {effect} |\n"


def picture() -> Figure:
    """Return the picture of three sheets."""
    width, height = SIZE_INCHES
    figure = Figure(figsize=(len(SHOWN) * width, height), dpi=80, layout="constrained")
    for index, name in enumerate(SHOWN, start=1):
        sheet = catalogue().sheet(name)
        ax = figure.add_subplot(1, len(SHOWN), index)
        subtitle = f"{cost_points(sheet)} cost points"
        plate = plate_of(sheet, catalogue(), speed=6 if name == "snowspeeder" else 0)
        draw_sheet(plate, name, subtitle, summary(sheet), ax)
    return figure


if __name__ == "__main__":
    main()
