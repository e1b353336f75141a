"""Aims: ways to win besides being the last side: reach an area, carry a thing there, hold it; or a limit of rounds.

A game says what its areas are (sets of squares, circles on a table, names), and through `Positions` which units are
where. Units and teams are numbers.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

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
    """Units of a team are in an area: all that are named, or else at least a number of any.

    Attributes
    ----------
    team
        The team that wins.
    area
        The place where the units must be.
    units
        Units that must be there; empty if any will do.
    count
        How many, if none are named.
    """

    team: int
    area: A
    units: tuple[int, ...] = ()
    count: int = 1

    def is_met(self, positions: Positions[A], held_rounds: int = 0) -> bool:
        """Tell whether they are there."""
        there = positions.units_in(self.area)
        if self.units:
            return set(self.units) <= set(there)
        return sum(positions.team(unit) == self.team for unit in there) >= self.count


@dataclass(frozen=True)
class Carry(Generic[A]):
    """A unit of a team is in an area and has a thing.

    Attributes
    ----------
    team
        The team that wins.
    area
        The place to which the thing must be brought.
    item
        The name of the thing.
    """

    team: int
    area: A
    item: str

    def is_met(self, positions: Positions[A], held_rounds: int = 0) -> bool:
        """Tell whether such a unit is there."""
        return any(
            positions.team(unit) == self.team and positions.has(unit, self.item)
            for unit in positions.units_in(self.area)
        )


@dataclass(frozen=True)
class Hold(Generic[A]):
    """At the end of a number of rounds in a row, units of one team only are in an area.

    Attributes
    ----------
    team
        The team that wins.
    area
        The place that must be held.
    rounds
        How many rounds in a row.
    """

    team: int
    area: A
    rounds: int

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

    Parameters
    ----------
    aims
        All aims of the game.
    held_rounds
        For each aim, how many rounds in a row it has been held, see `count_held`.
    positions
        The moment.
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


def is_time_up(aims: Sequence[Aim[A]], rounds: int) -> bool:
    """Tell whether a game with these aims ends after a number of rounds."""
    return any(isinstance(aim, RoundLimit) and rounds >= aim.rounds for aim in aims)


def ends_by_points(aims: Sequence[Aim[A]]) -> bool:
    """Tell whether a game with these aims may end by points, after a number of rounds."""
    return any(isinstance(aim, RoundLimit) for aim in aims)


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
