"""The form of setups, scenario files and rosters, and of the setup of a campaign; loads pydantic."""

from typing import Annotated, Literal

from pydantic import Field, FiniteFloat

from brickphys.minifig.setting import STUD_IN
from brickphys.rules import schema
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
    """Size along x, in inches."""
    length: SideLength
    """Size along y, in inches."""


class RankDocument(Strict):
    """A thing on the table, or several in a row across the facing, around the middle."""

    name: Name
    """Its name. Several get ``_1``, ``_2``, ..., from left to right as they face."""
    x: Inches | None = None
    """Middle of the base, in inches."""
    y: Inches | None = None
    """Middle of the base, in inches."""
    facing_deg: schema.Heading = 0.0
    """Where it faces, in degrees counter-clockwise from the east."""
    count: Count | None = None
    """How many stand in a row across the facing."""
    apart: Apart | None = None
    """Distance between neighbours, in inches."""

    @property
    def apart_in(self) -> float:
        """How far neighbours in a row are apart."""
        return self.apart or 1.0


class FighterDocument(Strict):
    """Who a figure is, wherever it stands."""

    name: Name
    """Its name."""
    player: str
    """Its player."""
    kind: str = "soldier"
    """What it is."""
    arms: list[str] = Field(default_factory=list)
    """Weapons and armor that it holds or wears."""
    horse: str | None = None
    """Name of the horse or thing that it rides."""
    experience: Annotated[int, Field(ge=0)] = 0
    """Points of experience."""


class FigureDocument(RankDocument, FighterDocument):
    """A figure, or several."""

    x: Inches
    """Middle of the base, in inches."""
    y: Inches
    """Middle of the base, in inches."""


class RosterDocument(Strict):
    """A roster: the figures that survived a battle."""

    survivor: Annotated[list[FighterDocument], Field(min_length=1, max_length=MAX_FIGURES - 1)]
    """The figures; those of a player take the places of that player's figures in the next battle, in order."""


class ThingDocument(RankDocument):
    """A horse, a wagon or a catapult; a horse that is ridden at the start has no place of its own."""

    kind: str
    """`horse`, `wagon`, `catapult`, ..."""


class ItemDocument(Strict):
    """A weapon or shield that lies on the table."""

    name: Name
    """Its name."""
    arm: str
    """What it is."""
    x: Inches
    """Where it lies, in inches."""
    y: Inches
    """Where it lies, in inches."""


class WallDocument(RankDocument):
    """A piece of wall across its facing; pieces in a row join."""

    x: Inches
    """Middle of the wall, in inches."""
    y: Inches
    """Middle of the wall, in inches."""
    length: Studs
    """Length of a piece, in studs."""
    courses: Annotated[int, Field(ge=1, le=16)]
    """Bricks on top of each other."""

    @property
    def apart_in(self) -> float:
        """How far the middles of pieces in a row are apart: unless it is said, they join."""
        return self.apart or self.length * STUD_IN


class ZoneDocument(Strict):
    """A part of the table with ground of its own."""

    kind: Literal["woods", "water", "hill"]
    """What the ground is."""
    corners: Annotated[
        list[Annotated[list[Inches], Field(min_length=2, max_length=2)]], Field(min_length=3)
    ]
    """Corners of a convex area, in inches."""
    height: Annotated[int, Field(ge=1, le=20)] | None = None
    """Height of a hill, in bricks."""


class AreaAimDocument(schema.AimDocument):
    """An aim; after a limit of rounds, the points of a team are the share of its figures that live."""

    area: Annotated[list[Inches], Field(min_length=3, max_length=3)] | None = Field(
        None, description="[x, y, radius] of a circle on the table, in inches"
    )
    """The area, for `reach`, `carry` and `hold`."""


class OptionsDocument(schema.RuleOptionsDocument):
    """Options of the rules."""

    experience_bricks: bool = False
    """Whether experience adds bricks to a roll, and not points to its score."""
    wall_attack: Literal["from", "against"] = "from"
    """Whether the two bricks of the row Wall/Barricade are for fighting from a wall or for attacking it."""
    fixed_order: bool = False
    """Whether players act in the order of the setup instead of rolling for it."""
    no_missiles_in_contact: bool = True
    """Whether nobody shoots who touches an enemy, or at who does; else a hit strikes any figure of the melee."""


class SetupDocument(Strict):
    """A setup."""

    players: schema.Players
    """The players."""
    table: TableDocument
    """The table."""
    figure: Annotated[list[FigureDocument], Field(min_length=2, max_length=MAX_FIGURES)]
    """The figures."""
    thing: list[ThingDocument] = Field(default_factory=list)
    """Horses, wagons and catapults."""
    item: list[ItemDocument] = Field(default_factory=list)
    """Weapons and shields that lie on the table."""
    wall: list[WallDocument] = Field(default_factory=list)
    """Walls."""
    zone: list[ZoneDocument] = Field(default_factory=list)
    """Woods, water and hills."""
    aims: list[AreaAimDocument] = Field(default_factory=list)
    """How to win, besides being the last."""
    options: OptionsDocument = OptionsDocument()
    """Options of the rules."""


class BattleDocument(SetupDocument, schema.TitledDocument):
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


MAX_DAYS = 3650
MAX_MILES = 1000
"""Along a side of a square."""
MAX_PARTY = 15
"""Figures that stand side by side on the table of a battle."""
MAX_NAME = 30
"""Letters of a name: its horse has a longer one."""

Miles = Annotated[FiniteFloat, Field(ge=0.5, le=MAX_MILES)]


class MemberDocument(Strict):
    """A figure of the party."""

    name: Annotated[Name, Field(max_length=MAX_NAME)]
    """Its name."""
    kind: str = "soldier"
    """What it is."""
    arms: list[str] = Field(default_factory=list)
    """Weapons and armor that it holds or wears."""
    horse: bool = False
    """Whether it rides."""
    experience: Annotated[int, Field(ge=0)] = 0
    """Points of experience."""


class SquareDocument(Strict):
    """The size of a square."""

    length: Miles
    """Size from north to south, in miles."""
    width: Miles
    """Size from west to east, in miles."""


class CampaignDocument(Strict):
    """A campaign."""

    days: Annotated[int, Field(ge=1, le=MAX_DAYS)]
    """Days that it lasts."""
    square: SquareDocument = SquareDocument(length=3.6, width=3.4)
    """Size of a square of the map."""
    party: Annotated[list[MemberDocument], Field(min_length=1, max_length=MAX_PARTY)]
    """The party, the leader first."""
