"""How often intervals of law or measurements and counts together hold the truth, inside and outside of the prior.

``python -m benchmarks.prior_coverage`` writes the tables of measure.md: by the robust prior, and by one without its
uniform part. Coverage of `infer` is exact, over all outcomes of single bricks; that of `measure law` is drawn.
"""

from functools import cache
from unittest.mock import patch

import numpy as np
from scipy.stats import beta, binom

from brickphys.calibration import posterior
from brickphys.calibration.combined_law import combined_posterior, law_beta, robust_prior
from brickphys.calibration.home_counts import HomeCounts
from brickphys.calibration.measure.drop import drop_of_heights
from brickphys.calibration.measure.measured import TiltTest
from brickphys.calibration.measure.measured_posterior import measured_posterior
from brickphys.calibration.measure.measurement_file import Measurements
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


def exact_coverage(ends: np.ndarray, p: float) -> float:
    """Return the probability that the interval of as many bricks as the ends are for holds p."""
    sides = np.arange(len(ends))
    return float(binom.pmf(sides, len(ends) - 1, p) @ ((ends[:, 0] <= p) & (p <= ends[:, 1])))


def main() -> None:
    """Print a table for each command and prior."""
    inside = beta.ppf(INSIDE, *law_beta(default_law(), systematic=True))
    for kind, weight in (("robust", posterior.prior_weight), ("prior alone", lambda _p: 1.0)):
        with patch.object(posterior, "prior_weight", weight):
            print(
                f"\ninfer, {kind}\n| bricks | inside | {' | '.join(f'{p:.0%}' for p in TRUTHS)} |"
            )
            for bricks in BRICKS:
                ends = infer_ends(bricks)
                held = float(np.mean([exact_coverage(ends, p) for p in inside]))
                row(bricks, [held, *(exact_coverage(ends, p) for p in TRUTHS)])
            print(f"\nmeasure law, {kind}: {PEOPLE} people; inside, {MEASURED_TRUTHS[1:]}")
            for bricks in BRICKS[-2:]:
                row(bricks, [measured_coverage(bricks, p) for p in MEASURED_TRUTHS])


def row(bricks: int, held: list[float]) -> None:
    """Print a row of the table."""
    print(f"| {bricks:,} | {' | '.join(f'{100 * one:.1f}' for one in held)} |")


def measured_coverage(bricks: int, p: float | None) -> float:
    """Return how often the interval of measurements and counts holds p; a draw of the measurements' p if it is None."""
    response, rng = _response(), np.random.default_rng(1)
    quantities, wood = TESTS.quantities(), surface("wood")
    before = measured_posterior(quantities, response, wood, None, rng).measured_p
    held = 0
    for _ in range(PEOPLE):
        truth = rng.choice(before.values, p=before.weights) if p is None else p
        counts = HomeCounts(np.ones(bricks, dtype=np.int64), rng.binomial(1, truth, bricks))
        try:
            found = measured_posterior(quantities, response, wood, counts, rng, DRAWS).p
        except InvalidValueError:
            continue
        held += found.ci95[0] <= truth <= found.ci95[1]
    return held / PEOPLE


if __name__ == "__main__":
    main()
