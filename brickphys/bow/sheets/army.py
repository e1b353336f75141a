"""Army: the sheets that fight on a side, and the seats in which units begin (BOW 1.4, 3.1)."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from brickphys.bow.sheets.minifig_sheet import MinifigSheet
from brickphys.bow.sheets.vehicle_sheet import Seat, VehicleSheet, manning_problems
from brickphys.errors import unknown


@dataclass(frozen=True)
class Boarded:
    """A minifig that begins in a seat: names of its sheet, of the vehicle's sheet, and of the seat."""

    unit: str
    vehicle: str
    seat: str


@dataclass(frozen=True)
class Army:
    """A side.

    Attributes
    ----------
    name
        Of the side.
    minifigs, vehicles
        One sheet for each unit and vehicle: ten troopers are ten times the same sheet.
    boarded
        The minifigs that begin in a seat.
    """

    name: str
    minifigs: tuple[MinifigSheet, ...]
    vehicles: tuple[VehicleSheet, ...] = ()
    boarded: tuple[Boarded, ...] = ()

    def problems(self) -> list[str]:
        """Return every fault: seats without vehicle, without minifig, or taken twice (empty: there is none)."""
        faults = (
            [] if self.minifigs else ["units: an army needs a unit, since only units act (BOW 3.1)"]
        )
        for index, entry in enumerate(self.boarded):
            faults += [f"boarded[{index}].{fault}" for fault in self._entry_problems(entry)]
        return faults + list(self._count_problems())

    def _entry_problems(self, entry: Boarded) -> Iterator[str]:
        units = {sheet.name: sheet for sheet in self.minifigs}
        vehicles = {sheet.name: sheet for sheet in self.vehicles}
        if entry.unit not in units:
            yield f"unit: {unknown('unit of this army', entry.unit, units)}"
        if entry.vehicle not in vehicles:
            yield f"vehicle: seat without vehicle: {unknown('vehicle of this army', entry.vehicle, vehicles)}"
            return
        seat = vehicles[entry.vehicle].seat(entry.seat)
        if seat is None:
            seats = [seat.name for seat in vehicles[entry.vehicle].seats]
            yield f"seat: {unknown('seat of ' + entry.vehicle, entry.seat, seats)}"
        elif entry.unit in units:
            yield from _weapon_problems(units[entry.unit], seat)

    def _count_problems(self) -> Iterator[str]:
        minifigs = Counter(sheet.name for sheet in self.minifigs)
        vehicles = Counter(sheet.name for sheet in self.vehicles)
        for unit, count in Counter(entry.unit for entry in self.boarded).items():
            if count > minifigs[unit] > 0:
                yield f"boarded: {count} seats for {minifigs[unit]} of {unit}"
        seats = Counter((entry.vehicle, entry.seat) for entry in self.boarded)
        for (vehicle, seat), count in seats.items():
            if count > vehicles[vehicle] > 0:
                yield f"boarded: {count} minifigs in {vehicles[vehicle]} seat {vehicle}/{seat}"


def _weapon_problems(sheet: MinifigSheet, seat: Seat) -> Iterator[str]:
    if seat.weapon:
        yield from (f"seat: {fault}" for fault in manning_problems(sheet, seat.weapon))
