"""Movement: on foot, on horseback, and with a wagon; mounting and dismounting (MF Movement, MF Rules)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from math import atan2, cos, dist, pi, radians, sin
from typing import Annotated, Self

from brickphys.geometry.disc_way import is_free
from brickphys.geometry.polygon import Point
from brickphys.geometry.pose import bearing_deg
from brickphys.minifig.actions import INCHES, FigureMove, can_take, finished, place_shown
from brickphys.minifig.ground import SLACK_IN, figure_row, ground, things_touched
from brickphys.minifig.reach import base_problems, haul_problems, spots, way_problems
from brickphys.minifig.sheets import BASE_RADIUS_IN, TOUCH_IN, charts
from brickphys.minifig.state import Deed, FigureStep, State, rounded
from brickphys.rules.moves import Among
from brickphys.rules.words import ANGLE, without_problems

_DIRECTIONS = 16
_ITEM_NEAR_IN = 4 * BASE_RADIUS_IN + 2 * TOUCH_IN
"""Greatest distance from a horse of an item that a figure beside it can reach."""


def _things(noun: str, quality: str) -> Among:
    """Return the things of a battle whose kind has a quality, by their names."""

    def things(state: State, _: int) -> dict[str, int]:
        every = enumerate(state.setting.things)
        return {thing.name: number for number, thing in every if getattr(thing.kind, quality)}

    return Among(noun, things)


@dataclass(frozen=True, slots=True)
class Mount(FigureMove):
    """Mount a horse that the figure touches: then it moves; a rider who has stayed mounts last (MF Rules)."""

    word = "mount"
    steps = (FigureStep.CHOSEN, FigureStep.ON_FOOT, FigureStep.PICKED_UP)
    horse: Annotated[str, _things("horse", "is_ridden")]

    @classmethod
    def listed(cls, state: State, figure: int) -> Iterator[Self]:
        things = (state.setting.things[thing].name for thing in things_touched(state, figure))
        return without_problems(state, map(cls, things))

    def refusals(self, state: State, figure: int, number: int) -> Iterator[str]:
        figures, name = state.setting.figures, state.setting.figures[figure].name
        if state.figures[figure].horse is not None:
            yield f"{name} already rides"
        elif not figures[figure].kind.hands:
            yield f"{name} has no hands to ride with"
        elif number in state.riders:
            yield f"{figures[state.riders[number]].name} rides {self.horse}"
        elif number not in things_touched(state, figure):
            yield f"{name} does not touch {self.horse}"
        elif state.step is FigureStep.CHOSEN and state.things[number].worked_round == state.round:
            yield f"{self.horse} has carried a rider in this round, and takes no other"

    def result(self, state: State, figure: int, number: int) -> State:
        horse = state.things[number]
        rider = state.figures[figure].at(horse.place_in, horse.facing_deg)
        state = state.with_figure(figure, rider.replaced({"horse": number}))
        if state.step is FigureStep.CHOSEN:
            return state.replaced({"step": FigureStep.MOUNTED})
        return finished(state, Deed.OTHER)


@dataclass(frozen=True, slots=True)
class Dismount(FigureMove):
    """Dismount to a place beside the horse; after a move, only to pick something up (MF Rules)."""

    word = "dismount"
    form = "x and y in inches"
    steps = (FigureStep.CHOSEN, FigureStep.MOVED)
    x_in: Annotated[float, INCHES]
    y_in: Annotated[float, INCHES]

    def shown(self) -> str:
        """Write it with rounded inches: ``dismount 12,12.1``."""
        return f"{self.word} {place_shown(self.x_in, self.y_in)}"

    @classmethod
    def listed(cls, state: State, figure: int) -> Iterator[Self]:
        """Yield places all round the horse, and towards what lies near; they stand for all."""
        if state.figures[figure].horse is None:
            return iter(())
        places = _beside(state, figure)
        if state.step is FigureStep.CHOSEN:
            return (cls(*place) for place in places)
        return without_problems(state, (cls(*place) for place in places))

    def refusals(self, state: State, figure: int, x: float, y: float) -> Iterator[str]:
        place, name, now = (x, y), state.setting.figures[figure].name, state.figures[figure]
        if now.horse is None:
            yield f"{name} does not ride"
            return
        far = dist(place, now.place_in) - 2 * BASE_RADIUS_IN
        if far > TOUCH_IN:
            where = f"{round(x, 2):g} {round(y, 2):g}"
            yield f"{where} is {far:.2f} in from the base of the horse, not beside it"
            return
        on_foot = _dismounted(state, figure, place)
        yield from base_problems(on_foot, place, BASE_RADIUS_IN, [figure_row(on_foot, figure)])
        if state.step is FigureStep.MOVED and not can_take(on_foot, figure):
            yield f"{name} has moved: it can dismount now only to pick something up"

    def result(self, state: State, figure: int, x: float, y: float) -> State:
        step = FigureStep.ON_FOOT if state.step is FigureStep.CHOSEN else FigureStep.DISMOUNTED
        return _dismounted(state, figure, (x, y)).replaced({"step": step})


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
class Go(FigureMove):
    """Move to a place by the shortest way, and face somewhere there; the own place stays (MF Movement)."""

    word = "go"
    section = "MF Movement"
    form = "x and y in inches, facing in degrees"
    steps = (FigureStep.CHOSEN, FigureStep.MOUNTED)
    x_in: Annotated[float, INCHES]
    y_in: Annotated[float, INCHES]
    facing_deg: Annotated[float, ANGLE]

    def shown(self) -> str:
        """Write it with rounded inches: ``go 12,12.1 facing 346°``."""
        return f"{self.word} {place_shown(self.x_in, self.y_in)} facing {ANGLE.write(self.facing_deg)}°"

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

    def refusals(self, state: State, figure: int, x: float, y: float, _: float) -> Iterator[str]:
        return way_problems(state, figure, (x, y), state.move_in(figure))

    def result(self, state: State, figure: int, x: float, y: float, facing_deg: float) -> State:
        there = state.figures[figure].at((x, y), facing_deg)
        return _moved(state.with_figure(figure, there))


_SWERVE_DEG = 45.0
"""Largest angle between the way of a wagon and the line on which it is pushed or pulled (ours)."""
_SWERVES_DEG = (0.0, 20.0, -20.0, 40.0, -40.0)
_WAY_SHARES = (1.0, 0.5)
_ROUNDING_IN = 2e-4
"""Listed ways are shorter than the longest by this much, because their ends are rounded."""


@dataclass(frozen=True, slots=True)
class HaulWagon(FigureMove):
    """Push a wagon on foot, or pull one on horseback, straight to a place; who hauls keeps touch (MF Movement)."""

    word = "haul"
    does = "haul the wagon"
    section = "MF Movement"
    form = "wagon, x and y in inches"
    steps = (FigureStep.CHOSEN, FigureStep.MOUNTED)
    thing: Annotated[str, _things("wagon", "is_hauled")]
    x_in: Annotated[float, INCHES]
    y_in: Annotated[float, INCHES]

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

    def refusals(self, state: State, figure: int, wagon: int, x: float, y: float) -> Iterator[str]:
        """Yield why the figure cannot haul it there, also if it does not touch it."""
        goal, name = (x, y), state.setting.figures[figure].name
        if not state.setting.figures[figure].kind.hands:
            yield f"{name} has no hands to haul with"
            return
        if wagon not in things_touched(state, figure):
            yield f"{name} does not touch {self.thing}"
            return
        aside_deg = bearing_deg(
            state.things[wagon].place_in, _ahead_deg(state, figure, wagon), goal
        )
        if abs(aside_deg) > _SWERVE_DEG:
            how = "pulled after" if state.figures[figure].horse is not None else "pushed ahead of"
            yield f"{self.thing} must be {how} {name}, at most {_SWERVE_DEG:g} degrees to the side"
        there = _with_wagon(state, figure, wagon, goal)
        yield from haul_problems(state, figure, wagon, there, haul_in(state, figure))

    def result(self, state: State, figure: int, wagon: int, x: float, y: float) -> State:
        goal = x, y
        facing = bearing_deg(state.things[wagon].place_in, 0.0, goal)
        mover = state.figures[figure].at(_with_wagon(state, figure, wagon, goal), facing)
        place = {"x_in": x, "y_in": y, "facing_deg": mover.facing_deg}
        return _moved(state.with_figure(figure, mover).change_thing(wagon, **place))


def _with_wagon(state: State, figure: int, wagon: int, goal_in: Point) -> Point:
    """Return where a figure comes to stand that hauls a wagon to a place: it keeps its place to the wagon."""
    (x, y), (from_x, from_y) = state.figures[figure].place_in, state.things[wagon].place_in
    return rounded((x + goal_in[0] - from_x, y + goal_in[1] - from_y))


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
