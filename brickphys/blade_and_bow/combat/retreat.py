"""Retreat: light units that give way before a melee (BB 9.4.2)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

from brickphys.blade_and_bow.combat.advance import advance
from brickphys.blade_and_bow.combat.lead import led
from brickphys.blade_and_bow.command.casualties import disrupted, entered
from brickphys.blade_and_bow.command.words import Decline, SquareAnswer, SquareQuestion
from brickphys.blade_and_bow.ground.arcs import direction, neighbours, turns
from brickphys.blade_and_bow.ground.room import enemy_squares
from brickphys.blade_and_bow.ground.steps import step_allowed
from brickphys.blade_and_bow.ground.zones import zones
from brickphys.blade_and_bow.sheets.counters import Counter
from brickphys.blade_and_bow.state.setting import SquareNumber
from brickphys.blade_and_bow.state.state import State
from brickphys.grid.bitset import Square, Squares, squares_of
from brickphys.grid.directions import FACINGS
from brickphys.rules.pending import FollowUp


def may_retreat(state: State) -> bool:
    """Whether the target may give way: light, in good order and without a shield wall (BB 13.2).

    Light foot gives way to medium and heavy foot, light horse to all but light horse. Of several attackers all must be
    such (ours).
    """
    combat = state.fight
    if combat.target is None:
        return False
    specs, now = state.setting.units, state.units[combat.target]
    own = specs[combat.target].counter
    able = own.is_light and not now.disrupted and not now.wall
    return able and all(_gives_way(own, specs[unit].counter) for unit in combat.units)


def _gives_way(own: Counter, attacker: Counter) -> bool:
    if own.is_horse:
        return not (attacker.is_horse and attacker.is_light)
    return not attacker.is_horse and not attacker.is_light


def retreats(state: State) -> Mapping[Square, int]:
    """Return the squares two steps away from the attackers where the target can go -> how it faces there.

    Each step leads farther from every attacker, into no enemy zone (BB 9.4.2). It passes through friends, as light
    units do (BB 7.3.1), and ends in an empty square. Of several ways the one that begins most directly away from the
    first attacker counts (ours).
    """
    combat, grid = state.fight, state.setting.grid
    places = [at for unit in combat.units if (at := state.units[unit].square) is not None]
    near = grid.around(squares_of(places))
    ahead = direction(grid, places[0], combat.square)
    assert ahead is not None
    found: dict[Square, int] = {}
    steps = _steps(state, combat.square, near)
    for _, middle in sorted(steps, key=lambda step: turns(step[0], ahead)):
        for towards, square in _steps(state, middle, grid.around(near)):
            if square not in state.at:
                found.setdefault(square, towards)
    return found


def _steps(state: State, square: Square, near: Squares) -> Iterator[tuple[int, Square]]:
    """Yield the steps of a retreat from a square to those that are not too near: direction, and where they lead."""
    player = 1 - state.mover
    shut = near | zones(state, state.mover).all | enemy_squares(state, player)
    for towards, other in enumerate(neighbours(state.setting.grid)[square]):
        if other is None or shut >> other & 1:
            continue
        if step_allowed(state, player, square, other):
            yield towards, other


def retreat_asked(state: State) -> State:
    """Return the state in which the target's player is asked, if it may and can give way."""
    if may_retreat(state) and retreats(state):
        return state.push_pending(RetreatQuestion())
    return state


class Retreat(SquareAnswer):
    """Give way to a square two steps away: the unit is disrupted, and the attacker advances (BB 9.4.2, 9.4.9)."""

    __slots__ = ()
    word = "retreat"
    section = "BB 9.4.2"


class Stand(Decline):
    """Await the attack (BB 9.4.2)."""

    __slots__ = ()
    word = "stand"


@dataclass(frozen=True, slots=True)
class RetreatQuestion(SquareQuestion):
    """Whether the target retreats."""

    answers = (Retreat, Stand)

    def squares(self, state: State) -> Iterable[Square]:
        """Return every square."""
        return retreats(state)

    def chosen(self, state: State, square: Square) -> State:
        """Choose the lead attacker, who advances once the unit has gone."""
        return led(state.push_pending(Flight(square, retreats(state)[square])))

    def problems(self, state: State) -> list[str]:
        """Return why nobody is asked."""
        asked = state.combat is not None and state.combat.units and may_retreat(state)
        return [] if asked else ["retreat: the target is not a light unit that may give way"]

    def player(self, state: State) -> int:
        """Return the defender."""
        return 1 - state.mover

    def prompt(self, state: State) -> str:
        """Return what is asked."""
        return f"whether {state.unit_name(state.target)} retreats"


@dataclass(frozen=True, slots=True)
class Flight(FollowUp[State]):
    """The retreat of the target to a square, with its facing there."""

    square: SquareNumber
    facing: Annotated[int, range(FACINGS)]

    def problems(self, state: State) -> list[str]:
        """Return why nobody retreats."""
        return [] if state.combat is not None else ["retreat: no unit is attacked"]

    def happen(self, state: State) -> State:
        """Disrupt the unit and move it with its leaders; then the lead attacker advances."""
        target = state.target
        state = advance(disrupted(state.placed(target, self.square, self.facing), target))
        return entered(state, target)
