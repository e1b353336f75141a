"""Targets: whom the units of an activation can attack (BB 8.6, 9.1), and why they cannot attack another one."""

from collections.abc import Iterator, Mapping

from brickphys.blade_and_bow import ground
from brickphys.blade_and_bow.command.formation import engaged, has_wall, reach, shot_at
from brickphys.blade_and_bow.pieces import FormationOrder
from brickphys.blade_and_bow.setting import UnitNumber
from brickphys.blade_and_bow.state import State
from brickphys.errors import unknown
from brickphys.grid.grid import Square
from brickphys.text import counted, spoken


def target_name(state: State, target: UnitNumber | None) -> str:
    """Return the name of a unit that the player whose impulse it is attacks, or of the enemy's camp."""
    if target is not None:
        return state.setting.units[target].name
    return camp_name(state, 1 - state.mover)


def camp_name(state: State, player: int) -> str:
    """Return the name of a player's camp."""
    return f"camp_{state.setting.players[player]}"


def targets(state: State) -> Mapping[UnitNumber | None, tuple[UnitNumber, ...]]:
    """Return whom the waiting units of the activation can attack, and which of them; worked out once for a state.

    Who was attacked in this action is left out (BB 8.6, 9.1). The camp of the enemy without a unit on it is None.
    """
    known: dict[str, Mapping[UnitNumber | None, tuple[UnitNumber, ...]]] = vars(state)
    if "targets" not in known:
        attacked = shot_at if is_volley(state) else engaged
        found: dict[UnitNumber | None, tuple[UnitNumber, ...]] = {}
        for unit in state.activated.waiting:
            if state.units[unit].square is not None and not state.units[unit].disrupted:
                for target in attacked(state, unit):
                    if not _is_struck(state, target):
                        found[target] = (*found.get(target, ()), unit)
        known["targets"] = found
    return known["targets"]


def is_volley(state: State) -> bool:
    """Whether the units that are activated shoot."""
    return state.activated.order is FormationOrder.SHOOT


def _is_struck(state: State, target: UnitNumber | None) -> bool:
    """Whether a unit, or the camp of the enemy, was attacked in this action."""
    activation = state.activated
    return activation.struck_camp if target is None else target in activation.struck


def target_faults(state: State, name: str) -> Iterator[str]:
    """Yield why no unit that waits can attack who has a name: every rule that it breaks, or what each unit lacks."""
    specs, enemy = state.setting.units, 1 - state.mover
    owners = {spec.name: spec.player for spec in specs}
    owners |= {camp_name(state, player): player for player in range(len(state.camps))}
    if name not in owners:
        foes = (one for one, player in owners.items() if player == enemy)
        yield f"{unknown('target', name, foes)} (BB 9.1)"
        return
    if owners[name] != enemy:
        yield f"{spoken(name)} belongs to {state.player_name(state.mover)} (BB 9.1)"
        return
    target = state.setting.unit_numbers.get(name)
    square = state.camps[enemy] if target is None else state.units[target].square
    if square is None:
        yield f"{spoken(name)} is not on the map (BB 9.1)"
    elif target is None and state.sacked[enemy]:
        yield f"{spoken(name)} has been sacked (BB 12)"
    elif target is None and (holder := state.at.get(square)) is not None:
        yield f"{state.unit_name(holder)} is in {spoken(name)}: attack that unit (BB 12)"
    elif target is None and is_volley(state):
        yield f"nobody shoots at {spoken(name)}: only units are aimed at (BB 8.6)"
    elif _is_struck(state, target):
        yield f"{spoken(name)} has been attacked in this action (BB 8.6, 9.1)"
    else:
        lacking = dict[str, list[str]]()
        for unit in state.activated.waiting:
            fault = attack_fault(state, unit, square)
            lacking.setdefault(fault, []).append(state.unit_name(unit))
        yield from (f"{', '.join(units)}: {fault}" for fault, units in lacking.items())


def attack_fault(state: State, unit: UnitNumber, square: Square) -> str:
    """Return why a unit of the activation cannot attack the enemy in a square; empty if it can."""
    now = state.units[unit]
    if now.square is None:
        return "not on the map (BB 9.1)"
    if now.disrupted:
        return "disrupted (BB 3.5)"
    return (_volley_fault if is_volley(state) else _melee_fault)(state, unit, square)


def _melee_fault(state: State, unit: UnitNumber, square: Square) -> str:
    here, facing, grid = state.square_of(unit), state.units[unit].facing, state.setting.grid
    whom = _whom(state, square)
    if ground.direction(grid, here, square) is None:
        return f"not beside {whom} (BB 9.1)"
    if square not in ground.front(grid, here, facing):
        return f"{whom} is not in front (BB 9.1)"
    ahead = ground.neighbours(grid)[here][facing]
    enemies = ground.enemy_squares(state, state.mover)
    if ahead is not None and ahead != square and enemies >> ahead & 1:
        return f"{_whom(state, ahead)} is straight ahead, so nobody else can be attacked (BB 9.1)"
    return f"a wall is before {whom} (BB 9.1)" if has_wall(state, here, square) else ""


def _volley_fault(state: State, unit: UnitNumber, square: Square) -> str:
    here, grid, whom = state.square_of(unit), state.setting.grid, _whom(state, square)
    if not state.side(unit).missile_dice:
        return "no missiles (BB 2.3.2.3)"
    if ground.zones(state, 1 - state.mover).all >> here & 1:
        return "in an enemy zone (BB 8.1)"
    away, most = ground.points(grid, here, square), reach(state, unit)
    if away > most:
        return f"{whom} is {counted(away, 'point')} away, and the reach is {most} (BB 8.2)"
    if not ground.sees(state, here, square):
        return f"{whom} is out of sight (BB 8.3, 3.3)"
    turns = ground.turns_to_aim(state, unit, square) and state.units[unit].wall
    return (
        f"{whom} is outside the arc, and a shield wall does not turn (BB 8.4, 13.2)"
        if turns
        else ""
    )


def _whom(state: State, square: Square) -> str:
    """Return the name of the enemy in a square: a unit, or the camp."""
    return spoken(target_name(state, state.at.get(square)))
