"""Random scenes: scenes in which collisions are hard to resolve, of fourteen kinds in turn, by address.

Scene *i* of a root seed is the same whatever else is drawn. In most kinds something is placed so that the right result
is known by construction; `brickphys.vehicles.validation.validate` checks that too.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import atan2, degrees, radians, tan

from brickphys.geometry.polygon import TOLERANCE
from brickphys.seeds import generator
from brickphys.vehicles.scene import Bounds, Fixture, Scene, Thing, Unit, Vehicle
from brickphys.vehicles.scene_rules import MAX_SPEED
from brickphys.vehicles.sectors import Scheme, Sector
from brickphys.vehicles.validation.lane import Lane
from brickphys.vehicles.validation.random_courses import random_course
from brickphys.vehicles.validation.random_things import (
    Rng,
    bar,
    near,
    on_field,
    pick,
    random_bar,
    random_thing,
    random_vehicle,
    scene_with,
    shifted,
)
from brickphys.vehicles.validation.scene_kinds import Known, SceneKind

_SIZE = 200.0
"""Studs: side of a field so large that nothing in its middle leaves it."""


@dataclass(frozen=True)
class RandomScene:
    """A scene and what is known about it.

    Attributes
    ----------
    index
        Its address.
    kind
        What is random in it.
    scene
        As a scene file would give it.
    known
        What the result must be.
    """

    index: int
    kind: SceneKind
    scene: Scene
    known: tuple[Known, ...]


_Drawn = tuple[Bounds, list[Thing], list[Known]]
"""A field, all things with the mover first, and what is known."""
_COURSES = (SceneKind.TURN, SceneKind.SWING, SceneKind.COURSE)


def random_scene(root: int, index: int) -> RandomScene:
    """Return scene `index` of a root seed; kinds take turns."""
    turn, place = divmod(index, len(SceneKind))
    kind = tuple(SceneKind)[place]
    if kind in _COURSES:
        return RandomScene(index, kind, *random_course(generator(root, turn, place, 1), kind))
    # the same scenes as before there were courses: their numbers are in use
    rng = generator(root, turn * (len(SceneKind) - len(_COURSES)) + place)
    scheme = pick(rng, tuple(Scheme))
    if kind is SceneKind.TIE:
        scheme = pick(rng, (Scheme.QUADRANT, Scheme.CORNER))
        field, things, known = _tie(rng, scheme)
    else:
        field, things, known = _DRAW[kind](rng)
    scene = scene_with(field, things, scheme)
    return RandomScene(index, kind, scene, tuple(known))


def _clutter(rng: Rng) -> _Drawn:
    field = Bounds(float(rng.integers(48, 97)), float(rng.integers(32, 65)))
    on_studs = bool(rng.integers(2))

    def somewhere(thing: Thing) -> Thing:
        x, y = rng.uniform(0, field.width_studs), rng.uniform(0, field.height_studs)
        return shifted(thing, (round(x), round(y)) if on_studs else (x, y))

    others = [random_thing(rng, f"thing {i}") for i in range(rng.integers(1, 41))]
    things = [somewhere(thing) for thing in (random_vehicle(rng, "mover"), *others)]
    return field, on_field(field, things), []


def _pair(rng: Rng) -> _Drawn:
    mover, other = random_vehicle(rng, "mover", 6), random_vehicle(rng, "other")
    mover, other = (replace(car, heading_deg=rng.uniform(0, 360)) for car in (mover, other))
    lane = Lane(_centred(rng, mover))
    across = rng.uniform(-1, 1) * (lane.half_studs[1] + other.width_studs / 2)
    (ax, ay), gap = lane.ahead, 22.0 + rng.uniform(0, 4)
    x = lane.mover.x_studs + gap * ax - across * ay
    y = lane.mover.y_studs + gap * ay + across * ax
    return _large(lane, [shifted(other, (x, y))])


def _overlap(rng: Rng) -> _Drawn:
    lane = _lane(rng)
    length, width = lane.half_studs
    (ax, ay), thing = lane.ahead, random_thing(rng, "thing")
    u, v = rng.uniform(-length, length) * 0.98, rng.uniform(-width, width) * 0.98
    x, y = lane.mover.centre_studs
    if isinstance(thing, Fixture):  # its first corner, which is well inside
        first = thing.corners_studs[0]
        x, y = x - first[0], y - first[1]
    thing = shifted(thing, (x + u * ax - v * ay, y + u * ay + v * ax))
    return _large(lane, [thing, *_bystanders(rng, lane)], [Known("thing", True, 0.0)])


def _parallel(rng: Rng) -> _Drawn:
    lane = _lane(rng)
    off_deg = pick(rng, (0.0, 0.0, pick(rng, (1, -1)) * rng.uniform(1e-5, 1e-4)))
    heading = lane.mover.heading_deg + 90.0 * int(rng.integers(4)) + off_deg
    gap = pick(rng, (near(rng), -rng.uniform(0.01, 1)))
    car = replace(random_vehicle(rng, "car"), heading_deg=heading)
    bars: list[Thing] = [random_bar(rng, "wall", heading), car]
    walls = [lane.beside(rng, wall, gap) for wall in bars[: pick(rng, (1, 2))]]
    known = [Known(wall.id, is_hit=False) for wall in walls if gap >= -TOLERANCE]
    if gap < -TOLERANCE and len(walls) == 1:
        known = [Known(walls[0].id, is_hit=True)]
    return _large(lane, [*walls, *_bystanders(rng, lane)], known)


def _grazing(rng: Rng) -> _Drawn:
    lane = _lane(rng)
    depth = near(rng)
    thing = lane.beside(rng, random_thing(rng, "thing"), -depth)
    known = [Known("thing", is_hit=depth > TOLERANCE)]
    return _large(lane, [thing, *_bystanders(rng, lane)], known)


def _end(rng: Rng) -> _Drawn:
    lane = _lane(rng)
    depth = near(rng)
    distance = lane.length_studs - depth
    thing = lane.in_front(rng, random_thing(rng, "thing"), distance)
    known = Known("thing", True, distance) if depth > TOLERANCE else Known("thing", is_hit=False)
    return _large(lane, [thing, *_bystanders(rng, lane)], [known])


def _start(rng: Rng) -> _Drawn:
    lane = _lane(rng)
    gap = pick(rng, (near(rng), 1e-3))
    thing = random_thing(rng, "thing")
    if rng.integers(2):
        thing = lane.in_front(rng, thing, gap)
        known = Known("thing", True, max(gap, 0.0))
    else:
        thing = lane.behind(rng, thing, gap)
        known = Known("thing", True, 0.0) if gap < -TOLERANCE else Known("thing", is_hit=False)
    return _large(lane, [thing, *_bystanders(rng, lane)], [known])


def _simultaneous(rng: Rng) -> _Drawn:
    lane = _lane(rng)
    distance = rng.uniform(0.1, 0.9) * lane.length_studs
    names = [f"thing {i}" for i in range(rng.integers(2, 6))]
    jitter = (0.0, TOLERANCE / 2)
    things = [
        lane.in_front(rng, random_thing(rng, name), distance + pick(rng, jitter)) for name in names
    ]
    return _large(lane, things, [Known(name, True, distance) for name in names])


def _height(rng: Rng) -> _Drawn:
    lane = _lane(rng)
    bottom = pick(rng, (0.0, 15.0 * rng.uniform(0, 1)))
    lane = Lane(replace(lane.mover, bottom_plates=bottom, top_plates=bottom + 9.0))
    distance = rng.uniform(0.1, 0.9) * lane.length_studs
    overlap = near(rng)
    levels = (bottom + 9.0 - overlap, bottom + 14.0)
    if rng.integers(2):
        levels = (bottom - 3.0, bottom + overlap)
    thing = replace(random_thing(rng, "thing"), bottom_plates=levels[0], top_plates=levels[1])
    thing = lane.in_front(rng, thing, distance)
    known = Known("thing", True, distance) if overlap > TOLERANCE else Known("thing", is_hit=False)
    return _large(lane, [thing], [known])


def _border(rng: Rng) -> _Drawn:
    """Let a centre reach the border, and the mover a bar across it, at nearly the same time."""
    mover = replace(random_vehicle(rng, "mover", 2), heading_deg=rng.uniform(30, 60))
    lane = Lane(mover)
    border = rng.uniform(0.1, 0.9) * lane.length_studs
    ax, ay = lane.ahead
    mover = replace(mover, x_studs=_SIZE - border * ax, y_studs=_SIZE / 2)
    gap = border + near(rng)
    wall = bar("wall", mover.heading_deg, 1.0, 100.0)
    wall_x = mover.length_studs / 2 + gap + 0.5
    moved = shifted(wall, (mover.x_studs + wall_x * ax, mover.y_studs + wall_x * ay))
    known = Known("wall", True, gap) if gap <= border + TOLERANCE else Known("wall", is_hit=False)
    return _large(Lane(mover), [moved], [known])


def _tie(rng: Rng, scheme: Scheme) -> _Drawn:
    """Let the mover's centre be on the boundary of two sectors of a vehicle just when it hits its side."""
    other = replace(random_vehicle(rng, "other"), heading_deg=rng.uniform(0, 360))
    # else the boundary through the corners of a long one meets the mover off the field
    other = replace(other, length_studs=min(other.length_studs, 4 * other.width_studs))
    is_square = scheme is Scheme.QUADRANT
    end_deg = 45.0 if is_square else degrees(atan2(other.width_studs, other.length_studs))
    off_deg = near(rng)
    side, facing = pick(rng, (1, -1)), pick(rng, (1, -1))  # to its left or right, before or behind
    length = rng.uniform(2, 12)
    out = (other.width_studs + length) / 2
    forward = out / tan(radians(end_deg + off_deg))
    # so broad that it touches the side, which ends before the mover's centre
    width = 2 * max(forward - other.length_studs / 2, 0.0) + rng.uniform(1, 6)
    speed = int(rng.integers(1, MAX_SPEED + 1))
    heading_deg = other.heading_deg - side * 90.0
    lane = Lane(_centred(rng, Vehicle("mover", 0.0, 0.0, heading_deg, length, width, speed=speed)))
    distance = rng.uniform(0.1, 0.9) * lane.length_studs
    off = complex(facing * forward, side * out) * complex(*other.heading)
    there = complex(*lane.mover.centre_studs) + distance * complex(*lane.ahead) - off
    sectors = (Sector.FRONT, Sector.REAR)[facing < 0], (Sector.LEFT, Sector.RIGHT)[side < 0]
    known = Known("other", True, distance, sectors[off_deg > TOLERANCE])
    return _large(lane, [shifted(other, (there.real, there.imag))], [known])


