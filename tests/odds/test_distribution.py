import pickle
import re
from fractions import Fraction
from itertools import product
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.errors import InvalidValueError
from brickphys.odds.distribution import Distribution

CHANCES = st.fractions(0, 1, max_denominator=50)
COUNTS = st.dictionaries(st.integers(-9, 9), st.integers(0, 20), min_size=1).filter(
    lambda counts: any(counts.values())
)
LAWS = st.builds(Distribution.from_counts, COUNTS)


@given(LAWS, LAWS)
def test_a_sum_is_the_enumeration_of_both_draws(left, right):
    expected = {}
    for a, b in product(left, right):
        expected[a + b] = expected.get(a + b, 0) + left[a] * right[b]
    assert left + right == expected
    assert sum((left + right).values()) == 1


@given(LAWS, LAWS)
def test_mean_and_variance_of_independent_draws_add_up(left, right):
    assert (left + right).mean() == left.mean() + right.mean()
    assert (left + right).variance() == left.variance() + right.variance()


@given(st.integers(0, 6), CHANCES)
def test_binomial_is_the_enumeration_of_all_trials(n, p):
    expected = dict.fromkeys(range(n + 1), Fraction(0))
    for trials in product((0, 1), repeat=n):
        expected[sum(trials)] += prod((p if hit else 1 - p) for hit in trials)
    assert Distribution.binomial(n, p) == {k: q for k, q in expected.items() if q}


@given(st.integers(1, 20), CHANCES, st.fractions(0, Fraction(9, 10), max_denominator=30))
def test_beta_binomial_has_the_stated_mean_and_correlation(n, p, rho):
    law = Distribution.beta_binomial(n, p, rho)
    assert law.mean() == n * p
    assert law.variance() == n * p * (1 - p) * (1 + (n - 1) * rho)


def test_beta_binomial_of_a_uniform_chance_is_uniform():
    # alpha = beta = 1 is Polya's urn with one ball of each colour: every score is equally likely.
    law = Distribution.beta_binomial(5, Fraction(1, 2), Fraction(1, 3))
    assert law == dict.fromkeys(range(6), Fraction(1, 6))


@given(LAWS, st.integers(-12, 12))
def test_tails_are_sums_of_outcomes(law, k):
    assert law.at_least(k) == sum(p for outcome, p in law.items() if outcome >= k)


@given(LAWS)
def test_equal_laws_are_equal_values(law):
    doubled = Distribution.from_counts(
        {k: 2 * w for k, w in zip(law.outcomes, law.weights, strict=True)}
    )
    assert doubled == law
    assert hash(doubled) == hash(law)
    assert pickle.loads(pickle.dumps(law)) == law


def test_what_cannot_happen_is_not_an_outcome():
    law = Distribution.from_counts({0: 3, 1: 0, 2: 1})
    assert list(law) == [0, 2]
    assert law.probability(1) == 0
    with pytest.raises(KeyError):
        law[1]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Distribution.from_counts({}), "at least one outcome that was counted"),
        (lambda: Distribution.from_counts({0: 0}), "at least one outcome that was counted"),
        (lambda: Distribution.from_counts({0: 3, 1: -1}), "negative count in {0: 3, 1: -1}"),
        (lambda: Distribution((1, 0), (1, 1)), "outcomes (1, 0) do not ascend"),
        (lambda: Distribution((0, 0), (1, 1)), "outcomes (0, 0) do not ascend"),
        (lambda: Distribution((0, 1), (2, 2)), "weights must be positive and relatively prime"),
        (lambda: Distribution((0,), (1, 1)), "at least one outcome, and a weight for each"),
        (lambda: Distribution((), ()), "at least one outcome, and a weight for each"),
        (lambda: Distribution((0, 1), (0, 1)), "weights must be positive and relatively prime"),
        (lambda: Distribution((0, 1), (-1, 2)), "weights must be positive and relatively prime"),
        (lambda: Distribution.binomial(-1, Fraction(1, 2)), "n: -1 is negative"),
        (lambda: Distribution.binomial(2, Fraction(3, 2)), "p: 1.5 is outside 0..1"),
        (lambda: Distribution.binomial(2, Fraction(-1, 2)), "p: -0.5 is outside 0..1"),
        (lambda: clumped(Fraction(1)), "rho: 1 is outside [0, 1)"),
        (lambda: clumped(Fraction(3, 2)), "rho: 1.5 is outside [0, 1)"),
        (lambda: clumped(Fraction(-1, 8)), "rho: -0.125 is outside [0, 1)"),
    ],
)
def test_impossible_laws_are_refused(make, words):
    with pytest.raises(InvalidValueError, match=re.escape(words)):
        make()


def clumped(rho):
    return Distribution.beta_binomial(2, Fraction(1, 2), rho)
