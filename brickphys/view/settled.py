"""Settled: bodies of many throws at rest, in rows by their poses."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from brickphys.arrays import Array, Triple
from brickphys.calibration.throwers import ThrowCell, ThrowChunk, released
from brickphys.engines.engine import Engine
from brickphys.engines.recording import LONGEST_S
from brickphys.engines.registry import engine
from brickphys.text import spoken
from brickphys.units import STUD_MM
from brickphys.view.colours import POSES
from brickphys.view.recording import Shape, Thing, Track, standing
from brickphys.view.shapes.built import torso

MOST_BODIES = 120
_COLUMNS, _ALWAYS_MS = 15, 10**9
_APART = 2.3
"""Distance between two bodies, in the largest distance of a corner from the middle."""


@dataclass(frozen=True, eq=False)
class SettledRow:
    """Bodies at rest in one pose.

    Attributes
    ----------
    pose
        Name of the pose.
    poses : ndarray, shape (n, 7)
        Places in mm and quaternions when nothing moves any more, or after 8 s.
    """

    pose: str
    poses: Array


def settled_rows(cell: ThrowCell, root: int, hands: int) -> list[SettledRow]:
    """Return the bodies of the first hands of a cell at rest, `MOST_BODIES` at most, by their poses."""
    count = min(hands, max(1, MOST_BODIES // cell.conditions.bricks))
    chosen, body = engine(cell.engine), cell.body
    states, wanted = released(root, ThrowChunk(cell, 0, count))
    landing = chosen.land(body, cell.contact, states, cell.floor)[wanted]
    rest = _patient(chosen).land(body, cell.contact, states, cell.floor)[wanted].states
    poses = np.concatenate([rest.position_mm, rest.quaternion], axis=-1)
    return [
        SettledRow(name, poses[landing.pose == number])
        for number, name in enumerate(landing.poses)
        if (landing.pose == number).any()
    ]


def _patient(engine: Any) -> Engine:
    """Return an engine of recordings that goes on until nothing moves, not only until the poses are decided."""
    settings = replace(engine.settings, by_energy=False, limit_s=LONGEST_S)
    patient: Engine = replace(engine, settings=settings)
    return patient


def settled_things(
    rows: Sequence[SettledRow], shape: Shape, corner_mm: Triple, from_ms: int
) -> list[Thing]:
    """Return bodies at rest side by side from a corner on towards -y, a block for each pose, seen from a time on.

    They are moved by whole studs, so that on studs each lies as it does there.
    """
    apart = _apart_mm(shape)
    things, x, y = list[Thing](), _whole_studs(corner_mm[0]), _whole_studs(corner_mm[1])
    for number, row in enumerate(rows):
        count = len(row.poses)
        order, places = np.arange(count), row.poses.copy()
        places[:, :2] %= STUD_MM
        places[:, 0] += apart * (order % _COLUMNS)
        places[:, 1] -= apart * (order // _COLUMNS)
        colour = POSES[number % len(POSES)]
        thing = Thing(
            f"settled {row.pose}",
            shape,
            Track.fixed(standing(x, y)),
            label=f"{spoken(row.pose)}: {count}",
            tag=colour,
            colours=torso(colour),
            shown_ms=((from_ms, _ALWAYS_MS),),
            copies_mm=places,
        )
        things.append(thing)
        y -= apart * (-(-count // _COLUMNS) + 0.5)
    return things


def _apart_mm(shape: Shape) -> float:
    reach = max(float(np.linalg.norm(one.points_mm, axis=1).max()) for one in shape.surfaces)
    return -_whole_studs(-_APART * reach)


def _whole_studs(length_mm: float) -> float:
    return STUD_MM * float(np.floor(length_mm / STUD_MM))
