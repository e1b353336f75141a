"""The schema of a scene file: its keys and their types; loads pydantic, so only reading a file imports it."""

import re
from collections.abc import Sequence
from typing import Annotated, Any, Self

import numpy as np
from pydantic import (
    AfterValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)

from brickphys.errors import InvalidValueError
from brickphys.geometry.polygon import Point
from brickphys.geometry.rings import polygons_of
from brickphys.geometry.shape import Part, outline_table, parts_of
from brickphys.schema import NumberOrText, Strict, faults
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
    TimedPiece,
    Unit,
    Vehicle,
    covariance_of,
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
        self._check_motion()
        return self

    def _check_motion(self) -> None:
        if (self.turn_deg is None) == (self.ahead is None):
            raise ValueError("a piece has either turn_deg or ahead")
        if self.ahead is not None and self.pivot is not None:
            raise ValueError("a pivot without turn_deg")
        if self.turn_deg is not None and self.direction_deg is not None:
            raise ValueError("a direction_deg without ahead")

    def piece(self) -> Piece:
        """Return the piece that this table describes."""
        if self.ahead is not None:
            return Straight(self.ahead, self.direction_deg)
        x, y = self.pivot or (0.0, 0.0)
        return PivotTurn(self.turn_deg or 0.0, (x, y))


_SPEEDS = ("speed_studs_s", "speed_deg_s", "acceleration_studs_s2", "acceleration_deg_s2")


class TrajectoryDocument(PieceDocument):
    """A piece of a trajectory: a turn or straight on, with a speed; or waiting."""

    speed_studs_s: float | None = None
    """Speed at the beginning of a straight piece, in studs/s."""
    acceleration_studs_s2: float | None = None
    """Its constant acceleration, in studs/s2; 0 if left out."""
    speed_deg_s: float | None = None
    """Speed at the beginning of a turn, in degrees/s."""
    acceleration_deg_s2: float | None = None
    """Its constant acceleration, in degrees/s2; 0 if left out."""
    wait_s: float | None = None
    """Stand still for so many seconds instead."""

    def _check_motion(self) -> None:
        given = [name for name in _SPEEDS if getattr(self, name) is not None]
        if self.wait_s is not None:
            if given or self.turn_deg is not None or self.ahead is not None:
                raise ValueError("a piece that waits does nothing else")
            return
        super()._check_motion()
        wanted, odd = ("studs_s", "deg_s") if self.turn_deg is None else ("deg_s", "studs_s")
        if f"speed_{wanted}" not in given:
            raise ValueError(f"speed_{wanted} is missing")
        if wrong := [name for name in given if odd in name]:
            raise ValueError(f"{wrong[0]} is not for such a piece")

    def timed(self) -> TimedPiece:
        """Return the piece that this table describes."""
        if self.wait_s is not None:
            return TimedPiece(None, wait_s=self.wait_s)
        speed = self.speed_studs_s if self.turn_deg is None else self.speed_deg_s
        grows = self.acceleration_studs_s2 if self.turn_deg is None else self.acceleration_deg_s2
        return TimedPiece(self.piece(), speed or 0.0, grows or 0.0)


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


def with_rings(table: Any) -> Any:
    """Return a table of an outline with the corners of a polygon that is WKT; several polygons become its parts."""
    text = table.get("polygon") if isinstance(table, dict) else None
    if not isinstance(text, str):
        return table
    try:
        return {**table, "polygon": None, **outline_table(polygons_of(text))}
    except InvalidValueError as error:
        raise ValueError(f"polygon: {error}") from None


def _with_one(table: Any) -> Any:
    found = with_rings(table)
    if found is not table and "part" in found:
        raise ValueError("polygon: a part is one POLYGON: give several as parts")
    return found


class OutlineDocument(Strict):
    """An outline: a polygon, a circle or a capsule, in studs."""

    polygon: list[Corner] | None = None
    """Corners, either way round; or a POLYGON of WKT as a text, of decor a MULTIPOLYGON, too."""
    holes: list[list[Corner]] | None = None
    """Corners of holes in the polygon."""
    circle: Corner | None = None
    """Centre of a circle."""
    capsule: list[Corner] | None = None
    """Two ends of a line; it is all within a radius of that."""
    radius: float | None = None
    """Of the circle or the capsule."""

    def parts(self) -> tuple[Part, ...]:
        """Return the parts that this table describes."""
        keys = ("polygon", "holes", "circle", "capsule", "radius", "name")
        found = {key: getattr(self, key, None) for key in keys}
        return parts_of({key: one for key, one in found.items() if one not in (None, "")})


class PartDocument(OutlineDocument):
    """A part of an outline."""

    name: str = ""
    """Its name, which hits tell."""

    _rings = model_validator(mode="before")(_with_one)

    @model_validator(mode="after")
    def _has_an_outline(self) -> Self:
        self.parts()
        return self


def parts_in(documents: Sequence[PartDocument]) -> tuple[Part, ...]:
    """Return the parts that tables describe."""
    return tuple(part for document in documents for part in document.parts())


