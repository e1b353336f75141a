"""Aims: ways to win besides being the last side: reach an area, carry a thing there, hold it; or a limit of rounds.

A game says what its areas are (sets of squares, circles on a table, names), and through `Positions` which units are
where. Units and teams are numbers. Circles are areas on an open table, in the unit of the game; `CircleAims` tells such
aims as sentences and as areas of pictures.

`position_value` estimates an unfinished game, for bots; it is no rule. The units that a team has left count most. A
unit near an enemy or an aim that faces it counts a little more, because a unit that is far away or faces elsewhere
cannot act in its next turn. A unit that an aim names, or that carries the item of an aim, goes for that aim alone.
"""

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import cos, dist, radians, sin
from typing import Generic, NamedTuple, Protocol, TypeVar

from brickphys.geometry.polygon import Point
from brickphys.rules.scenario import NamedArea
from brickphys.text import counted, spoken

A = TypeVar("A")
A_contra = TypeVar("A_contra", contravariant=True)


class Positions(Protocol[A_contra]):
    """The units and their places at the moment when aims are judged."""

    def units_in(self, area: A_contra) -> Collection[int]:
        """Return the units in play that are in an area."""

    def team(self, unit: int) -> int | None:
        """Return the team of a unit; None for one that has none."""

    def has(self, unit: int, item: str) -> bool:
        """Tell whether a unit has a thing."""


@dataclass(frozen=True)
class Reach(Generic[A]):
    """Units of a team are in an area: all that are named, or else at least a number of any."""

    team: int
    """The team that wins."""
    area: A
    """The place where the units must be."""
    units: tuple[int, ...] = ()
    """Units that must be there; empty if any will do."""
    count: int = 1
    """How many, if none are named."""

    def is_met(self, positions: Positions[A], held_rounds: int = 0) -> bool:
        """Tell whether they are there."""
        there = positions.units_in(self.area)
        if self.units:
            return set(self.units) <= set(there)
        return sum(positions.team(unit) == self.team for unit in there) >= self.count


@dataclass(frozen=True)
class Carry(Generic[A]):
    """A unit of a team is in an area and has a thing."""

    team: int
    """The team that wins."""
    area: A
    """The place to which the thing must be brought."""
    item: str
    """The name of the thing."""

    def is_met(self, positions: Positions[A], held_rounds: int = 0) -> bool:
        """Tell whether such a unit is there."""
        return any(
            positions.team(unit) == self.team and positions.has(unit, self.item)
            for unit in positions.units_in(self.area)
        )


@dataclass(frozen=True)
class Hold(Generic[A]):
    """At the end of a number of rounds in a row, units of one team only are in an area."""

    team: int
    """The team that wins."""
    area: A
    """The place that must be held."""
    rounds: int
    """How many rounds in a row."""

    def is_met(self, positions: Positions[A], held_rounds: int) -> bool:
        """Tell whether the area has been held for long enough."""
        return held_rounds >= self.rounds

    def is_held(self, positions: Positions[A]) -> bool:
        """Tell whether the team, and no other, is there."""
        return {positions.team(unit) for unit in positions.units_in(self.area)} == {self.team}


@dataclass(frozen=True)
class RoundLimit:
    """The game ends after a number of rounds; the team with the most points wins, see `leader`."""

    rounds: int
    """The last round."""


Aim = Reach[A] | Carry[A] | Hold[A] | RoundLimit


def winner(
    aims: Sequence[Aim[A]], held_rounds: Sequence[int], positions: Positions[A]
) -> int | None:
    """Return the team that has met one of its aims, the first in order; None if no team has.

    `held_rounds` has for each aim how many rounds in a row it has been held, see `count_held`.
    """
    for aim, rounds in zip(aims, held_rounds, strict=True):
        if not isinstance(aim, RoundLimit) and aim.is_met(positions, rounds):
            return aim.team
    return None


def count_held(
    aims: Sequence[Aim[A]], held_rounds: Sequence[int], positions: Positions[A]
) -> tuple[int, ...]:
    """Return for each aim how many rounds in a row it has been held now that a round ends; only `Hold` counts."""
    return tuple(
        rounds + 1 if isinstance(aim, Hold) and aim.is_held(positions) else 0
        for aim, rounds in zip(aims, held_rounds, strict=True)
    )


def last_round(aims: Sequence[Aim[A]]) -> int:
    """Return the round after which a game with these aims ends; 0 if none limits its rounds."""
    return min((aim.rounds for aim in aims if isinstance(aim, RoundLimit)), default=0)


def is_time_up(aims: Sequence[Aim[A]], rounds: int) -> bool:
    """Tell whether a game with these aims ends after a number of rounds."""
    return 0 < last_round(aims) <= rounds


def ends_by_points(aims: Sequence[Aim[A]]) -> bool:
    """Tell whether a game with these aims may end by points, after a number of rounds."""
    return last_round(aims) > 0


