"""Filmed throws of simulated people give back the throw that made them; a file gives flights, or its faults."""

import math

import numpy as np
import pytest

from brickphys.calibration.measure import film
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
            film.Flight(time, place + rng.normal(0, noise_mm, place.shape), float(turns), time[-1])
        )
    return flights


@pytest.mark.parametrize("vertical_m_s", few([0.4, 0.0]))
def test_people_find_their_height_speed_and_spin(vertical_m_s):
    conditions = Conditions((150.0, 320.0), 0.8, 25.0)
    found = np.zeros(3)
    for seed in range(200):
        test = film.film_test(filmed(conditions, seed, vertical_m_s=vertical_m_s), 0.01)
        truths = ((test.height, 235.0), (test.speed, 0.8), (test.spin, 25.0))
        found += [0.025 <= quantity.below(truth) <= 0.975 for quantity, truth in truths]
    # 200 people: fewer than 181 of 95 % has a chance of one in 200, for each number
    assert found.min() >= 181


def test_a_film_without_noise_gives_heights_and_speeds_exactly():
    conditions = Conditions((100.0, 300.0), 1.0, 30.0)
    states = release(BODY, conditions, 1, (0,), 0, 30).flat()
    test = film.film_test(filmed(conditions, 1, noise_mm=0.0, vertical_m_s=0.5), 0.0)
    assert test.heights_mm == pytest.approx(list(states.position_mm[:, 2]))
    assert test.speeds_m_s == pytest.approx(list(np.linalg.norm(states.velocity_m_s, axis=1)))


def test_the_range_of_heights_has_their_mean_and_scatter():
    heights = np.random.default_rng(1).uniform(100, 300, 2000)
    test = film.FilmTest(tuple(heights), (1.0,) * 2000, (), 0.01)
    assert test.height_range_mm(10.0) == pytest.approx((100, 300), abs=6)
    low, high = test.height_range_mm(150.0)
    assert low == 150.0
    assert (low + high) / 2 == pytest.approx(heights.mean())


def slowed(flights, times):
    """Flights as a film shows them that is played so many times too slowly."""
    return [
        film.Flight(times * one.time_s, one.position_mm, one.turns, times * one.turns_s)
        for one in flights
    ]


def test_films_with_the_right_rate_find_gravity():
    # 150 people with a scale that is wrong by up to 1 %; fewer than 135 of 95 % once in 270
    rng = np.random.default_rng(1)
    held = 0
    for seed in range(150):
        flights = filmed(Conditions((100.0, 300.0), 1.0, 30.0), seed, throws=5)
        scale = 1 + rng.uniform(-0.01, 0.01)
        flights = [
            film.Flight(f.time_s, scale * f.position_mm, f.turns, f.turns_s) for f in flights
        ]
        fall = film.fall_m_s2(flights, 0.01)
        film.check_fall(fall, 240)
        held += fall.ci95[0] <= GRAVITY_M_S2 <= fall.ci95[1]
    assert held >= 135


def test_a_wrong_rate_or_scale_is_refused_with_the_right_one():
    flights = filmed(Conditions((200.0, 300.0), 1.0, 30.0), 2)
    slow = film.fall_m_s2(slowed(flights, 4), 0.02)
    assert slow.value == pytest.approx(GRAVITY_M_S2 / 16, rel=0.03)
    with pytest.raises(
        InvalidValueError, match=r"fall at 0\.6.*: 2[34]\d frames/s or a scale 1[56]"
    ):
        film.check_fall(slow, 60)
    upside_down = [film.Flight(f.time_s, -f.position_mm, f.turns, f.turns_s) for f in flights]
    with pytest.raises(InvalidValueError, match="z counts upwards"):
        film.check_fall(film.fall_m_s2(upside_down, 0.02), 240)


def test_too_few_frames_do_not_tell_the_fall():
    assert film.fall_m_s2([film.Flight(np.arange(3.0), np.zeros((3, 3)), None, 0.0)], 0.02) is None
    with pytest.raises(InvalidValueError, match="scale error nan is outside"):
        film.fall_m_s2([], math.nan)


