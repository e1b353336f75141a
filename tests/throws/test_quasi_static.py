"""The quasi-static model: known shares, and the way down a softened support function."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from brickphys.shapes.catalogue import parse_shape
from brickphys.shapes.hull import convex_hull
from brickphys.throws.quasi_static import Toppling, quasi_static_shares


def smooth_end(hull, d, sharpness=20_000.0, time=100.0):
    """Return where a direction comes down the softened largest v . d, by an integrator for stiff equations."""

    def slope(_time, d):
        d = d / np.linalg.norm(d)
        heights = hull.corners_mm @ d
        weights = np.exp(sharpness * (heights - heights.max()))
        mean = weights @ hull.corners_mm / weights.sum()
        return (mean @ d) * d - mean

    end = solve_ivp(slope, (0.0, time), d, method="BDF", rtol=1e-5, atol=1e-7).y[:, -1]
    return end / np.linalg.norm(end)


@pytest.mark.parametrize("seed", range(4))
def test_the_way_down_a_softened_height_ends_on_the_same_facet(seed):
    """A start that is so near to a ridge that the soft one leads elsewhere is one of many."""
    rng = np.random.default_rng(seed)
    hull = convex_hull(rng.normal(size=(9 + 4 * seed, 3)) * rng.uniform(0.5, 1.5, 3) - 0.05)
    assert (hull.offsets_mm > 0).all()
    starts = rng.normal(size=(30, 3))
    starts /= np.linalg.norm(starts, axis=1)[:, None]
    ends = np.array([smooth_end(hull, start) for start in starts])
    found = hull.normals[Toppling(hull).ends(starts)]
    assert ((ends * found).sum(axis=1) > 0.999).sum() >= 29


def test_a_cube_has_a_sixth_for_each_face():
    shares = quasi_static_shares(parse_shape("d6:16"))
    assert [shares[face] for face in "123456"] == pytest.approx([1 / 6] * 6, abs=2e-3)
    assert sum(shares.values()) == pytest.approx(1.0)


def test_every_direction_ends_on_a_face_that_holds_the_body():
    shares = quasi_static_shares(parse_shape("2x2"), log2=12)
    assert shares["side"] == pytest.approx(0.465, abs=0.02)
    assert shares["leaning"] < 0.02


def test_a_lower_face_is_likelier():
    shares = quasi_static_shares(parse_shape("cuboid:10x10x4"))
    assert shares["z"] > 0.6
    assert shares["x"] == pytest.approx(shares["y"], abs=2e-3)
