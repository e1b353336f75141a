"""Throw: a throw of bricks as it was computed, with its energy, and other throws of the same run at rest.

The floor is the table, baseplate or tray on which bodies fall. Other throws lie in rows by their poses.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import cycle, product
from typing import Any

import numpy as np

from brickphys.calibration.throw import Throws
from brickphys.calibration.throwers import ThrowCell, ThrowChunk, released
from brickphys.engines.engine import ENERGY_SLACK_MM, Engine
from brickphys.engines.recording import LONGEST_S, ThrowRecording, record_each
from brickphys.engines.registry import engine
from brickphys.text import counted, percent, percent_range, spoken
from brickphys.throws.faces import face_map
from brickphys.throws.flight import down, energy_height_mm, rotate
from brickphys.throws.release import STUD_HEIGHT_MM, Floor
from brickphys.units import GRAVITY_M_S2, STUD_MM, Array, Counts, Triple
from brickphys.view.models import thrown, torso
from brickphys.view.recording import (
    Event,
    Gauge,
    SceneMark,
    SceneRecording,
    SceneShape,
    SceneSurface,
    SceneTrack,
    Sign,
    Thing,
    Viewpoint,
    box_around,
    standing,
)
from brickphys.view.solids import POSES, board, box, grid, merged, stud

_AROUND_MM = 96.0
"""Margin of the floor around the bodies."""
_TABLE, _EDGE, _PLATE = "#dcc6a0", "#8c6b47", "#4f9a5b"
_FINE, _GRID = "#cdb58c", "#94794f"
"""Lines of every stud, and of every fourth."""
_STUD = "#56a362"
_THICK_MM, _WALL_MM, _WALL_HEIGHT_MM = 8.0, 6.0, 30.0
_MOST_STUDS = 6000


def floor_things(places_mm: Array, floor: Floor) -> Iterator[Thing]:
    """Yield the floor under bodies at some places, shape (n, 3), with a grid in studs or with its studs."""
    low, high = _extent(places_mm[:, :2], floor)
    if not floor.studs:
        surfaces = [
            *board(low, high, _TABLE, _EDGE, _THICK_MM),
            grid(low, high, STUD_MM, 0.02, _FINE),
            grid(low, high, 4 * STUD_MM, 0.03, _GRID),
        ]
        if floor.inside_mm is not None:
            surfaces += _walls(floor.inside_mm / 2)
        yield _fixed("floor", SceneShape("floor", merged(surfaces)), 0.0)
        return
    plate = merged(board(low, high, _PLATE, _PLATE, _THICK_MM))
    yield _fixed("floor", SceneShape("floor", plate), -STUD_HEIGHT_MM)
    columns, rows = (np.arange(a + STUD_MM / 2, b, STUD_MM) for a, b in zip(low, high, strict=True))
    places = np.array(list(product(columns, rows)))
    copies = np.column_stack([places, np.zeros((len(places), 4)), np.ones(len(places))])
    track = SceneTrack.fixed(standing(0.0, 0.0, -STUD_HEIGHT_MM))
    yield Thing("studs", stud(_STUD), track, copies_mm=copies)


def _fixed(name: str, shape: SceneShape, height_mm: float) -> Thing:
    return Thing(name, shape, SceneTrack.fixed(standing(0.0, 0.0, height_mm)))


def _extent(places: Array, floor: Floor) -> tuple[list[float], list[float]]:
    """Return the corners of the floor, at whole studs, not so large that it has too many studs."""
    low, high, around = places.min(axis=0), places.max(axis=0), _AROUND_MM
    if floor.inside_mm is not None:
        low, high = np.minimum(low, -floor.inside_mm / 2), np.maximum(high, floor.inside_mm / 2)
    if floor.studs:
        while np.prod((high - low + 2 * around) / STUD_MM) > _MOST_STUDS and around > 2 * STUD_MM:
            around /= 2
    least = 4 * STUD_MM * np.floor((low - around) / STUD_MM / 4)
    most = 4 * STUD_MM * np.ceil((high + around) / STUD_MM / 4)
    return least.tolist(), most.tolist()


def _walls(half: float) -> list[SceneSurface]:
    """Return the walls of a tray, of glass, so that one sees through them."""
    far = half + _WALL_MM
    sides = (
        ((-far, -far), (far, -half)),
        ((-far, half), (far, far)),
        ((-far, -half), (-half, half)),
        ((half, -half), (far, half)),
    )
    return [box((*low, 0.0), (*high, _WALL_HEIGHT_MM), "glass") for low, high in sides]


MOST_SETTLED = 120
_SETTLED_COLUMNS, _ALWAYS_MS = 15, 10**9
_SETTLED_APART = 2.3
"""Distance between two bodies, in the largest distance of a corner from the middle."""


def settled_rows(cell: ThrowCell, root: int, hands: int) -> dict[str, Array]:
    """Return the bodies of the first hands of a cell, `MOST_SETTLED` at most, by the names of their poses.

    They have the places in mm and quaternions, shape (n, 7), when nothing moves any more, or after 8 s.
    """
    count = min(hands, max(1, MOST_SETTLED // cell.conditions.bricks))
    chosen, body = engine(cell.engine), cell.body
    states, wanted = released(root, ThrowChunk(cell, 0, count))
    landing = chosen.land(body, cell.contact, states, cell.floor)[wanted]
    rest = _until_rest(chosen).land(body, cell.contact, states, cell.floor)[wanted].states
    poses = np.concatenate([rest.position_mm, rest.quaternion], axis=-1)
    rows = {name: poses[landing.pose == number] for number, name in enumerate(landing.poses)}
    return {name: row for name, row in rows.items() if len(row)}


def _until_rest(engine: Any) -> Engine:
    """Return an engine of recordings that goes on until nothing moves, not only until the poses are decided."""
    settings = replace(engine.settings, by_energy=False, limit_s=LONGEST_S)
    patient: Engine = replace(engine, settings=settings)
    return patient


def settled_things(
    rows: Mapping[str, Array], shape: SceneShape, corner_mm: Triple, from_ms: int
) -> list[Thing]:
    """Return bodies at rest side by side from a corner on towards -y, a block for each pose, seen from a time on.

    They are moved by whole studs, so that on studs each lies as it does there.
    """
    apart = _apart_mm(shape)
    things, x, y = list[Thing](), _whole_studs(corner_mm[0]), _whole_studs(corner_mm[1])
    for number, (pose, row) in enumerate(rows.items()):
        count, places = len(row), row.copy()
        order = np.arange(count)
        places[:, :2] %= STUD_MM
        places[:, 0] += apart * (order % _SETTLED_COLUMNS)
        places[:, 1] -= apart * (order // _SETTLED_COLUMNS)
        colour, name = POSES[number % len(POSES)], f"settled {pose}"
        label, shown_ms = f"{spoken(pose)}: {count}", ((from_ms, _ALWAYS_MS),)
        track, own = SceneTrack.fixed(standing(x, y)), torso(colour)
        things.append(Thing(name, shape, track, "", label, colour, own, shown_ms, places))
        y -= apart * (-(-count // _SETTLED_COLUMNS) + 0.5)
    return things


def _apart_mm(shape: SceneShape) -> float:
    reach = max(float(np.linalg.norm(one.points_mm, axis=1).max()) for one in shape.surfaces)
    return -_whole_studs(-_SETTLED_APART * reach)


def _whole_studs(length_mm: float) -> float:
    return STUD_MM * float(np.floor(length_mm / STUD_MM))


EVERY_S = 0.008
"""Time between two poses of a recorded throw."""
SPEED = 0.25
_COLOURS = ("red", "#0a4f8f", "yellow", "green", "white", "orange", "black", "sand_green")
_REST_MS = 1200
"""Time for which the bodies at rest are shown at the end."""
_MARGIN_MM = 64.0
_JUMP_M_S = 0.03
"""Change of velocity between two poses, beyond that by gravity, that counts as a touch."""
_MOST_TOUCHES, _TOLD_TOUCHES = 60, 8
_MARK_MS, _MARK_MM = 250, 7.0
CONTACT_COLOUR = "#fe801c"


def throw_recording(throws: Throws) -> SceneRecording:
    """Return the first throw of some as a recording, and beside it the first ones at rest, by their poses.

    InvalidValueError if the engine records no throws: only the compiled one and Bullet do.
    """
    cell, many = throws.cell, throws.tally.hands
    first, about = recorded(cell, throws.seed), _about(cell, throws.place, throws.seed)
    if many == 1:
        return _recording(first, cell, f"{cell.shape}: one throw", about)
    rows = settled_rows(cell, throws.seed, many)
    end_ms = times_ms(first.moving, EVERY_S)[-1].item()
    settled = settled_things(rows, thrown(cell.body), _beside(first.moving, cell), end_ms)
    shares = Event(end_ms + _REST_MS // 2, "All throws", _shares(throws, rows))
    title = f"{cell.shape}: the first of {counted(many, 'throw')}"
    return _recording(first, cell, title, about, settled, [shares])


def hand_recording(cell: ThrowCell, root: int, hand: int) -> SceneRecording:
    """Return one hand of a cell, counted from 0, as a recording; InvalidValueError as `throw_recording`."""
    title = f"{cell.shape}: hand {hand:,}, counted from 0"
    about = _about(cell, f"the floor {cell.floor.name}", root)
    return _recording(recorded(cell, root, hand), cell, title, about)


def _recording(
    first: ThrowRecording,
    cell: ThrowCell,
    title: str,
    about: str,
    settled: Sequence[Thing] = (),
    last: Sequence[Event] = (),
) -> SceneRecording:
    """Return a hand with what lies beside it in the end, and the events of that."""
    poses, times = first.moving, times_ms(first.moving, EVERY_S)
    end_ms, shape, colours = int(times[-1]), thrown(cell.body), cycle(_COLOURS)
    touches = contacts(first, poses, times)
    rest = Event(end_ms, "At rest", f"After {end_ms / 1000:.2f} s: {first.result}.")
    events = [*_course(first, times, touches, cell), rest, *last]
    return SceneRecording(
        title=title,
        about=about,
        duration_ms=end_ms + _REST_MS,
        speed=SPEED,
        is_physical=True,
        things=(
            *floor_things(_places(poses, settled), cell.floor),
            *(
                moving_body(f"body {n}", shape, times, way, next(colours), f"body {n + 1}")
                for n, way in enumerate(poses.swapaxes(0, 1))
            ),
            *settled,
        ),
        events=tuple(sorted(events, key=lambda event: event.at_ms)),
        views=tuple(_views(poses, settled, cell, end_ms)),
        marks=tuple(
            SceneMark(Sign.HIT, at, at + _MARK_MS, (place,), CONTACT_COLOUR, _MARK_MM)
            for at, place in touches
        ),
        gauges=tuple(_gauges(first, times, cell)),
    )


def times_ms(poses: Array, every_s: float) -> Counts:
    """Return the times of poses that are recorded at even intervals."""
    return round(1000 * every_s) * np.arange(len(poses), dtype=np.int64)


def moving_body(
    name: str, shape: SceneShape, times: Counts, poses: Array, colour: str, label: str = ""
) -> Thing:
    """Return a thrown body of one colour, given its times and its poses, shape (frames, 7)."""
    return Thing(name, shape, SceneTrack(times, poses), label=label, colours=torso(colour))


def recorded(cell: ThrowCell, root: int, hand: int = 0) -> ThrowRecording:
    """Return a hand of a cell, the first one by default, from its release on."""
    return next(recordings(root, ThrowChunk(cell, hand, 1), EVERY_S))


def recordings(root: int, chunk: ThrowChunk, every_s: float) -> Iterator[ThrowRecording]:
    """Yield the hands of a chunk, each on the very trajectory that `brickphys.calibration.throwers.land` counts.

    InvalidValueError as `throw_recording`.
    """
    cell = chunk.cell
    states, wanted = released(root, chunk)
    yield from record_each(
        engine(cell.engine), cell.body, cell.contact, states, every_s, cell.floor, wanted
    )


def _about(cell: ThrowCell, place: str, seed: int) -> str:
    bricks = cell.conditions.bricks
    many = "One body" if bricks == 1 else f"{bricks} together"
    return (
        f"{many}, preset {cell.conditions.preset}, on {place} (friction {cell.contact.friction:g}, "
        f"restitution {cell.contact.restitution:g}), engine {cell.engine}, seed {seed}. "
        "The lines of the grid are a stud, 8 mm, apart. Orange stars are contact points."
    )


def _shares(throws: Throws, rows: Mapping[str, Array]) -> str:
    tally, shown = throws.tally, sum(map(len, rows.values()))
    counts = {spoken(pose): count for pose, count in throws.counts.items() if count}
    shares = ", ".join(f"{pose} {percent(n / tally.bricks)}" for pose, n in counts.items())
    text = f"{counted(tally.bricks, 'body', 'bodies')}: {shares}."
    if throws.ci95 is not None:
        scored = " or ".join(map(spoken, throws.scoring)).capitalize()
        text += f" {scored}: {percent_range(*throws.ci95)} (95 % interval)."
    return f"{text} The first {shown} lie beside the throw, in rows by their poses."


def contacts(recording: ThrowRecording, poses: Array, times: Counts) -> list[tuple[int, Triple]]:
    """Return when a body begins to touch something, in ms, and its lowest corner then.

    Between two poses that are not in free flight its velocity changes by more than the weight explains. The poses that
    are shown have the shape (frames, k, 7), their times in ms (frames,).
    """
    speeds = recording.states.velocity_m_s[: len(times)]
    fall = np.array([0.0, 0.0, GRAVITY_M_S2 * recording.every_s])
    change = np.diff(speeds, axis=0) + fall
    touches = np.linalg.norm(change, axis=-1) > _JUMP_M_S
    begins = touches & ~np.vstack([np.zeros((1, touches.shape[1]), dtype=bool), touches[:-1]])
    found = []
    for frame, body in np.argwhere(begins).tolist():
        ends = [_lowest(recording, poses[number, body]) for number in (frame, frame + 1)]
        x, y, z = min(ends, key=lambda corner: corner[2])
        height = max(z, 0.0) if poses.shape[1] > 1 else 0.0  # a single body touches the floor
        found.append((int(times[frame + 1]), (x, y, height)))
    return found[:_MOST_TOUCHES]


def _lowest(recording: ThrowRecording, pose: Array) -> Triple:
    corners = rotate(pose[3:], recording.body.vertices_mm) + pose[:3]
    x, y, z = corners[corners[:, 2].argmin()].tolist()
    return x, y, z - recording.body.edge_radius_mm


def _course(
    recording: ThrowRecording,
    times: Counts,
    touches: Sequence[tuple[int, Triple]],
    cell: ThrowCell,
) -> Iterator[Event]:
    """Yield the release, the first touches, and when the pose of a single body is decided."""
    start = recording.states[0]
    height = start.position_mm[:, 2].mean()
    speed = np.linalg.norm(start.velocity_m_s, axis=1).mean()
    spin = np.linalg.norm(start.spin_rad_s, axis=1).mean()
    mean = "" if len(start) == 1 else " on average"
    text = f"Let go {height:.0f} mm over the floor, at {speed:.2f} m/s and {spin:.0f} rad/s{mean}."
    yield Event(0, "In the air", text)
    for number, (ms, _) in enumerate(touches[:_TOLD_TOUCHES], start=1):
        yield Event(ms, "On the floor", f"Touch {number}, after {ms / 1000:.2f} s.")
    if cell.floor.is_plane and (decided := _decided(recording)) is not None:
        ms = int(times[min(decided, len(times) - 1)])
        why = f"it has too little energy to leave the pose {spoken(recording.poses[0])}"
        yield Event(ms, "On the floor", f"Decided after {ms / 1000:.2f} s: {why}.")


def _decided(recording: ThrowRecording) -> int | None:
    """Return the frame from which a single body on a plane cannot leave its pose any more; None if there is none."""
    if len(recording.poses) > 1:
        return None
    energy, barrier = _energies(recording)
    below = energy < barrier - ENERGY_SLACK_MM
    return int(below.argmax()) if below.any() else None


def _energies(recording: ThrowRecording) -> tuple[Array, Array]:
    """Return the energy of a single body and the barrier of the basin in which it is, as heights in mm."""
    states = recording.states[:, 0]
    basin = face_map(recording.body).decide(down(states.quaternion))
    return energy_height_mm(recording.body, states), basin.barrier_height_mm


def _gauges(recording: ThrowRecording, times: Counts, cell: ThrowCell) -> Iterator[Gauge]:
    """Yield the energy of a single body on a plane against the barrier of its pose."""
    if len(recording.poses) > 1 or not cell.floor.is_plane:
        return
    energy, barrier = (values[: len(times)] for values in _energies(recording))
    if np.isfinite(barrier).all():
        when, values, limit = (tuple(one.tolist()) for one in (times, energy, barrier))
        yield Gauge("energy", "mm", when, values, limit, "barrier")


def _beside(poses: Array, cell: ThrowCell) -> Triple:
    """Return where the rows of bodies at rest begin: in front of the throw, and of the tray if it is in one."""
    x, y = poses[-1, :, 0].mean() - 10 * cell.body.radius_mm, poses[..., 1].min()
    if cell.floor.inside_mm is not None:
        x, y = -cell.floor.inside_mm / 2, -cell.floor.inside_mm / 2
    return float(x), float(y) - _MARGIN_MM - 2 * cell.body.radius_mm, 0.0


def _views(
    poses: Array, settled: Sequence[Thing], cell: ThrowCell, end_ms: int
) -> Iterator[Viewpoint]:
    reach = cell.body.radius_mm
    low, high = box_around(poses[..., :3], reach)
    low = (low[0], low[1], 0.0)
    way = poses[-1, 0, :2] - poses[0, 0, :2]
    side = float(np.degrees(np.arctan2(way[1], way[0]))) - 90.0
    close = box_around(poses[0, :, :3], 3.5 * reach)
    yield Viewpoint("the whole throw", side + 12.0, 16.0, low, high)
    yield Viewpoint("with the bodies", side + 12.0, 18.0, *close, follows="body 0")
    stop = box_around(poses[-1, :, :3], 3.0 * reach)
    yield Viewpoint("where it stops", side + 25.0, 28.0, *stop, from_ms=int(0.7 * end_ms))
    yield Viewpoint("from above", side, 89.0, low, high)
    if settled:
        rests = box_around(_places(poses[-1:, :0], settled), 2 * reach)
        yield Viewpoint("all at rest", -90.0, 50.0, *rests, from_ms=end_ms + _REST_MS // 2)


def _places(poses: Array, settled: Sequence[Thing]) -> Array:
    """Return all places of the throw and of the bodies at rest, shape (n, 3)."""
    rests = [
        one.track.poses[:, :3] + one.copies_mm[:, :3]
        for one in settled
        if one.copies_mm is not None
    ]
    return np.concatenate([poses[..., :3].reshape(-1, 3), *rests])
