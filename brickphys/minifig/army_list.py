"""Army list: the figures of a player of Minifig battles with their weapons, as a page to print shows them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import chain

from brickphys.errors import unknown
from brickphys.minifig.odds.volley import elimination, shot_shares
from brickphys.minifig.report.sheets import FigureSheet, figure_sheet
from brickphys.minifig.scenario_report import figure_words, scenario_report
from brickphys.minifig.setup.scenario_file import SCENARIOS
from brickphys.minifig.sheets.charts import BASE_RADIUS_IN, INCH_MM, RIDER, ThingKind, charts
from brickphys.minifig.sheets.fighter import fighter_kind
from brickphys.odds.law import RollLaw
from brickphys.projectiles.bodies.catalogue import target
from brickphys.rules.report.army import (
    DEFENCES,
    ArmyList,
    ArmyUnit,
    Attack,
    Footprint,
    OddsColumns,
    against_bricks,
)
from brickphys.rules.report.army_words import chosen_army, named_units, setup_in
from brickphys.text import counted, spoken

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
    figures = Counter(
        figure_words(state, number)
        for number, spec in enumerate(setting.figures)
        if spec.player == player
    )
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
