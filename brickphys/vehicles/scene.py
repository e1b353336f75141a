"""Scene: a field, what stands on it, and which vehicle moves."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from brickphys.errors import InvalidValueError
from brickphys.geometry.polygon import (
    TOLERANCE,
    Point,
    Polygon,
    convex_polygon,
    rectangle,
    unit_vector,
)
from brickphys.geometry.prism import Prism
from brickphys.geometry.sweep import overlap
from brickphys.text import listed
from brickphys.vehicles.sectors import Scheme

MAX_SPEED = 12
"""Studs of the speed row on a vehicle's sheet."""

VEHICLE_TOP_PLATES = 9.0
UNIT_TOP_PLATES = 12.5
DECOR_TOP_PLATES = 15.0


class Kind(Enum):
    """What can be hit, in the order in which simultaneous hits are told."""

    UNIT = "unit"
    DECOR = "decor"
    VEHICLE = "vehicle"


ORDER = {kind: rank for rank, kind in enumerate(Kind)}
"""Kind -> its rank among simultaneous hits."""


@dataclass(frozen=True)
class Field:
    """A rectangle from the origin, in studs."""

    width_studs: float
    height_studs: float

    def holds(self, point_studs: Point) -> bool:
        """Tell whether a point lies on it, its border included, up to the tolerance."""
        limits = (self.width_studs, self.height_studs)
        return all(
            -TOLERANCE <= value <= limit + TOLERANCE
            for value, limit in zip(point_studs, limits, strict=True)
        )

    def without_rounding(self, point_studs: Point) -> Point:
        """Return a point that is beyond the border by no more than the tolerance on the border, any other as it is."""
        x, y = point_studs
        nearest = (min(max(x, 0.0), self.width_studs), min(max(y, 0.0), self.height_studs))
        return nearest if self.holds(point_studs) else point_studs

    def overlaps(self, footprint: Polygon) -> bool:
        """Tell whether a footprint covers any of it by more than the tolerance."""
        width, height = self.width_studs, self.height_studs
        return overlap(
            Prism(rectangle(width / 2, height / 2, 0.0, width, height), 0.0, 1.0),
            Prism(footprint, 0.0, 1.0),
        )


@dataclass(frozen=True)
class Vehicle:
    """A vehicle: a rectangle about its centre, its length along the heading.

    Attributes
    ----------
    id
        Its name, unique in a scene.
    x_studs, y_studs
        Its centre.
    heading_deg
        Counter-clockwise from +x.
    length_studs, width_studs
        Of its footprint.
    bottom_plates, top_plates
        Heights; a flyer's bottom is above 0.
    speed
        0 to 12.
    model
        Name of the assembly that it is built as, which tells its mass and its looks; None if it has none.
    """

    id: str
    x_studs: float
    y_studs: float
    heading_deg: float
    length_studs: float
    width_studs: float
    bottom_plates: float = 0.0
    top_plates: float = VEHICLE_TOP_PLATES
    speed: int = 0
    model: str | None = None

    @property
    def centre_studs(self) -> Point:
        """Its centre."""
        return self.x_studs, self.y_studs

    @cached_property
    def heading(self) -> Point:
        """Unit vector of its heading."""
        return unit_vector(self.heading_deg)

    @cached_property
    def prism(self) -> Prism:
        """The space that it fills."""
        footprint = rectangle(
            self.x_studs, self.y_studs, self.heading_deg, self.length_studs, self.width_studs
        )
        return Prism(footprint, self.bottom_plates, self.top_plates)


@dataclass(frozen=True)
class Unit:
    """A figure: the square of one stud, along the axes of the field; its model is that of a minifig if None."""

    id: str
    x_studs: float
    y_studs: float
    bottom_plates: float = 0.0
    top_plates: float = UNIT_TOP_PLATES
    model: str | None = None

    @property
    def centre_studs(self) -> Point:
        """Its centre."""
        return self.x_studs, self.y_studs

    @cached_property
    def prism(self) -> Prism:
        """The space that it fills."""
        footprint = rectangle(self.x_studs, self.y_studs, 0.0, 1.0, 1.0)
        return Prism(footprint, self.bottom_plates, self.top_plates)


@dataclass(frozen=True)
class Decor:
    """A fixed thing over a convex polygon: a wall, a tree, raised ground; a model is only its looks."""

    id: str
    corners_studs: tuple[Point, ...]
    bottom_plates: float = 0.0
    top_plates: float = DECOR_TOP_PLATES
    model: str | None = None

    @cached_property
    def prism(self) -> Prism:
        """The space that it fills."""
        return Prism(convex_polygon(self.corners_studs), self.bottom_plates, self.top_plates)


Thing = Vehicle | Unit | Decor


@dataclass(frozen=True)
class Scene:
    """A field with things, of which one vehicle moves.

    Attributes
    ----------
    field
        Where they stand.
    mover_id
        The vehicle that moves.
    vehicles, units, decor
        Everything on the field.
    scheme
        Where the sectors of a vehicle end.

    Raises
    ------
    InvalidValueError
        With every fault of `problems`.
    """

    field: Field
    mover_id: str
    vehicles: tuple[Vehicle, ...]
    units: tuple[Unit, ...] = ()
    decor: tuple[Decor, ...] = ()
    scheme: Scheme = Scheme.QUADRANT

    def __post_init__(self) -> None:
        faults = self.problems()
        if faults:
            raise InvalidValueError(listed(faults))

    @property
    def mover(self) -> Vehicle:
        """The vehicle that moves."""
        return next(vehicle for vehicle in self.vehicles if vehicle.id == self.mover_id)

    def things(self) -> Iterator[tuple[str, Kind, Thing]]:
        """Yield everything on the field with its place in a scene file, such as ``unit[0]``."""
        for index, unit in enumerate(self.units):
            yield f"unit[{index}]", Kind.UNIT, unit
        for index, decor in enumerate(self.decor):
            yield f"decor[{index}]", Kind.DECOR, decor
        for index, vehicle in enumerate(self.vehicles):
            yield f"vehicle[{index}]", Kind.VEHICLE, vehicle

    def problems(self) -> list[str]:
        """Return every fault of the scene, each with its key path in a scene file (empty: there is none)."""
        from brickphys.vehicles.scene_faults import faults  # loads pydantic
        from brickphys.vehicles.scene_table import tables

        return faults(tables(self))
