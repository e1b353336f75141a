"""Casualties: leaders who are killed or captured, units that are disrupted or lose ranks (BB 3.6, 6.3, 6.4, 10)."""

from abc import abstractmethod
from dataclasses import dataclass

from brickphys.blade_and_bow.sheets.charts import FACES, charts
from brickphys.blade_and_bow.state.pieces import Box
from brickphys.blade_and_bow.state.setting import LeaderNumber
from brickphys.blade_and_bow.state.state import State
from brickphys.rules.events.dice import Tally
from brickphys.rules.events.event import Outcome
from brickphys.rules.pending import PendingRoll, scores
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
    """A die for a leader.

    Attributes
    ----------
    caught
        Whether the enemy has entered his square: then he is captured unless killed.
    """

    leader: LeaderNumber
    caught: bool

    def lapses(self, state: State) -> bool:
        """Whether he has left the map."""
        return state.leaders[self.leader].box is not Box.MAP

    @abstractmethod
    def unlucky(self, state: State) -> State:
        """Return the state after the first class of faces."""

    def settle(self, state: State, outcome: Outcome) -> State:
        """Let him survive the second class of faces."""
        unlucky, _ = scores(outcome)
        if unlucky:
            return self.unlucky(state)
        return displaced(state, self.leader) if self.caught else state


@dataclass(frozen=True, slots=True)
class LeaderRoll(_LeaderDie):
    """The first die for a leader: whether he is in danger."""

    def event(self, state: State) -> Tally:
        """Return the die."""
        faces = FACES + 1 - charts().leaders["killed_from"]
        name = state.leader_name(self.leader)
        return Tally.of(1, f"danger for {name}", danger=faces, none=FACES - faces)

    def unlucky(self, state: State) -> State:
        """Roll again, unless every face kills him."""
        death = DeathRoll(self.leader, self.caught)
        certain = state.setting.leaders[self.leader].value >= FACES
        return death.unlucky(state) if certain else state.push_pending(death)


@dataclass(frozen=True, slots=True)
class DeathRoll(_LeaderDie):
    """The second die for a leader: he is killed by a face up to his command value."""

    def problems(self, state: State) -> list[str]:
        """Return why this cannot be pending."""
        value = state.setting.leaders[self.leader].value
        return [] if value < FACES else ["pending: the death of this leader is certain"]

    def event(self, state: State) -> Tally:
        """Return the die."""
        spec = state.setting.leaders[self.leader]
        faces = {"killed": spec.value, "alive": FACES - spec.value}
        return Tally.of(1, f"life of {spoken(spec.name)}", **faces)

    def unlucky(self, state: State) -> State:
        """Take him out of the battle."""
        return state.change_leader(self.leader, box=Box.ELIMINATED, square=None)
