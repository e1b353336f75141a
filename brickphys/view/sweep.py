"""Sweep: a compulsory move as geometry: the mover goes its way, and touches things one after the other."""

from collections.abc import Iterator, Sequence
from itertools import accumulate

import numpy as np

from brickphys.arrays import Array, Counts
from brickphys.geometry.pose import Pose
from brickphys.text import counted, spoken
from brickphys.units import PLATE_MM, STUD_MM
from brickphys.vehicles.collision import Collision
from brickphys.vehicles.course import Hit, PieceResult
from brickphys.vehicles.resolve import relative_speed
from brickphys.vehicles.scene import Scene, Vehicle
from brickphys.view.field import Body, bodies, ground, ruler, views
from brickphys.view.recording import Event, Mark, SceneRecording, Sign, Thing, Track, standing

STUDS_PER_S, DEG_PER_S = 12.5, 60.0
"""Speed at which a move is shown. It is geometry: the rule has no time."""
_BEFORE_MS, _AFTER_MS = 400, 800
_STEP_DEG = 3.0
"""Of a turn, between two poses that are kept."""
_WAY_COLOUR, _HIT_COLOUR = "white", "orange"


def sweep_recording(collision: Collision) -> SceneRecording:
    """Return the compulsory move of a scene as a recording."""
    scene, move = collision.scene, collision.move
    starts = _starts_ms(move.pieces)
    end_ms = starts[-1] + _AFTER_MS
    times, poses = _way(scene, move.pieces, starts)
    things = [
        ground(scene.bounds),
        *(_thing(scene, body, times, poses) for body in bodies(scene)),
    ]
    places = np.concatenate([_corners(scene, poses), *(_contact(hit)[None] for hit in move.hits)])
    return SceneRecording(
        title=f"{scene.mover_id} at speed {scene.mover.speed}",
        about=f"The move of {scene.mover_id}: {collision.wanted}; {move.ending}. Geometry only: no bodies, no time.",
        duration_ms=end_ms,
        speed=1.0,
        is_physical=False,
        things=tuple(things),
        events=tuple(_events(collision, starts)),
        views=tuple(views(scene, places)),
        marks=tuple(_marks(collision, poses, starts, end_ms)),
        ruler=ruler(scene.bounds),
    )


def _starts_ms(pieces: Sequence[PieceResult]) -> list[int]:
    """Return when each piece begins, and when the last one ends."""
    return list(accumulate((_lasting_ms(piece, piece.at) for piece in pieces), initial=_BEFORE_MS))


def _lasting_ms(piece: PieceResult, at: float) -> int:
    """Return how long it takes a piece to come so far."""
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


def _thing(scene: Scene, body: Body, times: Counts, poses: Sequence[Pose]) -> Thing:
    owner = body.id.partition("/")[0]
    moves = {scene.mover_id: scene.mover, **{one.id: one for one in scene.lashed_vehicles}}
    carrier = moves.get(body.id) or moves.get(owner)
    track = Track.fixed(body.pose) if carrier is None else _carried(carrier, times, poses)
    return Thing(body.id, body.shape, track, label=spoken(body.id), tag=body.tag)


def _carried(vehicle: Vehicle, times: Counts, poses: Sequence[Pose]) -> Track:
    """Return the track of the mover, or of a vehicle that is lashed to it, with its frame."""
    ahead_left = poses[0].in_frame(vehicle.centre_studs)
    turn = vehicle.heading_deg - poses[0].heading_deg
    rows = []
    for pose in poses:
        x, y = pose.on_field(ahead_left)
        rows.append(standing(x * STUD_MM, y * STUD_MM, 0.0, pose.heading_deg + turn))
    return Track(times, np.array(rows))


def _corners(scene: Scene, poses: Sequence[Pose]) -> Array:
    """Return the corners of the mover at its start and its end, shape (n, 3), in mm."""
    half_length, half_width = scene.mover.length_studs / 2, scene.mover.width_studs / 2
    found = [
        (*(STUD_MM * value for value in pose.on_field((a * half_length, b * half_width))), height)
        for pose in (poses[0], poses[-1])
        for a in (-1, 1)
        for b in (-1, 1)
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


def _events(collision: Collision, starts: Sequence[int]) -> Iterator[Event]:
    scene, move = collision.scene, collision.move
    yield Event(
        0, "Start", f"{scene.mover_id} at speed {scene.mover.speed}. Its move: {collision.wanted}."
    )
    for number, (hit, told) in enumerate(
        zip(move.hits, collision.document()["hits"], strict=True), start=1
    ):
        after = (
            f"{hit.at:.1f} studs"
            if hit.turned_deg is None
            else f"{abs(hit.turned_deg):.1f} degrees"
        )
        sector = f", in its {told['sector']} sector" if told["sector"] else ""
        bricks = counted(relative_speed(scene.mover, hit, scene.scheme), "brick")
        text = f"After {after} {told['struck_by']} touches {hit.id}{sector}: {bricks} to resist."
        yield Event(_at_ms(hit, move.pieces, starts), f"Hit {number}", text)
    yield Event(starts[-1], "End", f"{scene.mover_id}: {move.ending}.")


def _marks(
    collision: Collision, poses: Sequence[Pose], starts: Sequence[int], end_ms: int
) -> Iterator[Mark]:
    """Yield the way of the mover's middle, and a star for each hit from its time on."""
    way = tuple((x * STUD_MM, y * STUD_MM, 0.6) for x, y, _ in poses)
    if len(set(way)) > 1:
        yield Mark(Sign.WAY, 0, end_ms + 1, tuple(dict.fromkeys(way)), _WAY_COLOUR, 1.2)
    for number, hit in enumerate(collision.move.hits, start=1):
        at_ms = _at_ms(hit, collision.move.pieces, starts)
        (x, y, z) = _contact(hit).tolist()
        yield Mark(Sign.HIT, at_ms, end_ms + 1, ((x, y, z),), _HIT_COLOUR, 6.0, f"hit {number}")
