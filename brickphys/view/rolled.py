"""Rolled: the bricks of a roll of a game as they fell, and which of them were counted."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from brickphys.arrays import Array
from brickphys.battles.live_rolls import LiveHand
from brickphys.odds.roll import SIDE, Roll
from brickphys.rules.events.bricks import OpposedRoll
from brickphys.rules.events.event import ChanceEvent
from brickphys.text import counted
from brickphys.throws.floors import PLANE
from brickphys.view.floor import floor_things
from brickphys.view.recording import (
    Event,
    Mark,
    SceneRecording,
    Sign,
    Thing,
    Track,
    View,
    box_around,
)
from brickphys.view.shapes.built import thrown, torso

EVERY_S = 0.016
"""Time between two poses of a brick."""
_SPEED = 0.4
_REST_MS = 500
"""Time for which the bricks are shown at rest, in their own time."""
_SIDES = ("attack", "defence")
_COLOURS = ("yellow", "#0a4f8f")
_COUNTED, _RING = "green", 1.5
"""Colour of the ring around a brick that is counted; its radius, in the largest distance of a corner."""
_COLUMNS, _APART, _ROOM, _HIGH_MM = 6, 2.6, 1.8, 40.0
"""Bricks side by side; from one to the next, and around all, in that distance; how high over the table one sees."""


def rolled_recording(event: ChanceEvent, hands: Sequence[LiveHand]) -> SceneRecording:
    """Return the hands of a roll as a recording; the bricks that lie on a side are ringed.

    Parameters
    ----------
    event
        What was rolled: a roll of bricks, or of the attack's and the defence's.
    hands
        The hands in that order; a side without bricks has none.
    """
    names = _names(event)
    reach = hands[0].recording.body.radius_mm
    placed = list(_side_by_side(hands, reach))
    rests = [len(poses) - 1 for poses in placed]
    every_ms = round(1000 * EVERY_S)
    end_ms = every_ms * max(rests)
    lying = np.concatenate([poses[-1, :, :3] for poses in placed])
    low, high = box_around(lying, _ROOM * reach)
    things, marks = list[Thing](), list[Mark]()
    for name, colour, hand, poses in zip(names, _COLOURS, hands, placed, strict=False):
        things += _bricks(name, colour, hand, poses, every_ms)
        marks += _rings(hand.roll, poses[-1], reach, (end_ms, end_ms + _REST_MS))
    rolls = [hand.roll for hand in hands]
    told = _told(names, rolls)
    return SceneRecording(
        title="The bricks of a roll",
        about=told,
        duration_ms=end_ms + _REST_MS,
        speed=_SPEED,
        is_physical=True,
        things=(*floor_things(lying, PLANE), *things),
        events=(
            Event(0, "", _thrown(names, rolls, event.reason)),
            Event(end_ms, "", told),
        ),
        views=(View("the roll", -90.0, 48.0, (*low[:2], 0.0), (*high[:2], _HIGH_MM)),),
        marks=tuple(marks),
    )


def _names(event: ChanceEvent) -> list[str]:
    """Return the side of each hand; an empty name where there is only one."""
    if not isinstance(event, OpposedRoll):
        return [""]
    bricks = zip(_SIDES, (event.attack, event.defence), strict=True)
    return [name for name, count in bricks if count]


def _side_by_side(hands: Sequence[LiveHand], reach: float) -> Iterator[Array]:
    """Yield the poses of each hand: every brick is moved, once, so that it comes to rest beside the others.

    They lie up to a metre apart: too far to be seen together.
    """
    apart, column = _APART * reach, 0
    for hand in hands:
        poses = hand.recording.moving.copy()
        order = np.arange(poses.shape[1])
        columns = min(len(order), _COLUMNS)
        places = np.column_stack([column + order % columns, -(order // columns)]) * apart
        poses[..., :2] += places - poses[-1, :, :2]
        column += columns + 1
        yield poses


def _bricks(name: str, colour: str, hand: LiveHand, poses: Array, every_ms: int) -> Iterator[Thing]:
    times = every_ms * np.arange(len(poses), dtype=np.int64)
    shape = thrown(hand.recording.body)
    for number in range(poses.shape[1]):
        label = f"{name} {number + 1}".strip()
        yield Thing(
            f"brick {label}",
            shape,
            Track(times, poses[:, number]),
            label=label,
            colours=torso(colour),
        )


def _rings(roll: Roll, poses: Array, reach: float, shown_ms: tuple[int, int]) -> Iterator[Mark]:
    """Yield a ring on the table around each brick that lies on a side."""
    start_ms, stop_ms = shown_ms
    for pose, (x, y) in zip(roll.poses or (), poses[:, :2].tolist(), strict=True):
        if pose == SIDE:
            at = (x, y, 0.5)
            yield Mark(Sign.SPOT, start_ms, stop_ms + 1, (at,), _COUNTED, _RING * reach)


def _told(names: Sequence[str], rolls: Sequence[Roll]) -> str:
    """Return in words what came."""
    text = _each(names, (f"{roll.score} of {roll.bricks} on a side" for roll in rolls))
    return f"{text[:1].upper()}{text[1:]}."


def _thrown(names: Sequence[str], rolls: Sequence[Roll], reason: str) -> str:
    """Return in words what is thrown, and by whom or what for."""
    text = _each(names, (counted(roll.bricks, "brick") for roll in rolls))
    what = (
        f"{reason.replace('_', ' ')}{'' if reason.endswith('?') else ':'}" if reason else "Thrown:"
    )
    return f"{what[:1].upper()}{what[1:]} {text}."


def _each(names: Sequence[str], parts: Iterable[str]) -> str:
    """Write the part of each side."""
    pairs = zip(names, parts, strict=True)
    return ", ".join(f"{name}: {part}" if name else part for name, part in pairs)
