"""Scenario report: a battle before it begins, as the command `scenario` shows it, and the sheets of its units."""

from collections import Counter
from collections.abc import Iterator

from brickphys.blade_and_bow.report.card_text import CardSheet
from brickphys.blade_and_bow.report.sheets import counter_sheets
from brickphys.blade_and_bow.report.status_text import battle_status
from brickphys.blade_and_bow.setup.scenario_file import SCENARIOS
from brickphys.blade_and_bow.setup.setup_reader import begin
from brickphys.blade_and_bow.sheets.cards import card_numbers, deck
from brickphys.blade_and_bow.sheets.counters import counters
from brickphys.blade_and_bow.state.setting import Setting
from brickphys.blade_and_bow.state.state import State
from brickphys.errors import unknown
from brickphys.rules.report.scenario import NamedArea, ScenarioReport
from brickphys.rules.report.sheets import ArmyTotal, SheetList
from brickphys.text import nearest, spoken

_WHEN = {"end_of_turn": "a major victory at the end of the turn", "at_once": "the battle at once"}


def scenario_report(source: str) -> ScenarioReport[State]:
    """Return a scenario that ships, by name, or one in a file; ScenarioFileError lists every fault."""
    read = SCENARIOS.find(source)
    state = begin(read, source)
    return ScenarioReport.of(
        read,
        state,
        map_text=battle_status(state),
        armies=_totals(state.setting),
        aims=_aims(state.setting),
        areas=(NamedArea(name, *block) for name, block in read.areas.items()),
    )


def sheets(source: str | None = None) -> SheetList:
    """Return the sheet of a kind of unit or a card, those of a scenario by its name or file, or of all kinds.

    InvalidValueError, or of a file ScenarioFileError, lists every fault.
    """
    if source is None:
        return SheetList(counter_sheets())
    if source in card_numbers():
        return SheetList((CardSheet(deck()[card_numbers()[source]]),))
    if source not in SCENARIOS and not source.endswith(".toml"):
        if source not in counters() and nearest(source, card_numbers()):
            raise unknown("kind of unit or card", source, [*counters(), *card_numbers()])
        return SheetList(counter_sheets(iter((source,))))
    setting = scenario_report(source).state.setting
    kinds = dict.fromkeys(unit.counter.name for unit in setting.units)
    return SheetList(counter_sheets(iter(kinds)), tuple(_totals(setting)))


def _totals(setting: Setting) -> Iterator[ArmyTotal]:
    """Yield how many units of each kind a player has, and ranks; the book has no prices."""
    for player, name in enumerate(setting.players):
        mine = [unit for unit in setting.units if unit.player == player]
        kinds = Counter(spoken(unit.counter.name) for unit in mine)
        yield ArmyTotal(name, {"units": len(mine), "ranks": setting.ranks[player], **kinds})


def _aims(setting: Setting) -> Iterator[str]:
    """Yield how the battle is won, and what special rules it has."""
    special, names = setting.special, [spoken(name) for name in setting.players]
    for player, name in enumerate(names):
        level, enemy = setting.rout_levels[player], names[1 - player]
        yield f"{name} rout at {level} lost units and ranks: a major victory of {enemy}"
        if when := special.camp_decides[player]:
            yield f"if the camp of {name} is sacked, {enemy} win {_WHEN[when]}"
    for leader in setting.leaders:
        if leader.name == special.mortal:
            enemy = names[1 - leader.player]
            yield f"if {spoken(leader.name)} is killed, {enemy} win {_WHEN['end_of_turn']}"
    if special.minor_to is not None:
        yield f"if nobody has won by the end, {names[special.minor_to]} win a minor victory"
    else:
        yield "otherwise, the army further from rout at the end wins a minor victory"
    if special.hidden_path:
        yield f"each turn {names[1]} roll for the path: a face up to the number of the turn finds it"
    for entry in special.entries:
        first, last = (setting.squares[entry.squares[end]] for end in (0, -1))
        rolls = ", ".join(map(str, entry.rolls))
        yield f"reinforcements of {names[0]} come by {first} to {last} on a {rolls}"
