"""Moving: what a unit does that is activated to move (BB 7)."""

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from brickphys.blade_and_bow.command.activation import unit_done
from brickphys.blade_and_bow.command.casualties import disrupted
from brickphys.blade_and_bow.command.displacement import (
    Displacing,
    moved,
    mover,
    points_left,
    ways_left,
)
from brickphys.blade_and_bow.command.morale import MoraleRoll, ask_morale
from brickphys.blade_and_bow.command.no_way import why_no_way
from brickphys.blade_and_bow.command.words import FACING, SQUARE, Listed
from brickphys.blade_and_bow.ground.arcs import beside
from brickphys.blade_and_bow.ground.zones import zones
from brickphys.blade_and_bow.sheets.charts import charts
from brickphys.blade_and_bow.sheets.counters import Density
from brickphys.blade_and_bow.state.pieces import Order
from brickphys.blade_and_bow.state.setting import Setting
from brickphys.blade_and_bow.state.state import State
from brickphys.errors import unknown
from brickphys.grid.directions import FACINGS
from brickphys.rules.words import NAME, Action, ActionTypes
from brickphys.text import spoken


@dataclass(frozen=True, slots=True)
class Take(Listed):
    """Take a unit of the formation that has not moved: it moves now (BB 7.0)."""

    word = "take"
    arguments = (NAME,)
    chooses = "a unit"
    section = "BB 7.0"
    unit: str

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield the units."""
        activation, specs = state.activation, state.setting.units
        if activation and activation.order is Order.MOVE and activation.active is None:
            for unit in activation.waiting:
                yield cls(specs[unit].name)

    def apply(self, state: State) -> State:
        """Let it move."""
        return state.change_activation(active=state.setting.unit_numbers[self.unit], spent=0)


class MoverAction(Action[State]):
    """An action of the unit that moves, without arguments."""

    __slots__ = ()

    @classmethod
    def faults(cls, state: State, unit: int) -> Iterator[str]:
        """Yield why the unit that moves cannot do it."""
        return iter(())

    @abstractmethod
    def act(self, state: State, unit: int) -> State:
        """Return the state after the unit that moves has done it."""

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield it if the unit that moves can do it."""
        unit = mover(state)
        if unit is not None and next(cls.faults(state, unit), None) is None:
            yield cls()

    def problems(self, state: State) -> Iterator[str]:
        """Yield why it cannot be done."""
        unit = mover(state)
        if unit is None:
            return iter(("take a unit first (BB 7.0)",))
        return self.faults(state, unit)

    def apply(self, state: State) -> State:
        """Let the unit that moves do it."""
        unit = mover(state)
        assert unit is not None
        return self.act(state, unit)


