"""Tournaments: who plays whom, and how all stand."""

import random
from itertools import combinations

import pytest

from brickphys.battles.tournament import System, Tournament
from brickphys.errors import InvalidValueError

NAMES = [chr(ord("a") + n) for n in range(26)]


def play(tournament, chance):
    """Play all rounds with results by chance."""
    while not tournament.is_over:
        for one in tournament.pair():
            if one.points is None:
                first = chance.choice([0.0, 0.5, 1.0])
                one.points = first, 1 - first
    return tournament


@pytest.mark.parametrize("count", range(2, 13))
def test_in_a_round_robin_each_meets_each_other_once(count):
    found = Tournament(NAMES[:count], System.ROUND_ROBIN, count - 1 + count % 2)
    play(found, random.Random(count))
    met = [
        frozenset(one.players) for games in found.played for one in games if len(one.players) > 1
    ]
    assert sorted(map(sorted, met)) == sorted(map(list, combinations(range(count), 2)))
    for games in found.played:
        assert sorted(n for one in games for n in one.players) == [*range(count)]


@pytest.mark.parametrize("count", [4, 5, 8, 11, 16])
@pytest.mark.parametrize("seed", range(4))
def test_in_a_swiss_tournament_nobody_meets_another_twice_and_rests_are_spread(count, seed):
    found = play(Tournament(NAMES[:count], System.SWISS, count // 2), random.Random(seed))
    met = [
        frozenset(one.players) for games in found.played for one in games if len(one.players) > 1
    ]
    assert len({*met}) == len(met)
    rests = [one.players[0] for games in found.played for one in games if len(one.players) == 1]
    assert len(rests) == (count % 2) * (count // 2)
    assert len({*rests}) == len(rests)
    for games in found.played:
        assert sorted(n for one in games for n in one.players) == [*range(count)]


def test_in_a_swiss_tournament_those_with_like_points_play_each_other():
    found = Tournament(NAMES[:8], System.SWISS, 3)
    for _ in range(3):
        for one in found.pair():  # the first of the alphabet always win
            best = min(one.players)
            one.points = tuple(float(n == best) for n in one.players)
    assert found.standings()[0].name == "a"
    assert [one.points for one in found.standings()] == [3, 2, 2, 2, 1, 1, 1, 0]


def test_points_wins_draws_and_those_of_opponents():
    found = Tournament(["x", "y", "z"], System.ROUND_ROBIN, 3)
    results = {
        frozenset((0, 1)): {0: 1.0, 1: 0.0},
        frozenset((0, 2)): {0: 0.5, 2: 0.5},
        frozenset((1, 2)): {1: 1.0, 2: 0.0},
    }
    while not found.is_over:
        for one in found.pair():
            if one.points is None:
                own = results[frozenset(one.players)]
                one.points = tuple(own[n] for n in one.players)
    x, y, z = found.standings()
    assert (x.name, x.points, x.games, x.buchholz) == ("x", 2.5, 3, 2 + 1.5)
    assert (y.name, y.points, z.name, z.points) == ("y", 2.0, "z", 1.5)
    assert sum(one.points for one in found.standings()) == 3 + 3  # one a game, and three rests


@pytest.mark.parametrize("count", [6, 7])
def test_each_has_the_first_seat_about_as_often(count):
    found = play(
        Tournament(NAMES[:count], System.ROUND_ROBIN, count - 1 + count % 2), random.Random(1)
    )
    games = [one for games in found.played for one in games if len(one.players) > 1]
    first = [sum(one.players[0] == n for one in games) for n in range(count)]
    assert max(first) - min(first) <= 2


@pytest.mark.parametrize(
    ("names", "rounds", "told"),
    [
        (["a"], 1, "2 to 40 players"),
        (NAMES[:2] * 21, 1, "2 to 40 players"),
        (["a", " a "], 1, "two players"),
        (["a", "b"], 2, "1 to 1 rounds"),
        (["a", "b", "c"], 0, "1 to 3 rounds"),
    ],
)
def test_what_is_no_tournament_is_refused(names, rounds, told):
    with pytest.raises(InvalidValueError, match=told):
        Tournament(names, System.SWISS, rounds)


def test_a_round_waits_for_the_one_before():
    found = Tournament(["a", "b", "c", "d"], System.SWISS, 2)
    found.pair()
    with pytest.raises(InvalidValueError, match="once this one is over"):
        found.pair()
