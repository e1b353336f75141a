"""Scenario: a game before it begins: its map, armies and aims, and the faults of a file."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from brickphys.cli.shared.options import (
    force_option,
    game_argument,
    json_option,
    plot_option,
    scenario_names,
    unused_seed_option,
)
from brickphys.cli.shared.output import check_apart, check_plot, print_json, print_table, save_plot
from brickphys.errors import InvalidValueError

if TYPE_CHECKING:
    from brickphys.rules.game import AnyGame
    from brickphys.rules.report.scenario import ScenarioReport


@click.command()
@game_argument
@click.argument("source", metavar="[NAME|FILE]", required=False, shell_complete=scenario_names)
@plot_option()
@force_option
@unused_seed_option
@json_option
def scenario(
    game_name: str, source: str | None, plot: Path | None, force: bool, as_json: bool
) -> None:
    """Check the scenario of GAME in FILE (TOML), or show NAME, one that ships; without either, list them.

    Prints the map, the costs of the armies and the aims. A message names every fault with its place in the file.
    A NAME that ships goes before a file of that name: ./NAME is the file.

    \b
    Examples:
      brickphys scenario bow princess
      brickphys scenario bow mine.toml --plot mine.png
    """
    from brickphys.rules import registry

    game = registry.game(game_name)
    if source is None:
        if plot:
            raise InvalidValueError("--plot draws one scenario: give its NAME or FILE")
        _list(game, as_json)
        return
    check_plot(plot, force=force)
    check_apart({"FILE": source}, {"--plot": plot})
    report = game.scenario(source)
    if plot:
        painter = registry.painter(game)
        from brickphys.plots.scenario import scenario_figure

        save_plot(scenario_figure(report, painter), plot)
    _print(report, as_json)


def _list(game: "AnyGame", as_json: bool) -> None:
    titles = game.scenarios()
    if as_json:
        print_json("scenarios", {"scenarios": dict(titles)})
    else:
        print_table(("scenario",), [(f"{name}: {title}",) for name, title in titles.items()])


def _print(report: "ScenarioReport[Any]", as_json: bool) -> None:
    from brickphys.cli.shared.army_output import print_armies

    if as_json:
        document = {
            "title": report.title,
            "text": report.text,
            "map": report.map,
            "armies": [army.document() for army in report.armies],
            "limit_points": report.limit_points,
            "aims": list(report.aims),
            "setup": report.setup,
        }
        print_json("scenario", document)
        return
    click.echo("\n".join([report.title, "", report.text, "", report.map, ""]))
    print_armies(report.armies)
    if report.limit_points is not None:
        click.echo(f"An army may cost {report.limit_points} points at most.")
    click.echo("\n".join(["", *report.aims]))
