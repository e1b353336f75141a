"""Scenario check: whether the battle of a scenario can begin and its aims can be met; the costs of its armies."""

from collections.abc import Iterator

from brickphys.bow.field.board import Board
from brickphys.bow.field.field import Studs
from brickphys.bow.field.terrain import terrain
from brickphys.bow.field.walk import reachable
from brickphys.bow.setup.setup import read_setup
from brickphys.bow.sheets.army import Army
from brickphys.bow.sheets.cost import army_totals
from brickphys.bow.sheets.custom_actions import EffectKind
from brickphys.bow.state.setting import Setting
from brickphys.bow.state.state import State
from brickphys.bow.turns.victory import UnitPositions
from brickphys.rules.aims.aims import Carry, Hold, Reach, RoundLimit
from brickphys.rules.report.sheets import ArmyTotal
from brickphys.rules.scenario.scenario import Scenario


def begin(scenario: Scenario, name: str = "scenario") -> State:
    """Return the first state of a scenario.

    Raises
    ------
    ScenarioFileError
        With every fault of its setup and every aim that cannot be met, as ``key.path: what`` in the file.
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
    """Yield the vehicles that are not as large as the blocks that are drawn for them."""
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
                f"heading {body.heading_deg:g} takes {wide:.3g} x {long:.3g}"
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
        Army(
            name,
            tuple(unit.sheet for unit in setting.units if unit.player == player),
            tuple(vehicle.sheet for vehicle in setting.vehicles if vehicle.player == player),
        )
        for player, name in enumerate(setting.players)
    )
    return army_totals(tuple(armies))


def aim_faults(state: State) -> list[str]:
    """Return every aim that cannot be met, as ``aims[n]: why``.

    A way to an area is looked for on foot, with every door open that has no lock. Where there are vehicles or new
    actions that move units, units may come there otherwise, and none is looked for.

    Parameters
    ----------
    state
        Where the battle begins.
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
    """Tell whether one of some units can walk beside an item, or beside a unit that has one."""
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
    moving = (EffectKind.PUSH, EffectKind.LEAP)
    return bool(setting.vehicles) or any(
        action.effect.kind in moving for action in setting.actions.values()
    )
