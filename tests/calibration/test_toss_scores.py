import numpy as np
import pytest

from brickphys.calibration.toss_comparison import baseline_brier, reliability, score
from brickphys.seeds import generator


@pytest.fixture(scope="module")
def chances():
    return generator(4).dirichlet([0.3] * 6, size=4000)


def drawn(chances):
    cumulative = chances.cumsum(axis=1)
    return (generator(5).random((len(chances), 1)) > cumulative[:, :-1]).sum(axis=1)


def test_chances_that_are_right_pass(chances):
    scores = score(chances, drawn(chances))
    assert abs(scores.z) < 3.5  # one false alarm in 2,000
    assert scores.brier == pytest.approx(scores.expected_brier, abs=0.02)
    assert scores.calibration_error < 0.03
    for one in scores.faces:
        assert one.ci95[0] - 0.03 < one.predicted < one.ci95[1] + 0.03


@pytest.mark.parametrize(("power", "sign"), [(2.0, 1), (0.5, -1)])
def test_chances_that_are_too_sure_or_too_modest_fail(chances, power, sign):
    changed = chances**power
    changed /= changed.sum(axis=1, keepdims=True)
    scores = score(changed, drawn(chances))
    assert sign * scores.z > 5
    assert scores.p_value < 1e-6
    assert sign * (scores.brier - scores.expected_brier) > 0


def test_the_spread_of_the_brier_score_is_that_of_all_that_can_happen(chances):
    one = chances[:1]
    possible = [score(one, np.array([k])) for k in range(6)]
    briers, expected = np.array([s.brier for s in possible]), possible[0].expected_brier
    assert expected == pytest.approx(float(briers @ one[0]))
    spread = np.sqrt((briers - expected) ** 2 @ one[0])
    for found in possible:
        assert found.z == pytest.approx((found.brier - expected) / spread)


def test_bins_hold_every_chance_once():
    chance = np.array([0.0, 0.05, 0.1, 0.55, 1.0])
    bins = reliability(chance, np.array([False, True, False, True, True]))
    assert [(one.low, one.count) for one in bins] == [(0.0, 2), (0.1, 1), (0.5, 1), (0.9, 1)]
    assert bins[0].observed == 0.5


def test_certainty_has_no_spread_and_is_no_error():
    scores = score(np.eye(6), np.arange(6))
    assert (scores.brier, scores.expected_brier, scores.z) == (0.0, 0.0, 0.0)


def test_the_baseline_is_the_brier_score_of_constant_chances():
    shares = (0.5, 0.4, 0.1)
    chances = np.array([0.5, 0.1, 0.1, 0.1, 0.1, 0.1])
    assert baseline_brier(*shares) == pytest.approx(
        score(chances[None], np.array([0])).expected_brier
    )
