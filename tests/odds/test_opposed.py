from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import hypot
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.errors import InvalidValueError
from brickphys.odds.distribution import Distribution, wilson
from brickphys.odds.law import BinomialLaw
from brickphys.odds.opposed import (
    kill_after,
    opposed,
    success_doubts,
    success_interval,
    success_range,
    success_table,
)
from brickphys.odds.roll import overdispersion

GOLDEN = Path(__file__).parents[1] / "golden" / "odds_quarter.txt"
QUARTER = BinomialLaw(Fraction(1, 4))
HALF = BinomialLaw(Fraction(1, 2))
FEW = st.integers(0, 5)
BRICKS = st.integers(0, 12)
CHANCES = st.fractions(0, 1, max_denominator=40)
INNER = st.fractions("1/40", "39/40", max_denominator=40)


def enumerate_damage(attack, defence, p, ahead=0):
    """The oracle: every one of the 2**(attack + defence) ways in which the bricks can fall."""
    damage = Counter()
    for bricks in product((0, 1), repeat=attack + defence):
        sides = sum(bricks)
        chance = p**sides * (1 - p) ** (attack + defence - sides)
        damage[max(0, ahead + sum(bricks[:attack]) - sum(bricks[attack:]))] += chance
    return {points: chance for points, chance in damage.items() if chance}


@given(FEW, FEW, CHANCES, st.integers(-7, 7))
def test_damage_is_that_of_enumerating_all_bricks(attack, defence, p, ahead):
    damage = opposed(attack, defence, BinomialLaw(p), ahead).damage
    assert damage == enumerate_damage(attack, defence, p, ahead)


def test_success_matches_the_golden_table():
    rows = [row.split() for row in GOLDEN.read_text().splitlines() if not row.startswith("#")]
    table = success_table(6, 6, QUARTER)
    assert len(rows) == 36
    assert [len(row) for row in success_table(2, 5, QUARTER)] == [6] * 3
    for attack, defence, numerator, _ in rows:
        total = 4 ** (int(attack) + int(defence))
        assert table[int(attack)][int(defence)] == Fraction(int(numerator), total)


@given(BRICKS, BRICKS, CHANCES)
def test_one_side_wins_or_the_other_or_they_tie(attack, defence, p):
    law = BinomialLaw(p)
    mine, theirs = law.roll(attack), law.roll(defence)
    tie = sum(mine.probability(k) * theirs.probability(k) for k in range(13))
    assert opposed(attack, defence, law).success + opposed(defence, attack, law).success + tie == 1


@given(BRICKS, BRICKS, CHANCES)
def test_more_attack_helps_and_more_defence_hurts(attack, defence, p):
    law = BinomialLaw(p)
    here = opposed(attack, defence, law)
    assert opposed(attack + 1, defence, law).success >= here.success
    assert opposed(attack, defence + 1, law).success <= here.success
    assert opposed(attack + 1, defence, law).expected_damage >= here.expected_damage


@given(BRICKS, CHANCES)
def test_against_no_defence_the_attack_only_needs_a_side(attack, p):
    undefended = opposed(attack, 0, BinomialLaw(p))
    assert undefended.success == 1 - (1 - p) ** attack
    assert undefended.expected_damage == attack * p


@given(BRICKS, BRICKS)
def test_without_attack_or_without_sides_nothing_succeeds(attack, defence):
    assert opposed(0, defence, QUARTER).success == 0
    assert opposed(attack, defence, BinomialLaw(Fraction(0))).success == 0
    assert opposed(attack, defence, BinomialLaw(Fraction(1))).success == (attack > defence)


@given(BRICKS, BRICKS, st.integers(1, 12), CHANCES)
def test_a_kill_is_damage_of_at_least_the_health(attack, defence, health, p):
    law = BinomialLaw(p)
    damage = opposed(attack, defence, law).damage
    assert opposed(attack, defence, law).kill(health) == sum(
        q for k, q in damage.items() if k >= health
    )
    assert opposed(attack, defence, law).kill(1) == opposed(attack, defence, law).success


