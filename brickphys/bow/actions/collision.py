"""Collision: the compulsory move of a vehicle over the ground, and the rolls for everything it hits (BOW 3.3, 3.6)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from math import floor, inf

from brickphys.bow.actions.at_rest import AtRest, at_rest, scene_before
from brickphys.bow.actions.damage import (
    damage_roll,
    hurt,
    hurt_unit,
    leave_field,
    opponent,
    owner_of,
)
from brickphys.bow.actions.obstacles import (
    column,
    come_down,
    fixed,
    obstacles,
    other_vehicles,
    overlapping,
    placed,
    push_units_clear,
    put_vehicle,
    raised,
    standing_plates,
    touched_ahead,
    travel_along,
    without_walkers,
)
from brickphys.bow.actions.targets import named_problems, resistance
from brickphys.bow.field import Field
from brickphys.bow.setting import CrashRule
from brickphys.bow.sheets.sheet import move_studs
from brickphys.bow.state import NOBODY, BrickCount, State
from brickphys.geometry.obstacles import Prism
from brickphys.geometry.polygon import TOLERANCE
from brickphys.geometry.sweep import overlap, passages
from brickphys.rules.events import Measurement, Outcome
from brickphys.rules.rolls import OpposedRoll
from brickphys.rules.turn_state import FollowUp, Pending, PendingRoll, scores
from brickphys.text import agreed
from brickphys.vehicles.course import Hit, compulsory_move, relative_speed
from brickphys.vehicles.scene import Thing, ThingType, Vehicle
from brickphys.vehicles.sectors import Scheme


@dataclass(frozen=True)
class CompulsoryMove:
    """What a compulsory move comes to."""

    hits: tuple[Hit, ...]
    """What it hits, in order."""
    end: Vehicle
    """The vehicle at the end, on the ground or in the air."""
    stops: bool
    """Whether decor, a vehicle or a fall stops it."""
    falls_on: tuple[Thing, ...] | None
    """Units and vehicles that are under it where it goes down by more than a step; None if it does not."""
    leaves_field: bool
    """Whether its centre leaves the field."""


def way(state: State, vehicle: int) -> CompulsoryMove:
    """Return the compulsory move of a vehicle (BOW 3.3).

    On its way over the ground it drives up and down by at most a step. What is higher is decor to it; where the ground
    falls by more, it falls as soon as the whole footprint is over the lower ground, and stops there. A flyer
    in the air keeps its height; what stops it brings it down. Those who walk beside it are not in its way (BOW 3.1).
    """
    state = without_walkers(state, vehicle)
    mover = state.vehicle_body(vehicle)
    length = move_studs(mover.speed)
    return _flight(state, mover, length) if state.flies(vehicle) else _drive(state, mover, length)


def _flight(state: State, mover: Vehicle, length_studs: float) -> CompulsoryMove:
    move = compulsory_move(mover, length_studs, obstacles(state, mover, mover.bottom_plates))
    end = placed(mover, move.end_studs)
    stops = bool(move.stopped_by)
    if stops:
        end = come_down(state, end, move.travelled_studs)
    return CompulsoryMove(move.hits, end, stops, None, move.leaves_field)


def _drive(state: State, mover: Vehicle, length_studs: float) -> CompulsoryMove:
    step = state.setting.field.step_plates
    hits, end, stops, leaves = list[Hit](), mover, False, False
    levels = [(0.0, mover.bottom_plates), *_levels(state, mover, length_studs)]
    ends = [*(begins for begins, _ in levels[1:]), length_studs]
    for (begins, level), ends_at in zip(levels, ends, strict=True):
        if level < end.bottom_plates - step - TOLERANCE:
            break
        end = raised(end, level)
        around = obstacles(state, end, level + step)
        move = compulsory_move(end, ends_at - begins, around)
        hits += move.hits
        end = replace(end, x_studs=move.end_studs[0], y_studs=move.end_studs[1])
        stops, leaves = bool(move.stopped_by), move.leaves_field
        if stops or leaves:
            break
    end = placed(end, end.centre_studs)
    down = raised(end, standing_plates(state, end, end.bottom_plates))
    if leaves or down.bottom_plates >= end.bottom_plates - step - TOLERANCE:
        return CompulsoryMove(tuple(hits), down, stops, None, leaves)
    return CompulsoryMove(tuple(hits), down, True, _under(state, down), leaves_field=False)


def _under(state: State, mover: Vehicle) -> tuple[Thing, ...]:
    """Return the units that a vehicle overlaps, and the vehicles on which it stands."""
    around = obstacles(state, mover, mover.bottom_plates)
    low = [
        body
        for body in other_vehicles(state, mover)
        if abs(body.top_plates - mover.bottom_plates) <= TOLERANCE
        and overlap(column(mover), body.prism)
    ]
    return (*(around.things[touch.number] for touch in around.touches(mover, 0.0)), *low)


def _levels(state: State, mover: Vehicle, length_studs: float) -> Iterator[tuple[float, float]]:
    """Yield from where on a vehicle that drives ahead has another height, up to a fall."""
    field, base = state.setting.field, mover.bottom_plates
    step, around = field.step_plates, fixed(field, state.open_ids, -inf)
    low = [body for body in other_vehicles(state, mover) if body.top_plates <= base + TOLERANCE]
    if not low and _is_level(field, state.open_ids, base):
        return
    around = around.updated(add=low)
    column = Prism(mover.prism.footprint, -inf, inf)
    found = passages(column, mover.heading, length_studs, around.prisms)
    ends = {end for passage in found for end in (passage.begins_studs, passage.ends_studs)}
    for at in sorted(end for end in ends if 0.0 <= end <= length_studs):
        under = (
            around.things[passage.number]
            for passage in found
            if passage.begins_studs <= at + TOLERANCE < passage.ends_studs
        )
        tops = (
            thing.top_plates
            for thing in under
            if thing.top_plates <= base + TOLERANCE + step * (thing.type is ThingType.DECOR)
        )
        level = max(tops, default=base)
        if abs(level - base) > TOLERANCE:
            yield at, level
            if level < base - step - TOLERANCE:
                return
            base = level


@lru_cache(maxsize=256)
def _is_level(field: Field, open_ids: frozenset[str], height_plates: float) -> bool:
    limit = height_plates + field.step_plates + TOLERANCE
    tops = {thing.top_plates for thing in fixed(field, open_ids, -inf).things}
    return {top for top in tops if top <= limit} == {height_plates}


def must_move(state: State, vehicle: int) -> bool:
    """Tell whether a vehicle must still make its compulsory move (BOW 3.3)."""
    vehicle_state = state.vehicles[vehicle]
    return not vehicle_state.gone and vehicle_state.speed > 0 and not vehicle_state.moved


def is_adrift(state: State, vehicle: int) -> bool:
    """Tell whether a vehicle must move and has no pilot (BOW 3.3)."""
    return must_move(state, vehicle) and state.pilot(vehicle) == NOBODY


def make_compulsory_move(state: State, vehicle: int) -> State:
    """Move a vehicle straight ahead as far as its speed says (BOW 3.3); the rolls for what it hits come next.

    First the units are rolled for, then the vehicle arrives, then crashes are rolled for.
    """
    mover, path, before = state.vehicle_body(vehicle), way(state, vehicle), state.vehicles[vehicle]
    rolls = list(dict.fromkeys(_rolls(mover, path, state.setting.options.sectors)))
    options = state.setting.options
    stoppers = dict.fromkeys(hit.id for hit in path.hits if hit.type is not ThingType.UNIT)
    is_measured = path.hits and options.crashes is CrashRule.PHYSICS
    measured = [at_rest(state, vehicle, _names(path))] if is_measured else []
    energy = [CrashEnergy(tuple(stoppers))] if options.bricks_by_energy and stoppers else []
    state = state.with_vehicle(vehicle, replace(before, moved=True))
    if state.active != NOBODY:
        state = state.replaced({"driven": tuple(sorted({*state.driven, vehicle}))})
    arrival = EndOfMove(
        mover.id,
        path.end.x_studs,
        path.end.y_studs,
        before.base_plates if state.flies(vehicle) and not path.stops else path.end.bottom_plates,
        path.stops,
        path.leaves_field,
    )
    return state.push_pending(
        *energy,
        *(roll for roll in rolls if isinstance(roll, RunOver)),
        arrival,
        *(roll for roll in rolls if isinstance(roll, CrashRoll)),
        *measured,
    )


def _names(path: CompulsoryMove) -> Iterator[str]:
    yield from (hit.id for hit in path.hits if hit.type is not ThingType.DECOR)
    yield from (thing.id for thing in path.falls_on or ())


def _rolls(mover: Vehicle, path: CompulsoryMove, scheme: Scheme) -> Iterator[Pending[State]]:
    """Yield the rolls for all hits in order; fixed things that are hit at the same time make one crash (ours)."""
    for hit in path.hits:
        bricks = relative_speed(mover, hit, scheme)
        if hit.type is ThingType.UNIT:
            yield RunOver(mover.id, hit.id, bricks)
        elif hit.type is ThingType.DECOR:
            yield CrashRoll(mover.id, "", bricks)
        else:
            yield CrashRoll(mover.id, hit.id, bricks)
            yield CrashRoll(hit.id, mover.id, bricks)
    if path.falls_on is not None:
        yield CrashRoll(mover.id, "", mover.speed)
        for thing in path.falls_on:
            roll = RunOver if thing.type is ThingType.UNIT else CrashRoll
            first, second = (mover, thing) if roll is RunOver else (thing, mover)
            yield roll(first.id, second.id, mover.speed)


@dataclass(frozen=True, slots=True)
class RunOver(PendingRoll[State]):
    """A unit is run over: an opponent rolls the speed of the vehicle, the unit's player its Dodge/Armor (BOW 3.6.1)."""

    vehicle: str
    unit: str
    bricks: BrickCount

    def problems(self, state: State) -> list[str]:
        known = self.vehicle in state.setting.vehicle_numbers
        faults = [] if known else [f"vehicle: {self.vehicle!r} is not a vehicle"]
        if self.unit not in state.setting.unit_numbers:
            faults.append(f"unit: {self.unit!r} is not a unit")
        return faults

    def event(self, state: State) -> OpposedRoll:
        reason = (
            f"{self.vehicle} hits {self.unit}, {agreed(_rival(state, self.unit), 'roll')} its speed"
        )
        return damage_roll(state, self.bricks, resistance(state, self.unit), self.unit, reason)

    def settle(self, state: State, outcome: Outcome) -> State:
        """Add the difference to the unit's damage; who drove last has done it."""
        speed, resisted = scores(outcome)
        unit, driver = state.setting.unit_numbers[self.unit], owner_of(state, self.vehicle)
        return hurt_unit(state, unit, speed - resisted, driver)


