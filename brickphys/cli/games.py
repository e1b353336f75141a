"""Games: the installed games, their scenarios and their sheets.

`games` lists games and the setups that ship with them. `scenario` shows a game before it begins: its map, armies and
aims, and the faults of a file. `sheet` shows description sheets, as text and as pictures.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

import click

from brickphys.battles.start import titles
from brickphys.cli.shared import options, output
from brickphys.cli.shared.output import echo, print_json, print_table
from brickphys.errors import InvalidValueError, in_words, is_short_of_memory
from brickphys.interface import drawer
from brickphys.rules import registry
from brickphys.rules.registry import painter
from brickphys.rules.report.sheets import ArmyTotal, Sheet, SheetList
from brickphys.rules.scenario import ScenarioReport
from brickphys.text import percent


@click.command()
@options.json_options
def games(as_json: bool) -> None:
    """List the installed games and their setups.

    `play` takes both by name. Your own game appears here if its package has an entry point of the group
    brickphys.games (docs/games.md). Games that cannot be loaded are listed on standard error.

    \b
    Example:
      brickphys games
      brickphys play bow duel
    """
    found = [listed for name in registry.games() if (listed := _listed(name))]
    if as_json:
        output.print_json("games", {"games": found})
        return
    rows = [
        (f"{game['name']} {name}", setup["title"], str(setup["players"]), game["version"])
        for game in found
        for name, setup in game["setups"].items()
    ]
    output.print_table(("game and setup", "title", "players", "version"), rows, texts=2)


def _listed(name: str) -> dict[str, Any] | None:
    """Return a game with its setups; None, after a line on standard error, if it is broken."""
    try:
        game = registry.game(name)
        named = titles(game)
        setups = {
            setup: {
                "players": game.players(game.initial(document)),
                "title": named.get(setup, ""),
            }
            for setup, document in game.setups.items()
        }
        return {"name": game.name, "version": game.version, "setups": setups}
    except Exception as error:  # a game of another package may raise anything
        if is_short_of_memory(error):
            raise
        echo(f"{name} is left out: {in_words(error)}", err=True)
        return None


@click.command()
@options.game_argument
@click.argument(
    "source", metavar="[NAME|FILE]", required=False, shell_complete=options.scenario_names
)
@options.output_options()
def scenario(game_name: str, source: str | None, out: options.OutputOptions) -> None:
    """Check the scenario of GAME in FILE (TOML), or show the shipped scenario NAME; without either, list all.

    Prints the map, the costs of the armies and the aims. Error messages name the place in the file. If a file has the
    name of a shipped scenario, write ./NAME for the file.

    \b
    Examples:
      brickphys scenario bow princess
      brickphys scenario bow mine.toml --plot mine.png
    """
    game = registry.game(game_name)
    if source is None:
        if out.plot:
            raise InvalidValueError("--plot draws one scenario: give its NAME or FILE")
        titles = game.scenarios()
        if out.as_json:
            print_json("scenarios", {"scenarios": dict(titles)})
        else:
            print_table(("scenario",), [(f"{name}: {title}",) for name, title in titles.items()])
        return
    out.check({"FILE": source})
    report = game.scenario(source)
    out.write(
        "scenario",
        partial(_scenario_document, report),
        partial(_print_scenario, report),
        lambda: drawer("battle:scenario_figure")(report, painter(game)),
    )


def _scenario_document(report: ScenarioReport[Any]) -> dict[str, Any]:
    return {
        "title": report.title,
        "text": report.text,
        "map": report.map,
        "armies": [army.document() for army in report.armies],
        "limit_points": report.limit_points,
        "aims": list(report.aims),
        "setup": report.setup,
    }


def _print_scenario(report: ScenarioReport[Any]) -> None:
    echo("\n".join([report.title, "", report.text, "", report.map, ""]))
    print_armies(report.armies)
    if report.limit_points is not None:
        echo(f"An army may cost {report.limit_points} points at most.")
    echo("\n".join(["", *report.aims]))


@click.command()
@options.game_argument
@click.argument("source", metavar="[NAME|FILE]", required=False, shell_complete=options.sheet_names)
@click.option("--speed", type=int, help="Mark the current speed of the vehicle NAME.")
@click.option("--damage", type=int, help="Mark this many damage points on NAME.")
@options.output_options()
def sheet(
    game_name: str,
    source: str | None,
    speed: int | None,
    damage: int | None,
    out: options.OutputOptions,
) -> None:
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
        lambda: _print_sheets(sheets) if source is None else _print_sheet(sheets, found),
        lambda: registry.painter(game).sheets_figure(sheets),
    )


def _marked(sheets: Sequence[Sheet], given: dict[str, int | None]) -> Sequence[Sheet]:
    """Return the one sheet with its marking bricks, or all sheets where no mark is given."""
    marks = {name: value for name, value in given.items() if value}
    if not marks:
        return sheets
    if len(sheets) != 1:
        raise InvalidValueError("--speed and --damage apply to one sheet: give its NAME")
    return [sheets[0].marked(marks)]


def _print_sheet(sheets: Sequence[Sheet], found: SheetList) -> None:
    if sheets:
        # with colours; names are checked
        click.echo("\n\n".join(one.text(_paint) for one in sheets))
    if sheets and found.armies:
        echo()
    if found.armies:
        print_armies(found.armies)


def _paint(letter: str, colour: str | None) -> str:
    """Write a letter on its colour; where the output is no terminal, click leaves the letter alone."""
    from brickphys.shapes.piece import PALETTE

    if colour is None:
        return letter
    ground = PALETTE[colour]
    ink = (0, 0, 0) if sum(ground) > 380 else (255, 255, 255)
    return click.style(letter, fg=ink, bg=ground)


def _print_sheets(sheets: Sequence[Sheet]) -> None:
    costs = [() if one.cost_points is None else (str(one.cost_points),) for one in sheets]
    rows = [(f"{one.name}: {one.about}", *cost) for one, cost in zip(sheets, costs, strict=True)]
    print_table(("sheet", "cost points") if any(costs) else ("sheet",), rows)


def print_armies(armies: Sequence[ArmyTotal]) -> None:
    """Print how many there are of each sort in each army, and where there are prices what it costs.

    That is also shown over the cost of the most expensive army.
    """
    sorts = dict.fromkeys(sort for army in armies for sort in army.counts)
    rows = [
        (army.name, *(str(army.counts.get(sort, 0)) for sort in sorts), *_costs(army))
        for army in armies
    ]
    costs = ("cost points", "share of the most expensive army") if any(map(_costs, armies)) else ()
    print_table(("army", *sorts, *costs), rows)


def _costs(army: ArmyTotal) -> tuple[str, ...]:
    if army.cost_points is None or army.share is None:
        return ()
    return str(army.cost_points), percent(float(army.share))
