"""Documents: the form of a setup, of a scenario file and of a duel that is drawn; loads pydantic."""

from typing import Annotated, Literal

from pydantic import Field, FiniteFloat

from brickphys.geometry.pose import Pose
from brickphys.rules import schema
from brickphys.schema import Name, Strict

MAX_STUDS = 2000
"""Along a side of the sea."""
MAX_GUNS = 40
"""Cannons of a ship."""

Coordinate = Annotated[FiniteFloat, Field(ge=0, le=MAX_STUDS)]
SideLength = Annotated[FiniteFloat, Field(ge=1, le=MAX_STUDS)]
Number = Annotated[int, Field(ge=0, le=100)]


class SeaDocument(Strict):
    """The size of the sea, in studs."""

    width: SideLength
    """Size along x, in studs."""
    length: SideLength
    """Size along y, in studs."""


class GunDocument(Strict):
    """A cannon of a ship."""

    ahead: FiniteFloat
    """How far its muzzle is ahead of the middle of the ship, in studs."""
    left: FiniteFloat
    """How far it is to the left, in studs. Cannons that are not in the middle can be hauled to the other side."""
    bearing_deg: schema.Heading
    """Of its bore, in degrees counter-clockwise from the bow."""
    light: bool = False
    """Whether it is a light cannon."""
    below: bool = False
    """Whether it stands on the gun deck, where muskets hit nobody."""


class ShipDocument(Strict):
    """A ship."""

    id: Name
    """Its name."""
    sheet: str
    """Its sheet."""
    player: str
    """Its player."""
    x: Coordinate
    """Middle of its length, in studs."""
    y: Coordinate
    """Middle of its length, in studs."""
    heading_deg: schema.Heading = 0.0
    """Its heading, in degrees counter-clockwise from the east."""
    crew: dict[str, Number] = Field(default_factory=dict)
    """Role → number of minifigs, where it differs from the sheet."""
    women: dict[str, Number] = Field(default_factory=dict)
    """Role → how many of them are women."""
    guns: Annotated[list[GunDocument], Field(max_length=MAX_GUNS)] | None = None
    """Its cannons, where they differ from those of the sheet: gun0, gun1 and so on."""

    @property
    def pose(self) -> Pose:
        """Its place and heading."""
        return Pose(self.x, self.y, self.heading_deg)


class CircleAimDocument(schema.AimDocument):
    """An aim; after a limit of rounds, the points of a team are the share of hull, sails and crew that it has left."""

    area: Annotated[list[Coordinate], Field(min_length=3, max_length=3)] | None = Field(
        None, description="[x, y, radius] of a circle on the sea, in studs"
    )
    """The area, for `reach`, `carry` and `hold`."""


class OptionsDocument(schema.RuleOptionsDocument):
    """Options of the rules."""

    simultaneous: bool = False
    """Whether all write their orders in secret before any is carried out."""
    boarding_by_attack: bool = False
    """Whether a boarding sums Attack instead of Melee."""


class SetupDocument(Strict):
    """A setup."""

    players: schema.Players
    """The players."""
    sea: SeaDocument
    """The sea."""
    wind_deg: schema.Heading
    """Direction in which the wind blows, in degrees counter-clockwise from the east."""
    ship: Annotated[list[ShipDocument], Field(min_length=2, max_length=40)]
    """The ships."""
    aims: list[CircleAimDocument] = Field(default_factory=list)
    """How to win, besides being the last."""
    options: OptionsDocument = OptionsDocument()
    """Options of the rules."""


class BattleDocument(SetupDocument, schema.TitledDocument):
    """A scenario file: title, text, and the tables of a setup."""


class DuelDrawDocument(Strict):
    """How a duel is drawn for a study.

    Two different entries of `ships` meet, all ships of the book if left out; a ship may be there twice. They lie
    `apart` studs from each other, `windward` upwind; drawn if left out. After `rounds` who has more left wins.
    """

    ships: Annotated[list[str], Field(min_length=2)] | None = None
    windward: Literal["first", "second"] | None = None
    apart: Annotated[FiniteFloat, Field(ge=20, le=160)] = 80.0
    rounds: Annotated[int, Field(ge=1, le=100)] = 20
