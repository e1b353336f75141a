"""The form of a setup: where a battle begins; loads pydantic."""

from typing import Annotated, Generic, Literal, TypeVar

from pydantic import BeforeValidator, Field, FiniteFloat

from brickphys.bow.field.field import BRICK_PLATES, DECOR_TOP_PLATES
from brickphys.bow.sheets.sheet_schema import LibraryDocument
from brickphys.rules.aims.aims_schema import AimDocument
from brickphys.rules.setup.setup_schema import Heading, Players, RuleOptionsDocument
from brickphys.schema import Name, Strict

MAX_STUDS = 500
"""Along a side of the field."""

Whole = Annotated[int, Field(ge=0, le=MAX_STUDS)]
SideLength = Annotated[int, Field(ge=1, le=MAX_STUDS)]
Height = Annotated[FiniteFloat, Field(ge=-1000, le=1000)]
Coordinate = Annotated[FiniteFloat, Field(ge=0, le=MAX_STUDS)]
Speed = Annotated[int, Field(ge=0, le=12)]
"""Of the studs of the speed row on a vehicle's sheet (BOW 3.2)."""
Facing = Literal["e", "ne", "n", "nw", "w", "sw", "s", "se"]
DecorName = Literal["wall", "door", "window", "furniture", "tree"]
Area = Annotated[list[Whole], Field(min_length=4, max_length=4)]
"""``[x, y, width, length]``."""
Corner = tuple[FiniteFloat, FiniteFloat]


def _pairs(value: object) -> object:
    """Let lists stand for tuples: JSON knows no others."""
    if isinstance(value, list):
        return [tuple(entry) if isinstance(entry, list) else entry for entry in value]
    return value


class DecorDocument(Strict):
    """A piece of decor: a polygon or a block."""

    id: Name
    """Its name."""
    kind: DecorName = "wall"
    """What it is."""
    polygon: Annotated[list[Corner], BeforeValidator(_pairs), Field(max_length=100)] | None = None
    """Corners of its convex outline, in studs."""
    block: Area | None = None
    """In place of the polygon: x, y, width and length, in whole studs."""
    bottom: Height = 0.0
    """Height of its underside, in plates."""
    top: Height = DECOR_TOP_PLATES
    """Height of its top, in plates."""
    locked: bool = False
    """Whether a door or window is locked."""
    color: str = ""
    """Its colour, which tells doors and keys apart."""


class WrittenField(Strict):
    """The battle field, of which a map may show the size and the ground."""

    width: SideLength | None = None
    """Size along x, in studs; from the map if there is one."""
    length: SideLength | None = None
    """Size along y, in studs; from the map if there is one."""
    ground: list[list[Height]] = Field(default_factory=list)
    """Heights of all studs in plates, row by row from the south (y = 0)."""
    step: Annotated[FiniteFloat, Field(ge=0, le=1000)] = BRICK_PLATES
    """The highest step that a unit can walk, in plates."""
    decor: list[DecorDocument] = Field(default_factory=list)
    """Walls, doors, windows, furniture and trees."""


class SetupField(WrittenField):
    """The battle field."""

    width: SideLength
    length: SideLength


class SetupUnit(Strict):
    """A unit: on a stud, or in a seat of a vehicle."""

    id: Name
    """Its name."""
    sheet: str
    """Its description sheet."""
    player: str
    """Its player."""
    x: Whole | None = None
    """Its stud, from the west."""
    y: Whole | None = None
    """Its stud, from the south."""
    facing: Facing = "e"
    """Direction that it faces."""
    vehicle: str | None = None
    """In place of a stud: the vehicle in which it sits."""
    seat: str | None = None
    """The seat there."""


class SetupVehicle(Strict):
    """A vehicle: its centre in studs, where it points, and how fast it is."""

    id: Name
    """Its name."""
    sheet: str
    """Its description sheet."""
    player: str
    """Its player."""
    x: Coordinate
    """Its centre, in studs."""
    y: Coordinate
    """Its centre, in studs."""
    heading_deg: Heading = 0.0
    """Its heading, in degrees counter-clockwise from the east."""
    speed: Speed = 0
    """Its speed."""


class ObjectDocument(Strict):
    """An object on a stud."""

    item: str
    """What it is."""
    x: Whole
    """Its stud, from the west."""
    y: Whole
    """Its stud, from the south."""


class WrittenAim(AimDocument):
    """An aim, whose area may be named on a map."""

    area: Area | str | None = Field(
        None, description="the name of an area, or [x, y, width, length] in whole studs"
    )
    """The area, for `reach`, `carry` and `hold`."""


class SetupAim(WrittenAim):
    """An aim; after a limit of rounds, the points of a team are the cost points that it has destroyed."""

    area: Area | None = None
    """Where: x, y, width and length, in whole studs."""


class OptionsDocument(RuleOptionsDocument):
    """Options of the rules."""

    symmetric_treatment: bool = False
    """Whether treat and repair remove the difference of the rolls, in place of 1 point (BOW 2.4.4)."""
    dispute: bool = False
    """Whether players may dispute what is visible, with 5 bricks each (BOW 2.4.2)."""
    move_per_pilot: bool = False
    """Whether each pilot who takes the wheel makes a compulsory move (BOW 3.3)."""
    sectors: Literal["quadrant", "corner", "contact"] = "quadrant"
    """Sector scheme of vehicles (BOW 3.6.3)."""
    turning: Literal["free", "swept"] = "free"
    """Whether a turn needs room at its end only, or all the way (BOW 3.3)."""
    crashes: Literal["rules", "physics"] = "rules"
    """Whether the rules or rigid bodies say where everything lies after a crash (BOW 3.6)."""


V = TypeVar("V", bound=SetupVehicle)
A = TypeVar("A", bound=WrittenAim)


class BattleTables(Strict, Generic[V, A]):
    """The tables with which a battle begins, as a person may write them beside a map."""

    players: Players
    """The players, in the order of their turns."""
    limit_points: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    """Cost points that the army of each player may have at most (BOW 1.4.3, A.4)."""
    field: WrittenField = WrittenField()
    """The battle field."""
    units: list[SetupUnit] = Field(default_factory=list)
    """Units, besides those on the map."""
    vehicles: list[V] = Field(default_factory=list)
    """Vehicles, besides those on the map."""
    objects: list[ObjectDocument] = Field(default_factory=list)
    """Objects, besides those on the map."""
    open: list[str] = Field(default_factory=list)
    """Doors and windows that are open."""
    actions: list[str] = Field(default_factory=list)
    """New actions that are in play (BOW B)."""
    aims: list[A] = Field(default_factory=list)
    """How to win, besides being the last."""
    options: OptionsDocument = OptionsDocument()
    """Options of the rules."""
    library: LibraryDocument = LibraryDocument()
    """Sheets, gear and actions of its own, as in a sheet file; the catalogue is their base."""


class SetupDocument(BattleTables[SetupVehicle, SetupAim]):
    """A setup: the tables with a whole field, and areas in numbers."""

    field: SetupField
