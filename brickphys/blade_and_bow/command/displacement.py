"""Displacement: a unit moves to its end, and pushes a smaller friend away who stands there (BB 7.3.4)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar, Self

from brickphys.blade_and_bow.command.activation import unit_done
from brickphys.blade_and_bow.command.casualties import captured, disrupted
from brickphys.blade_and_bow.command.effects import bonus
from brickphys.blade_and_bow.command.words import SQUARE, Listed
from brickphys.blade_and_bow.ground.room import displacement_squares
from brickphys.blade_and_bow.ground.ways import Ways, ways
from brickphys.blade_and_bow.sheets.cards import Verb
from brickphys.blade_and_bow.state.pieces import Order
from brickphys.blade_and_bow.state.setting import SquareNumber
from brickphys.blade_and_bow.state.state import State
from brickphys.grid.bitset import Square
from brickphys.grid.directions import FACINGS
from brickphys.rules.pending import Question
from brickphys.rules.words import ActionTypes
from brickphys.text import spoken


def mover(state: State) -> int | None:
    """Return the unit that is about to move; None if there is none."""
    activation = state.activation
    return activation.active if activation and activation.order is Order.MOVE else None


def points_left(state: State, unit: int) -> int:
    """Return how many points the unit that moves has left, with those of cards (BB 7.0)."""
    more = bonus(state, Verb.MOVEMENT, state.player_of(unit), unit)
    return max(state.side(unit).movement + more - state.activated.spent, 0)


def ways_left(state: State, unit: int) -> Ways:
    """Return where the unit that moves can go."""
    return ways(state, unit, points_left(state, unit))


def moved(state: State, square: Square, facing: int, to: Square | None = None) -> State:
    """Return the state after the unit that moves has gone to one of its ends; then it is done.

    Enemy leaders in the squares that it enters are alone there, and may be captured (BB 6.4).

    Parameters
    ----------
    to
        Where the friend goes whom it displaces.
    """
    unit = mover(state)
    assert unit is not None
    way, player = ways_left(state, unit)[square, facing], state.player_of(unit)
    friend = state.at.get(square, unit)
    for harmed in way.disrupted:
        state = disrupted(state, harmed)
    pushed = None if to is None else (friend, to)
    if pushed:
        state = disrupted(state, friend)
    specs = state.setting.leaders
    met = [leader for entered in way.squares for leader in state.leaders_at.get(entered, ())]
    caught = dict.fromkeys(leader for leader in met if specs[leader].player != player)
    state = unit_done(state.placed(unit, square, facing, pushed), unit)
    for leader in reversed(caught):
        state = captured(state, leader)
    return state


@dataclass(frozen=True, slots=True)
class Push(Listed):
    """Push the unit that is displaced into a neighbouring square; it is disrupted, and keeps its facing (BB 7.3.4)."""

    word = "push"
    arguments = (SQUARE,)
    section = "BB 7.3.4"
    square: str

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield the squares."""
        names = state.setting.squares
        return (cls(names[square]) for square in state.awaited(Displacing).squares(state))

    def apply(self, state: State) -> State:
        """Push it, and let the unit that moves take its place."""
        asked = state.awaited(Displacing)
        to = state.setting.square_numbers[self.square]
        return moved(state.pop_pending(), asked.square, asked.facing, to)


@dataclass(frozen=True, slots=True)
class Displacing(Question[State]):
    """Where a friend goes in whose square the unit that moves will end, with a facing (BB 7.3.4)."""

    answers: ClassVar[ActionTypes] = (Push,)

    square: SquareNumber
    facing: Annotated[int, range(FACINGS)]

    def squares(self, state: State) -> tuple[Square, ...]:
        """Return the squares into which the friend can be pushed."""
        unit = mover(state)
        assert unit is not None
        left = state.units[unit].square
        assert left is not None
        return displacement_squares(state, state.at[self.square], 1 << left)

    def problems(self, state: State) -> list[str]:
        """Return why no unit moves there."""
        unit = mover(state)
        if unit is None or state.at.get(self.square, unit) == unit:
            return [f"square {self.square}: no unit moves into that of a friend"]
        if (self.square, self.facing) not in ways_left(state, unit):
            return [f"square {self.square}: the unit that moves has no way there"]
        return []

    def player(self, state: State) -> int:
        """Return the player whose unit moves."""
        unit = mover(state)
        assert unit is not None
        return state.player_of(unit)

    def prompt(self, state: State) -> str:
        """Return what is asked."""
        name = state.setting.units[state.at[self.square]].name
        return f"where {spoken(name)} is pushed to"
