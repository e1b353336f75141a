"""Recording: where the bodies of one throw are at even times, on the very trajectory that the engine counts."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from brickphys.arrays import Array
from brickphys.engines.bullet.engine import BulletEngine
from brickphys.engines.compiled import CompiledEngine
from brickphys.engines.engine import Engine, Landing
from brickphys.errors import InvalidValueError
from brickphys.shapes.body import Body
from brickphys.throws.flight import fly
from brickphys.throws.floors import PLANE, Floor
from brickphys.throws.states import States
from brickphys.throws.surfaces import ContactCoefficients

LONGEST_S = 8.0
"""A recording is no longer, even if something still spins or slides then."""


@dataclass(frozen=True, eq=False)
class ThrowRecording:
    """A throw from the release until all bodies are at rest, or for `LONGEST_S`.

    Attributes
    ----------
    body
        What is thrown.
    every_s
        Time between two states.
    states : States, shape (frames, k)
        The k bodies at even times from 0 on.
    landing
        The result, of one hand: what the engine finds without a recording.
    """

    body: Body
    every_s: float
    states: States
    landing: Landing

    @property
    def poses(self) -> tuple[str, ...]:
        """The pose of each body in the end."""
        return self.landing.poses_of(0)


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
    """Record a throw.

    Parameters
    ----------
    engine
        The compiled engine or Bullet.
    body, contact, floor
        The thrown body, friction and restitution on the floor, and the floor.
    states : States, shape (1, k)
        The hand at its release.
    every_s
        Time between two states.

    Raises
    ------
    InvalidValueError
        If the engine is another one, or not made for the throw.
    DivergenceError
        See `Engine.land`.
    """
    if isinstance(engine, CompiledEngine):
        found = _stopped(engine, body, contact, states, every_s)
    elif isinstance(engine, BulletEngine):
        found = _watched(engine, body, contact, states, every_s, floor)
    else:
        raise InvalidValueError(
            f"the {engine.name} engine records no throw; compiled and bullet do"
        )
    return ThrowRecording(body, every_s, found, engine.land(body, contact, states, floor))


def _stopped(
    engine: CompiledEngine,
    body: Body,
    contact: ContactCoefficients,
    states: States,
    every_s: float,
) -> States:
    """Return where a throw is that is stopped at even times: it starts anew each time, and is the same up to there."""

    def until(time_s: float) -> Landing:
        settings = replace(engine.settings, by_energy=False, limit_s=time_s)
        return replace(engine, settings=settings).land(body, contact, states)

    times = _times(float(until(LONGEST_S).time_s[0]), every_s)
    return States.concatenate([until(time_s).states for time_s in times.tolist()])


def _watched(
    engine: BulletEngine,
    body: Body,
    contact: ContactCoefficients,
    states: States,
    every_s: float,
    floor: Floor,
) -> States:
    """Return where a throw is at even times: in closed form where it flies, else between two checks of the engine."""
    moments = list[_Moment]()

    def watch(time_s: Array, now: States, flies: bool) -> None:
        moments.append(_Moment(float(time_s[0]), now.map(np.copy), flies))

    settings = replace(engine.settings, by_energy=False, limit_s=LONGEST_S)
    replace(engine, settings=settings).land(body, contact, states, floor, watch)
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
    return replace(mixed, quaternion=mixed.quaternion / length)
