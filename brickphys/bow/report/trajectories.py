"""Course: a battle that was played as ways over the field: where everybody went, and what became of him."""

from dataclasses import dataclass

from brickphys.bow.actions.attack import AttackRoll
from brickphys.bow.actions.contact import is_enclosed
from brickphys.bow.actions.move import Walk
from brickphys.bow.field.walk import reachable
from brickphys.bow.report.story import Turn
from brickphys.bow.state.state import State
from brickphys.geometry.polygon import Point
from brickphys.rules.record import CHANCE, Record, Step
from brickphys.rules.words import Action


@dataclass(frozen=True)
class Track:
    """The way of a unit or a vehicle.

    Attributes
    ----------
    name, player
        Whose.
    is_vehicle
        Whether it is a vehicle.
    places
        (round, place) of each place, in order: the first in round 0.
    end
        ``"dies"``, ``"is destroyed"``, ``"leaves"``; empty if it is there at the end.
    end_round
        When.
    begins_here
        Whether it stood at its first place when the battle began: not who began in a vehicle and got off.
    """

    name: str
    player: int
    is_vehicle: bool
    places: tuple[tuple[int, Point], ...]
    end: str = ""
    end_round: int = 0
    begins_here: bool = True


@dataclass(frozen=True)
class Blow:
    """Somebody was killed or destroyed.

    Attributes
    ----------
    name, player
        Who.
    at_studs
        Where he was.
    """

    name: str
    player: int
    at_studs: Point


def tracks(record: Record[State, Action[State]]) -> tuple[Track, ...]:
    """Return the ways of all units, those on foot or in an open seat, and of all vehicles."""
    states = [record.initial, *(step.after for step in record.steps)]
    setting = record.initial.setting
    units = [_unit_track(record, unit) for unit in range(len(setting.units))]
    return (*units, *(_vehicle_track(states, number) for number in range(len(setting.vehicles))))


def blows(turn: Turn) -> tuple[Blow, ...]:
    """Return who was killed or destroyed in a turn."""
    before, setting, found = turn.before, turn.before.setting, list[Blow]()
    for step in turn.steps:
        after = step.after
        for unit, (old, new) in enumerate(zip(before.units, after.units, strict=True)):
            if old.plays and new.is_dead and not new.plays:
                entry = setting.units[unit]
                found.append(Blow(entry.name, entry.player, before.stance(unit)[:2]))
        for number, (was, now) in enumerate(zip(before.vehicles, after.vehicles, strict=True)):
            parked = setting.vehicles[number]
            if now.gone and not was.gone and now.damage >= parked.sheet.health:
                found.append(Blow(parked.name, parked.player, (was.x_studs, was.y_studs)))
        before = after
    return tuple(found)


def way(turn: Turn) -> list[Point]:
    """Return where the unit of a turn was, from place to place, stud by stud where it walked."""
    places = [turn.before.stance(turn.unit)[:2]] if turn.before.units[turn.unit].plays else []
    state = turn.before
    for step in turn.steps:
        places += _walked(state, step, turn.unit)
        if step.after.units[turn.unit].plays:
            places.append(step.after.stance(turn.unit)[:2])
        state = step.after
    return [
        place for place, before in zip(places, [None, *places], strict=False) if place != before
    ]


def _walked(before: State, step: Step[State, Action[State]], unit: int) -> list[Point]:
    """Return the studs over which a unit walks in a step: one of the shortest ways."""
    stud = before.units[unit].stud
    if before.active != unit or stud is None or not isinstance(step.move, Walk):
        return []
    field, reach = before.setting.field, reachable(before.board, stud, before.me.sheet.move)
    return [field.stances[one][:2] for one in reach.path(field.stud(*step.move.to))[1:-1]]


def attacks(turn: Turn) -> list[tuple[Point, Point]]:
    """Return from where and at what the unit of a turn has attacked."""
    found, state = list[tuple[Point, Point]](), turn.before
    for step in turn.steps:
        first = state.pending[0] if state.pending else None
        if isinstance(first, AttackRoll) and step.actor == CHANCE:
            found.append((state.stance(turn.unit)[:2], _middle(state, first.target)))
        state = step.after
    return found


def _middle(state: State, name: str) -> Point:
    number = state.setting.vehicle_numbers.get(name)
    if number is None:
        return state.stance(state.setting.unit_numbers[name])[:2]
    return state.vehicles[number].x_studs, state.vehicles[number].y_studs


def _unit_track(record: Record[State, Action[State]], unit: int) -> Track:
    entry = record.initial.setting.units[unit]
    before, places = record.initial, list[tuple[int, Point]]()
    on_foot = before.units[unit].stud is not None
    for step in (None, *record.steps):
        state = before if step is None else step.after
        if step is not None:
            places += [(before.round, place) for place in _walked(before, step, unit)]
        before = state
        figure = state.units[unit]
        if not figure.plays:
            end = "dies" if figure.is_dead else "leaves"
            return Track(entry.name, entry.player, False, tuple(places), end, state.round, on_foot)
        place = state.stance(unit)[:2]
        if not is_enclosed(state, unit) and (not places or places[-1][1] != place):
            places.append((state.round, place))
    return Track(entry.name, entry.player, False, tuple(places), begins_here=on_foot)


def _vehicle_track(states: list[State], number: int) -> Track:
    parked = states[0].setting.vehicles[number]
    places: list[tuple[int, Point]] = []
    for state in states:
        craft = state.vehicles[number]
        place = (craft.x_studs, craft.y_studs)
        if not places or places[-1][1] != place:
            places.append((state.round, place))
        if craft.gone:
            end = "is destroyed" if craft.damage >= parked.sheet.health else "leaves"
            return Track(parked.name, parked.player, True, tuple(places), end, state.round)
    return Track(parked.name, parked.player, True, tuple(places))
