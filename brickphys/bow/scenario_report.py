"""Scenario report: a battle before it begins, as the command `scenario` and its picture show it."""

from brickphys.bow.report.areas import aim_areas
from brickphys.bow.report.scenario_text import aim_texts, scenario_map
from brickphys.bow.setup.scenario_check import begin, totals
from brickphys.bow.setup.scenario_file import SCENARIOS
from brickphys.bow.state.state import State
from brickphys.rules.report.scenario import ScenarioReport


def scenario_report(source: str) -> ScenarioReport[State]:
    """Return a scenario that ships, by name, or one in a file; ScenarioFileError lists every fault."""
    read = SCENARIOS.find(source)
    state = begin(read, source)
    return ScenarioReport.of(
        read,
        state,
        map_text=scenario_map(state),
        armies=totals(state),
        aims=aim_texts(read),
        areas=aim_areas(read.setup, read.areas),
    )
