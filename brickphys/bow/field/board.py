"""Board: a terrain with the units and vehicles on it, which are in the way of walks, sight and weapons."""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from brickphys.bow.field.field import Field, Studs
from brickphys.bow.field.terrain import Terrain, overlaps_figure
from brickphys.grid.bitset import each, squares_of

if TYPE_CHECKING:
    from brickphys.vehicles.scene import Vehicle


@dataclass(frozen=True, eq=False)
class Board:
    """A terrain with the units and vehicles on it.

    Attributes
    ----------
    terrain
        The field, with its doors and windows open or closed.
    units
        The studs on which figures stand; occupants of vehicles stand on none.
    vehicles
        All vehicles.
    """

    terrain: Terrain
    units: Studs = 0
    vehicles: tuple["Vehicle", ...] = ()

    @property
    def field(self) -> Field:
        """The field."""
        return self.terrain.field

    @cached_property
    def taken(self) -> Studs:
        """The studs on which a unit or a vehicle leaves no room for a figure."""
        studs = self.units
        for vehicle in self.vehicles:
            studs |= vehicle_studs(self.field, vehicle)
        return studs

    @property
    def free(self) -> Studs:
        """The studs that have room for a figure."""
        return self.terrain.standable & ~self.taken


@lru_cache(maxsize=4096)
def footprint_studs(field: Field, vehicle: "Vehicle") -> Studs:
    """Return the studs that a vehicle overlaps in plan."""
    return field.studs_under(vehicle.prism.footprint)


@lru_cache(maxsize=4096)
def vehicle_studs(field: Field, vehicle: "Vehicle") -> Studs:
    """Return the studs on which a vehicle leaves no room for a figure; there may be room under a flyer."""
    span = (vehicle.bottom_plates, vehicle.top_plates)
    levels = field.levels_plates
    studs = each(footprint_studs(field, vehicle))
    return squares_of(stud for stud in studs if overlaps_figure(span, levels[stud]))
