"""Formation: the units that are activated, alone or by a leader, and what they are to do (BB 3.5, 5.4.4).

Here is also whom a unit can attack in melee (BB 9.1) and with missiles (BB 8.1 to 8.3), and how leaders move on their
own and come back (BB 6.2 to 6.4).
"""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from brickphys.blade_and_bow import ground
from brickphys.blade_and_bow.command.actions import SquareAnswer, SquareQuestion, bonus, finished
from brickphys.blade_and_bow.command.cards import PlayCards
from brickphys.blade_and_bow.command.morale import (
    MoraleRoll,
    Rallying,
    ask_morale,
    disrupted,
    ranks_lost,
    rout_checks,
)
from brickphys.blade_and_bow.deck import EffectVerb, Moment
from brickphys.blade_and_bow.pieces import Activation, Box, FormationOrder
from brickphys.blade_and_bow.setting import LeaderNumber
from brickphys.blade_and_bow.state import State
from brickphys.errors import unknown
from brickphys.grid.grid import DIRECTIONS, FACINGS, Grid, Square, Squares, each, squares_of
from brickphys.rules.moves import Move
from brickphys.rules.words import NAME, Action, Unconditional, one_of


def engaged(state: State, unit: int) -> Iterator[int | None]:
    """Yield the enemies whom a unit can attack in melee: the one straight ahead, else those in front (BB 9.1).

    The camp of the enemy without a unit on it is None.
    """
    here, facing, grid = state.square_of(unit), state.units[unit].facing, state.setting.grid
    ahead, enemies = (
        ground.neighbours(grid)[here][facing],
        ground.enemy_squares(state, state.player_of(unit)),
    )
    if ahead is not None and enemies >> ahead & 1:
        if not has_wall(state, here, ahead):
            yield state.at.get(ahead)
        return
    for square in ground.front(grid, here, facing):
        if enemies >> square & 1 and not has_wall(state, here, square):
            yield state.at.get(square)


def has_wall(state: State, square: Square, other: Square) -> bool:
    """Whether a wall is between two squares: nobody fights across it (ours)."""
    return (min(square, other), max(square, other)) in state.setting.walls


def reach(state: State, unit: int) -> int:
    """Return how many points a unit can shoot (BB 8.2)."""
    more = bonus(state, EffectVerb.RANGE, state.player_of(unit), unit)
    return state.side(unit).missile_range + more


def shot_at(state: State, unit: int) -> Iterator[int]:
    """Yield the enemy units at which a unit can shoot (BB 8.1 to 8.3).

    It turns to have them in its arc (BB 8.4), unless it has a shield wall (BB 13.2).
    """
    square, player = state.square_of(unit), state.player_of(unit)
    side, grid = state.side(unit), state.setting.grid
    if not side.missile_dice or ground.zones(state, 1 - player).all >> square & 1:
        return
    most = reach(state, unit)
    turns = not state.units[unit].wall
    for target in state.on_map(1 - player):
        place = state.square_of(target)
        if ground.points(grid, square, place) > most or not ground.sees(state, square, place):
            continue
        if turns or not ground.turns_to_aim(state, unit, place):
            yield target


def inability(state: State, unit: int, order: FormationOrder) -> str:
    """Return why a unit of the player whose impulse it is cannot carry out an order; empty if it can."""
    now, enemy = state.units[unit], 1 - state.mover
    if now.square is None:
        return "is not on the map"
    if order is FormationOrder.RALLY:
        return "" if now.disrupted else "is in good order (BB 11.0)"
    if order is FormationOrder.MOVE:
        is_held = ground.zones(state, enemy).strong >> now.square & 1
        return "is in a strong enemy zone (BB 7.2.2)" if is_held else ""
    if now.disrupted:
        return "is disrupted (BB 3.5)"
    if order is FormationOrder.MELEE:
        return "" if any(True for _ in engaged(state, unit)) else "has no enemy in front (BB 9.1)"
    if not state.side(unit).missile_dice:
        return "has no missiles (BB 2.3.2.3)"
    if ground.zones(state, enemy).all >> now.square & 1:
        return "is in an enemy zone (BB 8.1)"
    return "" if any(True for _ in shot_at(state, unit)) else "has no target in reach (BB 8.2, 8.3)"


