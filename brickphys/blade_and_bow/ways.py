"""Ways: where a unit can move, at what cost, and which units it disrupts (BB 7.0); why it cannot come somewhere.

The squares that can be reached are bit sets, one for each cost and facing, so the search takes a few hundred operations
on integers. How one end is reached is traced back only when it is asked for. Marches are the points of the shortest
way, whoever is on it (BB 3.1.3, 14.2).
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from operator import or_
from typing import NamedTuple

from brickphys.blade_and_bow.ground import (
    departures,
    departures_over,
    displaceable,
    enemy_squares,
    zones,
)
from brickphys.blade_and_bow.pieces import UnitState
from brickphys.blade_and_bow.setting import Setting
from brickphys.blade_and_bow.sheets import Density, FormationSize, charts
from brickphys.blade_and_bow.state import State
from brickphys.grid.grid import DIRECTIONS, FACING_NAMES, FACINGS, Square, Squares, each, squares_of
from brickphys.text import spoken

NOWHERE = 100
"""Distance in points of a square that no way reaches."""
HELD = 12
"""Extra points for a way through a square that the enemy holds."""


def open_ground(state: State, player: int) -> Squares:
    """Return the squares that a player's units may enter now, and those that they may when a way is found."""
    setting = state.setting
    hidden = player == 0 or not state.discovered
    return setting.grid.all_squares & ~setting.closed & ~(setting.special.path if hidden else 0)


@lru_cache(maxsize=4096)
def march(setting: Setting, ground: Squares, start: Square, held: Squares = 0) -> tuple[int, ...]:
    """Return the points of the shortest way from a square to each, over ground that is open, some of it held."""
    grid, costs, leave = setting.grid, charts().points, departures_over(setting, ground)
    steps = [
        (dy * grid.width + dx, leave[n], costs["corner" if dx and dy else "side"])
        for n, (dx, dy) in enumerate(DIRECTIONS)
    ]
    far = [NOWHERE] * (grid.width * grid.length)
    waves, unseen = [1 << start] + [0] * (NOWHERE + HELD + costs["corner"]), grid.all_squares
    for cost in range(NOWHERE):
        wave = waves[cost] & unseen
        unseen &= ~wave
        for square in each(wave):
            far[square] = cost
        for by, able, more in steps if wave else ():
            found = wave & able
            found = found << by if by > 0 else found >> -by
            waves[cost + more] |= found & ~held
            waves[cost + more + HELD] |= found & held
    return tuple(far)


End = tuple[Square, int]
"""A square and a facing."""
Label = tuple[int, int, int, bool]
"""A label of squares: medium units passed through, points spent, facing, whether the unit has halted."""


class UnitWay(NamedTuple):
    """How a unit gets somewhere."""

    cost: int
    """In points."""
    squares: tuple[Square, ...]
    """Those that it enters, in order; none if it only turns."""
    disrupted: tuple[int, ...]
    """Units in good order that become disrupted, without the one that it displaces at the end."""


