"""Trends of throws at several steps find the bias of the default, with its error."""

import numpy as np
import pytest

from benchmarks.bullet_steps import STEPS, USUAL, trend

STEP = STEPS[USUAL] / np.array(STEPS)


@pytest.mark.parametrize(("degree", "curve"), [(1, 0.0), (2, 0.0), (2, 0.002)])
def test_a_trend_finds_the_bias_of_the_default_and_its_error(degree, curve):
    p, bricks = 0.3 - 0.01 * STEP + curve * STEP**2, 40_000
    sides = np.random.default_rng(3).random((4, bricks // 4, len(STEPS))) < p
    found = trend(sides, degree)
    assert found.bias == pytest.approx(100 * (curve - 0.01), abs=4.5 * found.error)  # 1 in 1e5
    rows = np.linalg.inv(np.vander(STEP, degree + 1).T @ np.vander(STEP, degree + 1))
    told = np.vander(STEP, degree + 1) @ rows @ np.append(np.ones(degree), 0.0)
    assert found.error == pytest.approx(100 * np.sqrt(told**2 @ (p * (1 - p)) / bricks), rel=0.02)


def test_steps_that_follow_a_parabola_are_no_line():
    p = 0.3 + 0.002 * STEP**2
    sides = np.random.default_rng(3).random((1, 40_000, len(STEPS))) < p
    assert trend(sides, 2).z > 4.5
