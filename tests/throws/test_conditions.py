import math
from dataclasses import replace

import pytest

from brickphys.errors import InvalidValueError
from brickphys.throws.conditions import (
    MAX_BRICKS,
    MAX_HEIGHT_MM,
    MAX_SPEED_M_S,
    MAX_SPIN_RAD_S,
    PRESETS,
    Conditions,
    preset,
)

HAND = PRESETS["hand"]
INF, NAN = math.inf, math.nan


@pytest.mark.parametrize("name", PRESETS)
def test_preset_knows_its_name_and_releases_one_brick(name):
    assert preset(name).preset == name
    assert preset(name).bricks == 1


def test_hand_preset_is_the_documented_one():
    assert HAND.height_mm == (100.0, 300.0)
    assert (HAND.speed_m_s, HAND.spin_rad_s) == (1.0, 30.0)


def test_values_without_a_preset_are_called_custom():
    assert Conditions((50.0, 60.0), 1.0, 2.0).preset == "custom"


@pytest.mark.parametrize(
    ("given", "nearest"), [("hnad", "hand"), ("Drop", "drop"), ("cupp", "cup"), ("HAND", "hand")]
)
def test_unknown_preset_names_the_nearest(given, nearest):
    with pytest.raises(
        InvalidValueError, match=f"unknown preset '{given}': did you mean '{nearest}'"
    ):
        preset(given)


def test_unknown_preset_far_from_all_names_them_all():
    with pytest.raises(InvalidValueError, match="known: hand, drop, cup"):
        preset("trebuchet")


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"height_mm": (-1.0, 10.0)}, "height_mm -1 is outside 0 to 5000"),
        ({"height_mm": (0.0, 10.0)}, "height_mm 0 must be above 0"),
        ({"height_mm": (10.0, 10_000.0)}, "height_mm 10000 is outside"),
        ({"height_mm": (NAN, 10.0)}, "height_mm nan is outside"),
        ({"height_mm": (10.0, INF)}, "height_mm inf is outside"),
        ({"height_mm": (300.0, 100.0)}, "300:100 is reversed: write 100:300"),
        ({"speed_m_s": -0.1}, "speed_m_s -0.1 is outside 0 to 20"),
        ({"speed_m_s": 20.1}, "speed_m_s 20.1 is outside"),
        ({"speed_m_s": NAN}, "speed_m_s nan is outside"),
        ({"speed_m_s": INF}, "speed_m_s inf is outside"),
        ({"spin_rad_s": -1.0}, "spin_rad_s -1 is outside 0 to 500"),
        ({"spin_rad_s": 501.0}, "spin_rad_s 501 is outside"),
        ({"spin_rad_s": NAN}, "spin_rad_s nan is outside"),
        ({"spin_rad_s": -INF}, "spin_rad_s -inf is outside"),
        ({"scatter": -0.01}, "scatter -0.01 is outside 0 to 1"),
        ({"scatter": 1.01}, "scatter 1.01 is outside"),
        ({"scatter": NAN}, "scatter nan is outside"),
        ({"bricks": 0}, "bricks 0 is outside 1"),
        ({"bricks": -3}, "bricks -3 is outside 1"),
        ({"bricks": MAX_BRICKS + 1}, f"bricks {MAX_BRICKS + 1} is outside"),
    ],
)
def test_impossible_value_is_refused_with_the_value_and_its_limits(values, words):
    with pytest.raises(InvalidValueError) as caught:
        replace(HAND, **values)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("name", "lowest", "highest"),
    [
        ("height_mm", (1e-3, 1e-3), (MAX_HEIGHT_MM, MAX_HEIGHT_MM)),
        ("speed_m_s", 0.0, MAX_SPEED_M_S),
        ("spin_rad_s", 0.0, MAX_SPIN_RAD_S),
        ("bricks", 1, MAX_BRICKS),
        ("scatter", 0.0, 1.0),
    ],
)
def test_limits_themselves_are_allowed_and_kept(name, lowest, highest):
    assert getattr(replace(HAND, **{name: lowest}), name) == lowest
    assert getattr(replace(HAND, **{name: highest}), name) == highest
