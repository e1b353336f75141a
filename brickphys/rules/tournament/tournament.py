"""Tournament: every bot against every other, from either seat; shares of points and Elo, with their intervals."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any

from brickphys.errors import InterruptedRunError, InvalidValueError
from brickphys.odds.intervals import wilson
from brickphys.rules.events.sources import EventSource
from brickphys.rules.game import AnyGame
from brickphys.rules.play import MAX_STEPS, play
from brickphys.rules.players.bots import Bot
from brickphys.rules.record import Ending, Record, Setup
from brickphys.rules.tournament.elo import Rating, elo_ratings


@dataclass(frozen=True, slots=True)
class Pairing:
    """All games of two bots.

    Attributes
    ----------
    first, second
        Their names.
    wins, draws, losses
        As the first sees it.
    unfinished
        How many of the draws were stopped at the limit of steps.
    first_seat_points
        Points of whoever sat in the first seat: more than half of the games shows that it is the better one.
    """

    first: str
    second: str
    wins: int
    draws: int
    losses: int
    unfinished: int
    first_seat_points: float

    @property
    def games(self) -> int:
        """How many games there were."""
        return self.wins + self.draws + self.losses


@dataclass(frozen=True, slots=True)
class Standing:
    """What became of one bot.

    Attributes
    ----------
    name
        Which bot.
    games, wins, draws, losses
        How many.
    share
        Points, 1 a win and 1/2 a draw, as a share of the games.
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
    """The result of a tournament: the bots, the best first, and the pairings in the order in which they were played."""

    standings: tuple[Standing, ...]
    pairings: tuple[Pairing, ...]


def tournament(
    game: AnyGame,
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
    """Play a round robin of a game for two.

    Every game has its own dice, so that games are independent; seats are swapped after each.

    Parameters
    ----------
    game, setup
        What is played.
    bots
        Two or more, by name.
    chance
        Who answers the chance events; it should go by addresses.
    root, address
        Root seed, and which tournament of that root.
    games
        For each pairing; an even number, so that both sit in either seat equally often.
    max_steps
        After so many actions and outcomes a game is stopped, counts as a draw, and is reported.
    watchers
        Are shown every game.

    Raises
    ------
    InvalidValueError
        If there are fewer than two bots, the number of games is odd, or the game is not for two.
    InterruptedRunError
        If somebody leaves a game, or Ctrl-C ends it.
    """
    if len(bots) < 2 or games < 2 or games % 2:
        raise InvalidValueError(
            f"{len(bots)} bots and {games} games a pairing: needs two bots and an even number"
        )
    if (players := game.players(game.initial(setup))) != 2:
        raise InvalidValueError(f"a tournament is for games of two, this one has {players} players")
    onlookers = tuple(watchers)

    def played(cell: int, number: int, seats: tuple[str, str]) -> Record[Any, Any]:
        record = play(
            game,
            setup,
            [bots[name] for name in seats],
            chance,
            root=root,
            address=(*address, cell, number),
            max_steps=max_steps,
        )
        if record.ending is not Ending.INTERRUPTED:
            for show in onlookers:
                show(record)
        return record

    pairings = [
        _pairing(first, second, _games(first, second, games, partial(played, cell)))
        for cell, (first, second) in enumerate(combinations(bots, 2))
    ]
    return Table(_standings(tuple(bots), pairings), tuple(pairings))


def _games(
    first: str, second: str, games: int, played: Callable[[int, tuple[str, str]], Record[Any, Any]]
) -> Iterator[tuple[str | None, Record[Any, Any]]]:
    """Yield who has won each game of two bots, and the game; they change seats after each."""
    for number in range(games):
        seats = (second, first) if number % 2 else (first, second)
        record = played(number, seats)
        if record.ending is Ending.INTERRUPTED:
            raise InterruptedRunError(
                f"interrupted in game {number + 1} of {games} of {first} against {second}"
            )
        yield (None if record.winner is None else seats[record.winner]), record


def _pairing(
    first: str, second: str, games: Iterable[tuple[str | None, Record[Any, Any]]]
) -> Pairing:
    winners = list(games)
    names = [name for name, _ in winners]
    records = [record for _, record in winners]
    return Pairing(
        first=first,
        second=second,
        wins=names.count(first),
        draws=names.count(None),
        losses=names.count(second),
        unfinished=sum(record.ending is not Ending.OVER for record in records),
        first_seat_points=sum({0: 1.0, 1: 0.0, None: 0.5}[record.winner] for record in records),
    )


def _standings(names: tuple[str, ...], pairings: Sequence[Pairing]) -> tuple[Standing, ...]:
    """Return the standings, the highest share first."""
    points = {(one, other): 0.0 for one in names for other in names}
    for pairing in pairings:
        points[pairing.first, pairing.second] = pairing.wins + pairing.draws / 2
        points[pairing.second, pairing.first] = pairing.losses + pairing.draws / 2
    ratings = elo_ratings([[points[one, other] for other in names] for one in names])
    standings = [
        _standing(name, pairings, sum(points[name, other] for other in names), rating)
        for name, rating in zip(names, ratings or [None] * len(names), strict=True)
    ]
    return tuple(sorted(standings, key=lambda standing: -standing.share))


def _standing(
    name: str, pairings: Sequence[Pairing], points: float, rating: Rating | None
) -> Standing:
    own = [pairing for pairing in pairings if name in (pairing.first, pairing.second)]
    games = sum(pairing.games for pairing in own)
    draws = sum(pairing.draws for pairing in own)
    wins = round(points - draws / 2)
    return Standing(
        name=name,
        games=games,
        wins=wins,
        draws=draws,
        losses=games - wins - draws,
        share=points / games,
        ci95=wilson(points, games),
        rating=rating,
    )
