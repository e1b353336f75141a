"""Scenario: a battle before it begins: its map, its armies, its aims, and every fault of a file."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from brickphys.cli.shared.options import (
    force_option,
    json_option,
    plot_option,
    scenario_names,
    unused_seed_option,
)

if TYPE_CHECKING:
    from brickphys.bow.state.state import State
    from brickphys.rules.scenario.scenario import Scenario


@click.command()
@click.argument("scenario", metavar="[NAME|FILE]", required=False, shell_complete=scenario_names)
@plot_option()
@force_option
@unused_seed_option
@json_option
def scenario(scenario: str | None, plot: Path | None, force: bool, as_json: bool) -> None:
    """Check the scenario in FILE (TOML), or show NAME, one that ships; without either, list them.

    Prints the map, what the armies cost and how the battle is won. Every fault is told with its place in the file.
    A NAME that ships goes before a file of that name: ./NAME is the file.

    \b
    Examples:
      brickphys scenario princess
      brickphys scenario mine.toml --plot mine.png
    """
    from brickphys.bow.setup.scenario_check import begin
    from brickphys.cli.shared.output import check_apart, check_plot
    from brickphys.errors import InvalidValueError

    if scenario is None:
        if plot:
            raise InvalidValueError("--plot draws one scenario: give its NAME or FILE")
        _list(as_json)
        return
    check_plot(plot, force=force)
    check_apart({"FILE": scenario}, {"--plot": plot})
    read = _read(scenario)
    state = begin(read, scenario)
    if plot:
        _draw(read, state, plot)
    _print(read, state, as_json)


def _read(name: str) -> "Scenario":
    from brickphys.bow.setup import scenario_file
    from brickphys.files import is_shipped

    if not is_shipped(name, scenario_file.SCENARIOS) and (
        name.endswith(".toml") or Path(name).is_file()
    ):
        return scenario_file.read_scenario(name)
    return scenario_file.SCENARIOS.scenario(name)


def _list(as_json: bool) -> None:
    from brickphys.bow.setup.scenario_file import SCENARIOS
    from brickphys.cli.shared.output import print_json, print_table

    titles = {name: SCENARIOS.scenario(name).title for name in SCENARIOS}
    if as_json:
        print_json("scenarios", {"scenarios": titles})
    else:
        print_table(("scenario",), [(f"{name}: {title}",) for name, title in titles.items()])


def _print(read: "Scenario", state: "State", as_json: bool) -> None:
    from brickphys.bow.report.scenario_text import aim_texts, scenario_map
    from brickphys.bow.setup.scenario_check import totals
    from brickphys.cli.shared.output import percent, print_json, print_table

    armies, aims = totals(state), aim_texts(read)
    if as_json:
        documents = [{**vars(army), "share": float(army.share)} for army in armies]
        head = {"title": read.title, "text": read.text.strip(), "map": scenario_map(state)}
        print_json("scenario", {**head, "armies": documents, "aims": aims, "setup": read.setup})
        return
    click.echo("\n".join([read.title, "", read.text.strip(), "", scenario_map(state), ""]))
    rows = [
        (
            army.name,
            str(army.minifigs),
            str(army.vehicles),
            str(army.cost_points),
            percent(float(army.share)),
        )
        for army in armies
    ]
    print_table(("army", "minifigs", "vehicles", "cost points", "of the dearest"), rows)
    click.echo("\n".join(["", *aims]))


def _draw(read: "Scenario", state: "State", path: Path) -> None:
    from brickphys.bow.setup.scenario_check import totals
    from brickphys.cli.shared.output import save_plot
    from brickphys.plots.bow.scenario import scenario_figure

    save_plot(scenario_figure(read, state, totals(state)), path)
