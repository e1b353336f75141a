"""Moving: on foot, on horseback, and with a wagon (MF Movement)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from math import cos, dist, radians, sin
from typing import Self

from brickphys.errors import unknown
from brickphys.geometry.bearing import bearing_deg
from brickphys.geometry.polygon import Point
from brickphys.minifig.actions.items import can_take
from brickphys.minifig.actions.riding import Dismount
from brickphys.minifig.actions.taking import finished
from brickphys.minifig.actions.words import INCHES, FigureAction, place_shown
from brickphys.minifig.field.contact import things_touched
from brickphys.minifig.field.places import spots
from brickphys.minifig.field.reach import haul_problems, way_problems
from brickphys.minifig.sheets.charts import charts
from brickphys.minifig.state.pieces import Deed, rounded
from brickphys.minifig.state.state import State, Step
from brickphys.rules.words import ANGLE, NAME, without_problems


@dataclass(frozen=True, slots=True)
class Go(FigureAction):
    """Move to a place by the shortest way, and face somewhere there; the own place stays (MF Movement)."""

    word = "go"
    arguments = (INCHES, INCHES, ANGLE)
    form = "x and y in inches, facing in degrees"
    steps = (Step.CHOSEN, Step.MOUNTED)
    x_in: float
    y_in: float
    facing_deg: float

    def shown(self) -> str:
        """Write it with rounded inches: ``go 12,12.1 facing 346°``."""
        return f"{self.word} {place_shown(self.x_in, self.y_in)} facing {self.facing_deg:.10g}°"

    @classmethod
    def listed(cls, state: State, figure: int) -> Iterator[Self]:
        """Yield places that stand for all, see `brickphys.minifig.field.places`."""
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
        """Yield why there is no such way."""
        return way_problems(state, figure, (self.x_in, self.y_in), state.move_in(figure))

    def act(self, state: State, figure: int) -> State:
        """Stand there."""
        there = state.figures[figure].at((self.x_in, self.y_in), self.facing_deg)
        return _moved(state.with_figure(figure, there))


_SWERVE_DEG = 45.0
"""Largest angle between the way of a wagon and the line on which it is pushed or pulled (ours)."""
_SWERVES_DEG = (0.0, 20.0, -20.0, 40.0, -40.0)
_SHARES = (1.0, 0.5)
_ROUNDING_IN = 2e-4
"""Listed ways are shorter than the longest by this much, because their ends are rounded."""


@dataclass(frozen=True, slots=True)
class Haul(FigureAction):
    """Push a wagon on foot, or pull one on horseback, straight to a place; who hauls keeps touch (MF Movement)."""

    word = "haul"
    arguments = (NAME, INCHES, INCHES)
    form = "wagon, x and y in inches"
    steps = (Step.CHOSEN, Step.MOUNTED)
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
            for swerve, share in product(_SWERVES_DEG, _SHARES):
                way, far = radians(ahead + swerve), share * haul_in(state, figure) - _ROUNDING_IN
                yield cls(name, *rounded((x + far * cos(way), y + far * sin(way))))

    def faults(self, state: State, figure: int) -> Iterator[str]:
        """Yield why the figure cannot haul it there."""
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
    return rows["pulling"] - (rows["mounting"] if state.step is Step.MOUNTED else 0.0)


def _ahead_deg(state: State, figure: int, thing: int) -> float:
    """Return the direction in which a figure moves a thing: away from itself, or on horseback after itself."""
    ends = state.figures[figure].place_in, state.things[thing].place_in
    behind, front = ends if state.figures[figure].horse is None else ends[::-1]
    return bearing_deg(behind, 0.0, front)


def _moved(state: State) -> State:
    """Return the state after a move of the active figure, which is done unless it can go on (MF Rules)."""
    figure = state.active
    assert figure is not None
    if state.step is Step.MOUNTED:
        return finished(state, Deed.OTHER)
    state = state.replaced({"step": Step.MOVED})
    rides = state.figures[figure].horse is not None
    goes_on = Dismount.is_possible(state) if rides else can_take(state, figure)
    return state if goes_on else finished(state, Deed.MOVED)
