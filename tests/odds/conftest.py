from dataclasses import replace
from fractions import Fraction

import pytest

from brickphys.odds.distribution import Distribution, wilson
from brickphys.odds.law import Law
from brickphys.odds.provenance import LawConditions, LawSurface, Source, Systematic
from brickphys.odds.roll import overdispersion


def hands(bricks, p, total=4000, rho=Fraction(0)):
    """Counts of hands as close to a beta-binomial law as whole numbers come."""
    law = Distribution.beta_binomial(bricks, p, rho)
    counts = [round(total * law.probability(score)) for score in range(bricks + 1)]
    counts[0] += total - sum(counts)
    return tuple(counts)


@pytest.fixture(scope="session")
def law():
    """A synthetic law: 10,000 throws, hands of 2 to 4, a little clumping."""
    scores = {k: hands(k, Fraction(1, 5), rho=Fraction(1, 10)) for k in (2, 3, 4)}
    return Law(
        counts={"side": 2000, "studs_up": 3000, "studs_down": 4990, "leaning": 10, "unsettled": 0},
        share_ci95=wilson(2000, 10_000),
        scores={1: (8000, 2000), **scores},
        shape="2x2",
        surface=LawSurface("wood", 0.4, 0.5),
        conditions=LawConditions((100.0, 300.0), 1.0, 30.0, preset="hand"),
        engine="bullet",
        versions={"brickphys": "0.1.0"},
        seed=7,
        overdispersion=overdispersion(scores),
        p_range90=(0.17, 0.24),
        systematic=Systematic(
            0.004,
            5000,
            {
                "friction": Source(0.2, 0.6, 0.03, 0.004),
                "contact_law": Source(-1.0, 1.0, 0.01, 0.0),
            },
        ),
        hands_engine="bullet",
        command="brickphys calibrate --seed 7",
        validation={"two_seeds": {"z": 0.4, "agree": True}},
    )


@pytest.fixture
def independent(law):
    """The same law without any clumping."""
    scores = {k: hands(k, Fraction(1, 5)) for k in (2, 3, 4)}
    return replace(law, scores=scores, overdispersion=overdispersion(scores))