@dataclass(frozen=True, slots=True)
class Go(Action[State]):
    """Go to a square and a facing by the cheapest of the ways that disrupt least; then the unit is done (BB 7.1)."""

    word = "go"
    arguments = (SQUARE, FACING)
    form = "square, facing"
    square: str
    facing: int

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield the ends of its ways."""
        unit = mover(state)
        if unit is None:
            return iter(())
        table = cls._table(state.setting)
        return (table[square][facing] for square, facing in ways_left(state, unit))

    @classmethod
    def _table(cls, setting: Setting) -> tuple[tuple[Self, ...], ...]:
        """Return the action for each square and facing, made once: lists have hundreds of them."""
        known: dict[str, tuple[tuple[Self, ...], ...]] = vars(setting)
        if "goes" not in known:
            known["goes"] = tuple(
                tuple(cls(name, facing) for facing in range(FACINGS)) for name in setting.squares
            )
        return known["goes"]

    @classmethod
    def is_possible(cls, state: State) -> bool:
        """Whether the unit that moves can go anywhere."""
        unit = mover(state)
        return unit is not None and bool(ways_left(state, unit))

    def problems(self, state: State) -> Iterator[str]:
        """Yield why there is no such way."""
        unit = mover(state)
        if unit is None:
            yield "take a unit first (BB 7.0)"
            return
        name, squares = state.unit_name(unit), state.setting.square_numbers
        now = state.units[unit]
        if self.square not in squares:
            yield f"{unknown('square', self.square, squares)} (BB 2.1)"
        elif (squares[self.square], self.facing) == (now.square, now.facing):
            yield f"{name} is already at {self.square} {FACING.write(self.facing)}: choose stay (BB 7.0)"
        elif (squares[self.square], self.facing) not in ways_left(state, unit):
            left, facing = points_left(state, unit), FACING.write(self.facing)
            why = why_no_way(state, unit, squares[self.square], left)
            yield f"{name} has no way to {self.square} {facing} with {left} points: {why} (BB 7)"

    def apply(self, state: State) -> State:
        """Go there, or ask where the friend is pushed who stands there."""
        square, unit = state.setting.square_numbers[self.square], mover(state)
        if state.at.get(square, unit) != unit:
            return state.push_pending(Displacing(square, self.facing))
        return moved(state, square, self.facing)


@dataclass(frozen=True, slots=True)
class Stay(MoverAction):
    """Stay where it is; then the unit is done (BB 7.0)."""

    word = "stay"

    def act(self, state: State, unit: int) -> State:
        """End its move."""
        return unit_done(state, unit)


def _first_faults(state: State, unit: int, what: str) -> Iterator[str]:
    """Yield why a unit cannot do what only a unit in good order does before anything else."""
    name, now, spent = state.unit_name(unit), state.units[unit], state.activated.spent
    if now.disrupted:
        yield f"{name} is already disrupted"
    if now.wall:
        yield f"{name} has a shield wall (BB 13.2)"
    if spent:
        yield f"{name} has spent {spent} points: it can {what} only before it spends any"


@dataclass(frozen=True, slots=True)
class Hurry(MoverAction):
    """Become disrupted, and move with the values of that side (BB 7.4)."""

    word = "hurry"

    @classmethod
    def faults(cls, state: State, unit: int) -> Iterator[str]:
        """Yield why it cannot: only dense and flexible units do, before they go."""
        spec = state.setting.units[unit]
        if not spec.counter.has_ranks:
            yield f"{spoken(spec.name)} is neither dense nor flexible (BB 7.4)"
        yield from _first_faults(state, unit, "hurry")

    def act(self, state: State, unit: int) -> State:
        """Turn it to its other side."""
        return disrupted(state, unit)


@dataclass(frozen=True, slots=True)
class Reverse(MoverAction):
    """Try to turn round where it stands, after a morale check: dense units; others just go (BB 7.1.3)."""

    word = "reverse"

    @classmethod
    def faults(cls, state: State, unit: int) -> Iterator[str]:
        """Yield why it cannot."""
        now, spec = state.units[unit], state.setting.units[unit]
        name, cost = spoken(spec.name), charts().points["reverse"]
        if spec.counter.density is not Density.DENSE:
            yield f"{name} is not dense: it turns as it moves (BB 7.1.3)"
        if now.disrupted:
            yield f"{name} is disrupted (BB 7.1.3)"
        if now.wall:
            yield f"{name} has a shield wall (BB 13.2)"
        if points_left(state, unit) < cost:
            yield f"{name} has fewer than {cost} movement points left (BB 7.1.3)"

    def act(self, state: State, unit: int) -> State:
        """Spend the points, and check morale."""
        spent = state.activated.spent + charts().points["reverse"]
        return ask_morale(state.change_activation(spent=spent), ReverseRoll(unit))


class ReverseRoll(MoraleRoll):
    """The morale check of a dense unit that reverses: it turns round, or becomes disrupted (BB 7.1.3)."""

    __slots__ = ()
    what = "reversal"

    def passed(self, state: State) -> State:
        """Turn it round."""
        facing = (state.units[self.unit].facing + FACINGS // 2) % FACINGS
        return state.change_unit(self.unit, facing=facing)

    def failed(self, state: State) -> State:
        """Disrupt it; it may go on with the points that are left."""
        return disrupted(state, self.unit)


@dataclass(frozen=True, slots=True)
class Shield(MoverAction):
    """Form a shield wall in place of a move (BB 7.1.4, 13.1)."""

    word = "shield"

    @classmethod
    def faults(cls, state: State, unit: int) -> Iterator[str]:
        """Yield why it cannot: only foot in good order does, outside enemy zones, beside another of its formation."""
        spec, player = state.setting.units[unit], state.player_of(unit)
        name, units = spoken(spec.name), state.activated.units
        square = state.square_of(unit)
        if not state.setting.special.shield_walls[player]:
            yield f"{state.setting.players[player]} cannot form shield walls in this battle (BB 13)"
        if spec.counter.is_horse:
            yield f"{name} is cavalry (BB 13)"
        yield from _first_faults(state, unit, "form a shield wall")
        if zones(state, 1 - player).all >> square & 1:
            yield f"{name} is in an enemy zone (BB 7.1.4)"
        near = beside(state.setting.grid)[square]
        others = (state.units[other].square for other in units)
        if len(units) > 1 and not any(other is not None and near >> other & 1 for other in others):
            yield f"{name} is not beside another unit of its formation (BB 13.1)"

    def act(self, state: State, unit: int) -> State:
        """Mark it; it is done."""
        return unit_done(state.change_unit(unit, wall=True), unit)


@dataclass(frozen=True, slots=True)
class Unshield(MoverAction):
    """Give up a shield wall; then the unit may go (BB 13.3)."""

    word = "unshield"

    @classmethod
    def faults(cls, state: State, unit: int) -> Iterator[str]:
        """Yield why it cannot."""
        if not state.units[unit].wall:
            yield f"{state.unit_name(unit)} has no shield wall (BB 13.3)"

    def act(self, state: State, unit: int) -> State:
        """Take the marker away."""
        spent = state.activated.spent + charts().points["drop_wall"]
        return state.change_unit(unit, wall=False).change_activation(spent=spent)


MOVER_TYPES: ActionTypes = (Stay, Go, Hurry, Reverse, Shield, Unshield)
"""What a unit may do that has been taken."""
