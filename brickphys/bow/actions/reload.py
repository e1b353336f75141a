"""Reload: another minifig reloads the weapon of a vehicle before it fires again (BOW 3.1, for tougher games)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from brickphys.bow.actions.damage import owner_of
from brickphys.bow.actions.reach import in_contact
from brickphys.bow.actions.words import TurnAction
from brickphys.bow.state.state import State
from brickphys.errors import unknown
from brickphys.rules.words import NAME, without_problems


@dataclass(frozen=True, slots=True)
class Reload(TurnAction):
    """Reload the weapon of a seat from beside the vehicle or from another seat of it (BOW 3.1)."""

    word = "reload"
    arguments = (NAME, NAME)
    vehicle: str
    seat: str

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield every weapon that has fired and that the unit can reload."""
        if not state.shots:
            return iter(())
        specs = state.setting.vehicles
        fired = (
            cls(specs[vehicle].name, specs[vehicle].sheet.seats[seat].name)
            for vehicle, seat in dict.fromkeys(state.shots)
        )
        return without_problems(state, fired)

    def problems(self, state: State) -> Iterator[str]:
        """Yield why the unit cannot reload it."""
        vehicle = state.setting.vehicle_numbers.get(self.vehicle)
        if vehicle is None or state.vehicles[vehicle].gone:
            left = [state.setting.vehicles[number].name for number in state.vehicles_left]
            yield f"{unknown('vehicle', self.vehicle, left)} (BOW 3.1)"
            return
        seats = {
            seat.name: (vehicle, number)
            for number, seat in enumerate(state.setting.vehicles[vehicle].sheet.seats)
            if seat.weapon is not None and seat.weapon.reload
        }
        if self.seat not in seats:
            yield f"{unknown(f'seat of {self.vehicle} whose weapon is reloaded', self.seat, seats)} (BOW 3.1)"
            return
        if seats[self.seat] not in state.shots:
            yield f"the weapon of the {self.seat} of {self.vehicle} is loaded (BOW 3.1)"
        if state.me.seat == seats[self.seat]:
            yield f"another minifig than the {self.seat} must reload its weapon (BOW 3.1)"
        elif not in_contact(state, state.active, self.vehicle):
            yield f"{self.vehicle} is not in contact with {state.my_name} (BOW 3.1)"
        teams = state.setting.teams
        if teams[owner_of(state, self.vehicle)] != teams[state.player]:
            yield f"{self.vehicle} belongs to an enemy (BOW 3.1)"

    def apply(self, state: State) -> State:
        """Load it for as many shots as its firing rate."""
        vehicle = state.setting.vehicle_numbers[self.vehicle]
        names = [seat.name for seat in state.setting.vehicles[vehicle].sheet.seats]
        loaded = vehicle, names.index(self.seat)
        return state.replaced({"shots": tuple(shot for shot in state.shots if shot != loaded)})
