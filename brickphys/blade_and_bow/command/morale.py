"""Morale: morale rolls, rout checks and rally; leaders who fall, units that are disrupted or lose ranks.

- Leaders are killed or captured, units are disrupted or lose ranks (BB 3.6, 6.3, 6.4, 10).
- The morale of an army, what changes the dice of a unit, and rolls that pass or fail (BB 3.4).
- The checks of a unit that cannot sustain its hits (BB 9.4.10, 6.5).
- Disrupted units return to good order, and face as they like (BB 11.0).
"""

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, ClassVar

from brickphys.blade_and_bow.command import actions
from brickphys.blade_and_bow.deck import EffectVerb
from brickphys.blade_and_bow.ground import turns, zones
from brickphys.blade_and_bow.pieces import Box, FormationOrder
from brickphys.blade_and_bow.setting import LeaderNumber, UnitNumber
from brickphys.blade_and_bow.sheets import FACES, charts
from brickphys.blade_and_bow.state import State
from brickphys.grid.grid import FACINGS
from brickphys.rules.events import Outcome
from brickphys.rules.moves import OptionAnswer
from brickphys.rules.rolls import DiceCount
from brickphys.rules.turn_state import Count, FollowUp, PendingRoll, scores
from brickphys.text import spoken


def disrupted(state: State, unit: int) -> State:
    """Return the state with a unit on its disrupted side, without a shield wall (BB 10, 13.3)."""
    return state.change_unit(unit, disrupted=True, wall=False)


def ranks_lost(state: State, unit: int, count: int) -> State:
    """Return the state in which a unit has lost ranks, each of which is a loss (BB 3.6, 14.4)."""
    now = state.units[unit]
    state = state.change_unit(unit, ranks=now.ranks - count, lost=now.lost + count)
    return state.with_losses(state.player_of(unit), count)


def taken_off(state: State, unit: int, box: Box) -> State:
    """Return the state with a unit off the map, in a box, and its leaders in the box of routed units (BB 6.3)."""
    here = state.leaders_with(unit)
    state = state.out_of_play(unit, box)
    for leader in here:
        state = state.change_leader(leader, box=Box.ROUTED, square=None)
    return state


def leader_checks(state: State, unit: int) -> State:
    """Roll for each leader who is stacked with a unit that sustains hits (BB 6.3)."""
    return state.push_pending(*(LeaderRoll(leader, False) for leader in state.leaders_with(unit)))


def captured(state: State, leader: int) -> State:
    """Roll for a leader without a unit whose square the enemy enters: if he lives, he is captured (BB 6.4)."""
    return state.push_pending(LeaderRoll(leader, True))


def entered(state: State, unit: int) -> State:
    """Capture the enemy leaders in the square that a unit has entered."""
    player = state.player_of(unit)
    for leader in state.leaders_with(unit):
        if state.setting.leaders[leader].player != player:
            state = captured(state, leader)
    return state


def displaced(state: State, leader: int) -> State:
    """Return the state with a captured leader on the turn track (BB 6.4)."""
    returns = state.turn + charts().leaders["captive_turns"]
    return state.change_leader(leader, box=Box.CAPTURED, square=None, returns=returns)


@dataclass(frozen=True, slots=True)
class _LeaderDie(PendingRoll[State]):
    """A die for a leader."""

    leader: LeaderNumber
    caught: bool
    """Whether the enemy has entered his square: then he is captured unless killed."""

    def lapses(self, state: State) -> bool:
        return state.leaders[self.leader].box is not Box.MAP

    @abstractmethod
    def unlucky(self, state: State) -> State:
        """Return the state after the first class of faces."""

    def settle(self, state: State, outcome: Outcome) -> State:
        unlucky, _ = scores(outcome)
        if unlucky:
            return self.unlucky(state)
        return displaced(state, self.leader) if self.caught else state


@dataclass(frozen=True, slots=True)
class LeaderRoll(_LeaderDie):
    """The first die for a leader: whether he is in danger."""

    def event(self, state: State) -> DiceCount:
        faces = FACES + 1 - charts().leaders["killed_from"]
        name = state.leader_name(self.leader)
        return DiceCount.of(1, f"danger for {name}", danger=faces, none=FACES - faces)

    def unlucky(self, state: State) -> State:
        death = DeathRoll(self.leader, self.caught)
        certain = state.setting.leaders[self.leader].value >= FACES
        return death.unlucky(state) if certain else state.push_pending(death)