@given(st.lists(st.tuples(FEW, FEW), max_size=4), st.integers(1, 6), CHANCES)
def test_damage_adds_up_over_attacks(attacks, health, p):
    law = BinomialLaw(p)
    total, expected = Distribution.point(0), []
    for attack, defence in attacks:
        total += opposed(attack, defence, law).damage
        expected.append(total.at_least(health))
    assert kill_after(attacks, health, law) == tuple(expected)


def test_one_point_of_health_is_a_geometric_wait():
    success = opposed(3, 2, QUARTER).success
    chances = kill_after([(3, 2)] * 5, 1, QUARTER)
    assert chances == tuple(1 - (1 - success) ** k for k in range(1, 6))


def test_a_measured_law_says_where_it_is_extended(law):
    scores, others = law.roll(3), law.roll(2)
    expected = sum(scores[a] * others[d] for a, d in product(scores, others) if a > d)
    assert opposed(3, 2, law).success == expected
    assert not opposed(3, 2, law).extrapolated
    assert opposed(3, 5, law).extrapolated


def test_the_interval_of_one_brick_is_that_of_p(law):
    low, high = success_interval(1, 0, law, law.ci95)
    assert (low, high) == pytest.approx(law.ci95, abs=3e-4)


@given(BRICKS, BRICKS, INNER, st.fractions(-1, 1))
def test_the_interval_holds_every_chance_between_its_ends(attack, defence, p, place):
    ends = (max(0.0, float(p) - 0.02), min(1.0, float(p) + 0.02))
    low, high = success_interval(attack, defence, BinomialLaw(p), ends)
    inner = min(max(p + place / 50, Fraction(0)), Fraction(1))
    success = float(opposed(attack, defence, BinomialLaw(inner)).success)
    # Between two of the points that are looked at, a curve of second derivative c rises by c / 8 * 0.0025 ** 2.
    assert 0 <= low <= success + 1e-4
    assert success - 1e-4 <= high <= 1


def test_the_interval_sees_the_top_between_its_ends():
    # Equal bricks never succeed at p = 0 nor at p = 1, and best in between.
    low, high = success_interval(3, 3, HALF, (0.0, 1.0))
    assert low == 0
    assert high == pytest.approx(float(opposed(3, 3, HALF).success))


