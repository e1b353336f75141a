"""Random things: vehicles, figures and decor of every form, and how to place them against a line."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import cos, pi, sin
from typing import TypeVar

import numpy as np

from brickphys.geometry.polygon import Point, rectangle
from brickphys.vehicles.piece import Piece
from brickphys.vehicles.scene import Bounds, Fixture, Scene, Thing, Unit, Vehicle
from brickphys.vehicles.scene_rules import MAX_SPEED
from brickphys.vehicles.sectors import Scheme
from brickphys.vehicles.validation.scene_kinds import GAPS

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


def random_vehicle(rng: Rng, name: str, least_speed: int = 0) -> Vehicle:
    """Return a vehicle about the origin: ordinary, on whole studs, long, broad or square."""
    length, width = pick(rng, _SIZES)(rng)
    speed = int(rng.integers(least_speed, MAX_SPEED + 1))
    return Vehicle(name, 0.0, 0.0, random_heading_deg(rng), length, width, speed=speed)


def random_decor(rng: Rng, name: str) -> Fixture:
    """Return decor about the origin: a polygon of 3 to 12 corners, either way round."""
    count = int(rng.integers(3, 13))
    jitter = rng.uniform(-0.3, 0.3, count)
    long, short, turn = rng.uniform(1, 8), rng.uniform(0.5, 4), rng.uniform(0, 2 * pi)
    c, s = cos(turn), sin(turn)
    corners = []
    for angle in (2 * pi * (np.arange(count) + jitter) / count).tolist():
        x, y = long * cos(angle), short * sin(angle)
        corners.append((c * x - s * y, s * x + c * y))
    return Fixture(name, tuple(corners[:: pick(rng, (1, -1))]))


def bar(name: str, heading_deg: float, length_studs: float, width_studs: float) -> Fixture:
    """Return rectangular decor about the origin."""
    corners = rectangle(0.0, 0.0, heading_deg, length_studs, width_studs).vertices_studs
    return Fixture(name, tuple((x, y) for x, y in corners.tolist()))


def random_bar(rng: Rng, name: str, heading_deg: float) -> Fixture:
    """Return rectangular decor of such a heading about the origin."""
    return bar(name, heading_deg, rng.uniform(1, 12), rng.uniform(0.5, 3))


def random_thing(rng: Rng, name: str) -> Thing:
    """Return a unit, a vehicle or decor about the origin."""
    kind = rng.integers(4)
    if kind == 0:
        return Unit(name, 0.0, 0.0)
    if kind == 1:
        return random_vehicle(rng, name)
    return random_decor(rng, name) if kind == 2 else random_bar(rng, name, random_heading_deg(rng))


def shifted(thing: Thing, shift_studs: Point) -> Thing:
    """Return a thing somewhere else."""
    dx, dy = shift_studs
    if isinstance(thing, Fixture):
        return replace(thing, corners_studs=tuple((x + dx, y + dy) for x, y in thing.corners_studs))
    return replace(thing, x_studs=thing.x_studs + dx, y_studs=thing.y_studs + dy)


def laid(thing: Thing, line: Point, along: Point, reach_studs: float, across_studs: float) -> Thing:
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
    corners = thing.prism.footprint.vertices_studs.tolist()
    first_x, first_y = min(corners, key=lambda corner: corner[0] * along[0] + corner[1] * along[1])
    x = line[0] + reach_studs * along[0] - across_studs * along[1]
    y = line[1] + reach_studs * along[1] + across_studs * along[0]
    return shifted(thing, (x - first_x, y - first_y))


def scene_with(
    field: Bounds,
    things: Sequence[Thing],
    scheme: Scheme,
    course: Sequence[Piece] = (),
    lashed: Sequence[str] = (),
) -> Scene:
    """Return a scene of some things, in which the vehicle called mover moves."""
    return Scene(
        field,
        "mover",
        tuple(thing for thing in things if isinstance(thing, Vehicle)),
        tuple(thing for thing in things if isinstance(thing, Unit)),
        tuple(thing for thing in things if isinstance(thing, Fixture)),
        scheme,
        tuple(course),
        tuple(lashed),
    )


def on_field(field: Bounds, things: Sequence[Thing]) -> list[Thing]:
    """Return the things without decor that is all beyond the border."""
    return [t for t in things if not isinstance(t, Fixture) or field.overlaps(t.prism.footprint)]
