"""Formation: the units that are activated, alone or by a leader, and what they are to do (BB 3.5, 5.4.4)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

from brickphys.blade_and_bow.command.capability import able, inability
from brickphys.blade_and_bow.command.playing import PlayCards
from brickphys.blade_and_bow.command.rally import Rallying
from brickphys.blade_and_bow.ground.arcs import AHEAD
from brickphys.blade_and_bow.ground.distance import points, within
from brickphys.blade_and_bow.ground.room import enemy_squares
from brickphys.blade_and_bow.sheets.cards import Moment
from brickphys.blade_and_bow.state.pieces import Activation, Order
from brickphys.blade_and_bow.state.state import State
from brickphys.errors import unknown
from brickphys.grid.bitset import Squares, squares_of
from brickphys.grid.directions import DIRECTIONS, FACINGS
from brickphys.grid.grid import Grid
from brickphys.rules.words import NAME, Action, Unconditional, one_of

ORDER = one_of("order (move, shoot, melee, rally)", Order)


def in_range(state: State, leader: int, units: Sequence[int]) -> tuple[int, ...]:
    """Return those of some units that are within the command range of a leader (BB 6.1.2)."""
    square = state.leaders[leader].square
    assert square is not None
    reach = state.setting.leaders[leader].range_points
    squares = within(state.setting.grid, square, reach)
    return tuple(unit for unit in units if squares >> state.square_of(unit) & 1)


def near_formation(state: State) -> Squares:
    """Return the squares with at most one square to a unit of the formation; all while it has none (BB 3.5).

    An enemy in that square breaks the formation, a friend does not (ours).
    """
    chosen = squares_of(map(state.square_of, state.activated.units))
    held = enemy_squares(state, state.mover)
    return _across(state.setting.grid, chosen, held) if chosen else state.setting.grid.all_squares


def _across(grid: Grid, chosen: Squares, held: Squares = 0) -> Squares:
    """Return the squares beside some, and those beyond a square that is not held, straight, diagonal or oblique."""
    found = grid.around(chosen)
    for towards, (dx, dy) in enumerate(DIRECTIONS):
        between = grid.shifted(chosen, dx, dy) & ~held
        for off in AHEAD:
            found |= grid.shifted(between, *DIRECTIONS[(towards + off) % FACINGS])
    return found


def joinable(state: State) -> tuple[int, ...]:
    """Return the units that can join the formation (BB 3.5)."""
    activation = state.activated
    assert activation.leader is not None
    left = in_range(state, activation.leader, able(state, activation.order))
    near = near_formation(state)
    others = (unit for unit in left if unit not in activation.units)
    return tuple(unit for unit in others if near >> state.square_of(unit) & 1)


def joined(state: State, units: tuple[int, ...]) -> State:
    """Return the state with units in the formation, which is ready when nobody else can join."""
    state = state.change_activation(units=(*state.activated.units, *units))
    return state if joinable(state) else begun(state)


def begun(state: State) -> State:
    """Return the state in which the units of the activation act; those that rally do so by themselves.

    Before a formation rolls for that, its player may play cards. A unit that moves alone is taken at once.
    """
    activation = state.activated
    state = state.change_activation(closed=True, waiting=activation.units)
    if activation.order is Order.MOVE and len(activation.units) == 1:
        return state.change_activation(active=activation.units[0])
    if activation.order is not Order.RALLY:
        return state
    rolls = len(activation.units) > 1
    cards = (PlayCards(state.mover, Moment.IMPULSE),) * rolls
    return state.push_pending(*cards, Rallying())


def formation_problems(state: State) -> Iterator[str]:
    """Yield why nothing can go on with the activation of a state that was read from text."""
    activation = state.activation
    if activation is None:
        return
    if activation.closed:
        rallying = any(isinstance(one, Rallying) for one in state.pending)
        if activation.order is Order.RALLY and not rallying:
            yield "activation: no unit rallies"
    elif activation.leader not in tuple(active_leaders(state)):
        yield "activation: no leader chooses its units"
    elif not joinable(state):
        yield "activation: all units that can join are chosen"


def _own_unit_problems(state: State, name: str) -> Iterator[str]:
    """Yield why a name is none of a unit of the player whose impulse it is."""
    numbers, specs = state.setting.unit_numbers, state.setting.units
    if name not in numbers:
        own = [spec.name for spec in specs if spec.player == state.mover]
        yield f"{unknown('unit', name, own)} (BB 3.5)"
    elif (player := specs[numbers[name]].player) != state.mover:
        yield f"{name} belongs to {state.setting.players[player]} (BB 3.5)"


@dataclass(frozen=True, slots=True)
class Form(Action[State]):
    """Let a leader activate a formation; its units are chosen next, unless there is only one (BB 3.5)."""

    word = "form"
    arguments = (NAME, ORDER)
    chooses = "a formation"
    leader: str
    order: Order

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield every leader and every order that a unit in his range can carry out."""
        for leader in active_leaders(state):
            for order in Order:
                if in_range(state, leader, able(state, order)):
                    yield cls(state.setting.leaders[leader].name, order)

    def problems(self, state: State) -> Iterator[str]:
        """Yield why he cannot."""
        faults = list(leader_problems(state, self.leader))
        yield from faults
        if not faults:
            number = state.setting.leader_numbers[self.leader]
            if not in_range(state, number, able(state, self.order)):
                yield f"no unit in the range of {self.leader} can {self.order.value} (BB 3.5)"

    def apply(self, state: State) -> State:
        """Begin to choose units."""
        leader = state.setting.leader_numbers[self.leader]
        state = state.replaced({"activation": Activation(self.order, leader, ())})
        units = joinable(state)
        return joined(state, units) if len(units) == 1 else state


