"""Engines that agree pass, engines that differ are found, and no more often than stated is either wrong."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import chi2_contingency

from brickphys.calibration.agreement import (
    FALSE_ALARM,
    MIN_EXPECTED,
    EngineDifference,
    GridCell,
    check_engines,
    compare_engines,
    comparison_grid,
    homogeneity,
    mark_disagreements,
    share_shift,
)
from brickphys.calibration.throwers import Tally, body_of
from brickphys.engines.compiled import CompiledEngine
from brickphys.engines.registry import ENGINES
from brickphys.errors import InvalidValueError
from brickphys.throws.conditions import ContactCoefficients
from brickphys.throws.faces import face_map
from brickphys.throws.release import PLANE

WOOD = GridCell("2x2", "wood", (100.0, 300.0))
RNG_SEED = 5


class Slippery(CompiledEngine):
    """An engine with an error: it loses half of the friction."""

    def land(self, body, contact, states, floor=PLANE):
        return super().land(body, ContactCoefficients(0.2, contact.restitution), states, floor)


@pytest.fixture
def slippery(monkeypatch):
    monkeypatch.setitem(ENGINES, "slippery", Slippery())


def difference(p_value):
    return EngineDifference(("a", "b"), WOOD, 0.0, 0.01, 1.0, 1, p_value)


def failures(p_values):
    return [not one.agrees for one in mark_disagreements([difference(p) for p in p_values])]


# --- the test of one pair ---


def test_common_poses_are_tested_as_pearson_does():
    table = np.array([[300, 400, 300], [250, 450, 310]])
    expected = chi2_contingency(table, correction=False)
    assert homogeneity(table) == pytest.approx((expected.statistic, expected.dof, expected.pvalue))


def test_rare_poses_are_pooled_until_none_is_expected_less_than_five_times():
    table = np.array([[300, 400, 1, 0, 2], [3000, 4000, 3, 0, 31]])
    pooled = np.array([[300, 400, 3], [3000, 4000, 34]])
    while (pooled.sum(axis=0) * pooled.sum(axis=1).min() / pooled.sum()).min() < MIN_EXPECTED:
        pooled = np.column_stack([pooled[:, 2] + pooled[:, 0], pooled[:, 1]])
    expected = chi2_contingency(pooled, correction=False)
    assert homogeneity(table) == pytest.approx((expected.statistic, expected.dof, expected.pvalue))
    assert homogeneity(np.array([[100, 0], [200, 0]])) == (0.0, 0, 1.0)


def test_equal_shares_are_called_different_as_often_as_stated():
    rng = np.random.default_rng(RNG_SEED)
    shares = [0.6, 0.385, 0.01, 0.004, 0.001]
    p = [
        homogeneity(np.array([rng.multinomial(600, shares), rng.multinomial(20_000, shares)]))[2]
        for _ in range(1500)
    ]
    # 1500 tables: standard error 0.0056
    assert np.mean(np.array(p) < 0.05) == pytest.approx(0.05, abs=0.022)


def test_shift_of_a_share_has_the_error_of_two_independent_samples():
    rng = np.random.default_rng(RNG_SEED)
    hits = rng.binomial([500, 4000], 0.3, size=(2000, 2)).tolist()
    tallies = [
        [
            Tally({"side": hit, "flat": n - hit}, (n - hit, hit), 0.0)
            for hit, n in zip(pair, (500, 4000), strict=True)
        ]
        for pair in hits
    ]
    shifts, errors = np.array([share_shift(*pair, "side") for pair in tallies]).T
    assert np.std(shifts / errors) == pytest.approx(1.0, abs=0.06)


# --- the judgement of the whole table ---


def test_holm_goes_on_only_as_long_as_tests_fail():
    assert failures([0.04, 0.001, 0.02, 0.9]) == [False, True, False, False]
    assert failures([0.012, 0.001, 0.02, 0.9]) == [True, True, True, False]


def test_tables_without_differences_raise_no_more_alarms_than_stated():
    rng = np.random.default_rng(RNG_SEED)
    alarms = np.mean([any(failures(rng.uniform(size=30))) for _ in range(2000)])
    assert alarms == pytest.approx(FALSE_ALARM, abs=0.016)


# --- engines ---


def test_an_engine_with_an_error_is_found_and_one_without_is_not(slippery):
    spots = comparison_grid(["2x2"], ["wood"], [(100.0, 300.0)])
    found = compare_engines(spots, {"compiled": 3000, "slippery": 3000}, seed=1, workers=1)
    assert found.disagreements == {"compiled-slippery": 1}
    low, high = found.differences[0].ci95
    assert not low < 0 < high
    assert found.mean_shift(("compiled", "slippery"))[0] == pytest.approx((low + high) / 2)


@pytest.mark.slow
def test_the_result_depends_neither_on_workers_nor_on_the_rest_of_the_grid():
    throws = {"bullet": 100, "compiled": 300}
    small = comparison_grid(["2x2"], ["wood"], [(100.0, 300.0)])
    large = comparison_grid(["d6:12", "2x2"], ["wood"], [(100.0, 300.0)])
    alone = compare_engines(small, throws, seed=2, workers=1)
    backwards = dict(reversed(throws.items()))
    among = compare_engines(large, backwards, seed=2, workers=2).tallies[small[0]]
    assert dict(among) == alone.tallies[small[0]]


def test_engines_throw_bricks_of_their_own():
    assert WOOD.cell("bullet").address != WOOD.cell("compiled").address
    assert WOOD.cell("bullet").address != replace(WOOD, surface="cloth").cell("bullet").address


@pytest.mark.parametrize("shape", ["2x2", "1x2", "plate:2x2", "cuboid:10x10x20"])
def test_quasi_static_shares_are_the_solid_angles(shape, monkeypatch):
    pytest.importorskip("trimesh")
    monkeypatch.setitem(ENGINES, "bullet", ENGINES["compiled"])  # whoever throws
    spots = comparison_grid([shape], ["wood"], [(100.0, 300.0)])
    found = compare_engines(spots, {"bullet": 100, "compiled": 100}, seed=1, workers=1)
    rests = {rest.pose: rest.solid_angle_share for rest in face_map(body_of(shape)).rests}
    assert found.quasi_static[spots[0]] == pytest.approx(rests[spots[0].pose], abs=0.003)


# --- bad input ---


@pytest.mark.parametrize(
    ("throws", "message"),
    [
        ({"compiled": 200}, "1 engine: agreement needs at least two"),
        ({"compiled": 200, "bulet": 200}, "unknown engine 'bulet': did you mean 'bullet'"),
        ({"compiled": 99, "bullet": 200}, r"throws 99 of compiled is outside 100\.\."),
    ],
)
def test_impossible_engines_are_refused(throws, message):
    with pytest.raises(InvalidValueError, match=message):
        check_engines(throws, [WOOD])


@pytest.mark.parametrize(
    ("shapes", "surfaces", "heights", "message"),
    [
        (["2x2"], ["sand"], [(100.0, 300.0)], "unknown surface 'sand'"),
        (["9x9"], ["wood"], [(100.0, 300.0)], "9"),
        (["2x2"], ["wood"], [(5.0, 30.0)], "would start inside the floor"),
        (["2x4", "4x2"], ["wood"], [(100.0, 300.0)], "in the grid twice"),
        (["2x2"], [], [(100.0, 300.0)], "no cell"),
    ],
)
def test_impossible_grids_are_refused(shapes, surfaces, heights, message):
    with pytest.raises(InvalidValueError, match=message):
        comparison_grid(shapes, surfaces, heights)
