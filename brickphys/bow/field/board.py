"""Board: a terrain and everything that stands on it just now, as walks, sight and weapons meet it."""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import floor, sqrt
from typing import TYPE_CHECKING

from brickphys.bow.field.field import Field
from brickphys.bow.field.terrain import Terrain, overlaps_figure
from brickphys.geometry.polygon import TOLERANCE
from brickphys.grid.bitset import Stud, Studs, each, overlapped, studs_of

if TYPE_CHECKING:
    from brickphys.vehicles.scene import Vehicle


@dataclass(frozen=True, eq=False)
class Board:
    """A terrain and what stands on it.

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
        """The studs on which a figure could be put down."""
        return self.terrain.standable & ~self.taken


@lru_cache(maxsize=4096)
def footprint_studs(field: Field, vehicle: "Vehicle") -> Studs:
    """Return the studs that a vehicle overlaps in plan."""
    return overlapped(vehicle.prism.footprint, field.width, field.length)


@lru_cache(maxsize=4096)
def vehicle_studs(field: Field, vehicle: "Vehicle") -> Studs:
    """Return the studs on which a vehicle leaves no room for a figure: a flyer may be high enough above."""
    span = (vehicle.bottom_plates, vehicle.top_plates)
    levels = field.levels_plates
    studs = each(footprint_studs(field, vehicle))
    return studs_of(stud for stud in studs if overlaps_figure(span, levels[stud]))


def around(field: Field, studs: Studs) -> Studs:
    """Return the studs close to a set of studs: themselves and all their neighbours."""
    beside = studs | (studs & ~field.columns[-1]) << 1 | (studs & ~field.columns[0]) >> 1
    return (beside | beside << field.width | beside >> field.width) & field.all_studs


def is_close(field: Field, stud: Stud, studs: Studs) -> bool:
    """Tell whether a figure on a stud can touch one of some studs: neighbours are close (BOW 2.3.2)."""
    return bool(around(field, 1 << stud) & studs)


def circle(field: Field, stud: Stud, radius_studs: float) -> Studs:
    """Return the studs whose middle is within a circle around the middle of a stud."""
    x, y = field.xy(stud)
    far = floor(radius_studs + TOLERANCE)
    studs = 0
    for row in range(max(y - far, 0), min(y + far + 1, field.length)):
        half = floor(sqrt(max(radius_studs**2 - (row - y) ** 2, 0.0)) + TOLERANCE)
        first, last = max(x - half, 0), min(x + half + 1, field.width)
        studs |= ((1 << (last - first)) - 1) << (row * field.width + first)
    return studs


def nearest(field: Field, stud: Stud, among: Studs) -> Stud | None:
    """Return the stud of a set whose middle is nearest to that of a stud, among equals the lowest; None of none."""
    x, y = field.xy(stud)

    def distance(other: Stud) -> tuple[int, Stud]:
        other_y, other_x = divmod(other, field.width)
        return (other_x - x) ** 2 + (other_y - y) ** 2, other

    radius_studs, near = 2, 0
    while among and not near:  # in wider and wider circles: most often it is beside
        radius_studs *= 2
        near = circle(field, stud, radius_studs) & among
    return min(each(near), key=distance, default=None)
