from fractions import Fraction
from math import log10

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.errors import InterruptedRunError, InvalidValueError
from brickphys.odds.distribution import wilson
from brickphys.odds.law import BinomialLaw
from brickphys.rules.events import Draw
from brickphys.rules.players.bots import RandomBot
from brickphys.rules.record import CHANCE, OVER
from brickphys.rules.sources import LawSource
from brickphys.rules.tournament import elo_ratings, tournament
from tests.rules.contest_game import WEIGHTS, Always, Contest
from tests.rules.duel_game import Duel
from tests.rules.solo_game import Campaign

LAW = BinomialLaw(Fraction(1, 4))
BOTS = {"weak": Always(1), "middle": Always(2), "strong": Always(4)}


def contest(bots=BOTS, **options):
    return tournament(Contest(), {}, bots, LawSource(LAW, 6), root=6, **{"games": 400, **options})


def test_elo_recovers_known_strengths():
    # Weights 1, 2, 4 are 120.4 points apart. 1200 games; three intervals of 95 % for the fixed seed.
    table = contest()
    assert [standing.name for standing in table.standings] == ["strong", "middle", "weak"]
    for standing, truth in zip(table.standings, (1, 0, -1), strict=True):
        low, high = standing.rating.ci95
        assert low < 400 * log10(2) * truth < high
        assert high - low < 60
    assert sum(standing.rating.elo for standing in table.standings) == pytest.approx(0, abs=1e-6)


def test_whoever_leaves_a_game_ends_the_tournament():
    class Leaver(RandomBot):
        def choose(self, view, actions, rng):
            raise KeyboardInterrupt

    with pytest.raises(InterruptedRunError, match="interrupted in game 1 of 10 of middle against"):
        contest({"middle": Always(2), "leaver": Leaver()}, games=10)


def test_points_add_up_and_shares_have_wilson_s_interval():
    table = contest(games=50)
    assert [matchup.names for matchup in table.matchups] == [
        ("weak", "middle"),
        ("weak", "strong"),
        ("middle", "strong"),
    ]
    assert all(sum(matchup.points) == matchup.games == 50 for matchup in table.matchups)
    assert sum(standing.wins for standing in table.standings) == 150
    for standing in table.standings:
        assert standing.games == standing.wins + standing.draws + standing.losses == 100
        assert standing.ci95 == wilson(standing.wins, 100)


def test_the_same_root_gives_the_same_table_and_another_another():
    assert contest(games=20) == contest(games=20)
    assert contest(games=20) != contest(games=20, address=(1,))


def test_seats_are_swapped():
    class First(Contest):
        """The first seat always wins."""

        def apply(self, state, move):
            return (*state, 0) if len(state) == 2 else (*state, int(move))

    seen = []
    table = tournament(
        First(), {}, BOTS, LawSource(LAW, 6), root=6, games=10, watchers=[seen.append]
    )
    assert all(standing.share == 0.5 for standing in table.standings)
    assert all(matchup.seat_points == (10, 0) for matchup in table.matchups)
    assert len(seen) == 30


def test_games_without_an_end_are_draws_that_are_reported():
    duel = Duel()
    bots = {"a": RandomBot(), "b": RandomBot()}
    table = tournament(
        duel, duel.setups["even"], bots, LawSource(LAW, 1), root=1, games=6, max_steps=1
    )
    (matchup,) = table.matchups
    assert (matchup.points, matchup.unfinished) == ((3, 3), 6)
    assert [standing.draws for standing in table.standings] == [6, 6]
    assert [standing.share for standing in table.standings] == [0.5, 0.5]
    assert [standing.rating.elo for standing in table.standings] == [0, 0]


def test_who_wins_everything_has_no_finite_elo_but_an_interval_of_his_share():
    class Certain(Contest):
        def apply(self, state, move):
            return (*state, int(state[1] > state[0])) if len(state) == 2 else (*state, int(move))

    table = tournament(Certain(), {}, BOTS, LawSource(LAW, 1), root=1, games=4)
    assert [standing.rating for standing in table.standings] == [None] * 3
    assert table.standings[0].share == 1
    assert table.standings[0].ci95[0] < 1 == table.standings[0].ci95[1]


def test_who_loses_everything_has_no_elo_but_the_others_have():
    bots = {**BOTS, "hopeless": Always(0)}

    class Hopeless(Contest):
        """Whoever chooses 0 loses."""

        def apply(self, state, move):
            if len(state) == 2 and 0 in state:
                return (*state, int(state[0] == 0))
            return super().apply(state, move)

        def actions(self, state):
            return (0, *super().actions(state)) if len(state) < 2 else ()

    table = tournament(Hopeless(), {}, bots, LawSource(LAW, 1), root=1, games=40)
    elo = {one.name: one.rating for one in table.standings}
    assert elo.pop("hopeless") is None
    assert sum(one.elo for one in elo.values()) == pytest.approx(0, abs=1e-6)
    assert elo["strong"].elo > elo["weak"].elo


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"games": 3}, "and a multiple of 2 games"),
        ({"games": 0}, "and a multiple of 2 games"),
        (
            {"bots": {"one": RandomBot()}},
            "1 bots and 400 games per matchup, but this game of 2 sides needs at least 2",
        ),
    ],
)
def test_impossible_tournaments_are_refused(options, words):
    with pytest.raises(InvalidValueError, match=words):
        contest(**options)