def active_leaders(state: State) -> Iterator[int]:
    """Yield the leaders who can be activated: only the ranking one of a square (BB 6.1.1)."""
    specs = state.setting.leaders
    return (here[0] for here in state.leaders_at.values() if specs[here[0]].player == state.mover)


def leader_problems(state: State, name: str) -> Iterator[str]:
    """Yield why a name is none of a leader who can be activated (BB 6.1.1)."""
    numbers, specs = state.setting.leader_numbers, state.setting.leaders
    if name not in numbers:
        own = [spec.name for spec in specs if spec.player == state.mover]
        yield f"{unknown('leader', name, own)} (BB 6.1)"
        return
    leader = numbers[name]
    square = state.leaders[leader].square
    if specs[leader].player != state.mover:
        yield f"{name} belongs to {state.setting.players[specs[leader].player]} (BB 6.1)"
    elif square is None:
        yield f"{name} is not on the map (BB 6.1)"
    elif (ranking := state.leaders_at[square][0]) != leader:
        yield f"{specs[ranking].name} outranks {name} in this square (BB 6.1.1)"


@dataclass(frozen=True, slots=True)
class Include(Action[State]):
    """Choose a unit of the formation; when nobody else can join, the formation is ready."""

    word = "include"
    arguments = (NAME,)
    unit: str

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield every unit that can join."""
        return (cls(state.setting.units[unit].name) for unit in joinable(state))

    def problems(self, state: State) -> Iterator[str]:
        """Yield why it cannot join: every rule that it breaks."""
        faults = list(_own_unit_problems(state, self.unit))
        yield from faults
        activation = state.activated
        assert activation.leader is not None
        if faults:
            return
        unit, spec = state.setting.unit_numbers[self.unit], state.setting.leaders[activation.leader]
        if unit in activation.units:
            yield f"{self.unit} is already in the formation (BB 3.5)"
        if fault := inability(state, unit, activation.order):
            yield f"{self.unit} {fault}"
        square, place = state.leaders[activation.leader].square, state.units[unit].square
        if square is None or place is None:
            return
        away = points(state.setting.grid, square, place)
        if away > spec.range_points:
            yield f"{self.unit} is {away} points from {spec.name}, whose range is {spec.range_points} (BB 6.1.2)"
        if not near_formation(state) >> place & 1:
            chosen = squares_of(map(state.square_of, activation.units))
            is_cut_off = _across(state.setting.grid, chosen) >> place & 1
            what = "an enemy" if is_cut_off else "more than one square"
            yield f"{what} lies between {self.unit} and the formation (BB 3.5)"

    def apply(self, state: State) -> State:
        """Add it."""
        return joined(state, (state.setting.unit_numbers[self.unit],))


class All(Unconditional[State]):
    """Let every unit join that can: the formation is ready; the unit nearest to the leader is the first (ours)."""

    __slots__ = ()
    word = "all"

    def apply(self, state: State) -> State:
        """Let them join."""
        activation, grid = state.activated, state.setting.grid
        assert activation.leader is not None
        centre, found = state.leaders[activation.leader].square or 0, joinable(state)
        if not activation.units:
            found = (min(found, key=lambda one: points(grid, centre, state.square_of(one))),)
        state = joined(state, found)
        return state if state.activation is None or state.activation.closed else self.apply(state)


class Ready(Action[State]):
    """No other unit joins the formation."""

    __slots__ = ()
    word = "ready"

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield the only action of this type if a unit is chosen."""
        if not any(cls().problems(state)):
            yield cls()

    def problems(self, state: State) -> Iterator[str]:
        """Yield that there is no unit yet."""
        if not state.activated.units:
            yield "no unit is in the formation (BB 3.5)"

    def apply(self, state: State) -> State:
        """Let its units act."""
        return begun(state)


@dataclass(frozen=True, slots=True)
class Single(Action[State]):
    """Activate a unit on its own; it need not be in the range of a leader (BB 5.4.4)."""

    word = "single"
    arguments = (NAME, ORDER)
    chooses = "a unit"
    unit: str
    order: Order

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield every unit with every order that it can carry out."""
        specs = state.setting.units
        return (cls(specs[unit].name, order) for order in Order for unit in able(state, order))

    def problems(self, state: State) -> Iterator[str]:
        """Yield why it cannot."""
        faults = list(_own_unit_problems(state, self.unit))
        yield from faults
        if not faults:
            unit = state.setting.unit_numbers[self.unit]
            if fault := inability(state, unit, self.order):
                yield f"{self.unit} {fault}"

    def apply(self, state: State) -> State:
        """Let it act."""
        unit = state.setting.unit_numbers[self.unit]
        return begun(state.replaced({"activation": Activation(self.order, None, (unit,))}))