@dataclass(frozen=True, slots=True)
class DeathRoll(_LeaderDie):
    """The second die for a leader: he is killed by a face up to his command value."""

    def problems(self, state: State) -> list[str]:
        value = state.setting.leaders[self.leader].value
        return [] if value < FACES else ["pending: the death of this leader is certain"]

    def event(self, state: State) -> DiceCount:
        spec = state.setting.leaders[self.leader]
        faces = {"killed": spec.value, "alive": FACES - spec.value}
        return DiceCount.of(1, f"life of {spoken(spec.name)}", **faces)

    def unlucky(self, state: State) -> State:
        return state.change_leader(self.leader, box=Box.ELIMINATED, square=None)


def least_failing(state: State, player: int, modifier: int) -> int:
    """Return the least face of a morale die that fails, 1 to 7, given what is added to the die (BB 3.4).

    The modifier is negative if it helps. A lost camp adds to every die besides (BB 12).
    """
    modifier += charts().morale["lost_camp"] * state.sacked[player]
    return min(max(state.morale(player) - modifier + 1, 1), FACES + 1)


def own_modifier(state: State, unit: int) -> int:
    """Return what a unit's shield wall (BB 13.2) and its cards add to each of its morale dice."""
    wall = charts().dice["wall"] if state.units[unit].wall else 0
    return -wall - actions.bonus(state, EffectVerb.MORALE, state.player_of(unit), unit)


def commitment_modifier(state: State, unit: int, target: int | None) -> int:
    """Return what is added to the dice of a unit that commits itself to a melee (BB 9.4.3.1 to 9.4.3.4).

    Two leaders at the same distance help no more than one (ours). The target is None for a camp.
    """
    table, specs = charts().morale, state.setting.units
    counter = specs[unit].counter
    near, far = _leaders_near(state, unit)
    helps = table["adjacent"] * near + table["nearby"] * far
    if target is not None and specs[target].counter.is_light and not counter.is_light:
        helps += table["bigger"]
    helps += table["immortal"] * counter.is_immortal
    return own_modifier(state, unit) - helps


def _leaders_near(state: State, unit: int) -> tuple[bool, bool]:
    """Return whether a leader of the unit's player is in an adjacent square, and two squares away."""
    square, grid = state.square_of(unit), state.setting.grid
    leaders = state.leader_squares(state.player_of(unit))
    first = grid.around(1 << square)
    second = grid.around(first)
    return bool(leaders & first & ~(1 << square)), bool(leaders & second & ~first)


@dataclass(frozen=True, slots=True)
class MoraleRoll(PendingRoll[State]):
    """A morale roll that passes if all of its dice do; see `ask_morale`. What it does not define changes nothing."""

    what: ClassVar[str]
    """What it is rolled for."""
    on_map: ClassVar[bool] = True
    """Whether the unit is on the map."""
    unit: UnitNumber
    dice: Count = 1

    def passed(self, state: State) -> State:
        """Return the state after it has passed."""
        return state

    def failed(self, state: State) -> State:
        """Return the state after it has failed."""
        return state

    def modifier(self, state: State) -> int:
        """Return what is added to each die, besides that of a lost camp."""
        return own_modifier(state, self.unit)

    def least(self, state: State) -> int:
        """Return the least face that fails."""
        return least_failing(state, state.player_of(self.unit), self.modifier(state))

    def problems(self, state: State) -> list[str]:
        if self.on_map and state.units[self.unit].square is None:
            return [f"pending: {state.setting.units[self.unit].name} is off the map"]
        if self.dice < 1:
            return ["pending: a morale roll needs at least one die"]
        return [] if 1 < self.least(state) <= FACES else ["pending: this morale roll is certain"]

    def event(self, state: State) -> DiceCount:
        least = self.least(state)
        name = state.unit_name(self.unit)
        faces = {"pass": least - 1, "fail": FACES + 1 - least}
        return DiceCount.of(self.dice, f"{self.what} of {name}", **faces)

    def settle(self, state: State, outcome: Outcome) -> State:
        _, fails = scores(outcome)
        return self.failed(state) if fails else self.passed(state)


def ask_morale(state: State, roll: MoraleRoll) -> State:
    """Roll before anything else that is pending; what is certain is not rolled.

    Of several rolls in turn, each is asked for when the one before it is settled: that may change its modifier.
    """
    least = roll.least(state)
    if least > FACES:
        return roll.passed(state)
    return roll.failed(state) if least <= 1 else state.push_pending(roll)


