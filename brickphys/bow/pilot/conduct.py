"""Conduct: counts of what units did in a played game, for tables of many games."""

from collections import Counter
from collections.abc import Iterator, Mapping
from math import dist

from brickphys.bow.actions.attack import AttackEnemy
from brickphys.bow.actions.collision import CrashRoll, RunOver
from brickphys.bow.actions.damage import owner_of
from brickphys.bow.actions.driving import BoardVehicle, ChangeSpeed, LeaveVehicle
from brickphys.bow.actions.movement import Walk
from brickphys.bow.actions.objects import Drop, Give, Put
from brickphys.bow.actions.targets import Switch
from brickphys.bow.state import NOBODY, State
from brickphys.bow.turns import ChooseUnit, End
from brickphys.rules.record import CHANCE, Record
from brickphys.rules.words import Action

VEHICLE_COUNTS = (
    "moves_of_vehicles",
    "run_overs",
    "run_over_kills",
    "own_run_overs",
    "rams",
    "friendly_rams",
    "crashes",
    "left_the_field",
    "vehicles_destroyed",
    "shots_from_vehicles",
    "stops",
    "drivers_got_off",
    "gunners_got_off",
    "got_on",
    "gear_handed_over",
)
"""What is counted.

- Compulsory moves that end on the field or leave it.
- Enemies that were rolled for because a vehicle hit them, those of them that died, and own units that were hit.
- Crashes of who is at the wheel into enemy vehicles and into own ones, and all other crashes; vehicles that left the
  field, and those that were destroyed.
- Attacks from seats; pilots that set the speed to 0; pilots, and who has a weapon of the vehicle, that get off; units
  that get on; and gifts.
"""
_STIRRED_STUDS = 0.5
"""A vehicle that a move brings no farther has only made room for a turn."""


def conduct(record: Record[State, Action[State]], player: int) -> Mapping[str, int]:
    """Return what a player's units, vehicles and their crews did, by `FOOT_COUNTS` and `VEHICLE_COUNTS`."""
    return {**foot_conduct(record, player), **vehicle_conduct(record, player)}


def vehicle_conduct(record: Record[State, Action[State]], player: int) -> Mapping[str, int]:
    """Return what a player's vehicles and their crews did, by the names of `VEHICLE_COUNTS`; all are given."""
    found = Counter(dict.fromkeys(VEHICLE_COUNTS, 0))
    if not record.initial.setting.vehicles:
        return found
    before = record.initial
    for step in record.steps:
        if step.actor == CHANCE:
            found.update(_rolled(before, step.after, player))
        elif step.actor == player:
            found.update(_chosen(before, step.move))
        found.update(_moved(before, step.after, player))
        before = step.after
    return found


def _rolled(before: State, after: State, player: int) -> Iterator[str]:
    """Yield what a roll for a player's vehicle, or for whom it hit, counts as."""
    first, setting, teams = before.first_pending, before.setting, before.setting.teams
    if not isinstance(first, RunOver | CrashRoll) or owner_of(before, first.vehicle) != player:
        return
    if isinstance(first, RunOver):
        unit = setting.unit_numbers[first.unit]
        if setting.team(unit) == teams[owner_of(before, first.vehicle)]:
            yield "own_run_overs"
            return
        yield "run_overs"
        if before.units[unit].plays and not after.units[unit].plays:
            yield "run_over_kills"
    else:
        if not first.other:
            yield "crashes"
            return
        if not any(_is_partner(first, other) for other in before.pending[1:]):
            return  # both vehicles of a crash are rolled for
        if before.pilot(setting.vehicle_numbers[first.vehicle]) == NOBODY:
            yield "crashes"
            return
        yield "friendly_rams" if teams[player] == teams[owner_of(before, first.other)] else "rams"


def _is_partner(roll: CrashRoll, other: object) -> bool:
    return isinstance(other, CrashRoll) and (other.vehicle, other.other) == (
        roll.other,
        roll.vehicle,
    )


def _chosen(state: State, move: object) -> Iterator[str]:
    """Yield what an action counts as."""
    if state.active == NOBODY:
        return
    if isinstance(move, AttackEnemy) and state.me.rides:
        yield "shots_from_vehicles"
    elif isinstance(move, ChangeSpeed) and move.speed == 0:
        yield "stops"
    elif isinstance(move, LeaveVehicle):
        seat = state.seat_of(state.active)[1]
        if seat.pilot:
            yield "drivers_got_off"
        elif seat.weapon is not None:
            yield "gunners_got_off"
    elif isinstance(move, BoardVehicle):
        yield "got_on"
    elif isinstance(move, Give):
        yield "gear_handed_over"


def _moved(before: State, after: State, player: int) -> Iterator[str]:
    """Yield the moves and losses of a player's vehicles between two states."""
    is_new_round = after.round > before.round
    for number, (old, new) in enumerate(zip(before.vehicles, after.vehicles, strict=True)):
        if old.gone or old.driver != player:
            continue
        if new.gone:
            health = after.setting.vehicles[number].sheet.health
            yield "vehicles_destroyed" if new.damage >= health else "left_the_field"
        far = dist(old.centre_studs, new.centre_studs) > _STIRRED_STUDS
        if (new.moved and not old.moved) or (is_new_round and far):
            yield "moves_of_vehicles"


FOOT_COUNTS = (
    "turns_of_units",
    "turns_held",
    "attacks",
    "walks",
    "turns_on_the_spot",
    "gear_moves",
    "units_asleep",
)
"""What is counted.

- Turns of units, and those of them in which nothing was done.
- Attacks, walks, and walks to the stud on which the unit stands, which only turn it.
- Objects that a unit moved about its body, switched or laid down.
- Units that are in play at the end, had a turn, and never did anything.
"""


def foot_conduct(record: Record[State, Action[State]], player: int) -> Mapping[str, int]:
    """Return what a player's units did in a game, by the names of `FOOT_COUNTS`; all are given."""
    found = Counter(dict.fromkeys(FOOT_COUNTS, 0))
    before, chosen, awake = record.initial, set[int](), set[int]()
    waits = False
    for step in record.steps:
        if step.actor == player:
            found.update(_counted(before, step.move))
            if isinstance(step.move, ChooseUnit):
                chosen.add(before.setting.unit_numbers[step.move.name])
                waits = True
            elif isinstance(step.move, End):
                found["turns_held"] += waits
                waits = False
            else:
                awake.add(before.active)
                waits = False
        before = step.after
    found["units_asleep"] += sum(before.units[unit].plays for unit in chosen - awake)
    return found


def _counted(before: State, move: object) -> Iterator[str]:
    if isinstance(move, ChooseUnit):
        yield "turns_of_units"
    elif isinstance(move, AttackEnemy):
        yield "attacks"
    elif isinstance(move, Walk):
        here = before.me.stud
        is_turn = here is not None and before.setting.field.xy(here) == move.to
        yield "turns_on_the_spot" if is_turn else "walks"
    elif isinstance(move, Put | Switch | Drop):
        yield "gear_moves"
