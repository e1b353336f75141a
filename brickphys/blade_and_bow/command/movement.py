"""Movement: what a unit does that is activated to move (BB 7).

A unit that ends its move on a smaller friendly unit pushes it away (BB 7.3.4).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Annotated, Self

from brickphys.blade_and_bow.command import actions
from brickphys.blade_and_bow.command.formation import Single, own_unit_problems, why_not_ordered
from brickphys.blade_and_bow.command.morale import (
    MoraleRoll,
    ask_morale,
    captured,
    disrupted,
    entered,
)
from brickphys.blade_and_bow.deck import EffectVerb
from brickphys.blade_and_bow.ground import beside, displacement_squares, zones
from brickphys.blade_and_bow.pieces import FormationOrder
from brickphys.blade_and_bow.setting import Setting, SquareNumber
from brickphys.blade_and_bow.sheets import Density, charts
from brickphys.blade_and_bow.state import State
from brickphys.blade_and_bow.ways import End, Label, UnitWay, Ways, ways, why_no_way
from brickphys.errors import InvalidValueError, unknown
from brickphys.grid.grid import FACINGS, Square, each
from brickphys.rules.moves import Among, Move
from brickphys.rules.words import NAME, ActionTypes
from brickphys.text import spoken


def mover(state: State) -> int | None:
    """Return the unit that is about to move; None if there is none."""
    activation = state.activation
    return activation.active if activation and activation.order is FormationOrder.MOVE else None


def _mover(state: State) -> int:
    unit = mover(state)
    assert unit is not None
    return unit


def points_left(state: State, unit: int) -> int:
    """Return how many points the unit that moves has left, with those of cards (BB 7.0)."""
    more = actions.bonus(state, EffectVerb.MOVEMENT, state.player_of(unit), unit)
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
    state: State, way: UnitWay, square: Square, facing: int, to: Square | None = None
) -> tuple[State, tuple[int, ...]]:
    """Return the state after the unit that moves has gone a way to its end, and the enemy leaders whom it met (BB 6.4).

    A friend whom it displaces goes `to` another square.
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


def moved(
    state: State, way: UnitWay, square: Square, facing: int, to: Square | None = None
) -> State:
    """Return the state after the unit that moves has gone a way (see `gone`): it is done; leaders may be captured."""
    unit, friend = _mover(state), state.at.get(square)
    state, caught = gone(state, way, square, facing, to)
    state = actions.unit_done(state, unit)
    for leader in reversed(caught):
        state = captured(state, leader)
    return state if to is None or friend is None else entered(state, friend)


class Push(actions.SquareAnswer):
    """Push the unit that is displaced into a neighbouring square; it is disrupted, and keeps its facing (BB 7.3.4)."""

    __slots__ = ()
    word = "push"
    does = "push the unit"
    section = "BB 7.3.4"


@dataclass(frozen=True, slots=True)
class Displacing(actions.SquareQuestion):
    """Where a friend goes in whose square the unit that moves will end, with a facing, via some squares (BB 7.3.4)."""

    answers = (Push,)
    rule = "a unit is pushed into a free square beside it, outside enemy zones (BB 7.3.4)"
    square: SquareNumber
    facing: Annotated[int, range(FACINGS)]
    via: tuple[SquareNumber, ...] = ()

    def squares(self, state: State) -> tuple[Square, ...]:
        left = 1 << state.square_of(_mover(state))
        return displacement_squares(state, state.at[self.square], left)

    def chosen(self, state: State, square: Square) -> State:
        end = self.square, self.facing
        return moved(state, ways_left(state, _mover(state), self.via)[end], *end, square)

    def problems(self, state: State) -> list[str]:
        unit = mover(state)
        if unit is None or state.at.get(self.square, unit) == unit:
            return [f"square {self.square}: no unit moves into this square of a friend"]
        starts = (state.square_of(unit), *self.via)
        stays = any(one == other for one, other in zip(starts, self.via, strict=False))
        if stays or (self.square, self.facing) not in ways_left(state, unit, self.via):
            return [f"square {self.square}: the moving unit has no way there"]
        return []

    def player(self, state: State) -> int:
        return state.player_of(_mover(state))

    def prompt(self, state: State) -> str:
        return f"where {state.unit_name(state.at[self.square])} is pushed to"


@dataclass(frozen=True, slots=True)
class TakeUnit(Move[State]):
    """Take a unit of the formation that has not moved: it moves now (BB 7.0)."""

    word = "take"
    does = "move a unit"
    chooses = "a unit"
    section = "BB 7.0"
    unit: Annotated[str, NAME]

    @classmethod
    def listed(cls, state: State) -> Iterator[Self]:
        activation, specs = state.activation, state.setting.units
        if activation and activation.order is FormationOrder.MOVE and activation.active is None:
            for unit in activation.waiting:
                yield cls(specs[unit].name)

    def refusals(self, state: State, name: str) -> Iterator[str]:
        yield from (faults := list(own_unit_problems(state, name)))
        unit, activation = state.setting.unit_numbers.get(name), state.activated
        if not faults and unit not in activation.units:
            yield f"{spoken(name)} is not in the formation (BB 3.5)"
        elif not faults and unit not in activation.waiting:
            yield f"{spoken(name)} has moved in this action"

    def result(self, state: State, name: str) -> State:
        return state.change_activation(active=state.setting.unit_numbers[name], spent=0)