@dataclass(frozen=True, slots=True)
class CrashRoll(PendingRoll[State]):
    """A vehicle crashes: an opponent rolls the speed, the vehicle its Armor; it stops (BOW 3.6.2, 3.6.3)."""

    vehicle: str
    """The vehicle that may be damaged."""
    other: str
    """The other vehicle; empty for decor and ground."""
    bricks: BrickCount
    """The speed, or in a collision of vehicles the relative speed."""

    def problems(self, state: State) -> list[str]:
        known = state.setting.vehicle_numbers
        if self.vehicle not in known or self.other not in {"", *known}:
            return [f"vehicle: {self.vehicle!r} or {self.other!r} is not a vehicle"]
        return []

    def lapses(self, state: State) -> bool:
        """Whether the vehicle is already destroyed, by something else that it hit at the same time."""
        return any(named_problems(state, self.vehicle))

    def event(self, state: State) -> OpposedRoll:
        rival = _rival(state, self.vehicle)
        reason = f"{self.vehicle} crashes{self.into(state)}, {agreed(rival, 'roll')} the speed"
        resisting = resistance(state, self.vehicle)
        return damage_roll(state, self.bricks, resisting, self.vehicle, reason)

    def into(self, state: State) -> str:
        """Return into what it crashes, in words that follow a verb; empty if it falls."""
        number = state.setting.vehicle_numbers[self.vehicle]
        met = [self.other] if self.other else touched_ahead(state, number)
        return f" into {' and '.join(met)}" if met else ""

    def settle(self, state: State, outcome: Outcome) -> State:
        """Stop the vehicle (a flyer lands), and add the difference to its damage; the other's driver has done it."""
        speed, resisted = scores(outcome)
        number = state.setting.vehicle_numbers[self.vehicle]
        by = owner_of(state, self.other) if self.other else NOBODY
        sharer = opponent(state, owner_of(state, self.vehicle))
        body = state.vehicle_body(number)
        if state.flies(number):
            body = come_down(state, body, 0.0)
        state = state.with_vehicle(number, replace(state.vehicles[number], speed=0))
        state = put_vehicle(state, number, body)
        return hurt(state, self.vehicle, speed - resisted, by, sharer)


