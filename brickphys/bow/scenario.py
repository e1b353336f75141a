"""Scenario: battles that ship or are written by hand, random armies for studies, and a battle before it begins.

The check of a scenario tells whether its battle can begin and its aims can be met. Random armies are units of the
catalogue in facing lines on a plain field. Scenario files are described in ``docs/scenarios.md``.
"""

from collections.abc import Iterator, Mapping, Sequence
from string import ascii_letters
from typing import TYPE_CHECKING, Any

from brickphys.bow.field import Studs
from brickphys.bow.scene import TREE, UNIT, VEHICLES, aim_areas, field_map
from brickphys.bow.setting import Setting
from brickphys.bow.setup import read_setup
from brickphys.bow.sheets import library
from brickphys.bow.sheets.catalogue import DrawnSheets, drawn_sheets
from brickphys.bow.state import State
from brickphys.bow.terrain import Board, reachable, terrain
from brickphys.bow.turns import UnitPositions
from brickphys.errors import InvalidValueError
from brickphys.rules.aims import Carry, Hold, Reach, RoundLimit
from brickphys.rules.names import heading_text
from brickphys.rules.report.sheets import ArmyTotal
from brickphys.rules.scenario import Scenario, ScenarioReport, ShippedScenarios
from brickphys.rules.setup import DRAW_TABLE, army_label, draw_armies
from brickphys.text import counted

if TYPE_CHECKING:
    import numpy as np

    from brickphys.bow.documents import RandomBattleDocument


def parse_scenario(text: str, name: str = "scenario") -> Scenario:
    """Return the scenario in a text; `name` begins the message of an error, a ScenarioFileError."""
    from brickphys.bow.documents import BattleFormat
    from brickphys.rules import scenario_file

    return scenario_file.parse_scenario(text, name, BattleFormat())


SCENARIOS = ShippedScenarios("brickphys.bow", parse_scenario)
"""The setups that ship, by name."""


PLAYERS = ("red", "blue")
FACINGS = ("e", "w")
_LENGTH = 24
"""Studs along the lines."""
_FRONT = 10
"""Units side by side; further ones stand behind them."""
_STEP = 2
"""Studs from one unit to the next, and from rank to rank."""
_EDGE = 3
"""Studs behind the last rank."""
_WALL_STUDS, _WALL_PLATES = 3, 6
"""Cover: higher than a step (BOW 1.3), and lower than the eyes; our choice."""


def draw_battle(
    options: Mapping[str, Any], rng: "np.random.Generator"
) -> tuple[str, dict[str, Any]]:
    """Return a label that names two armies, ``knight+trooper*2 | archer``, and the setup of their battle.

    The options are those of `RandomBattleDocument`; InvalidValueError has their faults. The generator decides on
    armies, sides, places and cover, and on nothing else.
    """
    from brickphys.bow.documents import RandomBattleDocument
    from brickphys.schema import validated

    wanted = validated(RandomBattleDocument, dict(options), DRAW_TABLE)
    sheets = drawn_sheets(wanted.files)
    prices = {
        name: library.minifig_cost(sheet) for name, sheet in sheets.chosen(wanted.units).items()
    }
    armies = draw_armies(prices, wanted.points, wanted.ratios, rng)
    return " | ".join(map(army_label, armies)), _setup(armies, wanted, sheets, rng)


