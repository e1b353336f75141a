"""Toss scores: calibration of predicted probabilities of faces."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import norm

from brickphys.arrays import Array, Indices, Mask
from brickphys.calibration.tosses.toss_file import FACES
from brickphys.odds.intervals import wilson

BINS = 10


@dataclass(frozen=True)
class ReliabilityBin:
    """Predicted probabilities between two bounds, and the observed share.

    Attributes
    ----------
    low, high
        Bounds of the probability.
    predicted
        Mean probability in the bin.
    observed
        Share of the events that happened.
    ci95
        Wilson's interval of that share.
    count
        Number of probabilities in the bin.
    """

    low: float
    high: float
    predicted: float
    observed: float
    ci95: tuple[float, float]
    count: int


@dataclass(frozen=True)
class Scores:
    """Scores of predicted probabilities of faces.

    Attributes
    ----------
    brier
        Mean Brier score: squared difference of probability and outcome (0 or 1), summed over the six faces.
    expected_brier
        Its expected value if all probabilities are right. If it is above `brier`, the model is underconfident, below,
        overconfident.
    z, p_value
        Their difference in standard errors, and its two-sided p-value if all probabilities are right (D. J.
        Spiegelhalter, "Probabilistic prediction in patient management and clinical trials", Statistics in Medicine 5,
        1986, extended from two outcomes to six).
    calibration_error
        Mean over bins of the difference between the probability of the most probable face and its observed share.
    faces
        Reliability of all six probabilities of every toss; those of one toss are not independent.
    called
        Reliability of the probability of the most probable face, one for each toss.
    """

    brier: float
    expected_brier: float
    z: float
    p_value: float
    calibration_error: float
    faces: tuple[ReliabilityBin, ...]
    called: tuple[ReliabilityBin, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object of the scores."""
        return {
            "brier": self.brier,
            "expected_brier": self.expected_brier,
            "spiegelhalter_z": self.z,
            "p_value": self.p_value,
            "calibration_error": self.calibration_error,
            "reliability": [_bin_json(one) for one in self.faces],
            "reliability_called": [_bin_json(one) for one in self.called],
        }


def score(probability: Array, face: Indices) -> Scores:
    """Return the scores of probabilities of faces, shape (n, 6), for the real final faces, shape (n,)."""
    happened = np.eye(len(FACES))[face]
    error = ((probability - happened) ** 2).sum(axis=1)
    # the Brier score if face k is the final one: the sum of all squares, minus 2 p_k, plus 1
    if_face = (probability**2).sum(axis=1, keepdims=True) - 2 * probability + 1
    expected = (probability * if_face).sum(axis=1)
    variance = (probability * if_face**2).sum(axis=1) - expected**2
    spread = float(np.sqrt(max(float(variance.sum()), 1e-12)))
    z = float((error - expected).sum()) / spread
    called = probability.argmax(axis=1)
    own = reliability(probability.max(axis=1), called == face)
    return Scores(
        brier=float(error.mean()),
        expected_brier=float(expected.mean()),
        z=z,
        p_value=float(2 * norm.sf(abs(z))),
        calibration_error=sum(abs(b.predicted - b.observed) * b.count for b in own) / len(face),
        faces=reliability(probability.ravel(), happened.ravel() > 0),
        called=own,
    )


def reliability(chance: Array, came_true: Mask) -> tuple[ReliabilityBin, ...]:
    """Return probabilities, shape (n,), in `BINS` bins of equal width, without empty bins."""
    index = np.minimum((chance * BINS).astype(int), BINS - 1)
    bins = []
    for k in range(BINS):
        inside = index == k
        count, hits = int(inside.sum()), int(came_true[inside].sum())
        if count:
            mean = float(chance[inside].mean())
            bins.append(
                ReliabilityBin(
                    k / BINS, (k + 1) / BINS, mean, hits / count, wilson(hits, count), count
                )
            )
    return tuple(bins)


def baseline_brier(same: float, adjacent: float, opposite: float) -> float:
    """Return the expected Brier score of right probabilities that are the same for every toss.

    Parameters
    ----------
    same, adjacent, opposite
        Shares of tosses that end on the initial face, on one of its four neighbours, on the opposite face.
    """
    chances = (same, *[adjacent / 4] * 4, opposite)
    return 1.0 - sum(chance**2 for chance in chances)


def _bin_json(one: ReliabilityBin) -> dict[str, Any]:
    return {
        "low": one.low,
        "high": one.high,
        "predicted": one.predicted,
        "observed": one.observed,
        "ci95": list(one.ci95),
        "count": one.count,
    }
