"""Collision: the compulsory move of a vehicle on its field, as geometry and as rigid bodies.

What stands on the field is shown as models, or as blocks over the footprints.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, product

import numpy as np

from brickphys.geometry.polygon import Polygon
from brickphys.geometry.pose import Pose
from brickphys.rules.scene import Way, swept_by
from brickphys.shapes.assembly import assembly
from brickphys.text import counted, spoken
from brickphys.units import PLATE_MM, STUD_MM, Array, Counts
from brickphys.vehicles.collision import Collision
from brickphys.vehicles.course import Hit, PieceResult, relative_speed
from brickphys.vehicles.crash import FIGURE, block, place, riders
from brickphys.vehicles.crash_outcome import Crash, Impact, aftermath_text, last_moving_frame
from brickphys.vehicles.scene import Bounds, Scene, ThingType, Unit
from brickphys.vehicles.scene import Thing as SceneThing
from brickphys.view.models import model
from brickphys.view.recording import (
    Event,
    Ruler,
    SceneMark,
    SceneRecording,
    SceneShape,
    SceneTrack,
    Sign,
    Thing,
    Viewpoint,
    box_around,
    standing,
)
from brickphys.view.signs import way_signs
from brickphys.view.solids import board, courses, grid, merged, moved, prism, shown_players, stud

_GROUND, _EDGE, _LINES = "#79a866", "#8c6b47", "#5f8a50"
_MOVER, _VEHICLE = shown_players(("blue", "red"))
TAGS = {ThingType.UNIT: "#fac80a", ThingType.DECOR: "#8d8d88", ThingType.VEHICLE: _VEHICLE}
_THICK_MM = 12.0
_MOST_LINES, _MOST_STUDS = 300, 200
_ROOM_MM = 6 * STUD_MM
WHOLE_FIELD = "the whole field"
"""Name of the view that shows all of it."""
_FIELD = ""
"""Its id: no thing of a scene has an empty one."""


def bodies(scene: Scene) -> Iterator[Thing]:
    """Yield what stands on a field, as it is at the start: the mover first, and exposed crew after all things."""
    things = [scene.mover, *(thing for thing in scene.things if thing is not scene.mover)]
    for thing in things:
        tag = _MOVER if thing is scene.mover else TAGS[thing.type]
        yield _placed(thing.id, _shape(thing, tag), thing, tag)
    for thing in things:
        for name, _ in riders(thing):
            shape = _lifted(name, thing.top_plates - assembly(name.partition("/")[0]).top_plates)
            yield _placed(f"{thing.id}/{name.partition('/')[2]}", shape, thing)


def _placed(name: str, shape: SceneShape, thing: SceneThing, tag: str = "") -> Thing:
    found = block(thing)
    track = SceneTrack.fixed(standing(*found.position_mm, 0.0, found.heading_deg))
    return Thing(name, shape, track, label=spoken(name), tag=tag)


def _shape(thing: SceneThing, colour: str) -> SceneShape:
    """Return the looks of a thing in its own frame: its model, or a block with the joints of its bricks and studs."""
    name = thing.model or (FIGURE if isinstance(thing, Unit) else None)
    if name is not None:
        return _lifted(name, thing.bottom_plates - assembly(name).bottom_plates)
    low, high = thing.bottom_plates * PLATE_MM, thing.top_plates * PLATE_MM
    outline = block(thing).outline_mm
    joints = courses(outline, low, high, "black")
    studs = [moved(stud(colour).surfaces[0], (*at, high)) for at in _inside(outline).tolist()]
    surfaces = [prism(outline, low, high, colour), *([joints] if joints else []), *studs]
    if thing.shape:  # in parts, without bricks
        centre, heading = place(thing)
        surfaces = [
            prism(
                Polygon(one.ring_studs - centre).turned((0.0, 0.0), -heading).vertices_studs
                * STUD_MM,
                low,
                high,
                colour,
            )
            for one in thing.body
        ]
    return SceneShape(f"block of {thing.id}", merged(surfaces))


def _lifted(name: str, plates: float) -> SceneShape:
    built = model(name)
    if not plates:
        return built
    up = (0.0, 0.0, plates * PLATE_MM)
    return SceneShape(f"{name} up {plates:g}", tuple(moved(one, up) for one in built.surfaces))


def _inside(outline_mm: Array) -> Array:
    """Return where whole studs are on a block, shape (n, 2); none on one that is very large."""
    low, high = outline_mm.min(axis=0), outline_mm.max(axis=0)
    counts = np.floor((high - low) / STUD_MM + 1e-9)
    if not 0 < counts.prod() <= _MOST_STUDS:
        return np.empty((0, 2))
    axes = [
        middle + STUD_MM * (np.arange(count) - (count - 1) / 2)
        for middle, count in zip((low + high) / 2, counts, strict=True)
    ]
    places = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2)
    plan = Polygon(outline_mm)
    reach = places @ plan.normals.T
    return places[(reach <= plan.offsets_studs - 0.3 * STUD_MM).all(axis=1)]


def ground(bounds: Bounds) -> Thing:
    """Return the field as a board, with lines one stud apart, or farther apart on a large field."""
    size = (bounds.width_studs * STUD_MM, bounds.height_studs * STUD_MM)
    cell = STUD_MM
    while sum(size) / cell > _MOST_LINES:
        cell *= 4
    surfaces = [
        *board((0.0, 0.0), size, _GROUND, _EDGE, _THICK_MM),
        grid((0.0, 0.0), size, cell, 0.03, _LINES),
    ]
    return Thing(
        _FIELD, SceneShape("field", merged(surfaces)), SceneTrack.fixed(standing(0.0, 0.0))
    )


def _ruler(bounds: Bounds) -> Ruler:
    """Return how the places of a field are named: in studs; headings are degrees."""
    return Ruler(STUD_MM, bounds.width_studs, bounds.height_studs, in_degrees=True)


def views(scene: Scene, places_mm: Array) -> Iterator[Viewpoint]:
    """Yield views of what happens at some places, shape (n, 3), over the shoulder of the mover and from above."""
    low, high = box_around(places_mm, _ROOM_MM)
    low, high = (*low[:2], 0.0), (*high[:2], max(high[2] - _ROOM_MM, 40.0))
    azimuth = -90.0 + (-25.0 if scene.mover.heading[0] >= 0 else 25.0)
    yield Viewpoint("from the side", azimuth, 28.0, low, high)
    yield Viewpoint("behind the mover", scene.mover.heading_deg + 180.0, 22.0, low, high)
    yield Viewpoint("from above", -90.0, 89.0, low, high)
    whole = (scene.bounds.width_studs * STUD_MM, scene.bounds.height_studs * STUD_MM, 40.0)
    yield Viewpoint(WHOLE_FIELD, azimuth, 40.0, (0.0, 0.0, 0.0), whole)


STUDS_PER_S, DEG_PER_S = 12.5, 60.0
"""Speed at which a move is shown. It is geometry: the rule has no time."""
_BEFORE_MS, _AFTER_MS = 400, 800
_STEP_DEG = 3.0
"""Of a turn, between two poses that are kept."""
_SWEPT = 4
"""Poses of a turn from one hull to the next."""


def sweep_recording(collision: Collision) -> SceneRecording:
    """Return the compulsory move of a scene as a recording."""
    scene, move = collision.scene, collision.move
    lasting = (_lasting_ms(piece, piece.at) for piece in move.pieces)
    starts = list(accumulate(lasting, initial=_BEFORE_MS))
    end_ms = starts[-1] + _AFTER_MS
    times, poses = _way(scene, move.pieces, starts)
    things = (_carried(scene, body, times, poses) for body in bodies(scene))
    places = np.concatenate([_corners(scene, poses), *(_contact(hit)[None] for hit in move.hits)])
    return SceneRecording(
        title=f"{scene.mover_id} at speed {scene.mover.speed}",
        about=f"The move of {scene.mover_id}: {collision.wanted}; {move.ending}. Geometry only: no bodies, no time.",
        duration_ms=end_ms,
        speed=1.0,
        is_physical=False,
        things=(ground(scene.bounds), *things),
        events=tuple(_rule_events(collision, starts)),
        views=tuple(views(scene, places)),
        marks=tuple(_marks(collision, poses, starts, end_ms)),
        ruler=_ruler(scene.bounds),
    )


def _lasting_ms(piece: PieceResult, at: float) -> int:
    return round(1000 * at / (STUDS_PER_S if piece.turned_deg is None else DEG_PER_S))


def _way(
    scene: Scene, pieces: Sequence[PieceResult], starts: Sequence[int]
) -> tuple[Counts, list[Pose]]:
    """Return the times of the mover's way in ms, and its poses then; a turn is cut into small steps."""
    times, poses = [0], [Pose(*scene.mover.centre_studs, scene.mover.heading_deg)]
    for piece, start_ms in zip(pieces, starts, strict=False):
        begin = poses[-1]
        steps = 1 if piece.turned_deg is None else max(1, int(np.ceil(piece.at / _STEP_DEG)))
        if start_ms > times[-1]:
            times.append(start_ms)
            poses.append(begin)
        for step in range(1, steps + 1):
            at = piece.at * step / steps
            now = start_ms + _lasting_ms(piece, at)
            if now > times[-1]:
                times.append(now)
                poses.append(piece.motion.pose(begin, at))
    return np.array(times), poses


