"""Recording: a scene in space and time, as values: what the player in a browser shows.

Lengths are in millimetres, x to the right, y away and z up. A pose is a place and a quaternion, scalar last.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

import numpy as np

from brickphys.units import Array, Counts, Indices, Triple


@dataclass(frozen=True, eq=False)
class SceneSurface:
    """Triangles, or lines, of one colour."""

    colour: str
    """A name of `brickphys.shapes.piece`, or ``#rrggbb``; a thing may give another colour for it."""
    points_mm: Array
    """Corners; shape (n, 3)."""
    corners: Indices
    """Numbers of the corners of each triangle, counter-clockwise seen from outside; or of the ends of each
    line; shape (m, 3) or (m, 2).
    """


@dataclass(frozen=True, eq=False)
class SceneShape:
    """The looks of a thing in its own frame; shapes of one name are the same."""

    name: str
    """Unique in a recording."""
    surfaces: tuple[SceneSurface, ...]
    """What it is made of."""


@dataclass(frozen=True, eq=False)
class SceneTrack:
    """Where a thing is: at each of some times; between two of them it moves evenly, outside of them it rests."""

    times_ms: Counts
    """Increasing; shape (n,)."""
    poses: Array
    """Places in mm and quaternions; shape (n, 7)."""

    @classmethod
    def fixed(cls, pose: Array) -> "SceneTrack":
        """Return the track of a thing that does not move, given its pose, shape (7,)."""
        return cls(np.zeros(1, dtype=np.int64), pose.reshape(1, 7))

    def thinned(self) -> "SceneTrack":
        """Return it without the times between which nothing changes."""
        same = (self.poses[1:] == self.poses[:-1]).all(axis=1)
        kept = np.ones(len(self.poses), dtype=bool)
        kept[1:-1] = ~(same[:-1] & same[1:])
        if same.all():
            kept[1:] = False
        elif same[-1]:
            kept[-1] = False
        return SceneTrack(self.times_ms[kept], self.poses[kept])


@dataclass(frozen=True, eq=False)
class Thing:
    """Something that is seen."""

    id: str
    """Unique in a recording."""
    shape: SceneShape
    """Its looks."""
    track: SceneTrack
    """Where it is, in the frame of its parent if it has one."""
    parent: str = ""
    """The id of the thing that carries it; empty for none."""
    label: str = ""
    """What it is, for people; empty for what needs no name."""
    tag: str = ""
    """Colour of its name beside it, as of a surface; empty if its name is not written."""
    colours: Mapping[str, str] = field(default_factory=dict)
    """Colours of its own, by those of the shape."""
    shown_ms: tuple[tuple[int, int], ...] | None = None
    """When it is seen: from and to, several times if need be; None for always."""
    copies_mm: Array | None = None
    """Poses of copies of the shape in its frame; None for the shape itself; shape (n, 7)."""


@dataclass(frozen=True)
class Event:
    """A line of the story: when it begins, the heading that it belongs to, and what happens."""

    at_ms: int
    heading: str
    text: str


class Sign(Enum):
    """What a mark looks like."""

    WAY = "way"
    """A line from place to place."""
    ARROW = "arrow"
    """An arrow from the first place to the last."""
    SPOT = "spot"
    """A ring on a surface."""
    HIT = "hit"
    """A star."""
    MISS = "miss"
    """A pale ring."""
    LOSS = "loss"
    """A cross."""
    AREA = "area"
    """A framed polygon on the ground."""


@dataclass(frozen=True)
class SceneMark:
    """A sign in the scene."""

    sign: Sign
    """What it looks like."""
    from_ms: int
    to_ms: int
    """When it is seen."""
    places_mm: tuple[Triple, ...]
    """Where: one place, or several."""
    colour: str = "black"
    """As of a surface."""
    size_mm: float = 2.0
    """Its size: the radius of a ring, the width of a line."""
    text: str = ""
    """Written beside it."""