@dataclass(frozen=True, slots=True)
class CrashEnergy(PendingRoll[State]):
    """How hard a vehicle crashes, by physics: the house rule of the option `bricks_by_energy`.

    Of each thing that stops it, the energy of its change of velocity there is measured as a share of that in a square
    hit. The bricks of the rolls are the book's number times this share, rounded half up: at least 1, at most the book's
    number, which also holds for a fall, and which bots expect.
    """

    stoppers: tuple[str, ...]
    """Names of the decor and the vehicles that stop it."""

    def problems(self, state: State) -> list[str]:
        return [] if self.stoppers and self._crash(state) else ["stoppers: nothing crashes"]

    def event(self, state: State) -> Measurement:
        crash = self._crash(state)
        assert crash is not None
        return Measurement(
            tuple((f"{name} energy_share", 0.0, 1.0) for name in self.stoppers),
            f"how hard {crash.vehicles[0].name} crashes",
            (1.0,) * len(self.stoppers),
            scene_before(state.setting, crash, state.open_ids),
        )

    def settle(self, state: State, outcome: Outcome) -> State:
        """Give the rolls of the crash their bricks; what has no roll of its own is decor, of which the most counts."""
        assert isinstance(outcome, tuple)
        vehicles, until = state.setting.vehicle_numbers, state.pending.index(self._crash(state))
        shares = dict(zip(self.stoppers, outcome, strict=True))
        decor = max((share for name, share in shares.items() if name not in vehicles), default=1.0)

        def by_energy(roll: CrashRoll) -> CrashRoll:
            share = shares.get(roll.other, shares.get(roll.vehicle, decor))
            return replace(roll, bricks=max(min(1, roll.bricks), floor(roll.bricks * share + 0.5)))

        rolls = (
            by_energy(one) if isinstance(one, CrashRoll) else one for one in state.pending[:until]
        )
        return state.replaced({"pending": (*rolls, *state.pending[until:])})

    def _crash(self, state: State) -> AtRest | None:
        """Return what is measured once the rolls are done; None if nothing is."""
        return next((one for one in state.pending if isinstance(one, AtRest)), None)


