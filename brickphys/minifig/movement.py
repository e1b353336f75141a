"""Movement: on foot, on horseback, and with a wagon; mounting and dismounting (MF Movement, MF Rules)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from math import atan2, cos, dist, pi, radians, sin
from typing import Self

from brickphys.errors import unknown
from brickphys.geometry.disc_way import is_free
from brickphys.geometry.polygon import Point
from brickphys.geometry.pose import bearing_deg
from brickphys.minifig.actions import INCHES, FigureAction, can_take, finished, place_shown
from brickphys.minifig.ground import SLACK_IN, figure_row, ground, things_touched
from brickphys.minifig.reach import base_problems, haul_problems, spots, way_problems
from brickphys.minifig.sheets import BASE_RADIUS_IN, TOUCH_IN, charts
from brickphys.minifig.state import Deed, FigureStep, State, rounded
from brickphys.rules.words import ANGLE, NAME, without_problems

_DIRECTIONS = 16
_ITEM_NEAR_IN = 4 * BASE_RADIUS_IN + 2 * TOUCH_IN
"""Greatest distance from a horse of an item that a figure beside it can reach."""


@dataclass(frozen=True, slots=True)
class Mount(FigureAction):
    """Mount a horse that the figure touches: then it moves; a rider who has stayed mounts last (MF Rules)."""

    word = "mount"
    arguments = (NAME,)
    steps = (FigureStep.CHOSEN, FigureStep.ON_FOOT, FigureStep.PICKED_UP)
    horse: str

    @classmethod
    def listed(cls, state: State, figure: int) -> Iterator[Self]:
        things = (state.setting.things[thing].name for thing in things_touched(state, figure))
        return without_problems(state, map(cls, things))

    def faults(self, state: State, figure: int) -> Iterator[str]:
        setting, name = state.setting, state.setting.figures[figure].name
        thing = setting.thing_numbers.get(self.horse)
        if thing is None or not setting.things[thing].kind.is_ridden:
            horses = [each.name for each in setting.things if each.kind.is_ridden]
            yield f"{unknown('horse', self.horse, horses)} (MF Rules)"
        elif state.figures[figure].horse is not None:
            yield f"{name} already rides (MF Rules)"
        elif not setting.figures[figure].kind.hands:
            yield f"{name} has no hands to ride with (MF Rules)"
        elif thing in state.riders:
            rider = setting.figures[state.riders[thing]].name
            yield f"{rider} rides {self.horse} (MF Rules)"
        elif thing not in things_touched(state, figure):
            yield f"{name} does not touch {self.horse} (MF Rules)"
        elif state.step is FigureStep.CHOSEN and state.things[thing].worked_round == state.round:
            yield f"{self.horse} has carried a rider in this round, and takes no other (MF Rules)"

    def act(self, state: State, figure: int) -> State:
        number = state.setting.thing_numbers[self.horse]
        horse = state.things[number]
        rider = state.figures[figure].at(horse.place_in, horse.facing_deg)
        state = state.with_figure(figure, rider.replaced({"horse": number}))
        if state.step is FigureStep.CHOSEN:
            return state.replaced({"step": FigureStep.MOUNTED})
        return finished(state, Deed.OTHER)


@dataclass(frozen=True, slots=True)
class Dismount(FigureAction):
    """Dismount to a place beside the horse; after a move, only to pick something up (MF Rules)."""

    word = "dismount"
    arguments = (INCHES, INCHES)
    form = "x and y in inches"
    steps = (FigureStep.CHOSEN, FigureStep.MOVED)
    x_in: float
    y_in: float

    def shown(self) -> str:
        """Write it with rounded inches: ``dismount 12,12.1``."""
        return f"{self.word} {place_shown(*self.place_in)}"

    @classmethod
    def listed(cls, state: State, figure: int) -> Iterator[Self]:
        """Yield places all round the horse, and towards what lies near; they stand for all."""
        if state.figures[figure].horse is None:
            return iter(())
        places = _beside(state, figure)
        if state.step is FigureStep.CHOSEN:
            return (cls(*place) for place in places)
        return without_problems(state, (cls(*place) for place in places))

    def faults(self, state: State, figure: int) -> Iterator[str]:
        name, now, place = state.setting.figures[figure].name, state.figures[figure], self.place_in
        if now.horse is None:
            yield f"{name} does not ride (MF Rules)"
            return
        far = dist(place, now.place_in) - 2 * BASE_RADIUS_IN
        if far > TOUCH_IN:
            where = f"{round(self.x_in, 2):g} {round(self.y_in, 2):g}"
            yield f"{where} is {far:.2f} in from the base of the horse, not beside it (MF Rules)"
            return
        on_foot = _dismounted(state, figure, place)
        yield from base_problems(on_foot, place, BASE_RADIUS_IN, [figure_row(on_foot, figure)])
        if state.step is FigureStep.MOVED and not can_take(on_foot, figure):
            yield f"{name} has moved: it can dismount now only to pick something up (MF Rules)"

    def act(self, state: State, figure: int) -> State:
        step = FigureStep.ON_FOOT if state.step is FigureStep.CHOSEN else FigureStep.DISMOUNTED
        return _dismounted(state, figure, self.place_in).replaced({"step": step})

    @property
    def place_in(self) -> Point:
        """Where the figure comes to stand."""
        return self.x_in, self.y_in


def _dismounted(state: State, figure: int, place_in: Point) -> State:
    """Return the state in which a rider stands at a place, and its horse where it was."""
    rider = state.figures[figure]
    state = state.with_horse_left(rider)
    return state.with_figure(figure, rider.at(place_in, rider.facing_deg).replaced({"horse": None}))


def _beside(state: State, figure: int) -> Iterator[Point]:
    """Yield free places beside the horse of a rider, all round it and towards things that lie near."""
    x, y = state.figures[figure].place_in
    lying = (item.at_in for item in state.items if item.at_in is not None)
    near = [at for at in lying if dist(at, (x, y)) <= _ITEM_NEAR_IN]
    if state.step is FigureStep.MOVED and not near:
        return
    angles = [2 * pi * side / _DIRECTIONS for side in range(_DIRECTIONS)]
    angles += [atan2(to_y - y, to_x - x) for to_x, to_y in near]
    away = 2 * BASE_RADIUS_IN + TOUCH_IN / 2
    ring = ((x + away * cos(angle), y + away * sin(angle)) for angle in angles)
    places = list(dict.fromkeys(map(rounded, ring)))
    room = ground(state, BASE_RADIUS_IN + 2 * SLACK_IN, ())  # none is too narrow by rounding
    free = is_free(room, places)
    yield from (place for place, can_stand in zip(places, free, strict=True) if can_stand)


@dataclass(frozen=True, slots=True)
class Go(FigureAction):
    """Move to a place by the shortest way, and face somewhere there; the own place stays (MF Movement)."""

    word = "go"
    arguments = (INCHES, INCHES, ANGLE)
    form = "x and y in inches, facing in degrees"
    steps = (FigureStep.CHOSEN, FigureStep.MOUNTED)
    x_in: float
    y_in: float
    facing_deg: float

    def shown(self) -> str:
        """Write it with rounded inches: ``go 12,12.1 facing 346°``."""
        return f"{self.word} {place_shown(self.x_in, self.y_in)} facing {self.facing_deg:.10g}°"

    @classmethod
    def listed(cls, state: State, figure: int) -> Iterator[Self]:
        """Yield places that stand for all, see `brickphys.minifig.reach`."""
        found = spots(state, figure, state.move_in(figure))
        return (cls(*spot.place_in, spot.facing_deg) for spot in found)

    @classmethod
    def completed(cls, state: State, words: Sequence[str | None]) -> Self | None:
        """Return the move to a place without a facing: the figure looks at the enemy nearest to it, as in the list."""
        x, y, facing = words
        if state.active is None or x is None or y is None or facing is not None:
            return None
        place = cls.arguments[0].parse(x), cls.arguments[1].parse(y)
        enemies = [state.figures[number].place_in for number in state.enemies(state.active)]
        if not enemies:
            return cls(*place, state.figures[state.active].facing_deg)
        nearest = min(enemies, key=partial(dist, place))
        return cls(*place, float(round(bearing_deg(place, 0.0, nearest)) % 360))

    @classmethod
    def is_possible(cls, state: State) -> bool:
        """Whether the figure may move: it may always stay."""
        return state.active is not None and state.step in cls.steps

    def faults(self, state: State, figure: int) -> Iterator[str]:
        return way_problems(state, figure, (self.x_in, self.y_in), state.move_in(figure))

    def act(self, state: State, figure: int) -> State:
        there = state.figures[figure].at((self.x_in, self.y_in), self.facing_deg)
        return _moved(state.with_figure(figure, there))


_SWERVE_DEG = 45.0
"""Largest angle between the way of a wagon and the line on which it is pushed or pulled (ours)."""
_SWERVES_DEG = (0.0, 20.0, -20.0, 40.0, -40.0)
_WAY_SHARES = (1.0, 0.5)
_ROUNDING_IN = 2e-4
"""Listed ways are shorter than the longest by this much, because their ends are rounded."""


@dataclass(frozen=True, slots=True)
class HaulWagon(FigureAction):
    """Push a wagon on foot, or pull one on horseback, straight to a place; who hauls keeps touch (MF Movement)."""

    word = "haul"
    arguments = (NAME, INCHES, INCHES)
    form = "wagon, x and y in inches"
    steps = (FigureStep.CHOSEN, FigureStep.MOUNTED)
    thing: str
    x_in: float
    y_in: float

    def shown(self) -> str:
        """Write it with rounded inches: ``haul cart 12,12.1``."""
        return f"{self.word} {self.thing} {place_shown(self.x_in, self.y_in)}"

    @classmethod
    def listed(cls, state: State, figure: int) -> Iterator[Self]:
        """Yield places of each wagon that the figure touches: ahead and to both sides, the whole way and half of it."""
        return without_problems(state, cls._candidates(state, figure))

    @classmethod
    def _candidates(cls, state: State, figure: int) -> Iterator[Self]:
        for thing in things_touched(state, figure):
            x, y = state.things[thing].place_in
            ahead, name = _ahead_deg(state, figure, thing), state.setting.things[thing].name
            for swerve, share in product(_SWERVES_DEG, _WAY_SHARES):
                way, far = radians(ahead + swerve), share * haul_in(state, figure) - _ROUNDING_IN
                yield cls(name, *rounded((x + far * cos(way), y + far * sin(way))))

    def faults(self, state: State, figure: int) -> Iterator[str]:
        setting, name = state.setting, state.setting.figures[figure].name
        thing = setting.thing_numbers.get(self.thing)
        if thing is None or not setting.things[thing].kind.is_hauled:
            wagons = [each.name for each in setting.things if each.kind.is_hauled]
            yield f"{unknown('wagon', self.thing, wagons)} (MF Movement)"
        elif not setting.figures[figure].kind.hands:
            yield f"{name} has no hands to haul with (MF Movement)"
        elif thing not in things_touched(state, figure):
            yield f"{name} does not touch {self.thing} (MF Movement)"
        else:
            yield from self._way_problems(state, figure, thing)

    def _way_problems(self, state: State, figure: int, thing: int) -> Iterator[str]:
        """Yield why a wagon that the figure touches does not go there."""
        goal, here = (self.x_in, self.y_in), state.things[thing].place_in
        aside_deg = bearing_deg(here, _ahead_deg(state, figure, thing), goal)
        if abs(aside_deg) > _SWERVE_DEG:
            how = "pulled after" if state.figures[figure].horse is not None else "pushed ahead of"
            name = state.setting.figures[figure].name
            yield f"{self.thing} must be {how} {name}, at most {_SWERVE_DEG:g} degrees to the side (MF Movement)"
        there = self._with(state, figure, thing)
        yield from haul_problems(state, figure, thing, there, haul_in(state, figure))

    def _with(self, state: State, figure: int, thing: int) -> Point:
        """Return where the figure comes to stand: it keeps its place to the wagon."""
        (x, y), (from_x, from_y) = state.figures[figure].place_in, state.things[thing].place_in
        return rounded((x + self.x_in - from_x, y + self.y_in - from_y))

    def act(self, state: State, figure: int) -> State:
        """Move both by as much; they face along the way."""
        thing = state.setting.thing_numbers[self.thing]
        here, goal = state.things[thing].place_in, (self.x_in, self.y_in)
        facing = bearing_deg(here, 0.0, goal)
        mover = state.figures[figure].at(self._with(state, figure, thing), facing)
        state = state.with_figure(figure, mover)
        wagon = {"x_in": self.x_in, "y_in": self.y_in, "facing_deg": mover.facing_deg}
        state = state.change_thing(thing, **wagon)
        return _moved(state)


def haul_in(state: State, figure: int) -> float:
    """Return how far a figure pushes, or pulls, a wagon in this round, in inches (MF Movement)."""
    rows = charts().move_in
    if state.figures[figure].horse is None:
        return rows["pushing"]
    return rows["pulling"] - (rows["mounting"] if state.step is FigureStep.MOUNTED else 0.0)


def _ahead_deg(state: State, figure: int, thing: int) -> float:
    """Return the direction in which a figure moves a thing: away from itself, or on horseback after itself."""
    ends = state.figures[figure].place_in, state.things[thing].place_in
    behind, front = ends if state.figures[figure].horse is None else ends[::-1]
    return bearing_deg(behind, 0.0, front)


def _moved(state: State) -> State:
    """Return the state after a move of the active figure, which is done unless it can go on (MF Rules)."""
    figure = state.active
    assert figure is not None
    if state.step is FigureStep.MOUNTED:
        return finished(state, Deed.OTHER)
    state = state.replaced({"step": FigureStep.MOVED})
    rides = state.figures[figure].horse is not None
    goes_on = Dismount.is_possible(state) if rides else can_take(state, figure)
    return state if goes_on else finished(state, Deed.MOVED)
