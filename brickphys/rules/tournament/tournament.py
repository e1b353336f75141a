"""Tournament: every group of bots plays from every seat; shares of points and Elo, with their intervals."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations, permutations
from typing import Any

from brickphys.errors import InterruptedRunError, InvalidValueError
from brickphys.odds.intervals import wilson
from brickphys.rules.events.sources import EventSource
from brickphys.rules.game import Game
from brickphys.rules.play import MAX_STEPS, play
from brickphys.rules.players.bots import Bot
from brickphys.rules.record import Ending, Payoff, Record, Setup
from brickphys.rules.tournament.elo import Rating, elo_ratings

_WIN, _DRAW, _LOSS = 1.0, 0.5, 0.0


@dataclass(frozen=True, slots=True)
class Matchup:
    """All games of one group of bots, as many bots as the game has sides.

    Attributes
    ----------
    names
        The bots.
    games
        How many they have played.
    unfinished
        How many of the games were stopped at the limit of steps; each counts as a draw.
    points
        Of each bot, in the order of the names. A game is worth to a bot the share of the others that it has beaten, a
        half for an equal return; to a bot that plays alone, 1 above 0, a half at 0.
    seat_points
        Of each seat: where they differ much, one seat is better than another.
    """

    names: tuple[str, ...]
    games: int
    unfinished: int
    points: tuple[float, ...]
    seat_points: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """The result of one bot.

    Attributes
    ----------
    name
        Which bot.
    games
        How many it has played.
    wins, draws, losses
        Games in which it alone had the highest return, shared it, or had less. A bot that plays alone has won above
        0 and lost below.
    share
        Points as a share of the games.
    ci95
        Its Wilson interval; with draws it is rather too wide than too narrow.
    rating
        Its Elo; None where the results allow no finite one, such as when one bot won every game.
    """

    name: str
    games: int
    wins: int
    draws: int
    losses: int
    share: float
    ci95: tuple[float, float]
    rating: Rating | None


@dataclass(frozen=True, slots=True)
class Table:
    """The result of a tournament: the bots, the best first, and the matchups in the order in which they were played."""

    standings: tuple[Standing, ...]
    matchups: tuple[Matchup, ...]


@dataclass(frozen=True, slots=True)
class _Result:
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

    Every game has its own dice, so that games are independent; the seats move on by one after each.

    Parameters
    ----------
    game, setup
        The game, for any number of sides, and its setup.
    bots
        At least as many as there are sides, and two, by name.
    chance
        The source of outcomes; it should go by addresses.
    root, address
        Root seed, and which tournament of that root.
    games
        For each matchup; a multiple of the number of sides, so that every bot has every seat equally often.
    max_steps
        The most actions and outcomes of a game; a longer one is stopped, counts as a draw, and is reported.
    watchers
        Functions that are called with each game.

    Raises
    ------
    InvalidValueError
        If there are too few bots, or the number of games is none of these.
    InterruptedRunError
        If a player leaves a game, or Ctrl-C ends it.
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
    matchups = tuple(_matchup(*group) for group in zip(groups, results, strict=True))
    return Table(_standings(tuple(bots), [one for found in results for one in found]), matchups)


def _results(
    names: tuple[str, ...],
    games: int,
    played: Callable[[int, tuple[str, ...]], Record[Any, Any]],
    watchers: Sequence[Callable[[Record[Any, Any]], None]],
) -> Iterator[_Result]:
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
        yield _Result(seats, record.returns)


def _matchup(names: tuple[str, ...], results: Sequence[_Result]) -> Matchup:
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


def _standings(names: tuple[str, ...], results: Sequence[_Result]) -> tuple[Standing, ...]:
    """Return the standings, the highest share first."""
    won = [[0.0] * len(names) for _ in names]
    for result in results:
        for seat, other in permutations(range(len(result.seats)), 2):
            i, j = names.index(result.seats[seat]), names.index(result.seats[other])
            won[i][j] += result.against(seat, other) / (len(result.seats) - 1)
    ratings = elo_ratings(won) or [None] * len(names)
    standings = [
        _standing(name, [result for result in results if name in result.seats], rating)
        for name, rating in zip(names, ratings, strict=True)
    ]
    return tuple(sorted(standings, key=lambda standing: -standing.share))


def _standing(name: str, results: Sequence[_Result], rating: Rating | None) -> Standing:
    seats = [result.seats.index(name) for result in results]
    outcomes = [result.outcome(seat) for result, seat in zip(results, seats, strict=True)]
    points = sum(result.points(seat) for result, seat in zip(results, seats, strict=True))
    return Standing(
        name=name,
        games=len(results),
        wins=outcomes.count(_WIN),
        draws=outcomes.count(_DRAW),
        losses=outcomes.count(_LOSS),
        share=points / len(results),
        ci95=wilson(points, len(results)),
        rating=rating,
    )
