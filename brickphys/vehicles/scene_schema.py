"""The schema of a scene: what each key of its tables may hold; loads pydantic: only checks import it."""

from collections.abc import Mapping
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Annotated, Any

from pydantic import AfterValidator, Field, FiniteFloat

from brickphys.errors import unknown
from brickphys.geometry.polygon import polygon_problems
from brickphys.schema import Strict
from brickphys.shapes.assembly_file import assembly, assembly_names
from brickphys.vehicles.scene import (
    DECOR_TOP_PLATES,
    MAX_SPEED,
    UNIT_TOP_PLATES,
    VEHICLE_TOP_PLATES,
    Decor,
    Scene,
    Thing,
    Unit,
    Vehicle,
)
from brickphys.vehicles.scene import Field as FieldSize
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


@lru_cache
def _models(kind: str) -> list[str]:
    return [name for name in assembly_names() if assembly(name).kind == kind]


def _check_id(name: str) -> str:
    if not name.isprintable():
        raise ValueError(f"{name!r} has characters that cannot be printed, such as a line end")
    return name


def _check_model(kind: str, name: str) -> str:
    if name not in _models(kind):
        raise ValueError(str(unknown(f"model of a {kind}", name, _models(kind))))
    return name


Id = Annotated[str, Field(min_length=1, max_length=100), AfterValidator(_check_id)]
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


THINGS: Mapping[str, type[ThingDocument]] = MappingProxyType(
    {"unit": UnitDocument, "decor": DecorDocument, "vehicle": VehicleDocument}
)
"""Tables of things, in the order in which a scene tells them."""


def with_model_sizes(raw: dict[str, Any]) -> dict[str, Any]:
    """Give every vehicle that has a model the sizes of its model, except for those that its table has."""
    vehicles = raw.get("vehicle")
    if not isinstance(vehicles, list):
        return raw
    sized = [_sized(table) if isinstance(table, dict) else table for table in vehicles]
    return {**raw, "vehicle": sized}


def _sized(table: dict[str, Any]) -> dict[str, Any]:
    model = table.get("model")
    if model is None:
        return table
    if model not in _models("vehicle"):  # that is told; that its sizes are missing would be noise
        return {"length": 1.0, "width": 1.0, **table}
    built = assembly(model)
    sizes = {"length": built.length_studs, "width": built.width_studs}
    return {**sizes, "bottom": built.bottom_plates, "top": built.top_plates, **table}


def scene_of(raw: dict[str, Any]) -> Scene:
    """Return the scene in the tables of a file without faults."""
    document = SceneDocument.model_validate(with_model_sizes(raw))
    return Scene(
        FieldSize(document.field.width, document.field.height),
        document.move.vehicle,
        tuple(vehicle.thing() for vehicle in document.vehicle),
        tuple(unit.thing() for unit in document.unit),
        tuple(decor.thing() for decor in document.decor),
        Scheme(document.move.sectors),
    )