def _sized_by_model(schema: dict[str, Any]) -> None:
    """Say in a JSON schema that a model or parts give the sizes that are left out."""
    schema["required"] = [key for key in schema["required"] if key not in ("length", "width")]
    sources = (["model"], ["part"], ["ldraw"], ["length", "width"])
    schema["anyOf"] = [{"required": keys} for keys in sources]


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
    length: float | None
    """Length in studs; needed without a model or parts, which have one."""
    width: float | None
    """Width in studs; needed without a model or parts, which have one."""
    bottom: float = 0.0
    """Height of its underside, in plates."""
    top: float = VEHICLE_TOP_PLATES
    """Height of its top, in plates."""
    speed: int = 0
    """Points of speed, 0 to 12."""
    model: str | None = None
    """Built model, which gives its size and its body in a crash."""
    part: Annotated[list[PartDocument], Field(min_length=1)] | None = None
    """Parts of its outline, instead of the rectangle: studs ahead and to the left of its centre."""
    trajectory: Annotated[list[TrajectoryDocument], Field(min_length=1)] | None = None
    """What it does in time, piece after piece, for encounters of vehicles that both move."""
    ldraw: str | None = None
    """File of LDraw, relative to the scene file, that gives its size and its outline."""

    @model_validator(mode="before")
    @classmethod
    def _sized(cls, table: Any) -> Any:
        """Take the sizes that the table does not give from its model; those of an unknown one do not matter."""
        if isinstance(table, dict) and isinstance(table.get("ldraw"), str):
            raise ValueError("ldraw: only a scene file names files")  # there it is read before
        model = table.get("model") if isinstance(table, dict) else None
        if model is None:
            is_shaped = isinstance(table, dict) and table.get("part")
            return {"length": None, "width": None, **table} if is_shaped else table
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


class FixtureDocument(OutlineDocument):
    """A fixed thing over an outline of any form: `polygon`, `circle`, `capsule` or `part`."""

    model_config = ConfigDict(
        json_schema_extra={
            "anyOf": [{"required": [key]} for key in ("polygon", "circle", "capsule", "part")]
        }
    )

    id: str
    """Its name."""
    part: Annotated[list[PartDocument], Field(min_length=1)] | None = None
    """Parts of its outline, instead of one; they may overlap."""
    bottom: float = 0.0
    """Height of its underside, in plates."""
    top: float = DECOR_TOP_PLATES
    """Height of its top, in plates."""
    model: str | None = None
    """Built model, for crashes."""

    _rings = model_validator(mode="before")(with_rings)

    @model_validator(mode="after")
    def _has_an_outline(self) -> Self:
        if self.part and (self.polygon or self.circle or self.capsule or self.holes):
            raise ValueError("give one of polygon, circle, capsule and part")
        if not (self.part or self._is_ring):
            self.parts()
        return self

    @property
    def _is_ring(self) -> bool:
        """Whether it is a polygon without holes, as nearly all are."""
        more = (self.holes, self.circle, self.capsule, self.radius, self.part)
        return self.polygon is not None and more == (None,) * len(more)

    def fixture(self) -> Fixture:
        """Return the thing that this table describes."""
        heights = self.bottom, self.top, self.model
        if self._is_ring:
            corners: tuple[Point, ...] = tuple((x, y) for x, y in self.polygon or ())
            return Fixture(self.id, corners, *heights)
        parts = parts_in(self.part) if self.part else self.parts()
        if len(parts) == 1 and len(parts[0].rings) == 1 and not parts[0].name:
            return Fixture(self.id, parts[0].rings[0], *heights)
        return Fixture(self.id, (), *heights, parts)


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
    doubt: dict[str, Annotated[Any, AfterValidator(covariance_of)]] = Field(default_factory=dict)
    """`id` of a thing whose pose is in doubt -> standard deviations of x, y (studs) and heading (degrees), or the 3 x 3
    covariance of these."""
    id: NumberOrText = ""
    """Name of the scene in a file of many, a scene a line; else it changes nothing."""

    def scene(self) -> Scene:
        """Return the scene that these tables describe."""
        return Scene(
            Bounds(self.field.width, self.field.height),
            self.move.vehicle,
            tuple(_vehicle(vehicle) for vehicle in self.vehicle),
            tuple(Unit(*dict(unit).values()) for unit in self.unit),
            tuple(document.fixture() for document in self.decor),
            Scheme(self.move.sectors),
            tuple(piece.piece() for piece in self.move.piece or ()),
            tuple(self.move.lashed),
            tuple(self.doubt.items()),
        )


def _vehicle(document: SceneVehicleDocument) -> Vehicle:
    """Return the vehicle of a table; parts are as long and as wide as they reach."""
    trajectory = tuple(piece.timed() for piece in document.trajectory or ())
    values = {
        **dict(document), "part": parts_in(document.part or ()), "trajectory": trajectory
    }  # fmt: skip
    del values["ldraw"]
    reach = np.array([corner for part in values["part"] for corner in part.box_studs])
    for axis, name in enumerate(("length", "width")):
        if values[name] is None:
            values[name] = float(np.ptp(reach[:, axis])) if len(reach) else 0.0
    return Vehicle(*values.values())


def scene_of(raw: dict[str, Any]) -> Scene:
    """Return the scene in the tables of a file.

    InvalidValueError if it has too many things; with every fault of form as ``key.path: what``; if there is none, with
    every fault of meaning (see `Scene`).
    """
    if "hits" in raw and "field" not in raw:
        raise InvalidValueError("this looks like an answer, not a scene")
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
