"""Crash source: answers a measured event of a game by simulating the move of its scene.

It fits the protocol of event sources without importing it; the event names its numbers ``NAME x_studs``,
``NAME y_studs`` and ``NAME heading_deg``, each with its limits.
"""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from brickphys.errors import InvalidValueError
from brickphys.vehicles.physics.crash import crash
from brickphys.vehicles.physics.outcome import Crash, standing
from brickphys.vehicles.scene import Scene, Vehicle

_DIGITS = 3
"""Thousandths of a stud and of a degree are recorded."""


@runtime_checkable
class MeasuredCrash(Protocol):
    """What is asked: numbers with their limits, of a scene."""

    @property
    def quantities(self) -> Sequence[tuple[str, float, float]]:
        """Name, lowest and highest of each number."""
        ...

    @property
    def subject(self) -> object:
        """The scene."""
        ...


class CrashSource:
    """Places of units and vehicles after a move, from PyBullet; the same scene has the same answer."""

    def answer(self, event: object, address: tuple[int, ...]) -> tuple[float, ...]:
        """Return the numbers that are asked for; what lies beyond a limit is put on it.

        Parameters
        ----------
        event
            What is asked: a `MeasuredCrash`.
        address
            Is not used: bodies leave nothing to chance.

        Raises
        ------
        InvalidValueError
            If the event does not ask for numbers of a scene.
        """
        if not isinstance(event, MeasuredCrash) or not isinstance(event.subject, Scene):
            raise InvalidValueError(f"a source of crashes measures scenes, not {event!r}")
        ends = _ends(crash(event.subject))
        return tuple(
            min(max(round(ends[name], _DIGITS), low), high) for name, low, high in event.quantities
        )


def _ends(found: Crash) -> dict[str, float]:
    """Return the numbers of all that was on the field; of a vehicle on its side, where its centre of mass is."""
    ends: dict[str, float] = {}
    upright = {thing.id: thing for thing in standing(found) if isinstance(thing, Vehicle)}
    for outcome in found.outcomes:
        x, y = outcome.end_studs
        if outcome.id in upright and not outcome.knocked_over:
            x, y = upright[outcome.id].centre_studs
        ends[f"{outcome.id} x_studs"], ends[f"{outcome.id} y_studs"] = x, y
        ends[f"{outcome.id} heading_deg"] = outcome.heading_deg % 360.0
    return ends
