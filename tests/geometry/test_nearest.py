"""The nearest of another side, beside all distances."""

import numpy as np
import pytest

from brickphys.geometry.clearance_kernel import nearest_others


@pytest.mark.parametrize("seed", range(6))
def test_it_finds_what_all_distances_say(seed):
    rng = np.random.default_rng(seed)
    places, sides = rng.uniform(0, 10, (30, 2)), rng.integers(3, size=30)
    apart = np.hypot(*(places[:, None] - places).transpose(2, 0, 1))
    apart[sides[:, None] == sides] = np.inf
    nearest, pairs = nearest_others(places, sides, 2.0)
    assert nearest == pytest.approx(apart.min(axis=1), rel=1e-12)
    assert pairs.tolist() == np.argwhere(apart <= 2.0).tolist()


def test_a_side_alone_has_nobody_near():
    nearest, pairs = nearest_others(np.zeros((2, 2)), np.array([1, 1]), 5.0)
    assert np.isinf(nearest).all()
    assert pairs.shape == (0, 2)


def test_points_just_within_are_near():
    places, sides = np.array([[0.0, 0.0], [3.0, 4.0]]), np.array([0, 1])
    assert nearest_others(places, sides, 5.0)[1].tolist() == [[0, 1], [1, 0]]
    assert nearest_others(places, sides, 4.999)[1].tolist() == []
