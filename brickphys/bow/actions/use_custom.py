"""Use custom: the custom actions of a scenario, trivial and opposed (BOW B.2, B.3)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from brickphys.bow.actions.damage import opponent
from brickphys.bow.actions.doors import is_near_door
from brickphys.bow.actions.effects import apply_effect
from brickphys.bow.actions.reach import in_contact, is_enclosed, sit_together
from brickphys.bow.actions.targets import (
    is_ahead,
    is_hostile,
    resistance,
    target_distance_studs,
    visibility,
)
from brickphys.bow.actions.words import TurnAction
from brickphys.bow.field.facing import FRONT_DEG
from brickphys.bow.field.sight import Visibility
from brickphys.bow.sheets.custom_actions import (
    CustomAction,
    EffectKind,
    OpposedAction,
    Target,
    TargetType,
)
from brickphys.bow.state.state import State
from brickphys.errors import unknown
from brickphys.geometry.polygon import TOLERANCE
from brickphys.rules.events.bricks import OpposedRoll
from brickphys.rules.events.event import Outcome
from brickphys.rules.pending import PendingRoll, scores
from brickphys.rules.words import NAME, without_problems
from brickphys.text import agreed


@dataclass(frozen=True, slots=True)
class Use(TurnAction):
    """Do a custom action to a unit, a vehicle or a door, or to oneself."""

    word = "use"
    arguments = (NAME, NAME)
    action: str
    target: str

    def cost(self, state: State) -> int:
        """Return how many actions it takes from the Action Budget; 1 for an unknown one."""
        action = state.setting.actions.get(self.action)
        return action.actions if action else 1

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield every custom action that the unit can do, with every target."""
        return without_problems(state, cls._affordable(state))

    @classmethod
    def _affordable(cls, state: State) -> Iterator[Self]:
        """Yield the custom actions for which the unit has the ability and enough of its Action Budget."""
        for action in state.setting.actions.values():
            if action.can_act(state.me.sheet) and action.actions <= state.actions_left:
                for target in _targets(state, action):
                    if _is_on_side(state, action.target, target):
                        yield cls(action.name, target)

    def problems(self, state: State) -> Iterator[str]:
        """Yield every condition that fails."""
        setting, me = state.setting, state.my_name
        action = setting.actions.get(self.action)
        if action is None:
            yield f"{unknown('new action', self.action, setting.actions)} (BOW B.2)"
            return
        if not action.has_needed(state.me.sheet):
            yield f"{me} holds no {action.needs} (BOW B.2)"
        elif not action.can_act(state.me.sheet):
            yield f"{me} has no bricks for {action.name} (BOW B.3)"
        if not _is_target(state, action, self.target):
            types, known = " or ".join(one.value for one in action.on), _targets(state, action)
            yield f"{unknown(f'{types} in play', self.target, list(known))} (BOW B.2)"
            return
        if not _is_on_side(state, action.target, self.target):
            yield f"{action.name} can only be used on: {action.target.value} (BOW B.2)"
        if self.target != me:
            yield from _inside_problems(state, self.target)
            yield from _range_problems(state, action, self.target)
        yield from _effect_problems(state, action, self.target)

    def apply(self, state: State) -> State:
        """Apply the effect, or let both sides roll first."""
        action = state.setting.actions[self.action]
        if isinstance(action, OpposedAction):
            return state.push_pending(CustomActionRoll(self.action, self.target))
        return apply_effect(state, action.effect.kind, self.target, action.effect.amount(0))


@dataclass(frozen=True, slots=True)
class CustomActionRoll(PendingRoll[State]):
    """The rolls of an opposed custom action: the ability of the unit against what resists it (BOW B.3)."""

    action: str
    target: str

    def problems(self, state: State) -> list[str]:
        """Return why this cannot be pending."""
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
        """Apply the effect if the unit's score is higher."""
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
        return resistance(state, target)
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
    """Tell whether a name is among the targets of an action, of any side."""
    setting = state.setting
    unit, vehicle = setting.unit_numbers.get(name), setting.vehicle_numbers.get(name)
    if unit is not None:
        return TargetType.UNIT in action.on and state.units[unit].plays
    if vehicle is not None:
        return TargetType.VEHICLE in action.on and not state.vehicles[vehicle].gone
    return TargetType.DOOR in action.on and name in setting.field.doors


def _is_on_side(state: State, side: Target, name: str) -> bool:
    """Tell whether something is of the side to which an action may be done."""
    unit, vehicle = state.setting.unit_numbers.get(name), state.setting.vehicle_numbers.get(name)
    if (side is Target.SELF) != (unit == state.active):
        return False
    if side in (Target.SELF, Target.ANYONE):
        return True
    if unit is not None:
        is_enemy = state.are_enemies(unit, state.active)
    else:
        assert vehicle is not None
        is_enemy = is_hostile(state, vehicle)
    return is_enemy == (side is Target.ENEMY)


def _inside_problems(state: State, target: str) -> Iterator[str]:
    """Yield why an action does not reach out of a vehicle or into it; occupants reach each other and their vehicle."""
    setting, mine = state.setting, state.me.seat
    unit = setting.unit_numbers.get(target)
    if unit is not None and sit_together(state, state.active, unit):
        return
    if mine is not None and setting.vehicles[mine[0]].name == target:
        return
    for number in (state.active, unit):
        if number is not None and is_enclosed(state, number):
            vehicle = setting.vehicles[state.seat_of(number)[0]].name
            yield f"{setting.units[number].name} sits inside {vehicle} (BOW 3.5)"


def _range_problems(state: State, action: CustomAction, target: str) -> Iterator[str]:
    if not action.range_studs:
        is_door = target in state.setting.field.doors
        near = is_near_door(state, target) if is_door else in_contact(state, state.active, target)
        if not near:
            yield f"{target} is not in contact (BOW B.2)"
    elif target_distance_studs(state, target) > action.range_studs + TOLERANCE:
        yield f"{target} is more than {action.range_studs} studs away (BOW B.3)"
    if isinstance(action, OpposedAction) and action.sight:
        if not is_ahead(state, target, 0.0, FRONT_DEG):
            yield f"{target} is not in front (BOW B.3)"
        if visibility(state, target) is Visibility.HIDDEN:
            yield f"{target} is not visible (BOW B.3)"


def _effect_problems(state: State, action: CustomAction, target: str) -> Iterator[str]:
    """Yield why an action would do nothing to its target."""
    if action.effect.kind is EffectKind.OPEN and target in state.open_ids:
        yield f"{target} is already open (BOW 2.3.3)"
    if isinstance(action, OpposedAction) and action.meets_damage and not state.named(target).damage:
        yield f"{target} has no damage (BOW 2.4.4)"
