"""Riding: figures mount and dismount (MF Rules, MF Picking Up Weapons)."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import atan2, cos, dist, pi, sin
from typing import Self

from brickphys.errors import unknown
from brickphys.geometry.disc_way import is_free
from brickphys.geometry.polygon import Point
from brickphys.minifig.actions.items import can_take
from brickphys.minifig.actions.taking import finished
from brickphys.minifig.actions.words import INCHES, FigureAction, place_shown
from brickphys.minifig.field.contact import things_touched
from brickphys.minifig.field.ground import SLACK_IN, figure_row, ground
from brickphys.minifig.field.reach import base_problems
from brickphys.minifig.sheets.charts import BASE_RADIUS_IN, TOUCH_IN
from brickphys.minifig.state.pieces import Deed, rounded
from brickphys.minifig.state.state import State, Step
from brickphys.rules.words import NAME, without_problems

_SIDES = 16
_NEAR_IN = 4 * BASE_RADIUS_IN + 2 * TOUCH_IN
"""Greatest distance from a horse of an item that a figure beside it can reach."""


@dataclass(frozen=True, slots=True)
class Mount(FigureAction):
    """Mount a horse that the figure touches: then it moves; a rider who has stayed mounts last (MF Rules)."""

    word = "mount"
    arguments = (NAME,)
    steps = (Step.CHOSEN, Step.ON_FOOT, Step.PICKED_UP)
    horse: str

    @classmethod
    def listed(cls, state: State, figure: int) -> Iterator[Self]:
        """Yield the horses that it touches."""
        things = (state.setting.things[thing].name for thing in things_touched(state, figure))
        return without_problems(state, map(cls, things))

    def faults(self, state: State, figure: int) -> Iterator[str]:
        """Yield why it cannot mount."""
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
        elif state.step is Step.CHOSEN and state.things[thing].worked_round == state.round:
            yield f"{self.horse} has carried a rider in this round, and takes no other (MF Rules)"

    def act(self, state: State, figure: int) -> State:
        """Put the figure on the horse, with the facing of the horse."""
        number = state.setting.thing_numbers[self.horse]
        horse = state.things[number]
        rider = state.figures[figure].at(horse.place_in, horse.facing_deg)
        state = state.with_figure(figure, rider.replaced({"horse": number}))
        if state.step is Step.CHOSEN:
            return state.replaced({"step": Step.MOUNTED})
        return finished(state, Deed.OTHER)


@dataclass(frozen=True, slots=True)
class Dismount(FigureAction):
    """Dismount to a place beside the horse; after a move, only to pick something up (MF Rules)."""

    word = "dismount"
    arguments = (INCHES, INCHES)
    form = "x and y in inches"
    steps = (Step.CHOSEN, Step.MOVED)
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
        if state.step is Step.CHOSEN:
            return (cls(*place) for place in places)
        return without_problems(state, (cls(*place) for place in places))

    def faults(self, state: State, figure: int) -> Iterator[str]:
        """Yield why it cannot dismount there."""
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
        if state.step is Step.MOVED and not can_take(on_foot, figure):
            yield f"{name} has moved: it can dismount now only to pick something up (MF Rules)"

    def act(self, state: State, figure: int) -> State:
        """Stand beside the horse."""
        step = Step.ON_FOOT if state.step is Step.CHOSEN else Step.DISMOUNTED
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
    near = [at for at in lying if dist(at, (x, y)) <= _NEAR_IN]
    if state.step is Step.MOVED and not near:
        return
    angles = [2 * pi * side / _SIDES for side in range(_SIDES)]
    angles += [atan2(to_y - y, to_x - x) for to_x, to_y in near]
    away = 2 * BASE_RADIUS_IN + TOUCH_IN / 2
    ring = ((x + away * cos(angle), y + away * sin(angle)) for angle in angles)
    places = list(dict.fromkeys(map(rounded, ring)))
    room = ground(state, BASE_RADIUS_IN + 2 * SLACK_IN, ())  # none is too narrow by rounding
    free = is_free(room, places)
    yield from (place for place, can_stand in zip(places, free, strict=True) if can_stand)
