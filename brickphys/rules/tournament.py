"""Tournament: every group of bots plays from every seat; shares of points and Elo, with their intervals.

Elo ratings follow from the results of games by maximum likelihood.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations, permutations
from math import log
from typing import Any

from brickphys.errors import InterruptedRunError, InvalidValueError
from brickphys.odds.distribution import Z95, wilson
from brickphys.rules.game import Game
from brickphys.rules.play import MAX_STEPS, play
from brickphys.rules.players.bots import Bot
from brickphys.rules.record import Ending, Payoff, Record, Setup
from brickphys.rules.sources import EventSource

POINTS_PER_NAT = 400 / log(10)
"""Elo's scale: a lead of 400 points means odds of ten to one."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A strength in Elo points, 0 for the mean of all, and its 95 % interval."""

    elo: float
    ci95: tuple[float, float]


def elo_ratings(points: Sequence[Sequence[float]]) -> tuple[Rating, ...] | None:
    """Return the strengths of all players that make the results likeliest, if any do.

    The model of Bradley and Terry (Biometrika 39, 1952): i beats j with odds exp(strength_i - strength_j). A drawn game
    counts as half a win for either. The interval is Wald's, from the curvature of the likelihood at its top; as draws
    scatter less than wins, it is rather too wide than too narrow. Where some players never gave a point to the
    others, no finite strengths are the likeliest (Ford, American Mathematical Monthly 64, 1957).

    Parameters
    ----------
    points : shape (n, n)
        ``points[i][j]``: what i won against j, 1 a win and 1/2 a draw; the diagonal is not looked at. A game of n sides
        is a comparison of each pair, of which each counts 1/(n - 1), since they depend on each other.

    Returns
    -------
    tuple of Rating, or None
        In the order of the players; None where no finite strengths are the likeliest.

    Raises
    ------
    InvalidValueError
        If the table is not square, or points are negative.
    """
    count = len(points)
    if any(len(row) != count or min(row) < 0 for row in points):
        raise InvalidValueError(
            f"the points of {count} players are not a square table of numbers from 0"
        )
    if len(_connected(points)) < count:
        return None
    strengths, errors = _likeliest(points)
    return tuple(
        Rating(elo, (elo - Z95 * error, elo + Z95 * error))
        for elo, error in zip(strengths, errors, strict=True)
    )


def _connected(points: Sequence[Sequence[float]]) -> list[int]:
    """Return the largest group of players in which a chain of won points leads from everybody to everybody."""
    import numpy as np
    from scipy.sparse.csgraph import connected_components

    _, group = connected_components(np.array(points) > 0, connection="strong")
    return [int(player) for player in np.flatnonzero(group == np.bincount(group).argmax())]


def _likeliest(points: Sequence[Sequence[float]]) -> tuple[list[float], list[float]]:
    """Return strengths and their standard errors in Elo points."""
    import numpy as np
    from scipy.optimize import minimize

    won = np.array(points, dtype=float)
    np.fill_diagonal(won, 0.0)
    games = won + won.T
    everybody = np.ones((len(won), len(won))) / len(won)

    def loss(strength: np.ndarray) -> float:
        ahead = strength[:, None] - strength[None, :]
        # the sum of the strengths is free: to hold it at 0 costs nothing
        return float((won * np.logaddexp(0.0, -ahead)).sum() + strength.sum() ** 2 / 2)

    def slope(strength: np.ndarray) -> np.ndarray:
        expected = games / (1 + np.exp(strength[None, :] - strength[:, None]))
        return np.asarray((expected - won).sum(axis=1) + strength.sum())

    def curvature(strength: np.ndarray) -> np.ndarray:
        chance = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
        spread = games * chance * (1 - chance)
        return np.asarray(np.diag(spread.sum(axis=1)) - spread + len(won) * everybody)

    top = minimize(
        loss,
        np.zeros(len(won)),
        jac=slope,
        hess=curvature,
        method="trust-exact",
        options={"gtol": 1e-9},
    )
    covariance = np.linalg.inv(curvature(top.x)) - everybody / len(won)
    errors = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    return (top.x * POINTS_PER_NAT).tolist(), (errors * POINTS_PER_NAT).tolist()


