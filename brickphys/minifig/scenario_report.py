"""Scenario report: a battle before it begins, as the command `scenario` and its picture show it."""

from collections import Counter
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
    """Yield how much each player has; the book has no prices."""
    setting, kinds = state.setting, charts().kinds
    for player, name in enumerate(setting.players):
        mine = [number for number, one in enumerate(setting.figures) if one.player == player]
        count = Counter(setting.figures[number].kind.name for number in mine)
        riders = sum(state.figures[number].horse is not None for number in mine)
        yield ArmyTotal(name, {**{f"{kind}s": count[kind] for kind in kinds}, "riders": riders})
