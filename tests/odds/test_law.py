import pickle
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.errors import InvalidValueError
from brickphys.odds.distribution import Distribution, move_odds, wilson
from brickphys.odds.law import BinomialLaw
from brickphys.odds.provenance import Combined, LawSurface, MeasuredSources
from brickphys.odds.roll import HAND_SHIFT, overdispersion

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


@given(INNER)
def test_a_single_brick_has_a_chance_of_its_own_beside_that_in_hands(law, q):
    """Here 3 of 10 single bricks stop on a side, and 2 of 10 in a hand."""
    singles = {**law.counts, "side": 3000, "studs_down": 3990}
    other = replace(
        law, counts=singles, share_ci95=wilson(3000, 10_000), scores={**law.scores, 1: (7000, 3000)}
    )
    assert other.roll(1) == {0: Fraction(7, 10), 1: Fraction(3, 10)}
    assert float(other.roll(2).mean()) == pytest.approx(0.4, abs=1e-3)
    assert other.at(q).roll(1).probability(1) == q
    moved = move_odds(Fraction(1, 5), q / (1 - q) / Fraction(3, 7))
    assert float(other.at(q).roll(2).mean()) == pytest.approx(2 * float(moved), abs=1e-3)


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
    for sides in (0, 9):
        certain = replace(
            law, counts={"side": sides, "studs_up": 9 - sides}, share_ci95=(0.0, 1.0), scores={}
        )
        assert certain.at(Fraction(1, 4)) == BinomialLaw(Fraction(1, 4))
        assert certain.at(certain.p) == BinomialLaw(certain.p)


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
        ({"counts": {"studs_up": 3}, "scores": {1: (3, 0)}}, "^counts.side: missing$"),
        ({"counts": {"side": 0}, "scores": {}}, "counts: nothing was thrown"),
        ({"counts": {"side": -1, "leaning": 3}, "scores": {}}, "counts.side: -1 is negative"),
        ({"scores": {1: (1, 2)}}, "scores.1.counts: .* disagree"),
        ({"scores": {3: (1, 2, 3)}}, "scores.3.counts: 3 counts where 3 bricks have 4 scores"),
        ({"scores": {2: (1, -2, 3)}}, "scores.2.counts: -2 is negative"),
        ({"scores": {2: (0, 0, 0)}}, "scores.2.counts: nothing was thrown"),
        ({"scores": {0: (3,)}}, "scores.0: hands of 0 bricks"),
        ({"scores": {61: (1,) * 62}}, "scores.61: hands of 61 bricks are outside 1..60"),
        ({"share_ci95": (0.3, 0.4)}, "is not an interval around p = 0.2"),
        ({"p_range90": (0.3, 0.2)}, "p_range90: .* is not a range of probabilities"),
        ({"p_range90": (-0.1, 0.2)}, "p_range90: .* is not a range of probabilities"),
        ({"p_range90": (0.1, 1.2)}, "p_range90: .* is not a range of probabilities"),
    ],
)
def test_laws_whose_counts_do_not_add_up_are_refused(law, changes, words):
    with pytest.raises(InvalidValueError, match=words):
        replace(law, **changes)


def test_a_law_may_have_hands_of_sixty_bricks(law):
    assert not replace(law, scores={60: (1,) * 61}).extrapolated(60)


def test_every_fault_of_a_law_is_named(law):
    with pytest.raises(InvalidValueError, match=r"scores\.2.*scores\.3"):
        replace(law, scores={2: (1,), 3: (1,)})


def test_ends_of_intervals_and_ranges_may_be_those_of_all_chances(law):
    whole = replace(law, share_ci95=(0.0, 1.0), p_range90=(0.0, 1.0))
    assert (whole.ci95, whole.p_range90) == ((0.0, 1.0), (0.0, 1.0))
    few = {"counts": {"side": 1, "studs_up": 3}, "scores": {}}
    narrow = replace(law, share_ci95=(0.25, 0.25), p_range90=(0.3, 0.3), **few)
    assert narrow.p == Fraction(1, 4)
    for ends in ((-0.01, 0.5), (0.1, 1.01), (0.201, 0.3), (0.1, 0.199)):
        with pytest.raises(InvalidValueError, match="ci95"):
            replace(law, share_ci95=ends)


def test_what_scores_is_counted_and_told(law):
    assert (law.throws, law.sides) == (10_000, 2000)
    assert (law.scored, law.stops) == ("a side", "on a side")
    both = replace(
        law, scoring=("studs_up", "leaning"), share_ci95=(0.3, 0.31), scores={}, overdispersion=None
    )
    assert (both.sides, both.p) == (3010, Fraction(301, 1000))
    assert (both.scored, both.stops) == ("studs_up or leaning", "as studs_up or leaning")
    assert both.poses_ci95["unsettled"] == wilson(0, 10_000)
    assert both.poses_ci95["studs_down"] == wilson(4990, 10_000)


