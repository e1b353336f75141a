"""Army: the sheets of an army with their odds, as text and as a page to print in true size."""

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from brickphys.cli.shared import options, output
from brickphys.cli.shared.output import echo
from brickphys.errors import InvalidValueError
from brickphys.files import write_whole
from brickphys.odds.law import RollLaw
from brickphys.odds.law_choice import chance_in_hand, chance_words, named_law, shortcomings
from brickphys.rules.registry import game, painter
from brickphys.rules.report.sheets import ArmyList, Footprint
from brickphys.text import percent

if TYPE_CHECKING:
    from brickphys.plots.army import ArmyLayout

_PDF = ".pdf"


@click.command()
@options.game_argument
@click.argument(
    "sources",
    nargs=-1,
    required=True,
    metavar="NAME[=COUNT]|FILE|SETUP...",
    shell_complete=options.unit_names,
)
@click.option("--army", "name", help="Army of a file or setup that has several.")
@options.chance_option
@options.law_option
@click.option(
    "--out", type=options.FILE, help="Write the army in true size to this .pdf, .svg or .png file."
)
@click.option(
    "--paper",
    type=click.Choice(("a4", "letter")),
    default="a4",
    help="Size of the paper.",
)
@click.option("--pages", is_flag=True, help="Allow several pages (.pdf).")
@options.force_option
@options.json_options
def army(
    game_name: str,
    sources: tuple[str, ...],
    name: str | None,
    chance: Fraction | None,
    law_file: Path | None,
    out: Path | None,
    paper: str,
    pages: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Show an army of GAME: its costs, and the odds of its attacks by bands of distance.

    --out writes pages to print in true size: a card for each kind of unit with its sheet and its odds, and the
    footprint of each unit, vehicle or ship. Footprints larger than the paper are printed in parts. Print at 100 %
    ("actual size"), and check the ruler of 100 mm on the page. For the cards of four units, print the page four times.

    Name units with their numbers; in BOW, also files of sheets of your own. Or name only such a file or a setup, with
    --army if it has several armies. In BOW, distances of shots are measured between the heads.

    \b
    Examples:
      brickphys army bow trooper=4 knight archer=2 --out army.pdf
      brickphys army bow mine.toml veteran=3 horse --out army.svg --paper letter
      brickphys army minifig soldier,sword,shield=6 soldier,bow=3 small_catapult --out army.pdf
      brickphys army pirate_wars black_pearl --out pearl.pdf
      brickphys army blade_and_bow marathon --army greeks --out greeks.pdf --pages

    \b
    JSON: game, army, law, p and p_in_hand (of one brick, and of one of several; all null without
      bricks), cost_points (null in a game without prices),
      chances (of: what they are about, and columns), units (name, count, cost_points of one,
      footprint_mm and height_mm (null if unknown), numbers, attacks: attack, distance, distance_mm,
      bricks or dice, success: a chance for each of the first columns), notes, paper, pages (how many)
      and out (the file; both null without --out)
    """
    output.check_plot(out, force=force, option="--out")
    output.check_apart({"--law": law_file, **{word: word for word in sources}}, {"--out": out})
    found = game(game_name).army(sources, name)
    law, law_name = named_law(options.law_choice(chance, law_file))
    if not found.by_bricks:
        options.refuse_law(chance, law_file)
    layout = _layout(game_name, found, out, paper, pages)
    if as_json:
        written = {"paper": paper, "pages": layout and layout.pages, "out": out and str(out)}
        output.print_json("army", {**_document(game_name, found, law, law_name), **written})
    else:
        _print(found, law, law_name)
    if layout is not None and out is not None:
        with output.drawing():
            content = output.figure_bytes(layout.draw(law, law_name), out.suffix[1:].lower())
        write_whole(content, out, force=True)
        output.note_written("army", out)


def _layout(
    game_name: str, found: ArmyList, out: Path | None, paper: str, pages: bool
) -> "ArmyLayout | None":
    """Return the layout of the pages to print; None if none are wanted."""
    if out is None:
        if pages:
            raise InvalidValueError("--pages needs --out: it applies to the file to print")
        return None
    from brickphys.plots.army import army_layout  # loads Matplotlib

    layout = army_layout(found, painter(game(game_name)), paper)
    _check_pages(layout.pages, paper, out, pages)
    return layout


def _check_pages(count: int, paper: str, out: Path, pages: bool) -> None:
    """Raise InvalidValueError if an army needs more pages than it may have."""
    if count == 1:
        return
    if not pages:
        raise InvalidValueError(
            f"the army needs {count} pages of {paper} paper: --pages allows them"
        )
    if out.suffix.lower() != _PDF:
        raise InvalidValueError(
            f"--out {out}: the army needs {count} pages, which only a {_PDF} file has"
        )


def _document(game_name: str, found: ArmyList, law: RollLaw, law_name: str) -> dict[str, Any]:
    by: dict[str, Any] = {"law": None, "p": None, "p_in_hand": None}
    if found.by_bricks:
        by = {"law": law_name, "p": float(law.p), "p_in_hand": float(chance_in_hand(law))}
    return {"game": game_name, **by, **found.document(law)}


def _print(found: ArmyList, law: RollLaw, law_name: str) -> None:
    echo(found.line())
    if found.by_bricks:
        echo(f"a brick scores in {chance_words(law)}, by {law_name}")
    for note in found.notes:
        output.echo_text(note)
    echo()
    _print_units(found)
    columns = found.columns
    attacks = [
        (
            f"{unit.words}: {one.words}, {one.distance}",
            str(one.rolled),
            *(percent(chance, 0).removesuffix(" %") for chance in one.successes(law)),
        )
        for unit in found.units
        for one in unit.attacks
    ]
    if attacks:
        echo(f"\n{columns.title}\n")
        output.print_table(("attack", columns.rolled, *columns.names), attacks)
    if found.by_bricks:
        for note in shortcomings(law, found.bricks):
            echo(f"\n{note}")


def _print_units(found: ArmyList) -> None:
    """Print the units with what is known of them: prices, sizes on the table, heights."""
    cells = {
        "cost points": [_cell(unit.cost_points) for unit in found.units],
        "footprint, mm": [_size(unit.footprint) for unit in found.units],
        "height, mm": [_cell(unit.height_mm) for unit in found.units],
    }
    known = {head: column for head, column in cells.items() if any(column)}
    names = ((unit.words, f"{unit.count:,}") for unit in found.units)
    rows = [(*name, *row) for name, *row in zip(names, *known.values(), strict=True)]
    output.print_table(("unit", "number", *known), rows)


def _cell(value: float | None) -> str:
    """Write a number that may be unknown: cost points, or a length in tenths of a mm."""
    return "" if value is None else f"{round(value, 1):,.9g}"


def _size(place: Footprint | None) -> str:
    return "" if place is None else " x ".join(_cell(side) for side in place.size_mm)
