"""Rout management: leaders come back, rallied units return, routed units check (BB 5.5, 6.3, 6.4)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from brickphys.blade_and_bow.command.leading import LeaderReturn
from brickphys.blade_and_bow.command.morale import MoraleRoll, ask_morale
from brickphys.blade_and_bow.command.rally import Facing
from brickphys.blade_and_bow.command.words import SQUARE, Listed, UnitQuestion
from brickphys.blade_and_bow.ground.distance import within
from brickphys.blade_and_bow.ground.room import enemy_squares
from brickphys.blade_and_bow.ground.steps import passable
from brickphys.blade_and_bow.ground.zones import zones
from brickphys.blade_and_bow.sheets.charts import charts
from brickphys.blade_and_bow.state.pieces import Box
from brickphys.blade_and_bow.state.state import State
from brickphys.grid.bitset import Squares, each
from brickphys.rules.pending import FollowUp
from brickphys.rules.words import NAME


def return_squares(state: State, unit: int) -> Squares:
    """Return where a rallied unit may come back: near a leader or the camp, outside enemy zones (BB 5.5.1).

    Not where an enemy leader is (ours).
    """
    setting, player, found = state.setting, state.player_of(unit), 0
    for spec, leader in zip(setting.leaders, state.leaders, strict=True):
        if spec.player == player and leader.square is not None:
            found |= within(setting.grid, leader.square, spec.range_points)
    found |= setting.grid.around(state.camp_set(player))
    taken = state.occupied[player] | enemy_squares(state, player) | state.leader_squares(1 - player)
    return found & passable(state, player) & ~taken & ~zones(state, 1 - player).all


@dataclass(frozen=True, slots=True)
class Rejoin(Listed):
    """Put a rallied unit back on the map in good order."""

    word = "rejoin"
    arguments = (NAME, SQUARE)
    section = "BB 5.5.1"
    unit: str
    square: str

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield every square for the unit that is asked for."""
        unit, setting = state.awaited(UnitReturn).unit, state.setting
        name = setting.units[unit].name
        return (cls(name, setting.squares[square]) for square in each(return_squares(state, unit)))

    def apply(self, state: State) -> State:
        """Put it there, and ask where it looks."""
        unit = state.awaited(UnitReturn).unit
        square = state.setting.square_numbers[self.square]
        state = state.pop_pending().change_unit(unit, box=Box.MAP, square=square, disrupted=False)
        return state.push_pending(Facing(unit))


@dataclass(frozen=True, slots=True)
class UnitReturn(UnitQuestion):
    """Where a rallied unit comes back."""

    answers = (Rejoin,)
    asks = "where does {} return?"

    def problems(self, state: State) -> list[str]:
        """Return why this cannot be pending."""
        is_rallied = state.units[self.unit].box is Box.RALLIED
        return [] if is_rallied else ["unit: it has not rallied"]

    def lapses(self, state: State) -> bool:
        """Whether it has no place: then it is checked with the routed units."""
        return not return_squares(state, self.unit)


@dataclass(frozen=True, slots=True)
class RoutedRoll(MoraleRoll):
    """The morale check of a routed unit: it rallies, or is eliminated (BB 5.5.2)."""

    what = "rally after rout"
    on_map = False

    def modifier(self, state: State) -> int:
        """Return what a leader on the camp takes off, if it is not lost (BB 5.5.3)."""
        player = state.player_of(self.unit)
        led = bool(state.leader_squares(player) & state.camp_set(player))
        return super(RoutedRoll, self).modifier(state) - charts().morale["camp_leader"] * led

    def passed(self, state: State) -> State:
        """Put it into the box of rallied units."""
        return state.change_unit(self.unit, box=Box.RALLIED)

    def failed(self, state: State) -> State:
        """Eliminate it."""
        return state.out_of_play(self.unit, Box.ELIMINATED)


@dataclass(frozen=True, slots=True)
class RoutedRolls(FollowUp[State]):
    """All routed units check, and those that rallied before and found no place."""

    def happen(self, state: State) -> State:
        """Roll for one after the other."""
        for unit in reversed(_in_order(state, Box.ROUTED, Box.RALLIED)):
            state = ask_morale(state.change_unit(unit, box=Box.ROUTED), RoutedRoll(unit))
        return state


def manage_rout(state: State) -> State:
    """Return the state in which leaders come back, rallied units return, and then routed units check (BB 5.5).

    The player who holds the initiative comes first, and leaders before units (ours).
    """
    units = map(UnitReturn, _in_order(state, Box.RALLIED))
    return state.push_pending(*_leader_returns(state), *units, RoutedRolls())


def _leader_returns(state: State) -> list[LeaderReturn]:
    """Return the questions for leaders who routed, and for captured ones whose turn has come (BB 6.3, 6.4)."""
    found = [
        number
        for number, leader in enumerate(state.leaders)
        if leader.box is Box.ROUTED or (leader.box is Box.CAPTURED and leader.returns <= state.turn)
    ]
    players = [leader.player for leader in state.setting.leaders]
    found.sort(key=lambda number: players[number] != state.holder)
    return list(map(LeaderReturn, found))


def _in_order(state: State, *boxes: Box) -> list[int]:
    """Return the units in some boxes, those of the holder of the initiative first."""
    found = [number for number, unit in enumerate(state.units) if unit.box in boxes]
    return sorted(found, key=lambda number: state.player_of(number) != state.holder)
