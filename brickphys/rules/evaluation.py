"""Evaluation: the estimated value of an unfinished game, for bots; no rule.

The units that a team has left count most. A unit near an enemy or an aim that faces it counts a little more, because a
unit that is far away or faces elsewhere cannot act in its next turn. A unit that an aim names, or that carries the item
of an aim, goes for that aim alone.
"""

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from functools import lru_cache
from typing import Generic, NamedTuple, TypeVar

from brickphys.rules.aims.aims import Aim, Carry, Hold, Reach

A = TypeVar("A")
P = TypeVar("P", bound=Hashable)

NEARNESS = 0.02
"""Value for a team that is at its goals rather than half the field away."""
OUTLOOK = 0.005
"""Value for a team whose units all face their goals."""


class Placed(NamedTuple, Generic[P]):
    """A unit in play.

    Attributes
    ----------
    team
        Its team.
    at
        Its place.
    facing
        Its facing, as the game numbers it; None if that does not matter.
    errand
        It should go to the nearest of these places, before all other goals; empty for most units.
    """

    team: int
    at: P
    facing: int | None = None
    errand: tuple[P, ...] = ()


def balance(strength: Mapping[int, float]) -> dict[int, float]:
    """Return for each team -1 to 1 by its share of all strength that is left, in any unit."""
    total = sum(strength.values()) or 1.0
    return {team: 2.0 * points / total - 1.0 for team, points in strength.items()}


def position_value(
    team: int,
    units: Sequence[Placed[P]],
    areas: Sequence[P],
    distance: Callable[[P, P], float],
    farthest: float,
    looks_at: Callable[[int, P, P], bool],
) -> float:
    """Return the worth of the places of a team's units: at most a few hundredths.

    Parameters
    ----------
    team
        Whose value is asked.
    units
        All units in play.
    areas
        Places that any unit of the team may go to for an aim; every enemy is such a goal too.
    distance
        The distance of two places.
    farthest
        The largest distance on the field.
    looks_at
        Whether a facing at a place looks at another place.
    """
    own = [unit for unit in units if unit.team == team]
    goals = (*areas, *(unit.at for unit in units if unit.team != team))
    if not own or not goals:
        return 0.0
    value = 0.0
    for _, at, facing, errand in own:
        goal = _nearest(at, errand or goals, distance)
        value -= NEARNESS * 2.0 * distance(at, goal) / farthest
        if facing is not None and looks_at(facing, at, goal):
            value += OUTLOOK
    return value / len(own)


@lru_cache(maxsize=1024)  # many choices only turn a unit
def _nearest(at: P, goals: tuple[P, ...], distance: Callable[[P, P], float]) -> P:
    """Return the goal that is nearest to a place."""
    return min(goals, key=lambda goal: distance(at, goal))


def errands(aims: Sequence[Aim[A]], team: int, unit: int, things: Collection[str]) -> list[A]:
    """Return the areas of aims for one unit alone: they name it, or want a thing that it has for its team."""
    return [
        aim.area
        for aim in aims
        if (isinstance(aim, Reach) and unit in aim.units)
        or (isinstance(aim, Carry) and aim.team == team and aim.item in things)
    ]


def has_errands(aims: Sequence[Aim[A]]) -> bool:
    """Tell whether any aim may be for some units alone."""
    return any(isinstance(aim, Carry | Reach) for aim in aims)


def common_areas(aims: Sequence[Aim[A]], team: int) -> list[A]:
    """Return the areas of aims that any unit of a team may meet."""
    return [
        aim.area
        for aim in aims
        if (isinstance(aim, Hold) or (isinstance(aim, Reach) and not aim.units))
        and aim.team == team
    ]