_WIN, _DRAW, _LOSS = 1.0, 0.5, 0.0


@dataclass(frozen=True, slots=True)
class Matchup:
    """All games of one group of bots, as many bots as the game has sides."""

    names: tuple[str, ...]
    games: int
    """How many they have played."""
    unfinished: int
    """How many of the games were stopped at the limit of steps; each counts as a draw."""
    points: tuple[float, ...]
    """Of each bot, in the order of the names. A game is worth to a bot the share of the others that it has beaten, a
    half for an equal return; to a bot that plays alone, 1 above 0, a half at 0."""
    seat_points: tuple[float, ...]
    """Of each seat: where they differ much, one seat is better than another."""


@dataclass(frozen=True, slots=True)
class BotResult:
    """The result of one bot.

    It has won where it alone had the highest return, drawn where it shared that. A bot that plays alone has won above
    0 and lost below.
    """

    name: str
    games: int
    wins: int
    draws: int
    losses: int
    share: float
    """Points as a share of the games."""
    ci95: tuple[float, float]
    """Its Wilson interval; with draws it is rather too wide than too narrow."""
    rating: Rating | None
    """Its Elo, 0 for the mean of all that have one; None where the results allow no finite one, such as of a bot that
    won every game."""
    seat_shares: tuple[float | None, ...]
    """Points at each seat as a share of its games there; None where it has not played."""


