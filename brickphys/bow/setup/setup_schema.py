"""The form of a setup: where a battle begins; loads pydantic."""

from typing import Annotated, Generic, Literal, TypeVar

from pydantic import BeforeValidator, Field, FiniteFloat

from brickphys.bow.field.field import BRICK_PLATES, DECOR_TOP_PLATES
from brickphys.bow.sheets.sheet_schema import LibraryDocument
from brickphys.bow.sheets.vehicle_sheet import MAX_SPEED
from brickphys.rules.aims.aims_schema import AimDocument
from brickphys.rules.setup.setup_schema import Heading, Players
from brickphys.schema import Name, Strict

MAX_STUDS = 500
"""Along a side of the field."""

Whole = Annotated[int, Field(ge=0, le=MAX_STUDS)]
SideLength = Annotated[int, Field(ge=1, le=MAX_STUDS)]
Height = Annotated[FiniteFloat, Field(ge=-1000, le=1000)]
Coordinate = Annotated[FiniteFloat, Field(ge=0, le=MAX_STUDS)]
Speed = Annotated[int, Field(ge=0, le=MAX_SPEED)]
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
    """A piece of decor: a polygon, or a block of whole studs `[x, y, width, length]`."""

    id: Name
    kind: DecorName = "wall"
    polygon: Annotated[list[Corner], BeforeValidator(_pairs), Field(max_length=100)] | None = None
    block: Area | None = None
    bottom: Height = 0.0
    top: Height = DECOR_TOP_PLATES
    locked: bool = False
    color: str = ""


class WrittenField(Strict):
    """The battle field, of which a map may show the size and the ground.

    `ground` has the heights of all studs in plates, row by row from the south (y = 0).
    """

    width: SideLength | None = None
    length: SideLength | None = None
    ground: list[list[Height]] = Field(default_factory=list)
    step: Annotated[FiniteFloat, Field(ge=0, le=1000)] = BRICK_PLATES
    decor: list[DecorDocument] = Field(default_factory=list)


class SetupField(WrittenField):
    """The battle field."""

    width: SideLength
    length: SideLength


class SetupUnit(Strict):
    """A unit: on a stud, or in a seat of a vehicle."""

    id: Name
    sheet: str
    player: str
    x: Whole | None = None
    y: Whole | None = None
    facing: Facing = "e"
    vehicle: str | None = None
    seat: str | None = None


class SetupVehicle(Strict):
    """A vehicle: its centre in studs, where it points, and how fast it is."""

    id: Name
    sheet: str
    player: str
    x: Coordinate
    y: Coordinate
    heading_deg: Heading = 0.0
    speed: Speed = 0


class ObjectDocument(Strict):
    """An object on a stud."""

    item: str
    x: Whole
    y: Whole


class WrittenAim(AimDocument):
    """An aim, whose area may be named on a map."""

    area: Area | str | None = Field(
        None, description="the name of an area, or [x, y, width, length] in whole studs"
    )


class SetupAim(WrittenAim):
    """An aim; after a limit of rounds, the points of a team are the cost points that it has destroyed."""

    area: Area | None = None


class OptionsDocument(Strict):
    """Choices of rules."""

    symmetric_treatment: bool = False
    dispute: bool = False
    move_per_pilot: bool = False
    sectors: Literal["quadrant", "corner", "contact"] = "quadrant"
    turning: Literal["free", "swept"] = "free"
    crashes: Literal["rules", "physics"] = "rules"


V = TypeVar("V", bound=SetupVehicle)
A = TypeVar("A", bound=WrittenAim)


class BattleTables(Strict, Generic[V, A]):
    """The tables with which a battle begins, as a person may write them beside a map.

    `limit_points` is the most that the army of each player may cost (BOW 1.4.3, A.4). `open` names doors and windows,
    `actions` the new actions that are in play (BOW B); `library` is the content of a sheet file, with the catalogue as
    its base.
    """

    players: Players
    limit_points: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    field: WrittenField = WrittenField()
    units: list[SetupUnit] = Field(default_factory=list)
    vehicles: list[V] = Field(default_factory=list)
    objects: list[ObjectDocument] = Field(default_factory=list)
    open: list[str] = Field(default_factory=list)
    actions: list[str] = Field(default_factory=list)
    aims: list[A] = Field(default_factory=list)
    options: OptionsDocument = OptionsDocument()
    library: LibraryDocument = LibraryDocument()


class SetupDocument(BattleTables[SetupVehicle, SetupAim]):
    """A setup: the tables with a whole field, and areas in numbers."""

    field: SetupField
