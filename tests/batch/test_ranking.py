"""Ranking: armies that met in pairs."""

import numpy as np
import pyarrow as pa
import pytest

from brickphys.batch.unit_values import ranking
from brickphys.errors import InvalidValueError
from brickphys.odds.distribution import wilson


def rows(*games: tuple[str, int]) -> pa.Table:
    return pa.table({"setup": [label for label, _ in games], "winner": [won for _, won in games]})


def test_shares_count_draws_as_halves_whichever_seat_an_army_has():
    games = [("a | b", 0), ("b | a", 1), ("a | b", 1), ("a | b", -1), ("b | b", 0)]
    first, second = ranking(rows(*games))
    assert (first.name, first.battles, first.share.value) == ("a", 4, 2.5 / 4)
    assert (second.name, second.battles, second.share.value) == ("b", 4, 1.5 / 4)
    assert first.share[1:] == wilson(2.5, 4)


def test_strengths_that_made_the_results_are_found_within_their_intervals():
    """At 95 % a strength is outside now and then; at twice the half-width (p < 0.0001 each) none of four is."""
    rng, truth = np.random.default_rng(4), {"a": 150.0, "b": 50.0, "c": -50.0, "d": -150.0}
    games = []
    for _ in range(1500):
        one, other = rng.choice(list(truth), 2, replace=False)
        chance = 1.0 / (1.0 + 10.0 ** ((truth[other] - truth[one]) / 400.0))
        games.append((f"{one} | {other}", int(rng.random() >= chance)))
    ranks = ranking(rows(*games))
    assert [rank.name for rank in ranks] == list(truth)
    for rank in ranks:
        low, high = rank.rating.ci95
        assert abs(rank.rating.elo - truth[rank.name]) < high - low


def test_an_army_that_never_lost_has_no_finite_strength():
    assert [rank.rating for rank in ranking(rows(("a | b", 0)))] == [None, None]


@pytest.mark.parametrize("label", [None, "duel", "a | b | c"])
def test_setups_that_name_no_pair_are_refused(label):
    with pytest.raises(InvalidValueError, match="does not name two armies"):
        ranking(rows((label, 0)))


def test_armies_that_met_only_their_like_are_not_ranked():
    with pytest.raises(InvalidValueError, match="no two different"):
        ranking(rows(("a | a", 0)))
