"""Sentences: actions, rolls and changes of a battle as clauses, whose subject is the unit whose turn it is.

For menus, the purpose of an action of a pilot is what becomes of the vehicle (BOW 3.3, 3.6).
"""

from collections.abc import Callable, Iterator, Mapping
from math import dist, hypot
from typing import Any

from brickphys.bow.actions import attack, collision, driving
from brickphys.bow.actions.at_rest import AtRest, is_measuring
from brickphys.bow.actions.damage import ExtraPoint, TreatmentRoll
from brickphys.bow.actions.movement import CELL, ChangeFacing, Close, Open, TurnMove, Walk
from brickphys.bow.actions.objects import Drop, Flying, Grab, Land, Offer, Put, Refuse, Take, onto
from brickphys.bow.actions.obstacles import called
from brickphys.bow.actions.targets import Switch, weapon_in_use
from brickphys.bow.actions.use_custom import CustomActionRoll, Leap, Use
from brickphys.bow.sheets.gear import Place
from brickphys.bow.sheets.library import OpposedAction
from brickphys.bow.state import State
from brickphys.grid.grid import SIDE_NAMES
from brickphys.rules.aims import ends_by_points
from brickphys.rules.events import Measured, Measurement, Outcome
from brickphys.rules.names import heading_text, names_text
from brickphys.rules.rolls import OpposedRoll
from brickphys.rules.turn_state import PendingRoll, scores
from brickphys.rules.words import Action
from brickphys.text import percent, spoken, with_blanks
from brickphys.vehicles.scene import ThingType


def purpose(state: State, action: Action[State]) -> str:
    """Return where a vehicle goes by a move, or after its speed or direction is changed; empty if it does not move.

    An action that ends the turn of its pilot tells so: the vehicle then moves.
    """
    if isinstance(action, driving.Drift):
        return _move(state, state.setting.vehicle_numbers[action.vehicle])
    if state.piloted is None:
        return ""
    if isinstance(action, driving.Advance):
        return _move(state, state.piloted)
    is_last = isinstance(action, TurnMove) and action.cost(state) >= state.actions_left
    drives = isinstance(action, driving.ChangeSpeed | driving.ChangeDirection)
    after = action.apply(state) if drives else state
    if not ((is_last or drives) and collision.must_move(after, state.piloted)):
        return ""
    name = spoken(state.setting.vehicles[state.piloted].name)
    lead = f"the last action: {name}" if is_last else "advance"
    return f"{lead} then {_move(after, state.piloted)}"


def _move(state: State, vehicle: int) -> str:
    """Return the compulsory move of a vehicle in words: how far it goes, what it hits, and what stops it."""
    body, path = state.vehicle_body(vehicle), collision.way(state, vehicle)
    studs = dist((body.x_studs, body.y_studs), (path.end.x_studs, path.end.y_studs))
    return ", ".join([f"goes {studs:.1f} studs", *_events(path)])


def _events(path: collision.CompulsoryMove) -> Iterator[str]:
    units = [spoken(hit.id) for hit in path.hits if hit.type is ThingType.UNIT]
    others = [spoken(called(hit.id)) for hit in path.hits if hit.type is not ThingType.UNIT]
    if units:
        yield f"hits {names_text(units)}"
    if others:
        yield f"crashes into {names_text(others)}"
    elif path.stops:
        yield "falls and crashes"
    if path.leaves_field:
        yield "leaves the field"


_LEAST_STUDS = 0.005
"""Shorter moves of a vehicle are rounding errors."""


def action_clause(before: State, action: Action[State]) -> str:
    """Return the clause of an action; empty if a roll or another choice follows that has one."""
    clause_of = _ACTIONS.get(type(action))
    return clause_of(before, action) if clause_of else ""


def roll_clause(before: State, outcome: Outcome) -> str:
    """Return the clause of a roll: its reason, the bricks, the scores, and its section of the book."""
    roll = before.pending[0]
    assert isinstance(roll, PendingRoll)
    event = roll.event(before)
    if isinstance(event, Measurement):
        seen = f"; {spoken(outcome.note)}" if isinstance(outcome, Measured) else ""
        return f"{event.reason}: {', '.join(_rests(event, outcome))} (measured){seen}"
    if not isinstance(event, OpposedRoll):
        return f"{event.question} {event.format(outcome)}"
    what, section = _ROLLS[type(roll)](before, roll)
    return f"{what}, {event.told(event.format(outcome))}: {_result(roll, outcome)} (BOW {section})"


def _result(roll: PendingRoll[State], outcome: Outcome) -> str:
    """Return what two scores mean: the side that acts needs the higher one."""
    won, lost = scores(outcome)
    good, bad = _RESULTS[type(roll)]
    if won == lost and isinstance(roll, attack.DisputeRoll):
        return "equal, so again"
    return good if won > lost else bad


