"""Random courses: scenes whose movers turn, drift and follow several pieces."""

from cmath import exp, phase
from collections.abc import Sequence
from dataclasses import replace
from math import acos, cos, degrees, pi, radians, sin

from brickphys.geometry.polygon import TOLERANCE, Point
from brickphys.geometry.pose import Pose
from brickphys.vehicles.piece import Piece, PivotTurn, Straight
from brickphys.vehicles.scene import Bounds, Scene, Vehicle
from brickphys.vehicles.sectors import Scheme
from brickphys.vehicles.validation.random_things import (
    Rng,
    bar,
    near,
    on_field,
    pick,
    random_thing,
    random_vehicle,
    scene_with,
    shifted,
)
from brickphys.vehicles.validation.scene_kinds import Known, SceneKind

_FIELD = Bounds(200.0, 200.0)
_CLEAR = 0.01
"""Studs: the least distance from the face of every corner but the one that swings onto it."""
_GRAZE_TOLERANCE_DEG = 1e-5
"""Where a corner only grazes a face, rounding moves its first touch so far."""

_Drawn = tuple[Scene, tuple[Known, ...]]


def random_course(rng: Rng, kind: SceneKind) -> _Drawn:
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
    return scene_with(field, on_field(field, [*kept, *inside]), scheme, course, names), ()


def _swing(rng: Rng, scheme: Scheme) -> _Drawn:
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
    return scene_with(_FIELD, [mover, wall], scheme, course), (known,)


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
