"""Army list: the units of an army of Blade & Bow with their dice, as a page to print shows them."""

from collections import Counter
from collections.abc import Iterator, Sequence

from brickphys.blade_and_bow.odds.card import MOST_DEFENCE, hits_left
from brickphys.blade_and_bow.report.sheets import CounterSheet, counter_sheets
from brickphys.blade_and_bow.scenario_report import scenario_report
from brickphys.blade_and_bow.setup.scenario_file import SCENARIOS
from brickphys.blade_and_bow.sheets.charts import charts
from brickphys.blade_and_bow.state.setting import Setting
from brickphys.rules.report.army import ArmyList, ArmyUnit, Attack, OddsColumns, known_chances
from brickphys.rules.report.army_words import chosen_army, named_units, setup_in
from brickphys.text import spoken

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
    """Return a kind of unit."""
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