def _carried(scene: Scene, body: Thing, times: Counts, poses: Sequence[Pose]) -> Thing:
    """Return a body as it goes with the mover, if it is that, lashed to it, or crew of either."""
    moves = {one.id: one for one in (scene.mover, *scene.lashed_vehicles)}
    vehicle = moves.get(body.id) or moves.get(body.id.partition("/")[0])
    if vehicle is None:
        return body
    ahead_left = poses[0].in_frame(vehicle.centre_studs)
    turn = vehicle.heading_deg - poses[0].heading_deg
    rows = []
    for pose in poses:
        x, y = pose.on_field(ahead_left)
        rows.append(standing(x * STUD_MM, y * STUD_MM, 0.0, pose.heading_deg + turn))
    return replace(body, track=SceneTrack(times, np.array(rows)))


def _corners(scene: Scene, poses: Sequence[Pose]) -> Array:
    """Return the corners of the mover at its start and its end, shape (n, 3), in mm."""
    half_length, half_width = scene.mover.length_studs / 2, scene.mover.width_studs / 2
    found = [
        (*(STUD_MM * value for value in pose.on_field((a * half_length, b * half_width))), height)
        for pose in (poses[0], poses[-1])
        for a, b in product((-1, 1), repeat=2)
        for height in (0.0, scene.mover.top_plates * PLATE_MM)
    ]
    return np.array(found)


