"""Use custom: the custom actions of a scenario, trivial and opposed, and their effects (BOW B.2, B.3)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Self

from brickphys.bow.actions import movement, targets
from brickphys.bow.actions.damage import heal, hurt, opponent
from brickphys.bow.field import FRONT_DEG, Stud
from brickphys.bow.sheets.gear import Item, Place
from brickphys.bow.sheets.library import (
    CustomAction,
    EffectKind,
    OpposedAction,
    TargetSide,
    TargetType,
)
from brickphys.bow.sight import Visibility
from brickphys.bow.state import MOST_GUARD_BRICKS, State, UnitNumber
from brickphys.bow.terrain import reachable
from brickphys.errors import unknown
from brickphys.geometry.polygon import TOLERANCE
from brickphys.grid.grid import DIRECTIONS, each
from brickphys.rules.events import Outcome
from brickphys.rules.moves import Among, Move
from brickphys.rules.rolls import OpposedRoll
from brickphys.rules.turn_state import PendingRoll, Question, scores
from brickphys.rules.words import NAME
from brickphys.text import agreed, spoken


def apply_effect(state: State, what: EffectKind, target: str, points: int) -> State:
    """Apply an effect of some points to a unit, a vehicle, or a door or window, by its name."""
    if what in _EFFECTS_ON_UNITS:
        return _EFFECTS_ON_UNITS[what](state, state.setting.unit_numbers[target], points)
    return _EFFECTS[what](state, target, points)


def _push(state: State, target: int, points: int) -> State:
    """Push the target away stud by stud, up to the first obstacle; who belongs to a vehicle is not moved (ours)."""
    unit_state = state.units[target]
    if unit_state.stud is None or not unit_state.on_foot:
        return state
    dx, dy = _away(state, target)
    field, stud = state.setting.field, unit_state.stud
    for _ in range(points):
        x, y = field.xy(stud)
        if not (0 <= x + dx < field.width and 0 <= y + dy < field.length):
            break
        there = field.stud(x + dx, y + dy)
        if not reachable(state.board, stud, 1).studs >> there & 1:
            break
        stud = there
        state = state.with_unit(target, replace(unit_state, stud=stud))
    return state


def _away(state: State, target: int) -> tuple[int, int]:
    """Return the one of the eight directions that is nearest to the line from the active unit to another."""
    here, there = state.stance(state.active), state.stance(target)
    dx, dy = there.x_studs - here.x_studs, there.y_studs - here.y_studs
    scale = [1.0 if x == 0 or y == 0 else 0.5**0.5 for x, y in DIRECTIONS]
    ahead = [s * (x * dx + y * dy) for (x, y), s in zip(DIRECTIONS, scale, strict=True)]
    return DIRECTIONS[ahead.index(max(ahead))]


def _leap(state: State, target: int, points: int) -> State:
    if not state.units[target].on_foot:
        return state
    return state.push_pending(Leaping(target, points))


def _guard(state: State, target: int, points: int) -> State:
    unit_state = state.units[target]
    guard = min(unit_state.guard + points, MOST_GUARD_BRICKS)
    return state.with_unit(target, replace(unit_state, guard=guard))


def _hold(state: State, target: int, points: int) -> State:
    unit_state = state.units[target]
    return state.with_unit(target, replace(unit_state, held_up=unit_state.held_up + points))


def _disarm(state: State, target: int, points: int) -> State:
    """Drop objects held, in the order of names and a shield last, until a number of hands are empty."""
    unit_state, dropped = state.units[target], list[Item]()
    for item in unit_state.sheet.gear.held:
        if sum(other.hands for other in dropped) < points:
            dropped.append(item)
    sheet = unit_state.sheet
    for item in dropped:
        sheet = sheet.take(item, Place.HELD)
    stud = movement.ground_stud(state, target)
    state = state.with_unit(target, replace(unit_state, sheet=sheet))
    return state.with_objects(*((stud, item.name) for item in dropped))


def _damage(state: State, target: str, points: int) -> State:
    return hurt(state, target, points, state.player, state.player)


_EFFECTS: dict[EffectKind, Callable[[State, str, int], State]] = {
    EffectKind.DAMAGE: _damage,
    EffectKind.HEAL: heal,
    EffectKind.OPEN: lambda state, door, _: state.replaced({"open_ids": state.open_ids | {door}}),
    EffectKind.NOTHING: lambda state, *_: state,
}
_EFFECTS_ON_UNITS: dict[EffectKind, Callable[[State, int, int], State]] = {
    EffectKind.PUSH: _push,
    EffectKind.LEAP: _leap,
    EffectKind.GUARD: _guard,
    EffectKind.HOLD: _hold,
    EffectKind.DISARM: _disarm,
}


@dataclass(frozen=True, slots=True)
class Leap(Move[State]):
    """The stud on which a leaping unit lands: a free one within the leap, or its own."""

    word = "leap"
    section = "BOW B.2"
    to: Annotated[movement.Cell, movement.CELL]

    @classmethod
    def listed(cls, state: State) -> Iterator[Self]:
        field, stud = state.setting.field, _leaper(state)[1]
        leaps = (cls(field.xy(there)) for there in each(state.board.free | 1 << stud))
        return movement.unrefused(state, leaps)

    def refusals(self, state: State, to: movement.Cell) -> Iterator[str]:
        leaping, own = _leaper(state)
        stud = movement.stud_on_field(state, to)
        if stud is None:
            yield movement.outside_field(state, to)
            return
        yield from movement.standing_problems(state, stud, but=own)
        x, y = state.setting.field.xy(own)
        far = (to[0] - x) ** 2 + (to[1] - y) ** 2
        if far > leaping.studs**2 + TOLERANCE:
            yield f"{movement.CELL.write(to)} is more than {leaping.studs} studs away"

    def result(self, state: State, to: movement.Cell) -> State:
        unit = _leaper(state)[0].unit
        unit_state = replace(state.units[unit], stud=state.setting.field.stud(*to))
        return state.pop_pending().with_unit(unit, unit_state)


@dataclass(frozen=True, slots=True)
class Leaping(Question[State]):
    """The question where a leaping unit lands (BOW B.2)."""

    answers = (Leap,)
    unit: UnitNumber
    studs: Annotated[int, range(1, 10_000)]

    def problems(self, state: State) -> list[str]:
        on_foot = state.units[self.unit].on_foot
        return [] if on_foot else [f"unit: {self.unit} is not on foot"]

    def prompt(self, state: State) -> str:
        return f"the stud to which {spoken(state.setting.units[self.unit].name)} leaps"


def _leaper(state: State) -> tuple[Leaping, Stud]:
    leaping = state.awaited(Leaping)
    stud = state.units[leaping.unit].stud
    assert stud is not None
    return leaping, stud


@dataclass(frozen=True, slots=True)
class Use(movement.TurnMove):
    """Do a custom action to a unit, a vehicle or a door, or to oneself."""

    word = "use"
    section = "BOW B.2"
    action: Annotated[str, Among("new action", lambda state: state.setting.actions)]
    target: Annotated[str, NAME]

    def cost(self, state: State) -> int:
        """Return how many actions it takes from the Action Budget; 1 for an unknown one."""
        action = state.setting.actions.get(self.action)
        return action.actions if action else 1

    @classmethod
    def listed(cls, state: State) -> Iterator[Self]:
        return movement.unrefused(state, cls._affordable(state))

    @classmethod
    def _affordable(cls, state: State) -> Iterator[Self]:
        """Yield the custom actions for which the unit has the ability and enough of its Action Budget."""
        for action in state.setting.actions.values():
            if action.can_act(state.me.sheet) and action.actions <= state.actions_left:
                for target in _targets(state, action):
                    if _is_on_side(state, action.target, target):
                        yield cls(action.name, target)

    def refusals(self, state: State, action: CustomAction, target: str) -> Iterator[str]:
        me = state.my_name
        if not action.has_needed(state.me.sheet):
            yield f"{me} holds no {action.needs}"
        elif not action.can_act(state.me.sheet):
            yield f"{me} has no bricks for {action.name} (BOW B.3)"
        if not _is_target(state, action, target):
            types, known = " or ".join(one.value for one in action.on), _targets(state, action)
            yield str(unknown(f"{types} in play", target, list(known)))
            return
        if not _is_on_side(state, action.target, target):
            yield f"{action.name} can only be used on: {action.target.value}"
        if target != me:
            yield from _inside_problems(state, target)
            yield from _range_problems(state, action, target)
        yield from _effect_problems(state, action, target)

    def result(self, state: State, action: CustomAction, target: str) -> State:
        if isinstance(action, OpposedAction):
            return state.push_pending(CustomActionRoll(action.name, target))
        return apply_effect(state, action.effect.kind, target, action.effect.amount(0))


@dataclass(frozen=True, slots=True)
class CustomActionRoll(PendingRoll[State]):
    """The rolls of an opposed custom action: the ability of the unit against what resists it (BOW B.3)."""

    action: str
    target: str

    def problems(self, state: State) -> list[str]:
        action = state.setting.actions.get(self.action)
        if not isinstance(action, OpposedAction):
            return [f"action: no opposed action {self.action!r}"]
        if not _is_target(state, action, self.target):
            return [f"target: {self.target!r} is not a target in play of {self.action}"]
        return []

    def event(self, state: State) -> OpposedRoll:
        """Return both rolls; an opponent of the unit rolls damage points (BOW 2.4.4)."""
        setting, action = state.setting, _opposed(state, self.action)
        reason = f"{setting.units[state.active].name}: {self.action} on {self.target}"
        if action.meets_damage:
            rival = setting.players[opponent(state, state.player)]
            reason += f", {agreed(rival, 'roll')} its damage"
        acting = state.me.sheet.ability(action.acting)
        return OpposedRoll(acting, _resisting(state, action, self.target), reason)

    def settle(self, state: State, outcome: Outcome) -> State:
        acting, resisting = scores(outcome)
        if acting <= resisting:
            return state
        what = _opposed(state, self.action).effect
        return apply_effect(state, what.kind, self.target, what.amount(acting - resisting))


def _opposed(state: State, name: str) -> OpposedAction:
    action = state.setting.actions[name]
    assert isinstance(action, OpposedAction)
    return action


def _resisting(state: State, action: OpposedAction, target: str) -> int:
    """Return the bricks that resist: damage points, the Dodge/Armor of a vehicle, or the ability of a unit."""
    if action.meets_damage:
        return state.named(target).damage
    unit = state.setting.unit_numbers.get(target)
    if unit is None or action.resisting == "dodge_armor":
        return targets.resistance(state, target)
    return state.units[unit].sheet.ability(action.resisting)


def _targets(state: State, action: CustomAction) -> Iterator[str]:
    """Yield everything in play of the types to which an action may be done, of any side."""
    setting = state.setting
    if TargetType.UNIT in action.on:
        yield from (setting.units[unit].name for unit, _ in state.in_play())
    if TargetType.VEHICLE in action.on:
        yield from (setting.vehicles[vehicle].name for vehicle in state.vehicles_left)
    if TargetType.DOOR in action.on:
        yield from setting.field.doors


def _is_target(state: State, action: CustomAction, name: str) -> bool:
    setting = state.setting
    unit, vehicle = setting.unit_numbers.get(name), setting.vehicle_numbers.get(name)
    if unit is not None:
        return TargetType.UNIT in action.on and state.units[unit].plays
    if vehicle is not None:
        return TargetType.VEHICLE in action.on and not state.vehicles[vehicle].gone
    return TargetType.DOOR in action.on and name in setting.field.doors


def _is_on_side(state: State, side: TargetSide, name: str) -> bool:
    """Tell whether something is of the side to which an action may be done."""
    unit, vehicle = state.setting.unit_numbers.get(name), state.setting.vehicle_numbers.get(name)
    if (side is TargetSide.SELF) != (unit == state.active):
        return False
    if side in (TargetSide.SELF, TargetSide.ANYONE):
        return True
    if unit is not None:
        is_enemy = state.are_enemies(unit, state.active)
    else:
        assert vehicle is not None
        is_enemy = targets.is_hostile(state, vehicle)
    return is_enemy == (side is TargetSide.ENEMY)


def _inside_problems(state: State, target: str) -> Iterator[str]:
    """Yield why an action does not reach out of a vehicle or into it; occupants reach each other and their vehicle."""
    setting, mine = state.setting, state.me.seat
    unit = setting.unit_numbers.get(target)
    if unit is not None and movement.sit_together(state, state.active, unit):
        return
    if mine is not None and setting.vehicles[mine[0]].name == target:
        return
    for number in (state.active, unit):
        if number is not None and movement.is_enclosed(state, number):
            vehicle = setting.vehicles[state.seat_of(number)[0]].name
            yield f"{setting.units[number].name} sits inside {vehicle} (BOW 3.5)"


def _range_problems(state: State, action: CustomAction, target: str) -> Iterator[str]:
    if not action.range_studs:
        is_door = target in state.setting.field.doors
        near = (
            movement.is_near_door(state, target)
            if is_door
            else movement.in_contact(state, state.active, target)
        )
        if not near:
            yield f"{target} is not in contact (BOW B.2)"
    elif targets.target_distance_studs(state, target) > action.range_studs + TOLERANCE:
        yield f"{target} is more than {action.range_studs} studs away (BOW B.3)"
    if isinstance(action, OpposedAction) and action.sight:
        if not targets.is_ahead(state, target, 0.0, FRONT_DEG):
            yield f"{target} is not in front (BOW B.3)"
        if targets.visibility(state, target) is Visibility.HIDDEN:
            yield f"{target} is not visible (BOW B.3)"


def _effect_problems(state: State, action: CustomAction, target: str) -> Iterator[str]:
    if action.effect.kind is EffectKind.OPEN and target in state.open_ids:
        yield f"{target} is already open (BOW 2.3.3)"
    if isinstance(action, OpposedAction) and action.meets_damage and not state.named(target).damage:
        yield f"{target} has no damage (BOW 2.4.4)"