def test_throws_without_counted_turns_have_no_spin():
    flights = filmed(Conditions((200.0, 300.0), 1.0, 30.0), 3)
    assert (
        film.film_test([film.Flight(f.time_s, f.position_mm, None, 0.0) for f in flights], 0.0).spin
        is None
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
        film.FilmTest(**usual | changes)


GOOD = """\
throw,frame,x,z,turns
a,10,0,200,0
a,12,20,195,
a,14,40,181,0.25
b,3,0,210,
b,4,5,209,
"""


def read(tmp_path, text, **how):
    path = tmp_path / "film.csv"
    path.write_text(text)
    return film.read_film(path, **{"fps": 100.0, **how})


def test_frames_become_times_and_places(tmp_path):
    first, second = read(tmp_path, GOOD)
    assert first.time_s == pytest.approx([0, 0.02, 0.04])
    assert first.position_mm.tolist() == [[0, 0, 200], [20, 0, 195], [40, 0, 181]]
    assert (first.turns, first.turns_s) == (0.25, pytest.approx(0.04))
    assert second.turns is None


def test_rows_of_the_picture_are_heights_above_the_table(tmp_path):
    upside_down = read(tmp_path, GOOD, mm_per_px=0.5, floor_px=1000.0)
    assert upside_down[0].position_mm[:, 2].tolist() == [400, 402.5, 409.5]
    assert upside_down[0].position_mm[:, 0].tolist() == [0, 10, 20]


def test_depth_is_read_where_it_is_filmed(tmp_path):
    found = read(tmp_path, "throw,frame,x,y,z\n1,0,0,5,9\n1,1,1,6,8\n2,0,0,0,9\n2,1,1,1,8\n")
    assert found[0].position_mm[:, 1].tolist() == [5, 6]
    assert np.all(found[1].position_mm[0] == [0, 0, 9])


def film_text(throws: int) -> str:
    rows = (
        f"{throw},{frame},{10 * frame}.00,{300 - 5 * frame}.00"
        for throw in range(throws)
        for frame in range(30)
    )
    return "\n".join(["throw,frame,x,z", *rows, ""])


def test_a_film_of_two_thousand_throws_is_read(tmp_path):
    text = film_text(2000)
    assert len(text) > 1_000_000  # once the limit
    flights = read(tmp_path, text)
    assert len(flights) == 2000
    assert flights[-1].position_mm[:, 0].tolist() == [10.0 * frame for frame in range(30)]


BAD = [
    ("", "the file is empty"),
    ("throw,frame,x\na,1,0\n", "column 'z' is missing"),
    ("throw,frame,x,z\n", "0 throws"),
    ("throw,frame,x,z\na,1,0,9\na,2,0,9\n", "1 throws"),
    ("throw,frame,x,z\na,1,0,9\nb,1,0,9\nb,2,0,9\n", "throw a: 1 frame; a speed needs at least 2"),
    ("throw,frame,x,z\na,1,nan,9\n", r"row 1 \(line 2\), column x: 'nan' is not a number"),
    ("throw,frame,x,z\na,-1,0,9\n", "column frame: '-1' is not a whole number"),
    ("throw,frame,x,z\na,1,0\n", "3 cells for 4 columns"),
    ("throw,frame,x,z\na,2,0,9\na,1,0,9\nb,1,0,9\nb,2,0,9\n", "throw a: frames do not ascend"),
    (
        "throw,frame,x,z\na,1,0,9\na,2,0,9\nb,1,0,9\nb,2,0,9\na,3,0,9\n",
        "the rows of throw a are not together",
    ),
    (GOOD.replace("0.25", "-1"), "'-1' is not a number of turns"),
    (GOOD.replace("12,20,195,", "12,20,195,1"), "throw a: turns decrease"),
    (GOOD.replace("200,0\n", "200,0.5\n"), "throw a: turns "),
    (GOOD.replace("0,200,0", "0,-20,0"), "throw a begins 20 mm below the table"),
]


@pytest.mark.parametrize(("text", "says"), BAD)
def test_faults_are_found(tmp_path, text, says):
    with pytest.raises(InvalidValueError, match=says) as found:
        read(tmp_path, text)
    assert "film.csv: " in str(found.value)


@pytest.mark.parametrize(
    "how", [{"fps": 0.0}, {"fps": float("nan")}, {"mm_per_px": -1.0}, {"floor_px": float("nan")}]
)
def test_impossible_settings_are_refused(tmp_path, how):
    with pytest.raises(InvalidValueError, match=next(iter(how)).replace("_", "-")):
        read(tmp_path, GOOD, **how)