def able(state: State, order: FormationOrder) -> tuple[int, ...]:
    """Return the units of the player whose impulse it is that can carry out an order; worked out once for a state."""
    known: dict[FormationOrder, tuple[int, ...]] = vars(state).setdefault("able", {})
    if order not in known:
        found = (unit for unit in state.on_map(state.mover) if not inability(state, unit, order))
        known[order] = tuple(sorted(found))
    return known[order]


ORDER = one_of("order (move, shoot, melee, rally)", FormationOrder)


def in_range(state: State, leader: int, units: Sequence[int]) -> tuple[int, ...]:
    """Return those of some units that are within the command range of a leader (BB 6.1.2)."""
    square = state.leaders[leader].square
    assert square is not None
    reach = state.setting.leaders[leader].range_points
    squares = ground.within(state.setting.grid, square, reach)
    return tuple(unit for unit in units if squares >> state.square_of(unit) & 1)


def near_formation(state: State) -> Squares:
    """Return the squares with at most one square to a unit of the formation; all while it has none (BB 3.5).

    An enemy in that square breaks the formation, a friend does not (ours).
    """
    chosen = squares_of(map(state.square_of, state.activated.units))
    held = ground.enemy_squares(state, state.mover)
    return _across(state.setting.grid, chosen, held) if chosen else state.setting.grid.all_squares


def _across(grid: Grid, chosen: Squares, held: Squares = 0) -> Squares:
    """Return the squares beside some, and those beyond a square that is not held, straight, diagonal or oblique."""
    found = grid.around(chosen)
    for towards, (dx, dy) in enumerate(DIRECTIONS):
        between = grid.shifted(chosen, dx, dy) & ~held
        for off in ground.AHEAD:
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
    if activation.order is FormationOrder.MOVE and len(activation.units) == 1:
        return state.change_activation(active=activation.units[0])
    if activation.order is not FormationOrder.RALLY:
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
        if activation.order is FormationOrder.RALLY and not rallying:
            yield "activation: no unit rallies"
    elif activation.leader not in tuple(active_leaders(state)):
        yield "activation: no leader chooses its units"
    elif not joinable(state):
        yield "activation: all units that can join are chosen"


def own_unit_problems(state: State, name: str) -> Iterator[str]:
    """Yield why a name is none of a unit of the player whose impulse it is."""
    players = {spec.name: spec.player for spec in state.setting.units}
    return _foreign_problems(state, "unit", name, players, "BB 3.5")


def _foreign_problems(
    state: State, what: str, name: str, players: Mapping[str, int], section: str
) -> Iterator[str]:
    """Yield why a name is none of those of the player whose impulse it is, given the players by all names."""
    if name not in players:
        own = [one for one, player in players.items() if player == state.mover]
        yield f"{unknown(what, name, own)} ({section})"
    elif players[name] != state.mover:
        yield f"{name} belongs to {state.setting.players[players[name]]} ({section})"


