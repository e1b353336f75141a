"""A right law fits, a wrong one does not, and more throws are as many as the arithmetic says."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom, norm

from brickphys.calibration import combined_law
from brickphys.calibration.posterior import share_posterior, side_hands
from brickphys.odds.distribution import Z90, wilson
from brickphys.odds.law import Law
from brickphys.odds.provenance import LawConditions, LawSurface

SPREAD = 0.0173
"""Standard deviation of p over tables and hands."""


@pytest.fixture(scope="module")
def law():
    counts = {"studs_up": 3300, "studs_down": 3700, "side": 3000, "leaning": 0, "unsettled": 0}
    return Law(
        counts=counts,
        share_ci95=wilson(3000, 10_000),
        scores={1: (7000, 3000)},
        shape="2x2",
        surface=LawSurface("wood", 0.4, 0.5),
        conditions=LawConditions((100.0, 300.0), 1.0, 30.0, preset="hand"),
        engine="compiled",
        versions={},
        seed=1,
        p_range90=(0.3 - Z90 * SPREAD, 0.3 + Z90 * SPREAD),
    )


def check(counts, law):
    return combined_law.check_law(counts, share_posterior(side_hands(counts)), law)


def test_the_width_of_a_law(law):
    assert combined_law.law_mean(law) == pytest.approx(0.3, abs=1e-4)
    assert combined_law.law_sd(law, systematic=False) == pytest.approx(
        np.sqrt(0.21 / 10_000), rel=1e-3
    )
    assert combined_law.law_sd(law, systematic=True) == pytest.approx(
        np.hypot(np.sqrt(0.21 / 10_000), SPREAD), rel=1e-3
    )
    a, b = combined_law.law_beta(law, systematic=True)
    assert a / (a + b) == pytest.approx(combined_law.law_mean(law))


def test_a_right_law_fits(law, thrown):
    found = check(thrown(np.random.default_rng(1), 400, 1), law)
    assert found.p_value > 0.05
    assert found.poses_p_value > 0.05
    assert found.verdict == "the law fits"


def test_too_few_throws_leave_open_whether_the_law_fits(law, thrown):
    few, many = (check(thrown(np.random.default_rng(1), n, 1), law) for n in (20, 400))
    assert (few.fits, many.fits) == (None, True)
    assert "so few throws" in few.verdict


def test_a_small_difference_is_the_table_a_large_one_is_the_law(law, thrown):
    rng = np.random.default_rng(2)
    small = check(thrown(rng, 3000, 1, (0.32, 0.36, 0.32), poses=False), law)
    assert small.p_value < 0.05 < small.p_value_all
    assert "fits only with its 90 % range" in small.verdict
    assert small.poses_p_value is None
    large = check(thrown(rng, 3000, 1, (0.2, 0.4, 0.4), poses=False), law)
    assert large.p_value_all < 0.001
    assert "does not fit" in large.verdict


def test_poses_can_tell_what_the_score_cannot(law, thrown):
    found = check(thrown(np.random.default_rng(3), 2000, 1, (0.4, 0.3, 0.3)), law)
    assert found.p_value > 0.05 > found.poses_p_value
    assert "other poses do not" in found.verdict


@pytest.mark.parametrize(
    ("bricks", "rho"), [(1, 0.0), pytest.param(4, 0.15, marks=pytest.mark.slow)]
)
def test_right_laws_are_refused_one_time_in_twenty(law, thrown, bricks, rho):
    # 200 homes: 5 % give more than 10 % once in 500
    rng = np.random.default_rng(4)
    found = [check(thrown(rng, 80, bricks, (0.33, 0.37, 0.3), rho), law) for _ in range(200)]
    assert np.mean([one.p_value < 0.05 for one in found]) <= 0.1
    assert np.mean([one.poses_p_value < 0.05 for one in found]) <= 0.1


@pytest.mark.parametrize(("p", "q"), [(0.35, 0.3), (0.2, 0.3)])
def test_so_many_throws_have_the_power(p, q):
    n = combined_law.throws_to_tell(p, q, 0.0)
    # the two-sided test of q, by the exact law of the number of sides
    reach = norm.ppf(0.975) * np.sqrt(q * (1 - q) / n)
    power = binom.sf(np.floor(n * (q + reach)), n, p) + binom.cdf(
        np.ceil(n * (q - reach)) - 1, n, p
    )
    assert power == pytest.approx(0.8, abs=0.02)


def test_more_doubt_needs_more_throws_and_too_much_is_never_settled():
    assert combined_law.throws_to_tell(0.35, 0.3, 0.005) > combined_law.throws_to_tell(
        0.35, 0.3, 0.0
    )
    assert combined_law.throws_to_tell(0.35, 0.3, 0.0, 2.0) == pytest.approx(
        2 * combined_law.throws_to_tell(0.35, 0.3, 0.0), abs=2
    )
    assert combined_law.throws_to_tell(0.35, 0.3, 0.02) is None
    assert combined_law.throws_to_tell(0.3, 0.3, 0.0) is None
    assert combined_law.throws_to_tell(0.99, 0.01, 0.0) >= 1


def test_more_throws_count_those_already_thrown(law, thrown):
    counts = thrown(np.random.default_rng(5), 400, 1, (0.2, 0.4, 0.4))
    share = share_posterior(side_hands(counts))
    more = combined_law.more_throws(counts, share, law, 0.01)
    p = share.p.mean
    assert more.to_half_width == pytest.approx(1.96**2 * p * (1 - p) / 0.01**2 - 400, rel=0.001)
    assert more.by_chance == 0
    assert combined_law.more_throws(counts, share, law, 0.2).to_half_width == 0
    assert combined_law.more_throws(counts, share, None, 0.01).by_chance is None


def test_a_law_without_a_range_is_checked_too(law, thrown):
    bare = replace(law, p_range90=None)
    found = check(thrown(np.random.default_rng(6), 100, 2), bare)
    assert found.p_value == found.p_value_all
