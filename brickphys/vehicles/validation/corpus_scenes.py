"""Corpus scenes: random scenes of all kinds in turn, by address.

The first kinds are those of `random_scenes`. The others need more than the straight lane of one vehicle among common
shapes: slivers, seams, flush starts, lashed hulls, places where floating point is coarsest, outlines of any form, and
two vehicles that move in time.
"""

from collections.abc import Callable
from dataclasses import replace
from math import cos, radians

from brickphys.geometry.polygon import TOLERANCE, Point
from brickphys.geometry.pose import Pose
from brickphys.geometry.shape import Part
from brickphys.seeds import generator
from brickphys.vehicles.scene import (
    LARGEST,
    Bounds,
    Fixture,
    Piece,
    PivotTurn,
    Scene,
    Straight,
    Thing,
    TimedPiece,
    Vehicle,
)
from brickphys.vehicles.sectors import Scheme
from brickphys.vehicles.validation.random_scenes import (
    IN_TURN,
    RandomScene,
    random_course,
    random_scene,
)
from brickphys.vehicles.validation.random_things import (
    Known,
    Lane,
    Rng,
    SceneKind,
    bar,
    near,
    pick,
    random_parts,
    random_thing,
    random_vehicle,
    shifted,
)

ADDED = tuple(kind for kind in SceneKind if kind not in IN_TURN)
"""Kinds that only the corpus has."""
_FIELD = Bounds(200.0, 200.0)
_THICKNESSES = (1e-2, 1e-4, 1e-6, 3e-8)
"""Studs, of slivers."""
_MOVED = (SceneKind.PAIR, SceneKind.OVERLAP, SceneKind.GRAZING, SceneKind.END, SceneKind.START)
"""Kinds that are moved far away. Edges that are nearly parallel to the path magnify the rounding there, beyond what is
known about them."""

_Drawn = tuple[list[Thing], list[Known], tuple[Piece, ...]]
"""All things with the mover first, what is known, and a course; without one the mover goes straight ahead."""


def corpus_scene(root: int, index: int) -> RandomScene:
    """Return scene `index` of the corpus of a root seed; all kinds take turns.

    A scene of the first kinds is the one of `random_scene` of that turn, with its number; others have that of the turn.
    """
    turn, place = divmod(index, len(SceneKind))
    if place < len(IN_TURN):
        return random_scene(root, turn * len(IN_TURN) + place)
    kind = ADDED[place - len(IN_TURN)]
    rng = generator(root, turn, place - len(IN_TURN), 2)
    if kind is SceneKind.FAR:
        return _far(rng, root, turn)
    scheme = pick(rng, tuple(Scheme))
    things, known, course = _DRAW[kind](rng)
    lashed = tuple(thing.id for thing in things if thing.id == _PRIZE)
    more = {"scheme": scheme, "course": course, "lashed": lashed}
    return RandomScene(turn, kind, Scene.of(_FIELD, "mover", things, **more), tuple(known))


def _mover(rng: Rng) -> Vehicle:
    x, y = 100.0 + rng.uniform(-5, 5, 2)
    return replace(random_vehicle(rng, "mover", 1), x_studs=float(x), y_studs=float(y))


def _sliver(rng: Rng) -> _Drawn:
    """Place a needle, or a strip, anyhow before the mover or beside its lane."""
    lane = Lane(_mover(rng))
    heading_deg = lane.mover.heading_deg + pick(rng, (0.0, 90.0, rng.uniform(0, 360)))
    strip = bar("sliver", heading_deg, rng.uniform(1, 30), pick(rng, _THICKNESSES))
    sliver = replace(strip, corners_studs=strip.corners_studs[: pick(rng, (3, 4))])
    depth, distance = near(rng), rng.uniform(0.1, 0.9) * lane.length_studs
    if rng.integers(2):
        thing, known = lane.in_front(rng, sliver, distance), Known("sliver", True, distance)
    else:
        thing, known = lane.beside(rng, sliver, -depth), Known("sliver", depth > TOLERANCE)
    return [lane.mover, thing], [known], ()


def _seam(rng: Rng) -> _Drawn:
    """Lay walls end to end before the mover or beside its lane, their near edges on one line."""
    lane, gap, side = Lane(_mover(rng)), near(rng), pick(rng, (0, 0, 1, 3))
    if not side:
        gap = pick(rng, (abs(gap), rng.uniform(0.1, 0.9) * lane.length_studs))
    reach, at = lane.half_studs[side % 2] + gap, -rng.uniform(2, 10)
    frame = Pose(*lane.mover.centre_studs, lane.mover.heading_deg + 90.0 * side)
    walls: list[Thing] = []
    for number in range(rng.integers(2, 7)):
        end, far = at + rng.uniform(1, 8), reach + rng.uniform(0.5, 3)
        spots = [(reach, at), (reach, (at + end) / 2), (reach, end), (far, end), (far, at)]
        walls.append(Fixture(f"wall {number}", tuple(map(frame.on_field, spots))))
        at = end
    known = [Known(wall.id, is_hit=False) for wall in walls if side and gap >= -TOLERANCE]
    return [lane.mover, *walls], known, ()