def _setup(
    armies: Sequence[Sequence[str]],
    wanted: "RandomBattleDocument",
    sheets: DrawnSheets,
    rng: "np.random.Generator",
) -> dict[str, Any]:
    ranks = [-(-len(army) // _FRONT) for army in armies]
    lines = _EDGE + _STEP * (ranks[0] - 1), _EDGE + _STEP * (ranks[0] - 1) + wanted.apart
    width = lines[1] + _STEP * (ranks[1] - 1) + _EDGE + 1
    return {
        "players": [{"name": player} for player in PLAYERS],
        "field": {
            "width": width,
            "length": _LENGTH,
            "decor": list(_cover(wanted.cover, lines[0] + _STEP, lines[1] - _STEP, rng)),
        },
        "units": [
            *_line(armies[0], 0, lines[0], -_STEP),
            *_line(armies[1], 1, lines[1], _STEP),
        ],
        "actions": _actions(armies, sheets.library),
        "aims": [{"kind": "rounds", "rounds": wanted.rounds}],
        **({"library": sheets.tables} if sheets.tables else {}),
    }


def _line(army: Sequence[str], side: int, x: int, back: int) -> Iterator[dict[str, Any]]:
    """Yield the units of an army in ranks, each rank around the middle of the field."""
    for index, sheet in enumerate(army):
        rank, place = divmod(index, _FRONT)
        in_rank = min(_FRONT, len(army) - rank * _FRONT)
        yield {
            "id": f"{PLAYERS[side]}_{index}",
            "sheet": sheet,
            "player": PLAYERS[side],
            "x": x + rank * back,
            "y": _LENGTH // 2 + _STEP * place - in_rank,
            "facing": FACINGS[side],
        }


def _cover(
    count: int, first: int, end: int, rng: "np.random.Generator"
) -> Iterator[dict[str, Any]]:
    """Yield low walls across the way, with room to pass between them."""
    places = [
        (x, y)
        for x in range(first, end, _WALL_STUDS)
        for y in range(1, _LENGTH - _WALL_STUDS, 2 * _WALL_STUDS)
    ]
    if count > len(places):
        raise InvalidValueError(
            f"{DRAW_TABLE}: cover: room for {len(places)} walls between the lines, not for {count}"
        )
    for number, place in enumerate(rng.permutation(len(places))[:count].tolist()):
        x, y = places[place]
        block = [x, y + int(rng.integers(_WALL_STUDS)), 1, _WALL_STUDS]
        yield {"id": f"wall_{number}", "block": block, "top": _WALL_PLATES}


def _actions(armies: Sequence[Sequence[str]], known: library.Library) -> list[str]:
    """Return the new actions (BOW B) whose ability a unit has paid for."""
    paid = {ability for army in armies for name in army for ability, _ in known.units[name].custom}
    return [
        name
        for name, action in known.actions.items()
        if isinstance(action, library.OpposedAction) and action.acting in paid
    ]


def begin(scenario: Scenario, name: str = "scenario") -> State:
    """Return the first state of a scenario.

    ScenarioFileError with every fault of its setup and every aim that cannot be met, as ``key.path: what`` in the file.
    """
    reading = read_setup(scenario.setup)
    found = [*reading.faults]
    if reading.state is not None:
        found += _block_faults(scenario, reading.state)
        if not found:
            found += [*_seat_faults(reading.state), *aim_faults(reading.state)]
    scenario.refuse(name, found)
    assert reading.state is not None
    return reading.state


def _block_faults(scenario: Scenario, state: State) -> Iterator[str]:
    for number, vehicle in enumerate(state.setting.vehicles):
        place = f"vehicles[{number}]"
        if place not in scenario.rectangles:
            continue
        body, block = state.vehicle_body(number), scenario.rectangles[place]
        low, high = body.prism.footprint.box_studs
        wide, long = (end - start for start, end in zip(low, high, strict=True))
        if max(abs(wide - block.width), abs(long - block.length)) >= 1.0:
            yield (
                f"{place}: the block is {block.width} x {block.length} studs, but a {vehicle.sheet.name} "
                f"heading {heading_text(body.heading_deg)} takes {wide:.3g} x {long:.3g}"
            )


def _seat_faults(state: State) -> Iterator[str]:
    """Yield the units that begin in a vehicle of another team, which they can only enter in the battle."""
    setting = state.setting
    for number, (unit, start) in enumerate(zip(setting.units, state.units, strict=True)):
        if start.seat is None:
            continue
        vehicle = setting.vehicles[start.seat[0]]
        if setting.teams[unit.player] != setting.teams[vehicle.player]:
            yield (
                f"units[{number}].vehicle: {unit.name} belongs to {setting.players[unit.player]}, "
                f"{vehicle.name} to {setting.players[vehicle.player]}"
            )


def totals(state: State) -> tuple[ArmyTotal, ...]:
    """Return the size and cost of the army of each player (BOW 1.4.3)."""
    setting = state.setting
    armies = (
        library.Army(
            name,
            tuple(unit.sheet for unit in setting.units if unit.player == player),
            tuple(vehicle.sheet for vehicle in setting.vehicles if vehicle.player == player),
        )
        for player, name in enumerate(setting.players)
    )
    return library.army_totals(tuple(armies))


def aim_faults(state: State) -> list[str]:
    """Return every aim that cannot be met, as ``aims[n]: why``.

    A way to an area is looked for on foot, with every door open that has no lock. Where there are vehicles or new
    actions that move units, units may come there otherwise, and none is looked for.
    """
    if _has_other_ways(state.setting):
        return []
    return [
        f"aims[{index}]: {fault}"
        for index, aim in enumerate(state.setting.aims)
        if not isinstance(aim, RoundLimit)
        for fault in _way_faults(state, aim)
    ]


def _way_faults(state: State, aim: Reach[Studs] | Carry[Studs] | Hold[Studs]) -> Iterator[str]:
    """Yield why the units that an aim needs cannot walk to its area."""
    setting = state.setting
    named = aim.units if isinstance(aim, Reach) else ()
    own = [n for n in range(len(setting.units)) if setting.team(n) == aim.team]
    walkers = named or own
    reached = {unit: _reached(state, unit) for unit in walkers}
    there = [unit for unit in walkers if reached[unit] & aim.area]
    wanted = (len(named) or aim.count) if isinstance(aim, Reach) else 1
    if len(there) < wanted:
        if names := [setting.units[unit].name for unit in named if unit not in there]:
            yield f"{', '.join(names)} cannot walk there"
        else:
            units = "not enough units" if there else "no unit of the team"
            yield f"{units} can walk there"
    elif isinstance(aim, Carry) and not _can_fetch(state, aim.item, there, reached):
        yield f"no unit that can walk there can reach a {aim.item}"


def _can_fetch(state: State, item: str, units: list[int], reached: dict[int, Studs]) -> bool:
    around, positions = state.setting.field.around, UnitPositions(state)
    sources = {stud for stud, name in state.objects if name == item}
    sources |= {
        unit_state.stud
        for unit, unit_state in enumerate(state.units)
        if unit_state.stud is not None and positions.has(unit, item)
    }
    return any(around(reached[unit]) >> stud & 1 for unit in units for stud in sources)


def _reached(state: State, unit: int) -> Studs:
    """Return the studs to which a unit can walk in any number of steps, with every unlocked door open."""
    stud, field = state.units[unit].stud, state.setting.field
    if stud is None:
        return 0
    doors = (decor.id for decor in field.decor if decor.kind.opens and not decor.locked)
    open_field = Board(terrain(field, frozenset(doors)))
    return reachable(open_field, stud, field.width * field.length).studs


def _has_other_ways(setting: Setting) -> bool:
    moving = (library.EffectKind.PUSH, library.EffectKind.LEAP)
    return bool(setting.vehicles) or any(
        action.effect.kind in moving for action in setting.actions.values()
    )


def scenario_map(state: State) -> str:
    """Return the map with a letter for each kind of unit, and a legend of everything on it."""
    chart = field_map(state, letters(state.setting))
    legend = [*_unit_lines(state), *_vehicle_lines(state)]
    return "\n".join([chart, *(f"     {line}" for line in legend)])


def letters(setting: Setting) -> tuple[str, ...]:
    """Return a letter for each unit: one for each sheet of a player, a capital for the first player's if it is free."""
    free = ascii_letters.replace(TREE, "")
    given: dict[tuple[int, str], str] = {}
    for unit in setting.units:
        kind = unit.player, unit.sheet.name
        if kind not in given:
            initial = unit.sheet.name[0]
            wanted = (initial.swapcase(), initial) if not unit.player else (initial,)
            own = ascii_letters[26:] if not unit.player else ascii_letters[:26]
            given[kind] = next((sign for sign in (*wanted, *own, *free) if sign in free), UNIT)
            free = free.replace(given[kind], "")
    return tuple(given[unit.player, unit.sheet.name] for unit in setting.units)


def _unit_lines(state: State) -> Iterator[str]:
    """Yield what each letter stands for: ``k red: knight (arthur, lancelot)``."""
    setting, known = state.setting, letters(state.setting)
    standing = [unit for unit, now in enumerate(state.units) if now.stud is not None]
    for letter in dict.fromkeys(known[unit] for unit in standing):
        units = [setting.units[unit] for unit in standing if known[unit] == letter]
        first = units[0]
        names = ", ".join(unit.name for unit in units)
        yield f"{letter} {setting.players[first.player]}: {first.sheet.name} ({names})"


def _vehicle_lines(state: State) -> Iterator[str]:
    setting = state.setting
    for number, (vehicle, start) in enumerate(zip(setting.vehicles, state.vehicles, strict=True)):
        crew = ", ".join(
            f"{state.seat_of(unit)[1].name} {setting.units[unit].name} ({setting.units[unit].sheet.name})"
            for unit in state.occupants(number)
        )
        owner = f"{VEHICLES[vehicle.player]} {setting.players[vehicle.player]}"
        where = (
            f"around {start.x_studs:g},{start.y_studs:g}, heading {heading_text(start.heading_deg)}"
        )
        yield (
            f"{owner}: {vehicle.name}, a {vehicle.sheet.name} {where}, "
            f"speed {start.speed}; {crew or 'empty'}"
        )


def aim_texts(scenario: Scenario) -> list[str]:
    """Return the aims of a battle, one sentence each."""
    names = {tuple(box): name.replace("_", " ") for name, box in scenario.areas.items()}
    aims = [_aim_text(aim, names) for aim in scenario.setup.get("aims", [])]
    return [*aims, "The last side with units wins."]


def _aim_text(aim: Mapping[str, Any], areas: Mapping[tuple[int, ...], str]) -> str:
    kind, player, rounds = aim["kind"], aim.get("player"), aim.get("rounds")
    if kind == "rounds":
        return f"After {counted(aim['rounds'], 'round')}, the side that has destroyed the most cost points wins."
    x, y, width, length = aim["area"]
    first, last = f"{x},{y}", f"{x + width - 1},{y + length - 1}"
    studs = first if first == last else f"{first} to {last}"
    known = areas.get((x, y, width, length))
    area = f"the {known} ({studs})" if known else studs
    if kind == "hold":
        when = "a round" if rounds == 1 else f"{rounds} rounds in a row"
        return f"{player}: be alone in {area} at the end of {when}."
    if kind == "carry":
        return f"{player}: bring the {aim['item']} to {area}."
    units = " and ".join(aim.get("units", [])) or counted(aim.get("count", 1), "unit")
    return f"{player}: bring {units} to {area}."


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
