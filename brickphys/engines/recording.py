"""Recording: where the bodies of one throw are at even times, on the very trajectory that the engine counts."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from brickphys.engines.bullet import BulletEngine
from brickphys.engines.compiled import CompiledEngine
from brickphys.engines.engine import Engine, Landing
from brickphys.errors import InvalidValueError
from brickphys.shapes.body import Body
from brickphys.text import spoken
from brickphys.throws.conditions import ContactCoefficients
from brickphys.throws.flight import States, fly, gap_mm
from brickphys.throws.release import PLANE, Floor
from brickphys.units import Array, Indices

LONGEST_S = 8.0
"""A recording is no longer, even if something still spins or slides then."""
_STILL_MM = 0.1
"""A throw has ended once nothing is farther than this from its last place."""


@dataclass(frozen=True, eq=False)
class ThrowRecording:
    """A throw from the release until all bodies are at rest, or for `LONGEST_S`."""

    body: Body
    every_s: float
    states: States
    """The k bodies at even times from 0 on, shape (frames, k)."""
    landing: Landing
    """The result, of one hand: what the engine finds without a recording."""

    @property
    def poses(self) -> tuple[str, ...]:
        """The pose of each body in the end."""
        return self.landing.poses_of(0)

    @property
    def result(self) -> str:
        """How it ended: how many of its bodies stopped in each pose."""
        if len(self.poses) == 1:
            return f"stops: {spoken(self.poses[0])}"
        counts = Counter(map(spoken, self.poses)).most_common()
        return f"stop: {', '.join(f'{count} {pose}' for pose, count in counts)}"

    @cached_property
    def moving(self) -> Array:
        """Places in mm and quaternions, shape (frames, k, 7), until nothing moves any more."""
        poses = np.concatenate([self.states.position_mm, self.states.quaternion], axis=-1)
        away = np.abs(poses - poses[-1])
        away[..., 3:] *= self.body.radius_mm
        moving = np.flatnonzero(away.max(axis=(1, 2)) > _STILL_MM)
        last = int(moving[-1]) + 1 if len(moving) else 0
        return poses[: last + 1]


class _Moment(NamedTuple):
    """States of one hand at a time, shape (1, k), and whether they are in free flight from then on."""

    time_s: float
    states: States
    flies: bool


def record(
    engine: Engine,
    body: Body,
    contact: ContactCoefficients,
    states: States,
    every_s: float,
    floor: Floor = PLANE,
) -> ThrowRecording:
    """Record the first hand of a throw; see `record_each`."""
    return next(record_each(engine, body, contact, states, every_s, floor))


def record_each(
    engine: Engine,
    body: Body,
    contact: ContactCoefficients,
    states: States,
    every_s: float,
    floor: Floor = PLANE,
    hands: slice = slice(None),
) -> Iterator[ThrowRecording]:
    """Yield the recording of each hand of a throw, or of some.

    The throws of the compiled engine are recorded together, which takes a small part of the time; each is the same
    alone. So are those of Bullet that share a world, each of which goes its way only with the others. Raises
    InvalidValueError if the engine is another one, or not made for the throw;
    DivergenceError as `Engine.land`.

    Parameters
    ----------
    engine
        The compiled engine or Bullet.
    states : States, shape (n, k)
        The hands at their release, in whole groups (see `Engine.group_hands`).
    every_s
        Time between two states.
    """
    if isinstance(engine, CompiledEngine):
        landing = engine.land(body, contact, states[hands], floor)
        found = _stopped(engine, body, contact, states[hands], every_s, floor)
        for hand in range(len(landing.time_s)):
            yield ThrowRecording(body, every_s, found[:, hand], landing[hand : hand + 1])
    elif isinstance(engine, BulletEngine):
        wanted = range(len(states))[hands]
        size = engine.group_hands(states.position_mm.shape[1], floor)
        for first in range(0, len(states), size):
            own = [hand - first for hand in wanted if first <= hand < first + size]
            if own:
                group = states[first : first + size]
                landing, moments = _watched(engine, body, contact, group, floor)
                for hand in own:
                    way = _evenly(body, moments[hand], every_s)
                    yield ThrowRecording(body, every_s, way, landing[hand : hand + 1])
    else:
        raise InvalidValueError(
            f"the {engine.name} engine records no throw; compiled and bullet do"
        )


def _stopped(
    engine: CompiledEngine,
    body: Body,
    contact: ContactCoefficients,
    states: States,
    every_s: float,
    floor: Floor,
) -> States:
    """Return where throws are that are stopped at even times, shape (frames, n, 1).

    They start anew each time, and are the same up to there.
    """

    def until(time_s: float) -> Landing:
        settings = replace(engine.settings, by_energy=False, limit_s=time_s)
        return replace(engine, settings=settings).land(body, contact, states, floor)

    times = _times(float(until(LONGEST_S).time_s.max()), every_s)
    found = States.concatenate([until(time_s).states for time_s in times.tolist()])
    return found.map(lambda array: array.reshape(len(times), len(states), 1, -1))


def _watched(
    engine: BulletEngine,
    body: Body,
    contact: ContactCoefficients,
    states: States,
    floor: Floor,
) -> tuple[Landing, list[list[_Moment]]]:
    """Return how the hands of a world land, and the moments at which the engine looks at each, until it is at rest."""
    moments: list[list[_Moment]] = [[] for _ in range(len(states))]

    def watch(hands: Indices, time_s: Array, now: States, flies: bool) -> None:
        for row, hand in enumerate(hands.tolist()):
            one = now[row : row + 1].map(np.copy)
            moments[hand].append(_Moment(float(time_s[row]), one, flies))

    if floor.studs:  # where no throw is decided before it is at rest
        return engine.land(body, contact, states, floor, watch), moments
    settings = replace(engine.settings, by_energy=False, limit_s=LONGEST_S)
    replace(engine, settings=settings).land(body, contact, states, floor, watch)
    return engine.land(body, contact, states, floor), moments


def _evenly(body: Body, moments: Sequence[_Moment], every_s: float) -> States:
    """Return where a hand is at even times: in closed form where it flies, else between two checks of the engine."""
    ends = np.array([moment.time_s for moment in moments])
    found = list[States]()
    for time_s in _times(float(ends[-1]), every_s).tolist():
        last = max(0, int(np.searchsorted(ends, time_s, side="right")) - 1)
        found.append(_at(body, moments[last : last + 2], time_s))
    return States.concatenate(found)


def _times(end_s: float, every_s: float) -> Array:
    """Return even times from 0 to the first one at or after the end."""
    return every_s * np.arange(np.ceil(min(end_s, LONGEST_S) / every_s) + 1.0)


def _at(body: Body, moments: Sequence[_Moment], time_s: float) -> States:
    """Return the states at a time after a moment, and before the next one if there is one."""
    (start_s, states, flies), *after = moments
    if not after:
        return states
    if flies:
        lasting = np.full(states.position_mm.shape[:2], time_s - start_s)
        return fly(body, states, lasting)
    share = (time_s - start_s) / max(after[0].time_s - start_s, 1e-12)
    end = after[0].states
    turned = (states.quaternion * end.quaternion).sum(axis=-1, keepdims=True) < 0
    end = replace(end, quaternion=np.where(turned, -end.quaternion, end.quaternion))
    mixed = States(
        *(
            (1.0 - share) * getattr(states, name) + share * getattr(end, name)
            for name in ("position_mm", "quaternion", "velocity_m_s", "spin_rad_s")
        )
    )
    length = np.linalg.norm(mixed.quaternion, axis=-1, keepdims=True)
    mixed = replace(mixed, quaternion=mixed.quaternion / length)
    # a straight way between two turns may dip a corner of a long brick into the floor
    least_mm = np.minimum(np.minimum(gap_mm(body, states), gap_mm(body, end)), 0.0)
    raised_mm = np.maximum(least_mm - gap_mm(body, mixed), 0.0)
    return replace(mixed, position_mm=mixed.position_mm + raised_mm[..., None] * [0.0, 0.0, 1.0])
