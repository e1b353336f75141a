"""The mean of engines that are alike is that of a brute-force sample of the same model."""

import numpy as np
import pytest
from scipy.stats import norm

from benchmarks.engine_offsets import SPREAD, alike


def test_the_mean_of_engines_is_that_of_weighted_draws_of_the_prior():
    offsets, rng = np.array([[0.0, 0.1, -0.8], [0.0, 0.15, 0.3]]), np.random.default_rng(1)
    spread = np.abs(rng.normal(0.0, SPREAD, 400_000))
    mean = rng.uniform(-6.0, 6.0, len(spread))
    errors = np.hypot(offsets[1], spread[:, None])
    weights = norm.pdf(offsets[0], mean[:, None], errors).prod(axis=1)
    expected = np.average(mean, weights=weights)
    sd = np.average((mean - expected) ** 2, weights=weights) ** 0.5
    found = alike(offsets, rng, 200_000)
    # the error of the weighted draws is some 0.003; 5 of them (false alarms: below 1e-6)
    assert (found.mean(), found.std()) == pytest.approx((expected, sd), abs=0.015)
