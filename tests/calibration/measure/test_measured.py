"""Means, root mean squares and friction from angles hold the truth as often as they say."""

import math

import numpy as np
import pytest
from scipy import stats

from brickphys.calibration.measure import measured
from brickphys.errors import InvalidValueError
from tests.cases import few


def share_held(found, truth):
    """The share of 95 % intervals that hold the truth."""
    return np.mean([0.025 <= one.below(truth) <= 0.975 for one in found])


@pytest.mark.parametrize("count", [2, 5, 30])
def test_without_reading_error_it_is_students_interval(count):
    values = np.random.default_rng(1).normal(3.0, 0.7, count)
    exact = stats.t.interval(0.95, count - 1, values.mean(), stats.sem(values))
    assert measured.mean_of(list(values), 0.0, "x").ci95 == pytest.approx(exact, rel=5e-3)


def test_equal_readings_have_the_reading_error_alone():
    assert measured.mean_of([2.0, 2.0, 2.0], 0.1, "x").ci95 == pytest.approx((1.905, 2.095))


def test_scatter_and_reading_error_are_convolved():
    found = measured.mean_of([1.0, 2.0, 2.0, 3.0], 0.5, "x")
    rng = np.random.default_rng(1)
    drawn = 2 + found.sd * rng.standard_t(3, 10**6) + rng.uniform(-0.5, 0.5, 10**6)
    assert found.ci95 == pytest.approx(np.quantile(drawn, [0.025, 0.975]), abs=0.01)


@pytest.mark.parametrize(
    ("count", "scatter", "shared"), [(3, 1.0, 0.2), (5, 1.0, 1.0), (10, 0.3, 1.0)]
)
def test_intervals_of_a_mean_cover_with_a_shared_reading_error(count, scatter, shared):
    # 2000 people: fewer than 94 % of 95 % has a chance of 2 %; a uniform shared error makes them a little too wide
    rng = np.random.default_rng(2)
    offsets = rng.uniform(-shared, shared, 2000)
    readings = rng.normal(5.0, scatter, (2000, count)) + offsets[:, None]
    found = [measured.mean_of(list(row), shared, "x") for row in readings]
    assert 0.94 <= share_held(found, 5.0) <= 0.995


@pytest.mark.parametrize("axes", [2, 3])
def test_intervals_of_a_root_mean_square_cover(axes):
    # 2000 people: standard error half a point
    lengths = np.linalg.norm(np.random.default_rng(3).normal(0, 1.3, (2000, 30, axes)), axis=2)
    found = [measured.rms_of(list(row), axes, 0.0, "x") for row in lengths]
    assert share_held(found, 1.3) == pytest.approx(0.95, abs=0.016)


def test_intervals_of_a_root_mean_square_cover_with_an_error_of_the_scale():
    rng = np.random.default_rng(4)
    lengths = np.linalg.norm(rng.normal(0, 1.3, (2000, 30, 2)), axis=2)
    lengths *= rng.normal(1.0, 0.1, (2000, 1))
    found = [measured.rms_of(list(row), 2, 0.1, "x") for row in lengths]
    assert share_held(found, 1.3) == pytest.approx(0.95, abs=0.016)


@pytest.mark.parametrize(
    "quantity",
    [
        measured.Uniform(1.0, 2.0),
        measured.Mean(1.5, 0.2, 4, 0.0),
        measured.Mean(1.5, 0.1, 1, 0.2),
        measured.Mean(1.5, 0.0, 3, 0.4),
        measured.RootMeanSquare(1.5, 60.0),
        measured.Part(measured.Mean(2.0, 0.1, 4, 0.2), 0.5, 1.0),
    ],
)
def test_draws_follow_the_distribution_between_the_ends(quantity):
    shares = np.array([0.1, 0.5, 0.9])
    values = quantity.quantiles(shares)
    assert [quantity.below(value) for value in values] == pytest.approx(list(shares), abs=2e-4)
    drawn = quantity.draws((np.arange(10_000) + 0.5) / 10_000, 1.3, 1.6)
    assert drawn.min() >= 1.3
    assert drawn.max() <= 1.6
    inside = (quantity.below(1.45) - quantity.below(1.3)) / (
        quantity.below(1.6) - quantity.below(1.3)
    )
    assert np.mean(drawn < 1.45) == pytest.approx(inside, abs=1e-3)


