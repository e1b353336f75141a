"""The schema of a scene file: its keys and their types; loads pydantic, so only reading a file imports it."""

import re
from typing import Annotated, Any, Self

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)

from brickphys.errors import InvalidValueError
from brickphys.geometry.rings import ring_of
from brickphys.schema import Strict, faults
from brickphys.shapes.assembly import assembly, assembly_names
from brickphys.text import listed, shown
from brickphys.vehicles.scene import (
    DECOR_TOP_PLATES,
    FIGURE_PLATES,
    VEHICLE_TOP_PLATES,
    Bounds,
    Fixture,
    Piece,
    PivotTurn,
    Scene,
    Straight,
    Unit,
    Vehicle,
)
from brickphys.vehicles.sectors import Scheme, scheme_named

MOST_THINGS = 200_000
"""Vehicles, figures and decor in a scene file."""
Corner = Annotated[list[float], Field(min_length=2, max_length=2)]


class FieldDocument(Strict):
    """The size of the field."""

    width: float
    """Size along x, in studs."""
    height: float
    """Size along y, in studs."""


class PieceDocument(Strict):
    """A piece of a course: a turn, or straight on."""

    turn_deg: float | None = None
    """Turn by this angle in degrees, counter-clockwise."""
    pivot: Corner | None = None
    """Point about which it turns: studs ahead and to the left of the centre, which is used if left out."""
    ahead: float | None = None
    """Move this many studs along the heading."""
    direction_deg: float | None = None
    """Move along this direction instead, in degrees from +x; the heading stays (a drift)."""

    @model_validator(mode="after")
    def _one_motion(self) -> Self:
        if (self.turn_deg is None) == (self.ahead is None):
            raise ValueError("a piece has either turn_deg or ahead")
        if self.ahead is not None and self.pivot is not None:
            raise ValueError("a pivot without turn_deg")
        if self.turn_deg is not None and self.direction_deg is not None:
            raise ValueError("a direction_deg without ahead")
        return self

    def piece(self) -> Piece:
        """Return the piece that this table describes."""
        if self.ahead is not None:
            return Straight(self.ahead, self.direction_deg)
        x, y = self.pivot or (0.0, 0.0)
        return PivotTurn(self.turn_deg or 0.0, (x, y))


class MoveDocument(Strict):
    """Which vehicle moves, what it does, and where sectors end."""

    vehicle: str
    """`id` of the vehicle that moves."""
    piece: Annotated[list[PieceDocument], Field(min_length=1)] | None = None
    """Pieces of a course, one after the other; left out, it moves straight on by 5 studs a point of speed."""
    lashed: list[str] = Field(default_factory=list)
    """`id` of vehicles that move with it as one body."""
    sectors: Annotated[str, AfterValidator(lambda name: scheme_named(name).value)] = (
        Scheme.QUADRANT.value
    )
    """Sector scheme: `quadrant`, `corner` or `contact`."""


def _sized_by_model(schema: dict[str, Any]) -> None:
    """Say in a JSON schema that a model gives the sizes that are left out."""
    schema["required"] = [key for key in schema["required"] if key not in ("length", "width")]
    schema["anyOf"] = [{"required": ["model"]}, {"required": ["length", "width"]}]


class SceneVehicleDocument(Strict):
    """A vehicle: studs, degrees, plates."""

    model_config = ConfigDict(json_schema_extra=_sized_by_model)

    # its keys are the fields of `Vehicle`, in their order
    id: str
    """Its name."""
    x: float
    """Centre, in studs."""
    y: float
    """Centre, in studs."""
    heading_deg: float
    """Its heading, in degrees counter-clockwise from +x."""
    length: float
    """Length in studs; needed without a model, which has one."""
    width: float
    """Width in studs; needed without a model, which has one."""
    bottom: float = 0.0
    """Height of its underside, in plates."""
    top: float = VEHICLE_TOP_PLATES
    """Height of its top, in plates."""
    speed: int = 0
    """Points of speed, 0 to 12."""
    model: str | None = None
    """Built model, which gives its size and its body in a crash."""

    @model_validator(mode="before")
    @classmethod
    def _sized(cls, table: Any) -> Any:
        """Take the sizes that the table does not give from its model; those of an unknown one do not matter."""
        model = table.get("model") if isinstance(table, dict) else None
        if model is None:
            return table
        if model not in assembly_names():
            return {"length": 1.0, "width": 1.0, **table}
        built = assembly(model)
        sizes = {"length": built.length_studs, "width": built.width_studs}
        return {**sizes, "bottom": built.bottom_plates, "top": built.top_plates, **table}