def _lane(rng: Rng) -> Lane:
    return Lane(_centred(rng, random_vehicle(rng, "mover", 1)))


def _centred(rng: Rng, mover: Vehicle) -> Vehicle:
    x, y = _SIZE / 2 + rng.uniform(-5, 5, 2)
    return replace(mover, x_studs=float(x), y_studs=float(y))


def _bystanders(rng: Rng, lane: Lane) -> list[Thing]:
    """Return figures anywhere near the lane: they stop no vehicle, so what is known stays true."""
    spots = rng.uniform(-40, 40, (rng.integers(0, 7), 2)) + lane.mover.centre_studs
    return [Unit(f"unit {i}", x, y) for i, (x, y) in enumerate(spots.tolist())]


def _large(lane: Lane, things: Sequence[Thing], known: Sequence[Known] = ()) -> _Drawn:
    return Bounds(_SIZE, _SIZE), [lane.mover, *things], list(known)


_DRAW: dict[SceneKind, Callable[[Rng], _Drawn]] = {
    SceneKind.CLUTTER: _clutter,
    SceneKind.PAIR: _pair,
    SceneKind.OVERLAP: _overlap,
    SceneKind.PARALLEL: _parallel,
    SceneKind.GRAZING: _grazing,
    SceneKind.END: _end,
    SceneKind.START: _start,
    SceneKind.SIMULTANEOUS: _simultaneous,
    SceneKind.HEIGHT: _height,
    SceneKind.BORDER: _border,
}
