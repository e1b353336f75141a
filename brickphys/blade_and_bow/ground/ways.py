"""Ways: where a unit can move, at what cost, and which units it disrupts (BB 7.0).

The squares that can be reached are bit sets, one for each cost and facing, so the search takes a few hundred operations
on integers. How one end is reached is traced back only when it is asked for.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from brickphys.blade_and_bow.ground.room import displaceable, enemy_squares
from brickphys.blade_and_bow.ground.steps import departures
from brickphys.blade_and_bow.ground.zones import zones
from brickphys.blade_and_bow.sheets.charts import charts
from brickphys.blade_and_bow.sheets.counters import Density, Size
from brickphys.blade_and_bow.state.pieces import UnitState
from brickphys.blade_and_bow.state.setting import Setting
from brickphys.blade_and_bow.state.state import State
from brickphys.grid.bitset import Square, Squares, each, squares_of
from brickphys.grid.directions import DIRECTIONS, FACINGS

End = tuple[Square, int]
"""A square and a facing."""
_Label = tuple[int, int, int, bool]
"""A label of squares: medium units passed through, points spent, facing, whether the unit has halted."""


class Way(NamedTuple):
    """How a unit gets somewhere."""

    cost: int
    """In points."""
    squares: tuple[Square, ...]
    """Those that it enters, in order; none if it only turns."""
    disrupted: tuple[int, ...]
    """Units in good order that become disrupted, without the one that it displaces at the end."""


@dataclass
class Ways(Mapping[End, Way]):
    """The ends that a unit can reach -> its way there: past the fewest units that it disrupts, then the cheapest."""

    setting: Setting
    units: tuple[UnitState, ...]
    at: Mapping[Square, int]
    unit: int
    sources: dict[_Label, list[tuple[Squares, _Label, int | None]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    """For each label, squares that are reached from another label: by a step in a direction, or on the spot."""
    ends: tuple[list[tuple[Squares, _Label]], ...] = field(
        default_factory=lambda: tuple([] for _ in range(FACINGS))
    )
    """For each facing the squares in which the unit can end, by label."""

    def __iter__(self) -> Iterator[End]:
        """Yield the ends by facing, the cheapest first."""
        for facing, found in enumerate(self.ends):
            for squares, _ in found:
                for square in each(squares):
                    yield square, facing

    def __len__(self) -> int:
        """Return the number of ends."""
        return sum(squares.bit_count() for found in self.ends for squares, _ in found)

    def __contains__(self, end: object) -> bool:
        """Whether an end can be reached."""
        return isinstance(end, tuple) and self._label(*end) is not None

    def __getitem__(self, end: End) -> Way:
        """Return the way to an end."""
        label = self._label(*end)
        if label is None:
            raise KeyError(end)
        squares, square, cost = list[Square](), end[0], label[1]
        while label in self.sources:
            found = self.sources[label]
            _, label, towards = next(source for source in found if source[0] >> square & 1)
            if towards is not None:
                squares.append(square)
                dx, dy = DIRECTIONS[towards]
                square -= dy * self.setting.grid.width + dx
        squares.reverse()
        return Way(cost, tuple(squares), self._disrupted(squares))

    def _label(self, square: Square, facing: int) -> _Label | None:
        found = self.ends[facing]
        return next((label for squares, label in found if squares >> square & 1), None)

    def _disrupted(self, squares: list[Square]) -> tuple[int, ...]:
        """Return who becomes disrupted: medium units that pass, and who enters bad ground (BB 7.3.2, 7.5)."""
        specs, mover = self.setting.units, self.unit
        size = specs[mover].counter.size
        crossed = {self.at[square] for square in squares[:-1] if square in self.at} - {mover}
        passed = [n for n in crossed if size is specs[n].counter.size is Size.MEDIUM]
        bad = squares_of(squares) & self.setting.disrupts[size]
        harmed = (*sorted(passed), *((mover,) if passed or bad else ()))
        return tuple(number for number in harmed if not self.units[number].disrupted)


def ways(state: State, unit: int, points: int) -> Ways:
    """Return where a unit on the map can go with some points; where it stands and faces now is no end.

    A unit in a strong enemy zone has no ways (BB 7.2.2), and none with a shield wall (BB 13.2).
    """
    known: dict[tuple[int, int], Ways] = vars(state).setdefault("ways", {})
    if (unit, points) not in known:
        known[unit, points] = _found(state, unit, points)
    return known[unit, points]


def _found(state: State, unit: int, points: int) -> Ways:
    """Search by medium units passed, then by points spent."""
    found, now = Ways(state.setting, state.units, state.at, unit), state.units[unit]
    square, player = state.square_of(unit), state.player_of(unit)
    if now.wall or zones(state, 1 - player).strong >> square & 1:
        return found
    rules = _Rules.of(state, unit)
    span = (points + 1) * FACINGS
    cheaper = [0] * span  # reached past fewer units, at this cost or less
    ended = [0] * FACINGS
    ended[now.facing] = 1 << square
    layer = [0] * span
    layer[now.facing] = 1 << square
    passed = 0
    while any(layer):
        later, stopped = [0] * span, [0] * span
        reached = [0] * FACINGS
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
                        into = stopped if halted else layer if after == passed else later
                        into[spent * FACINGS + there] |= to
                        found.sources[target].append((to, label, towards))
            cheaper[place] |= reached[facing]
        layer, passed = later, passed + 1
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
        """Return them."""
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
        self, label: _Label, squares: Squares, points: int
    ) -> Iterator[tuple[Squares, _Label, int | None]]:
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
        for there in (
            (facing, (facing + 1) % FACINGS, (facing - 1) % FACINGS) if self.is_light else (facing,)
        ):
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
        if Size.LIGHT in (size, other_size):
            free |= 1 << square
        elif size is other_size is Size.MEDIUM:
            if units[unit].disrupted and units[other].disrupted:
                free |= 1 << square
            else:
                shared |= 1 << square
    return free, shared
