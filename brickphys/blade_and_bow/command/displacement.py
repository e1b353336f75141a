"""Displacement: a unit that ends its move on a smaller friendly unit pushes it away (BB 7.3.4)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

from brickphys.blade_and_bow.command.activation import unit_done
from brickphys.blade_and_bow.command.casualties import captured, disrupted, entered
from brickphys.blade_and_bow.command.effects import bonus
from brickphys.blade_and_bow.command.words import SquareAnswer, SquareQuestion
from brickphys.blade_and_bow.ground.room import displacement_squares
from brickphys.blade_and_bow.ground.ways import End, Label, Way, Ways, ways
from brickphys.blade_and_bow.sheets.cards import Verb
from brickphys.blade_and_bow.sheets.charts import charts
from brickphys.blade_and_bow.state.pieces import Order
from brickphys.blade_and_bow.state.setting import SquareNumber
from brickphys.blade_and_bow.state.state import State
from brickphys.grid.bitset import Square, each
from brickphys.grid.directions import FACINGS


def mover(state: State) -> int | None:
    """Return the unit that is about to move; None if there is none."""
    activation = state.activation
    return activation.active if activation and activation.order is Order.MOVE else None


def _mover(state: State) -> int:
    unit = mover(state)
    assert unit is not None
    return unit


def points_left(state: State, unit: int) -> int:
    """Return how many points the unit that moves has left, with those of cards (BB 7.0)."""
    more = bonus(state, Verb.MOVEMENT, state.player_of(unit), unit)
    return max(state.side(unit).movement + more - state.activated.spent, 0)


def ways_left(state: State, unit: int, via: tuple[Square, ...] = ()) -> Ways:
    """Return where the unit that moves can go, via some squares."""
    return ways(state, unit, points_left(state, unit), via)


def pauses_left(state: State, unit: int) -> Mapping[End, Label]:
    """Return where the unit that moves can reverse on its way, with the labels of `ways_left` (BB 7.1.3)."""
    return ways_left(state, unit).pauses(points_left(state, unit) - charts().points["reverse"])


def rides(state: State, unit: int) -> Iterator[tuple[End, Square]]:
    """Yield the ends that the unit that moves can reach over an enemy leader alone, whom it else misses (BB 6.4)."""
    enemy, start = 1 - state.player_of(unit), 1 << state.square_of(unit)
    alone, found = state.leader_squares(enemy) & ~state.occupied[enemy] & ~start, set[End]()
    for square in each(alone):
        usual = ways_left(state, unit)
        for end in ways_left(state, unit, (square,)):
            missed = end not in usual or square not in usual[end].squares
            if missed and end not in found:
                found.add(end)
                yield end, square


def gone(
    state: State, way: Way, square: Square, facing: int, to: Square | None = None
) -> tuple[State, tuple[int, ...]]:
    """Return the state after the unit that moves has gone a way, and the enemy leaders whom it met (BB 6.4).

    Parameters
    ----------
    state, way, square, facing
        The battle, the way, and its end.
    to
        Where the friend goes whom it displaces.
    """
    unit = _mover(state)
    player, friend = state.player_of(unit), state.at.get(square, unit)
    for harmed in way.disrupted:
        state = disrupted(state, harmed)
    pushed = None if to is None else (friend, to)
    if pushed:
        state = disrupted(state, friend)
    specs = state.setting.leaders
    met = [leader for entered in way.squares for leader in state.leaders_at.get(entered, ())]
    caught = dict.fromkeys(leader for leader in met if specs[leader].player != player)
    return state.placed(unit, square, facing, pushed), tuple(caught)


def moved(state: State, way: Way, square: Square, facing: int, to: Square | None = None) -> State:
    """Return the state after the unit that moves has gone a way (see `gone`): it is done; leaders may be captured."""
    unit, friend = _mover(state), state.at.get(square)
    state, caught = gone(state, way, square, facing, to)
    state = unit_done(state, unit)
    for leader in reversed(caught):
        state = captured(state, leader)
    return state if to is None or friend is None else entered(state, friend)


class Push(SquareAnswer):
    """Push the unit that is displaced into a neighbouring square; it is disrupted, and keeps its facing (BB 7.3.4)."""

    __slots__ = ()
    word = "push"
    section = "BB 7.3.4"


@dataclass(frozen=True, slots=True)
class Displacing(SquareQuestion):
    """Where a friend goes in whose square the unit that moves will end, with a facing, via some squares (BB 7.3.4)."""

    answers = (Push,)
    square: SquareNumber
    facing: Annotated[int, range(FACINGS)]
    via: tuple[SquareNumber, ...] = ()

    def squares(self, state: State) -> tuple[Square, ...]:
        """Return the squares into which the friend can be pushed."""
        left = 1 << state.square_of(_mover(state))
        return displacement_squares(state, state.at[self.square], left)

    def chosen(self, state: State, square: Square) -> State:
        """Push the friend there, and let the unit that moves take its place."""
        end = self.square, self.facing
        return moved(state, ways_left(state, _mover(state), self.via)[end], *end, square)

    def problems(self, state: State) -> list[str]:
        """Return why no unit moves there."""
        unit = mover(state)
        if unit is None or state.at.get(self.square, unit) == unit:
            return [f"square {self.square}: no unit moves into this square of a friend"]
        starts = (state.square_of(unit), *self.via)
        stays = any(one == other for one, other in zip(starts, self.via, strict=False))
        if stays or (self.square, self.facing) not in ways_left(state, unit, self.via):
            return [f"square {self.square}: the moving unit has no way there"]
        return []

    def player(self, state: State) -> int:
        """Return the player whose unit moves."""
        return state.player_of(_mover(state))

    def prompt(self, state: State) -> str:
        """Return what is asked."""
        return f"where {state.unit_name(state.at[self.square])} is pushed to"