def _contact(hit: Hit) -> Array:
    """Return where a hit is, in mm: in the middle of the heights that the two have in common."""
    x, y = hit.contact.point_studs
    height = hit.thing.prism.top_plates * PLATE_MM / 2
    return np.array([x * STUD_MM, y * STUD_MM, max(height, 0.0)])


def _at_ms(hit: Hit, pieces: Sequence[PieceResult], starts: Sequence[int]) -> int:
    return starts[hit.piece] + _lasting_ms(pieces[hit.piece], hit.at)


def _rule_events(collision: Collision, starts: Sequence[int]) -> Iterator[Event]:
    scene, move = collision.scene, collision.move
    start = f"{scene.mover_id} at speed {scene.mover.speed}"
    yield Event(0, "Start", f"{start}. Its move: {collision.wanted}.")
    hits = zip(move.hits, collision.document()["hits"], strict=True)
    for number, (hit, row) in enumerate(hits, start=1):
        way = f"{hit.at:.1f} studs"
        after = way if hit.turned_deg is None else f"{abs(hit.turned_deg):.1f} degrees"
        sector = f", in its {row['sector']} sector" if row["sector"] else ""
        bricks = counted(relative_speed(scene.mover, hit, scene.scheme), "brick")
        text = f"After {after} {row['struck_by']} touches {hit.id}{sector}: {bricks} to resist."
        yield Event(_at_ms(hit, move.pieces, starts), f"Hit {number}", text)
    yield Event(starts[-1], "End", f"{scene.mover_id}: {move.ending}.")


