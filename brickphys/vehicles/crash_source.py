"""Crash source: answers the measured events of games whose subject is a scene, with rigid bodies.

It fits the protocol of event sources without importing it. The event names its numbers, each with its limits, and makes
an answer of them and of a note. Places are ``NAME x_studs``, ``NAME y_studs`` and ``NAME heading_deg``; ``NAME
energy_share`` is how hard the mover hits a thing first.
"""

from collections.abc import Iterator, Sequence
from math import cos, radians
from typing import Protocol, runtime_checkable

from brickphys.errors import InvalidValueError
from brickphys.throws.conditions import BRICK_ON_BRICK
from brickphys.vehicles import crash_outcome
from brickphys.vehicles.crash import crash, mass_of
from brickphys.vehicles.scene import Scene, ThingType, Vehicle

_SHARE = " energy_share"
_DIGITS = 3
"""Thousandths of a stud and of a degree are recorded."""


@runtime_checkable
class MeasuredCrash(Protocol):
    """What is asked: numbers with their limits, of a scene."""

    quantities: Sequence[tuple[str, float, float]]
    """Name, lowest and highest of each number."""
    subject: object

    def noted(self, numbers: tuple[float, ...], note: str) -> tuple[float, ...]:
        """Return the numbers with a note."""
        ...


class CrashSource:
    """Places of units and vehicles after a move, from PyBullet; the same scene has the same answer."""

    def answer(self, event: object, address: tuple[int, ...]) -> tuple[float, ...]:
        """Return the numbers that are asked for; what lies beyond a limit is put on it.

        InvalidValueError if the event does not ask for numbers of a scene. The address is not used: bodies leave
        nothing to chance.
        """
        if not isinstance(event, MeasuredCrash) or not isinstance(event.subject, Scene):
            raise InvalidValueError(f"a source of crashes measures scenes, not {event!r}")
        found = crash(event.subject)
        ends, asked = _ends(found), [name for name, _, _ in event.quantities]
        note = "; ".join(_seen(found)) if ends.keys() & asked else ""
        shares = (name.removesuffix(_SHARE) for name in asked if name.endswith(_SHARE))
        ends |= {f"{name}{_SHARE}": _energy_share(found, name) for name in shares}
        numbers = tuple(
            min(max(round(ends[name], _DIGITS), low), high) for name, low, high in event.quantities
        )
        return event.noted(numbers, note)


def _seen(found: crash_outcome.Crash) -> Iterator[str]:
    """Yield what the numbers do not say: the delta-v of each thing in its first impact, what fell or was thrown off."""
    speeds = dict[str, float]()
    for impact in found.impacts:
        pair = zip((impact.first, impact.second), impact.delta_v_m_s, strict=True)
        speeds = {**dict(pair), **speeds}
    for one in (*found.outcomes, *found.riders):
        told = [f"delta-v {speeds[one.id]:.2f} m/s"] if one.id in speeds else []
        told += [] if one.state == "upright" else [one.state]
        if told and one.type is not ThingType.DECOR:
            yield f"{one.id} {', '.join(told)}"


def _ends(found: crash_outcome.Crash) -> dict[str, float]:
    """Return the numbers of all that was on the field; of a vehicle on its side, where its centre of mass is."""
    ends: dict[str, float] = {}
    upright = {
        thing.id: thing for thing in crash_outcome.standing(found) if isinstance(thing, Vehicle)
    }
    for outcome in found.outcomes:
        x, y = outcome.end_studs
        if outcome.id in upright and not outcome.knocked_over:
            x, y = upright[outcome.id].centre_studs
        ends[f"{outcome.id} x_studs"], ends[f"{outcome.id} y_studs"] = x, y
        ends[f"{outcome.id} heading_deg"] = outcome.heading_deg % 360.0
    return ends


def _energy_share(found: crash_outcome.Crash, name: str) -> float:
    """Return how hard the mover hits decor or a vehicle: the energy of its delta-v, as a share of that in a square hit.

    In a square hit two things meet, centre against centre, with their speeds along the mover's way: delta-v is (1 +
    restitution) times this speed, of two vehicles times the other's share of the mass. It is 1 if the mover does not
    hit the thing itself. The energy lost is no measure: at 45 degrees friction takes as much as a square hit does.
    """
    mover = found.recording.mover
    impact = next((i for i in found.impacts if (i.first, i.second) == (mover.id, name)), None)
    if impact is None:
        return 1.0
    thing = next(one for one in found.recording.things if one.id == name)
    square_m_s, own, other = found.speed_m_s, mass_of(mover), mass_of(thing)
    if isinstance(thing, Vehicle) and own and other:
        along = thing.speed * cos(radians(thing.heading_deg - mover.heading_deg))
        square_m_s *= (1 - along / mover.speed) * other.mass_g / (own.mass_g + other.mass_g)
    square_m_s *= 1 + BRICK_ON_BRICK.restitution
    return min((impact.delta_v_m_s[0] / square_m_s) ** 2, 1.0) if square_m_s > 0 else 1.0
