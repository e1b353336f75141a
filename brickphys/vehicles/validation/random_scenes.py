"""Random scenes: scenes in which collisions are hard to resolve, of fourteen kinds in turn, by address.

Scene *i* of a root seed is the same whatever else is drawn. In most kinds something is placed so that the right result
is known by construction; `brickphys.vehicles.validation.validate` checks that too. In some kinds the movers turn, drift
and follow several pieces.
"""

from cmath import exp, phase
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import acos, atan2, cos, degrees, pi, radians, sin, tan

from brickphys.geometry.polygon import TOLERANCE, Point
from brickphys.geometry.pose import Pose
from brickphys.seeds import generator
from brickphys.vehicles.scene import (
    MAX_SPEED,
    Bounds,
    Fixture,
    Piece,
    PivotTurn,
    Scene,
    Straight,
    Thing,
    Unit,
    Vehicle,
)
from brickphys.vehicles.sectors import Scheme, Sector
from brickphys.vehicles.validation.random_things import (
    Known,
    Lane,
    Rng,
    SceneKind,
    bar,
    near,
    on_field,
    pick,
    random_bar,
    random_thing,
    random_vehicle,
    shifted,
)

_FIELD = Bounds(200.0, 200.0)
_CLEAR = 0.01
"""Studs: the least distance from the face of every corner but the one that swings onto it."""
_GRAZE_TOLERANCE_DEG = 1e-5
"""Where a corner only grazes a face, rounding moves its first touch so far."""

_DrawnCourse = tuple[Scene, tuple[Known, ...]]


def random_course(rng: Rng, kind: SceneKind) -> _DrawnCourse:
    """Return a scene of one of the kinds with a course, and what is known about it."""
    scheme = pick(rng, tuple(Scheme))
    if kind is SceneKind.SWING:
        return _swing(rng, scheme)
    on_studs = bool(rng.integers(2))
    field = Bounds(float(rng.integers(48, 97)), float(rng.integers(48, 97)))
    mover = random_vehicle(rng, "mover")
    lashed: list[Vehicle] = []
    if kind is SceneKind.COURSE:
        course = [_piece(rng, on_studs) for _ in range(rng.integers(2, 6))]
        lashed = _lashed(rng, mover) if rng.integers(3) == 0 else []
    else:
        course = [_turn(rng, on_studs)]
    middle = (field.width_studs / 2, field.height_studs / 2)
    start = _rounded(_somewhere(rng, middle, 20.0), on_studs)
    hulls = [shifted(hull, start) for hull in (mover, *lashed)]
    others = [
        shifted(random_thing(rng, f"thing {i}"), _rounded(_somewhere(rng, start, 40.0), on_studs))
        for i in range(rng.integers(1, 21))
    ]
    inside = [t for t in others if field.contains(t.prism.circle_studs[:2])]
    names = [vehicle.id for vehicle in lashed]
    kept = [hull for hull in hulls if field.contains(hull.prism.circle_studs[:2])]
    if len(kept) < len(hulls):  # a prize would begin beyond the border
        kept, names = kept[:1], []
    things = on_field(field, [*kept, *inside])
    more = {"scheme": scheme, "course": tuple(course), "lashed": tuple(names)}
    return Scene.of(field, "mover", things, **more), ()


def _swing(rng: Rng, scheme: Scheme) -> _DrawnCourse:
    """Let a corner turn onto the face of a wall, nearly not, or graze it; perhaps after a drift towards it."""
    x, y = (100.0 + shift for shift in rng.uniform(-5, 5, 2).tolist())
    while True:
        mover = replace(random_vehicle(rng, "mover"), x_studs=x, y_studs=y)
        turn = PivotTurn(0.0, (rng.uniform(-8, 8), rng.uniform(-8, 8)))
        sense, depth = pick(rng, (1, -1)), near(rng)
        pivot = complex(*Pose(x, y, mover.heading_deg).on_field(turn.pivot_studs))
        arms = [
            complex(*corner) - pivot for corner in mover.prism.footprint.vertices_studs.tolist()
        ]
        arm = pick(rng, arms)
        radius, to_go = abs(arm), radians(rng.uniform(0.5, 8))
        if radius < 1:
            continue
        if rng.integers(2):  # the corner meets the face aslant, about when the turn ends
            aslant = radians(rng.uniform(10, 70))
            face, facing = radius * cos(aslant), phase(arm) + sense * (to_go + aslant)
            angle, tolerance = to_go + depth / (radius * sin(aslant)), TOLERANCE
            touch = to_go
        else:
            face, facing = radius - depth, phase(arm) + sense * to_go
            angle, tolerance = 2 * to_go, _GRAZE_TOLERANCE_DEG
            touch = to_go - acos(min(face / radius, 1.0))
        others = [other for other in arms if other is not arm]
        if _reach(others, facing, sense * angle) < face - _CLEAR:
            break
    course: list[Piece] = [replace(turn, turn_deg=sense * degrees(angle))]
    if rng.integers(2):
        drift, length = facing + rng.uniform(-1, 1), rng.uniform(1, 15)
        mover = replace(mover, x_studs=x - length * cos(drift), y_studs=y - length * sin(drift))
        course.insert(0, Straight(length, degrees(drift)))
    normal = exp(1j * facing)
    middle = pivot + (face + 0.5) * normal
    wall = shifted(bar("wall", degrees(facing), 1.0, 120.0), (middle.real, middle.imag))
    known = Known("wall", is_hit=False)
    if depth > TOLERANCE:
        known = Known("wall", True, degrees(touch), None, len(course) - 1, tolerance)
    more = {"scheme": scheme, "course": tuple(course)}
    return Scene.of(_FIELD, "mover", [mover, wall], **more), (known,)