@dataclass(frozen=True, slots=True)
class Form(Action[State]):
    """Let a leader activate a formation; its units are chosen next, unless there is only one (BB 3.5)."""

    word = "form"
    does = "order a formation"
    arguments = (NAME, ORDER)
    chooses = "a formation"
    leader: str
    order: FormationOrder

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield every leader and every order that a unit in his range can carry out."""
        for leader in active_leaders(state):
            for order in FormationOrder:
                if in_range(state, leader, able(state, order)):
                    yield cls(state.setting.leaders[leader].name, order)

    def problems(self, state: State) -> Iterator[str]:
        yield from (faults := list(leader_problems(state, self.leader)))
        if not faults:
            number = state.setting.leader_numbers[self.leader]
            if not in_range(state, number, able(state, self.order)):
                yield f"no unit in the range of {self.leader} can {self.order.value} (BB 3.5)"

    def apply(self, state: State) -> State:
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
    specs = state.setting.leaders
    players = {spec.name: spec.player for spec in specs}
    yield from (faults := [*_foreign_problems(state, "leader", name, players, "BB 6.1")])
    if faults:
        return
    leader = state.setting.leader_numbers[name]
    square = state.leaders[leader].square
    if square is None:
        yield f"{name} is not on the map (BB 6.1)"
    elif (ranking := state.leaders_at[square][0]) != leader:
        yield f"{specs[ranking].name} outranks {name} in this square (BB 6.1.1)"


@dataclass(frozen=True, slots=True)
class Include(Action[State]):
    """Choose a unit of the formation; when nobody else can join, the formation is ready."""

    word = "include"
    does = "include a unit"
    arguments = (NAME,)
    unit: str

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        return (cls(state.setting.units[unit].name) for unit in joinable(state))

    def problems(self, state: State) -> Iterator[str]:
        """Yield why it cannot join: every rule that it breaks."""
        yield from (faults := list(own_unit_problems(state, self.unit)))
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
        away = ground.points(state.setting.grid, square, place)
        if away > spec.range_points:
            yield f"{self.unit} is {away} points from {spec.name}, whose range is {spec.range_points} (BB 6.1.2)"
        if not near_formation(state) >> place & 1:
            chosen = squares_of(map(state.square_of, activation.units))
            is_cut_off = _across(state.setting.grid, chosen) >> place & 1
            what = "an enemy" if is_cut_off else "more than one square"
            yield f"{what} lies between {self.unit} and the formation (BB 3.5)"

    def apply(self, state: State) -> State:
        return joined(state, (state.setting.unit_numbers[self.unit],))


class All(Unconditional[State]):
    """Let every unit join that can: the formation is ready; the unit nearest to the leader is the first (ours)."""

    __slots__ = ()
    word = "all"

    def apply(self, state: State) -> State:
        activation, grid = state.activated, state.setting.grid
        assert activation.leader is not None
        centre, found = state.leaders[activation.leader].square or 0, joinable(state)
        if not activation.units:
            found = (min(found, key=lambda one: ground.points(grid, centre, state.square_of(one))),)
        state = joined(state, found)
        return state if state.activation is None or state.activation.closed else self.apply(state)


class Ready(Move[State]):
    """No other unit joins the formation."""

    __slots__ = ()
    word = "ready"
    section = "BB 3.5"

    def refusals(self, state: State) -> Iterator[str]:
        if not state.activated.units:
            yield "no unit is in the formation"

    def result(self, state: State) -> State:
        return begun(state)


@dataclass(frozen=True, slots=True)
class Single(Action[State]):
    """Activate a unit on its own; it need not be in the range of a leader (BB 5.4.4)."""

    word = "single"
    does = "order a single unit"
    arguments = (NAME, ORDER)
    chooses = "a unit"
    unit: str
    order: FormationOrder

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        specs = state.setting.units
        for order in FormationOrder:
            yield from (cls(specs[unit].name, order) for unit in able(state, order))

    def problems(self, state: State) -> Iterator[str]:
        yield from (faults := list(own_unit_problems(state, self.unit)))
        if not faults:
            unit = state.setting.unit_numbers[self.unit]
            if fault := inability(state, unit, self.order):
                yield f"{self.unit} {fault}"

    def apply(self, state: State) -> State:
        unit = state.setting.unit_numbers[self.unit]
        return begun(state.replaced({"activation": Activation(self.order, None, (unit,))}))


def why_not_ordered(state: State, order: FormationOrder) -> str:
    """Return what comes before units do what they have an order for; empty if they may do it, or another one first."""
    activation = state.activation
    if activation is None:
        return f"order it first: form LEADER {order.value}, or single UNIT {order.value}"
    if not activation.closed:
        return "say first who is in the formation: include UNIT or all, then ready"
    if activation.order is not order:
        return f"the order is to {activation.order.value}, not to {order.value}"
    return ""


def open_places(state: State, leader: int) -> Squares:
    """Return where a leader may come back: anywhere but in a strong enemy zone or where an enemy is (BB 6.3)."""
    player = state.setting.leaders[leader].player
    enemies = ground.enemy_squares(state, player) | state.leader_squares(1 - player)
    return ground.passable(state, player) & ~(enemies | ground.zones(state, 1 - player).strong)


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
    does = "relocate a leader"
    arguments = (NAME,)
    leader: str

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield every leader who can be activated and has a place to go to."""
        for leader in active_leaders(state):
            if leader_places(state, leader):
                yield cls(state.setting.leaders[leader].name)

    def problems(self, state: State) -> Iterator[str]:
        yield from (faults := list(leader_problems(state, self.leader)))
        if not faults and not leader_places(state, state.setting.leader_numbers[self.leader]):
            yield f"{self.leader} has nowhere to go (BB 6.2.1)"

    def apply(self, state: State) -> State:
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
        return each(self.places(state))

    def player(self, state: State) -> int:
        return state.setting.leaders[self.leader].player

    def lapses(self, state: State) -> bool:
        return not self.places(state)

    def prompt(self, state: State) -> str:
        return f"where does {state.leader_name(self.leader)} go?"