def rout_checks(state: State, unit: int, dice: int) -> State:
    """Let a unit make rout checks, before anything else that is pending."""
    return state.push_pending(RoutChecks(unit, dice)) if dice else state


def routed(state: State, unit: int) -> State:
    """Return the state with a unit and its leaders in the box of routed units (BB 9.4.10, 6.3)."""
    return taken_off(state, unit, Box.ROUTED)


@dataclass(frozen=True, slots=True)
class RoutChecks(FollowUp[State]):
    """Rout checks of a unit, one die each, before a leader with it and its cards cancel some."""

    unit: UnitNumber
    dice: Count

    def lapses(self, state: State) -> bool:
        return state.units[self.unit].square is None

    def happen(self, state: State) -> State:
        """Roll the dice that are left; a leader cancels one of them (BB 6.5 and 9.4.10 are the same)."""
        guards = actions.bonus(state, EffectVerb.GUARD, state.player_of(self.unit), self.unit)
        led = state.leader_of(self.unit) is not None
        dice = self.dice - guards - led
        return ask_morale(state, RoutRoll(self.unit, dice)) if dice > 0 else state


@dataclass(frozen=True, slots=True)
class RoutRoll(MoraleRoll):
    """The dice of rout checks: the unit routs if any fails."""

    what = "rout check"

    def failed(self, state: State) -> State:
        return routed(state, self.unit)


def rallied(state: State, unit: int) -> State:
    """Return the state with a unit in good order; its player chooses where it looks (BB 11.0)."""
    return state.change_unit(unit, disrupted=False).push_pending(Facing(unit))


@dataclass(frozen=True, slots=True)
class TurnUnit(OptionAnswer[State]):
    """Turn the unit that is asked for."""

    word = "face"
    section = "BB 8.4, 11.0"
    facing: Annotated[int, actions.FACING]


@dataclass(frozen=True, slots=True)
class FacingQuestion(actions.UnitQuestion):
    """Where a unit looks."""

    answers = (TurnUnit,)
    asks = "where does {} face?"

    def lapses(self, state: State) -> bool:
        return state.units[self.unit].square is None

    def answered(self, state: State, facing: int) -> State:
        return state.change_unit(self.unit, facing=facing)


@dataclass(frozen=True, slots=True)
class Facing(FacingQuestion):
    """Where a unit looks that may turn by up to so many directions."""

    most: Count = FACINGS // 2

    def options(self, state: State) -> Iterable[tuple[int]]:
        now = state.units[self.unit].facing
        return ((facing,) for facing in range(FACINGS) if turns(now, facing) <= self.most)


@dataclass(frozen=True, slots=True)
class Rallying(FollowUp[State]):
    """The next unit of the activation rallies; after the last one the action is over."""

    def problems(self, state: State) -> list[str]:
        activation = state.activation
        rallies = activation and activation.order is FormationOrder.RALLY and activation.closed
        once = state.pending.count(self) == 1
        return [] if rallies and once else ["pending: no unit rallies"]

    def happen(self, state: State) -> State:
        """Rally it: one alone or with a leader without a roll (BB 11.0); a card may have done so before."""
        activation = state.activated
        if not activation.waiting:
            return actions.finished(state)
        unit, *others = activation.waiting
        state = state.change_activation(waiting=tuple(others)).push_pending(self)
        if not state.units[unit].disrupted:
            return state
        if len(activation.units) == 1 or state.leader_of(unit) is not None:
            return rallied(state, unit)
        return ask_morale(state, RallyRoll(unit))


@dataclass(frozen=True, slots=True)
class RallyRoll(MoraleRoll):
    """The morale roll of a disrupted unit of a formation."""

    what = "rally"

    def modifier(self, state: State) -> int:
        """Return what is added to its die (BB 11.1 to 11.3)."""
        table, player = charts().morale, state.player_of(self.unit)
        square = state.square_of(self.unit)
        helps = table["rally_adjacent"] * _leaders_near(state, self.unit)[0]
        helps += table["immortal"] * state.setting.units[self.unit].counter.is_immortal
        harms = table["rally_enemy_zone"] * (zones(state, 1 - player).all >> square & 1)
        return super(RallyRoll, self).modifier(state) - helps + harms

    def passed(self, state: State) -> State:
        return rallied(state, self.unit)
