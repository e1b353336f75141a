"""Tournament: people and bots play each other, round by round: who plays whom, and how all stand.

- Round robin: each plays each other once, by the circle method.
- Swiss: those with like points play each other, never twice (a matching of least total distance in points).

With an odd number one player rests in each round, for a point.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import combinations
from typing import NamedTuple

import networkx as nx

from brickphys.errors import InvalidValueError
from brickphys.text import cleaned_line

MOST_PLAYERS, MOST_NAME = 40, 30


class System(StrEnum):
    """Who plays whom."""

    ROUND_ROBIN = "round robin"
    SWISS = "Swiss"


@dataclass
class Pairing:
    """A game of a tournament; of who rests there is no second player."""

    players: tuple[int, ...]
    """Who plays, by seat."""
    points: tuple[float, ...] | None = None
    """What each of them gets; None while the game goes on."""


class Standing(NamedTuple):
    """How a player stands."""

    name: str
    games: int
    points: float
    """One for each win and each rest, half for a draw."""
    buchholz: float
    """The points of all opponents: who has played stronger ones stands before others with the same points."""


@dataclass
class Tournament:
    """Who plays in a tournament, and all rounds so far.

    InvalidValueError if there are too few or too many players, two of the same name, or more rounds than can be paired.
    """

    names: Sequence[str]
    system: System
    rounds: int
    """How many rounds there are in all."""
    played: list[list[Pairing]] = field(default_factory=list)
    """By round, its games."""

    def __post_init__(self) -> None:
        self.names = [cleaned_line(" ".join(name.split()))[:MOST_NAME] for name in self.names]
        count = len(self.names)
        if not 2 <= count <= MOST_PLAYERS:
            raise InvalidValueError(f"a tournament has 2 to {MOST_PLAYERS} players, not {count}")
        twice = sorted({name for name in self.names if self.names.count(name) > 1})
        if twice:
            raise InvalidValueError(f"two players are called {twice[0]!r}")
        if not 1 <= self.rounds <= self.most_rounds:
            raise InvalidValueError(
                f"{count} players have 1 to {self.most_rounds} rounds, not {self.rounds}: nobody meets another twice"
            )

    @property
    def most_rounds(self) -> int:
        """The rounds after which each has met each other."""
        return len(self.names) - 1 + len(self.names) % 2

    @property
    def is_round_over(self) -> bool:
        """Whether all games of the last round are over."""
        return all(one.points is not None for one in self.played[-1]) if self.played else True

    @property
    def is_over(self) -> bool:
        """Whether all rounds are."""
        return len(self.played) == self.rounds and self.is_round_over

    def pair(self) -> list[Pairing]:
        """Add the next round, and return its games; who rests has a point at once.

        InvalidValueError if a game of the last round goes on, or there are no more rounds.
        """
        if not self.is_round_over or len(self.played) >= self.rounds:
            raise InvalidValueError(
                "the next round comes once this one is over, and not after the last"
            )
        pairs = self._circle() if self.system is System.ROUND_ROBIN else self._swiss()
        games = [Pairing(self._seated(*pair)) for pair in pairs]
        rests = {*range(len(self.names))}.difference(*pairs)
        self.played.append(games + [Pairing((one,), (1.0,)) for one in rests])
        return self.played[-1]

    def standings(self) -> list[Standing]:
        """Return how all stand, the best first."""
        points = [self.points_of(player) for player in range(len(self.names))]
        found = []
        for player, name in enumerate(self.names):
            own = [one for one in self._of(player) if one.points is not None]
            others = [n for one in own for n in one.players if n != player]
            found.append(Standing(name, len(own), points[player], sum(points[n] for n in others)))
        return sorted(found, key=lambda one: (-one.points, -one.buchholz, one.name))

    def points_of(self, player: int) -> float:
        """Return the points of a player."""
        return sum(
            one.points[one.players.index(player)]
            for one in self._of(player)
            if one.points is not None
        )

    def _of(self, player: int) -> list[Pairing]:
        return [one for games in self.played for one in games if player in one.players]

    def _seated(self, one: int, other: int) -> tuple[int, int]:
        """Return two players by seat: the first seat is for who has had it less often."""
        first = [sum(it.players[0] == n for it in self._of(n)) for n in (one, other)]
        return (one, other) if first[0] <= first[1] else (other, one)

    def _circle(self) -> list[tuple[int, int]]:
        """Return the pairs of the next round: one player stays, all others go around."""
        count = len(self.names) + len(self.names) % 2
        turn = len(self.played)
        ring = [0, *(1 + (turn + n) % (count - 1) for n in range(count - 1))]
        pairs = zip(ring[: count // 2], reversed(ring[count // 2 :]), strict=True)
        return [pair for pair in pairs if max(pair) < len(self.names)]

    def _swiss(self) -> list[tuple[int, int]]:
        """Return the pairs of the next round, of like points; who rests has the fewest, and has not rested before."""
        players = {*range(len(self.names))}
        if len(players) % 2:
            rested = {
                one.players[0] for games in self.played for one in games if len(one.players) == 1
            }
            order = sorted(players - rested or players, key=lambda n: (self.points_of(n), n))
            for rests in order:
                if pairs := self._matching(players - {rests}):
                    return pairs
        pairs = self._matching(players)
        if not pairs:
            raise InvalidValueError(
                "no round is left in which nobody meets another twice: end it here"
            )
        return pairs

    def _matching(self, players: set[int]) -> list[tuple[int, int]]:
        """Return pairs of all players that have not met, with the least distances in points; none if there are none."""
        met = {frozenset(one.players) for games in self.played for one in games}
        graph = nx.Graph()
        for one, other in combinations(sorted(players), 2):
            if frozenset((one, other)) not in met:
                distance = self.points_of(one) - self.points_of(other)
                graph.add_edge(one, other, weight=-(distance**2))
        pairs = nx.max_weight_matching(graph, maxcardinality=True)
        found = sorted((min(pair), max(pair)) for pair in pairs)
        return found if 2 * len(found) == len(players) else []
