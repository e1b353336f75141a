"""Restitution from heights and times of bounces, which closed forms give."""

import math
from itertools import accumulate, repeat

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from brickphys.calibration.measure.drop import (
    MIN_REBOUND_MM,
    DropTest,
    drop_of_heights,
    drop_of_times,
)
from brickphys.errors import InvalidValueError
from brickphys.units import GRAVITY_M_S2
from tests.cases import few


def heights(height_mm, e, count):
    return list(accumulate(repeat(e**2, count), lambda h, factor: h * factor, initial=height_mm))[
        1:
    ]


def times(height_mm, e, count):
    """Flight times of an ideal ball: twice the speed after each impact over gravity."""
    impact = math.sqrt(2 * GRAVITY_M_S2 * height_mm / 1000)
    return [2 * impact * e**n / GRAVITY_M_S2 for n in range(1, count + 1)]


@given(st.floats(0.2, 0.94), st.floats(50, 2000), st.integers(2, 4))
def test_an_ideal_ball_has_its_restitution_however_it_is_measured(e, height_mm, count):
    assume(height_mm * e ** (2 * count) > MIN_REBOUND_MM)
    by_height = drop_of_heights(height_mm, [heights(height_mm, e, count)] * 2, 1e-6)
    timed = times(height_mm, e, count)
    by_time = drop_of_times([timed] * 2, 1e-6)
    by_both = drop_of_times([timed] * 2, 1e-6, height_mm, 1e-6)
    for test, bounces in ((by_height, count), (by_time, count - 1), (by_both, count)):
        assert all(len(drop) == bounces for drop in test.restitution)
        assert test.mean.value == pytest.approx(e)


def test_the_error_of_reading_is_propagated():
    # e = (h / H)^1/2: a share of the errors of both heights is halved
    found = drop_of_heights(300.0, [[75.0], [75.0]], 3.0)
    assert found.error == pytest.approx(0.5 * math.hypot(3 / 75, 3 / 300) / 2)
    found = drop_of_times([[0.2, 0.1], [0.2, 0.1]], 1.0)
    assert found.error == pytest.approx(0.5 * math.hypot(1 / 200, 1 / 100))


@pytest.mark.parametrize("e", few([0.5, 0.3, 0.7]))
@pytest.mark.parametrize("how", ["heights", "times"])
def test_people_find_the_restitution_of_their_table(e, how):
    # 1000 people, 5 drops of a bounce or two; drops differ, and a ruler or clock is wrong alike for all of them
    rng = np.random.default_rng(1)
    held = 0
    for _ in range(1000):
        own = np.clip(rng.normal(e, 0.03, 5), 0.21, 0.95)
        if how == "heights":
            wrong = rng.uniform(-3, 3)
            read = [np.array(heights(300.0, one, 1)) + wrong for one in own]
            found = drop_of_heights(300.0, read, 3.0)
        else:
            read = [np.array(times(300.0, one, 2)) + rng.normal(0, 5e-4, 2) for one in own]
            found = drop_of_times(read, 1.0, 300.0, 3.0)
        held += 0.025 <= found.mean.below(e) <= 0.975
    # standard error 0.7 points; the reading error is partly in the scatter already
    assert 0.93 <= held / 1000 <= 0.995


def test_bounces_of_a_single_drop_are_its_repetitions():
    found = DropTest(((0.5, 0.52, 0.54),), 0.0).mean
    assert found.freedom == 2
    assert found.value == pytest.approx(0.52)
    with pytest.raises(InvalidValueError, match="bounces of a single drop: 1 of them"):
        drop_of_heights(300.0, [[75.0]], 1.0)


@pytest.mark.parametrize(
    ("height", "rebounds", "says"),
    [
        (300.0, [[301.0]], "height 301 mm of a rebound is above 300 mm"),
        (300.0, [[75.0, 80.0]], "height 80 mm of a rebound is above 75 mm"),
        (300.0, [[-5.0]], "rebound -5 is outside 10 to 5000 mm"),
        (300.0, [[0.0]], "rebound 0 is outside"),
        (300.0, [[math.nan]], "rebound nan is outside"),
        (math.nan, [[75.0]], "height nan is outside"),
        (9000.0, [[75.0]], "height 9000 is outside"),
        (30.0, [[7.5]], r"height 30 is outside 50 to 5000 mm: is it in mm\?"),
        (300.0, [[7.5]], r"rebound 7.5 is outside 10 to 5000 mm: is it in mm\?"),
        (300.0, [[11.0]], "error 12 mm is negative, or not below the rebound 11 mm"),
        (300.0, [[290.0], [75.0]], r"restitution 0.98 of drop 1 is outside 0.05 to 0.95: are all"),
        (300.0, [[75.0], [200.0]], r"restitution -1.* reaches outside 0 to 1: the drops are too"),
    ],
)
def test_impossible_heights_are_refused(height, rebounds, says):
    with pytest.raises(InvalidValueError, match=says):
        drop_of_heights(height, rebounds, 12.0)


def test_a_height_that_contradicts_the_rebounds_is_refused_with_the_right_one():
    # rebounds of a fall from 300 mm with restitution 1/2
    said = r"restitution 0.16 by the height 3000 mm .*, 0.50 by .*: 300 mm would agree with both"
    with pytest.raises(InvalidValueError, match=said):
        drop_of_heights(3000.0, [[75, 18.75], [75]], 2.0)
    timed = [times(300.0, 0.5, 3)] * 2
    with pytest.raises(InvalidValueError, match="300 mm would agree with both"):
        drop_of_times(timed, 1.0, 3000.0, 2.0)
    # a restitution that depends on speed is not a contradiction
    drop_of_heights(300.0, [[75, 27], [75, 27]], 2.0)


@pytest.mark.parametrize(
    ("timed", "height", "says"),
    [
        ([[-0.2, 0.1]], None, "time -0.2 is outside"),
        ([[0.2, math.nan]], None, "time nan is outside"),
        ([[0.1, 0.2]], None, "time 0.2 s of a rebound is above 0.1 s"),
        ([[0.2]], None, "a drop needs at least 2 of them, or height_mm \\(--height-mm\\)"),
        ([[0.6]], 300.0, "time 0.6 s of a rebound is above 0.495 s"),
        ([[0.2, 0.0005]], None, "error 0.001 s is negative, or not below the time 0.0005 s"),
        ([[220.0, 100.0]], None, r"time 220 is outside 0 to 2 s: is it in s\?"),
        ([[0.2, 0.1], [0.2, 0.005]], None, "restitution 0.025 of drop 2 is outside"),
    ],
)
def test_impossible_times_are_refused(timed, height, says):
    with pytest.raises(InvalidValueError, match=says):
        drop_of_times(timed, 1.0, height, 1.0)