class Relocation(LeaderQuestion):
    """Where a leader moves to, for an action (BB 6.2)."""

    __slots__ = ()
    rule = (
        "a leader goes to another square, with a friendly unit or beside one, with no enemy and in no strong enemy "
        "zone (BB 6.2.1)"
    )

    def places(self, state: State) -> Squares:
        return leader_places(state, self.leader)

    def problems(self, state: State) -> list[str]:
        on_map = state.leaders[self.leader].box is Box.MAP
        return [] if on_map else ["pending: the leader is not on the map"]

    def chosen(self, state: State, square: Square) -> State:
        """Move him; the unit that he leaves in an enemy zone checks its morale (BB 6.2.2)."""
        here, player = state.leaders[self.leader].square, self.player(state)
        assert here is not None
        left = state.at.get(here)
        in_zone = ground.zones(state, 1 - player).all >> here & 1
        state = finished(state.change_leader(self.leader, square=square))
        return state if left is None or not in_zone else ask_morale(state, DepartureRoll(left))


class LeaderReturn(LeaderQuestion):
    """Where a routed or captured leader comes back (BB 6.3, 6.4)."""

    __slots__ = ()
    rule = "a leader comes back to a square with no enemy, in no strong enemy zone (BB 6.3)"

    def places(self, state: State) -> Squares:
        return open_places(state, self.leader)

    def problems(self, state: State) -> list[str]:
        away = state.leaders[self.leader].box in (Box.ROUTED, Box.CAPTURED)
        return [] if away else ["pending: the leader is not away"]

    def chosen(self, state: State, square: Square) -> State:
        return state.change_leader(self.leader, box=Box.MAP, square=square, returns=0)


class DepartureRoll(MoraleRoll):
    """The morale check of a unit in an enemy zone whose leader has left it (BB 6.2.2)."""

    __slots__ = ()
    what = "morale without its leader"

    def failed(self, state: State) -> State:
        """Disrupt it; if it is disrupted, it loses a rank, or checks for rout if it has none."""
        unit = state.units[self.unit]
        if not unit.disrupted:
            return disrupted(state, self.unit)
        return ranks_lost(state, self.unit, 1) if unit.ranks else rout_checks(state, self.unit, 1)
