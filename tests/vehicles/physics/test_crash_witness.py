"""Crashes of two boxes in two engines and by formula: a corner strikes a side, or fronts meet squarely."""

import numpy as np
import pytest

from benchmarks.crash_witness import differences, witnessed
from tests.cases import few

pytest.importorskip("mujoco")


@pytest.mark.parametrize("count", few([5, 50]))
def test_mujoco_bullet_and_the_formula_agree_without_friction(count):
    told = differences(list(witnessed(count, seed=2, friction=0.0)))
    for what in ("impulse, brickphys to formula", "impulse, brickphys to MuJoCo"):
        assert np.median(np.abs(told[what])) < 0.005
        assert np.abs(told[what]).max() < 0.03
    assert np.abs(told["impulse, MuJoCo to formula"]).max() < 0.01
    assert told["place, studs"].max() < 0.08  # a step is up to 0.6 mm
    assert np.abs(told["heading, degrees"]).max() < 1.0


@pytest.mark.parametrize("count", few([5, 50]))
def test_with_friction_an_impact_is_by_newton_and_coulomb(count):
    found = differences(list(witnessed(count, seed=2, friction=0.4)))
    shares = np.abs(found["impulse, brickphys to formula"])
    assert np.median(shares) < 0.002
    assert shares.max() < 0.03
