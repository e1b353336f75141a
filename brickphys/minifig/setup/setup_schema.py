"""The form of a setup and of a scenario file; loads pydantic."""

from typing import Annotated, Literal

from pydantic import Field, FiniteFloat

from brickphys.minifig.state.wall import STUD_IN
from brickphys.rules.aims.aims_schema import AimDocument
from brickphys.rules.scenario.schema import TitledDocument
from brickphys.rules.setup.setup_schema import Heading, Players
from brickphys.schema import Name, Strict

MAX_IN = 240
"""Along a side of the table."""
MAX_FIGURES = 200

Inches = Annotated[FiniteFloat, Field(ge=0, le=MAX_IN)]
SideLength = Annotated[FiniteFloat, Field(ge=6, le=MAX_IN)]
Count = Annotated[int, Field(ge=1, le=40)]
Studs = Annotated[int, Field(ge=1, le=64)]
Apart = Annotated[FiniteFloat, Field(gt=0, le=MAX_IN)]


class TableDocument(Strict):
    """The size of the table, in inches."""

    width: SideLength
    length: SideLength


class RankDocument(Strict):
    """A name, the middle of a base in inches, and where it faces.

    With a `count`, it is several in a row across the facing, around that middle, so many inches `apart`: their names
    end in ``_1``, ``_2``, from the left of who looks along the facing.
    """

    name: Name
    x: Inches | None = None
    y: Inches | None = None
    facing_deg: Heading = 0.0
    count: Count | None = None
    apart: Apart | None = None

    @property
    def apart_in(self) -> float:
        """How far neighbours in a row are apart."""
        return self.apart or 1.0


class FigureDocument(RankDocument):
    """A figure, or several: player, kind, arms that it holds or wears, the thing that it rides."""

    x: Inches
    y: Inches
    player: str
    kind: str = "soldier"
    arms: list[str] = Field(default_factory=list)
    horse: str | None = None
    experience: Annotated[int, Field(ge=0)] = 0


class ThingDocument(RankDocument):
    """A horse, a wagon or a catapult; a horse that is ridden at the start has no place of its own."""

    kind: str


class ItemDocument(Strict):
    """A weapon or shield that lies on the table."""

    name: Name
    arm: str
    x: Inches
    y: Inches


class WallDocument(RankDocument):
    """A piece of wall across its facing: its length in studs, and courses of bricks; pieces in a row join."""

    x: Inches
    y: Inches
    length: Studs
    courses: Annotated[int, Field(ge=1, le=16)]

    @property
    def apart_in(self) -> float:
        """How far the middles of pieces in a row are apart: unless it is said, they join."""
        return self.apart or self.length * STUD_IN


class ZoneDocument(Strict):
    """A part of the table with ground of its own: the corners of a convex area; `height` is of a hill, in bricks."""

    kind: Literal["woods", "water", "hill"]
    corners: Annotated[
        list[Annotated[list[Inches], Field(min_length=2, max_length=2)]], Field(min_length=3)
    ]
    height: Annotated[int, Field(ge=1, le=20)] | None = None


class CircleAimDocument(AimDocument):
    """An aim; after a limit of rounds, the points of a team are the share of its figures that live."""

    area: Annotated[list[Inches], Field(min_length=3, max_length=3)] | None = Field(
        None, description="[x, y, radius] of a circle on the table, in inches"
    )


class OptionsDocument(Strict):
    """Choices of rules."""

    experience_bricks: bool = False
    wall_attack: Literal["from", "against"] = "from"
    fixed_order: bool = False


class SetupDocument(Strict):
    """A setup."""

    players: Players
    table: TableDocument
    figure: Annotated[list[FigureDocument], Field(min_length=2, max_length=MAX_FIGURES)]
    thing: list[ThingDocument] = Field(default_factory=list)
    item: list[ItemDocument] = Field(default_factory=list)
    wall: list[WallDocument] = Field(default_factory=list)
    zone: list[ZoneDocument] = Field(default_factory=list)
    aims: list[CircleAimDocument] = Field(default_factory=list)
    options: OptionsDocument = OptionsDocument()


class BattleDocument(SetupDocument, TitledDocument):
    """A scenario file: title, text, and the tables of a setup."""


_Side = Annotated[
    list[Annotated[str, Field(pattern=r"^[a-z_,]+(\*[1-9]\d?)?$")]], Field(min_length=1)
]


class BattleDrawDocument(Strict):
    """How a battle is drawn for a study.

    Each side has `figures` of `units`, any of them as likely as any other; both have the same if it is a `mirror`. A
    unit is its kind and its arms, with commas between, and ``mounted`` if it rides. The sides begin `apart` inches from
    each other. After `rounds` who has the larger share left wins. Or `sides` names what each side has instead, such as
    ``soldier,bow*2``, which is not drawn then.
    """

    figures: Annotated[int, Field(ge=1, le=30)] = 6
    units: Annotated[list[str], Field(min_length=1)] | None = None
    sides: Annotated[list[_Side], Field(min_length=2, max_length=2)] | None = None
    mirror: bool = False
    apart: Annotated[FiniteFloat, Field(ge=4, le=60)] = 16.0
    rounds: Annotated[int, Field(ge=1, le=100)] = 12
