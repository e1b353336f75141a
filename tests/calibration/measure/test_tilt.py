"""Friction from angles: the tangent, with its error."""

import math

import numpy as np
import pytest

from brickphys.calibration.measure.measured import TiltTest
from brickphys.errors import InvalidValueError
from tests.cases import few


def test_friction_is_the_tangent_of_the_angle():
    assert TiltTest((45.0, 45.0), 1.0).friction.value == pytest.approx(1.0)
    assert TiltTest((21.8014, 21.8014), 1.0).friction.value == pytest.approx(0.4)


def test_equal_angles_have_the_error_of_reading():
    # the slope of the tangent at 45 degrees is 2
    found = TiltTest((45.0, 45.0, 45.0), 1.0).friction
    assert found.error == pytest.approx(2 * math.radians(1))


@pytest.mark.parametrize("friction", few([0.4, 0.2, 0.7]))
def test_people_find_the_friction_of_their_table(friction):
    # 1000 people with a scatter of 1.5 degrees and a protractor that is wrong by up to 1
    rng = np.random.default_rng(1)
    truth = math.degrees(math.atan(friction))
    held = 0
    for _ in range(1000):
        angles = truth + rng.uniform(-1, 1) + rng.normal(0, 1.5, 10)
        held += 0.025 <= TiltTest(tuple(angles), 1.0).friction.below(friction) <= 0.975
    assert 0.94 <= held / 1000 <= 0.99


@pytest.mark.parametrize("angle", [0.0, -3.0, 90.0, 120.0, math.nan, math.inf])
def test_angles_at_which_no_brick_begins_to_slide_are_refused(angle):
    with pytest.raises(InvalidValueError, match="is not between 0 and 90 degrees"):
        TiltTest((20.0, angle), 1.0)


@pytest.mark.parametrize("error", [-1.0, 21.0, math.nan])
def test_an_impossible_error_is_refused(error):
    with pytest.raises(InvalidValueError, match="is outside 0 to 20 degrees"):
        TiltTest((20.0, 21.0), error)


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
        TiltTest(angles, error)
