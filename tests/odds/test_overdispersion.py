from collections import Counter

import numpy as np
import pytest
from scipy.stats import binom, norm

from brickphys.errors import InvalidValueError
from brickphys.odds.roll import Overdispersion, overdispersion
from tests.cases import few

SIZES = (2, 3, 6)
REPEATS = 400


def thrown(rng, p, rho, hands=1500):
    """Scores of hands whose bricks share a chance drawn from a beta law; independent for rho = 0."""
    scores = {}
    for bricks in SIZES:
        alpha, beta = (p * (1 - rho) / rho, (1 - p) * (1 - rho) / rho) if rho else (0, 0)
        chances = rng.beta(alpha, beta, hands) if rho else np.full(hands, p)
        counted = Counter(rng.binomial(bricks, chances).tolist())
        scores[bricks] = tuple(counted[score] for score in range(bricks + 1))
    return scores


def outside(count, share, repeats):
    """Whether a count lies where a binomial law puts it in fewer than 1 of 1000 cases."""
    low, high = binom.interval(0.999, repeats, share)
    return not low <= count <= high


@pytest.mark.parametrize("rho", few([0.03, 0.0, 0.2], 2))
@pytest.mark.parametrize("p", few([0.1, 0.4]))
def test_the_interval_covers_the_truth_in_95_of_100_laws(p, rho):
    # False alarms: 1 in 1000 for each of the 6 cases, for the fixed seed once and for all.
    rng = np.random.default_rng([26, int(100 * p), int(100 * rho)])
    covered = 0
    for _ in range(REPEATS):
        low, high = overdispersion(thrown(rng, p, rho)).ci95
        covered += low <= rho <= high
    assert not outside(covered, 0.95, REPEATS)


def test_independent_bricks_are_called_dependent_in_5_of_100_laws():
    # False alarms of this test: 1 in 1000.
    rng = np.random.default_rng(27)
    found = sum(overdispersion(thrown(rng, 0.2, 0.0)).found for _ in range(REPEATS))
    assert not outside(found, 0.05, REPEATS)


def test_clumping_is_found_and_extends_the_law():
    result = overdispersion(thrown(np.random.default_rng(28), 0.2, 0.2))
    assert result.found
    assert float(result.extension) == pytest.approx(result.rho, abs=1e-6)
    assert result.extension.denominator <= 10**6
    assert result.factor[6] == pytest.approx(2.0, abs=0.25)
    assert result.bricks == SIZES
    assert "score alike" in result.finding


def test_independent_bricks_are_called_independent():
    exact = {k: tuple(round(10**6 * binom.pmf(s, k, 0.2)) for s in range(k + 1)) for k in (2, 6)}
    result = overdispersion(exact)
    assert result.rho == pytest.approx(0.0, abs=1e-4)
    assert result.extension == 0
    most = max(map(abs, result.ci95))
    assert result.finding == (
        "6 bricks: standard deviation 0.980 instead of 0.980 sides; a correlation is not shown, at most "
        f"{most:.2g}; treat bricks as independent"
    )


def test_a_real_but_tiny_effect_is_called_too_small_to_notice():
    result = overdispersion({2: (640_000 + 2500, 320_000 - 5000, 40_000 + 2500)})
    assert result.found
    assert "too small to notice" in result.finding


def test_bricks_that_even_out_extend_as_independent():
    result = overdispersion({2: (0, 1000, 0)})
    assert result.rho == pytest.approx(-1.0, abs=2e-3)
    assert result.found
    assert result.extension == 0
    assert "score differently" in result.finding


def test_the_correlation_is_that_of_the_pairs():
    # Hands of two: rho is the plain correlation of both bricks; here 30 + 30 alike of 80.
    result = overdispersion({2: (3000, 2000, 3000)})
    assert result.rho == pytest.approx(0.5, abs=1e-3)


