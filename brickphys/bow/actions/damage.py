"""Damage: damage points, death, treatment and repair (BOW 2.4.3, 2.4.4, 3.5).

A vehicle is destroyed with its occupants.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Self

from brickphys.bow.actions.movement import TurnMove, ground_stud, in_contact, put_down, unrefused
from brickphys.bow.actions.targets import named_problems
from brickphys.bow.sheets.gear import Loadout
from brickphys.bow.sheets.sheet import HealthColour
from brickphys.bow.state import NOBODY, State, UnitNumber
from brickphys.errors import unknown
from brickphys.grid.grid import nearest_facing
from brickphys.rules.events import Outcome
from brickphys.rules.moves import Among, Move
from brickphys.rules.rolls import OpposedRoll
from brickphys.rules.turn_state import PendingRoll, PlayerNumber, Question, number_problems, scores
from brickphys.rules.words import NAME
from brickphys.text import agreed, counted

_OUT: dict[str, Any] = {"stud": None, "seat": None, "marked": False, "guard": 0, "held_up": 0}
"""Of a unit that is out of the battle."""


def hurt(state: State, name: str, points: int, by: int, sharer: int) -> State:
    """Add damage to a unit or a vehicle.

    Parameters
    ----------
    state
        The battle.
    name
        The name of the unit or vehicle.
    points
        Damage points; none if not positive.
    by
        The player who has destroyed what is destroyed by it; `NOBODY` if no player has.
    sharer
        The player who rolled against it, and who shares out the rest of the damage if a vehicle is destroyed.
    """
    if points <= 0:
        return state
    vehicle = state.setting.vehicle_numbers.get(name)
    if vehicle is None:
        return hurt_unit(state, state.setting.unit_numbers[name], points, by)
    vehicle_state, sheet = state.vehicles[vehicle], state.setting.vehicles[vehicle].sheet
    damage = vehicle_state.damage + points
    if damage < sheet.health:
        return state.with_vehicle(vehicle, replace(vehicle_state, damage=damage))
    return _destroyed(state, vehicle, damage - sheet.health, by, sharer)


def health_left(state: State, name: str) -> int:
    """Return how many more damage points a unit or a vehicle takes until it is dead or destroyed."""
    vehicle = state.setting.vehicle_numbers.get(name)
    if vehicle is not None:
        return state.setting.vehicles[vehicle].sheet.health - state.vehicles[vehicle].damage
    unit_state = state.units[state.setting.unit_numbers[name]]
    return unit_state.sheet.health - unit_state.damage


def damage_roll(state: State, attack: int, defence: int, target: str, reason: str) -> OpposedRoll:
    """Return the roll whose difference is the damage of a unit or a vehicle."""
    loss = "destroyed" if target in state.setting.vehicle_numbers else "dead"
    return OpposedRoll(attack, defence, reason, health=health_left(state, target), loss=loss)


def hurt_unit(state: State, unit: int, points: int, by: int) -> State:
    """Add damage to a unit in play, and remove it if it is dead; `by` as in `hurt`."""
    unit_state = state.units[unit]
    if points <= 0 or not unit_state.plays:
        return state
    damage = min(unit_state.damage + points, unit_state.sheet.health)
    state = state.with_unit(unit, replace(unit_state, damage=damage))
    if damage < unit_state.sheet.health:
        return state
    spec = state.setting.units[unit]
    return remove_unit(_credited(state, by, spec.player, state.setting.unit_costs[unit]), unit)


def remove_unit(state: State, unit: int) -> State:
    """Remove a dead unit; all its objects fall on its stud (BOW 2.3.2, 2.4.3)."""
    stud, now = ground_stud(state, unit), state.units[unit]
    dropped = [(stud, item.name) for _, item in now.sheet.gear.items()]
    bare = replace(now, sheet=replace(now.sheet, gear=Loadout()), facing=0, **_OUT)
    return state.with_unit(unit, bare).with_objects(*dropped)


def leave_field(state: State, vehicle: int) -> State:
    """Take a vehicle out of the battle, with its occupants and their gear (BOW 3.3)."""
    for unit in state.occupants(vehicle):
        state = state.with_unit(unit, replace(state.units[unit], **_OUT))
    return state.with_vehicle(vehicle, replace(state.vehicles[vehicle], gone=True, speed=0))


def opponent(state: State, player: int) -> int:
    """Return the player who rolls against another: the next one of another team, if possible one with units in play."""
    setting, count = state.setting, len(state.setting.players)
    alive = {setting.units[unit].player for unit, _ in state.in_play()}
    order = [(player + step) % count for step in range(1, count)]
    others = [other for other in order if setting.teams[other] != setting.teams[player]]
    return next((other for other in others if other in alive), others[0])


def _credited(state: State, by: int, loser: int, points: int) -> State:
    """Note the cost points of what a player has destroyed of another team (BOW A.4)."""
    teams = state.setting.teams
    if by == NOBODY or teams[by] == teams[loser]:
        return state
    destroyed = list(state.destroyed)
    destroyed[by] += points
    return state.replaced({"destroyed": tuple(destroyed)})


def _destroyed(state: State, vehicle: int, left: int, by: int, sharer: int) -> State:
    """Remove a vehicle, put its occupants on the field, and share the rest of the damage among them (BOW 3.5).

    Who walks beside it stays there and has no share (ours).
    """
    crew, vehicle_state = state.occupants(vehicle), state.vehicles[vehicle]
    units = [unit for unit in crew if state.units[unit].rides]
    health = state.setting.vehicles[vehicle].sheet.health
    state = _credited(state, by, vehicle_state.driver, state.setting.vehicle_costs[vehicle])
    state = state.with_vehicle(vehicle, replace(vehicle_state, damage=health, speed=0, gone=True))
    for unit in crew:
        state = put_down(state, unit, nearest_facing(vehicle_state.heading_deg))
    if not left or not units:
        return state
    each, odd = divmod(left, len(units))
    if odd:
        return state.push_pending(Sharing(sharer, by, each, odd, tuple(units)))
    return _shared(state, units, each, (), by)


def _shared(state: State, units: Sequence[int], each: int, more: Sequence[int], by: int) -> State:
    for unit in units:
        state = hurt_unit(state, unit, each + (unit in more), by)
    return state


def _sharers(state: State) -> dict[str, int]:
    return {state.setting.units[unit].name: unit for unit in state.awaited(Sharing).units}


@dataclass(frozen=True, slots=True)
class ExtraPoint(Move[State]):
    """The occupant that gets one more point of the shared damage (BOW 3.5)."""

    word = "extra"
    does = "give the extra point"
    section = "BOW 3.5"
    name: Annotated[str, Among("occupant", _sharers)]

    def refusals(self, state: State, unit: int) -> Iterator[str]:
        if unit in state.awaited(Sharing).chosen:
            yield f"{self.name} already takes an extra point"

    def result(self, state: State, unit: int) -> State:
        """Note the choice; after the last one, damage all occupants."""
        sharing = state.awaited(Sharing)
        chosen = (*sharing.chosen, unit)
        state = state.pop_pending()
        if len(chosen) < sharing.odd:
            return state.push_pending(replace(sharing, chosen=chosen))
        return _shared(state, sharing.units, sharing.each, chosen, sharing.by)


@dataclass(frozen=True, slots=True)
class Sharing(Question[State]):
    """The question who gets one more point, where shared damage does not divide (BOW 3.5)."""

    answers = (ExtraPoint,)
    sharer: PlayerNumber
    by: int
    """The player who destroyed the vehicle, or `NOBODY`."""
    each: Annotated[int, range(1000)]
    """Points that every occupant gets."""
    odd: int
    """How many occupants get one more."""
    units: tuple[UnitNumber, ...]
    """The occupants."""
    chosen: tuple[int, ...] = ()
    """Those that get one more, as far as they are chosen."""

    def problems(self, state: State) -> list[str]:
        count = len(state.setting.players)
        faults = number_problems("by", self.by, count, NOBODY)
        faults += number_problems("odd", self.odd, len(self.units), 1)
        if not set(self.chosen) < set(self.units) or len(self.chosen) >= self.odd:
            faults.append("chosen: too many, or not among the units")
        if len(set(self.units)) < len(self.units) or len(set(self.chosen)) < len(self.chosen):
            faults.append("units: a unit is named twice")
        return faults

    def player(self, state: State) -> int:
        return self.sharer

    def prompt(self, state: State) -> str:
        left = counted(self.odd - len(self.chosen), "occupant")
        return f"the damage does not divide evenly: {left} of the vehicle must take an extra point"


def owner_of(state: State, name: str) -> int:
    """Return the player of a unit, or the one who drove a vehicle last."""
    setting = state.setting
    if name in setting.unit_numbers:
        return setting.units[setting.unit_numbers[name]].player
    return state.vehicles[setting.vehicle_numbers[name]].driver


@dataclass(frozen=True, slots=True)
class Treat(TurnMove):
    """Treat a wounded life form in contact; it takes a red ability."""

    word = "treat"
    section = "BOW 2.4.4"
    colour = HealthColour.RED
    patient: Annotated[str, NAME]

    @classmethod
    def listed(cls, state: State) -> Iterator[Self]:
        """Yield every damaged unit, then every damaged vehicle, that the unit can help."""
        if not state.me.sheet.helping(cls.colour):
            return iter(())
        names = (name for name in _in_play(state) if state.named(name).damage)
        return unrefused(state, map(cls, names))

    def refusals(self, state: State, patient: str) -> Iterator[str]:
        name = state.my_name
        if not state.me.sheet.helping(self.colour):
            yield f"{name} has no ability to {self.word}"
        if any(named_problems(state, patient)):
            yield f"{unknown('unit or vehicle in play', patient, _in_play(state))}"
            return
        colour = _colour(state, patient)
        if colour is not self.colour:
            yield f"{patient} has {colour.value} health, but {self.word} is for {self.colour.value}"
        if patient == name:
            yield f"{name} cannot {self.word} itself"
        elif not in_contact(state, state.active, patient):
            yield f"{patient} is not in contact with {name}"
        if not state.named(patient).damage:
            yield f"{patient} has no damage"

    def result(self, state: State, patient: str) -> State:
        return state.push_pending(TreatmentRoll(patient))


@dataclass(frozen=True, slots=True)
class Repair(Treat):
    """Repair a damaged machine in contact, or the unit's own vehicle; it takes a yellow ability."""

    word = "repair"
    colour = HealthColour.YELLOW