class Ranking(Contest):
    """Three choose weights; who is first and who second is drawn by them (Plackett and Luce)."""

    def players(self, state):
        return 3

    def actor(self, state):
        return (0, 1, 2, CHANCE, CHANCE, OVER)[len(state)]

    def actions(self, state):
        return WEIGHTS if len(state) < 3 else ()

    def chance(self, state):
        return Draw.of({str(seat): state[seat] for seat in range(3) if seat not in state[3:]})

    def returns(self, state):
        worth = [0, 0, 0]
        worth[state[3]], worth[state[4]] = 2, 1
        return tuple(worth)


def test_elo_recovers_known_strengths_from_games_of_three():
    # Pairs of a Plackett-Luce ranking follow the model of Bradley and Terry. 4 matchups of 300 games.
    bots = {**BOTS, "best": Always(8)}
    table = tournament(Ranking(), {}, bots, LawSource(LAW, 6), root=6, games=300)
    assert [standing.name for standing in table.standings] == ["best", "strong", "middle", "weak"]
    for standing, truth in zip(table.standings, (1.5, 0.5, -0.5, -1.5), strict=True):
        low, high = standing.rating.ci95
        assert low < 400 * log10(2) * truth < high
        assert high - low < 60
        assert standing.games == 900 == standing.wins + standing.losses
    assert table.matchups[0].names == ("weak", "middle", "strong")
    assert all(sum(matchup.points) == pytest.approx(150 * 3) for matchup in table.matchups)


def test_every_bot_has_every_seat_equally_often():
    seats = []
    tournament(
        Ranking(),
        {},
        BOTS,
        LawSource(LAW, 6),
        root=6,
        games=6,
        watchers=[lambda record: seats.append(record.final[:3])],
    )
    assert seats == [(1, 2, 4), (2, 4, 1), (4, 1, 2)] * 2


def test_two_share_a_win_and_the_third_has_lost():
    class Shared(Ranking):
        def returns(self, state):
            return tuple(int(weight < 4) for weight in state[:3])

    table = tournament(Shared(), {}, BOTS, LawSource(LAW, 6), root=6, games=3)
    results = {s.name: (s.wins, s.draws, s.losses, s.share) for s in table.standings}
    assert results == {"weak": (0, 3, 0, 0.75), "middle": (0, 3, 0, 0.75), "strong": (0, 0, 3, 0.0)}


def test_bots_that_play_alone_are_compared_by_how_often_they_win():
    bots = {"steady": Always("rest"), "hasty": Always("march")}
    table = tournament(
        Campaign(), {"days": 5, "miles": 7}, bots, LawSource(LAW, 6), root=6, games=200
    )
    hasty, steady = sorted(table.standings, key=lambda standing: standing.name)
    assert 0 < hasty.losses < 200
    assert hasty.wins == 200 - hasty.losses
    assert (hasty.rating, steady.rating) == (None, None)
    assert hasty.ci95 == wilson(hasty.wins, 200)
    assert [matchup.names for matchup in table.matchups] == [("steady",), ("hasty",)]


@given(st.integers(1, 500), st.integers(1, 500))
def test_elo_of_two_has_a_closed_form(won, lost):
    first, second = elo_ratings([[0, won], [lost, 0]])
    gap = 400 * log10(won / lost)
    error = 400 / np.log(10) * (1 / won + 1 / lost) ** 0.5  # of a log odds, half of it for either
    assert first.elo == pytest.approx(gap / 2, abs=1e-3)
    assert second.elo == pytest.approx(-gap / 2, abs=1e-3)
    assert first.ci95[1] - first.elo == pytest.approx(1.959964 * error / 2, rel=1e-3)


def test_elo_intervals_cover_the_truth_as_often_as_they_say():
    # 200 round robins of four, 60 games a pairing: 800 intervals of 95 %, strongly dependent only within a round
    # robin; the share that covers lies within 92 % to 98 % (false alarms below 1 in 1000, fixed seed).
    rng = np.random.default_rng(12)
    truth = np.array([150.0, 40.0, -60.0, -130.0])
    chance = 1 / (1 + 10 ** ((truth[None, :] - truth[:, None]) / 400))
    covered = 0
    for _ in range(200):
        won = np.triu(rng.binomial(60, chance), 1)
        points = won + np.triu(60 - won, 1).T
        ratings = elo_ratings(points.tolist())
        covered += sum(r.ci95[0] < t < r.ci95[1] for r, t in zip(ratings, truth, strict=True))
    assert 0.92 < covered / 800 < 0.98


@pytest.mark.parametrize(
    "points",
    [[[0, 3], [0, 0]], [[0, 1, 1], [1, 0, 1], [0, 0, 0]], [[0, 0], [0, 0]]],
    ids=["all won", "one never wins", "never met"],
)
def test_no_finite_elo_where_none_is_the_likeliest(points):
    assert elo_ratings(points) is None


def test_a_table_that_is_none_is_refused():
    with pytest.raises(InvalidValueError, match="not a square table"):
        elo_ratings([[0, 1], [1]])
    with pytest.raises(InvalidValueError, match="not a square table"):
        elo_ratings([[0, -1], [1, 0]])