@pytest.mark.parametrize(
    "scores", [{}, {1: (3, 4)}, {2: (9, 0, 0)}, {2: (0, 0, 9)}, {2: (0, 1, 0)}, {3: (0,) * 4}]
)
def test_hands_that_say_nothing_give_no_answer(scores):
    assert overdispersion(scores) is None


@pytest.mark.parametrize("counts", [(1, 2), (1, -2, 3), (1, 2, 3, 4)])
def test_counts_that_are_none_are_refused(counts):
    with pytest.raises(InvalidValueError, match="scores of 2 bricks"):
        overdispersion({2: counts})


def rho_of(bricks, counts):
    """Return the correlation between the bricks of hands, from the variance of their scores, and their number."""
    weights, scores = np.array(counts, float), np.arange(bricks + 1)
    hands = weights.sum()
    mean = weights @ scores / hands
    variance = weights @ (scores - mean) ** 2 / (hands - 1)
    independent = mean * (1 - mean / bricks)
    return (variance / independent - 1) / (bricks - 1), variance / independent, hands


HANDS = {2: (3000, 2000, 900), 3: (900, 800, 700, 300), 7: (300, 400, 300, 90, 30, 20, 10, 5)}


def test_estimate_and_error_are_those_of_weights_by_pairs_and_of_a_jackknife():
    result = overdispersion(HANDS)
    parts = {k: rho_of(k, counts) for k, counts in HANDS.items()}
    pairs = {k: parts[k][2] * k * (k - 1) / 2 for k in HANDS}
    total = sum(pairs.values())
    rho = sum(pairs[k] * parts[k][0] for k in HANDS) / total
    assert result.rho == pytest.approx(rho, rel=1e-12)
    assert result.factor == pytest.approx({k: parts[k][1] for k in HANDS})
    assert result.p_value == pytest.approx(2 * norm.sf(abs(rho) * np.sqrt(total)))
    variance = 0.0
    for k, counts in HANDS.items():
        for score, count in enumerate(counts):  # leave out one hand at a time
            without = [n - (score == at) for at, n in enumerate(counts)]
            variance += count * (pairs[k] * (rho_of(k, without)[0] - parts[k][0])) ** 2
    low, high = result.ci95
    reach = norm.ppf(0.975) * np.sqrt(variance) / total
    assert (low, high) == pytest.approx((rho - reach, rho + reach), rel=2e-3)


@pytest.mark.parametrize(
    ("rho", "p_value", "found", "extension"),
    [(0.1, 0.049, True, 0.1), (0.1, 0.05, False, 0.0), (-0.1, 0.049, True, 0.0)],
)
def test_only_a_positive_correlation_that_is_found_extends(rho, p_value, found, extension):
    made = Overdispersion(rho, (0.0, 0.2), p_value, {}, (2,), "")
    assert (made.found, float(made.extension)) == (found, extension)


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ((2000, 3000, 2000), "2 bricks: standard deviation 0.756 instead of 0.707 sides; bricks thrown"
         " together score alike: very good and very bad rolls are more common"),
        ((2000, 6000, 2000), "2 bricks: standard deviation 0.632 instead of 0.707 sides; bricks thrown"
         " together score differently: very good and very bad rolls are rarer"),
        # 1.9 % and 2.1 % more than independent bricks
        ((519_200, 961_600, 519_200), "0.721 instead of 0.707 sides, real but too small to notice"),
        ((521_300, 957_400, 521_300), "0.722 instead of 0.707 sides; bricks thrown together score alike"),
    ],
)  # fmt: skip
def test_the_finding_is_told_with_its_figures(counts, words):
    assert words in overdispersion({2: counts}).finding


def test_two_hands_are_enough_and_single_bricks_are_passed_over():
    assert overdispersion({2: (1, 0, 0)}) is None
    assert overdispersion({1: (5, 5), 2: (1, 0, 1)}).bricks == (2,)
    assert overdispersion({2: (1, 0, 1)}).rho == pytest.approx(3.0)  # variance 2 for 1/2
