from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy.stats import binomtest, chi2, chisquare

from brickphys.odds.distribution import Distribution
from brickphys.odds.law import BinomialLaw, Law
from brickphys.odds.law_file import shipped_law, shipped_laws
from brickphys.odds.opposed import opposed, success_interval, success_table
from brickphys.odds.roll import HAND_SHIFT, Overdispersion, fit_hands, overdispersion
from docs.law_tables import hands_chi2
from tests.cases import few_rows

TO = 12
PAIRS = ((3, 2), (5, 3), (1, 12), (7, 0), (10, 8), (12, 2))


def drawn_law(rng, like, p, rho, throws, hands, largest=TO, shift=0.0):
    """Return a law as bricks of chance `p`, `p + shift` in a hand, and correlation `rho` would give it."""
    sides = int(rng.binomial(throws, p))
    scores = {k: drawn_hands(rng, k, p + shift, rho, hands) for k in range(2, largest + 1)}
    return replace(
        like,
        counts={"side": sides, "studs_up": throws - sides},
        scores=scores,
        share_ci95=tuple(binomtest(sides, throws).proportion_ci(method="wilson")),
        overdispersion=overdispersion(scores),
    )


def drawn_hands(rng, bricks, p, rho, hands):
    chances = p
    if rho:
        chances = rng.beta(p * (1 - rho) / rho, (1 - p) * (1 - rho) / rho, size=hands)
    return tuple(np.bincount(rng.binomial(bricks, chances, hands), minlength=bricks + 1).tolist())


def truth(pair, p, rho):
    scored, resisted = (Distribution.beta_binomial(n, Fraction(p), Fraction(rho)) for n in pair)
    return float(
        sum(a * d for (s, a), (r, d) in product(scored.items(), resisted.items()) if s > r)
    )


def by_histogram(pair, law: Law) -> float:
    """The success as the hands of these very sizes have it."""
    rolls = [
        Distribution.from_counts(dict(enumerate(law.scores[n]))) if n > 1 else law.roll(n)
        for n in pair
    ]
    return float((rolls[0] + rolls[1].map(lambda score: -score)).at_least(1))


@pytest.mark.parametrize("rho", [0.0, 0.1], ids=["independent", "clumped"])
@pytest.mark.parametrize("hands", [32, 200, 2000])
def test_the_fit_is_nearer_to_the_truth_than_the_histogram(law, hands, rho):
    # nearer by a factor of two and more, so 25 laws of each kind leave no room for chance
    rng = np.random.default_rng(hands)
    pairs = [pair for pair in PAIRS if 0 not in pair]
    exact = {pair: truth(pair, 0.3, rho) for pair in pairs}
    fit, histogram = [], []
    for _ in range(25):
        drawn = drawn_law(rng, law, 0.3, rho, 200_000, hands)
        fit += [abs(float(opposed(*pair, drawn).success) - exact[pair]) for pair in pairs]
        histogram += [abs(by_histogram(pair, drawn) - exact[pair]) for pair in pairs]
    assert np.mean(fit) < 0.6 * np.mean(histogram)


@pytest.mark.parametrize(
    ("rho", "shift", "throws", "hands"),
    few_rows(
        [
            (0.03, 0.01, 200_000, 200),
            (0.0, 0.02, 3000, 32),
            (0.0, 0.0, 200_000, 200),
            (0.0, -0.01, 200_000, 2000),
            (0.15, 0.0, 200_000, 200),
        ]
    ),
)
@pytest.mark.parametrize(
    "pair",
    [(3, 2), *(pytest.param(pair, marks=pytest.mark.slow) for pair in ((10, 8), (7, 0)))],
    ids=str,
)
def test_the_interval_covers_the_true_chance(law, pair, rho, shift, throws, hands):
    # 150 laws; at a true 95 %, fewer than 132 hits come less than once in a thousand such tests
    rng = np.random.default_rng(pair[0])
    exact = truth(pair, 0.3 + shift, rho)
    hits = 0
    for _ in range(150):
        drawn = drawn_law(rng, law, 0.3, rho, throws, hands, shift=shift)
        low, high = success_interval(*pair, drawn, drawn.ci95)
        hits += low <= exact <= high
    assert hits >= 132


@pytest.mark.parametrize("name", shipped_laws())
def test_more_bricks_never_hurt_with_a_shipped_law(name):
    table = success_table(TO, TO, shipped_law(name))
    for attack, defence in product(range(TO), range(TO)):
        assert table[attack + 1][defence + 1] > 0
        assert table[attack + 1][defence] > table[attack][defence]
        assert table[attack + 1][defence + 1] < table[attack + 1][defence]


def test_chi2_pools_scores_that_are_expected_less_than_five_times():
    # of 100 hands of three with p = 0.1 are expected 72.9, 24.3, and 2.7 and 0.1, which are pooled
    scores = {1: (70, 30), 3: (70, 25, 4, 1)}
    total, free = hands_chi2(scores, BinomialLaw(Fraction(1, 10)).roll)
    assert total == pytest.approx(chisquare([70, 25, 5], [72.9, 24.3, 2.8]).statistic)
    assert free == 2
    # of 20 hands of two with p = 0.5 are expected 5, 10 and 5, which are not pooled
    total, free = hands_chi2({2: (4, 11, 5)}, BinomialLaw(Fraction(1, 2)).roll)
    assert (total, free) == (pytest.approx(1 / 5 + 1 / 10), 2)
    assert hands_chi2({1: (70, 30)}, BinomialLaw(Fraction(1, 10)).roll) == (0.0, 0)


