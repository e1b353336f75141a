"""Scene: what is seen of a battle at one moment, told once: text maps, pictures and models all draw its pieces.

A game decides in its scene what is visible, what it is called, and whose it is. Those who draw it say how a kind of
piece looks (see `brickphys.plots.painter.Painter` and `brickphys.view.builder.Builder`).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby, pairwise
from typing import Any

from brickphys.geometry.polygon import Point, Polygon, convex_hull
from brickphys.geometry.pose import Pose
from brickphys.text import short_names

NOBODY = -1
"""The player of what is nobody's."""
MOST_NAMES = 18
"""Of more units pictures show the letters of the map, not the names, which would hide each other."""


@dataclass(frozen=True)
class Piece:
    """Something on a field at one moment.

    Its place is in the unit of the field, on the field or in the frame of its parent. It has a name in actions, a
    label beside it, and a letter on maps; empty for none. `count` is how much of it is there, such as sails, `order`
    how many like it come before it at its place. The outline is its footprint; of a round one the radius is.
    """

    id: str
    """Unique at each moment, and the same from moment to moment."""
    kind: str
    """By which it is drawn."""
    at: Point
    heading_deg: float = 0.0
    what: Any = None
    """What describes it, by its kind: its sheet, for example."""
    player: int = NOBODY
    height_mm: float = 0.0
    name: str = ""
    label: str = ""
    letter: str = ""
    marks: tuple[str, ...] = ()
    """What is unusual about it, such as ``struck``."""
    count: int = 1
    order: int = 0
    parent: str = ""
    """The id of what carries it, which comes before it; empty for none."""
    has_facing: bool = True
    """Whether the rules know where it looks; leaders of Blade & Bow look nowhere (BB 3.1)."""
    outline: Polygon | None = None
    radius: float = 0.0

    @property
    def pose(self) -> Pose:
        """Its place and heading."""
        return Pose(*self.at, self.heading_deg)


@dataclass(frozen=True)
class Scene:
    """A field with its pieces."""

    size: Point
    """Width and length of the field, in its unit."""
    players: tuple[str, ...]
    colours: tuple[str, ...]
    listed: Callable[[], Iterable[Piece]]
    """Yields the pieces when they are asked for."""
    letters: Mapping[str, str] = field(default_factory=dict)
    """The letters of all units of the battle by their names, for pictures that have no room for names."""

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """What is on the field."""
        return tuple(self.listed())

    @property
    def is_crowded(self) -> bool:
        """Whether pictures have no room for names."""
        return len(self.letters) > MOST_NAMES

    @property
    def called(self) -> Mapping[str, str]:
        """What pictures call units, by their names: their letters where there is no room for more."""
        if self.is_crowded:
            return self.letters
        return short_names(list(self.letters), self.players)

    def of(self, kind: str, parent: str = "") -> list[Piece]:
        """Return the pieces of a kind that something carries, or that stand on the field."""
        return [one for one in self.pieces if one.kind == kind and one.parent == parent]

    def colour(self, piece: Piece) -> str | None:
        """Return the colour of the player of a piece; None for nobody's."""
        return None if piece.player == NOBODY else self.colours[piece.player]


@dataclass(frozen=True)
class Way:
    """Where a piece would go, in the unit of the field: two poses at least; later if its player does nothing before.

    Its hull meets things: the name, where they touch, and which side of it is struck, if any; and it passes over all of
    the outlines that it has swept.
    """

    id: str
    name: str
    poses: tuple[Pose, ...]
    hits: tuple[tuple[str, Point, str], ...] = ()
    swept: tuple[tuple[Point, ...], ...] = ()
    is_later: bool = False


@dataclass(frozen=True)
class Threat:
    """What a unit could attack in its next turn if nobody else moved, by the names of units.

    It `strikes` hand to hand after a move, `shoots` from where it is; the outlines of its reach are on the field.
    """

    name: str
    strikes: tuple[str, ...] = ()
    shoots: tuple[str, ...] = ()
    reach: tuple[tuple[Point, ...], ...] = ()


def strips(middles: Iterable[Point]) -> tuple[tuple[Point, ...], ...]:
    """Return squares of side 1, by their middles, joined in rows to outlines."""
    cells = sorted((y - 0.5, x - 0.5) for x, y in middles)
    rows = groupby(enumerate(cells), lambda one: (one[1][0], one[1][1] - one[0]))
    ends = ([cell for _, cell in row] for _, row in rows)
    boxes = ((row[0][1], row[-1][1] + 1.0, row[0][0]) for row in ends)
    return tuple(((x, y), (end, y), (end, y + 1.0), (x, y + 1.0)) for x, end, y in boxes)


def swept_by(outline: Polygon, poses: Sequence[Pose]) -> tuple[tuple[Point, ...], ...]:
    """Return the hulls of an outline, which is that at the first pose, between each pose and the next."""
    own = [poses[0].in_frame((x, y)) for x, y in outline.vertices_studs.tolist()]
    rings = [[pose.on_field(corner) for corner in own] for pose in poses]
    hulls = (convex_hull([*one, *other]) for one, other in pairwise(rings))
    return tuple(tuple((x, y) for x, y in hull.vertices_studs.tolist()) for hull in hulls)
