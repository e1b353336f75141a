"""The schema of a scene file; loads pydantic, so only the scene file imports it."""

from typing import Annotated

from pydantic import AfterValidator, Field, FiniteFloat

from brickphys.schema import Strict
from brickphys.vehicles.polygon import polygon_problems
from brickphys.vehicles.scene import (
    DECOR_TOP_PLATES,
    MAX_SPEED,
    UNIT_TOP_PLATES,
    VEHICLE_TOP_PLATES,
    Decor,
    Thing,
    Unit,
    Vehicle,
)
from brickphys.vehicles.sectors import Scheme

LARGEST = 10_000.0
"""Studs or plates: beyond, floating point no longer tells the tolerance of contacts apart."""


def _check_polygon(corners: list[list[float]]) -> list[list[float]]:
    faults = polygon_problems([(x, y) for x, y in corners])
    if faults:
        raise ValueError("; ".join(faults))
    return corners


def _check_scheme(name: str) -> str:
    names = [scheme.value for scheme in Scheme]
    if name not in names:
        raise ValueError(f"{name!r} is none of {', '.join(names)}")
    return name


Id = Annotated[str, Field(min_length=1, max_length=100)]
Place = Annotated[FiniteFloat, Field(ge=-LARGEST, le=LARGEST)]
Size = Annotated[FiniteFloat, Field(ge=0.001, le=LARGEST)]
Corner = Annotated[list[Place], Field(min_length=2, max_length=2)]


class FieldDocument(Strict):
    """Its size in studs."""

    width: Size
    height: Size


class MoveDocument(Strict):
    """Who moves, and where sectors end."""

    vehicle: str
    sectors: Annotated[str, AfterValidator(_check_scheme)] = Scheme.QUADRANT.value


class ThingDocument(Strict):
    """Whatever stands on the field."""

    id: Id

    def thing(self) -> Thing:
        """Return the value that this table describes."""
        raise NotImplementedError


class VehicleDocument(ThingDocument):
    """A vehicle: studs, degrees, plates."""

    x: Place
    y: Place
    heading_deg: Annotated[FiniteFloat, Field(ge=-36_000, le=36_000)]
    length: Size
    width: Size
    bottom: Place = 0.0
    top: Place = VEHICLE_TOP_PLATES
    speed: Annotated[int, Field(ge=0, le=MAX_SPEED)] = 0

    def thing(self) -> Vehicle:
        """Return the vehicle."""
        size = (self.length, self.width)
        return Vehicle(
            self.id, self.x, self.y, self.heading_deg, *size, self.bottom, self.top, self.speed
        )


class UnitDocument(ThingDocument):
    """A figure on one stud."""

    x: Place
    y: Place
    bottom: Place = 0.0
    top: Place = UNIT_TOP_PLATES

    def thing(self) -> Unit:
        """Return the unit."""
        return Unit(self.id, self.x, self.y, self.bottom, self.top)


class DecorDocument(ThingDocument):
    """A fixed thing over a convex polygon."""

    polygon: Annotated[list[Corner], AfterValidator(_check_polygon)]
    bottom: Place = 0.0
    top: Place = DECOR_TOP_PLATES

    def thing(self) -> Decor:
        """Return the piece of decor."""
        return Decor(self.id, tuple((x, y) for x, y in self.polygon), self.bottom, self.top)


class SceneDocument(Strict):
    """A whole scene file."""

    field: FieldDocument
    move: MoveDocument
    vehicle: Annotated[list[VehicleDocument], Field(min_length=1)]
    unit: list[UnitDocument] = Field(default_factory=list)
    decor: list[DecorDocument] = Field(default_factory=list)
