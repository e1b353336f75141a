"""Wilson's intervals solve the equation of the score test; Student's are those of scipy."""

from math import inf, isinf, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from brickphys.errors import InvalidValueError
from brickphys.odds.distribution import Z90, Z95, mean_interval, wilson, wilson_of_share

TRIALS = st.integers(1, 1000)


def test_the_deviations_are_those_of_the_normal_law():
    assert pytest.approx(stats.norm.ppf(0.975), abs=1e-12) == Z95
    assert pytest.approx(stats.norm.ppf(0.95), abs=1e-12) == Z90


@given(TRIALS, st.floats(0, 1), st.floats(0.1, 4))
def test_an_end_is_z_deviations_of_its_own_chance_away(trials, share, z):
    low, high = wilson_of_share(share, trials, z)
    assert 0 <= low <= share + 1e-12
    assert share - 1e-12 <= high <= 1
    for end in (low, high):
        deviation = sqrt(end * (1 - end) / trials)
        assert abs(share - end) == pytest.approx(z * deviation, abs=1e-6)


@pytest.mark.parametrize(("share", "trials"), [(0.0, 14), (1.0, 14)])
def test_rounding_does_not_take_an_end_beyond_a_share(share, trials):
    low, high = wilson_of_share(share, trials, Z90)
    assert 0 <= low <= high <= 1


@given(TRIALS, st.data())
def test_counts_have_the_interval_of_their_share_with_exact_ends(trials, data):
    successes = data.draw(st.integers(0, 2 * trials)) / 2
    low, high = wilson(successes, trials)
    test = wilson_of_share(successes / trials, trials, Z95)
    assert (low, high) == pytest.approx(test, abs=1e-12)
    assert (low == 0) == (successes == 0)
    assert (high == 1) == (successes == trials)
    mirrored = wilson(trials - successes, trials)
    assert (low, high) == pytest.approx((1 - mirrored[1], 1 - mirrored[0]), abs=1e-12)


@pytest.mark.parametrize("trials", [1, 2, 40, 999])
def test_it_is_the_interval_of_scipy(trials):
    for successes in (0, trials // 3, trials):
        scipy = stats.binomtest(successes, trials).proportion_ci(0.95, method="wilson")
        assert wilson(successes, trials) == pytest.approx((scipy.low, scipy.high), abs=1e-12)


def test_an_unknown_variance_leaves_every_share_open():
    assert wilson_of_share(0.5, 3, inf) == (0.0, 1.0)


@pytest.mark.parametrize(("successes", "trials"), [(0, 0), (1, 0), (-1, 3), (4, 3), (-2, -1)])
def test_what_is_no_share_is_refused(successes, trials):
    with pytest.raises(InvalidValueError, match="are not a share"):
        wilson(successes, trials)


@given(st.lists(st.floats(-100, 100), min_size=2, max_size=9))
def test_the_interval_of_a_mean_is_that_of_scipy(values):
    mean, low, high = mean_interval(values)
    assert mean == pytest.approx(np.mean(values), abs=1e-9)
    error = np.std(values, ddof=1) / sqrt(len(values))
    reach = stats.t.ppf(0.975, len(values) - 1) * error
    assert (low, high) == pytest.approx((mean - reach, mean + reach), abs=1e-9)


def test_a_mean_of_single_precision_is_computed_in_double_precision():
    values = np.array([2**24, 1, 1], np.float32)  # their sum needs a bit more than single precision
    assert mean_interval(values) == mean_interval(values.tolist())
    assert mean_interval(values)[0] == (2**24 + 2) / 3


def test_a_single_value_tells_nothing_of_its_spread():
    mean, low, high = mean_interval([3.0])
    assert mean == 3.0
    assert low < 0 < high
    assert isinf(low)
    assert isinf(high)
