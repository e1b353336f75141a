"""Scenario: battles that ship, battles in files, and battles that are drawn at random, before they begin.

The command `scenario` shows one, `sheet` its figures, and `army` the figures of a player with their weapons, as a page
to print.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from brickphys.errors import refuse, unknown
from brickphys.minifig.odds import elimination, shot_shares
from brickphys.minifig.setup import begin, horses
from brickphys.minifig.sheets import (
    BASE_RADIUS_IN,
    INCH_MM,
    MOUNTED,
    RIDER,
    FigureSheet,
    ThingKind,
    charts,
    fighter_kind,
    figure_sheet,
    usual_figures,
)
from brickphys.minifig.state import State
from brickphys.minifig.status import battle_status, circle_aims
from brickphys.odds.law import RollLaw
from brickphys.projectiles.target import target
from brickphys.rules.report.sheets import (
    DEFENCES,
    ArmyList,
    ArmyTotal,
    ArmyUnit,
    Attack,
    Footprint,
    OddsColumns,
    SheetList,
    against_bricks,
    chosen_army,
    named_units,
    setup_in,
)
from brickphys.rules.scenario import Scenario, ScenarioReport, ShippedScenarios
from brickphys.rules.setup import DRAW_TABLE, TableReader, army_label
from brickphys.text import counted, spoken

if TYPE_CHECKING:
    import numpy as np

    from brickphys.minifig.documents import BattleDrawDocument


def parse_scenario(text: str, name: str = "scenario") -> Scenario:
    """Return the scenario in a text; `name` begins the message of an error, a ScenarioFileError."""
    from brickphys.minifig.documents import BattleDocument
    from brickphys.rules.scenario_file import table_scenario

    return table_scenario(text, name, BattleDocument)


SCENARIOS = ShippedScenarios("brickphys.minifig", parse_scenario)
"""The setups that ship, by name."""


PLAYERS = ("red", "blue")
UNITS = (
    "soldier,sword,shield,helmet",
    "soldier,spear,shield",
    "soldier,axe,helmet",
    "soldier,bow",
    "soldier,sword,shield,helmet,mounted",
    "peasant,club",
)
"""Kinds that are drawn by default."""
_ROW, _APART_IN, _EDGE_IN = 10, 1.5, 4.0
"""Figures in a row, how far neighbours and rows are apart, and the first row from the end of the table."""
_WIDTH_IN = (_ROW + 1) * _APART_IN


def draw_battle(
    options: Mapping[str, Any], rng: "np.random.Generator"
) -> tuple[str, dict[str, Any]]:
    """Return a label that names two sides, ``soldier,bow*3 | peasant,club*3``, and the setup of their battle.

    The options are those of `BattleDrawDocument`; InvalidValueError tells their faults.
    """
    from brickphys.minifig.documents import BattleDrawDocument
    from brickphys.schema import validated

    wanted = validated(BattleDrawDocument, dict(options), DRAW_TABLE)
    sides = _sides(wanted, rng)
    deep = _EDGE_IN + (max(map(len, sides)) - 1) // _ROW * _APART_IN
    length = 2 * deep + wanted.apart
    entries = [
        entry
        for player, side in zip(PLAYERS, sides, strict=True)
        for entry in _entries(player, side, deep, length)
    ]
    return " | ".join(army_label(side) for side in sides), {
        "players": [{"name": player} for player in PLAYERS],
        "table": {"width": _WIDTH_IN, "length": length},
        "figure": entries,
        "thing": horses(entries),
        "aims": [{"kind": "rounds", "rounds": wanted.rounds}],
    }


def _sides(wanted: "BattleDrawDocument", rng: "np.random.Generator") -> list[list[str]]:
    """Return the units of both sides: those that are named, or drawn ones."""
    if wanted.sides is not None:
        named = [[entry.partition("*") for entry in side] for side in wanted.sides]
        for number, side in enumerate(named):
            _check_units(f"sides[{number}]", [unit for unit, *_ in side])
        return [[unit for unit, _, times in side for _ in range(int(times or 1))] for side in named]
    units = wanted.units or UNITS
    _check_units("units", units)
    draws = [rng.integers(len(units), size=wanted.figures).tolist() for _ in PLAYERS]
    if wanted.mirror:
        draws[1] = draws[0]
    return [[units[index] for index in draw] for draw in draws]


def _entries(
    player: str, side: Sequence[str], deep: float, length: float
) -> Iterator[dict[str, Any]]:
    """Yield the figures of a side in rows, the first one so deep on the table; the other side is turned by half."""
    is_first = player == PLAYERS[0]
    for number, unit in enumerate(side):
        kind, *gear = unit.split(",")
        row, place = divmod(number, _ROW)
        x, y = (place + 1) * _APART_IN, deep - row * _APART_IN
        name = f"{player}_{number + 1}"
        riding = {"horse": f"{name}_horse"} if MOUNTED in gear else {}
        yield {
            "name": name,
            "player": player,
            "kind": kind,
            "arms": [word for word in gear if word != MOUNTED],
            "x": x if is_first else _WIDTH_IN - x,
            "y": y if is_first else length - y,
            "facing_deg": 90.0 if is_first else 270.0,
            **riding,
        }


def _check_units(key: str, units: Sequence[str]) -> None:
    reader = TableReader()
    for index, unit in enumerate(units):
        kind, *gear = unit.split(",")
        reader.find(f"{key}[{index}]", "kind of figure", kind, charts().kinds)
        for word in gear:
            if word != MOUNTED:
                reader.find(f"{key}[{index}]", "arm", word, charts().arms)
    refuse(DRAW_TABLE, reader.faults)


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
        return SheetList(tuple(map(figure_sheet, usual_figures())))
    if source not in SCENARIOS and not source.endswith(".toml"):
        return SheetList((figure_sheet(source),))
    report = scenario_report(source)
    words = dict.fromkeys(figure_words(report.state))
    return SheetList(tuple(map(figure_sheet, words)), report.armies)


def figure_words(state: State) -> Iterator[str]:
    """Yield the words of each figure, as `brickphys.minifig.sheets` reads them."""
    for number, spec in enumerate(state.setting.figures):
        arms = dict.fromkeys(arm.name for arm in state.arms(number))
        rides = [MOUNTED] * (state.figures[number].horse is not None)
        base = [state.setting.colour(number)] * (spec.experience > 0)
        yield ",".join([spec.kind.name, *arms, *rides, *base])


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


_COLUMNS = OddsColumns(
    "chance in % that the enemy is eliminated, by bricks of its defence; distances in inches",
    "eliminates in % by defence",
    tuple(map(str, DEFENCES)),
    unit="inches (cm)",
)
_NOTES = (
    "Shots are aimed from the front at a figure on foot, alone in the open; what it wears does not count "
    "(MF Projectiles).",
)
_THINGS_NOTE = "The book gives no sizes of horses, wagons and catapults: they are this game's own."
_BANDS_IN = (12.0, 24.0, 48.0)
"""Distances for which the odds of shots are printed, besides the longest range."""
_HORSE = "horse"
_BY_HAND = "hand-to-hand"


def army_list(words: Sequence[str], name: str | None = None) -> ArmyList:
    """Return an army; see `brickphys.rules.report.parts.Parts.army`.

    Figures are named as for the command `sheet`, with what they wear and hold. Things are named by their kinds.
    """
    setup = setup_in(words, SCENARIOS)
    if setup is not None:
        return _army_of_setup(setup, name)
    figures, things = Counter[str](), Counter[str]()
    for word, count in named_units(words, name).items():
        if word in charts().things:
            things[word] += count
        elif fighter_kind(word) in charts().kinds:
            figures[word] += count
        else:
            raise unknown(
                "figure or thing", fighter_kind(word), [*charts().kinds, *charts().things]
            )
    return _listed("army", figures, things)


def _army_of_setup(source: str, name: str | None) -> ArmyList:
    """Return the figures of a player of a setup, and what nobody rides on the table: anybody may use it."""
    state = scenario_report(source).state
    setting = state.setting
    army = chosen_army(source, setting.players, name)
    player = setting.players.index(army)
    words = zip(setting.figures, figure_words(state), strict=True)
    figures = Counter(name for spec, name in words if spec.player == player)
    ridden = {figure.horse for figure in state.figures}
    things = Counter(
        spec.kind.name for number, spec in enumerate(setting.things) if number not in ridden
    )
    return _listed(army, figures, things)


def _listed(name: str, figures: Counter[str], things: Counter[str]) -> ArmyList:
    units = [_figure(figure_sheet(words), count) for words, count in figures.items()]
    units += [_thing(charts().things[kind], count) for kind, count in things.items()]
    shoots = any(one.words != _BY_HAND for unit in units for one in unit.attacks)
    has_things = bool(things) or any(
        isinstance(unit.sheet, FigureSheet) and unit.sheet.is_mounted for unit in units
    )
    notes = _NOTES * shoots + (_THINGS_NOTE,) * has_things
    return ArmyList(name, tuple(units), _COLUMNS, notes)


def _figure(sheet: FigureSheet, count: int) -> ArmyUnit:
    one = sheet.figure
    more = {
        f"more {side}": ", ".join(f"{spoken(row)} +{bricks}" for row, bricks, _ in sheet.more(side))
        for side in sheet.sides
    }
    missiles = dict.fromkeys(arm.missile for arm in one.arms if arm.missile)
    total, points = one.total, one.points
    hand = Attack(_BY_HAND, "touching", 0.0, total, against_bricks(total, points))
    return ArmyUnit(
        sheet.name,
        count,
        (hand, *chain.from_iterable(map(_shots, missiles))),
        sheet,
        _base(sheet),
        sheet.about,
        numbers=(*sheet.numbers(), *more.items()),
        title=sheet.title,
    )


def _base(sheet: FigureSheet) -> Footprint:
    """Return the base of a figure, or the box of the horse that it rides, with its height."""
    if sheet.is_mounted:
        long, wide, _ = charts().things[_HORSE].size_mm
        return Footprint((long, wide), target(RIDER).height_mm, is_on_sheet=True)
    across = 2 * BASE_RADIUS_IN * INCH_MM
    return Footprint((across, across), target(sheet.figure.kind.body).height_mm, is_on_sheet=True)


def _thing(kind: ThingKind, count: int) -> ArmyUnit:
    long, wide, high = kind.size_mm
    attacks = tuple(_shots(kind.missile)) if kind.missile else ()
    size = f"{long:g} x {wide:g} mm, {high:g} mm high"
    numbers = tuple(_numbers(kind))
    return ArmyUnit(kind.name, count, attacks, None, Footprint((long, wide), high), size, numbers)


def _numbers(kind: ThingKind) -> Iterator[tuple[str, str]]:
    """Yield the names and values of the numbers of a thing (MF Movement, MF Projectiles, MF Reloading)."""
    rows = charts().move_in
    if kind.is_ridden:
        late = rows["cavalry"] - rows["mounting"]
        yield "moves", f"{rows['cavalry']:g} in; {late:g} if its rider mounts first"
    if kind.is_hauled:
        yield "moves", f"pushed {rows['pushing']:g} in, pulled by a horse {rows['pulling']:g} in"
    if kind.missile:
        row = charts().missiles[kind.missile]
        after = (
            "" if row.bounced is None else f"; {counted(-row.bounced, 'brick')} less after a bounce"
        )
        yield "stone", f"{row.weapon.range_in:g} in: {counted(row.bricks, 'brick')}{after}"
    if kind.reloads:
        yield "reloads", "a round"


def _shots(missile: str) -> Iterator[Attack]:
    """Yield the shots of a missile at some distances; the bricks of the defence do not matter."""
    row = charts().missiles[missile]
    far = row.weapon.range_in
    for inches in (*(band for band in _BANDS_IN if band < far), far):
        distance_mm = inches * INCH_MM
        distance = f"at {inches:g} ({distance_mm / 10:.0f} cm)"
        chances = partial(_eliminations, missile, inches)
        yield Attack(spoken(missile), distance, distance_mm, row.bricks, chances)


def _eliminations(missile: str, inches: float, law: RollLaw) -> list[Fraction]:
    chance = elimination(missile, shot_shares(missile, inches), law)
    return [chance] * len(DEFENCES)