def _marks(
    collision: Collision, poses: Sequence[Pose], starts: Sequence[int], end_ms: int
) -> Iterator[SceneMark]:
    """Yield the way of the mover, what its hull sweeps over, and a star for each hit from its time on."""
    mover, hits = collision.scene.mover, collision.move.hits
    met = tuple((f"hit {n}", hit.contact.point_studs, "") for n, hit in enumerate(hits, start=1))
    course = (*poses[:-1:_SWEPT], poses[-1])
    way = Way(mover.id, mover.id, tuple(poses), met, swept_by(mover.prism.footprint, course))
    signs = [*way_signs(way)]
    for sign, places, colour, _ in signs[: len(signs) - len(hits)]:
        at = tuple(dict.fromkeys((x * STUD_MM, y * STUD_MM, 0.6) for x, y in places))
        if len(at) > 1:
            yield SceneMark(sign, 0, end_ms + 1, at, colour, 1.2)
    for hit, (sign, _, colour, text) in zip(hits, signs[len(signs) - len(hits) :], strict=True):
        at_ms, (x, y, z) = _at_ms(hit, collision.move.pieces, starts), _contact(hit).tolist()
        yield SceneMark(sign, at_ms, end_ms + 1, ((x, y, z),), colour, 6.0, text)


CRASH_SPEED = 0.25
_CRASH_AFTER_MS = 400
_STAR_MS = 300
"""Time for which the star of an impact is shown."""


def crash_recording(scene: Scene, crash: Crash) -> SceneRecording:
    """Return the crash of a scene as a recording, until nothing moves any more."""
    recording = crash.recording
    frames = last_moving_frame(crash) + 1
    times = round(1000 * recording.frame_s) * np.arange(frames)
    poses = recording.poses[:frames]
    end_ms = int(times[-1])
    things = [
        replace(body, track=SceneTrack(times, poses[:, number]))
        for number, body in enumerate(bodies(scene))
    ]
    moves = np.abs(poses - poses[0]).max(axis=(0, 2)) > 0
    places = poses[:, moves, :3].reshape(-1, 3) if moves.any() else poses[0, :, :3]
    return SceneRecording(
        title=f"{crash.mover_id} starts at {crash.speed_m_s:.2g} m/s",
        about=(
            f"Rigid bodies: {crash.mover_id} is driven for {crash.travelled_studs:.1f} studs; first impacts take "
            f"{crash.energy_lost_mj:.1f} of the {crash.energy_mj:.1f} mJ put in."
        ),
        duration_ms=end_ms + _CRASH_AFTER_MS,
        speed=CRASH_SPEED,
        is_physical=True,
        things=(ground(scene.bounds), *things),
        events=tuple(_impact_events(crash, end_ms)),
        views=tuple(views(scene, places)),
        marks=tuple(_mark(impact) for impact in crash.impacts if _ms(impact) <= end_ms),
        ruler=_ruler(scene.bounds),
    )


def _ms(impact: Impact) -> int:
    return round(1000 * impact.time_s)


def _impact_events(crash: Crash, end_ms: int) -> Iterator[Event]:
    yield Event(0, "Start", f"{crash.mover_id} starts at {crash.speed_m_s:.2g} m/s.")
    for impact in crash.impacts:
        speed = max(impact.closing_speed_m_s, 0.0)
        when = f"at {speed:.2f} m/s, after {impact.time_s:.2f} s"
        text = f"{impact.first} hits {impact.second} {when}."
        yield Event(min(_ms(impact), end_ms), "Impacts", text)
    after = aftermath_text(crash)
    yield Event(end_ms, "In the end", f"{after[:1].upper()}{after[1:] or 'Nothing was hit'}.")


def _mark(impact: Impact) -> SceneMark:
    x, y = (STUD_MM * value for value in impact.point_studs)
    at = (x, y, impact.height_plates * PLATE_MM)
    return SceneMark(Sign.HIT, _ms(impact), _ms(impact) + _STAR_MS, (at,), "orange", 5.0)
