"""Scenario: a game before it begins: its map, armies and aims, and the faults of a file."""

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from brickphys.cli.shared.echo import echo
from brickphys.cli.shared.options import game_argument, scenario_names
from brickphys.cli.shared.output import print_json, print_table
from brickphys.cli.shared.output_options import OutputOptions, output_options
from brickphys.errors import InvalidValueError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from brickphys.rules.game import AnyGame
    from brickphys.rules.report.scenario import ScenarioReport


@click.command()
@game_argument
@click.argument("source", metavar="[NAME|FILE]", required=False, shell_complete=scenario_names)
@output_options()
def scenario(game_name: str, source: str | None, out: OutputOptions) -> None:
    """Check the scenario of GAME in FILE (TOML), or show the shipped scenario NAME; without either, list all.

    Prints the map, the costs of the armies and the aims. Error messages name the place in the file. If a file has the
    name of a shipped scenario, write ./NAME for the file.

    \b
    Examples:
      brickphys scenario bow princess
      brickphys scenario bow mine.toml --plot mine.png
    """
    from brickphys.rules import registry

    game = registry.game(game_name)
    if source is None:
        if out.plot:
            raise InvalidValueError("--plot draws one scenario: give its NAME or FILE")
        _list(game, out.as_json)
        return
    out.check({"FILE": source})
    report = game.scenario(source)
    out.write(
        "scenario",
        partial(_document, report),
        partial(_print, report),
        partial(_figure, game, report),
    )


def _list(game: "AnyGame", as_json: bool) -> None:
    titles = game.scenarios()
    if as_json:
        print_json("scenarios", {"scenarios": dict(titles)})
    else:
        print_table(("scenario",), [(f"{name}: {title}",) for name, title in titles.items()])


def _document(report: "ScenarioReport[Any]") -> dict[str, Any]:
    return {
        "title": report.title,
        "text": report.text,
        "map": report.map,
        "armies": [army.document() for army in report.armies],
        "limit_points": report.limit_points,
        "aims": list(report.aims),
        "setup": report.setup,
    }


def _figure(game: "AnyGame", report: "ScenarioReport[Any]") -> "Figure":
    from brickphys.plots.scenario import scenario_figure
    from brickphys.rules.registry import painter

    return scenario_figure(report, painter(game))


def _print(report: "ScenarioReport[Any]") -> None:
    from brickphys.cli.shared.army_output import print_armies

    echo("\n".join([report.title, "", report.text, "", report.map, ""]))
    print_armies(report.armies)
    if report.limit_points is not None:
        echo(f"An army may cost {report.limit_points} points at most.")
    echo("\n".join(["", *report.aims]))
