"""Filmed throws of simulated people give back the throw that made them."""

import math

import numpy as np
import pytest

from brickphys.calibration.measure.film import FilmTest, Flight, check_fall, fall_m_s2, film_test
from brickphys.errors import InvalidValueError
from brickphys.shapes.catalogue import parse_shape
from brickphys.throws.conditions import Conditions
from brickphys.throws.release import release
from brickphys.units import GRAVITY_M_S2
from tests.cases import few

BODY = parse_shape("2x2")


def filmed(conditions, seed, throws=30, fps=240, noise_mm=1.0, vertical_m_s=0.0):
    """Throws as the engines draw them, filmed until they are 40 mm above the table; turns counted to a quarter."""
    rng = np.random.default_rng(seed)
    states = release(BODY, conditions, seed, (0,), 0, throws).flat()
    flights = []
    for start, velocity, spin in zip(
        states.position_mm, states.velocity_m_s, states.spin_rad_s, strict=True
    ):
        upwards = vertical_m_s * rng.normal()
        # let go on the parabola at another place, with a vertical speed
        height = start[2] - 1000 * upwards**2 / (2 * GRAVITY_M_S2)
        time = np.arange(0, 1, 1 / fps)
        z = height + 1000 * (upwards * time - GRAVITY_M_S2 * time**2 / 2)
        time = time[: max(3, int(np.argmax(z < 40)))]
        place = np.outer(time, 1000 * velocity)
        place[:, 2] = z[: len(time)]
        turns = np.round(4 * np.linalg.norm(spin) * time[-1] / (2 * math.pi)) / 4
        flights.append(
            Flight(time, place + rng.normal(0, noise_mm, place.shape), float(turns), time[-1])
        )
    return flights


@pytest.mark.parametrize("vertical_m_s", few([0.4, 0.0]))
def test_people_find_their_height_speed_and_spin(vertical_m_s):
    conditions = Conditions((150.0, 320.0), 0.8, 25.0)
    found = np.zeros(3)
    for seed in range(200):
        test = film_test(filmed(conditions, seed, vertical_m_s=vertical_m_s), 0.01)
        truths = ((test.height, 235.0), (test.speed, 0.8), (test.spin, 25.0))
        found += [0.025 <= quantity.below(truth) <= 0.975 for quantity, truth in truths]
    # 200 people: fewer than 181 of 95 % has a chance of one in 200, for each number
    assert found.min() >= 181


def test_a_film_without_noise_gives_heights_and_speeds_exactly():
    conditions = Conditions((100.0, 300.0), 1.0, 30.0)
    states = release(BODY, conditions, 1, (0,), 0, 30).flat()
    test = film_test(filmed(conditions, 1, noise_mm=0.0, vertical_m_s=0.5), 0.0)
    assert test.heights_mm == pytest.approx(list(states.position_mm[:, 2]))
    assert test.speeds_m_s == pytest.approx(list(np.linalg.norm(states.velocity_m_s, axis=1)))


def test_the_range_of_heights_has_their_mean_and_scatter():
    heights = np.random.default_rng(1).uniform(100, 300, 2000)
    test = FilmTest(tuple(heights), (1.0,) * 2000, (), 0.01)
    assert test.height_range_mm(10.0) == pytest.approx((100, 300), abs=6)
    low, high = test.height_range_mm(150.0)
    assert low == 150.0
    assert (low + high) / 2 == pytest.approx(heights.mean())


def slowed(flights, times):
    """Flights as a film shows them that is played so many times too slowly."""
    return [
        Flight(times * one.time_s, one.position_mm, one.turns, times * one.turns_s)
        for one in flights
    ]


def test_films_with_the_right_rate_find_gravity():
    # 150 people with a scale that is wrong by up to 1 %; fewer than 135 of 95 % once in 270
    rng = np.random.default_rng(1)
    held = 0
    for seed in range(150):
        flights = filmed(Conditions((100.0, 300.0), 1.0, 30.0), seed, throws=5)
        scale = 1 + rng.uniform(-0.01, 0.01)
        flights = [Flight(f.time_s, scale * f.position_mm, f.turns, f.turns_s) for f in flights]
        fall = fall_m_s2(flights, 0.01)
        check_fall(fall, 240)
        held += fall.ci95[0] <= GRAVITY_M_S2 <= fall.ci95[1]
    assert held >= 135


def test_a_wrong_rate_or_scale_is_refused_with_the_right_one():
    flights = filmed(Conditions((200.0, 300.0), 1.0, 30.0), 2)
    slow = fall_m_s2(slowed(flights, 4), 0.02)
    assert slow.value == pytest.approx(GRAVITY_M_S2 / 16, rel=0.03)
    with pytest.raises(
        InvalidValueError, match=r"fall at 0\.6.*: 2[34]\d frames/s or a scale 1[56]"
    ):
        check_fall(slow, 60)
    upside_down = [Flight(f.time_s, -f.position_mm, f.turns, f.turns_s) for f in flights]
    with pytest.raises(InvalidValueError, match="z counts upwards"):
        check_fall(fall_m_s2(upside_down, 0.02), 240)


def test_too_few_frames_do_not_tell_the_fall():
    assert fall_m_s2([Flight(np.arange(3.0), np.zeros((3, 3)), None, 0.0)], 0.02) is None
    with pytest.raises(InvalidValueError, match="scale error nan is outside"):
        fall_m_s2([], math.nan)


def test_throws_without_counted_turns_have_no_spin():
    flights = filmed(Conditions((200.0, 300.0), 1.0, 30.0), 3)
    assert (
        film_test([Flight(f.time_s, f.position_mm, None, 0.0) for f in flights], 0.0).spin is None
    )


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"heights_mm": (100.0, 6000.0)}, "height 6000 of throw 2 is outside"),
        ({"speeds_m_s": (21.0, 1.0)}, "speed 21 of throw 1 is outside"),
        ({"spins_rad_s": (10.0, math.nan)}, "spin nan of throw 2"),
        ({"spins_rad_s": (10.0,)}, "throws with counted turns: 1 of them"),
        ({"heights_mm": (100.0,), "speeds_m_s": (1.0,)}, "filmed throws: 1 of them"),
        ({"scale_error": 0.6}, "scale error 0.6 is outside 0 to 0.5"),
    ],
)
def test_impossible_numbers_are_refused(changes, says):
    usual = {
        "heights_mm": (100.0, 150.0),
        "speeds_m_s": (1.0, 2.0),
        "spins_rad_s": (),
        "scale_error": 0.02,
    }
    with pytest.raises(InvalidValueError, match=says):
        FilmTest(**usual | changes)
