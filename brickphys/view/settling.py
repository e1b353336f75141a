"""Settling: many bodies in one scene until all are at rest.

- Throws of a series, each along its own trajectory, until all lie in rows by their poses.
- Two recordings side by side.
- The bricks of a roll of a game as they fell, and which of them were counted.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from brickphys.calibration.live import LiveHand
from brickphys.calibration.throw import Throws
from brickphys.calibration.throwers import ThrowCell, ThrowChunk
from brickphys.engines.recording import ThrowRecording
from brickphys.odds.roll import SIDE, Roll
from brickphys.rules.events import ChanceEvent
from brickphys.rules.rolls import OpposedRoll
from brickphys.text import counted, spoken
from brickphys.throws.release import PLANE
from brickphys.units import STUD_MM, Array, Triple
from brickphys.view.models import thrown
from brickphys.view.recording import (
    Event,
    SceneMark,
    SceneRecording,
    Sign,
    Thing,
    Viewpoint,
    box_around,
)
from brickphys.view.solids import POSES
from brickphys.view.throw import floor_things, moving_body, recordings, times_ms

EVERY_S = 0.016
"""Time between two poses of a throw."""
SPEED = 0.5
MOST_BODIES = 100
_COLUMNS, _APART = 10, 2.4
"""Bodies in a line of a row; distance between two of them, in the largest distance of a corner from the middle."""
_REST_MS = 800


def settling_recording(throws: Throws) -> SceneRecording:
    """Return the first throws of some together, `MOST_BODIES` bodies at most.

    Each hand goes the way that is counted, and is moved, once, to come to rest beside the others: single bodies in rows
    by their poses, hands of several one after the other. InvalidValueError if the engine records no throws: only the
    compiled one and Bullet do.
    """
    cell = throws.cell
    count = min(throws.tally.hands, max(1, MOST_BODIES // cell.conditions.bricks))
    hands = list(recordings(throws.seed, ThrowChunk(cell, 0, count), EVERY_S))
    shape, shifts = thrown(cell.body), _places(cell, hands)
    things, ends, rests = list[Thing](), list[Array](), list[int]()
    for number, (hand, shift) in enumerate(zip(hands, shifts, strict=True)):
        poses, times = hand.moving.copy(), times_ms(hand.moving, EVERY_S)
        poses[..., :2] += shift
        rests.append(int(times[-1]))
        ends.append(poses[-1])
        things += (
            moving_body(f"body {number} {n}", shape, times, poses[:, n], pose_colour(cell, pose))
            for n, pose in enumerate(hand.poses)
        )
    places, end_ms = np.concatenate(ends)[:, :3], max(rests)
    low, high = box_around(places, 3 * cell.body.radius_mm)
    high = high[0], high[1], max(high[2], 60.0)
    return SceneRecording(
        title=f"{cell.shape}: {counted(len(hands), 'throw')} settle",
        about=f"{_about(cell)} on {throws.place}, engine {cell.engine}, seed {throws.seed}; {SPEED:g} times as fast.",
        duration_ms=end_ms + _REST_MS,
        speed=SPEED,
        is_physical=True,
        things=(
            *floor_things(places, cell.floor if cell.floor.inside_mm is None else PLANE),
            *things,
        ),
        events=tuple(_events(hands, rests)),
        views=(
            Viewpoint("all", -90.0, 50.0, low, high),
            Viewpoint("from above", -90.0, 89.0, low, high),
            Viewpoint("from the side", -90.0, 12.0, low, high),
        ),
    )


def _about(cell: ThrowCell) -> str:
    bricks = cell.conditions.bricks
    if bricks == 1:
        return "Each is shown in its place among the bodies of its pose;"
    walls = "" if cell.floor.inside_mm is None else " (the walls of the tray are left out)"
    return f"Hands of {bricks}, each shown beside the others{walls};"


def _places(cell: ThrowCell, hands: Sequence[ThrowRecording]) -> list[Array]:
    """Return by how much each hand is shifted along x and y, in whole studs."""
    middles = [hand.moving[-1, :, :2].mean(axis=0) for hand in hands]
    if cell.conditions.bricks == 1:
        apart = _APART * cell.body.radius_mm + STUD_MM  # places are rounded to studs
        slots = _by_pose([hand.poses[0] for hand in hands], hands[0].landing.poses)
    else:
        reach = max(np.ptp(hand.moving[-1, :, :2], axis=0).max() for hand in hands)
        apart = float(reach) + _APART * cell.body.radius_mm
        columns = int(np.ceil(np.sqrt(len(hands))))
        slots = [(float(n % columns), float(n // columns)) for n in range(len(hands))]
    return [
        STUD_MM * np.round((apart * np.array([x, -y]) - middle) / STUD_MM)
        for (x, y), middle in zip(slots, middles, strict=True)
    ]


def _by_pose(poses: Sequence[str], order: Sequence[str]) -> list[tuple[float, float]]:
    """Return column and line of each body: a block for each pose."""
    line, slots = 0.0, {}
    for pose in order:
        numbers = [number for number, one in enumerate(poses) if one == pose]
        for place, number in enumerate(numbers):
            slots[number] = float(place % _COLUMNS), line + place // _COLUMNS
        line += -(-len(numbers) // _COLUMNS) + (0.6 if numbers else 0.0)
    return [slots[number] for number in range(len(poses))]


def pose_colour(cell: ThrowCell, pose: str) -> str:
    """Return the colour of the bodies that come to rest in a pose."""
    known = cell.body.poses
    return POSES[known.index(pose) % len(POSES)] if pose in known else POSES[-1]


def _events(hands: Sequence[ThrowRecording], rests: Sequence[int]) -> Iterator[Event]:
    """Yield the release, and how many lie in each pose when a quarter, half, ... and all are at rest."""
    yield Event(0, "Thrown", f"{counted(len(hands), 'throw')} begin.")
    order = np.argsort(rests, kind="stable").tolist()
    for share in (4, 2, 1):
        still = order[: max(1, len(hands) // share)]
        counts = Counter(pose for number in still for pose in hands[number].poses)
        poses = ", ".join(f"{counts[pose]} {spoken(pose)}" for pose in sorted(counts))
        text = f"{len(still)} of {len(hands)} lie still: {poses}."
        yield Event(rests[still[-1]], "At rest", text)


_GAP_MM = 6 * STUD_MM
_OTHER = "other"


def beside(one: SceneRecording, other: SceneRecording, names: tuple[str, str]) -> SceneRecording:
    """Return two recordings as one scene; the second is at the right of the first, and its gauges are left out.

    Their things have no parents; the names are for the story.
    """
    shift = (_extent(one)[1] - _extent(other)[0]) + _GAP_MM
    shift = STUD_MM * float(np.ceil(shift / STUD_MM))
    moved = [_moved_view(view, shift) for view in other.views]
    events = [
        Event(event.at_ms, event.heading, f"{name}: {event.text}")
        for name, recording in zip(names, (one, other), strict=True)
        for event in recording.events
    ]
    return SceneRecording(
        title=f"{one.title}: {names[0]}, and {names[1]}",
        about=f"Left: {names[0]}. {one.about} Right: {names[1]}. {other.about}",
        duration_ms=max(one.duration_ms, other.duration_ms),
        speed=one.speed,
        is_physical=True,
        things=(*one.things, *_moved(other, shift)),
        events=tuple(sorted(events, key=lambda event: event.at_ms)),
        views=tuple(_views(one, moved, names)),
        marks=(*one.marks, *(_moved_mark(mark, shift) for mark in other.marks)),
        gauges=one.gauges,
    )


def _extent(recording: SceneRecording) -> tuple[float, float]:
    """Return the least and the greatest x of what does not move: the ground, not what flies over it."""
    ends = [_span(thing) for thing in recording.things if len(thing.track.poses) == 1]
    return min(low for low, _ in ends), max(high for _, high in ends)


def _span(thing: Thing) -> tuple[float, float]:
    points = np.concatenate([surface.points_mm[:, 0] for surface in thing.shape.surfaces])
    copies = np.zeros(1) if thing.copies_mm is None else thing.copies_mm[:, 0]
    x = float(thing.track.poses[0, 0])
    return x + float(copies.min() + points.min()), x + float(copies.max() + points.max())


def _moved(recording: SceneRecording, shift: float) -> Iterator[Thing]:
    for thing in recording.things:
        poses: Array = thing.track.poses.copy()
        poses[:, 0] += shift
        yield replace(
            thing,
            id=f"{_OTHER} {thing.id}",
            shape=replace(thing.shape, name=f"{_OTHER} {thing.shape.name}"),
            track=replace(thing.track, poses=poses),
        )


def _moved_mark(mark: SceneMark, shift: float) -> SceneMark:
    return replace(mark, places_mm=tuple((x + shift, y, z) for x, y, z in mark.places_mm))


def _moved_view(view: Viewpoint, shift: float) -> Viewpoint:
    def moved(corner: Triple) -> Triple:
        return corner[0] + shift, corner[1], corner[2]

    follows = view.follows and f"{_OTHER} {view.follows}"
    return replace(view, low_mm=moved(view.low_mm), high_mm=moved(view.high_mm), follows=follows)


def _views(
    one: SceneRecording, moved: list[Viewpoint], names: tuple[str, str]
) -> Iterator[Viewpoint]:
    corners = [corner for view in (*one.views, *moved) for corner in (view.low_mm, view.high_mm)]
    yield Viewpoint("both", -90.0, 45.0, *box_around(corners))
    for name, views in zip(names, (one.views, moved), strict=True):
        yield from (replace(view, name=f"{name}: {view.name}", from_ms=None) for view in views[:2])


_ROLL_SPEED = 0.4
_ROLL_REST_MS = 500
"""Time for which the bricks are shown at rest, in their own time."""
_SIDES = ("attack", "defence")
_COLOURS = ("yellow", "#0a4f8f")
_COUNTED, _RING = "green", 1.5
"""Colour of the ring around a brick that is counted; its radius, in the largest distance of a corner."""
_ROLL_COLUMNS, _ROLL_APART, _ROLL_ROOM, _ROLL_HIGH_MM = 6, 2.6, 1.8, 40.0
"""Bricks side by side; from one to the next, and around all, in that distance; how high over the table one sees."""


def rolled_recording(event: ChanceEvent, hands: Sequence[LiveHand]) -> SceneRecording:
    """Return the hands of a roll of bricks, or of the attack's and the defence's, as a recording.

    A side without bricks has no hand. The bricks that lie on a side are ringed.
    """
    names, body = _names(event), hands[0].recording.body
    reach, shape = body.radius_mm, thrown(body)
    placed = list(_side_by_side(hands, reach))
    end_ms = max(int(times_ms(poses, EVERY_S)[-1]) for poses in placed)
    lying = np.concatenate([poses[-1, :, :3] for poses in placed])
    low, high = box_around(lying, _ROLL_ROOM * reach)
    things, marks = list[Thing](), list[SceneMark]()
    for name, colour, hand, poses in zip(names, _COLOURS, hands, placed, strict=False):
        times = times_ms(poses, EVERY_S)
        for number, way in enumerate(poses.swapaxes(0, 1), start=1):
            label = f"{name} {number}".strip()
            things.append(moving_body(f"brick {label}", shape, times, way, colour, label))
        marks += _rings(hand.roll, poses[-1], reach, (end_ms, end_ms + _ROLL_REST_MS))
    rolls = [hand.roll for hand in hands]
    outcome = _outcome(names, rolls)
    return SceneRecording(
        title="The bricks of a roll",
        about=outcome,
        duration_ms=end_ms + _ROLL_REST_MS,
        speed=_ROLL_SPEED,
        is_physical=True,
        things=(*floor_things(lying, PLANE), *things),
        events=(
            Event(0, "", _thrown(names, rolls, event.reason)),
            Event(end_ms, "", outcome),
        ),
        views=(Viewpoint("the roll", -90.0, 48.0, (*low[:2], 0.0), (*high[:2], _ROLL_HIGH_MM)),),
        marks=tuple(marks),
    )


def _names(event: ChanceEvent) -> list[str]:
    if not isinstance(event, OpposedRoll):
        return [""]
    bricks = zip(_SIDES, (event.attack, event.defence), strict=True)
    return [name for name, count in bricks if count]


def _side_by_side(hands: Sequence[LiveHand], reach: float) -> Iterator[Array]:
    """Yield the poses of each hand: every brick is moved, once, so that it comes to rest beside the others.

    They lie up to a metre apart: too far to be seen together.
    """
    apart, column = _ROLL_APART * reach, 0
    for hand in hands:
        poses = hand.recording.moving.copy()
        order = np.arange(poses.shape[1])
        columns = min(len(order), _ROLL_COLUMNS)
        places = np.column_stack([column + order % columns, -(order // columns)]) * apart
        poses[..., :2] += places - poses[-1, :, :2]
        column += columns + 1
        yield poses


def _rings(
    roll: Roll, poses: Array, reach: float, shown_ms: tuple[int, int]
) -> Iterator[SceneMark]:
    """Yield a ring on the table around each brick that lies on a side."""
    start_ms, stop_ms = shown_ms
    for pose, (x, y) in zip(roll.poses or (), poses[:, :2].tolist(), strict=True):
        if pose == SIDE:
            at = (x, y, 0.5)
            yield SceneMark(Sign.SPOT, start_ms, stop_ms + 1, (at,), _COUNTED, _RING * reach)


def _outcome(names: Sequence[str], rolls: Sequence[Roll]) -> str:
    text = _each(names, (f"{roll.score} of {roll.bricks} on a side" for roll in rolls))
    return f"{text[:1].upper()}{text[1:]}."


def _thrown(names: Sequence[str], rolls: Sequence[Roll], reason: str) -> str:
    text = _each(names, (counted(roll.bricks, "brick") for roll in rolls))
    what = reason.replace("_", " ") or "thrown"
    return f"{what[:1].upper()}{what[1:]}{'' if what.endswith('?') else ':'} {text}."


def _each(names: Sequence[str], parts: Iterable[str]) -> str:
    pairs = zip(names, parts, strict=True)
    return ", ".join(f"{name}: {part}" if name else part for name, part in pairs)
