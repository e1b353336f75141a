"""Posteriors are exact where exact ones are known, and their intervals hold the truth as often as they say."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import beta, betabinom, binom, chi2

from brickphys.calibration.posterior import (
    Hands,
    Posterior,
    beta_of,
    hands_of,
    share_posterior,
    side_hands,
    surface_posterior,
    two_sided,
)
from brickphys.calibration.response import Response, with_side_odds
from brickphys.calibration.response_design import ANY_SURFACE
from brickphys.calibration.systematic import CONTACT_LAW_LOGITS
from brickphys.errors import InvalidValueError
from brickphys.throws.conditions import Surface, surface
from tests.cases import few_rows
from tests.fitted import shipped_response


def single(sides, others):
    return hands_of(np.array([[1, 0]] * sides + [[0, 1]] * others))


def test_the_likelihood_is_the_beta_binomial_law():
    hands = np.array([[0, 5], [3, 2], [1, 1], [6, 0]])
    p, rho = 0.3, 0.2
    a, b = p * (1 - rho) / rho, (1 - p) * (1 - rho) / rho
    found = hands_of(hands)
    here, there = (float(found.log_likelihood(np.array([q, 1 - q]), rho)) for q in (p, 0.5))
    exact = sum(betabinom.logpmf(k, k + m, a, b) for k, m in hands)
    a, b = 0.5 * (1 - rho) / rho, 0.5 * (1 - rho) / rho
    assert here - there == pytest.approx(
        exact - sum(betabinom.logpmf(k, k + m, a, b) for k, m in hands)
    )


def test_independent_bricks_are_multinomial():
    hands = hands_of(np.array([[2, 1, 0], [0, 3, 4]]))
    shares = np.array([[0.2, 0.5, 0.3], [0.1, 0.1, 0.8]])
    expected = np.log(shares) @ [2, 4, 4]
    assert hands.log_likelihood(shares, 0.0) == pytest.approx(expected)


@pytest.mark.parametrize(("sides", "others"), [(30, 70), (0, 20), (7, 0), (1, 999)])
def test_single_bricks_have_the_beta_posterior(sides, others):
    found = share_posterior(single(sides, others))
    exact = beta(sides + 0.5, others + 0.5)
    assert found.rho is None
    assert found.p.mean == pytest.approx(exact.mean(), rel=1e-5)
    assert found.p.ci95 == pytest.approx(exact.ppf([0.025, 0.975]), abs=1e-4)


CHANCES = np.linspace(0.05, 0.95, 37)


def exact_coverage(laws, posteriors):
    """Chance that the interval holds p, at each of `CHANCES`: every outcome is looked at, nothing is drawn."""
    ends = [posterior.p.ci95 for posterior in posteriors]
    return np.array([
        sum(law.pmf(k) for k, (low, high) in enumerate(ends) if low <= p <= high)
        for p, law in zip(CHANCES, laws, strict=True)
    ])  # fmt: skip


@pytest.mark.parametrize("bricks", [1, 2, 3, 4, 5])
def test_one_to_five_bricks_leave_an_honest_doubt(bricks):
    posteriors = [share_posterior(single(k, bricks - k)) for k in range(bricks + 1)]
    covered = exact_coverage([binom(bricks, p) for p in CHANCES], posteriors)
    # Jeffreys' interval is right on average; so few outcomes cannot hold every p equally often
    assert covered.min() > 0.86
    assert covered.mean() > 0.95
    assert all(np.ptp(one.p.ci95) > 0.37 for one in posteriors)


@pytest.mark.parametrize("rho", [0.0, 0.1, 0.3])
def test_one_hand_of_five_leaves_an_honest_doubt(rho):
    posteriors = [share_posterior(hands_of(np.array([[k, 5 - k]]))) for k in range(6)]
    spread = (1 - rho) / rho if rho else 1e6
    covered = exact_coverage(
        [betabinom(5, p * spread, (1 - p) * spread) for p in CHANCES], posteriors
    )
    assert covered.min() > 0.86
    assert covered.mean() > 0.95
    # the hand alone says nothing of how alike its bricks are
    assert all(one.rho.sd > 0.8 * 0.5 / np.sqrt(12) for one in posteriors)


def test_a_prior_adds_to_the_counts():
    found = share_posterior(single(30, 70), {(20.0, 50.0): 1.0}).p
    assert found.mean == pytest.approx(50 / 170, rel=1e-5)
    assert found.sd == pytest.approx(beta.std(50, 120), rel=1e-4)


def test_a_million_bricks_are_still_resolved():
    many = Hands(np.array([[300_000], [700_000]]), np.array([1_000_000]))
    found = share_posterior(many).p
    assert found.sd == pytest.approx(np.sqrt(0.21 / 1e6), rel=1e-3)


def test_bricks_that_stop_alike_say_less(thrown):
    rng = np.random.default_rng(2)
    alike = share_posterior(side_hands(thrown(rng, 100, 5, rho=0.4)))
    apart = share_posterior(side_hands(thrown(rng, 100, 5)))
    assert alike.p.sd > 1.3 * apart.p.sd
    assert alike.rho.ci95[0] > apart.rho.mean


@pytest.mark.parametrize("mean", [0.01, 0.3, 0.7])
def test_a_beta_law_has_the_mean_and_the_width_asked_for(mean):
    law = beta_of(mean, 0.01)
    assert (beta.mean(*law), beta.std(*law)) == pytest.approx((mean, 0.01))


@pytest.mark.parametrize(("mean", "sd"), [(0.3, 0.5), (0.0, 0.1), (1.0, 0.1), (0.3, 0.0)])
def test_what_no_beta_law_has_is_refused(mean, sd):
    with pytest.raises(InvalidValueError, match="no beta distribution"):
        beta_of(mean, sd)


def test_quantiles_of_a_grid():
    even = Posterior(np.linspace(0.005, 0.995, 100), np.full(100, 0.01))
    assert even.mean == pytest.approx(0.5)
    assert even.ci95 == pytest.approx((0.025, 0.975), abs=1e-9)


CASES = [(1, 0.0, 60), (5, 0.1, 40), (3, 0.0, 40), (6, 0.3, 40)]


def covered(thrown, bricks, rho, hands, sets, seed):
    rng = np.random.default_rng(seed)
    held = 0
    for _ in range(sets):
        p = rng.uniform(0.15, 0.45)
        counts = thrown(rng, hands, bricks, (0.5 * (1 - p), 0.5 * (1 - p), p), rho, poses=False)
        low, high = share_posterior(side_hands(counts)).p.ci95
        held += low <= p <= high
    return held / sets


@pytest.mark.parametrize(("bricks", "rho", "hands"), few_rows(CASES, 2))
def test_the_interval_holds_the_truth(thrown, bricks, rho, hands):
    # intervals of 95 % hold it in fewer than 85 % of 60 sets once in 500, of 400 never
    assert covered(thrown, bricks, rho, hands, 60 if bricks > 1 else 400, 5) >= 0.85


@pytest.mark.slow
@pytest.mark.parametrize(("bricks", "rho", "hands"), CASES)
def test_the_interval_holds_the_truth_as_often_as_it_says(thrown, bricks, rho, hands):
    # 1000 sets: standard error 0.7 points; without correlation the uniform prior of rho errs to the wide side
    share = covered(thrown, bricks, rho, hands, 1000, 6)
    assert 0.93 <= share <= (0.97 if rho or bricks == 1 else 0.99)


def test_a_right_law_is_refused_one_time_in_twenty():
    # 1000 laws of 400 throws against 150 bricks: standard error 0.7 points
    rng = np.random.default_rng(7)
    refused = 0
    for p in rng.uniform(0.1, 0.5, 1000):
        law, home = rng.binomial(400, p), int(rng.binomial(150, p))
        measured = share_posterior(Hands(np.array([[home], [150 - home]]), np.array([150]))).p
        refused += two_sided(measured, (law + 0.5, 400.5 - law)) < 0.05
    assert refused / 1000 == pytest.approx(0.05, abs=0.021)


def test_a_p_value_is_a_probability_where_shares_are_far_apart():
    measured = share_posterior(hands_of(np.array([[4, 0]] * 50))).p
    assert 0 <= two_sided(measured, (2900.0, 7100.0)) < 1e-6


@pytest.fixture(scope="module")
def response() -> Response:
    return shipped_response()


def home(thrown, response, rng, ranges, hands, bricks, rho=0.0, poses=True):
    """A table, a mould and a hand somewhere in their ranges, and what was thrown with them."""
    low, high = np.array(list(response.ranges.values())).T
    values = rng.uniform(low, high)
    values[:2] = rng.uniform(*np.array([ranges.friction, ranges.restitution]).T)
    least, most = CONTACT_LAW_LOGITS
    shares = response.shares(values[None, :], response.draws(1, rng)[0])[0]
    shares = with_side_odds(shares, rng.triangular(least, 0, most))
    return values, thrown(rng, hands, bricks, shares, rho, poses)


def infer(counts, response, ranges, seed, draws=100):
    rho = share_posterior(side_hands(counts)).rho
    return surface_posterior(counts, response, ranges, rho, np.random.default_rng(seed), draws)


def coverage(thrown, response, sets, seed, **how):
    """How often the intervals of friction and of restitution hold the truth, for any table."""
    rng = np.random.default_rng(seed)
    held = np.zeros(2)
    for i in range(sets):
        values, counts = home(thrown, response, rng, ANY_SURFACE, **how)
        found = infer(counts, response, ANY_SURFACE, i)
        for k, one in enumerate((found.friction, found.restitution)):
            held[k] += one.ci95[0] <= values[k] <= one.ci95[1]
    return held / sets


def test_poses_bind_friction(thrown, response):
    rng = np.random.default_rng(1)
    point = np.array([[0.12, 0.65, 1.35, 1.25, 1.7, 0.2, 187.0, 1.08, 20.0, 0.5]])
    counts = thrown(rng, 3000, 1, response.shares(point)[0])
    found = infer(counts, response, ANY_SURFACE, 1)
    assert found.friction.ci95[0] < 0.12 < found.friction.ci95[1] < 0.4
    assert found.friction.sd < 0.6 * (0.8 - 0.1) / np.sqrt(12)
    assert found.fit_p_value > 0.05


def test_poses_say_more_than_the_score(thrown, response):
    rng = np.random.default_rng(2)
    area = {True: [], False: []}
    for i in range(3):
        _, counts = home(thrown, response, rng, ANY_SURFACE, 2000, 1)
        for poses in area:
            one = counts if poses else replace(counts, poses=None)
            weights = infer(one, response, ANY_SURFACE, i).weights
            # the number of cells over which the probability is spread (perplexity)
            area[poses].append(np.exp(-(weights * np.log(weights + 1e-300)).sum()))
    assert np.mean(area[True]) < 0.8 * np.mean(area[False])


def test_no_counts_to_speak_of_leave_the_prior(thrown, response):
    counts = thrown(np.random.default_rng(3), 1, 1)
    wood = surface("wood")
    found = infer(counts, response, wood, 1)
    assert found.friction.ci95 == pytest.approx((0.305, 0.495), abs=0.004)
    assert found.restitution.mean == pytest.approx(0.5, abs=0.01)
    assert found.weights.sum() == pytest.approx(1.0)


def test_counts_that_no_surface_explains_are_told(thrown, response):
    counts = thrown(np.random.default_rng(4), 500, 1, (0.1, 0.1, 0.8))
    assert infer(counts, response, ANY_SURFACE, 1).fit_p_value < 1e-6
    assert chi2.sf(0.0, 2) == 1.0


def test_ranges_beyond_the_response_are_refused(thrown, response):
    counts = thrown(np.random.default_rng(5), 10, 1)
    ice = Surface("ice", (0.01, 0.1), (0.3, 0.5), "")
    with pytest.raises(InvalidValueError, match=r"friction 0\.01 to 0\.1 of ice"):
        infer(counts, response, ice, 1)


@pytest.mark.slow
def test_the_interval_of_friction_holds_the_truth(thrown, response):
    # 40 tables: intervals of 95 % hold fewer than 34 once in 280
    assert coverage(thrown, response, 40, 6, hands=300, bricks=1).min() >= 0.85


@pytest.mark.slow
@pytest.mark.parametrize(
    "how",
    [
        {"hands": 500, "bricks": 1},
        {"hands": 500, "bricks": 1, "poses": False},
        {"hands": 100, "bricks": 5, "rho": 0.1},
    ],
)
def test_intervals_hold_the_truth_as_often_as_they_say(thrown, response, how):
    # 200 tables: standard error 1.5 points
    found = coverage(thrown, response, 200, 7, **how)
    assert found == pytest.approx(0.95, abs=0.05)