def test_numbers_that_leave_no_interval_are_refused():
    with pytest.raises(InvalidValueError, match="angles: 1 of them"):
        measured.mean_of([1.0], 0.1, "angles")
    with pytest.raises(InvalidValueError, match="all are equal"):
        measured.mean_of([1.0, 1.0], 0.0, "angles")
    with pytest.raises(InvalidValueError, match="speeds: 1 of them"):
        measured.rms_of([1.0], 2, 0.0, "speeds")
    with pytest.raises(InvalidValueError, match="speeds: all are 0"):
        measured.rms_of([0.0, 0.0], 2, 0.0, "speeds")


def test_a_range_of_one_value_is_that_value():
    shares = np.array([0.0, 0.5, 1.0])
    for low, high in ((0.1, 0.8), (0.1, 0.5), (0.5, 0.8)):
        assert measured.Uniform(0.5, 0.5).draws(shares, low, high) == pytest.approx(0.5)


def test_friction_is_the_tangent_of_the_angle():
    assert measured.TiltTest((45.0, 45.0), 1.0).friction.value == pytest.approx(1.0)
    assert measured.TiltTest((21.8014, 21.8014), 1.0).friction.value == pytest.approx(0.4)


def test_equal_angles_have_the_error_of_reading():
    # the slope of the tangent at 45 degrees is 2
    found = measured.TiltTest((45.0, 45.0, 45.0), 1.0).friction
    assert found.error == pytest.approx(2 * math.radians(1))


@pytest.mark.parametrize("friction", few([0.4, 0.2, 0.7]))
def test_people_find_the_friction_of_their_table(friction):
    # 500 people with a scatter of 1.5 degrees and a protractor that is wrong by up to 1
    rng = np.random.default_rng(1)
    truth = math.degrees(math.atan(friction))
    held = 0
    for _ in range(500):
        angles = truth + rng.uniform(-1, 1) + rng.normal(0, 1.5, 10)
        held += 0.025 <= measured.TiltTest(tuple(angles), 1.0).friction.below(friction) <= 0.975
    assert 0.94 <= held / 500 <= 0.99


@pytest.mark.parametrize("angle", [0.0, -3.0, 90.0, 120.0, math.nan, math.inf])
def test_angles_at_which_no_brick_begins_to_slide_are_refused(angle):
    with pytest.raises(InvalidValueError, match="is not between 0 and 90 degrees"):
        measured.TiltTest((20.0, angle), 1.0)


@pytest.mark.parametrize("error", [-1.0, 21.0, math.nan])
def test_an_impossible_error_is_refused(error):
    with pytest.raises(InvalidValueError, match="is outside 0 to 20 degrees"):
        measured.TiltTest((20.0, 21.0), error)


@pytest.mark.parametrize(
    ("angles", "error", "says"),
    [
        ((89.99, 89.99), 0.0, "angle 89.99 with its error of 0 is above 80 degrees"),
        ((22.0, 79.5), 1.0, "angle 79.5 with its error of 1 is above 80 degrees"),
        ((70.0, 70.0), 15.0, "angle 70 with its error of 15 is above 80 degrees"),
        ((22.0, 75.0), 1.0, r"friction -19 to 23 \(95 % interval\) reaches outside 0 to 5.7"),
        ((2.0, 2.0), 3.0, "reaches outside 0 to 5.7"),
    ],
)
def test_friction_without_a_meaning_or_a_bound_is_refused(angles, error, says):
    with pytest.raises(InvalidValueError, match=says):
        measured.TiltTest(angles, error)