_RESULTS: Mapping[type[PendingRoll[State]], tuple[str, str]] = {
    attack.AttackRoll: ("hit", "missed"),
    attack.DisputeRoll: ("it is", "it is not"),
    collision.RunOver: ("hurt", "unhurt"),
    collision.CrashRoll: ("damaged", "undamaged"),
    TreatmentRoll: ("success", "no success"),
    CustomActionRoll: ("success", "no success"),
}
"""What it means that the score of the side that acts is higher, or not."""


def _rests(event: Measurement, outcome: Outcome) -> Iterator[str]:
    assert isinstance(outcome, tuple)
    ends: dict[str, list[float]] = {}
    for (quantity, _, _), value in zip(event.quantities, outcome, strict=True):
        ends.setdefault(quantity.rpartition(" ")[0], []).append(value)
    for name, (x, *place) in ends.items():
        if not place:  # of a crash
            yield f"{spoken(called(name))} with {percent(x, 0)} of the energy of a square hit"
            continue
        y, *heading = place
        yield f"{spoken(name)} at {x:.1f}, {y:.1f}" + "".join(
            f" heading {heading_text(h)}" for h in heading
        )


def changes(before: State, after: State) -> Iterator[str]:
    """Yield the clauses of what happened to units and vehicles."""
    if not (before.pending and isinstance(before.pending[0], AtRest)):
        yield from _moves(before, after)
    yield from _vehicle_changes(before, after)
    yield from _unit_changes(before, after)
    yield from _displaced(before, after)
    yield from _points(before, after)


def _unit_changes(before: State, after: State) -> Iterator[str]:
    for unit, (old, new) in enumerate(zip(before.units, after.units, strict=True)):
        name = spoken(before.setting.units[unit].name)
        if new.damage != old.damage and new.plays:
            yield f"{name} has {new.damage} of {new.sheet.health} damage"
        if old.plays and not new.plays:
            yield f"{name} dies (BOW 2.4.3)" if new.is_dead else f"{name} is out of the battle"
        elif old.rides and new.stud is not None and after.vehicles[before.seat_of(unit)[0]].gone:
            yield f"{name} gets out on {CELL.write(before.setting.field.xy(new.stud))}"


def _displaced(before: State, after: State) -> Iterator[str]:
    """Yield where the units are put that a vehicle has hit or that make way for it; bodies decide it once at rest."""
    first, hit = before.first_pending, tuple[str, ...]()
    if is_measuring(after):
        return
    if isinstance(first, collision.RunOver) and not any(
        isinstance(one, collision.EndOfMove) for one in after.pending
    ):
        hit = (first.unit,)
    elif isinstance(first, AtRest):
        hit = first.hit
    for unit, (old, new) in enumerate(zip(before.units, after.units, strict=True)):
        name = before.setting.units[unit].name
        is_put = unit != before.active and (new.stud != old.stud or name in hit)
        if is_put and old.on_foot and new.on_foot:
            assert new.stud is not None
            yield f"{spoken(name)} is put on {CELL.write(before.setting.field.xy(new.stud))}"


def _vehicle_changes(before: State, after: State) -> Iterator[str]:
    for vehicle, (old, new) in enumerate(zip(before.vehicles, after.vehicles, strict=True)):
        spec = before.setting.vehicles[vehicle]
        name = f"the {spoken(spec.name)}"
        destroyed = new.damage >= spec.sheet.health
        if new.damage != old.damage and not destroyed:
            yield f"{name} has {new.damage} of {spec.sheet.health} damage"
        if new.gone and not old.gone:
            yield f"{name} is destroyed (BOW 3.5)" if destroyed else f"{name} leaves the field"


def _points(before: State, after: State) -> Iterator[str]:
    setting = before.setting
    if ends_by_points(setting.aims):
        rows = zip(setting.players, before.destroyed, after.destroyed, strict=True)
        for player, old, new in rows:
            if new > old:
                yield f"cost points destroyed by {player} so far: {new} (BOW A.4)"


def _moves(before: State, after: State) -> Iterator[str]:
    for vehicle, (was, now) in enumerate(zip(before.vehicles, after.vehicles, strict=True)):
        studs = hypot(now.x_studs - was.x_studs, now.y_studs - was.y_studs)
        if studs > _LEAST_STUDS:
            name = spoken(before.setting.vehicles[vehicle].name)
            is_turn = now.heading_deg != was.heading_deg and now.moved == was.moved
            if is_turn and before.round == after.round:
                yield f"the {name} backs off {studs:.1f} studs to make room (BOW 3.3)"
                continue
            speed = now.speed or was.speed  # it may be set and moved in one step, or moved and out
            yield f"the {name} moves {studs:.1f} studs at speed {speed} (BOW 3.3)"


def _walk(before: State, action: Walk) -> str:
    stays = before.me.stud == before.setting.field.stud(*action.to)
    return "" if stays else f"walks to {CELL.write(action.to)}"


def _land(before: State, action: Land) -> str:
    flying = before.pending[0]
    assert isinstance(flying, Flying)
    return f"throws the {spoken(flying.item)} to {CELL.write(action.at)}"