@dataclass(frozen=True)
class Viewpoint:
    """Where one looks from."""

    name: str
    """For people."""
    azimuth_deg: float
    elevation_deg: float
    """Direction from what is seen to the camera, counter-clockwise from +x, and its angle over the ground."""
    low_mm: Triple
    high_mm: Triple
    """Corners of the box that just fills the picture."""
    follows: str = ""
    """The id of a thing with which the camera goes; empty for none."""
    from_ms: int | None = None
    """When the player turns to it by itself; None for never."""


@dataclass(frozen=True)
class Gauge:
    """A quantity over time, drawn as a curve."""

    name: str
    unit: str
    """What it is."""
    times_ms: tuple[int, ...]
    values: tuple[float, ...]
    """When, and how much."""
    limit: tuple[float, ...] = ()
    limit_name: str = ""
    """A level to compare it with at each time; empty for none."""


@dataclass(frozen=True)
class ChanceLine:
    """The chance to win of a player at each time, from 0 to 1, in the colour of the player, as of a surface."""

    name: str
    colour: str
    values: tuple[float, ...]


@dataclass(frozen=True)
class ChanceSign:
    """A sign on the lines, of one or two letters, and what it is about."""

    at_ms: int
    sign: str
    text: str


@dataclass(frozen=True)
class Chances:
    """The chance to win over a game, drawn below the picture; a click on it leads to what happened then."""

    times_ms: tuple[int, ...]
    """When the chances change."""
    lines: tuple[ChanceLine, ...]
    """One for each player."""
    signs: tuple[ChanceSign, ...] = ()


@dataclass(frozen=True)
class Ruler:
    """How the places of a field are named; the player writes it along two edges, beside a compass."""

    unit_mm: float
    """Length of the unit of the field."""
    width: float
    length: float
    """Size of the field in units."""
    columns: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    """Names of the squares, from the west and from the south; empty where places are numbers of units."""
    in_degrees: bool = False
    """Whether headings are told in degrees, too, counter-clockwise from the east."""

    @classmethod
    def of_squares(
        cls, unit_mm: float, columns: Iterable[object], rows: Iterable[object]
    ) -> "Ruler":
        """Return the ruler of a field of squares, given their names."""
        names, others = tuple(map(str, columns)), tuple(map(str, rows))
        return cls(unit_mm, len(names), len(others), names, others)


@dataclass(frozen=True, eq=False)
class SceneRecording:
    """A scene in space and time."""

    title: str
    about: str
    """What it is: a few words, and one or two sentences."""
    duration_ms: int
    """Its length."""
    speed: float
    """How fast it is played at first; 0.25 is four times slower."""
    is_physical: bool
    """Whether its time is that of the bodies, in seconds; else it only counts events."""
    things: tuple[Thing, ...]
    events: tuple[Event, ...]
    """What is seen and told, with marks and gauges."""
    views: tuple[Viewpoint, ...]
    """Where one can look from; the first one is shown at first."""
    marks: tuple[SceneMark, ...] = ()
    gauges: tuple[Gauge, ...] = ()
    ruler: Ruler | None = None
    """How places are named; None for a scene where nobody speaks of them."""
    chances: Chances | None = None
    """The chance to win over the game; None if it was not judged."""

    def seen_first(self, name: str) -> "SceneRecording":
        """Return it with the view of that name as the first one."""
        order = sorted(self.views, key=lambda view: view.name != name)
        return replace(self, views=tuple(order))


def standing(x_mm: float, y_mm: float, z_mm: float = 0.0, heading_deg: float = 0.0) -> Array:
    """Return the pose, shape (7,), of something upright that looks along a heading, counter-clockwise from +x."""
    half = np.radians(heading_deg) / 2
    return np.array([x_mm, y_mm, z_mm, 0.0, 0.0, np.sin(half), np.cos(half)])


def box_around(points_mm: Array | Sequence[Triple], room_mm: float = 0.0) -> tuple[Triple, Triple]:
    """Return the least and the greatest corner of the box around some points, with room on all sides."""
    points = np.asarray(points_mm, dtype=float).reshape(-1, 3)
    low, high = points.min(axis=0) - room_mm, points.max(axis=0) + room_mm
    (a, b, c), (d, e, f) = low.tolist(), high.tolist()
    return (a, b, c), (d, e, f)
