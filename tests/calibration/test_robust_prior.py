"""Intervals of a law and counts together hold the truth inside of the law's range, and far outside of it.

Coverage is exact: every outcome of so many single bricks is looked at.
"""

from unittest.mock import patch

import numpy as np
import pytest
from scipy.stats import beta

from benchmarks.prior_coverage import INSIDE, exact_coverage, infer_ends
from brickphys.calibration import posterior
from brickphys.calibration.combined_law import combined_posterior, law_beta
from brickphys.odds.law_file import default_law


def coverage_inside(ends):
    truths = beta.ppf(INSIDE, *law_beta(default_law(), systematic=True))
    return float(np.mean([exact_coverage(ends, p) for p in truths]))


def test_counts_far_outside_win_and_counts_inside_keep_the_law():
    robust = infer_ends(200)
    with patch.object(posterior, "prior_weight", lambda _p: 1.0):
        alone = infer_ends(200)
    assert 0.93 < coverage_inside(robust) < 0.97
    for far in (0.15, 0.45):
        assert exact_coverage(robust, far) > 0.8
        assert exact_coverage(alone, far) < 0.05
    np.testing.assert_allclose(robust[56], alone[56])  # 28 %, the chance by the law
    assert np.ptp(robust[56]) < 0.075  # 12.4 points by the counts alone


@pytest.mark.slow
def test_a_thousand_counts_are_right_far_outside_and_inside():
    ends = infer_ends(1000)
    assert 0.93 < coverage_inside(ends) < 0.97
    for far in (0.1, 0.2, 0.4, 0.6):
        assert 0.93 < exact_coverage(ends, far) < 0.97


def test_single_bricks_update_the_mixture_as_bayes_says():
    """Oracle: the grid, of which single bricks in hands of one and the closed form for them know nothing."""
    prior = posterior.robust((300.0, 700.0), 0.02)
    assert prior == {(300.0, 700.0): pytest.approx(0.2), (1.0, 1.0): pytest.approx(0.8)}
    on_grid = combined_posterior(prior, {1: (60, 40)}, 1.0)
    with_a_hand = combined_posterior(prior, {1: (60, 40), 2: (0, 1, 0)}, 1.0)
    again = combined_posterior(prior, {1: (61, 41)}, 1.0)
    for found in (with_a_hand, again):
        assert found.mean > on_grid.mean
        assert found.mean == pytest.approx(again.mean, abs=0.001)
        assert found.sd == pytest.approx(again.sd, rel=0.02)
