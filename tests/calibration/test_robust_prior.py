"""Intervals of a law and counts together hold the truth inside of the law's range, and far outside of it.

Coverage is exact: every outcome of so many single bricks is looked at.
"""

from unittest.mock import patch

import numpy as np
import pytest
from scipy.stats import beta

from benchmarks.prior_coverage import INSIDE, confidence_ends, exact_coverage, infer_ends
from brickphys.calibration import posterior
from brickphys.calibration.combined_law import combined_posterior, confidence_with, law_beta
from brickphys.calibration.home_counts import HomeCounts
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


def test_a_confidence_interval_holds_every_truth_and_gains_from_a_law_that_is_right():
    """Oracle: coverage over all outcomes; Clopper and Pearson's interval, which holds every truth without a law."""
    bricks = 200
    held = confidence_ends(bricks)
    for truth in np.linspace(0.02, 0.98, 97):
        assert 0.95 <= exact_coverage(held, truth) < 0.98
    sides = np.arange(45, 70)  # 22 to 35 %: about the law's range
    ends = (sides, bricks - sides + 1), (sides + 1, bricks - sides)
    alone = np.array([beta.ppf(p, *of) for p, of in zip((0.025, 0.975), ends, strict=True)])
    assert np.ptp(held[sides], axis=1).mean() < 0.9 * np.ptp(alone, axis=0).mean()
    alike = posterior.Posterior(np.linspace(0, 1, 1001), np.full(1001, 1 / 1001))
    found = posterior.confidence_interval(alike, 56, bricks)
    np.testing.assert_allclose(found, alone[:, 56 - 45], atol=0.01)  # of a prior that knows nothing


def test_a_confidence_interval_counts_bricks_that_stop_alike_as_fewer():
    law = default_law()
    hands = HomeCounts(np.full(40, 10), np.tile([0, 7], 20))
    alone = HomeCounts(np.ones(400, dtype=np.int64), np.repeat([0, 1], [260, 140]))
    widths = [
        np.ptp(confidence_with(law, one, posterior.share_posterior(posterior.side_hands(one))))
        for one in (hands, alone)
    ]
    assert widths[0] > 1.5 * widths[1]


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