def leader(points: Mapping[int, float]) -> int | None:
    """Return the team with the most points; None if several have them."""
    best = max(points.values())
    leaders = [team for team, its in points.items() if its == best]
    return leaders[0] if len(leaders) == 1 else None


def team_returns(teams: Sequence[int], winners: Collection[int]) -> tuple[int, ...]:
    """Return for each player, by team, 1 in a team that has won and -1 in another; 0 for all if none has won."""
    if not winners:
        return (0,) * len(teams)
    return tuple(1 if team in winners else -1 for team in teams)


@dataclass(frozen=True)
class Circle:
    """A circle on the table."""

    centre: Point
    """Its middle, in the unit of the table."""
    radius: float
    """Its radius, in the same unit."""

    def contains(self, point: Point) -> bool:
        """Tell whether a point is in it, its edge included."""
        return dist(point, self.centre) <= self.radius


@dataclass(frozen=True)
class CirclePositions:
    """Where units are, as `brickphys.rules.aims.Positions`; areas are circles, and the middles of units count."""

    places: Mapping[int, Point]  # of each unit that counts, by number
    teams: Sequence[int | None]  # of each unit, if it is known
    things: Mapping[int, Collection[str]] = field(
        default_factory=dict
    )  # that units have, by number

    def units_in(self, area: Circle) -> list[int]:
        """Return the units in a circle."""
        return [number for number, middle in self.places.items() if area.contains(middle)]

    def team(self, unit: int) -> int | None:
        """Return the team of a unit."""
        return self.teams[unit]

    def has(self, unit: int, item: str) -> bool:
        """Tell whether a unit has a thing."""
        return item in self.things.get(unit, ())


_STEP_DEG = 5


@dataclass(frozen=True)
class CircleAims:
    """The aims of a battle whose areas are circles.

    `size` is width and length of the table, in the `unit` of that name.
    """

    aims: Sequence[Aim[Circle]]
    players: Sequence[str]
    teams: Sequence[int]
    units: Sequence[str]
    """The name of each unit by number."""
    size: Point
    unit: str
    noun: str
    """What a unit is called."""
    points: str
    """What wins at a limit of rounds: ``the most figures left``."""
    last: str
    """How the battle is won without an aim, as a sentence."""

    def texts(self) -> list[str]:
        """Return the aims, one sentence each."""
        return [*map(self._text, self.aims), self.last]

    def areas(self) -> tuple[NamedArea, ...]:
        """Return the circles, as far as they are on the table, with the players whose aims they are."""
        owners: dict[Circle, list[str]] = {}
        for aim in self.aims:
            if not isinstance(aim, RoundLimit):
                owners.setdefault(aim.area, []).append(self._team(aim.team))
        return tuple(
            _area(f"aim of {' and '.join(dict.fromkeys(names))}", list(self._outline(circle)))
            for circle, names in owners.items()
        )

    def _text(self, aim: Aim[Circle]) -> str:
        if isinstance(aim, RoundLimit):
            return f"After {counted(aim.rounds, 'round')}, the side with {self.points} wins."
        (x, y), radius = aim.area.centre, aim.area.radius
        where, team = f"within {radius:g} {self.unit} of {x:g},{y:g}", self._team(aim.team)
        if isinstance(aim, Hold):
            return (
                f"{team}: be alone {where} at the end of {counted(aim.rounds, 'round')} in a row."
            )
        if isinstance(aim, Carry):
            return f"{team}: bring {spoken(aim.item)} {where}."
        named = " and ".join(spoken(self.units[number]) for number in aim.units)
        return f"{team}: bring {named or counted(aim.count, self.noun)} {where}."

    def _outline(self, circle: Circle) -> Iterator[Point]:
        (x, y), (width, length) = circle.centre, self.size
        for degrees in range(0, 360, _STEP_DEG):
            east, north = cos(radians(degrees)), sin(radians(degrees))
            yield (
                min(max(x + circle.radius * east, 0.0), width),
                min(max(y + circle.radius * north, 0.0), length),
            )

    def _team(self, team: int) -> str:
        pairs = zip(self.players, self.teams, strict=True)
        return " and ".join(spoken(name) for name, its in pairs if its == team)


def _area(name: str, outline: list[Point]) -> NamedArea:
    across, up = zip(*outline, strict=True)
    left, low = min(across), min(up)
    return NamedArea(name, left, low, max(across) - left, max(up) - low, outline=tuple(outline))


P = TypeVar("P", bound=Hashable)

NEARNESS = 0.02
"""Value for a team that is at its goals rather than half the field away."""
OUTLOOK = 0.005
"""Value for a team whose units all face their goals."""


class Placed(NamedTuple, Generic[P]):
    """A unit in play."""

    team: int
    at: P
    facing: int | None = None
    """Its facing, as the game numbers it; None if that does not matter."""
    errand: tuple[P, ...] = ()
    """It should go to the nearest of these places, before all other goals; empty for most units."""


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

    `areas` are places that any unit of the team may go to for an aim; every enemy is such a goal too. `looks_at`
    tells whether a facing at a place looks at another place.
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
