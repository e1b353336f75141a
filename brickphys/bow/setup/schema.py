"""The schema of a setup: where a battle begins; loads pydantic, so only `setup` imports it."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, FiniteFloat

from brickphys.bow.field.field import BRICK_PLATES, DECOR_TOP_PLATES
from brickphys.bow.sheets.schema import Name
from brickphys.schema import Strict

MAX_PLAYERS = 6
MAX_STUDS = 500
"""Along a side of the field."""

Whole = Annotated[int, Field(ge=0, le=MAX_STUDS)]
Count = Annotated[int, Field(ge=1, le=1000)]
Height = Annotated[FiniteFloat, Field(ge=-1000, le=1000)]
Place = Annotated[FiniteFloat, Field(ge=0, le=MAX_STUDS)]
Point = tuple[FiniteFloat, FiniteFloat]


def _pairs(value: object) -> object:
    """Let lists stand for tuples: JSON knows no others."""
    if isinstance(value, list):
        return [tuple(entry) if isinstance(entry, list) else entry for entry in value]
    return value


class PlayerDocument(Strict):
    """A player; those of one team win together."""

    name: Name
    team: Annotated[int, Field(ge=0, lt=MAX_PLAYERS)] | None = None


class DecorDocument(Strict):
    """A piece of decor: a polygon, or a block of whole studs `[x, y, width, length]`."""

    id: Name
    kind: Literal["wall", "door", "window", "furniture", "tree"] = "wall"
    polygon: Annotated[list[Point], BeforeValidator(_pairs), Field(max_length=100)] | None = None
    block: Annotated[list[Whole], Field(min_length=4, max_length=4)] | None = None
    bottom: Height = 0.0
    top: Height = DECOR_TOP_PLATES
    locked: bool = False
    color: str = ""


class FieldDocument(Strict):
    """The battle field; `ground` has the heights of all studs in plates, row by row from the south (y = 0)."""

    width: Annotated[int, Field(ge=1, le=MAX_STUDS)]
    length: Annotated[int, Field(ge=1, le=MAX_STUDS)]
    ground: list[list[Height]] = Field(default_factory=list)
    step: Annotated[FiniteFloat, Field(ge=0, le=1000)] = BRICK_PLATES
    decor: list[DecorDocument] = Field(default_factory=list)


class UnitDocument(Strict):
    """A unit: on a stud, or in a seat of a vehicle."""

    id: Name
    sheet: str
    player: str
    x: Whole | None = None
    y: Whole | None = None
    facing: Literal["e", "ne", "n", "nw", "w", "sw", "s", "se"] = "e"
    vehicle: str | None = None
    seat: str | None = None


class VehicleDocument(Strict):
    """A vehicle: its centre in studs, where it points, and how fast it is."""

    id: Name
    sheet: str
    player: str
    x: Place
    y: Place
    heading_deg: Annotated[FiniteFloat, Field(ge=-360, le=360)] = 0.0
    speed: Annotated[int, Field(ge=0, le=12)] = 0


class ObjectDocument(Strict):
    """An object that lies on a stud."""

    item: str
    x: Whole
    y: Whole


class AimDocument(Strict):
    """How a team can win, besides being the last.

    ``reach``: named `units`, or any `count` of the team's, stand in the `area`, which is `[x, y, width, length]`.
    ``carry``: a unit of the team is there with an `item`. ``hold``: only units of the team are there at the end of so
    many `rounds` in a row. ``rounds``: after so many `rounds` whoever has destroyed the most cost points wins.
    """

    kind: Literal["reach", "carry", "hold", "rounds"]
    player: str | None = None
    area: Annotated[list[Whole], Field(min_length=4, max_length=4)] | None = None
    units: list[str] = Field(default_factory=list)
    count: Count = 1
    item: str | None = None
    rounds: Count | None = None


class OptionsDocument(Strict):
    """Choices of rules."""

    symmetric_treatment: bool = False
    dispute: bool = False
    sectors: Literal["quadrant", "corner", "contact"] = "quadrant"


class SetupDocument(Strict):
    """Everything that a battle begins with.

    `open` names doors and windows, `actions` the new actions that are in play (BOW B); `library` is the content of a
    sheet file, over the catalogue.
    """

    players: Annotated[list[PlayerDocument], Field(min_length=2, max_length=MAX_PLAYERS)]
    field: FieldDocument
    units: list[UnitDocument]
    vehicles: list[VehicleDocument] = Field(default_factory=list)
    objects: list[ObjectDocument] = Field(default_factory=list)
    open: list[str] = Field(default_factory=list)
    actions: list[str] = Field(default_factory=list)
    aims: list[AimDocument] = Field(default_factory=list)
    options: OptionsDocument = OptionsDocument()
    library: dict[str, Any] = Field(default_factory=dict)
