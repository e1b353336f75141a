"""The form of a setup and of a scenario file; loads pydantic."""

from typing import Annotated, Literal

from pydantic import Field, FiniteFloat

from brickphys.geometry.pose import Pose
from brickphys.rules.aims.aims_schema import AimDocument
from brickphys.rules.scenario.schema import TitledDocument
from brickphys.rules.setup.setup_schema import Heading, Players
from brickphys.schema import Name, Strict

MAX_STUDS = 2000
"""Along a side of the sea."""

Coordinate = Annotated[FiniteFloat, Field(ge=0, le=MAX_STUDS)]
SideLength = Annotated[FiniteFloat, Field(ge=1, le=MAX_STUDS)]
Number = Annotated[int, Field(ge=0, le=100)]


class SeaDocument(Strict):
    """The size of the sea, in studs."""

    width: SideLength
    length: SideLength


class ShipDocument(Strict):
    """A ship: the middle of its length in studs, and where it points.

    `crew` says how many minifigs of a role there are, for the roles in which the ship differs from its sheet; `women`
    says how many of a role are women.
    """

    id: Name
    sheet: str
    player: str
    x: Coordinate
    y: Coordinate
    heading_deg: Heading = 0.0
    crew: dict[str, Number] = Field(default_factory=dict)
    women: dict[str, Number] = Field(default_factory=dict)

    @property
    def pose(self) -> Pose:
        """Its place and heading."""
        return Pose(self.x, self.y, self.heading_deg)


class CircleAimDocument(AimDocument):
    """An aim; after a limit of rounds, the points of a team are the share of hull, sails and crew that it has left."""

    area: Annotated[list[Coordinate], Field(min_length=3, max_length=3)] | None = Field(
        None, description="[x, y, radius] of a circle on the sea, in studs"
    )


class OptionsDocument(Strict):
    """Choices of rules."""

    simultaneous: bool = False
    boarding_by_attack: bool = False


class SetupDocument(Strict):
    """A setup; `wind_deg` says where the wind blows to, counter-clockwise from +x."""

    players: Players
    sea: SeaDocument
    wind_deg: Heading
    ship: Annotated[list[ShipDocument], Field(min_length=2, max_length=40)]
    aims: list[CircleAimDocument] = Field(default_factory=list)
    options: OptionsDocument = OptionsDocument()


class BattleDocument(SetupDocument, TitledDocument):
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
