"""Scenario: battles that ship and battles in files, before they begin.

A battle that ships may be drawn with other choices of its reconstruction, for studies.

The command `scenario` shows one, `sheet` its units, and `army` the units of an army with their dice, as a page to
print.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from brickphys.blade_and_bow.deck import CardSheet, card_numbers, deck
from brickphys.blade_and_bow.dice_law import MOST_DEFENCE, hits_left
from brickphys.blade_and_bow.setting import Setting
from brickphys.blade_and_bow.setup import begin, first_state
from brickphys.blade_and_bow.sheets import CounterSheet, charts, counter_sheets, counters
from brickphys.blade_and_bow.state import State
from brickphys.blade_and_bow.status import battle_status
from brickphys.errors import refuse, unknown
from brickphys.rules.report.sheets import (
    ArmyList,
    ArmyTotal,
    ArmyUnit,
    Attack,
    OddsColumns,
    SheetList,
    chosen_army,
    known_chances,
    named_units,
    setup_in,
)
from brickphys.rules.scenario import NamedArea, Scenario, ScenarioReport, ShippedScenarios
from brickphys.rules.setup import DRAW_TABLE, TableReader
from brickphys.text import nearest, spoken


def parse_scenario(text: str, name: str = "scenario") -> Scenario:
    """Return the scenario in a text; `name` begins the message of an error, a ScenarioFileError."""
    from brickphys.blade_and_bow.documents import BattleFormat
    from brickphys.rules import scenario_file

    return scenario_file.parse_scenario(text, name, BattleFormat())


SCENARIOS = ShippedScenarios("brickphys.blade_and_bow", parse_scenario)
"""The setups that ship, by name."""


def variant(options: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return a label, ``marathon without 4 units``, and the setup of a `VariantDocument`; nothing is drawn.

    InvalidValueError has the faults of the options, or of the setup.
    """
    from brickphys.blade_and_bow.documents import VariantDocument
    from brickphys.schema import validated

    wanted = validated(VariantDocument, dict(options), DRAW_TABLE)
    reader = TableReader()
    found = reader.find("scenario", "scenario", wanted.scenario, SCENARIOS)
    refuse(DRAW_TABLE, reader.faults)
    setup = {**(found or {})}
    units = {unit["name"]: unit for unit in setup["units"]}
    for number, name in enumerate(wanted.without):
        reader.find(f"without[{number}]", "unit", name, units)
    for number, name in enumerate(wanted.clear):
        reader.find(f"clear[{number}]", "terrain", name, charts().terrain)
    refuse(DRAW_TABLE, reader.faults)
    setup["units"] = [unit for name, unit in units.items() if name not in wanted.without]
    field = setup["field"]
    ground = {name: at for name, at in field["ground"].items() if name not in wanted.clear}
    setup["field"] = {**field, "ground": ground}
    first_state(setup, DRAW_TABLE)
    changes = [f"without {', '.join(wanted.without)}"] * bool(wanted.without)
    changes += [f"with {', '.join(wanted.clear)} cleared"] * bool(wanted.clear)
    return " ".join([wanted.scenario, *changes]), setup


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


_COLUMNS = OddsColumns(
    "chance in % that the target is hit, by dice of its defence; distances in points",
    "hit in % by dice against",
    tuple(map(str, range(MOST_DEFENCE + 1))),
    "dice",
    "points",
)
_NOTES = (
    "The book gives no size of squares and counters (BB 2.1, 2.3.2): the counters are drawn without a scale. Their "
    "values are this game's own.",
    "Hits that are left after the cancellations of the defence; in melee with the re-roll of the attacker (BB 8.5, "
    "9.4.6).",
)


def army_list(words: Sequence[str], name: str | None = None) -> ArmyList:
    """Return an army; see `brickphys.rules.report.parts.Parts.army`."""
    setup = setup_in(words, SCENARIOS)
    if setup is None:
        return _listed("army", Counter(named_units(words, name)), _NOTES)
    setting = scenario_report(setup).state.setting
    army = chosen_army(setup, setting.players, name)
    player = setting.players.index(army)
    kinds = Counter(unit.counter.name for unit in setting.units if unit.player == player)
    return _listed(army, kinds, (_command(setting, player), *_NOTES))


def _command(setting: Setting, player: int) -> str:
    """Return the ranks, impulses, rout level and leaders of an army, in a sentence."""
    leaders = [
        f"{spoken(one.name)} (rank {one.rank}, range {one.range_points}, command value {one.value})"
        for one in setting.leaders
        if one.player == player
    ]
    led = f"; led by {', '.join(leaders)}" if leaders else ""
    return (
        f"Ranks {setting.ranks[player]}, impulses {setting.impulses[player]}, "
        f"rout level {setting.rout_levels[player]}{led}."
    )


def _listed(name: str, kinds: Counter[str], notes: tuple[str, ...]) -> ArmyList:
    sheets = counter_sheets(iter(kinds))
    units = tuple(_unit(sheet, kinds[sheet.name]) for sheet in sheets)
    return ArmyList(name, units, _COLUMNS, notes)


def _unit(sheet: CounterSheet, count: int) -> ArmyUnit:
    gear = f"{sheet.about}; values: good order | disrupted"
    numbers = tuple((name, f"{good} | {bad}") for name, good, bad in sheet.rows())
    return ArmyUnit(sheet.name, count, tuple(_attacks(sheet)), sheet, gear=gear, numbers=numbers)


def _attacks(sheet: CounterSheet) -> Iterator[Attack]:
    """Yield missiles, and a melee from the front, from a flank or the rear, and with one rank (BB 8.5, 9.4.4)."""
    counter, dice = sheet.counter, charts().dice
    if counter.good.missile_dice:
        reach = f"to {counter.good.missile_range}"
        yield _attack("missiles", reach, counter.good.missile_dice, 0)
    rerolls = dice["attacker_rerolls"]
    more = dice["immortal"] * counter.is_immortal
    yield _attack("melee", "next to it", sheet.dice + more, rerolls)
    yield _attack("melee, flank or rear", "next to it", sheet.dice + more + dice["vector"], rerolls)
    if counter.has_ranks:
        yield _attack("melee with a rank", "next to it", sheet.dice + more + 1, rerolls)


def _attack(words: str, distance: str, dice: int, rerolls: int) -> Attack:
    chances = [hits_left(dice, other, rerolls)[0] for other in range(MOST_DEFENCE + 1)]
    return Attack(words, distance, None, dice, known_chances(chances))
