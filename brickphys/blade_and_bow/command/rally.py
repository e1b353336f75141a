"""Rally: disrupted units return to good order, and face as they like (BB 11.0)."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Self

from brickphys.blade_and_bow.command.activation import finished
from brickphys.blade_and_bow.command.morale import MoraleRoll, ask_morale, beside_leader
from brickphys.blade_and_bow.command.words import FACING, Listed, UnitQuestion
from brickphys.blade_and_bow.ground.arcs import turns
from brickphys.blade_and_bow.ground.zones import zones
from brickphys.blade_and_bow.sheets.charts import charts
from brickphys.blade_and_bow.state.pieces import Order
from brickphys.blade_and_bow.state.state import State
from brickphys.grid.directions import FACINGS
from brickphys.rules.pending import FollowUp
from brickphys.rules.turn_state import Count


def rallied(state: State, unit: int) -> State:
    """Return the state with a unit in good order; its player chooses where it looks (BB 11.0)."""
    return state.change_unit(unit, disrupted=False).push_pending(Facing(unit))


@dataclass(frozen=True, slots=True)
class Face(Listed):
    """Turn the unit that is asked for."""

    word = "face"
    arguments = (FACING,)
    section = "BB 8.4, 11.0"
    facing: int

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield every facing that is near enough."""
        asked = state.first_pending
        assert isinstance(asked, FacingQuestion)
        return map(cls, asked.facings(state))

    def apply(self, state: State) -> State:
        """Turn it."""
        asked = state.first_pending
        assert isinstance(asked, FacingQuestion)
        return asked.faced(state.pop_pending(), self.facing)


@dataclass(frozen=True, slots=True)
class FacingQuestion(UnitQuestion):
    """Where a unit looks."""

    answers = (Face,)
    asks = "where does {} face?"

    def lapses(self, state: State) -> bool:
        """Whether it is off the map."""
        return state.units[self.unit].square is None

    @abstractmethod
    def facings(self, state: State) -> Iterable[int]:
        """Return the facings from which its owner chooses."""

    def faced(self, state: State, facing: int) -> State:
        """Return the state in which it has turned, given the state in which this is no longer pending."""
        return state.change_unit(self.unit, facing=facing)


@dataclass(frozen=True, slots=True)
class Facing(FacingQuestion):
    """Where a unit looks that may turn by up to so many directions."""

    most: Count = FACINGS // 2

    def facings(self, state: State) -> Iterable[int]:
        """Return every facing that is near enough."""
        now = state.units[self.unit].facing
        return (facing for facing in range(FACINGS) if turns(now, facing) <= self.most)


@dataclass(frozen=True, slots=True)
class Rallying(FollowUp[State]):
    """The next unit of the activation rallies; after the last one the action is over."""

    def problems(self, state: State) -> list[str]:
        """Return why this cannot be pending."""
        activation = state.activation
        rallies = activation is not None and activation.order is Order.RALLY and activation.closed
        once = state.pending.count(self) == 1
        return [] if rallies and once else ["pending: no unit rallies"]

    def happen(self, state: State) -> State:
        """Rally it: one alone or with a leader without a roll (BB 11.0); a card may have done so before."""
        activation = state.activated
        if not activation.waiting:
            return finished(state)
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
        helps = table["rally_adjacent"] * beside_leader(state, self.unit)
        helps += table["immortal"] * state.setting.units[self.unit].counter.is_immortal
        harms = table["rally_enemy_zone"] * (zones(state, 1 - player).all >> square & 1)
        return super(RallyRoll, self).modifier(state) - helps + harms

    def passed(self, state: State) -> State:
        """Return it to good order."""
        return rallied(state, self.unit)

    def failed(self, state: State) -> State:
        """Leave it disrupted."""
        return state