class UnitMove(Move[State]):
    """A move of the unit that is taken."""

    __slots__ = ()
    section = "BB 7.0"

    @classmethod
    def opener(cls, name: str) -> Single:
        return Single(name, FormationOrder.MOVE)

    @classmethod
    def not_now(cls, state: State) -> str:
        return why_not_ordered(state, FormationOrder.MOVE)

    @classmethod
    def wrong_moment(cls, state: State) -> str | None:
        return "take a unit first (BB 7.0)" if mover(state) is None else None

    @classmethod
    def actor(cls, state: State) -> tuple[int]:
        return (_mover(state),)


@dataclass(frozen=True, slots=True)
class GoToSquare(UnitMove):
    """Go to a square and a facing by the cheapest of the ways that disrupt least; then the unit is done (BB 7.1).

    Of all ways or of those via some squares: ``go D3 n via C2 C3`` (BB 7.0).
    """

    word = "go"
    form = "square, facing"
    further = actions.SQUARE
    square: Annotated[
        str,
        Among("square", lambda state, _: state.setting.square_numbers, actions.SQUARE, "BB 2.1"),
    ]
    facing: Annotated[int, actions.FACING]
    via: tuple[str, ...] = ()

    @classmethod
    def listed(cls, state: State, unit: int) -> Iterator[Self]:
        """Yield the ends of its ways; and those over an enemy leader alone, whom the usual way misses."""
        table, names = cls._table(state.setting), state.setting.squares
        yield from (table[square][facing] for square, facing in ways_left(state, unit))
        for (square, facing), ridden in rides(state, unit):
            yield cls(names[square], facing, (names[ridden],))

    @classmethod
    def parse(cls, words: Sequence[str]) -> Self:
        """Read the end, and the squares that may follow the word ``via``."""
        end, mark, way = actions.split_at(words, actions.VIA)
        if mark and not way:
            raise InvalidValueError(
                f"{actions.VIA!r} needs a square, such as: go D3 n {actions.VIA} C2"
            )
        return replace(super(GoToSquare, cls).parse(end), via=tuple(map(actions.SQUARE.parse, way)))

    def text(self) -> str:
        return " ".join(
            [super(GoToSquare, self).text(), *((actions.VIA, *self.via) if self.via else ())]
        )

    def shown(self) -> str:
        return self.text()

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
        unit = mover(state)
        return unit is not None and bool(ways_left(state, unit))

    def refusals(self, state: State, unit: int, square: Square, facing: int) -> Iterator[str]:
        name, squares = state.unit_name(unit), state.setting.square_numbers
        now = state.units[unit]
        if wrong := [one for one in self.via if one not in squares]:
            yield f"{unknown('square', wrong[0], squares)} (BB 2.1)"
            return
        end, via = (square, facing), self._via(state)
        course = (state.square_of(unit), *via, *((end[0],) if via else ()))
        if not via and end == (now.square, now.facing):
            yield f"{name} is already at {self.square} {actions.FACING.write(facing)}: choose stay"
        elif any(one == other for one, other in pairwise(course)):
            yield f"{actions.VIA} takes squares between the start and the end, none twice in a row"
        elif end not in ways_left(state, unit, via):
            left, ahead = points_left(state, unit), actions.FACING.write(facing)
            where = " ".join([self.square, ahead, *((actions.VIA, *self.via) if via else ())])
            why = why_no_way(state, unit, end[0], left, via)
            yield f"{name} has no way to {where} with {left} points: {why} (BB 7)"

    def _via(self, state: State) -> tuple[int, ...]:
        return tuple(state.setting.square_numbers[name] for name in self.via)

    def result(self, state: State, unit: int, square: Square, facing: int) -> State:
        via = self._via(state)
        if state.at.get(square, unit) != unit:
            return state.push_pending(Displacing(square, facing, via))
        way = ways_left(state, unit, via)[square, facing]
        return moved(state, way, square, facing)


@dataclass(frozen=True, slots=True)
class Stay(UnitMove):
    """Stay where it is; then the unit is done (BB 7.0)."""

    word = "stay"

    def result(self, state: State, unit: int) -> State:
        return actions.unit_done(state, unit)


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
class Hurry(UnitMove):
    """Become disrupted, and move with the values of that side (BB 7.4)."""

    word = "hurry"
    section = "BB 7.4"

    def refusals(self, state: State, unit: int) -> Iterator[str]:
        """Yield why it cannot: only dense and flexible units do, before they go."""
        spec = state.setting.units[unit]
        if not spec.counter.has_ranks:
            yield f"{spoken(spec.name)} is neither dense nor flexible"
        yield from _first_faults(state, unit, "hurry")

    def result(self, state: State, unit: int) -> State:
        return disrupted(state, unit)


