"""A combined law lies between law and counts, is surer than either, and is read like any law."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import beta

from brickphys.calibration.combined_law import (
    combined_law,
    hand_factor,
    law_beta,
    law_sd,
    own_weight,
    prior_worth,
)
from brickphys.calibration.home_counts import HomeCounts
from brickphys.calibration.posterior import share_posterior, side_hands
from brickphys.odds.distribution import wilson
from brickphys.odds.law_choice import shortcomings
from brickphys.odds.law_file import default_law, read_law, shipped_law
from brickphys.odds.opposed import opposed


@pytest.fixture(scope="module")
def law():
    return replace(default_law(), p_range90=(0.255, 0.315))


def test_single_bricks_are_added_to_the_beta_law(law, thrown):
    counts = thrown(np.random.default_rng(1), 500, 1, (0.35, 0.35, 0.3))
    both = combined_law(law, counts, "mine.csv", "brickphys infer mine.csv")
    a, b = law_beta(law, systematic=True)
    exact = beta(a + counts.sides, b + 500 - counts.sides)
    assert float(both.p) == pytest.approx(exact.mean(), abs=0.0005)
    assert both.ci95 == pytest.approx(exact.ppf([0.025, 0.975]), abs=0.0005)
    assert both.stamp is not None
    # as many throws as would know p so well
    assert both.throws == pytest.approx(a + b + 500, abs=2)


def test_it_lies_between_and_is_surer_than_either(law, thrown):
    counts = thrown(np.random.default_rng(2), 200, 4, (0.34, 0.34, 0.32), rho=0.1)
    both = combined_law(law, counts, "mine.csv", "")
    home = share_posterior(side_hands(counts)).p
    assert float(law.p) < float(both.p) < home.mean
    width = law_sd(both, systematic=True)
    assert width < min(home.sd, law_sd(law, systematic=True))
    assert both.systematic is None
    low, high = both.p_range90
    assert both.ci95[0] < low < float(both.p) < high < both.ci95[1]


@pytest.mark.parametrize("side", [0.31, 0.45])
def test_the_weight_of_the_counts_is_that_in_the_mean(law, thrown, side):
    counts = thrown(np.random.default_rng(5), 400, 1, (0.2, 0.8 - side, side))
    both = combined_law(law, counts, "mine.csv", "")
    weight = own_weight(law, both)
    alone = 400 / (400 + prior_worth(law))
    assert weight == pytest.approx(alone, abs=0.01) if side == 0.31 else weight > 1.5 * alone
    mean = weight * counts.sides / 400 + (1 - weight) * float(law.p)
    assert float(both.p) == pytest.approx(mean, abs=0.002)
    assert "with 400 bodies of mine.csv" in both.line()


def hands_at_home(score, hands=100, bricks=5):
    """Return hands that have a total score, as even as they can."""
    least, more = divmod(score, hands)
    scores = np.full(hands, least)
    scores[:more] += 1
    return HomeCounts(np.full(hands, bricks), scores)


@pytest.mark.parametrize("name", ["default", "glass"])
def test_hands_move_the_odds_of_hands_towards_what_they_scored(name):
    """Oracle: hands with the law's own chance of a brick in a hand leave the odds as they are, wherever p lies.

    In the shipped laws a brick in a hand stops on a side less often than a single one. Counts between both chances must
    raise the odds of hands.
    """
    prior = shipped_law(name)
    together = float(prior.hand_fit.share)
    assert together < float(prior.p) - 0.001
    before, own = opposed(3, 2, prior).success, {}
    for points in (-10, -1, 0, 1, 10):
        counts = hands_at_home(round(50_000 * together) + points * 50, hands=10_000)
        law = combined_law(prior, counts, "mine.csv", "")
        own[points] = float(opposed(3, 2, law).success - before)
        assert float(law.hand_fit.share) == pytest.approx(
            together + points / 1000 * own_weight(prior, law), abs=0.0003
        )
    assert own[0] == pytest.approx(0, abs=0.0003)
    assert own[-10] < own[-1] < 0 < own[1] < own[10]


def test_few_hands_below_the_law_do_not_raise_the_odds(law):
    both = combined_law(default_law(), hands_at_home(14, hands=12), "mine.csv", "")
    assert opposed(3, 2, both).success < opposed(3, 2, default_law()).success
    # bricks one at a time move both chances alike
    alone = combined_law(default_law(), hands_at_home(14, hands=60, bricks=1), "mine.csv", "")
    for one in (both, alone):
        assert hand_factor(one) == pytest.approx(hand_factor(default_law()), rel=1e-5)


def test_a_combined_law_knows_the_hands_that_it_rests_on(law, thrown):
    hands = thrown(np.random.default_rng(7), 20, 3)
    of_default = combined_law(default_law(), hands, "mine.csv", "")
    assert of_default.hand_sizes == default_law().hand_sizes == tuple(range(2, 13))
    assert not of_default.extrapolated(5)
    assert of_default.extrapolated(13)
    of_single = combined_law(shipped_law("pybullet"), hands, "mine.csv", "")
    assert of_single.hand_sizes == (3,)
    assert shortcomings(of_single, (2, 3)) == [
        "Hands of 2 bricks were not measured: they are extended from hands of 3."
    ]


def test_poses_follow_law_and_counts(law, thrown):
    up = thrown(np.random.default_rng(3), 3000, 1, (0.6, 0.1, 0.3))
    before, after = (
        one.counts["studs_up"] / (one.throws - one.counts["side"])
        for one in (law, combined_law(law, up, "mine.csv", ""))
    )
    assert before < after < 0.6 / 0.7
    score_only = combined_law(law, replace(up, poses=None), "mine.csv", "")
    assert score_only.counts["studs_up"] / (
        score_only.throws - score_only.counts["side"]
    ) == pytest.approx(before, abs=0.001)


def test_clumping_that_the_hands_show_goes_into_the_law(law, thrown):
    rng = np.random.default_rng(4)
    alike = combined_law(law, thrown(rng, 300, 4, rho=0.4), "mine.csv", "")
    assert alike.overdispersion.rho == pytest.approx(0.4, abs=0.1)
    assert alike.roll(4).variance() > 1.5 * law.roll(4).variance()
    apart = combined_law(law, thrown(rng, 300, 1), "mine.csv", "")
    assert apart.overdispersion == law.overdispersion


def test_it_comes_back_from_its_file_and_can_be_combined_again(law, thrown, tmp_path):
    rng = np.random.default_rng(5)
    both = combined_law(law, thrown(rng, 100, 3), "mine.csv", "brickphys infer mine.csv")
    back = read_law(both.save(tmp_path / "law.json"))
    assert back == both
    assert sum(sum(row) for row in back.combined.scores.values()) == 100
    assert back.combined.prior_p == pytest.approx(float(law.p), abs=1e-6)
    assert back.combined.prior_ci95 == wilson(round(law.p * law.throws), law.throws)
    again = combined_law(back, thrown(rng, 100, 3), "more.csv", "")
    assert again.throws > both.throws
    assert again.combined.prior_range90 == both.p_range90


@pytest.mark.parametrize("sides", [0, 1])
def test_one_brick_makes_a_law(law, thrown, sides):
    shares = (0.5, 0.5, 0.0) if sides == 0 else (0.0, 0.0, 1.0)
    both = combined_law(law, thrown(np.random.default_rng(6), 1, 1, shares), "mine.csv", "")
    assert float(both.p) == pytest.approx(float(law.p), abs=0.005)
    assert sum(both.counts.values()) == both.throws


def test_hands_of_a_prior_law_that_say_nothing_of_a_brick_in_a_hand_do_not_count():
    """In files of earlier versions the prior law's brick in a hand is a single one."""
    both = combined_law(default_law(), hands_at_home(14, hands=60, bricks=1), "mine.csv", "")
    old = replace(both, combined=replace(both.combined, prior_p_in_hand=None))
    assert (both.hand_sizes, old.hand_sizes) == (default_law().hand_sizes, ())