@pytest.mark.parametrize("name", ["baseplate", "cloth", "default", "glass"])
def test_the_hands_of_a_shipped_law_do_not_contradict_its_fit(name):
    # false alarm: one in two hundred, over all four laws one in fifty
    law = shipped_law(name)
    total, free = hands_chi2(law.scores, law.roll)
    assert chi2.sf(total, free) > 0.005


def test_few_hands_stop_like_single_bricks_and_many_speak_for_themselves():
    few, many = (fit_hands(Fraction(3, 10), 10**6, {2: (n, 2 * n, n)}, None) for n in (1, 250_000))
    assert float(few.share) == pytest.approx(0.3, abs=0.02)
    assert few.share_error == pytest.approx(HAND_SHIFT, rel=0.01)
    assert float(many.share) == pytest.approx(0.5, abs=1e-4)
    assert many.share_error < HAND_SHIFT / 10


def test_hands_count_for_more_than_few_single_bricks():
    fit = fit_hands(Fraction(3, 10), 100, {2: (640, 320, 40)}, None)
    assert float(fit.share) == pytest.approx(0.2, abs=0.005)
    assert fit.share_error == 0.0  # that of the single bricks is larger already


@pytest.mark.parametrize("rho", [0.0, 0.2])
@pytest.mark.parametrize("throws", [300, 50_000])
@pytest.mark.parametrize(
    "hands",
    [{2: (64, 30, 6)}, {2: (400, 350, 90), 5: (30, 70, 60, 30, 9, 1)}, {3: (20, 60, 80, 40)}],
)
def test_the_share_is_the_mean_by_precision_of_single_bricks_and_hands(rho, throws, hands):
    test = Overdispersion(rho, (rho / 2, 2 * rho), 0.0, {}, (2,), "")
    fit = fit_hands(Fraction(3, 10), throws, {1: (7, 3), **hands}, test)
    share, error, _ = mean_by_precision(throws, hands, rho)
    assert float(fit.share) == pytest.approx(share, abs=2e-6)
    assert fit.share.denominator <= 10**6
    assert fit.share_error == pytest.approx(error, abs=1e-9)


@pytest.mark.parametrize(("sides", "contradicts"), [(6411, False), (6415, True), (5585, True)])
def test_hands_contradict_single_bricks_beyond_1_96_deviations(sides, contradicts):
    hands = {2: (10_000 - sides, sides, 0)}
    share, error, deviations = mean_by_precision(10**6, hands, 0.0)
    assert 0 < (abs(deviations) - 1.96) * (1 if contradicts else -1) < 0.02
    fit = fit_hands(Fraction(3, 10), 10**6, hands, None)
    assert (float(fit.share), fit.share_error) == pytest.approx((share, error), abs=2e-6)


def mean_by_precision(throws, hands, rho):
    """Return mean and error of two normal estimates, and how many deviations they are apart.

    Their variances are those of correlated bricks, and of single ones with p = 0.3 on other tables.
    """
    bricks = np.array([k for k, counts in hands.items() for _ in range(sum(counts))])
    sides = sum(score * n for counts in hands.values() for score, n in enumerate(counts))
    pooled = (sides + 0.3 * throws) / (bricks.sum() + throws)
    one = pooled * (1 - pooled)
    of_hands = one * (bricks * (1 + (bricks - 1) * rho)).sum() / bricks.sum() ** 2
    of_single = one / throws + HAND_SHIFT**2
    shift = sides / bricks.sum() - 0.3
    deviations = shift / np.sqrt(of_single + of_hands)
    if abs(deviations) > 1.96:
        of_single = shift**2
    precise = 1 / of_single + 1 / of_hands
    expected = (0.3 / of_single + (0.3 + shift) / of_hands) / precise
    return expected, np.sqrt(max(0.0, 1 / precise - one / throws)), deviations


@pytest.mark.parametrize(
    ("rho", "ci95", "p_value", "expected"),
    [
        (0.1, (0.05, 0.2), 0.01, (0.1, 0.05, 0.2)),
        (0.1, (-0.05, 0.2), 0.5, (0.0, 0.0, 0.2)),
        (0.1, (0.05, 0.2), 0.5, (0.0, 0.0, 0.2)),
        (-0.2, (-0.3, -0.1), 0.01, (0.0, 0.0, 0.0)),
        (0.9, (0.7, 1.4), 0.01, (0.9, 0.7, 0.99)),
    ],
)
def test_the_correlation_and_its_interval_are_cut_off_at_0_and_below_1(
    rho, ci95, p_value, expected
):
    test = Overdispersion(rho, ci95, p_value, {}, (2,), "")
    fit = fit_hands(Fraction(3, 10), 900, {2: (64, 30, 6)}, test)
    assert (float(fit.rho), *map(float, fit.rho_interval)) == pytest.approx(expected)


def test_without_a_test_bricks_are_independent():
    fit = fit_hands(Fraction(3, 10), 900, {1: (630, 270)}, None)
    assert (fit.share, fit.share_error) == (Fraction(3, 10), HAND_SHIFT)
    assert (fit.rho, fit.rho_interval) == (0, (0, 0))


def test_hands_without_any_side_leave_a_chance(law):
    scores = {2: (3, 0, 0), 3: (3, 0, 0, 0)}
    none = replace(law, scores=scores, overdispersion=overdispersion(scores))
    assert all(share > 0 for share in none.roll(3).values())
    assert len(none.roll(3)) == 4
    assert none.at(Fraction(0)) == BinomialLaw(Fraction(0))