def _flush(rng: Rng) -> _Drawn:
    """Let a side of the mover lie on a wall or nearly, then drift in any direction or turn about any pivot."""
    mover, side, gap = _mover(rng), int(rng.integers(4)), near(rng)
    facing_deg = mover.heading_deg + 90.0 * side
    reach = (mover.width_studs if side % 2 else mover.length_studs) / 2 + gap + 0.5
    wall = shifted(
        bar("wall", facing_deg, 1.0, 120.0),
        Pose(*mover.centre_studs, facing_deg).on_field((reach, 0.0)),
    )
    if rng.integers(2):
        pivot = _pivot(rng, 6.0) if rng.integers(2) else (0.0, 0.0)
        return [mover, wall], [], (PivotTurn(pick(rng, (1, -1)) * rng.uniform(0.5, 90), pivot),)
    off_deg = pick(rng, (0.0, 90.0, 180.0, rng.uniform(5, 85), rng.uniform(95, 175)))
    course = (Straight(rng.uniform(1, 20), facing_deg + pick(rng, (1, -1)) * off_deg),)
    known = Known("wall", is_hit=gap < -TOLERANCE)
    if off_deg < 90.0:
        known = Known("wall", True, max(gap, 0.0) / cos(radians(off_deg)))
    elif known.is_hit:
        known = replace(known, at=0.0)
    return [mover, wall], [known], course


_PRIZE = "prize"


def _lashed(rng: Rng) -> _Drawn:
    """Lash a prize to the side of the mover, and place something before it; or turn both among things."""
    mover, prize = _mover(rng), random_vehicle(rng, _PRIZE)
    if rng.integers(2):
        prize = _beside(rng, mover, prize, rng.uniform(-0.3, 0.3))
        spots = rng.uniform(-25, 25, (rng.integers(1, 9), 2)) + mover.centre_studs
        things = [
            shifted(random_thing(rng, f"thing {i}"), (x, y))
            for i, (x, y) in enumerate(spots.tolist())
        ]
        turn = PivotTurn(pick(rng, (1, -1)) * rng.uniform(5, 360), _pivot(rng, 10.0))
        return [mover, prize, *things], [], (turn,)
    lengths = mover.length_studs, prize.length_studs
    least = (lengths[0] - lengths[1]) / 2 / sum(lengths)  # so that the prize is what hits
    prize = _beside(rng, mover, prize, least + rng.uniform(0, 0.9) * lengths[1] / sum(lengths))
    lane, depth = Lane(prize), near(rng)
    distance = lane.length_studs - depth
    thing = lane.in_front(rng, random_thing(rng, "thing"), distance)
    known = Known("thing", True, distance) if depth > TOLERANCE else Known("thing", is_hit=False)
    return [mover, prize, thing], [known], ()


def _beside(rng: Rng, mover: Vehicle, prize: Vehicle, ahead: float) -> Vehicle:
    """Lay a prize against a side of a mover, a share of both lengths ahead of its middle."""
    out = pick(rng, (1, -1)) * (mover.width_studs + prize.width_studs) / 2
    ahead_studs = ahead * (mover.length_studs + prize.length_studs)
    x, y = Pose(*mover.centre_studs, mover.heading_deg).on_field((ahead_studs, out))
    prize = replace(prize, heading_deg=mover.heading_deg, speed=mover.speed)
    return replace(prize, x_studs=x, y_studs=y)


def _pivot(rng: Rng, spread_studs: float) -> Point:
    x, y = rng.uniform(-spread_studs, spread_studs, 2).tolist()
    return x, y


def _shapes(rng: Rng) -> _Drawn:
    """Give the mover of a course, and the decor around it, outlines of any form."""
    scene, _ = random_course(rng, SceneKind.COURSE)
    things: list[Thing] = [replace(scene.mover, parts=random_parts(rng, 5.0)), *scene.units]
    things += [one for one in scene.vehicles if one not in scene.moving]
    for one in scene.decor:
        form = Fixture(one.id, (), parts=random_parts(rng, rng.uniform(1, 6)))
        things.append(shifted(form, one.prism.circle_studs[:2]))
    return [shifted(one, (50.0, 50.0)) for one in things], [], scene.course


def _form(rng: Rng) -> _Drawn:
    """Place something of any form where the way ends, or beside the lane."""
    lane, depth = Lane(_mover(rng)), near(rng)
    form, distance = Fixture("form", (), parts=random_parts(rng, 4.0)), lane.length_studs - depth
    known = Known("form", is_hit=depth > TOLERANCE)
    if rng.integers(2):
        return [lane.mover, lane.beside(rng, form, -depth)], [known], ()
    known = replace(known, at=distance if known.is_hit else None)
    return [lane.mover, lane.in_front(rng, form, distance)], [known], ()


