"""Ranking: the order of armies that met in pairs, from drawn battles of any game."""

from dataclasses import dataclass

import pyarrow as pa

from brickphys.batch.kinds.study_type import Estimate
from brickphys.batch.value.army_draws import SETUP, VERSUS, WINNER
from brickphys.errors import InvalidValueError
from brickphys.rules.tournament.elo import Rating, elo_ratings


@dataclass(frozen=True)
class Rank:
    """The place of an army.

    Attributes
    ----------
    name
        Its label, such as the name of a ship.
    battles
        How many it has fought against others.
    share
        The share of these that it has won, draws as halves, with Wilson's interval.
    rating
        Its strength by the model of Bradley and Terry; None where the results allow no finite one.
    """

    name: str
    battles: int
    share: Estimate
    rating: Rating | None


def ranking(rows: pa.Table) -> tuple[Rank, ...]:
    """Return the armies of drawn battles, the strongest first; battles of an army against its like are left out.

    Parameters
    ----------
    rows
        Rows with the columns `setup`, such as ``black_pearl | renegade_runner``, and `winner`, a player's number or -1.

    Raises
    ------
    InvalidValueError
        If a setup does not name two armies, or no two differ.
    """
    labels, winners = rows[SETUP].to_pylist(), rows[WINNER].to_pylist()
    pairs = [tuple((label or "").split(VERSUS)) for label in labels]
    wrong = [label for label, pair in zip(labels, pairs, strict=True) if len(pair) != 2]
    if wrong:
        raise InvalidValueError(
            f"{SETUP} {wrong[0]!r} does not name two armies: a study with `draw` has them"
        )
    met = [(pair, won) for pair, won in zip(pairs, winners, strict=True) if len({*pair}) == 2]
    names = sorted({name for pair, _ in met for name in pair})
    if not names:
        raise InvalidValueError("no two different armies have met")
    points = [[0.0] * len(names) for _ in names]
    for pair, won in met:
        one, other = (names.index(name) for name in pair)
        score = 0.5 if won < 0 else float(won == 0)
        points[one][other] += score
        points[other][one] += 1.0 - score
    ratings = elo_ratings(points) or [None] * len(names)
    ranks = []
    for at, (name, rating) in enumerate(zip(names, ratings, strict=True)):
        battles = sum(name in pair for pair, _ in met)
        ranks.append(Rank(name, battles, Estimate.of_share(sum(points[at]), battles), rating))
    return tuple(sorted(ranks, key=_strength, reverse=True))


def _strength(rank: Rank) -> tuple[float, float]:
    return (0.0 if rank.rating is None else rank.rating.elo), rank.share.value
