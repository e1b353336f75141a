"""Scenario report: a battle before it begins, as the command `scenario` and its picture show it."""

from collections.abc import Iterator

from brickphys.errors import ScenarioFileError, raised_as
from brickphys.minifig.report.aims import circle_aims
from brickphys.minifig.report.status_text import battle_status
from brickphys.minifig.setup.scenario_file import SCENARIOS, read_scenario
from brickphys.minifig.setup.setup_reader import first_state
from brickphys.minifig.sheets.charts import charts
from brickphys.minifig.state.state import State
from brickphys.rules.report.scenario import ScenarioReport
from brickphys.rules.report.sheets import ArmyTotal


def scenario_report(source: str) -> ScenarioReport[State]:
    """Return a scenario that ships, by name, or one in a file; ScenarioFileError lists every fault."""
    read = SCENARIOS.find(source, read_scenario)
    with raised_as(ScenarioFileError):
        state = first_state(read.setup, source)
    aims = circle_aims(state.setting)
    return ScenarioReport(
        title=read.title,
        text=read.text.strip(),
        map=battle_status(state),
        armies=tuple(_totals(state)),
        aims=tuple(aims.texts()),
        areas=aims.areas(),
        setup=read.setup,
        state=state,
    )


def _totals(state: State) -> Iterator[ArmyTotal]:
    """Yield how many of each kind that is there a player has, and how many riders; the book has no prices."""
    figures = state.setting.figures
    sorts = {
        f"{kind}s": {n for n, one in enumerate(figures) if one.kind.name == kind}
        for kind in charts().kinds
    }
    sorts["riders"] = {*state.riders.values()}
    for player, name in enumerate(state.setting.players):
        mine = {number for number, one in enumerate(figures) if one.player == player}
        yield ArmyTotal(name, {sort: len(mine & those) for sort, those in sorts.items() if those})
