import pickle
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.errors import InvalidValueError
from brickphys.odds.distribution import Distribution
from brickphys.odds.hand_fit import HAND_SHIFT
from brickphys.odds.law import BinomialLaw

INNER = st.fractions("1/40", "39/40", max_denominator=40)


def test_bricks_together_are_the_fit_of_all_hands(law):
    rho = law.overdispersion.extension
    assert rho == pytest.approx(0.1, abs=0.01)
    assert law.roll(0) == Distribution.point(0)
    assert law.roll(1) == {0: Fraction(4, 5), 1: Fraction(1, 5)}
    for bricks in (2, 4, 7):
        assert law.roll(bricks) == Distribution.beta_binomial(bricks, law.hand_fit.share, rho)
    assert float(law.hand_fit.share) == pytest.approx(0.2, abs=1e-4)
    assert [n for n in range(8) if law.extrapolated(n)] == [5, 6, 7]


def test_bricks_together_are_binomial_where_no_correlation_was_found(independent):
    assert not independent.overdispersion.found
    assert independent.roll(7) == Distribution.binomial(7, independent.hand_fit.share)
    assert independent.hand_fit.rho_interval[1] > 0


def test_a_law_of_single_throws_extends_by_its_p(law):
    single = replace(law, scores={}, overdispersion=None)
    assert single.roll(3) == Distribution.binomial(3, Fraction(1, 5))
    assert single.roll(1) == law.roll(1)
    assert [single.share_error(n) for n in (0, 1, 2, 3)] == [0, 0, HAND_SHIFT, HAND_SHIFT]


@given(INNER)
def test_moving_p_moves_single_throws_exactly(law, q):
    assert law.at(q).roll(1).probability(1) == q
    assert law.at(q).p == q


@given(INNER, INNER)
def test_moving_twice_is_moving_once(law, q, r):
    for bricks in (0, 1, 3, 6):
        assert law.at(q).at(r).roll(bricks) == law.at(r).roll(bricks)
        assert law.at(law.p).roll(bricks) == law.roll(bricks)


@given(INNER, INNER)
def test_moving_p_up_moves_every_roll_up(law, q, r):
    low, high = sorted((q, r))
    for bricks in (2, 4, 6):
        moved_low, moved_high = law.at(low).roll(bricks), law.at(high).roll(bricks)
        assert all(moved_low.at_least(k) <= moved_high.at_least(k) for k in range(bricks + 1))


def test_a_moved_law_knows_what_was_measured(law):
    moved = law.at(Fraction(1, 4))
    assert moved.share_error(3) == law.share_error(3)
    assert moved.rho_interval == law.rho_interval
    assert moved.extrapolated(5)
    assert not moved.extrapolated(4)


def test_moving_to_certainty_leaves_no_shape(law):
    assert law.at(Fraction(0)) == BinomialLaw(Fraction(0))
    assert law.at(Fraction(1)).roll(3) == Distribution.point(3)


@given(st.integers(0, 12), INNER, INNER)
def test_a_binomial_law_is_stated_for_any_number(n, p, q):
    law = BinomialLaw(p)
    assert law.roll(n) == Distribution.binomial(n, p)
    assert not law.extrapolated(n)
    assert law.at(q) == law.at(q, Fraction(1, 9)) == BinomialLaw(q)


def test_laws_travel_to_other_processes(law):
    assert pickle.loads(pickle.dumps(law)) == law


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"counts": {"studs_up": 3}}, "counts.side: missing"),
        ({"counts": {"side": 0}, "scores": {}}, "counts: nothing was thrown"),
        ({"counts": {"side": -1, "leaning": 3}, "scores": {}}, "counts.side: -1 is negative"),
        ({"scores": {1: (1, 2)}}, "scores.1.counts: .* disagree"),
        ({"scores": {3: (1, 2, 3)}}, "scores.3.counts: 3 counts where 3 bricks have 4 scores"),
        ({"scores": {2: (1, -2, 3)}}, "scores.2.counts: -2 is negative"),
        ({"scores": {2: (0, 0, 0)}}, "scores.2.counts: nothing was thrown"),
        ({"scores": {0: (3,)}}, "scores.0: hands of 0 bricks"),
        ({"ci95": (0.3, 0.4)}, "is not an interval around p = 0.2"),
        ({"p_range90": (0.3, 0.2)}, "p_range90: .* is not a range of probabilities"),
        ({"p_range90": (-0.1, 0.2)}, "p_range90: .* is not a range of probabilities"),
        ({"p_range90": (0.1, 1.2)}, "p_range90: .* is not a range of probabilities"),
    ],
)
def test_laws_whose_counts_do_not_add_up_are_refused(law, changes, words):
    with pytest.raises(InvalidValueError, match=words):
        replace(law, **changes)


def test_every_fault_of_a_law_is_named(law):
    with pytest.raises(InvalidValueError, match=r"scores\.2.*scores\.3"):
        replace(law, scores={2: (1,), 3: (1,)})


@pytest.mark.parametrize("p", [Fraction(-1, 9), Fraction(10, 9)])
def test_chances_outside_0_to_1_are_refused(law, p):
    with pytest.raises(InvalidValueError, match=r"outside 0\.\.1"):
        BinomialLaw(p)
    with pytest.raises(InvalidValueError, match=r"outside 0\.\.1"):
        law.at(p)