def _reach(arms: Sequence[complex], facing_rad: float, angle_rad: float) -> float:
    """Return how far corners reach towards a face, at most, while they turn."""
    reach = 0.0
    for arm in arms:
        ends = sorted(phase(arm) - facing_rad + turn for turn in (0.0, angle_rad))
        passes = ends[0] // (2 * pi) < ends[1] // (2 * pi)
        reach = max(reach, abs(arm) if passes else abs(arm) * max(map(cos, ends)))
    return reach


def _piece(rng: Rng, on_studs: bool) -> Piece:
    if rng.integers(2):
        return _turn(rng, on_studs)
    length = float(rng.integers(1, 16)) if on_studs else rng.uniform(0.1, 15)
    if rng.integers(4):
        return Straight(length)
    return Straight(length, 45.0 * int(rng.integers(8)) if on_studs else rng.uniform(0, 360))


def _turn(rng: Rng, on_studs: bool) -> PivotTurn:
    sense = pick(rng, (1, -1))
    angle = 45.0 * int(rng.integers(1, 9)) if on_studs else rng.uniform(0.1, 360)
    if rng.integers(2):
        return PivotTurn(sense * angle)
    return PivotTurn(sense * angle, _rounded(_somewhere(rng, (0.0, 0.0), 10.0), on_studs))


def _lashed(rng: Rng, mover: Vehicle) -> list[Vehicle]:
    """Return one or two vehicles side by side with a mover about the origin."""
    found = []
    for number in range(rng.integers(1, 3)):
        other = replace(random_vehicle(rng, f"prize {number}"), heading_deg=mover.heading_deg)
        out = (1 - 2 * number) * (mover.width_studs + other.width_studs) / 2
        along = rng.uniform(-1, 1) * (mover.length_studs + other.length_studs) / 3
        x, y = Pose(0.0, 0.0, mover.heading_deg).on_field((along, out))
        found.append(replace(other, x_studs=x, y_studs=y))
    return found


def _somewhere(rng: Rng, middle: Point, spread_studs: float) -> Point:
    x, y = rng.uniform(-spread_studs, spread_studs, 2).tolist()
    return middle[0] + x, middle[1] + y


def _rounded(point: Point, on_studs: bool) -> Point:
    return (float(round(point[0])), float(round(point[1]))) if on_studs else point


_SIZE = 200.0
"""Studs: side of a field so large that nothing in its middle leaves it."""


@dataclass(frozen=True)
class RandomScene:
    """A scene and what is known about it."""

    index: int
    kind: SceneKind
    """What is random in it."""
    scene: Scene
    """As a scene file would give it."""
    known: tuple[Known, ...]
    """What the result must be."""


_Drawn = tuple[Bounds, list[Thing], list[Known]]
"""A field, all things with the mover first, and what is known."""
_COURSES = (SceneKind.TURN, SceneKind.SWING, SceneKind.COURSE)
IN_TURN = tuple(SceneKind)[: 1 + list(SceneKind).index(SceneKind.COURSE)]
"""Kinds of `random_scene`. The corpus has more; these keep their number, since the numbers of scenes are in use."""


def random_scene(root: int, index: int) -> RandomScene:
    """Return scene `index` of a root seed; kinds take turns."""
    turn, place = divmod(index, len(IN_TURN))
    kind = IN_TURN[place]
    if kind in _COURSES:
        return RandomScene(index, kind, *random_course(generator(root, turn, place, 1), kind))
    # the same scenes as before there were courses: their numbers are in use
    rng = generator(root, turn * (len(IN_TURN) - len(_COURSES)) + place)
    scheme = pick(rng, tuple(Scheme))
    if kind is SceneKind.TIE:
        scheme = pick(rng, (Scheme.QUADRANT, Scheme.CORNER))
        field, things, known = _tie(rng, scheme)
    else:
        field, things, known = _DRAW[kind](rng)
    scene = Scene.of(field, "mover", things, scheme=scheme)
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
