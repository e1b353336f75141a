"""Impact laws: strikes, their measurement, and the chances that follow."""

from dataclasses import replace

import numpy as np
import pytest

from brickphys.engines.shoot import shoot
from brickphys.errors import InvalidValueError
from brickphys.odds.distribution import wilson
from brickphys.projectiles import impact_law, measure
from brickphys.projectiles import measure as module
from brickphys.projectiles.standing import Side
from brickphys.projectiles.target import target
from brickphys.projectiles.weapons import weapon
from brickphys.throws.flight import States

PLACES = (len(impact_law.HEIGHTS_MM) - 1, len(impact_law.ASIDES_MM) - 1)


def law() -> impact_law.ImpactLaw:
    """A law with two falls and two speeds, more of the targets falling at each later node."""
    hits = np.full((3, 2, 2, *PLACES), 100)
    knocked = np.broadcast_to(np.array([[10, 40], [0, 20]])[None, :, :, None, None], hits.shape)
    return impact_law.ImpactLaw(
        "bb", "foot", (1.0, 4.0), (0.0, 40.0), hits, knocked.copy(), 0, {}, {}, 1
    )


def test_nodes_have_wilson_intervals():
    chances = law().chances([Side.REAR], 4.0, 0.0)
    assert chances.share == pytest.approx(np.full((1, *PLACES), 0.4))
    assert (chances.low[0, 0, 0], chances.high[0, 0, 0]) == pytest.approx(wilson(40, 100))


def test_counts_of_any_shape_have_the_intervals_of_odds():
    found = impact_law.wilson_chances(np.array([0, 3, 9, 3]), np.array([7, 3, 20, 2**32]))
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
    parts = impact_law.wilson_chances(np.array([[5, 50]]), np.array([[50, 100]]))
    whole = parts.mean(np.array([[0.3, 0.2]]))
    assert whole.share == pytest.approx(0.3 * 0.1 + 0.2 * 0.5)
    apart = impact_law.Shares(
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


FOOT, BB = target("foot"), weapon("bow").projectile


def from_behind(speeds: np.ndarray, height_mm: float) -> States:
    """Balls that fly level at the middle of a figure's back."""
    n, zero = len(speeds), np.zeros(len(speeds))
    place = np.column_stack([zero - 40, zero, zero + height_mm])
    velocity = np.column_stack([speeds, zero, zero])
    return States(place, np.tile([0.0, 0, 0, 1], (n, 1)), velocity, np.zeros((n, 3)))


def tipping_impulse(height_mm: float) -> float:
    """Impulse in g m/s at the back that lifts the figure over its toes: J = I w / z, w = sqrt(2 m g (r - h) / I)."""
    mass = FOOT.mass
    h, reach = mass.centre_mm[2], FOOT.base_mm[:, 0].max() - mass.centre_mm[0]
    inertia = mass.inertia_g_mm2[1, 1] + mass.mass_g * (h * h + reach * reach)
    spin = np.sqrt(2 * mass.mass_g * 9810 * (np.hypot(h, reach) - h) / inertia)
    return float(inertia * spin / height_mm / 1000)


def threshold(height_mm: float) -> float:
    """Impulse in g m/s of the slowest of many balls that knocks over."""
    speeds = np.geomspace(0.7, 4.0, 56)
    shots = shoot(measure.standing_body(FOOT), measure.missile(BB), from_behind(speeds, height_mm))
    first = int(np.argmax(shots.knocked))
    assert first
    return -float(shots.impulse_g_m_s[first, 0])


@pytest.mark.parametrize("height", [23.0, 32.0])
def test_above_the_centre_of_mass_a_figure_tips_over_its_toes(height):
    assert threshold(height) == pytest.approx(tipping_impulse(height), rel=0.12)


def test_below_it_the_feet_are_kicked_away_sooner():
    assert threshold(10.0) < 0.8 * tipping_impulse(10.0)


def test_draws_are_by_address_and_the_same_in_any_chunks():
    arrival = measure.Arrival(3.0, 20.0, Side.SIDE)
    whole = measure.strike(FOOT, BB, arrival, 7, 0, 30)
    parts = [measure.strike(FOOT, BB, arrival, 7, first, 15) for first in (0, 15)]
    for name in ("height_mm", "aside_mm"):
        joined = np.concatenate([getattr(part, name) for part in parts])
        assert getattr(whole, name) == pytest.approx(joined, abs=1e-9)
    assert np.array_equal(whole.knocked, np.concatenate([part.knocked for part in parts]))


def test_hits_from_the_front_lie_as_the_outline_does():
    found = measure.strike(FOOT, BB, measure.Arrival(12.0, 0.0, Side.FRONT), 3, 0, 200)
    # beyond the legs a ball meets the arms alone, 15.8 to 27 mm high
    wide = found.aside_mm > np.hypot(7.8, 3.9) + 3.05  # the legs at any bearing
    assert wide.any()
    assert np.all((found.height_mm[wide] > 12.8) & (found.height_mm[wide] < 30.0))
    assert found.height_mm.min() >= 3.0
    assert found.height_mm.max() <= 43.0


def test_stones_tumble_and_balls_do_not():
    stone = weapon("small_catapult").projectile
    found = measure.strike(FOOT, stone, measure.Arrival(4.5, 40.0, Side.FRONT), 2, 0, 60)
    assert 20 < len(found.knocked) < 60
    assert found.height_mm.min() < 25.0 < found.height_mm.max()
    assert found.knocked.mean() > 0.5


def test_enough_is_a_narrow_interval_of_enough_hits():
    precision = measure.Precision(0.05, 100)
    assert not precision.enough(0, 99)
    assert precision.enough(0, 100)
    assert not precision.enough(100, 200)
    assert precision.enough(200, 400)


def test_a_law_counts_every_hit_once_and_is_reproducible(monkeypatch):
    monkeypatch.setattr(module, "_BATCH", 40)
    lines: list[str] = []
    made, again = (
        measure.measure(
            target("dog"),
            weapon("bow").projectile,
            measure.Precision(0.5, 1),
            4,
            (6.0,),
            (0.0,),
            lines.append,
        )
        for _ in range(2)
    )
    assert np.array_equal(made.hits, again.hits)
    assert np.array_equal(made.knocked, again.knocked)
    assert len(lines) == 6
    counts = [tuple(map(int, line.split(": ")[-1].split(" of "))) for line in lines[:3]]
    assert counts == [(made.knocked[side].sum(), made.hits[side].sum()) for side in range(3)]
    assert made.hits[:, :, :, -1].sum() == 0  # a dog is lower than 45 mm
    assert made.knocked.sum() / made.hits.sum() == pytest.approx(0.85, abs=0.2)
