"""Scenario report: a battle before it begins, as the command `scenario` shows it, and the sheets of its figures."""

from collections.abc import Iterator

from brickphys.minifig.report.aims import circle_aims
from brickphys.minifig.report.sheets import figure_sheet, usual_sheets
from brickphys.minifig.report.status_text import battle_status
from brickphys.minifig.setup.scenario_file import SCENARIOS
from brickphys.minifig.setup.setup_reader import begin
from brickphys.minifig.sheets.bricks import MOUNTED
from brickphys.minifig.sheets.charts import charts
from brickphys.minifig.state.state import State
from brickphys.rules.report.scenario import ScenarioReport
from brickphys.rules.report.sheets import ArmyTotal, SheetList


def scenario_report(source: str) -> ScenarioReport[State]:
    """Return a scenario that ships, by name, or one in a file; ScenarioFileError lists every fault."""
    read = SCENARIOS.find(source)
    state = begin(read, source)
    aims = circle_aims(state.setting)
    return ScenarioReport.of(
        read,
        state,
        map_text=battle_status(state),
        armies=_totals(state),
        aims=aims.texts(),
        areas=aims.areas(),
    )


def sheets(source: str | None = None) -> SheetList:
    """Return the sheet of a figure by its words, those of a scenario by its name or file, or without either the usual.

    InvalidValueError, or of a file ScenarioFileError, lists every fault.
    """
    if source is None:
        return SheetList(tuple(usual_sheets()))
    if source not in SCENARIOS and not source.endswith(".toml"):
        return SheetList((figure_sheet(source),))
    state = scenario_report(source).state
    words = dict.fromkeys(figure_words(state, number) for number in range(len(state.figures)))
    return SheetList(tuple(map(figure_sheet, words)), tuple(_totals(state)))


def figure_words(state: State, number: int) -> str:
    """Return the words of a figure, as `brickphys.minifig.sheets.fighter` reads them."""
    spec = state.setting.figures[number]
    arms = dict.fromkeys(arm.name for arm in state.arms(number))
    rides = [MOUNTED] * (state.figures[number].horse is not None)
    base = [state.setting.colour(number)] * (spec.experience > 0)
    return ",".join([spec.kind.name, *arms, *rides, *base])


def _totals(state: State) -> Iterator[ArmyTotal]:
    """Yield how many of each kind a player has on foot, and how many riders; the book has no prices."""
    figures = state.setting.figures
    riders = {*state.riders.values()}
    sorts = {
        f"{kind}s": {n for n, one in enumerate(figures) if one.kind.name == kind} - riders
        for kind in charts().kinds
    }
    sorts["riders"] = riders
    for player, name in enumerate(state.setting.players):
        mine = {number for number, one in enumerate(figures) if one.player == player}
        yield ArmyTotal(name, {sort: len(mine & those) for sort, those in sorts.items() if those})