@dataclass(frozen=True, slots=True)
class Reverse(UnitMove):
    """Try to turn round where it stands, after a morale check: dense units; others just go (BB 7.1.3)."""

    word = "reverse"
    section = "BB 7.1.3"

    def refusals(self, state: State, unit: int) -> Iterator[str]:
        now, spec = state.units[unit], state.setting.units[unit]
        name, cost = spoken(spec.name), charts().points["reverse"]
        if spec.counter.density is not Density.DENSE:
            yield f"{name} is not dense: it turns as it moves"
        if now.disrupted:
            yield f"{name} is disrupted"
        if now.wall:
            yield f"{name} has a shield wall (BB 13.2)"
        if points_left(state, unit) < cost:
            yield f"{name} has fewer than {cost} movement points left"

    def result(self, state: State, unit: int) -> State:
        spent = state.activated.spent + charts().points["reverse"]
        return ask_morale(state.change_activation(spent=spent), ReverseRoll(unit))


@dataclass(frozen=True, slots=True)
class ReverseAt(UnitMove):
    """Go to a square and a facing, and try to reverse there; then the unit may go on (BB 7.1.3)."""

    word = "reverse_at"
    does = "reverse"
    needs_word = True
    section = "BB 7.1.3"
    form = "square, facing before it reverses"
    square: Annotated[str, actions.SQUARE]
    facing: Annotated[int, actions.FACING]

    @classmethod
    def listed(cls, state: State, unit: int) -> Iterator[Self]:
        """Yield where a unit can reverse that is dense, in good order and not halted there."""
        if any(Reverse().refusals(state, unit)):
            return
        names = state.setting.squares
        yield from (cls(names[square], facing) for square, facing in pauses_left(state, unit))

    def refusals(self, state: State, unit: int, name: str, facing: int) -> Iterator[str]:
        squares = state.setting.square_numbers
        yield from (faults := list(Reverse().problems(state)))
        if name not in squares:
            yield f"{unknown('square', name, squares)} (BB 2.1)"
        elif not faults and (squares[name], facing) not in pauses_left(state, unit):
            left, end = points_left(state, unit), f"{name} {actions.FACING.write(facing)}"
            yield (
                f"{state.unit_name(unit)} cannot come to {end} without a halt, with "
                f"{charts().points['reverse']} of {left} points left"
            )

    def result(self, state: State, unit: int, name: str, facing: int) -> State:
        square = state.setting.square_numbers[name]
        label = pauses_left(state, unit)[square, facing]
        way = ways_left(state, unit).way(label, square)
        state, caught = gone(state, way, square, facing)
        spent = state.activated.spent + way.cost + charts().points["reverse"]
        state = ask_morale(state.change_activation(spent=spent), ReverseRoll(unit))
        for leader in reversed(caught):
            state = captured(state, leader)
        return state


class ReverseRoll(MoraleRoll):
    """The morale check of a dense unit that reverses: it turns round, or becomes disrupted (BB 7.1.3)."""

    __slots__ = ()
    what = "reversal"

    def passed(self, state: State) -> State:
        facing = (state.units[self.unit].facing + FACINGS // 2) % FACINGS
        return state.change_unit(self.unit, facing=facing)

    def failed(self, state: State) -> State:
        """Disrupt it; it may go on with the points that are left."""
        return disrupted(state, self.unit)


@dataclass(frozen=True, slots=True)
class Shield(UnitMove):
    """Form a shield wall in place of a move (BB 7.1.4, 13.1)."""

    word = "shield"
    section = "BB 13.1"

    def refusals(self, state: State, unit: int) -> Iterator[str]:
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
        others = (other for other in units if other != unit and _walls(state, other))
        if len(units) > 1 and not any(near >> state.square_of(other) & 1 for other in others):
            yield f"{name} is not beside another unit of its formation that forms a wall"

    def result(self, state: State, unit: int) -> State:
        """Mark it; it is done."""
        return actions.unit_done(state.change_unit(unit, wall=True), unit)


def _walls(state: State, unit: int) -> bool:
    """Whether a unit of the formation has a shield wall, or can still form one: it is foot and waits in good order."""
    now, is_horse = state.units[unit], state.setting.units[unit].counter.is_horse
    zone = zones(state, 1 - state.player_of(unit)).all
    can = unit in state.activated.waiting and not is_horse and not now.disrupted
    return now.wall or (can and not zone >> state.square_of(unit) & 1)


@dataclass(frozen=True, slots=True)
class Unshield(UnitMove):
    """Give up a shield wall; then the unit may go (BB 13.3)."""

    word = "unshield"
    section = "BB 13.3"

    def refusals(self, state: State, unit: int) -> Iterator[str]:
        if not state.units[unit].wall:
            yield f"{state.unit_name(unit)} has no shield wall"

    def result(self, state: State, unit: int) -> State:
        spent = state.activated.spent + charts().points["drop_wall"]
        return state.change_unit(unit, wall=False).change_activation(spent=spent)


MOVER_TYPES: ActionTypes = (Stay, GoToSquare, Hurry, Reverse, ReverseAt, Shield, Unshield)
"""What a unit may do that has been taken."""
