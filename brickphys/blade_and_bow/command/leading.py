"""Leading: leaders who move on their own, and routed or captured ones who come back (BB 6.2 to 6.4)."""

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from brickphys.blade_and_bow.command.activation import finished
from brickphys.blade_and_bow.command.casualties import disrupted, ranks_lost
from brickphys.blade_and_bow.command.formation import active_leaders, leader_problems
from brickphys.blade_and_bow.command.morale import MoraleRoll, ask_morale
from brickphys.blade_and_bow.command.rout import rout_checks
from brickphys.blade_and_bow.command.words import SquareAnswer, SquareQuestion
from brickphys.blade_and_bow.ground.room import enemy_squares
from brickphys.blade_and_bow.ground.steps import passable
from brickphys.blade_and_bow.ground.zones import zones
from brickphys.blade_and_bow.state.pieces import Box
from brickphys.blade_and_bow.state.setting import LeaderNumber
from brickphys.blade_and_bow.state.state import State
from brickphys.grid.bitset import Square, Squares, each
from brickphys.rules.words import NAME, Action


def open_places(state: State, leader: int) -> Squares:
    """Return where a leader may come back: anywhere but in a strong enemy zone or where an enemy is (BB 6.3)."""
    player = state.setting.leaders[leader].player
    enemies = enemy_squares(state, player) | state.leader_squares(1 - player)
    return passable(state, player) & ~(enemies | zones(state, 1 - player).strong)


def leader_places(state: State, leader: int) -> Squares:
    """Return where a leader on the map may go: such squares with or beside a friendly unit (BB 6.2.1)."""
    here, player = state.leaders[leader].square, state.setting.leaders[leader].player
    if here is None:
        return 0
    near = state.setting.grid.around(state.occupied[player])
    return near & open_places(state, leader) & ~(1 << here)


@dataclass(frozen=True, slots=True)
class Relocate(Action[State]):
    """Move a leader, for an action; the square is chosen next (BB 6.2)."""

    word = "relocate"
    arguments = (NAME,)
    leader: str

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield every leader who can be activated and has a place to go to."""
        for leader in active_leaders(state):
            if leader_places(state, leader):
                yield cls(state.setting.leaders[leader].name)

    def problems(self, state: State) -> Iterator[str]:
        """Yield why he cannot move."""
        faults = list(leader_problems(state, self.leader))
        yield from faults
        if not faults and not leader_places(state, state.setting.leader_numbers[self.leader]):
            yield f"{self.leader} has nowhere to go (BB 6.2.1)"

    def apply(self, state: State) -> State:
        """Ask where."""
        return state.push_pending(Relocation(state.setting.leader_numbers[self.leader]))


class To(SquareAnswer):
    """Put the leader who is asked for into a square."""

    __slots__ = ()
    word = "to"
    section = "BB 6.2.1"


@dataclass(frozen=True, slots=True)
class LeaderQuestion(SquareQuestion):
    """Where a leader goes."""

    answers = (To,)
    leader: LeaderNumber

    @abstractmethod
    def places(self, state: State) -> Squares:
        """Return where he can go."""

    def squares(self, state: State) -> Iterator[Square]:
        """Return every place."""
        return each(self.places(state))

    def player(self, state: State) -> int:
        """Return the player."""
        return state.setting.leaders[self.leader].player

    def lapses(self, state: State) -> bool:
        """Whether there is no place."""
        return not self.places(state)

    def prompt(self, state: State) -> str:
        """Return the question."""
        return f"where does {state.leader_name(self.leader)} go?"


class Relocation(LeaderQuestion):
    """Where a leader moves to, for an action (BB 6.2)."""

    __slots__ = ()

    def places(self, state: State) -> Squares:
        """Return places near his army."""
        return leader_places(state, self.leader)

    def problems(self, state: State) -> list[str]:
        """Return why this cannot be pending."""
        on_map = state.leaders[self.leader].box is Box.MAP
        return [] if on_map else ["pending: the leader is not on the map"]

    def chosen(self, state: State, square: Square) -> State:
        """Move him; the unit that he leaves in an enemy zone checks its morale (BB 6.2.2)."""
        here, player = state.leaders[self.leader].square, self.player(state)
        assert here is not None
        left = state.at.get(here)
        in_zone = zones(state, 1 - player).all >> here & 1
        state = finished(state.change_leader(self.leader, square=square))
        return state if left is None or not in_zone else ask_morale(state, DepartureRoll(left))


class LeaderReturn(LeaderQuestion):
    """Where a routed or captured leader comes back (BB 6.3, 6.4)."""

    __slots__ = ()

    def places(self, state: State) -> Squares:
        """Return open places."""
        return open_places(state, self.leader)

    def problems(self, state: State) -> list[str]:
        """Return why this cannot be pending."""
        away = state.leaders[self.leader].box in (Box.ROUTED, Box.CAPTURED)
        return [] if away else ["pending: the leader is not away"]

    def chosen(self, state: State, square: Square) -> State:
        """Put him on the map."""
        return state.change_leader(self.leader, box=Box.MAP, square=square, returns=0)


class DepartureRoll(MoraleRoll):
    """The morale check of a unit in an enemy zone whose leader has left it (BB 6.2.2)."""

    __slots__ = ()
    what = "morale without its leader"

    def passed(self, state: State) -> State:
        """Leave it as it is."""
        return state

    def failed(self, state: State) -> State:
        """Disrupt it; if it is disrupted, it loses a rank, or checks for rout if it has none."""
        unit = state.units[self.unit]
        if not unit.disrupted:
            return disrupted(state, self.unit)
        return ranks_lost(state, self.unit, 1) if unit.ranks else rout_checks(state, self.unit, 1)
