"""Recording schema: the JSON document of a scene recording; loads pydantic."""

from typing import Annotated, Literal

from pydantic import Field

from brickphys.schema import Strict

_FAR = 10**9
Steps = Annotated[int, Field(ge=-_FAR, le=_FAR)]
Time = Annotated[int, Field(ge=0, le=10**9)]
Number = Annotated[int, Field(ge=0)]
Corner = Annotated[list[Steps], Field(min_length=3, max_length=3)]
Colour = Annotated[str, Field(pattern=r"^#[0-9a-f]{6}$")]


class SceneSurfaceDocument(Strict):
    """Triangles or lines of one colour."""

    colour: str
    """Name of its colour."""
    points: list[Steps]
    """x, y and z of each corner, in steps."""
    triangles: list[Number] = Field(default_factory=list)
    """Three numbers of corners for each triangle."""
    lines: list[Number] = Field(default_factory=list)
    """Two numbers of corners for each line."""


class PosesDocument(Strict):
    """Poses of copies of a shape."""

    at: list[Steps]
    """x, y and z of each, in steps."""
    turn: list[Steps] = Field(default_factory=list)
    """x, y, z and w of its quaternion, in steps; left out if nothing is turned."""


class ThingDocument(PosesDocument):
    """Something that is seen: where it is at each time."""

    id: str
    """Unique."""
    shape: str
    """Name of its shape."""
    ms: list[Time] = Field(default_factory=list)
    """Times of the poses; left out if it does not move."""
    parent: str = ""
    """The id of the thing in whose frame it is."""
    label: str = ""
    """Its name for people."""
    tag: str = ""
    """Colour of the name that is written beside it."""
    colours: dict[str, str] = Field(default_factory=dict)
    """Colours of its own, by those of the shape."""
    shown_ms: list[Annotated[list[Time], Field(min_length=2, max_length=2)]] | None = None
    """When it is visible: from and to."""
    copies: PosesDocument | None = None
    """Poses of copies of the shape in its frame."""


class EventDocument(Strict):
    """A line of the story."""

    ms: Time
    """When it begins."""
    heading: str
    """Heading, such as the round."""
    text: str
    """What happens."""


class MarkDocument(Strict):
    """A sign in the scene."""

    sign: Literal["way", "arrow", "spot", "hit", "miss", "loss", "area"]
    """What it looks like."""
    from_ms: Time
    """When it appears."""
    to_ms: Time
    """When it disappears."""
    at: list[Steps]
    """x, y and z of each place, in steps."""
    colour: str
    """Name of its colour."""
    size: Steps
    """Radius or width, in steps."""
    text: str = ""
    """Written beside it."""


class ViewDocument(Strict):
    """Where one looks from."""

    name: str
    """For people."""
    azimuth_deg: float
    """Direction to the camera, counter-clockwise from +x."""
    elevation_deg: float
    """Its angle over the ground."""
    low: Corner
    """Least corner of what is seen."""
    high: Corner
    """Greatest corner of what is seen."""
    follows: str = ""
    """The id of the thing that the camera follows."""
    from_ms: Time | None = None
    """When the player switches to it by itself."""


class GaugeDocument(Strict):
    """A quantity over time."""

    name: str
    """What it is."""
    unit: str
    """Its unit."""
    ms: list[Time]
    """Times."""
    values: list[float]
    """Its values then."""
    limit: list[float] = Field(default_factory=list)
    """A level to compare it with, then."""
    limit_name: str = ""
    """What that is."""


class ChanceLineDocument(Strict):
    """The chance to win of a player."""

    name: str
    """Of the player."""
    colour: Colour
    """Of the player."""
    values: list[Annotated[float, Field(ge=0, le=1)]]
    """The chance at each time."""


class ChanceSignDocument(Strict):
    """A sign on the lines."""

    ms: Time
    """When."""
    sign: str
    """One or two letters."""
    text: str
    """What it is about."""


class ChancesDocument(Strict):
    """The chance to win over a game."""

    ms: list[Time]
    """Times at which the chances change."""
    lines: Annotated[list[ChanceLineDocument], Field(min_length=1)]
    """One for each player."""
    signs: list[ChanceSignDocument]
    """The worst choices and the greatest luck."""


class RulerDocument(Strict):
    """How the places of a field are named; its lower left corner is the origin."""

    unit: Annotated[int, Field(gt=0, le=_FAR)]
    """Length of the unit of the field, in steps."""
    width: Annotated[float, Field(gt=0, le=10**6)]
    """From west to east, in units."""
    length: Annotated[float, Field(gt=0, le=10**6)]
    """From south to north, in units."""
    columns: list[str] = Field(default_factory=list)
    """Names of the columns of squares; empty where places are numbers of units."""
    rows: list[str] = Field(default_factory=list)
    """Names of the rows of squares."""
    in_degrees: bool = False
    """Whether headings are told in degrees, too."""


class RecordingDocument(Strict):
    """A scene in space and time."""

    schema_: Literal["brickphys.view/1"] = Field(alias="schema")
    """Kind and version of the document."""
    title: str
    """A few words."""
    about: str
    """One or two sentences."""
    step_mm: Annotated[float, Field(gt=0)]
    """A step of lengths."""
    turn_step: Annotated[float, Field(gt=0)]
    """A step of the parts of quaternions."""
    duration_ms: Time
    """Its length."""
    speed: Annotated[float, Field(gt=0, le=100)]
    """How fast it is played at first."""
    is_physical: bool
    """Whether its time is that of the bodies."""
    colours: dict[str, Colour]
    """Colours by name."""
    shapes: dict[str, list[SceneSurfaceDocument]]
    """Surfaces of each shape, by name."""
    things: list[ThingDocument]
    """Things in the scene."""
    events: list[EventDocument]
    """Events of the story."""
    marks: list[MarkDocument]
    """Signs in the scene."""
    views: Annotated[list[ViewDocument], Field(min_length=1)]
    """Views to choose from."""
    gauges: list[GaugeDocument]
    """Curves."""
    ruler: RulerDocument | None = None
    """How places are named; left out where nobody speaks of them."""
    chances: ChancesDocument | None = None
    """The chance to win; left out where the game was not judged."""
