"""The sequential test against Wald's own for wins and losses, and its error rates by simulation."""

from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.batch.schema import Until
from brickphys.errors import InvalidValueError
from brickphys.odds.sequential import SequentialTest

TEST = SequentialTest(0.5, 0.57)


@given(st.integers(1, 400), st.integers(1, 400))
def test_of_wins_and_losses_it_is_wald_s_ratio(won, lost):
    ratio = won * log(0.57 / 0.5) + lost * log(0.43 / 0.5)
    values = np.array([1.0] * won + [0.0] * lost)
    assert TEST.ratio(values) == pytest.approx(ratio, rel=1e-6, abs=1e-9)


def test_near_the_means_it_is_the_ratio_of_normal_laws():
    chances = [0.1, 0.15, 0.4, 0.2, 0.15]
    values = np.random.default_rng(1).choice([0, 0.25, 0.5, 0.75, 1], 20_000, p=chances)
    test = SequentialTest(0.52, 0.54)
    normal = 20_000 * 0.02 * (2 * values.mean() - 1.06) / (2 * values.var())
    assert test.ratio(values) == pytest.approx(normal, rel=0.02)


def test_it_is_symmetric_and_grows_with_every_win():
    values = np.array([0.5, 0.75, 1.0, 0.25, 0.75])
    mirrored = SequentialTest(0.43, 0.5)
    assert TEST.ratio(values) == pytest.approx(-mirrored.ratio(1 - values))
    ratios = [TEST.ratio(np.append(values, [1.0] * n)) for n in range(20)]
    assert ratios == sorted(ratios)


def test_without_values_or_with_one_value_alone_it_is_finite():
    assert TEST.ratio(np.array([])) == 0
    for value in (0.0, 0.5, 1.0):
        assert abs(TEST.ratio(np.full(1000, value))) < 1000


def test_sums_that_are_not_exact_are_one_value():
    values = np.array([1 / 3 + 1 / 3 + 1 / 3, 0.1 + 0.2, 0.3, 1.0])
    assert TEST.ratio(values) == pytest.approx(TEST.ratio(np.array([1.0, 0.3, 0.3, 1.0])))


def test_the_bounds_are_wald_s():
    test = SequentialTest(0.5, 0.6, alpha=0.01, beta=0.1)
    assert test.bounds == (log(0.1 / 0.99), log(0.9 / 0.01))
    verdicts = [test.verdict(ratio) for ratio in (-2.3, -2.29, 4.49, 4.5)]
    assert verdicts == ["H0", "undecided", "undecided", "H1"]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ((0.5, 0.5), "the smaller first"),
        ((0.0, 0.5), "between 0 and 1"),
        ((float("nan"), 0.5), "between 0 and 1"),
        ((0.5, 0.6, 0.0), "error rates 0 and 0.05"),
        ((0.5, 0.6, 0.1, 0.5), "not between 0 and 0.5"),
    ],
)
def test_impossible_tests_are_refused(given, says):
    with pytest.raises(InvalidValueError, match=says):
        SequentialTest(*given)


def accepted(chances: list[float], runs: int, seed: int) -> tuple[float, float]:
    """Return how often H1 and H0 are accepted where pairs of games have these chances of 0, 1/4, ... 1 points."""
    rng, found = np.random.default_rng(seed), {"H0": 0, "H1": 0, "undecided": 0}
    looks = list(Until(column="p", sprt=[0.5, 0.57], first=32, at_most=8000).looks())
    for _ in range(runs):
        pairs = rng.choice([0.0, 0.25, 0.5, 0.75, 1.0], 4000, p=chances)
        for look in looks:
            verdict = TEST.verdict(TEST.ratio(pairs[: look // 2]))
            if verdict != "undecided":
                break
        found[verdict] += 1
    return found["H1"] / runs, found["H0"] / runs


EQUAL = [0.2, 0.1, 0.4, 0.1, 0.2]
LEADING = [0.14, 0.1, 0.36, 0.14, 0.26]
"""Chances of a pair that are 0.5 and 0.57 in the mean."""


def test_equal_bots_are_rarely_told_apart():
    h1, h0 = accepted(EQUAL, 150, 1)
    # 5 % of 150, four standard deviations above: a false alarm once in 30,000
    assert h1 < 0.05 + 4 * 0.018
    assert h1 + h0 == 1


@pytest.mark.slow
def test_the_error_rates_are_kept():
    assert np.dot(LEADING, [0, 0.25, 0.5, 0.75, 1]) == pytest.approx(0.57)
    # 3,000 matches each; three standard deviations above 5 %: once in 700; they were 3.0, 2.4 %
    wrong, _ = accepted(EQUAL, 3000, 2)
    _, missed = accepted(LEADING, 3000, 3)
    assert max(wrong, missed) < 0.05 + 3 * 0.004
