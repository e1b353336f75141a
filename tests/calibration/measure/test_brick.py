"""Lengths of bricks: they narrow the law, and the mass checks them."""

import numpy as np
import pytest

from brickphys.calibration.measure.brick import BrickTest, brick_test
from brickphys.calibration.measure.measured_posterior import measured_posterior
from brickphys.calibration.measure.measurement_file import (
    Measurements,
    add_measurement,
    read_measurements,
)
from brickphys.calibration.response import fit_response
from brickphys.calibration.response_design import shipped_design
from brickphys.errors import InvalidValueError
from brickphys.shapes.brick import WEIGHED_G, brick
from brickphys.throws.conditions import surface

WORDS = ("wall_mm=1.39,1.41,1.4,1.4,1.39", "top_mm=1.1,1.11,1.09,1.1,1.1")
MASS = "mass_g=1.18,1.19,1.18"


def measured(*words: str) -> BrickTest:
    return brick_test(words, 0.03, 0.05, 0.01)


def test_the_mass_by_the_lengths_is_around_that_of_the_body_and_of_the_scale():
    low, high = measured(*WORDS).mass_g
    assert low < WEIGHED_G["2x2"] < high
    assert low < brick(2, 2).mass_g < high
    heavier = measured("wall_mm=1.49,1.5,1.5,1.49,1.5", WORDS[1]).mass_g
    assert heavier[0] > 1.02 * low
    assert heavier[1] > 1.02 * high


def test_a_mass_that_contradicts_the_lengths_is_told_and_one_that_does_not_is_not():
    assert measured(*WORDS).contradiction == ""
    assert measured(*WORDS, MASS).contradiction == ""
    told = measured(*WORDS, "mass_g=1.41,1.4,1.4").contradiction
    assert told.startswith("mass 1.39 to 1.42 g contradicts the lengths, ")


def test_measured_lengths_narrow_their_causes_and_the_chance():
    response, table = fit_response(shipped_design()), surface("wood")
    found = {}
    for words in ((), (*WORDS, "edge_radius_mm=0.2,0.21,0.2", "width_mm=15.8,15.81", MASS)):
        tests = Measurements(brick=measured(*words) if words else None)
        rng = np.random.default_rng(1)
        found[bool(words)] = measured_posterior(tests.quantities(), response, table, None, rng)
    for name in ("wall_mm", "top_mm", "edge_radius_mm"):
        assert found[True].causes[name].sd < 0.6 * found[False].causes[name].sd
    assert found[True].p.sd < found[False].p.sd


def test_the_file_keeps_readings_and_errors(tmp_path):
    test = measured(*WORDS, MASS)
    add_measurement(test, tmp_path / "mine.toml", force=False)
    assert read_measurements(tmp_path / "mine.toml").brick == test
    text = (tmp_path / "mine.toml").read_text()
    (tmp_path / "mine.toml").write_text(text.replace("mass_g = 0.01", "mass = 0.01"))
    with pytest.raises(InvalidValueError, match=r"mine.toml: brick: .*need the same names"):
        read_measurements(tmp_path / "mine.toml")
