"""The schema of a scene file; loads pydantic, so only the scene file imports it."""

from functools import partial
from typing import Annotated, Any

from pydantic import AfterValidator, Field, FiniteFloat, model_validator

from brickphys.errors import unknown
from brickphys.schema import Strict
from brickphys.shapes.assembly_file import assembly, assembly_names
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


def _models(kind: str) -> list[str]:
    return [name for name in assembly_names() if assembly(name).kind == kind]


def _check_model(kind: str, name: str) -> str:
    if name not in _models(kind):
        raise ValueError(str(unknown(f"model of a {kind}", name, _models(kind))))
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
    model: Annotated[str, AfterValidator(partial(_check_model, "vehicle"))] | None = None

    @model_validator(mode="before")
    @classmethod
    def _take_sizes_from_model(cls, raw: Any) -> Any:
        """Give a vehicle the sizes of its model, except for those that the table has."""
        model = raw.get("model") if isinstance(raw, dict) else None
        if model not in _models("vehicle"):
            return raw
        built = assembly(model)
        sizes = {"length": built.length_studs, "width": built.width_studs}
        return {**sizes, "bottom": built.bottom_plates, "top": built.top_plates, **raw}

    def thing(self) -> Vehicle:
        """Return the vehicle."""
        size = (self.length, self.width)
        heights = (self.bottom, self.top)
        return Vehicle(
            self.id, self.x, self.y, self.heading_deg, *size, *heights, self.speed, self.model
        )


class UnitDocument(ThingDocument):
    """A figure on one stud."""

    x: Place
    y: Place
    bottom: Place = 0.0
    top: Place = UNIT_TOP_PLATES
    model: Annotated[str, AfterValidator(partial(_check_model, "figure"))] | None = None

    def thing(self) -> Unit:
        """Return the unit."""
        return Unit(self.id, self.x, self.y, self.bottom, self.top, self.model)


class DecorDocument(ThingDocument):
    """A fixed thing over a convex polygon."""

    polygon: Annotated[list[Corner], AfterValidator(_check_polygon)]
    bottom: Place = 0.0
    top: Place = DECOR_TOP_PLATES
    model: Annotated[str, AfterValidator(partial(_check_model, "decor"))] | None = None

    def thing(self) -> Decor:
        """Return the piece of decor."""
        corners = tuple((x, y) for x, y in self.polygon)
        return Decor(self.id, corners, self.bottom, self.top, self.model)


class SceneDocument(Strict):
    """A whole scene file."""

    field: FieldDocument
    move: MoveDocument
    vehicle: Annotated[list[VehicleDocument], Field(min_length=1)]
    unit: list[UnitDocument] = Field(default_factory=list)
    decor: list[DecorDocument] = Field(default_factory=list)