def _court(rng: Rng) -> _Drawn:
    """Let the way end at the end of a courtyard, or of a dead end, as wide as the mover or nearly."""
    lane, depth = Lane(_mover(rng)), near(rng)
    (length, width), gap = lane.half_studs, pick(rng, (abs(near(rng)), rng.uniform(0.1, 3)))
    distance, back, side = lane.length_studs - depth, -length - rng.uniform(0.5, 9), width + gap
    end, frame = length + distance, Pose(*lane.mover.centre_studs, lane.mover.heading_deg)
    inner, outer = (
        [(x, y) for x, y in map(frame.on_field, ((a, -b), (c, -b), (c, b), (a, b)))]
        for a, b, c in ((back, side, end), (back - 2, side + 3, end + 2))
    )
    dead_end = (*inner, *(frame.on_field((back, y)) for y in (side + 3, -side - 3)))
    court = Fixture("court", (), parts=(Part((tuple(outer), tuple(inner))),))
    if rng.integers(2):
        spots = (
            outer[1],
            outer[2],
            dead_end[4],
            inner[3],
            inner[2],
            inner[1],
            inner[0],
            dead_end[5],
        )
        court = Fixture("court", spots)
    known = Known("court", True, distance) if depth > TOLERANCE else Known("court", is_hit=False)
    return [lane.mover, court], [known], ()


def _trajectory(rng: Rng) -> tuple[TimedPiece, ...]:
    """Return one to three pieces: straight on, drifts, turns, waiting."""
    found: list[TimedPiece] = []
    for kind in rng.integers(4, size=rng.integers(1, 4)).tolist():
        piece: Piece = Straight(rng.uniform(3, 40), rng.uniform(0, 360) if kind == 1 else None)
        if kind == 2:
            piece = PivotTurn(pick(rng, (1, -1)) * rng.uniform(10, 200), _pivot(rng, 10.0))
        fast = 8.0 if kind == 2 else 1.0
        moves = TimedPiece(
            piece, fast * rng.uniform(2, 12), fast * pick(rng, (0.0, rng.uniform(0, 2)))
        )
        found.append(TimedPiece(None, wait_s=rng.uniform(0, 2)) if kind == 3 else moves)
    return tuple(found)


def _encounter(rng: Rng) -> _Drawn:
    """Let two vehicles of any form, 35 studs apart, go about; the first sets out towards the second."""
    mover, angle = _mover(rng), rng.uniform(0, 360)
    mover = replace(
        mover, speed=0, heading_deg=angle + rng.normal(0, 20), trajectory=_trajectory(rng)
    )
    out = TimedPiece(Straight(rng.uniform(10, 50)), rng.uniform(6, 12))
    mover = replace(mover, trajectory=(out, *mover.trajectory))
    x, y = Pose(*mover.centre_studs, angle).on_field((35.0, 0.0))
    other = replace(random_vehicle(rng, "other"), x_studs=x, y_studs=y, trajectory=_trajectory(rng))
    both = (
        replace(one, parts=random_parts(rng, 5.0) if rng.integers(2) else ())
        for one in (mover, other)
    )
    return [*both], [], ()


def _crossing(rng: Rng) -> _Drawn:
    """Let the second vehicle reach the lane of the first just when that has left it, or would overlap it tinily."""
    mover, other, depth = _mover(rng), random_vehicle(rng, "other"), near(rng)
    side, speed, slow, gap = (
        pick(rng, (1, -1)),
        rng.uniform(6, 12),
        rng.uniform(2, 6),
        rng.uniform(1, 5),
    )
    ahead = (mover.length_studs + other.width_studs) / 2
    # the first leaves while the second goes on: so deep they reach into each other at most
    when = (2 * ahead + gap - depth * (speed + slow) / slow) / speed
    aside = (other.length_studs + mover.width_studs) / 2 + slow * when
    x, y = Pose(*mover.centre_studs, mover.heading_deg).on_field((ahead + gap, -side * aside))
    other = replace(other, x_studs=x, y_studs=y, heading_deg=mover.heading_deg + side * 90.0)
    both = (
        replace(one, speed=0, trajectory=(TimedPiece(Straight(pace * when + 20.0), pace),))
        for one, pace in ((mover, speed), (other, slow))
    )
    known = Known("other", True, when) if depth > TOLERANCE else Known("other", is_hit=False)
    return [*both], [known], ()


def _far(rng: Rng, root: int, turn: int) -> RandomScene:
    """Move a scene of another kind to the far end of the largest field."""
    kind = pick(rng, _MOVED)
    one = random_scene(root, turn * len(IN_TURN) + IN_TURN.index(kind))
    shift = [LARGEST - 200.0 - by for by in rng.uniform(0, 1000, 2).tolist()]
    things = [shifted(thing, (shift[0], shift[1])) for thing in one.scene.things]
    scene = Scene.of(Bounds(LARGEST, LARGEST), "mover", things, scheme=one.scene.scheme)
    return RandomScene(turn, SceneKind.FAR, scene, one.known)


_DRAW: dict[SceneKind, Callable[[Rng], _Drawn]] = {
    SceneKind.SLIVER: _sliver,
    SceneKind.SEAM: _seam,
    SceneKind.FLUSH: _flush,
    SceneKind.LASHED: _lashed,
    SceneKind.SHAPES: _shapes,
    SceneKind.FORM: _form,
    SceneKind.COURT: _court,
    SceneKind.ENCOUNTER: _encounter,
    SceneKind.CROSSING: _crossing,
}
