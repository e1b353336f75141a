"""Scenario report: a battle before it begins, as the command `scenario` and its picture show it."""

from collections.abc import Iterator

from brickphys.pirate_wars.report.aims import circle_aims
from brickphys.pirate_wars.report.sea_map import sea_map, ship_letters
from brickphys.pirate_wars.setup.scenario_file import SCENARIOS
from brickphys.pirate_wars.setup.setup_reader import begin
from brickphys.pirate_wars.state.state import State
from brickphys.rules.report.names import compass, names_text
from brickphys.rules.report.scenario import ScenarioReport
from brickphys.rules.report.sheets import ArmyTotal


def scenario_report(source: str) -> ScenarioReport[State]:
    """Return a scenario that ships, by name, or one in a file; ScenarioFileError lists every fault."""
    read = SCENARIOS.find(source)
    state = begin(read, source)
    aims = circle_aims(state.setting)
    return ScenarioReport.of(
        read,
        state,
        map_text="\n".join([sea_map(state), *_ship_lines(state)]),
        armies=_totals(state),
        aims=aims.texts(),
        areas=aims.areas(),
    )


def _ship_lines(state: State) -> Iterator[str]:
    """Yield where each ship begins, and its crew."""
    setting = state.setting
    for letter, spec, ship, crew in zip(
        ship_letters(setting), setting.ships, state.ships, setting.crews, strict=True
    ):
        names = (setting.minifigs[number].name.removeprefix(f"{spec.name}_") for number in crew)
        where = f"at {ship.x_studs:g},{ship.y_studs:g}, heading {compass(ship.heading_deg)}"
        yield f"     {letter} {spec.sheet.title} {where}: {names_text(names)}"


def _totals(state: State) -> Iterator[ArmyTotal]:
    """Yield how much each player has; the book has no prices."""
    setting = state.setting
    for player, name in enumerate(setting.players):
        sheets = [spec.sheet for spec in setting.ships if spec.player == player]
        counts = {
            "ships": len(sheets),
            "minifigs": sum(minifig.player == player for minifig in setting.minifigs),
            "cannons": sum(len(sheet.guns) for sheet in sheets),
            "HF": sum(sheet.chart.hull for sheet in sheets),
            "SF": sum(sheet.chart.sails for sheet in sheets),
        }
        yield ArmyTotal(name, counts)