@dataclass(frozen=True, slots=True)
class Table:
    """The result of a tournament: the bots, the best first, and the matchups in the order in which they were played."""

    standings: tuple[BotResult, ...]
    matchups: tuple[Matchup, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """One game: the bots by seat and their returns; none if it was stopped."""

    seats: tuple[str, ...]
    returns: tuple[Payoff, ...] | None

    def against(self, seat: int, other: int) -> float:
        """Return the points of a seat against another."""
        if self.returns is None:
            return _DRAW
        return _compared(self.returns[seat], self.returns[other])

    def points(self, seat: int) -> float:
        """Return the share of the others that a seat has beaten."""
        others = [other for other in range(len(self.seats)) if other != seat]
        if others:
            return sum(self.against(seat, other) for other in others) / len(others)
        return _DRAW if self.returns is None else _compared(self.returns[seat], 0)

    def outcome(self, seat: int) -> float:
        """Return whether a seat has won, drawn or lost."""
        others = [other for other in range(len(self.seats)) if other != seat]
        return min((self.against(seat, other) for other in others), default=self.points(seat))


def _compared(worth: Payoff, other: Payoff) -> float:
    return _WIN if worth > other else _DRAW if worth == other else _LOSS


def tournament(
    game: Game[Any, Any, Any],
    setup: Setup,
    bots: Mapping[str, Bot[Any, Any]],
    chance: EventSource,
    *,
    root: int,
    games: int = 100,
    address: tuple[int, ...] = (),
    max_steps: int = MAX_STEPS,
    watchers: Iterable[Callable[[Record[Any, Any]], None]] = (),
) -> Table:
    """Let every group of bots play, as many as the game has sides; of a game for two that is a round robin.

    Every game has its own dice, so that games are independent; the seats move on by one after each. InvalidValueError
    if there are too few bots, or the number of games is none of these; InterruptedRunError if a player leaves a game,
    or Ctrl-C ends it.

    Parameters
    ----------
    bots
        At least as many as there are sides, and two, by name.
    chance
        The source of outcomes; it should go by addresses.
    games
        For each matchup; a multiple of the number of sides, so that every bot has every seat equally often.
    max_steps
        The most actions and outcomes of a game; a longer one is stopped, counts as a draw, and is reported.
    """
    sides = game.players(game.initial(setup))
    least = max(2, sides)
    if len(bots) < least or games < 1 or games % sides:
        raise InvalidValueError(
            f"{len(bots)} bots and {games} games per matchup, but this game of {sides} sides needs at least "
            f"{least} bots and a multiple of {sides} games"
        )
    onlookers = tuple(watchers)

    def played(cell: int, number: int, seats: tuple[str, ...]) -> Record[Any, Any]:
        players, at = [bots[name] for name in seats], (*address, cell, number)
        return play(game, setup, players, chance, root=root, address=at, max_steps=max_steps)

    groups = list(combinations(bots, sides))
    results = [
        list(_results(names, games, partial(played, cell), onlookers))
        for cell, names in enumerate(groups)
    ]
    return table(tuple(bots), groups, results)


def table(
    bots: Sequence[str], groups: Sequence[tuple[str, ...]], results: Sequence[Sequence[Result]]
) -> Table:
    """Return the result of a tournament from the games of each group; bots without a game have no standing."""
    matchups = tuple(matchup(*group) for group in zip(groups, results, strict=True))
    return Table(_standings(tuple(bots), [one for found in results for one in found]), matchups)


def _results(
    names: tuple[str, ...],
    games: int,
    played: Callable[[int, tuple[str, ...]], Record[Any, Any]],
    watchers: Sequence[Callable[[Record[Any, Any]], None]],
) -> Iterator[Result]:
    """Yield the results of the games of one group; the seats move on by one after each."""
    for number in range(games):
        first = number % len(names)
        seats = (*names[first:], *names[:first])
        record = played(number, seats)
        if record.ending is Ending.INTERRUPTED:
            group = " against ".join(names)
            raise InterruptedRunError(f"interrupted in game {number + 1} of {games} of {group}")
        for show in watchers:
            show(record)
        yield Result(seats, record.returns)


def matchup(names: tuple[str, ...], results: Sequence[Result]) -> Matchup:
    """Return the result of one group of bots."""
    return Matchup(
        names=names,
        games=len(results),
        unfinished=sum(result.returns is None for result in results),
        points=tuple(
            sum(result.points(result.seats.index(name)) for result in results) for name in names
        ),
        seat_points=tuple(
            sum(result.points(seat) for result in results) for seat in range(len(names))
        ),
    )


def _standings(names: tuple[str, ...], results: Sequence[Result]) -> tuple[BotResult, ...]:
    """Return the standings, the highest share first."""
    won = [[0.0] * len(names) for _ in names]
    for result in results:
        for seat, other in permutations(range(len(result.seats)), 2):
            i, j = names.index(result.seats[seat]), names.index(result.seats[other])
            won[i][j] += result.against(seat, other) / (len(result.seats) - 1)
    rated = _connected(won)
    found = elo_ratings([[won[i][j] for j in rated] for i in rated]) if len(rated) > 1 else None
    ratings = dict(zip(rated, found or (), strict=False))
    played = [[result for result in results if name in result.seats] for name in names]
    standings = [
        _standing(name, own, ratings.get(number))
        for number, (name, own) in enumerate(zip(names, played, strict=True))
        if own
    ]
    return tuple(sorted(standings, key=lambda standing: -standing.share))


def _standing(name: str, results: Sequence[Result], rating: Rating | None) -> BotResult:
    seats = [result.seats.index(name) for result in results]
    outcomes = [result.outcome(seat) for result, seat in zip(results, seats, strict=True)]
    points = [result.points(seat) for result, seat in zip(results, seats, strict=True)]
    at = [
        [p for p, seat in zip(points, seats, strict=True) if seat == one]
        for one in range(len(results[0].seats))
    ]
    return BotResult(
        name=name,
        games=len(results),
        wins=outcomes.count(_WIN),
        draws=outcomes.count(_DRAW),
        losses=outcomes.count(_LOSS),
        share=sum(points) / len(results),
        ci95=wilson(sum(points), len(results)),
        rating=rating,
        seat_shares=tuple(sum(own) / len(own) if own else None for own in at),
    )