@pytest.mark.parametrize("scoring", [(), ("side", "side")])
def test_poses_that_score_are_different_ones(law, scoring):
    with pytest.raises(InvalidValueError, match=r"scoring: .* are not one or more different poses"):
        replace(law, scoring=scoring)


def home(scores):
    return Combined("home.csv", scores, None, 0.2, (0.1, 0.3), None, 900, "")


def test_hands_of_the_test_are_those_of_the_prior_law_else_its_own_else_those_at_home(law):
    assert law.tested_hands == {k: law.scores[k] for k in (2, 3, 4)}
    assert replace(law, overdispersion=None, scores={1: (8000, 2000)}).tested_hands == {}
    rho = law.overdispersion.rho
    rounded = replace(law, overdispersion=replace(law.overdispersion, rho=rho + 1e-16))
    assert rounded.tested_hands == law.tested_hands  # as another version of Python adds
    changed = replace(law, overdispersion=replace(law.overdispersion, rho=rho + 1e-6))
    assert changed.tested_hands is None
    other = {2: (50, 20, 50)}
    tested = replace(law, overdispersion=overdispersion(other))
    assert tested.tested_hands is None
    assert replace(tested, prior_hands=other).tested_hands == other
    assert replace(tested, combined=home({1: (3, 1), **other})).tested_hands == other


def test_a_combined_or_measured_law_has_all_doubt(law):
    measured = replace(law, measured=MeasuredSources("m.toml", {}, ()))
    combined = replace(law, combined=home({}))
    assert [one.has_all_doubt for one in (law, measured, combined)] == [False, True, True]
    assert law.range_meaning == "tables and hands of this kind"
    assert measured.range_meaning == combined.range_meaning == "this table and hand"
    none = {"scores": {}, "overdispersion": None}
    assert replace(measured, **none).share_error(2) == HAND_SHIFT
    assert replace(combined, **none).share_error(2) == 0.0
    assert combined.hand_fit == replace(law.hand_fit, share_error=0.0)


def test_a_law_is_complete_unless_it_is_told(law):
    assert law.complete
    assert not replace(law, complete=False).complete


def test_the_surface_is_told_with_a_floor_that_is_no_plane():
    assert LawSurface("wood", 0.4, 0.5).description == "wood"
    assert LawSurface("wood", 0.4, 0.5, "tray").description == "wood tray"


def test_the_correlation_moves_with_a_law_that_is_moved(law):
    rho = Fraction(1, 9)
    moved = law.at(Fraction(3, 10), rho)
    share = law.hand_fit.share
    ratio = Fraction(3, 7) / Fraction(1, 4)
    odds = share / (1 - share) * ratio
    expected = Distribution.beta_binomial(3, odds / (1 + odds), rho)
    assert moved.roll(3) == moved.at(Fraction(3, 10)).roll(3) == expected
    assert moved.at(Fraction(3, 10), Fraction(0)).roll(3) == law.at(
        Fraction(3, 10), Fraction(0)
    ).roll(3)
    assert law.at(Fraction(3, 10)).rho == law.overdispersion.extension


@pytest.mark.parametrize("bricks", [-1, 61, True, 1.0])
def test_numbers_of_bricks_that_are_none_are_refused_by_every_question(law, bricks):
    for one in (law, BinomialLaw(Fraction(1, 5)), law.at(Fraction(1, 4))):
        for ask in (one.roll, one.extrapolated, one.share_error):
            with pytest.raises(InvalidValueError, match="bricks: "):
                ask(bricks)
    assert [law.extrapolated(n) for n in (0, 1, 4, 60)] == [False, False, False, True]


def test_a_stated_law_has_no_doubt():
    stated = BinomialLaw(Fraction(1, 5))
    assert (stated.share_error(5), stated.rho_interval) == (0.0, (0, 0))
    for certain in (Fraction(0), Fraction(1)):
        assert BinomialLaw(certain).roll(2) == Distribution.point(2 * int(certain))


@pytest.mark.parametrize("p", [Fraction(-1, 9), Fraction(10, 9)])
def test_chances_outside_0_to_1_are_refused(law, p):
    with pytest.raises(InvalidValueError, match=r"outside 0\.\.1"):
        BinomialLaw(p)
    with pytest.raises(InvalidValueError, match=r"outside 0\.\.1"):
        law.at(p)