class UnitDocument(Strict):
    """A figure on one stud."""

    # its keys are the fields of `Unit`, in their order
    id: str
    """Its name."""
    x: float
    """Centre of its stud, in studs."""
    y: float
    """Centre of its stud, in studs."""
    bottom: float = 0.0
    """Height of its feet, in plates."""
    top: float = FIGURE_PLATES
    """Height of its top, in plates."""
    model: str | None = None
    """Built model, for crashes."""


def _ring(value: Any) -> Any:
    """Return the corners of a polygon that is WKT."""
    return [list(corner) for corner in ring_of(value)] if isinstance(value, str) else value


class FixtureDocument(Strict):
    """A fixed thing over a convex polygon."""

    id: str
    """Its name."""
    polygon: Annotated[list[Corner], BeforeValidator(_ring)]
    """Corners of its convex outline, in studs, either way round; or a POLYGON of WKT as a text."""
    bottom: float = 0.0
    """Height of its underside, in plates."""
    top: float = DECOR_TOP_PLATES
    """Height of its top, in plates."""
    model: str | None = None
    """Built model, for crashes."""


class SceneDocument(Strict):
    """A whole scene file."""

    field: FieldDocument
    """The field."""
    move: MoveDocument
    """The move."""
    vehicle: list[SceneVehicleDocument]
    """Vehicles, the mover among them."""
    unit: list[UnitDocument] = Field(default_factory=list)
    """Figures on foot."""
    decor: list[FixtureDocument] = Field(default_factory=list)
    """Walls and other fixed things."""

    def scene(self) -> Scene:
        """Return the scene that these tables describe."""
        return Scene(
            Bounds(self.field.width, self.field.height),
            self.move.vehicle,
            tuple(Vehicle(*dict(vehicle).values()) for vehicle in self.vehicle),
            tuple(Unit(*dict(unit).values()) for unit in self.unit),
            tuple(
                Fixture(d.id, tuple((x, y) for x, y in d.polygon), d.bottom, d.top, d.model)
                for d in self.decor
            ),
            Scheme(self.move.sectors),
            tuple(piece.piece() for piece in self.move.piece or ()),
            tuple(self.move.lashed),
        )


def scene_of(raw: dict[str, Any]) -> Scene:
    """Return the scene in the tables of a file.

    Raises
    ------
    InvalidValueError
        If it has too many things; with every fault of form as ``key.path: what``; if there is none, with every fault of
        meaning (see `Scene`).
    """
    lists = (raw.get(key) for key in ("vehicle", "unit", "decor"))
    if (count := sum(len(things) for things in lists if isinstance(things, list))) > MOST_THINGS:
        raise InvalidValueError(
            f"{count:,} things, more than {MOST_THINGS:,}; leave out what the move cannot reach"
        )
    try:
        document = SceneDocument.model_validate(raw)
    except ValidationError as error:
        found = [_with_id(fault, raw) for fault in faults(error, SceneDocument)]
    else:
        return document.scene()
    raise InvalidValueError(listed(found))


def _with_id(fault: str, raw: dict[str, Any]) -> str:
    """Add the id of the thing that a fault is of, if it has one."""
    place = re.match(r"(\w+)\[(\d+)\]", fault)
    entry = raw[place[1]][int(place[2])] if place else None
    name = entry.get("id") if isinstance(entry, dict) else None
    return f"{fault} (id {shown(name)})" if isinstance(name, str) else fault
