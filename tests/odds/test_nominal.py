"""A law with a nominal chance: the odds use it, for one brick and for hands, and its file is checked."""

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

from brickphys.calibration.combined_law import combined_law
from brickphys.calibration.home_counts import HomeCounts
from brickphys.calibration.law_origin import checks
from brickphys.odds.answer import odds
from brickphys.odds.distribution import move_odds, odds_factor
from brickphys.odds.law_choice import made_by, outside_range
from brickphys.odds.law_file import parse_law, read_law, shipped_law
from brickphys.odds.opposed import success_doubts
from brickphys.odds.provenance import CONTACT_LAW, ENGINE, Source, Systematic
from tests.odds.laws import refused, text

DRAWS = tuple(round(0.172 + 0.0004 * k, 4) for k in range(128))


@pytest.fixture(scope="module")
def nominal(law):
    """Bullet threw the hands; the compiled engine had 20 % on a side, where Bullet has 21 %."""
    sources = {
        "friction": Source(0.2, 0.6, 0.05, 0.004),
        ENGINE: Source(0.0, 1.0, 0.01, 0.003),
        CONTACT_LAW: Source(-0.084, 0.128, 0.03, 0.0),
    }
    return replace(
        law,
        engine="compiled",
        nominal=0.198,
        p_range90=(DRAWS[6], DRAWS[121]),
        systematic=Systematic(
            0.004, 5000, sources, nominal_error=0.005, reference_counts=(2100, 10_000)
        ),
        posterior={"p": DRAWS, "friction": tuple(0.2 + 0.003 * k for k in range(128))},
    )


def test_one_brick_has_the_nominal_chance_and_a_hand_moves_by_the_same_odds(nominal):
    assert nominal.share == Fraction(1, 5)
    assert nominal.p == nominal.roll(1).probability(1) == Fraction(198, 1000)
    # hands are compared with single bricks of their own engine, Bullet: 21 %
    (low, high), hand = (0.2, 0.21), float(nominal.roll(2).mean() / 2)
    assert low < float(move_odds(Fraction(21, 100), Fraction(odds_factor(0.198, hand)))) < high
    # where it threw the single bricks, too, the factor is that of the shares
    own = replace(nominal, engine="bullet")
    counted = replace(own, nominal=None, posterior=None).hand_fit.share
    moved = move_odds(Fraction(198, 1000), Fraction(odds_factor(0.2, float(counted))))
    assert float(own.hand_fit.share) == pytest.approx(float(moved), abs=1e-5)
    assert nominal.at(Fraction(1, 4)).roll(1).probability(1) == Fraction(1, 4)
    assert nominal.at(nominal.p).roll(4) == nominal.roll(4)


def test_the_odds_are_those_of_a_law_that_counted_the_nominal(nominal):
    alone = replace(nominal, scores={}, overdispersion=None, hands_engine=None)
    counted = replace(
        alone,
        counts={**alone.counts, "side": 1980, "studs_up": 3020},
        share_ci95=(0.19, 0.206),
        nominal=None,
        posterior=None,
    )
    assert alone.roll(3).mean() == 3 * alone.p
    assert odds(3, 2, alone).success == odds(3, 2, counted).success
    low, high = nominal.ci95
    error = 1.96 * nominal.systematic.nominal_error
    assert (low, high) == pytest.approx((0.198 - error, 0.198 + error), abs=1e-5)
    narrow, wide = (success_doubts(3, 2, one)[0] for one in (counted, alone))
    assert wide[0] < narrow[0] < narrow[1] < wide[1]


def test_a_law_with_a_nominal_comes_back_and_its_draws_have_a_line_each(nominal, tmp_path):
    path = nominal.save(tmp_path / "law.json")
    assert read_law(path) == nominal
    assert json.loads(path.read_text()) == json.loads(json.dumps(nominal.document()))
    assert '"nominal": 0.198' in path.read_text()
    assert sum("[" in line and "]" in line for line in path.read_text().splitlines()) == 2


@pytest.mark.parametrize(
    ("edits", "says"),
    [
        ({"p_side__nominal": 1.2}, "p_side.nominal: 1.2 should be less than 1"),
        ({"p_side__nominal": 0}, "p_side.nominal: 0 should be greater than 0"),
        (
            {"p_side__nominal": 0.21},
            "p_side.nominal: 0.21, but 50% of posterior.p are below 0.1972",
        ),
        ({"p_side__nominal": None}, "p_side.nominal: missing, but there is a nominal chance"),
        ({"p_side__range90": [0.19, 0.22]}, "p_side.range90: 0.19, but 5% of posterior.p are"),
        (
            {"posterior__friction": [0.3]},
            "posterior: should be as many draws of all, p among them: 128 of p, 1 of friction",
        ),
        ({"posterior": {"friction": [0.3]}}, "p among them: 1 of friction"),
        ({"posterior__p": []}, "p among them: 0 of p, 128 of friction"),
        ({"posterior": {}}, "posterior: should be as many draws of all, p among them: none"),
        ({"posterior": None}, "posterior: missing, but there is a nominal chance"),
        ({"systematic__nominal_error": None}, "systematic.nominal_error: missing"),
    ],
)
def test_a_fault_of_a_nominal_is_told_in_one_line(nominal, edits, says):
    assert says in refused(nominal, **edits)


def test_two_hundred_throws_leave_the_range_as_often_as_the_binomial_says(nominal):
    low, high = nominal.p_range90
    inside = binom.cdf(np.floor(200 * high), 200, 0.198) - binom.cdf(
        np.ceil(200 * low) - 1, 200, 0.198
    )
    assert outside_range(nominal) == pytest.approx(1 - inside, abs=1e-12)
    assert outside_range(shipped_law("default")) == pytest.approx(0.24, abs=0.01)


def test_the_limit_of_short_steps_is_told_where_a_law_was_moved_to_it(nominal):
    assert nominal.interval_meaning == "error of the throws alone"  # a file of an earlier version
    limit = replace(nominal.systematic, to_limit=(0.0169, 0.0083))
    moved = replace(nominal, systematic=limit)
    assert "moved to bullet's limit by +1.00 +- 0.59 points" in made_by(moved)
    assert moved.interval_meaning == "error of the throws and of the engine's steps alone"
    assert parse_law(text(moved)) == moved


def test_the_engines_are_told(nominal):
    moved = "by compiled, moved to bullet by +1.00 +- 0.59 points"
    assert made_by(nominal) == f"single bricks {moved}; hands by bullet"
    assert made_by(replace(nominal, hands_engine=None)) == f"bricks thrown {moved}"
    alone = "bricks thrown by bullet, moved to bullet's limit by +0.34 +- 0.32 points"
    assert made_by(shipped_law("pybullet")) == alone


def test_counts_at_home_are_combined_with_the_nominal(nominal, tmp_path):
    score = np.repeat([0, 1, 2, 3], [50, 30, 15, 5])
    counts = HomeCounts(np.full(100, 3), score, None)
    both = combined_law(nominal, counts, "mine.csv", "brickphys infer mine.csv")
    assert (both.nominal, both.posterior) == (None, None)
    assert both.combined.prior_p == 0.198
    assert parse_law(text(both)) == both
    found = [check.fault for check in checks(both.save(tmp_path / "mine.json")) if check.fault]
    assert found == []
