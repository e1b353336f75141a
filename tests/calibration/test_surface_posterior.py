"""Friction and restitution come back from counts of poses, with every doubt in the interval."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import chi2

from brickphys.calibration.posterior import share_posterior, side_hands, surface_posterior
from brickphys.calibration.response import Response
from brickphys.calibration.response_design import ANY_SURFACE
from brickphys.errors import InvalidValueError
from brickphys.throws.conditions import Surface, surface
from tests.fitted import shipped_response


@pytest.fixture(scope="module")
def response() -> Response:
    return shipped_response()


def home(thrown, response, rng, ranges, hands, bricks, rho=0.0, poses=True):
    """A table, a mould and a hand somewhere in their ranges, and what was thrown with them."""
    low, high = np.array(list(response.ranges.values())).T
    values = rng.uniform(low, high)
    values[:2] = rng.uniform(*np.array([ranges.friction, ranges.restitution]).T)
    shares = response.shares(values[None, :], response.draws(1, rng)[0])[0]
    return values, thrown(rng, hands, bricks, shares / shares.sum(), rho, poses)


def infer(counts, response, ranges, seed, draws=100):
    rho = share_posterior(side_hands(counts)).rho
    return surface_posterior(counts, response, ranges, rho, np.random.default_rng(seed), draws)


def coverage(thrown, response, sets, seed, **how):
    """How often the intervals of friction and of restitution hold the truth, for any table."""
    rng = np.random.default_rng(seed)
    held = np.zeros(2)
    for i in range(sets):
        values, counts = home(thrown, response, rng, ANY_SURFACE, **how)
        found = infer(counts, response, ANY_SURFACE, i)
        for k, one in enumerate((found.friction, found.restitution)):
            held[k] += one.ci95[0] <= values[k] <= one.ci95[1]
    return held / sets


def test_poses_bind_friction(thrown, response):
    rng = np.random.default_rng(1)
    point = np.array([[0.15, 0.3, 1.35, 1.25, 1.7, 0.2, 216.0, 1.08, 32.5]])
    counts = thrown(rng, 3000, 1, response.shares(point)[0])
    found = infer(counts, response, ANY_SURFACE, 1)
    assert found.friction.ci95[0] < 0.15 < found.friction.ci95[1] < 0.6
    assert found.friction.sd < 0.6 * (0.8 - 0.1) / np.sqrt(12)
    assert found.fit_p_value > 0.05


def test_poses_say_more_than_the_score(thrown, response):
    rng = np.random.default_rng(2)
    area = {True: [], False: []}
    for i in range(3):
        _, counts = home(thrown, response, rng, ANY_SURFACE, 2000, 1)
        for poses in area:
            one = counts if poses else replace(counts, poses=None)
            weights = infer(one, response, ANY_SURFACE, i).weights
            # the number of cells over which the probability is spread (perplexity)
            area[poses].append(np.exp(-(weights * np.log(weights + 1e-300)).sum()))
    assert np.mean(area[True]) < 0.8 * np.mean(area[False])


def test_no_counts_to_speak_of_leave_the_prior(thrown, response):
    counts = thrown(np.random.default_rng(3), 1, 1)
    wood = surface("wood")
    found = infer(counts, response, wood, 1)
    assert found.friction.ci95 == pytest.approx((0.305, 0.495), abs=0.004)
    assert found.restitution.mean == pytest.approx(0.5, abs=0.01)
    assert found.weights.sum() == pytest.approx(1.0)


def test_counts_that_no_surface_explains_are_told(thrown, response):
    counts = thrown(np.random.default_rng(4), 500, 1, (0.1, 0.1, 0.8))
    assert infer(counts, response, ANY_SURFACE, 1).fit_p_value < 1e-6
    assert chi2.sf(0.0, 2) == 1.0


def test_ranges_beyond_the_response_are_refused(thrown, response):
    counts = thrown(np.random.default_rng(5), 10, 1)
    ice = Surface("ice", (0.01, 0.1), (0.3, 0.5), "")
    with pytest.raises(InvalidValueError, match=r"friction 0\.01 to 0\.1 of ice"):
        infer(counts, response, ice, 1)


@pytest.mark.slow
def test_the_interval_of_friction_holds_the_truth(thrown, response):
    # 40 tables: intervals of 95 % hold fewer than 34 once in 280
    assert coverage(thrown, response, 40, 6, hands=300, bricks=1).min() >= 0.85


@pytest.mark.slow
@pytest.mark.parametrize(
    "how",
    [
        {"hands": 500, "bricks": 1},
        {"hands": 500, "bricks": 1, "poses": False},
        {"hands": 100, "bricks": 5, "rho": 0.1},
    ],
)
def test_intervals_hold_the_truth_as_often_as_they_say(thrown, response, how):
    # 200 tables: standard error 1.5 points
    found = coverage(thrown, response, 200, 7, **how)
    assert found == pytest.approx(0.95, abs=0.05)
