"""Sheet: description sheets of BOW, as text and as plates with studs."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from brickphys.cli.shared.options import (
    force_option,
    json_option,
    plot_option,
    sheet_names,
    unused_seed_option,
)

if TYPE_CHECKING:
    from brickphys.bow.sheets.library import Library
    from brickphys.bow.sheets.minifig_sheet import MinifigSheet
    from brickphys.bow.sheets.plate import Plate, PlateStud
    from brickphys.bow.sheets.vehicle_sheet import VehicleSheet


@click.command()
@click.argument("sheet", metavar="[NAME|FILE]", required=False, shell_complete=sheet_names)
@click.option("--speed", type=int, default=0, help="Mark the current speed of the vehicle NAME.")
@click.option("--damage", type=int, default=0, help="Mark so many damage points on NAME.")
@plot_option()
@force_option
@unused_seed_option
@json_option
def sheet(
    sheet: str | None, speed: int, damage: int, plot: Path | None, force: bool, as_json: bool
) -> None:
    """Show the sheet of the unit or vehicle NAME, or all sheets in FILE (TOML).

    Without either, list what ships. Studs are letters: W white, G green, D dark grey, K black (small: a weapon in
    reserve), R red, Y yellow; of new actions B blue, L light grey, N brown, O orange, T tan, V olive, S sand green.
    = is a tile, a speed that the vehicle cannot have; * a marking brick, in pictures an orange round one.

    \b
    Examples:
      brickphys sheet trooper
      brickphys sheet snowspeeder --speed 6 --plot sheet.png
      brickphys sheet mine.toml
    """
    from brickphys.bow.sheets.plate import plate_problems
    from brickphys.bow.sheets.text import plate_of
    from brickphys.cli.shared.output import check_apart, check_plot
    from brickphys.errors import InvalidValueError

    check_plot(plot, force=force)
    check_apart({"FILE": sheet}, {"--plot": plot})
    library = _library(sheet)
    sheets = list(library.sheets.values())
    if not sheets and (plot or not library.armies):
        raise InvalidValueError(f"{sheet}: there is no sheet in it")
    if len(sheets) != 1 and (speed or damage):
        raise InvalidValueError("--speed and --damage are of one sheet: give its NAME")
    faults = [fault for one in sheets for fault in plate_problems(one, speed, damage)]
    if faults:
        raise InvalidValueError("; ".join(faults))
    plates = [plate_of(one, library, speed, damage) for one in sheets]
    if plot:
        _draw(sheets, plates, plot)
    _print(sheet, library, sheets, plates, as_json)


def _library(sheet: str | None) -> "Library":
    """Return the library of a file, that of one name, or the whole catalogue."""
    from brickphys.bow.sheets.catalogue import catalogue
    from brickphys.bow.sheets.file import read_library

    if sheet is None:
        return catalogue()
    if sheet.endswith(".toml") or Path(sheet).is_file():
        return read_library(sheet, catalogue())
    return catalogue().only(sheet)


def _print(
    name: str | None,
    library: "Library",
    sheets: "list[MinifigSheet | VehicleSheet]",
    plates: "list[Plate]",
    as_json: bool,
) -> None:
    from brickphys.bow.sheets.text import sheet_document, sheet_text
    from brickphys.cli.shared.output import print_json

    shown = list(zip(sheets, plates, strict=True))
    if as_json:
        documents = [sheet_document(one, library, plate) for one, plate in shown]
        print_json("sheet", {"sheets": documents, "armies": _army_documents(library)})
    elif name is None:
        _print_list(sheets)
    else:
        for one, plate in shown:
            click.echo(sheet_text(one, library, plate, _paint) + "\n" * (one is not sheets[-1]))
        _print_armies(library)


def _paint(cell: "PlateStud") -> str:
    """Write a stud as its letter on its colour; what is no terminal gets the letter alone."""
    from brickphys.shapes.palette import PALETTE

    if cell.colour is None:
        return cell.letter
    colour = PALETTE[cell.colour]
    ink = (0, 0, 0) if sum(colour) > 380 else (255, 255, 255)
    return click.style(cell.letter, fg=ink, bg=colour)


def _print_list(sheets: "list[MinifigSheet | VehicleSheet]") -> None:
    from brickphys.bow.sheets.cost import cost_points
    from brickphys.cli.shared.output import print_table

    rows = [(f"{one.name}: {one.about}", str(cost_points(one))) for one in sheets]
    print_table(("sheet", "cost points"), rows)


def _print_armies(library: "Library") -> None:
    from brickphys.bow.sheets.cost import army_totals
    from brickphys.cli.shared.output import percent, print_table

    if library.armies:
        click.echo("\n" * bool(library.sheets), nl=False)
        rows = [
            (
                total.name,
                str(total.minifigs),
                str(total.vehicles),
                str(total.cost_points),
                percent(float(total.share)),
            )
            for total in army_totals(list(library.armies.values()))
        ]
        print_table(("army", "minifigs", "vehicles", "cost points", "of the dearest"), rows)


def _army_documents(library: "Library") -> list[dict[str, Any]]:
    from brickphys.bow.sheets.cost import army_totals

    totals = army_totals(list(library.armies.values()))
    return [{**vars(total), "share": float(total.share)} for total in totals]


def _draw(sheets: "list[MinifigSheet | VehicleSheet]", plates: "list[Plate]", path: Path) -> None:
    from math import ceil

    from matplotlib.figure import Figure

    from brickphys.bow.sheets.text import headline, summary
    from brickphys.cli.shared.output import save_plot
    from brickphys.plots.bow.sheet import SIZE_INCHES, draw_sheet

    columns = min(len(sheets), 3)
    rows = ceil(len(sheets) / columns)
    width, height = SIZE_INCHES
    figure = Figure(figsize=(width * columns, height * rows), dpi=150, layout="constrained")
    for index, (one, plate) in enumerate(zip(sheets, plates, strict=True), start=1):
        name = one.name.replace("_", " ")
        ax = figure.add_subplot(rows, columns, index)
        draw_sheet(plate, name, headline(one), summary(one), ax)
    save_plot(figure, path)