def test_few_measured_hands_widen_the_interval(law):
    few = {k: tuple(n // 40 for n in counts) for k, counts in law.scores.items() if k > 1}
    scarce = replace(law, scores=few, overdispersion=overdispersion(few))
    widths = [
        high - low
        for low, high in (success_interval(3, 2, drawn, (0.2, 0.2)) for drawn in (law, scarce))
    ]
    assert 0 < 2 * widths[0] < widths[1]
    stated = BinomialLaw(Fraction(1, 5))
    success = float(opposed(3, 2, stated).success)
    assert success_interval(3, 2, stated, (0.2, 0.2)) == (success, success)


def of_few_hands(law, sides):
    """Return a law of so many sides in 10,000 throws and of so few hands that these add to its doubt."""
    few = {k: tuple(n // 40 for n in counts) for k, counts in law.scores.items() if k > 1}
    counts = {**law.counts, "side": sides, "studs_up": 0, "studs_down": 9990 - sides}
    return replace(
        law,
        counts=counts,
        share_ci95=wilson(sides, 10_000),
        scores=few,
        overdispersion=overdispersion(few),
    )


@pytest.mark.parametrize("attack", [1, 3])
@pytest.mark.parametrize(("low", "high"), [(0.18, 0.23), (0.2, 0.21), (0.05, 0.9)])
def test_the_doubts_of_p_of_hands_and_of_their_correlation_add_up_in_quadrature(
    law, attack, low, high
):
    few, pair = of_few_hands(law, 2000), (attack, 2)
    error = 1.959964 * few.share_error(2)
    assert error > 0.002
    ends = (0.2 - hypot(0.2 - low, error), 0.2 + hypot(high - 0.2, error))
    least, most = success_range(*pair, few, tuple(map(Fraction, ends)))
    success = float(opposed(*pair, few).success)
    clumped = [float(opposed(*pair, few.at(few.p, rho)).success) for rho in few.rho_interval]
    down, up = success - min(*clumped, success), max(*clumped, success) - success
    expected = (success - hypot(success - least, down), success + hypot(most - success, up))
    assert success_interval(*pair, few, (low, high)) == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize("ends", [(0.3, 0.4), (0.1, 0.2)])
def test_an_interval_beside_a_stated_chance_reaches_to_it_and_no_further(ends):
    chances = sorted(float(opposed(3, 2, BinomialLaw(Fraction(p))).success) for p in (*ends, 0.25))
    interval = success_interval(3, 2, QUARTER, ends)
    assert interval == pytest.approx((chances[0], chances[2]), abs=1e-7)


@pytest.mark.parametrize("sides", [3, 9985])
def test_doubts_end_at_0_and_at_1(law, sides):
    few = of_few_hands(law, sides)
    low, high = success_interval(3, 0, few, few.ci95)
    assert 0 <= low < float(opposed(3, 0, few).success) < high <= 1
    certain = [float(opposed(3, 0, few.at(Fraction(p))).success) for p in (0, 1)]
    assert (low if sides == 3 else high) == certain[sides == 9985]


@pytest.mark.parametrize("ahead", [0, -1])
def test_the_range_of_p_moves_the_chance_to_both_its_ends(ahead):
    ends = Fraction(1, 5), Fraction(3, 10)
    low, high = success_range(3, 2, QUARTER, ends, ahead)
    assert (low, high) == tuple(float(opposed(3, 2, BinomialLaw(p), ahead).success) for p in ends)


@pytest.mark.parametrize("ahead", [0, 1])
def test_the_doubts_of_a_measured_law_are_its_interval_and_its_range(law, ahead):
    ends = (Fraction(17, 100), Fraction(24, 100))
    interval, range90 = success_doubts(3, 2, law, ahead)
    assert interval == success_interval(3, 2, law, law.ci95, ahead)
    assert range90 == success_range(3, 2, law, ends, ahead)
    assert success_doubts(3, 2, replace(law, p_range90=None), ahead) == (interval, None)
    assert success_doubts(3, 2, QUARTER, ahead) == (None, None)


def test_without_a_lead_the_attack_is_not_ahead(law):
    assert success_doubts(3, 2, law) == success_doubts(3, 2, law, 0)
    assert success_interval(3, 2, law, law.ci95) == success_interval(3, 2, law, law.ci95, 0)
    ends = (Fraction(1, 10), Fraction(1, 4))
    assert success_range(3, 2, law, ends) == success_range(3, 2, law, ends, 0)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: opposed(-1, 2, HALF), "attack: -1 is outside 0..60"),
        (lambda: opposed(1, 61, HALF), "defence: 61 is outside 0..60"),
        (lambda: opposed(1.5, 1, HALF), "attack: 1.5 is not a whole number"),
        (lambda: opposed(True, 1, HALF), "attack: True is not a whole number"),
        (lambda: opposed(1, 1, HALF).kill(0), "health: 0 is outside 1..1000"),
        (lambda: opposed(1, 1, HALF).kill(True), "health: True is not a whole number"),
        (lambda: opposed(1, 1, HALF).kill(1001), "health: 1001 is outside 1..1000"),
        (lambda: opposed(1, 1, HALF).kill("2"), "health: '2' is not a whole number"),
        (lambda: kill_after([(1, 1)], 0, HALF), "health: 0 is outside 1..1000"),
        (lambda: kill_after([], 1001, HALF), "health: 1001 is outside 1..1000"),
        (lambda: success_table(3, 99, HALF), "max_defence: 99"),
        (lambda: success_interval(1, 1, HALF, (0.6, 0.4)), "0.6:0.4 is reversed"),
        (lambda: success_interval(1, 1, HALF, (0.6, float("nan"))), "nan is not a number"),
        (lambda: success_interval(1, 1, HALF, (0.6, 1.4)), "1.4 is outside 0..1"),
    ],
)
def test_bad_values_are_named(call, words):
    with pytest.raises(InvalidValueError, match=words.replace(".", r"\.")):
        call()


def test_the_greatest_health_is_taken():
    assert opposed(1, 1, HALF).kill(1000) == 0
    assert kill_after([(1, 0)] * 2, 1000, HALF) == (0, 0)


def test_the_largest_roll_is_quick_enough_for_a_table(law):
    assert 0 < opposed(60, 60, law).success < Fraction(1, 2)