@dataclass
class Ways(Mapping[End, UnitWay]):
    """The ends that a unit can reach -> its way there: past the fewest units that it disrupts, then the cheapest.

    Ways via some squares are searched in stages, each from one of these squares to the next.
    """

    setting: Setting
    units: tuple[UnitState, ...]
    at: Mapping[Square, int]
    unit: int
    sources: dict[Label, list[tuple[Squares, Label, int | None]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    """For each label, squares that are reached from another label: by a step in a direction, or on the spot."""
    ends: tuple[list[tuple[Squares, Label]], ...] = field(
        default_factory=lambda: tuple([] for _ in range(FACINGS))
    )
    """For each facing the squares in which the unit can end, by label."""
    before: "Ways | None" = None
    """The ways of the stage before, where the unit goes via squares."""

    def __iter__(self) -> Iterator[End]:
        """Yield the ends by facing, the cheapest first."""
        for facing, found in enumerate(self.ends):
            for squares, _ in found:
                for square in each(squares):
                    yield square, facing

    def __len__(self) -> int:
        return sum(squares.bit_count() for found in self.ends for squares, _ in found)

    def __contains__(self, end: object) -> bool:
        return isinstance(end, tuple) and self._label(*end) is not None

    def __getitem__(self, end: End) -> UnitWay:
        label = self._label(*end)
        if label is None:
            raise KeyError(end)
        return self.way(label, end[0])

    def pauses(self, most: int) -> Mapping[End, Label]:
        """Return the ends in no friend's square where the unit has not halted, still as it began -> their labels.

        It has spent at most so many points there.
        """
        taken = squares_of(square for square, unit in self.at.items() if unit != self.unit)
        found, shut = dict[End, Label](), [taken] * FACINGS
        for label in sorted(label for label in self.sources if label[1] <= most):
            passed, _, facing, halted = label
            if not passed and not halted:
                squares = reduce(or_, (squares for squares, _, _ in self.sources[label]))
                found.update(((square, facing), label) for square in each(squares & ~shut[facing]))
                shut[facing] |= squares
        return found

    def entering(self, square: Square) -> Iterator[tuple[Label, Squares]]:
        """Yield the labels with which the unit is in a square that is not where it begins, and can go on."""
        for label, found in self.sources.items():
            if not label[3] and any(squares >> square & 1 for squares, _, _ in found):
                yield label, 1 << square

    def way(self, label: Label, square: Square) -> UnitWay:
        """Return the way to a square with a label."""
        squares = self._traced(label, square)[::-1]
        return UnitWay(label[1], tuple(squares), self._disrupted(squares))

    def _traced(self, label: Label, square: Square) -> list[Square]:
        """Return the squares that the unit has entered when it has a label in a square, the last first."""
        squares = list[Square]()
        while found := [one for one in self.sources.get(label, ()) if one[0] >> square & 1]:
            _, label, towards = found[0]
            if towards is not None:
                squares.append(square)
                dx, dy = DIRECTIONS[towards]
                square -= dy * self.setting.grid.width + dx
        return squares + (self.before._traced(label, square) if self.before else [])

    def _label(self, square: Square, facing: int) -> Label | None:
        found = self.ends[facing]
        return next((label for squares, label in found if squares >> square & 1), None)

    def _disrupted(self, squares: list[Square]) -> tuple[int, ...]:
        """Return who becomes disrupted: medium units that pass, and who enters bad ground (BB 7.3.2, 7.5)."""
        specs, mover = self.setting.units, self.unit
        size = specs[mover].counter.size
        crossed = {self.at[square] for square in squares[:-1] if square in self.at} - {mover}
        passed = [n for n in crossed if size is specs[n].counter.size is FormationSize.MEDIUM]
        bad = squares_of(squares) & self.setting.disrupts[size]
        harmed = (*sorted(passed), *((mover,) if passed or bad else ()))
        return tuple(number for number in harmed if not self.units[number].disrupted)


def ways(state: State, unit: int, points: int, via: tuple[Square, ...] = ()) -> Ways:
    """Return where a unit on the map can go with some points.

    A unit in a strong enemy zone has no ways (BB 7.2.2), and none with a shield wall (BB 13.2). Via some squares it
    enters them in this order, each another one than that before it and the first another one than its own. The last
    one is no end; without any, where it stands and faces now is none.
    """
    known: dict[tuple[int, int, tuple[Square, ...]], Ways] = vars(state).setdefault("ways", {})
    if (unit, points, via) not in known:
        known[unit, points, via] = _found(state, unit, points, via)
    return known[unit, points, via]


def _found(state: State, unit: int, points: int, via: tuple[Square, ...]) -> Ways:
    """Search by medium units passed, then by points spent."""
    found, now = Ways(state.setting, state.units, state.at, unit), state.units[unit]
    square, player = state.square_of(unit), state.player_of(unit)
    is_held = now.wall or zones(state, 1 - player).strong >> square & 1
    if is_held or len(via) * charts().points["side"] > points:
        return found
    rules = _Rules.of(state, unit)
    span = (points + 1) * FACINGS
    cheaper = [0] * span  # reached past fewer units, at this cost or less
    ended = [0] * FACINGS
    layers = defaultdict[int, list[int]](lambda: [0] * span)
    if via:
        ended = [1 << via[-1]] * FACINGS
        found.before = ways(state, unit, points, via[:-1])
        for (passed, cost, facing, _), squares in found.before.entering(via[-1]):
            layers[passed][cost * FACINGS + facing] |= squares
    else:
        ended[now.facing] = layers[0][now.facing] = 1 << square
    while layers:
        passed = min(layers)
        layer, stopped, reached = layers.pop(passed), [0] * span, [0] * FACINGS
        for place in range(span):
            cost, facing = divmod(place, FACINGS)
            label = (passed, cost, facing, False)
            if here := stopped[place] & ~ended[facing]:
                ended[facing] |= here
                found.ends[facing].append((here, (passed, cost, facing, True)))
            if squares := layer[place] & ~(cheaper[place] | reached[facing]):
                reached[facing] |= squares
                if here := squares & rules.ends & ~ended[facing]:
                    ended[facing] |= here
                    found.ends[facing].append((here, label))
                for to, target, towards in rules.on(label, squares, points):
                    after, spent, there, halted = target
                    if to := to & ~(ended if halted else reached)[there]:
                        into = stopped if halted else layer if after == passed else layers[after]
                        into[spent * FACINGS + there] |= to
                        found.sources[target].append((to, label, towards))
            cheaper[place] |= reached[facing]
    return found


class _Rules(NamedTuple):
    """What the rules allow a unit on the map as it is."""

    high: Squares
    departures: tuple[Squares, ...]
    free: Squares  # without the enemy
    halts: Squares
    through: Squares  # without friends, or with those whom it passes freely
    shared: Squares  # with friends whom it passes at a price
    ends: Squares  # where it may end as far as friends go
    is_light: bool
    reverses: bool
    costs: Mapping[str, int]
    steps: tuple[tuple[int, int], ...]  # in each direction: what it adds to a square, and its cost

    @classmethod
    def of(cls, state: State, unit: int) -> "_Rules":
        setting, now, spec = state.setting, state.units[unit], state.setting.units[unit]
        friends = state.occupied[spec.player] & ~(1 << state.square_of(unit))
        free, shared = _passed(state, unit, friends)
        costs = charts().points
        return cls(
            high=setting.high,
            departures=departures(state, spec.player),
            free=~enemy_squares(state, spec.player),
            halts=setting.stops | zones(state, 1 - spec.player).all,
            through=~friends | free,
            shared=shared,
            ends=~friends | displaceable(state, unit),
            is_light=spec.counter.is_light,
            reverses=spec.counter.density is not Density.DENSE and not now.disrupted,
            costs=costs,
            steps=tuple(
                (dy * setting.grid.width + dx, costs["corner" if dx and dy else "side"])
                for dx, dy in DIRECTIONS
            ),
        )

    def on(
        self, label: Label, squares: Squares, points: int
    ) -> Iterator[tuple[Squares, Label, int | None]]:
        """Yield where a unit gets from squares at once, with the label there and the direction of a step (BB 7.1)."""
        passed, cost, facing, _ = label
        costs = self.costs
        if (turned := cost + costs["wheel"]) <= points:
            yield squares, (passed, turned, (facing + 1) % FACINGS, False), None
            yield squares, (passed, turned, (facing - 1) % FACINGS, False), None
        if self.reverses and not passed and (turned := cost + costs["reverse"]) <= points:
            yield squares, (passed, turned, (facing + FACINGS // 2) % FACINGS, False), None
        by, more = self.steps[facing]
        cost += more
        squares &= self.departures[facing] & (self.through | self.shared)
        if cost > points or not squares:
            return
        to = _shifted(squares, by) & self.free
        slope = to & (self.high ^ _shifted(squares & self.high, by))
        on = to & ~(self.halts | slope)
        stops = to & self.ends & (self.halts | slope)
        onto = on & (self.through | self.ends & ~self.shared)
        for off in (0, 1, -1) if self.is_light else (0,):
            there = (facing + off) % FACINGS
            if onto:
                yield onto, (passed, cost, there, False), facing
            if shared := on & self.shared:
                yield shared, (passed + 1, cost, there, False), facing
            if stops:
                yield stops, (passed, cost, there, True), facing


def _shifted(squares: Squares, by: int) -> Squares:
    return squares << by if by >= 0 else squares >> -by


def _passed(state: State, unit: int, friends: Squares) -> tuple[Squares, Squares]:
    """Return where friends are whom a unit passes freely, and those whom it passes at a price (BB 7.3)."""
    specs, units = state.setting.units, state.units
    size, free, shared = specs[unit].counter.size, 0, 0
    for square in each(friends):
        other = state.at[square]
        other_size = specs[other].counter.size
        if FormationSize.LIGHT in (size, other_size):
            free |= 1 << square
        elif size is other_size is FormationSize.MEDIUM:
            if units[unit].disrupted and units[other].disrupted:
                free |= 1 << square
            else:
                shared |= 1 << square
    return free, shared


_ANY_POINTS = 60
"""More points than the longest way on the largest map costs."""


def why_no_way(
    state: State, unit: int, square: Square, points: int, via: tuple[Square, ...] = ()
) -> str:
    """Return why none of the ways of a unit with so many points left, via some squares, ends in a square."""
    player, here = state.player_of(unit), state.square_of(unit)
    if state.units[unit].wall:
        return "it must give up its shield wall first"
    if zones(state, 1 - player).strong >> here & 1:
        return "it is in a strong enemy zone"
    if enemy_squares(state, player) >> square & 1:
        return f"{_holder(state, square)} is there"
    if square in state.at and square != here and not displaceable(state, unit) >> square & 1:
        return f"{_holder(state, square)} is there and cannot make room"
    now = ways(state, unit, points, via)
    facings = [facing for facing in range(FACINGS) if (square, facing) in now]
    if facings:
        return f"there it can face {', '.join(map(FACING_NAMES.__getitem__, facings))}"
    far = ways(state, unit, _ANY_POINTS, via)
    costs = [far[square, facing].cost for facing in range(FACINGS) if (square, facing) in far]
    if costs:
        return f"the way there costs {min(costs)}"
    return "enemies, their zones and the ground block the way"


def _holder(state: State, square: Square) -> str:
    """Return who is in a square: a unit, or the camp of the enemy."""
    unit = state.at.get(square)
    return "the enemy camp" if unit is None else spoken(state.setting.units[unit].name)
