"""Recording schema: the JSON document of a scene recording, and the check of one that was read; loads pydantic."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import Field

from brickphys.errors import InvalidValueError
from brickphys.schema import Strict, validated
from brickphys.text import listed

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


def check_recording(raw: Any, name: str = "recording") -> RecordingDocument:
    """Return a JSON object as a recording.

    InvalidValueError with every fault of form, or if there is none every fault of meaning.
    """
    found = validated(RecordingDocument, raw, name)
    if faults := list(_problems(found)):
        raise InvalidValueError(f"{name}: {listed(faults)}")
    return found


def _problems(found: RecordingDocument) -> Iterator[str]:
    for name, surfaces in found.shapes.items():
        for number, surface in enumerate(surfaces):
            place = f"shapes.{name}[{number}]"
            yield from (f"{place}{fault}" for fault in _surface_problems(surface, found))
    ids: set[str] = set()
    for number, thing in enumerate(found.things):
        place = f"things[{number}]"
        yield from (f"{place}{fault}" for fault in _thing_problems(thing, found, ids))
        ids.add(thing.id)
    for number, mark in enumerate(found.marks):
        if len(mark.at) % 3 or not mark.at:
            yield f"marks[{number}].at: {len(mark.at)} numbers do not make places of three"
        if mark.colour not in found.colours:
            yield f"marks[{number}].colour: {mark.colour!r} is not one of colours"
    for number, view in enumerate(found.views):
        if view.follows and view.follows not in ids:
            yield f"views[{number}].follows: there is no thing {view.follows!r}"
    for number, gauge in enumerate(found.gauges):
        if len(gauge.ms) != len(gauge.values) or len(gauge.limit) not in (0, len(gauge.ms)):
            yield f"gauges[{number}]: the numbers of times and values differ"
    if found.chances and any(
        len(one.values) != len(found.chances.ms) for one in found.chances.lines
    ):
        yield "chances: the numbers of times and values differ"
    if (ruler := found.ruler) and (ruler.columns or ruler.rows):
        names = len(ruler.columns), len(ruler.rows)
        if names != (ruler.width, ruler.length):
            yield f"ruler: {names[0]} and {names[1]} names do not fit the squares"


def _surface_problems(surface: SceneSurfaceDocument, found: RecordingDocument) -> Iterator[str]:
    if surface.colour not in found.colours:
        yield f".colour: {surface.colour!r} is not one of colours"
    if len(surface.points) % 3:
        yield f".points: {len(surface.points)} numbers do not make points of three"
    for key, corners, each in (("triangles", surface.triangles, 3), ("lines", surface.lines, 2)):
        if len(corners) % each:
            yield f".{key}: {len(corners)} numbers do not make {key}"
        if corners and max(corners) >= len(surface.points) // 3:
            yield f".{key}: there is no point {max(corners)}"


def _thing_problems(
    thing: ThingDocument, found: RecordingDocument, before: set[str]
) -> Iterator[str]:
    if thing.id in before:
        yield f".id: {thing.id!r} is also that of another thing"
    if thing.shape not in found.shapes:
        yield f".shape: there is no shape {thing.shape!r}"
    if thing.parent and thing.parent not in before:
        yield f".parent: there is no thing {thing.parent!r} before it"
    if thing.ms != sorted(set(thing.ms)):
        yield ".ms: must increase"
    yield from _pose_problems(thing, max(len(thing.ms), 1))
    if thing.copies is not None:
        fault = _pose_problems(thing.copies, len(thing.copies.at) // 3)
        yield from (f".copies{one}" for one in fault)
    for name in (*thing.colours.values(), *([thing.tag] if thing.tag else ())):
        if name not in found.colours:
            yield f".colours: {name!r} is not one of colours"


def _pose_problems(poses: PosesDocument, count: int) -> Iterator[str]:
    if len(poses.at) != 3 * count:
        yield f".at: {len(poses.at)} numbers do not make {count} places"
    if len(poses.turn) not in (0, 4 * count):
        yield f".turn: {len(poses.turn)} numbers do not make {count} turns"