@dataclass(frozen=True, slots=True)
class TreatmentRoll(PendingRoll[State]):
    """The helper's ability against a brick for each damage point, which an opponent rolls (BOW 2.4.4)."""

    patient: str

    def problems(self, state: State) -> list[str]:
        faults = list(named_problems(state, self.patient))
        return faults or ([] if state.named(self.patient).damage else ["patient: has no damage"])

    def event(self, state: State) -> OpposedRoll:
        setting, colour = state.setting, _colour(state, self.patient)
        rival = setting.players[opponent(state, state.player)]
        what = "treats" if colour is HealthColour.RED else "repairs"
        return OpposedRoll(
            state.me.sheet.helping(colour),
            state.named(self.patient).damage,
            f"{setting.units[state.active].name} {what} {self.patient}, {agreed(rival, 'roll')} its damage",
        )

    def settle(self, state: State, outcome: Outcome) -> State:
        """If the helper's score is higher, remove 1 damage point, or with the option the difference."""
        acting, resisting = scores(outcome)
        if acting <= resisting:
            return state
        points = acting - resisting if state.setting.options.symmetric_treatment else 1
        return heal(state, self.patient, points)


def heal(state: State, name: str, points: int) -> State:
    """Remove damage points of a unit or vehicle."""
    left = max(0, state.named(name).damage - points)
    vehicle = state.setting.vehicle_numbers.get(name)
    if vehicle is not None:
        return state.with_vehicle(vehicle, replace(state.vehicles[vehicle], damage=left))
    unit = state.setting.unit_numbers[name]
    return state.with_unit(unit, replace(state.units[unit], damage=left))


def _colour(state: State, name: str) -> HealthColour:
    if name in state.setting.vehicle_numbers:
        return HealthColour.YELLOW
    return state.units[state.setting.unit_numbers[name]].sheet.health_colour


def _in_play(state: State) -> list[str]:
    units = [state.setting.units[unit].name for unit, _ in state.in_play()]
    return units + [state.setting.vehicles[number].name for number in state.vehicles_left]
