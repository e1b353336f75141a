"""Scenario text: the map of a battle before it begins, with a legend, and its aims as sentences."""

from collections.abc import Iterator, Mapping
from string import ascii_letters
from typing import Any

from brickphys.bow.field.field import Stud
from brickphys.bow.report.field_map import (
    UNIT,
    VEHICLES,
    aim_signs,
    field_map,
    object_signs,
    vehicle_signs,
)
from brickphys.bow.state.setting import Setting
from brickphys.bow.state.state import State
from brickphys.rules.scenario.scenario import Scenario
from brickphys.text import counted

_TREE = "T"


def scenario_map(state: State) -> str:
    """Return the map with a letter for each kind of unit, and a legend of everything on it."""
    known = letters(state.setting)
    marks, meanings = dict[Stud, str](), dict[str, str]()
    for layer, meaning in (aim_signs(state), vehicle_signs(state), object_signs(state)):
        marks, meanings = marks | layer, meanings | meaning
    studs = {number: unit.stud for number, unit in enumerate(state.units) if unit.stud is not None}
    marks |= {stud: known[number] for number, stud in studs.items()}
    legend = [*_unit_lines(state.setting, list(studs)), *_vehicle_lines(state)]
    return "\n".join(
        [field_map(state.board, marks, meanings), *(f"     {line}" for line in legend)]
    )


def letters(setting: Setting) -> tuple[str, ...]:
    """Return a letter for each unit: one for each sheet of a player, a capital for the first player's if it is free."""
    free = ascii_letters.replace(_TREE, "")
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


def _unit_lines(setting: Setting, standing: list[int]) -> Iterator[str]:
    """Yield what each letter stands for: ``k red: knight (arthur, lancelot)``."""
    known = letters(setting)
    for letter in dict.fromkeys(known[unit] for unit in standing):
        units = [setting.units[unit] for unit in standing if known[unit] == letter]
        first = units[0]
        names = ", ".join(unit.name for unit in units)
        yield f"{letter} {setting.players[first.player]}: {first.sheet.name} ({names})"


def _vehicle_lines(state: State) -> Iterator[str]:
    """Yield the vehicles with the units in them."""
    setting = state.setting
    for number, (vehicle, start) in enumerate(zip(setting.vehicles, state.vehicles, strict=True)):
        crew = ", ".join(
            f"{state.seat_of(unit)[1].name} {setting.units[unit].name} ({setting.units[unit].sheet.name})"
            for unit in state.occupants(number)
        )
        owner = f"{VEHICLES[vehicle.player]} {setting.players[vehicle.player]}"
        where = f"around {start.x_studs:g},{start.y_studs:g}, heading {start.heading_deg:g}"
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
