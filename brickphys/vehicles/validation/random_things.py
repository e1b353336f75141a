"""Random things: vehicles, figures and decor of every form, placed against a line or the lane of a mover.

The kind of a random scene says what makes its collisions hard to resolve, and what is known about them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from math import cos, pi, sin
from typing import TypeVar

import numpy as np

from brickphys.geometry.polygon import TOLERANCE, Point, rectangle
from brickphys.geometry.shape import Part
from brickphys.vehicles import scene
from brickphys.vehicles.sectors import Sector

GAPS = (1e-6, 3e-8, 2e-9, 5e-10)
"""Studs, plates or degrees: gaps and overlaps from a thousand times to half of the tolerance."""


class SceneKind(Enum):
    """What is random in a scene, or nearly touches."""

    CLUTTER = "clutter"
    """Up to forty things anywhere, half of them on whole studs."""
    PAIR = "pair"
    """Two vehicles that meet, from any side."""
    OVERLAP = "overlap"
    """Something overlaps the mover at the start."""
    PARALLEL = "parallel"
    """Edges along the path: a slide, a near miss, a small overlap, or nearly parallel."""
    GRAZING = "grazing"
    """A corner reaches into the lane, or nearly."""
    END = "end"
    """The path ends just before, at, or just after a touch."""
    START = "start"
    """A touch or a tiny gap at the start, ahead or behind."""
    SIMULTANEOUS = "simultaneous"
    """Several things are touched at once."""
    TIE = "tie"
    """The bearing at impact lies on the boundary of two sectors, or nearly."""
    HEIGHT = "height"
    """Top and bottom touch, or nearly."""
    BORDER = "border"
    """The centre leaves the field just before, at, or just after a touch."""
    TURN = "turn"
    """A turn about any pivot among up to twenty things, half of them on whole studs."""
    SWING = "swing"
    """A corner that turns comes to a face just before, at, or just after the end, or grazes it."""
    COURSE = "course"
    """Two to five pieces, turns and drifts too, of a vehicle or of lashed ones, among up to twenty things."""
    SLIVER = "sliver"
    """Decor as thin as 3e-8 studs, ahead of the mover or beside its lane."""
    SEAM = "seam"
    """Walls whose edges lie on one line, with corners on straight edges, ahead or along the path."""
    FLUSH = "flush"
    """A side lies on a wall, or nearly, and the mover drifts or turns."""
    FAR = "far"
    """One of the first kinds at the far end of the largest field."""
    LASHED = "lashed"
    """A lashed vehicle is what hits, or nearly, or a mover with one turns among things."""
    SHAPES = "shapes"
    """A course of a vehicle of two parts among decor of any form: concave, with holes, circles, capsules, compound."""
    FORM = "form"
    """One of these forms is ahead, where the path ends or nearly, or reaches a tiny way into the lane, or misses it."""
    COURT = "court"
    """A courtyard or a dead end as wide as the mover, or nearly, that ends at a touch or nearly."""
    ENCOUNTER = "encounter"
    """Two vehicles of any form on trajectories: straight pieces, turns, waiting."""
    CROSSING = "crossing"
    """Two cross at right angles; the second comes just when the first has left its lane, or nearly."""


@dataclass(frozen=True)
class Known:
    """What is known about one thing by the construction of its scene."""

    id: str
    is_hit: bool
    at: float | None = None
    """After what distance, or what angle of a turn, if that is known."""
    sector: Sector | None = None
    """In which sector, if that is known."""
    piece: int = 0
    """In which piece of the course, from 0."""
    tolerance: float = TOLERANCE
    """How exactly that distance or angle is known."""


T = TypeVar("T")
Rng = np.random.Generator

_SIZES: tuple[Callable[[Rng], Point], ...] = (
    lambda rng: (rng.uniform(6, 14), rng.uniform(3, 8)),
    lambda rng: (float(rng.integers(4, 17)), float(rng.integers(2, 9))),  # built on whole studs
    lambda rng: (rng.uniform(16, 30), rng.uniform(1, 3)),  # long
    lambda rng: (rng.uniform(2, 4), rng.uniform(6, 12)),  # broad
    lambda rng: (float(rng.integers(2, 9)),) * 2,  # square
)


def pick(rng: Rng, options: Sequence[T]) -> T:
    """Return one of the options, each with the same chance."""
    return options[int(rng.integers(len(options)))]


def near(rng: Rng) -> float:
    """Return a tiny gap, a tiny overlap, or 0."""
    return pick(rng, (1, 0, -1)) * pick(rng, GAPS)


def random_heading_deg(rng: Rng) -> float:
    """Return a heading: along an axis, a multiple of 15 degrees, or any, a third each."""
    return pick(
        rng, (90.0 * int(rng.integers(4)), 15.0 * int(rng.integers(24)), rng.uniform(0, 360))
    )


def random_vehicle(rng: Rng, name: str, least_speed: int = 0) -> scene.Vehicle:
    """Return a vehicle about the origin: ordinary, on whole studs, long, broad or square."""
    length, width = pick(rng, _SIZES)(rng)
    speed = int(rng.integers(least_speed, scene.MAX_SPEED + 1))
    return scene.Vehicle(name, 0.0, 0.0, random_heading_deg(rng), length, width, speed=speed)


def random_decor(rng: Rng, name: str) -> scene.Fixture:
    """Return decor about the origin: a polygon of 3 to 12 corners, either way round."""
    count = int(rng.integers(3, 13))
    jitter = rng.uniform(-0.3, 0.3, count)
    long, short, turn = rng.uniform(1, 8), rng.uniform(0.5, 4), rng.uniform(0, 2 * pi)
    c, s = cos(turn), sin(turn)
    corners = []
    for angle in (2 * pi * (np.arange(count) + jitter) / count).tolist():
        x, y = long * cos(angle), short * sin(angle)
        corners.append((c * x - s * y, s * x + c * y))
    return scene.Fixture(name, tuple(corners[:: pick(rng, (1, -1))]))


def bar(name: str, heading_deg: float, length_studs: float, width_studs: float) -> scene.Fixture:
    """Return rectangular decor about the origin."""
    corners = rectangle(0.0, 0.0, heading_deg, length_studs, width_studs).vertices_studs
    return scene.Fixture(name, tuple((x, y) for x, y in corners.tolist()))


def random_bar(rng: Rng, name: str, heading_deg: float) -> scene.Fixture:
    """Return rectangular decor of such a heading about the origin."""
    return bar(name, heading_deg, rng.uniform(1, 12), rng.uniform(0.5, 3))


def random_thing(rng: Rng, name: str) -> scene.Thing:
    """Return a unit, a vehicle or decor about the origin."""
    kind = rng.integers(4)
    if kind == 0:
        return scene.Unit(name, 0.0, 0.0)
    if kind == 1:
        return random_vehicle(rng, name)
    return random_decor(rng, name) if kind == 2 else random_bar(rng, name, random_heading_deg(rng))


def random_parts(rng: Rng, size_studs: float) -> tuple[Part, ...]:
    """Return one or two parts about the origin: stars, mostly concave, some with a hole, circles and capsules."""
    found: list[Part] = []
    for name in "ab"[: rng.integers(1, 3)]:
        kind, size, count = (
            rng.integers(4),
            size_studs * rng.uniform(0.5, 1),
            int(rng.integers(5, 11)),
        )
        x, y = rng.uniform(-0.4, 0.4, 2) * size_studs
        angles = 2 * pi * (np.arange(count) + rng.uniform(-0.3, 0.3, count)) / count
        star = size * rng.uniform(0.3, 1, count) * np.exp(1j * angles)
        rings = [
            tuple((x + one.real, y + one.imag) for one in (star * k).tolist()) for k in (1, 0.4)
        ]
        spine = ((float(x), float(y)), (float(x + size), float(y + rng.uniform(-1, 1) * size)))
        if kind < 2:
            found.append(Part(tuple(rings[: 1 + kind]), name=name))
        else:
            found.append(Part((), spine[: kind - 1], size * rng.uniform(0.2, 0.6), name))
    return tuple(found)


def shifted(thing: scene.Thing, shift_studs: Point) -> scene.Thing:
    """Return a thing somewhere else."""
    dx, dy = shift_studs
    if isinstance(thing, scene.Fixture):
        parts = tuple(part.mapped(lambda at: (at[0] + dx, at[1] + dy)) for part in thing.parts)
        corners = tuple((x + dx, y + dy) for x, y in thing.corners_studs)
        return replace(thing, corners_studs=corners, parts=parts)
    return replace(thing, x_studs=thing.x_studs + dx, y_studs=thing.y_studs + dy)


def laid(
    thing: scene.Thing, line: Point, along: Point, reach_studs: float, across_studs: float
) -> scene.Thing:
    """Return a thing shifted so that its first corner along a direction lies at a given point.

    Parameters
    ----------
    thing
        The thing to place; it keeps its heading.
    line
        A point on the line from which the reach is measured.
    along
        Unit vector of the direction; the corner that is placed is the least far along it.
    reach_studs, across_studs
        How far that corner is beyond the line, and to its left.
    """
    cores = [(one.footprint.vertices_studs, one.radius_studs) for one in thing.body]
    ends = [
        (x - r * along[0], y - r * along[1]) for corners, r in cores for x, y in corners.tolist()
    ]
    first_x, first_y = min(ends, key=lambda end: end[0] * along[0] + end[1] * along[1])
    x = line[0] + reach_studs * along[0] - across_studs * along[1]
    y = line[1] + reach_studs * along[1] + across_studs * along[0]
    return shifted(thing, (x - first_x, y - first_y))


def on_field(field: scene.Bounds, things: Sequence[scene.Thing]) -> list[scene.Thing]:
    """Return the things without decor that is all beyond the border."""
    return [
        t for t in things if not isinstance(t, scene.Fixture) or field.overlaps(t.prism.footprint)
    ]


CLEAR = 0.05
"""Studs: the least distance of the corner that is placed from the ends of the edge that it is placed against."""


@dataclass(frozen=True)
class Lane:
    """The path of a mover."""

    mover: scene.Vehicle

    @property
    def ahead(self) -> Point:
        """Unit vector of the path."""
        return self.mover.heading

    @property
    def half_studs(self) -> Point:
        """Half the mover's length and width."""
        return self.mover.length_studs / 2, self.mover.width_studs / 2

    @property
    def length_studs(self) -> float:
        """How far the mover goes."""
        return scene.distance_studs(self.mover.speed)

    def in_front(self, rng: Rng, thing: scene.Thing, gap_studs: float) -> scene.Thing:
        """Place a thing that far before the front, its first corner somewhere within the lane."""
        length, width = self.half_studs
        across = rng.uniform(CLEAR - width, width - CLEAR)
        return laid(thing, self.mover.centre_studs, self.ahead, length + gap_studs, across)

    def behind(self, rng: Rng, thing: scene.Thing, gap_studs: float) -> scene.Thing:
        """Place a thing that far behind the rear."""
        length, width = self.half_studs
        back = (-self.ahead[0], -self.ahead[1])
        across = rng.uniform(CLEAR - width, width - CLEAR)
        return laid(thing, self.mover.centre_studs, back, length + gap_studs, across)

    def beside(self, rng: Rng, thing: scene.Thing, gap_studs: float) -> scene.Thing:
        """Place a thing that far off the lane, to its left or right, its first corner somewhere along the path."""
        length, width = self.half_studs
        side = pick(rng, (1, -1))
        outward = (-side * self.ahead[1], side * self.ahead[0])
        along = length + rng.uniform(CLEAR, self.length_studs - CLEAR)
        return laid(thing, self.mover.centre_studs, outward, width + gap_studs, -side * along)
