"""Use custom: the custom actions of a scenario, trivial and opposed (BOW B.2, B.3)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from brickphys.bow.actions.effects import apply_effect
from brickphys.bow.actions.reach import in_contact, is_enclosed, sit_together
from brickphys.bow.actions.targets import is_ahead, target_distance_studs, visibility
from brickphys.bow.actions.words import TurnAction
from brickphys.bow.field.facing import FRONT_DEG
from brickphys.bow.field.sight import Visibility
from brickphys.bow.sheets.custom_actions import CustomAction, OpposedAction, Target, has_needed
from brickphys.bow.state.state import State
from brickphys.errors import unknown
from brickphys.geometry.polygon import TOLERANCE
from brickphys.rules.events.bricks import OpposedRoll
from brickphys.rules.events.event import Outcome
from brickphys.rules.pending import PendingRoll, scores
from brickphys.rules.words import NAME, without_problems


@dataclass(frozen=True, slots=True)
class Use(TurnAction):
    """Do a custom action to a unit, or to oneself."""

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
        units = state.setting.units
        for action in state.setting.actions.values():
            if action.can_act(state.me.sheet) and action.actions <= state.actions_left:
                for unit, _ in state.in_play():
                    if _fits(state, action, unit):
                        yield cls(action.name, units[unit].name)

    def problems(self, state: State) -> Iterator[str]:
        """Yield every condition that fails."""
        setting, me = state.setting, state.setting.units[state.active].name
        action = setting.actions.get(self.action)
        unit = setting.unit_numbers.get(self.target)
        if action is None:
            yield f"{unknown('new action', self.action, setting.actions)} (BOW B.2)"
            return
        if not has_needed(action, state.me.sheet):
            yield f"{me} holds no {action.needs} (BOW B.2)"
        elif not action.can_act(state.me.sheet):
            yield f"{me} has no bricks for {action.name} (BOW B.3)"
        if unit is None or not state.units[unit].plays:
            playing = [setting.units[number].name for number, _ in state.in_play()]
            yield f"{unknown('unit in play', self.target, playing)} (BOW B.2)"
            return
        if not _fits(state, action, unit):
            yield f"{action.name} is done to: {action.target.value} (BOW B.2)"
        if unit != state.active:
            yield from _inside_problems(state, unit)
            yield from _range_problems(state, action, self.target)

    def apply(self, state: State) -> State:
        """Apply the effect, or let both sides roll first."""
        action = state.setting.actions[self.action]
        unit = state.setting.unit_numbers[self.target]
        if isinstance(action, OpposedAction):
            return state.push_pending(CustomActionRoll(self.action, unit))
        return apply_effect(state, action.effect.kind, unit, action.effect.amount(0))


@dataclass(frozen=True, slots=True)
class CustomActionRoll(PendingRoll[State]):
    """The rolls of an opposed custom action: the ability of the unit against that of the target (BOW B.3)."""

    action: str
    target: int

    def problems(self, state: State) -> list[str]:
        """Return why this cannot be pending."""
        known = isinstance(state.setting.actions.get(self.action), OpposedAction)
        faults = [] if known else [f"action: no opposed action {self.action!r}"]
        if not (0 <= self.target < len(state.units) and state.units[self.target].plays):
            faults.append(f"target: {self.target} is no unit in play")
        return faults

    def event(self, state: State) -> OpposedRoll:
        """Return both rolls."""
        units = state.setting.units
        acting, resisting = _opposed(state, self.action).bricks(
            state.me.sheet, state.units[self.target].sheet
        )
        reason = f"{units[state.active].name}: {self.action} on {units[self.target].name}"
        return OpposedRoll(acting, resisting, reason)

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


def _fits(state: State, action: CustomAction, unit: int) -> bool:
    """Tell whether a custom action may be done to a unit."""
    if action.target is Target.SELF:
        return unit == state.active
    if unit == state.active:
        return False
    enemy = state.are_enemies(unit, state.active)
    return action.target is Target.ANYONE or enemy == (action.target is Target.ENEMY)


def _inside_problems(state: State, unit: int) -> Iterator[str]:
    """Yield why an action does not reach out of a vehicle or into it; occupants of one vehicle reach each other."""
    if sit_together(state, state.active, unit):
        return
    for number in (state.active, unit):
        if is_enclosed(state, number):
            vehicle = state.setting.vehicles[state.seat_of(number)[0]].name
            yield f"{state.setting.units[number].name} sits inside {vehicle} (BOW 3.5)"


def _range_problems(state: State, action: CustomAction, target: str) -> Iterator[str]:
    if not action.range_studs:
        if not in_contact(state, state.active, target):
            yield f"{target} is not in contact (BOW B.2)"
    elif target_distance_studs(state, target) > action.range_studs + TOLERANCE:
        yield f"{target} is farther than {action.range_studs} studs (BOW B.3)"
    if isinstance(action, OpposedAction) and action.sight:
        if not is_ahead(state, target, 0.0, FRONT_DEG):
            yield f"{target} is not in front (BOW B.3)"
        if visibility(state, target) is Visibility.HIDDEN:
            yield f"{target} is not visible (BOW B.3)"