@dataclass(frozen=True, slots=True)
class EndOfMove(FollowUp[State]):
    """The end of a move, after the rolls for units, which are put beside the vehicle (BOW 3.3, 3.6.1).

    `x_studs`, `y_studs` and `base_plates` tell where it stands, or flies, then; see `VehicleState`.
    """

    vehicle: str
    x_studs: float
    y_studs: float
    base_plates: float
    stops: bool
    """Whether it crashes: it is stopped, and a flyer has come down (BOW 3.6.2)."""
    leaves: bool
    """Whether it leaves the field."""

    def problems(self, state: State) -> list[str]:
        if self.vehicle not in state.setting.vehicle_numbers:
            return [f"vehicle: {self.vehicle!r} is not a vehicle"]
        if self.leaves:
            return []
        number = state.setting.vehicle_numbers[self.vehicle]
        after = self._moved(state, number)
        met = overlapping(after.replaced({"units": ()}), after.vehicle_body(number))
        return [f"vehicle: {self.vehicle} would overlap {', '.join(met)}"] if met else []

    def happen(self, state: State) -> State:
        """Put the vehicle there with those who walk beside; take one that has left the field out; push units clear."""
        number = state.setting.vehicle_numbers[self.vehicle]
        before, state = state.vehicles[number], self._moved(state, number)
        state = leave_field(state, number) if self.leaves else travel_along(state, number, before)
        return push_units_clear(state)

    def _moved(self, state: State, number: int) -> State:
        before = state.vehicles[number]
        after = replace(
            before,
            x_studs=self.x_studs,
            y_studs=self.y_studs,
            base_plates=self.base_plates,
            speed=0 if self.stops else before.speed,
        )
        return state.with_vehicle(number, after)


def _rival(state: State, name: str) -> str:
    return state.setting.players[opponent(state, owner_of(state, name))]