def _answer(before: State, action: Take | Refuse) -> str:
    offer = before.pending[0]
    assert isinstance(offer, Offer)
    receiver = spoken(before.setting.units[offer.receiver].name)
    if isinstance(action, Take):
        return f"gives the {spoken(offer.item)} to {receiver}"
    return f"offers the {spoken(offer.item)} to {receiver}, who refuses"


def _use(before: State, action: Use) -> str:
    if isinstance(before.setting.actions[action.action], OpposedAction):
        return ""
    own = action.target == before.setting.units[before.active].name
    return spoken(action.action) if own else f"{spoken(action.action)} on {spoken(action.target)}"


def _put(_: State, action: Put) -> str:
    item = spoken(action.item)
    if action.target is Place.WORN:
        return f"puts the {item} on"
    if action.source is Place.WORN:
        return f"takes the {item} off, {onto(action.target)}"
    if action.target is Place.HELD:
        return f"takes the {item} in hand"
    return f"puts the {item} {onto(action.target)}"


def _piloted(before: State) -> str:
    assert before.piloted is not None
    return spoken(before.setting.vehicles[before.piloted].name)


def _turn(before: State, action: driving.ChangeDirection) -> str:
    side = "left" if action.angle_deg > 0 else "right"
    return f"turns the {_piloted(before)} by {abs(action.angle_deg):g} degrees to the {side}"


_ACTIONS: Mapping[type[Action[State]], Callable[[State, Any], str]] = {
    Walk: _walk,
    ChangeFacing: lambda _, action: f"looks {SIDE_NAMES[action.facing]}",
    Grab: lambda _, a: f"takes the {spoken(a.item)} from {CELL.write(a.at)} {onto(a.place)}",
    Land: _land,
    Take: _answer,
    Refuse: _answer,
    Switch: lambda _, a: f"swaps the {spoken(a.held)} for the {spoken(a.stowed)}",
    Put: _put,
    Drop: lambda _, action: f"drops the {spoken(action.item)}",
    Open: lambda _, action: f"opens the {spoken(action.door)}",
    Close: lambda _, action: f"closes the {spoken(action.door)}",
    attack.Reload: lambda _, a: (
        f"reloads the weapon of the {spoken(a.seat)} of the {spoken(a.vehicle)}"
    ),
    Use: _use,
    driving.BoardVehicle: lambda _, a: f"gets on the {spoken(a.vehicle)} ({spoken(a.seat)})",
    driving.LeaveVehicle: lambda _, action: f"gets off to {CELL.write(action.to)}",
    driving.ChangeSeat: lambda _, action: f"changes to the seat {spoken(action.seat)}",
    driving.ChangeSpeed: lambda before, a: f"sets the {_piloted(before)} to speed {a.speed}",
    driving.ChangeDirection: _turn,
    Leap: lambda _, action: f"leaps to {CELL.write(action.to)}",
    ExtraPoint: lambda _, action: f"{spoken(action.name)} takes the extra point",
    attack.Agree: lambda _, __: "all agree that the target is visible",
    attack.Dispute: lambda _, __: "it is disputed whether the target is visible",
}


def _attack(before: State, roll: attack.AttackRoll) -> tuple[str, str]:
    weapon = "bare hands" if roll.weapon == "hands" else f"the {spoken(roll.weapon)}"
    used = weapon_in_use(before, roll.weapon)
    assert used is not None
    plan = attack.attack_plan(before, roll.target, used)
    notes = []
    if plan.bricks_lost:
        studs = plan.distance_studs
        notes.append(f"{studs:.1f} studs away, {plan.bricks_lost} fewer for the distance")
    if plan.is_covered:
        notes.append(f"{plan.visibility.value}, 1 brick more to resist")
    remarks = f" ({'; '.join(notes)})" if notes else ""
    return f"attacks {spoken(roll.target)} with {weapon}{remarks}", "2.4.2"


def _crash(before: State, roll: collision.CrashRoll) -> tuple[str, str]:
    """Return a crash; a collision of two vehicles has a roll for each, and is told once."""
    vehicle, other = spoken(roll.vehicle), spoken(roll.other)
    if not roll.other:
        return f"the {vehicle} crashes{with_blanks(roll.into(before))}", "3.6.2"
    if collision.CrashRoll(roll.other, roll.vehicle, roll.bricks) in before.pending:
        return f"the {vehicle} collides with the {other}", "3.6.3"
    return f"for the {vehicle} in the collision with the {other}", "3.6.3"


_ROLLS: Mapping[type[PendingRoll[State]], Callable[[State, Any], tuple[str, str]]] = {
    attack.AttackRoll: _attack,
    attack.DisputeRoll: lambda _, __: ("is the target visible", "2.4.2"),
    collision.RunOver: lambda _, r: (f"the {spoken(r.vehicle)} hits {spoken(r.unit)}", "3.6.1"),
    collision.CrashRoll: _crash,
    TreatmentRoll: lambda _, roll: (f"helps {spoken(roll.patient)}", "2.4.4"),
    CustomActionRoll: lambda _, roll: (f"{spoken(roll.action)} on {spoken(roll.target)}", "B.3"),
}
"""Reason of each opposed roll, and its section of the book."""
