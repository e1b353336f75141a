"""Treat and repair: help life forms and machines (BOW 2.4.4)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self

from brickphys.bow.actions.damage import opponent
from brickphys.bow.actions.reach import in_contact
from brickphys.bow.actions.targets import named_problems
from brickphys.bow.actions.words import TurnAction
from brickphys.bow.sheets.minifig_sheet import HealthColour
from brickphys.bow.state.state import State
from brickphys.errors import unknown
from brickphys.rules.events.bricks import OpposedRoll
from brickphys.rules.events.event import Outcome
from brickphys.rules.pending import PendingRoll, scores
from brickphys.rules.words import NAME, without_problems
from brickphys.text import agreed


@dataclass(frozen=True, slots=True)
class Treat(TurnAction):
    """Treat a wounded life form in contact; it takes a red ability."""

    word = "treat"
    arguments = (NAME,)
    colour = HealthColour.RED
    patient: str

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield every damaged unit, then every damaged vehicle, that the unit can help."""
        if not state.me.sheet.helping(cls.colour):
            return iter(())
        names = (name for name in _in_play(state) if state.named(name).damage)
        return without_problems(state, map(cls, names))

    def problems(self, state: State) -> Iterator[str]:
        """Yield every condition that fails."""
        name = state.my_name
        if not state.me.sheet.helping(self.colour):
            yield f"{name} has no ability to {self.word} (BOW 2.4.4)"
        if any(named_problems(state, self.patient)):
            yield f"{unknown('unit or vehicle in play', self.patient, _in_play(state))} (BOW 2.4.4)"
            return
        colour = _colour(state, self.patient)
        if colour is not self.colour:
            yield f"{self.patient} has {colour.value} health, but {self.word} is for {self.colour.value} (BOW 2.4.4)"
        if self.patient == name:
            yield f"{name} cannot {self.word} itself (BOW 2.4.4)"
        elif not in_contact(state, state.active, self.patient):
            yield f"{self.patient} is not in contact with {name} (BOW 2.4.4)"
        if not state.named(self.patient).damage:
            yield f"{self.patient} has no damage (BOW 2.4.4)"

    def apply(self, state: State) -> State:
        """Let both sides roll."""
        return state.push_pending(TreatmentRoll(self.patient))


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
        """Return why this cannot be pending."""
        faults = list(named_problems(state, self.patient))
        return faults or ([] if state.named(self.patient).damage else ["patient: has no damage"])

    def event(self, state: State) -> OpposedRoll:
        """Return both rolls."""
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
