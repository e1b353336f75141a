"""Sheet: the description sheets of a game, as text and as pictures."""

from typing import TYPE_CHECKING

import click

from brickphys.cli.shared.echo import echo
from brickphys.cli.shared.options import game_argument, sheet_names
from brickphys.cli.shared.output import print_table
from brickphys.cli.shared.output_options import OutputOptions, output_options
from brickphys.errors import InvalidValueError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brickphys.rules.report.sheets import Sheet, SheetList


@click.command()
@game_argument
@click.argument("source", metavar="[NAME|FILE]", required=False, shell_complete=sheet_names)
@click.option("--speed", type=int, default=0, help="Mark the current speed of the vehicle NAME.")
@click.option("--damage", type=int, default=0, help="Mark this many damage points on NAME.")
@output_options()
def sheet(game_name: str, source: str | None, speed: int, damage: int, out: OutputOptions) -> None:
    """Show the sheet of the figure, unit, vehicle or ship NAME of GAME, or all sheets in FILE (TOML).

    Without either, list the shipped sheets. In BOW, letters are studs: W white, G green, D dark grey, K black (k: a
    weapon in reserve), R red, Y yellow. New actions use B blue, L light grey, N brown, O orange, T tan, V olive, S
    sand green. = is a tile (a speed that the vehicle cannot have), * a marking brick (in pictures an orange round
    one). Below "if in play" are actions of annex B, which a scenario may bring into play.

    \b
    Examples:
      brickphys sheet bow trooper
      brickphys sheet bow snowspeeder --speed 6 --plot sheet.png
      brickphys sheet bow mine.toml
      brickphys sheet pirate_wars black_pearl --damage 3 --plot pearl.png
      brickphys sheet minifig soldier,spear,shield,mounted --plot rider.png
    """
    from brickphys.rules import registry

    out.check({"FILE": source})
    game = registry.game(game_name)
    found = game.sheets(source)
    if not found.sheets and (out.plot or not found.armies):
        raise InvalidValueError(f"{source}: there is no sheet in it")
    sheets = _marked(found.sheets, {"speed": speed, "damage": damage})
    out.write(
        "sheet",
        lambda: {
            "sheets": [one.document() for one in sheets],
            "armies": [army.document() for army in found.armies],
        },
        lambda: _print_list(sheets) if source is None else _print(sheets, found),
        lambda: registry.painter(game).sheets_figure(sheets),
    )


def _marked(sheets: "Sequence[Sheet]", given: dict[str, int]) -> "Sequence[Sheet]":
    """Return the one sheet with its marking bricks, or all sheets where no mark is given."""
    marks = {name: value for name, value in given.items() if value}
    if not marks:
        return sheets
    if len(sheets) != 1:
        raise InvalidValueError("--speed and --damage apply to one sheet: give its NAME")
    return [sheets[0].marked(marks)]


def _print(sheets: "Sequence[Sheet]", found: "SheetList") -> None:
    from brickphys.cli.shared.army_output import print_armies

    if sheets:
        click.echo(
            "\n\n".join(one.text(_paint) for one in sheets)
        )  # with colours; names are checked
    if sheets and found.armies:
        echo()
    if found.armies:
        print_armies(found.armies)


def _paint(letter: str, colour: str | None) -> str:
    """Write a letter on its colour; where the output is no terminal, click leaves the letter alone."""
    from brickphys.shapes.palette import PALETTE

    if colour is None:
        return letter
    ground = PALETTE[colour]
    ink = (0, 0, 0) if sum(ground) > 380 else (255, 255, 255)
    return click.style(letter, fg=ink, bg=ground)


def _print_list(sheets: "Sequence[Sheet]") -> None:
    costs = [() if one.cost_points is None else (str(one.cost_points),) for one in sheets]
    rows = [(f"{one.name}: {one.about}", *cost) for one, cost in zip(sheets, costs, strict=True)]
    print_table(("sheet", "cost points") if any(costs) else ("sheet",), rows)
