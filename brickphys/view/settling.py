"""Settling: many throws at once, each along its own trajectory, until all lie in rows by their poses."""

from collections.abc import Iterator, Sequence

import numpy as np

from brickphys.arrays import Array, Counts
from brickphys.calibration.throw import Throws
from brickphys.calibration.throwers import ThrowCell, ThrowChunk
from brickphys.engines.recording import ThrowRecording
from brickphys.text import counted, spoken
from brickphys.throws.floors import PLANE, Floor
from brickphys.units import STUD_MM
from brickphys.view.colours import POSES
from brickphys.view.floor import floor_things
from brickphys.view.recording import Event, SceneRecording, Shape, Thing, Track, View, box_around
from brickphys.view.shapes.built import thrown, torso
from brickphys.view.throw import recordings

EVERY_S = 0.016
"""Time between two poses of a throw."""
SPEED = 0.5
MOST_BODIES = 100
_COLUMNS, _APART = 10, 2.4
"""Bodies in a line of a row; distance between two of them, in the largest distance of a corner from the middle."""
_REST_MS = 800


def settling_recording(throws: Throws) -> SceneRecording:
    """Return the first throws of some together, `MOST_BODIES` at most.

    Each hand goes the way that is counted, and is moved, once, to come to rest beside the others: single bodies in rows
    by their poses, hands of several one after the other.

    Parameters
    ----------
    throws
        What was thrown.

    Raises
    ------
    InvalidValueError
        If the engine records no throws: only the compiled one and Bullet do.
    """
    cell = throws.cell
    hands = list(settling(cell, throws.seed, throws.result.tally.hands))
    shape, shifts = thrown(cell.body), _places(cell, hands)
    every_ms = round(1000 * EVERY_S)
    things, ends, rests = list[Thing](), list[Array](), list[int]()
    for number, (hand, shift) in enumerate(zip(hands, shifts, strict=True)):
        poses = hand.moving.copy()
        poses[..., :2] += shift
        times = every_ms * np.arange(len(poses), dtype=np.int64)
        rests.append(int(times[-1]))
        ends.append(poses[-1])
        things += _bodies(number, hand, poses, times, shape, cell)
    places, end_ms = np.concatenate(ends)[:, :3], max(rests)
    low, high = box_around(places, 3 * cell.body.radius_mm)
    high = high[0], high[1], max(high[2], 60.0)
    return SceneRecording(
        title=f"{cell.shape}: {counted(len(hands), 'throw')} settle",
        about=f"{_about(cell)} on {throws.place}, engine {cell.engine}, seed {throws.seed}; {SPEED:g} times as fast.",
        duration_ms=end_ms + _REST_MS,
        speed=SPEED,
        is_physical=True,
        things=(*floor_things(places, _open(cell.floor)), *things),
        events=tuple(_events(hands, rests)),
        views=(
            View("all", -90.0, 50.0, low, high),
            View("from above", -90.0, 89.0, low, high),
            View("from the side", -90.0, 12.0, low, high),
        ),
    )


def settling(cell: ThrowCell, root: int, hands: int) -> Iterator[ThrowRecording]:
    """Yield the recordings of the first hands of a cell, of `MOST_BODIES` bodies at most."""
    count = min(hands, max(1, MOST_BODIES // cell.conditions.bricks))
    yield from recordings(root, ThrowChunk(cell, 0, count), EVERY_S)


def _about(cell: ThrowCell) -> str:
    bricks = cell.conditions.bricks
    if bricks == 1:
        return "Each is shown in its place among the bodies of its pose;"
    walls = "" if cell.floor.inside_mm is None else " (the walls of the tray are left out)"
    return f"Hands of {bricks}, each shown beside the others{walls};"


def _open(floor: Floor) -> Floor:
    """Return the floor that is shown: a tray holds one hand, not all."""
    return floor if floor.inside_mm is None else PLANE


def _places(cell: ThrowCell, hands: Sequence[ThrowRecording]) -> list[Array]:
    """Return by how much each hand is shifted along x and y, in whole studs."""
    middles = [hand.moving[-1, :, :2].mean(axis=0) for hand in hands]
    if cell.conditions.bricks == 1:
        apart = _APART * cell.body.radius_mm
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


def _bodies(
    number: int, hand: ThrowRecording, poses: Array, times: Counts, shape: Shape, cell: ThrowCell
) -> Iterator[Thing]:
    for body, pose in enumerate(hand.poses):
        yield Thing(
            f"body {number} {body}",
            shape,
            Track(times, poses[:, body]),
            colours=torso(pose_colour(cell, pose)),
        )


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
        found = [pose for number in still for pose in hands[number].poses]
        told = ", ".join(
            f"{found.count(pose)} {spoken(pose)}" for pose in dict.fromkeys(sorted(found))
        )
        text = f"{len(still)} of {len(hands)} lie still: {told}."
        yield Event(rests[still[-1]], "At rest", text)
