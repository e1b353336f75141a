"""Documents: the form of a setup, of a scenario file and of random armies; loads pydantic.

A scenario file is a setup that is easy to write by hand. The signs of its map become parts of the setup.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, Generic, Literal, TypeVar

from pydantic import BeforeValidator, Field, FiniteFloat, model_validator

from brickphys.bow.field import BRICK_PLATES, DECOR_TOP_PLATES
from brickphys.bow.sheets.documents import LibraryDocument
from brickphys.rules import schema
from brickphys.rules.scenario_file import Drawing, DrawnThing, ListEntry, Lists, ScenarioFormat
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
    heading_deg: schema.Heading = 0.0
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


class WrittenAim(schema.AimDocument):
    """An aim, whose area may be named on a map."""

    area: Area | str | None = Field(
        None, description="the name of an area, or [x, y, width, length] in whole studs"
    )
    """The area, for `reach`, `carry` and `hold`."""


class SetupAim(WrittenAim):
    """An aim; after a limit of rounds, the points of a team are the cost points that it has destroyed."""

    area: Area | None = None
    """Where: x, y, width and length, in whole studs."""


class OptionsDocument(schema.RuleOptionsDocument):
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
    bricks_by_energy: bool = False
    """House rule: fewer bricks than the speed in a crash that is no square hit, as rigid bodies tell (BOW 3.6.2)."""


V = TypeVar("V", bound=SetupVehicle)
A = TypeVar("A", bound=WrittenAim)


class BattleTables(Strict, Generic[V, A]):
    """The tables with which a battle begins, as a person may write them beside a map."""

    players: schema.Players
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


Crew = dict[str, str]
"""Sheets by seat."""


class BattleSign(schema.SignDocument):
    """What a sign stands for: the height of the ground in bricks, and at most one thing on it.

    Heights of decor are plates over its ground.
    """

    things: ClassVar[Mapping[str, schema.DrawnKind]] = {
        "decor": schema.DrawnKind(
            schema.Shape.BLOCKS, frozenset({"id", "bottom", "top", "locked", "open", "color"})
        ),
        "unit": schema.DrawnKind(schema.Shape.SQUARE, frozenset({"id", "player", "facing"})),
        "vehicle": schema.DrawnKind(
            schema.Shape.RECTANGLE, frozenset({"id", "player", "heading_deg", "speed", "crew"})
        ),
        "item": schema.DrawnKind(schema.Shape.SQUARE, frozenset()),
    }
    ground_keys: ClassVar[frozenset[str]] = frozenset({"ground", "area"})

    ground: Annotated[int, Field(ge=-100, le=100)] = 0
    """Height of the ground, in bricks."""
    decor: DecorName | None = None
    """A piece of decor of this kind."""
    unit: str | None = None
    """A unit with this sheet."""
    vehicle: str | None = None
    """A vehicle with this sheet; draw its whole block."""
    item: str | None = None
    """An object."""
    bottom: Height | None = None
    """Height of the underside of decor above the ground, in plates."""
    top: Height | None = None
    """Height of the top of decor above the ground, in plates."""
    locked: bool = False
    """Whether a door or window is locked."""
    open: bool = False
    """Whether a door or window is open."""
    color: str = ""
    """Colour of decor."""
    player: str | None = None
    """Player of the unit or vehicle."""
    facing: Facing = "e"
    """Direction that the unit faces."""
    heading_deg: schema.Heading = 0.0
    """Heading of the vehicle, in degrees counter-clockwise from the east."""
    speed: Speed = 0
    """Speed of the vehicle."""
    crew: Crew = Field(default_factory=dict)
    """Crew of a vehicle: seat → sheet of the unit in it."""

    @property
    def name(self) -> str:
        """Its id; else of a unit the player and the sheet, of other things what they are."""
        return f"{self.player}_{self.unit}" if self.unit and not self.id else super().name

    @model_validator(mode="after")
    def _fits(self) -> "BattleSign":
        if self.thing in ("unit", "vehicle") and self.player is None:
            raise ValueError("player: missing")
        if (self.locked or self.open) and self.decor not in ("door", "window"):
            raise ValueError("only doors and windows can be locked or open")
        return self


class CrewedVehicle(SetupVehicle):
    """A vehicle with the units that begin in it."""

    crew: Crew = Field(default_factory=dict)
    """Seat → sheet of the unit in it."""


class BattleScenarioDocument(
    BattleTables[CrewedVehicle, WrittenAim], schema.ScenarioDocument[BattleSign]
):
    """A scenario file: title, text, a drawing, and the tables of a battle; written entries come after drawn ones."""


LOW_WALL_PLATES = 6.0
SILL_PLATES = 6.0
"""Height at which a window begins; below it is a wall."""
_TOPS_PLATES = {"furniture": 3.0, "tree": 30.0}
"""Height of decor by kind, if the legend gives none; all other kinds have `DECOR_TOP_PLATES`."""

USUAL: Mapping[str, BattleSign] = {
    ".": BattleSign(),
    "~": BattleSign(ground=-2),
    **{str(bricks): BattleSign(ground=bricks) for bricks in range(1, 10)},
    "#": BattleSign(decor="wall"),
    "-": BattleSign(decor="wall", id="low_wall", top=LOW_WALL_PLATES, color="tan"),
    "+": BattleSign(decor="door"),
    "'": BattleSign(decor="door", open=True),
    "=": BattleSign(decor="window"),
    '"': BattleSign(decor="window", open=True),
    "&": BattleSign(decor="furniture"),
    "T": BattleSign(decor="tree"),
}
"""Signs that need no legend; `text_map` writes the same."""

Entry = tuple[str, dict[str, Any] | str]
"""The key path of a list of the setup, and an entry of it."""


class BattleFormat(ScenarioFormat[BattleSign]):
    """A square of the map is a stud."""

    document = BattleScenarioDocument
    usual = USUAL
    drawn_keys = ("field.width", "field.length", "field.ground")
    inner_lists = ("field.decor",)

    def tables(self, drawing: Drawing[BattleSign]) -> Mapping[str, Mapping[str, Any]]:
        """Return the size of the field, and the height of its ground if it is not flat."""
        bricks = [[sign.ground for sign in row] for row in drawing.rows]
        ground = [[BRICK_PLATES * height for height in row] for row in bricks]
        size = {"width": len(ground[0]), "length": len(ground), "decor": []}
        return {"field": {**size, "ground": ground} if any(map(any, bricks)) else size}

    def entries(self, thing: DrawnThing[BattleSign]) -> Iterator[Entry]:
        """Yield a unit, vehicle or object, or the parts of a piece of decor."""
        sign, rectangle = thing.sign, thing.rectangle
        if sign.decor:
            yield from _decor(thing, sign.decor)
        elif sign.unit:
            unit = {"id": thing.name, "sheet": sign.unit, "player": sign.player}
            yield "units", {**unit, "x": rectangle.x, "y": rectangle.y, "facing": sign.facing}
        elif sign.vehicle:
            vehicle = {"id": thing.name, "sheet": sign.vehicle, "player": sign.player}
            centre = {
                "x": rectangle.x + rectangle.width / 2,
                "y": rectangle.y + rectangle.length / 2,
            }
            motion = {"heading_deg": sign.heading_deg, "speed": sign.speed}
            yield "vehicles", {**vehicle, **centre, **motion, "crew": sign.crew}
        else:
            yield "objects", {"item": sign.item, "x": rectangle.x, "y": rectangle.y}

    def complete(self, lists: Lists) -> Lists:
        """Return the lists with the crews of vehicles as units in seats, named after the vehicle and the seat."""
        vehicles = lists.get("vehicles", [])
        crews = [unit for vehicle in vehicles for unit in _crew(vehicle)]
        alone = [
            vehicle._replace(entry={k: v for k, v in vehicle.entry.items() if k != "crew"})
            for vehicle in vehicles
        ]
        return {**lists, "units": [*lists.get("units", []), *crews], "vehicles": alone}


def _decor(thing: DrawnThing[BattleSign], kind: str) -> Iterator[Entry]:
    """Yield decor on its ground, a sill below a window, and that it is open."""
    sign, block = thing.sign, list(thing.rectangle)
    ground, is_window = BRICK_PLATES * sign.ground, kind == "window"
    if is_window and sign.bottom is None:
        sill = {"id": f"{thing.name}_sill", "kind": "wall", "block": block, "bottom": ground}
        yield "field.decor", {**sill, "top": ground + SILL_PLATES}
    lowest = SILL_PLATES if is_window else 0.0
    bottom = lowest if sign.bottom is None else sign.bottom
    top = _TOPS_PLATES.get(kind, DECOR_TOP_PLATES) if sign.top is None else sign.top
    piece = {"id": thing.name, "kind": kind, "block": block}
    heights = {"bottom": ground + bottom, "top": ground + top}
    looks = {"locked": sign.locked, "color": sign.color}
    yield "field.decor", {**piece, **heights, **{k: v for k, v in looks.items() if v}}
    if sign.open:
        yield "open", thing.name


def _crew(vehicle: ListEntry) -> Iterator[ListEntry]:
    name, player = vehicle.entry["id"], vehicle.entry["player"]
    for seat, sheet in vehicle.entry.get("crew", {}).items():
        unit = {"id": f"{name}_{seat}", "sheet": sheet, "player": player}
        yield ListEntry(f"{vehicle.place}.crew.{seat}", {**unit, "vehicle": name, "seat": seat})


MAX_APART = 100
MAX_COVER = 20


class RandomBattleDocument(schema.RandomArmiesDocument):
    """How two armies of units of the catalogue are drawn, and where they meet.

    The lines stand `apart` studs from each other, with a number of low walls for `cover` between them. After a number
    of `rounds` the team that has destroyed the most cost points wins. `files` are the texts of the files of sheets in
    `units`, by name; a study adds them.
    """

    not_lines: ClassVar[frozenset[str]] = frozenset({"files"})

    apart: Annotated[int, Field(ge=2, le=MAX_APART)] = 10
    cover: Annotated[int, Field(ge=0, le=MAX_COVER)] = 0
    rounds: schema.AtLeastOne = 20
    files: dict[str, str] = Field(default_factory=dict)
