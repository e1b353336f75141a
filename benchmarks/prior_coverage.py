"""How often intervals of law or measurements and counts together hold the truth, inside and outside of the prior.

``python -m benchmarks.prior_coverage`` writes the tables of measure.md: by the robust prior, by one without its uniform
part, and of the confidence interval. Coverage of `infer` is exact, over all outcomes of single bricks; that of
`measure law` is drawn.
"""

from collections.abc import Callable, Iterable
from functools import cache
from unittest.mock import patch

import numpy as np
from scipy.stats import beta, binom

from brickphys.calibration import posterior
from brickphys.calibration.combined_law import (
    combined_posterior,
    confidence_with,
    law_beta,
    robust_prior,
)
from brickphys.calibration.home_counts import HomeCounts
from brickphys.calibration.measure.drop import drop_of_heights
from brickphys.calibration.measure.measured import TiltTest
from brickphys.calibration.measure.measured_posterior import measured_posterior
from brickphys.calibration.measure.measurement_file import Measurements
from brickphys.calibration.posterior import share_posterior, side_hands
from brickphys.calibration.response import fit_response
from brickphys.calibration.response_design import shipped_design
from brickphys.errors import InvalidValueError
from brickphys.odds.law_file import default_law
from brickphys.throws.conditions import surface

BRICKS = (5, 50, 200, 1000)
TRUTHS = (0.20, 0.25, 0.27, 0.29, 0.31, 0.33, 0.40)
INSIDE = (np.arange(50) + 0.5) / 50
MEASURED_TRUTHS = (None, 0.20, 0.25, 0.33, 0.40)
PEOPLE, DRAWS = 400, 2000
_response = cache(lambda: fit_response(shipped_design()))
TESTS = Measurements(
    TiltTest((24.5, 23, 25, 24, 26, 22.5, 24, 25.5, 23.5, 24.5), 1.0),
    drop_of_heights(300, [(62, 12), (58,), (65, 13), (60,), (59, 11)], 3.0),
)


def infer_ends(bricks: int) -> np.ndarray:
    """Return the 95 % intervals by the shipped law of wood and any number of sides, shape (bricks + 1, 2)."""
    law = default_law()
    scores = [{1: (bricks - sides, sides)} for sides in range(bricks + 1)]
    return np.array([combined_posterior(robust_prior(law, one), one, 1.0).ci95 for one in scores])


def confidence_ends(bricks: int) -> np.ndarray:
    """Return the confidence intervals by the shipped law of wood and any number of sides, shape (bricks + 1, 2)."""
    law, found = default_law(), []
    for sides in range(bricks + 1):
        counts = HomeCounts(
            np.ones(2, dtype=np.int64), np.array([0, 1]), repeats=np.array([bricks - sides, sides])
        )
        found.append(confidence_with(law, counts, share_posterior(side_hands(counts))))
    return np.array(found)


def exact_coverage(ends: np.ndarray, p: float) -> float:
    """Return the probability that the interval of as many bricks as the ends are for holds p."""
    sides = np.arange(len(ends))
    return float(binom.pmf(sides, len(ends) - 1, p) @ ((ends[:, 0] <= p) & (p <= ends[:, 1])))


def main() -> None:
    """Print a table for each command and prior."""
    for kind, weight in (("robust", posterior.prior_weight), ("prior alone", lambda _p: 1.0)):
        with patch.object(posterior, "prior_weight", weight):
            infer_table(kind, infer_ends)
            print(f"\nmeasure law, {kind}: {PEOPLE} people; inside, {MEASURED_TRUTHS[1:]}")
            for bricks in BRICKS[-2:]:
                held = np.array([measured_coverage(bricks, p) for p in MEASURED_TRUTHS]).T
                for one in held if kind == "robust" else held[:1]:
                    row(bricks, one)
    infer_table("confidence interval", confidence_ends)


def infer_table(kind: str, ends_of: Callable[[int], np.ndarray]) -> None:
    """Print coverage, and the mean width inside, of intervals of the shipped law of wood and counts."""
    inside = np.asarray(beta.ppf(INSIDE, *law_beta(default_law(), systematic=True)))
    print(
        f"\ninfer, {kind}\n| bricks | inside | {' | '.join(f'{p:.0%}' for p in TRUTHS)} | width |"
    )
    for bricks in BRICKS:
        ends = ends_of(bricks)
        held = float(np.mean([exact_coverage(ends, p) for p in inside]))
        chances = np.asarray(binom.pmf(np.arange(bricks + 1), bricks, inside[:, None])).mean(axis=0)
        row(
            bricks,
            [held, *(exact_coverage(ends, p) for p in TRUTHS), chances @ np.ptp(ends, axis=1)],
        )


def row(bricks: int, held: Iterable[float]) -> None:
    """Print a row of the table."""
    print(f"| {bricks:,} | {' | '.join(f'{100 * one:.1f}' for one in held)} |")


def measured_coverage(bricks: int, p: float | None) -> tuple[float, float]:
    """Return how often intervals of measurements and counts hold p; a draw of the measurements' p if it is None.

    First the interval of the posterior, then the confidence interval.
    """
    response, rng = _response(), np.random.default_rng(1)
    quantities, wood = TESTS.quantities(), surface("wood")
    before = measured_posterior(quantities, response, wood, None, rng).measured_p
    held = np.zeros(2)
    for _ in range(PEOPLE):
        truth = rng.choice(before.values, p=before.weights) if p is None else p
        counts = HomeCounts(np.ones(bricks, dtype=np.int64), rng.binomial(1, truth, bricks))
        try:
            found = measured_posterior(quantities, response, wood, counts, rng, DRAWS)
        except InvalidValueError:
            continue
        ends = np.array([found.p.ci95, found.confidence])
        held += (ends[:, 0] <= truth) & (truth <= ends[:, 1])
    return tuple(held / PEOPLE)


if __name__ == "__main__":
    main()
