"""Impact laws: shares and intervals at the nodes and between them, and what a law is of."""

from dataclasses import replace

import numpy as np
import pytest

from brickphys.errors import InvalidValueError
from brickphys.odds.distribution import wilson
from brickphys.projectiles.impact_law import (
    ASIDES_MM,
    HEIGHTS_MM,
    ImpactLaw,
    Shares,
    wilson_chances,
)
from brickphys.projectiles.standing import Side
from brickphys.projectiles.target import target
from brickphys.projectiles.weapons import weapon

PLACES = (len(HEIGHTS_MM) - 1, len(ASIDES_MM) - 1)


def law() -> ImpactLaw:
    """A law with two falls and two speeds, more of the targets falling at each later node."""
    hits = np.full((3, 2, 2, *PLACES), 100)
    knocked = np.broadcast_to(np.array([[10, 40], [0, 20]])[None, :, :, None, None], hits.shape)
    return ImpactLaw("bb", "foot", (1.0, 4.0), (0.0, 40.0), hits, knocked.copy(), 0, {}, {}, 1)


def test_nodes_have_wilson_intervals():
    chances = law().chances([Side.REAR], 4.0, 0.0)
    assert chances.share == pytest.approx(np.full((1, *PLACES), 0.4))
    assert (chances.low[0, 0, 0], chances.high[0, 0, 0]) == pytest.approx(wilson(40, 100))


def test_counts_of_any_shape_have_the_intervals_of_odds():
    found = wilson_chances(np.array([0, 3, 9, 3]), np.array([7, 3, 20, 2**32]))
    expected = [wilson(0, 7), wilson(3, 3), wilson(9, 20), wilson(3, 2**32)]
    assert np.column_stack([found.low, found.high]) == pytest.approx(np.array(expected))


def test_between_nodes_shares_are_linear_in_log_speed_and_in_fall():
    share = law().chances([Side.FRONT], 2.0, 10.0).share  # half way in log speed, a quarter in fall
    assert share == pytest.approx(np.full((1, *PLACES), 0.75 * 0.25 + 0.25 * 0.1))


def test_beyond_the_nodes_the_nearest_counts_and_each_bin_has_its_own_speed():
    speeds = np.full(PLACES, 1.0)
    speeds[1, 2] = 99.0
    share = law().chances([Side.SIDE], speeds, -30.0).share
    assert share[0, 1, 2] == pytest.approx(0.4)
    assert share[0, 0, 0] == pytest.approx(0.1)


def test_below_the_slowest_node_shares_fall_to_0_at_rest():
    at_node, slow, rest = (law().chances([Side.FRONT], speed, 0.0) for speed in (1.0, 0.25, 0.0))
    for end in ("share", "low", "high"):
        assert getattr(slow, end) == pytest.approx(getattr(at_node, end) / 4)
        assert not getattr(rest, end).any()


def test_an_interval_between_nodes_covers_as_often_as_it_says():
    rng, truth, covered = np.random.default_rng(5), np.array([0.3, 0.8]), 0
    for _ in range(300):
        made = law()
        drawn = rng.binomial(100, truth)
        made.knocked[:, 0] = drawn[None, :, None, None]
        chances = made.chances([Side.FRONT], 2.0, 0.0)
        covered += bool(chances.low[0, 0, 0] <= truth.mean() <= chances.high[0, 0, 0])
    assert covered >= 270  # 95 % of 300 is 285; fewer than 270 come once in ten thousand runs


def test_a_sum_of_shares_has_an_interval_narrower_than_the_sum_of_theirs():
    parts = wilson_chances(np.array([[5, 50]]), np.array([[50, 100]]))
    whole = parts.mean(np.array([[0.3, 0.2]]))
    assert whole.share == pytest.approx(0.3 * 0.1 + 0.2 * 0.5)
    apart = Shares(
        *(np.array([0.3, 0.2]) @ ends[0] for ends in (parts.share, parts.low, parts.high))
    )
    assert apart.low < whole.low < whole.share < whole.high < apart.high


def test_bins_that_were_never_hit_have_the_share_of_all():
    made = law()
    made.hits[0, :, :, 0, 0] = made.knocked[0, :, :, 0, 0] = 0
    made.knocked[0, :, :, 0, 1] = 100
    chances = made.chances([Side.FRONT], 1.0, 0.0)
    count = PLACES[0] * PLACES[1]
    assert chances.share[0, 0, 0] == pytest.approx((100 + 10 * (count - 2)) / (100 * (count - 1)))


def test_a_law_is_of_one_projectile_and_one_body():
    law().check(weapon("spear"), target("foot:wall2"))
    with pytest.raises(InvalidValueError, match="small_catapult shoots round_1x1"):
        law().check(weapon("small_catapult"), target("foot"))
    with pytest.raises(InvalidValueError, match="not on dog"):
        law().check(weapon("bow"), target("dog"))
    assert replace(law(), body="dog").check(weapon("bow"), target("dog")) is None
