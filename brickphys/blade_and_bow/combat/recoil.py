"""Recoil: a unit falls back, through friends if it must (BB 9.4.8, 8.5.3)."""

from dataclasses import dataclass
from typing import Annotated

from brickphys.blade_and_bow.command.casualties import disrupted, entered
from brickphys.blade_and_bow.command.morale import MoraleRoll, ask_morale
from brickphys.blade_and_bow.command.rout import rout_checks, routed
from brickphys.blade_and_bow.command.words import SquareAnswer, SquareQuestion
from brickphys.blade_and_bow.ground.arcs import direction, neighbours
from brickphys.blade_and_bow.ground.room import displaceable, displacement_squares, enemy_squares
from brickphys.blade_and_bow.ground.steps import step_allowed
from brickphys.blade_and_bow.ground.zones import zones
from brickphys.blade_and_bow.state.pieces import Box
from brickphys.blade_and_bow.state.setting import SquareNumber, UnitNumber
from brickphys.blade_and_bow.state.state import State
from brickphys.grid.bitset import Square, squares_of
from brickphys.grid.directions import FACINGS
from brickphys.rules.pending import FollowUp, Pending
from brickphys.rules.turn_state import Count

_TIERS = ((0,), (1, -1), (2, -2, 3, -3, 4))
"""Directions off the facing, best first: ahead, the other front squares, all others."""
_MISSILE_TIERS = ((0, 1, -1),)


@dataclass(frozen=True, slots=True)
class FallingBack(Pending[State]):
    """A unit that falls back.

    Attributes
    ----------
    facing
        Away from the enemy, or the direction of its last step.
    path
        The squares that it has left, its own first: after that, those of friends.
    checks
        Rout checks for its hits; it makes them where it comes to stand.
    ranged
        Whether missiles drive it back: then it goes one square to its rear and displaces friends, or routs.
    """

    unit: UnitNumber
    facing: Annotated[int, range(FACINGS)]
    path: tuple[SquareNumber, ...]
    checks: Count
    ranged: bool

    def lapses(self, state: State) -> bool:
        """Whether it is off the map."""
        return state.units[self.unit].square is None

    def problems(self, state: State) -> list[str]:
        """Return why this cannot be pending."""
        start, steps = state.units[self.unit].square, len(self.path)
        if (steps == 1 or (steps and not self.ranged)) and start in (None, self.path[0]):
            return []
        return [f"path: {self.path} is not from where the unit is"]

    def steps(self, state: State) -> tuple[Square, ...] | None:
        """Return the best squares into which it can step; None if it falls back off the map (BB 9.4.8.2)."""
        player = state.player_of(self.unit)
        here = self.path[-1]
        around = neighbours(state.setting.grid)[here]
        if around[self.facing] is None and not self.ranged:
            return None
        shut = zones(state, 1 - player).all | enemy_squares(state, player) | squares_of(self.path)
        if self.ranged:
            shut |= state.occupied[player] & ~displaceable(state, self.unit)
        for tier in _MISSILE_TIERS if self.ranged else _TIERS:
            beyond = (around[(self.facing + off) % FACINGS] for off in tier)
            free = (at for at in beyond if at is not None and not shut >> at & 1)
            if found := tuple(at for at in free if step_allowed(state, player, here, at)):
                return found
        return None if around[self.facing] is None else ()

    def into(self, state: State, square: Square) -> State:
        """Return the state after a step: in a friend's square it goes on (BB 9.4.8.3)."""
        facing = direction(state.setting.grid, self.path[-1], square)
        assert facing is not None
        friend, pushed = state.at.get(square), None
        if friend is not None and not self.ranged:
            return self._through(state, friend, facing)
        if friend is not None:
            pushed = friend, self._push(state, friend)
            state = disrupted(state, friend)
        state = state.placed(self.unit, square, facing, pushed)
        state = rout_checks(state, self.unit, self.checks + len(self.path) - 1)
        return entered(state if friend is None else entered(state, friend), self.unit)

    def _through(self, state: State, friend: int, facing: int) -> State:
        """Go on from the square of a friend, who is disrupted unless either is light (BB 9.4.8.3)."""
        specs = state.setting.units
        if not specs[self.unit].counter.is_light and not specs[friend].counter.is_light:
            state = disrupted(state, friend)
        path = (*self.path, state.square_of(friend))
        return state.push_pending(Recoil(self.unit, facing, path, self.checks, False))

    def _push(self, state: State, friend: int) -> Square:
        """Return where a friend goes who is displaced: the square that is left, if it can be (ours)."""
        (left,) = self.path
        free = displacement_squares(state, friend, 1 << left)
        return left if left in free else free[0]


@dataclass(frozen=True, slots=True)
class Recoil(FallingBack, FollowUp[State]):
    """It steps, or its owner is asked; who cannot fall back is eliminated, or routs before missiles.

    Attributes
    ----------
    steady
        Whether a morale roll may spare it this: of an attacker whose defender must recoil, too (BB 9.4.8).
    """

    steady: bool = False

    def happen(self, state: State) -> State:
        """Take the only step; else leave the choice, or the unit is lost."""
        if self.steady:
            return ask_morale(state, SteadyRoll(self.unit, 1, self.facing, self.checks))
        found = self.steps(state)
        if found is None:
            return _off_map(state, self.unit)
        if not found:
            lost = routed if self.ranged else _eliminated
            return lost(state, self.unit)
        if len(found) == 1:
            return self.into(state, found[0])
        choice = RecoilChoice(self.unit, self.facing, self.path, self.checks, self.ranged)
        return state.push_pending(choice)


@dataclass(frozen=True, slots=True)
class SteadyRoll(MoraleRoll):
    """The morale roll of an attacker that spares it to recoil; rout checks are left."""

    what = "steadiness"
    facing: Annotated[int, range(FACINGS)] = 0
    checks: Count = 0

    def passed(self, state: State) -> State:
        """Let it stay."""
        return rout_checks(state, self.unit, self.checks)

    def failed(self, state: State) -> State:
        """Let it recoil."""
        path = (state.square_of(self.unit),)
        return state.push_pending(Recoil(self.unit, self.facing, path, self.checks, False))


class FallBack(SquareAnswer):
    """Recoil into a square (BB 9.4.8.2)."""

    __slots__ = ()
    word = "recoil"
    section = "BB 9.4.8.2"


@dataclass(frozen=True, slots=True)
class RecoilChoice(FallingBack, SquareQuestion):
    """Its owner chooses between squares."""

    answers = (FallBack,)

    def squares(self, state: State) -> tuple[Square, ...]:
        """Return the squares that are as good as each other."""
        return self.steps(state) or ()

    def chosen(self, state: State, square: Square) -> State:
        """Step into it."""
        return self.into(state, square)

    def player(self, state: State) -> int:
        """Return its owner."""
        return state.player_of(self.unit)

    def prompt(self, state: State) -> str:
        """Ask for the square."""
        return f"where {state.unit_name(self.unit)} recoils to"


def _eliminated(state: State, unit: int) -> State:
    """Return the state without a unit that has no way back (BB 9.4.8.1)."""
    return state.out_of_play(unit, Box.ELIMINATED)


def _off_map(state: State, unit: int) -> State:
    """Return the state without a unit that recoils off the map (BB 9.4.8.1); its leaders stay (ours)."""
    if state.combat is not None and state.combat.target == unit:
        state = state.change_combat(off_map=True)
    return _eliminated(state, unit)
