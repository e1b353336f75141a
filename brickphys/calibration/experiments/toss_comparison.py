"""Toss comparison: simulated and real tosses compared, every figure with its 95 % interval.

Scores are those of predicted probabilities of faces.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import norm

from brickphys.calibration.experiments.toss_fit import TossFit, rms
from brickphys.calibration.experiments.toss_tracks import FACES, Tosses
from brickphys.calibration.experiments.tosses import (
    Experiment,
    Model,
    Prediction,
    lift,
    log_losses,
    mismatched_starts,
)
from brickphys.odds.distribution import Z95, wilson
from brickphys.text import paragraphs, percent, percent_range, table
from brickphys.units import Array, Indices, Mask

BINS = 10


@dataclass(frozen=True)
class ReliabilityBin:
    """Predicted probabilities between two bounds, and the observed share."""

    low: float
    high: float
    predicted: float
    """Mean probability in the bin."""
    observed: float
    """Share of the events that happened."""
    ci95: tuple[float, float]
    """Wilson's interval of that share."""
    count: int


@dataclass(frozen=True)
class Scores:
    """Scores of predicted probabilities of faces."""

    brier: float
    """Mean Brier score: squared difference of probability and outcome (0 or 1), summed over the six faces."""
    expected_brier: float
    """Its expected value if all probabilities are right. If it is above `brier`, the model is underconfident, below,
    overconfident."""
    spiegelhalter_z: float
    p_value: float
    """Their difference in standard errors, and its two-sided p-value if all probabilities are right (D. J.
    Spiegelhalter, "Probabilistic prediction in patient management and clinical trials", Statistics in Medicine 5, 1986,
    extended from two outcomes to six)."""
    calibration_error: float
    """Mean over bins of the difference between the probability of the most probable face and its observed share."""
    reliability: tuple[ReliabilityBin, ...]
    """Reliability of all six probabilities of every toss; those of one toss are not independent."""
    reliability_called: tuple[ReliabilityBin, ...]
    """Reliability of the probability of the most probable face, one for each toss."""


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
        spiegelhalter_z=z,
        p_value=float(2 * norm.sf(abs(z))),
        calibration_error=sum(abs(b.predicted - b.observed) * b.count for b in own) / len(face),
        reliability=reliability(probability.ravel(), happened.ravel() > 0),
        reliability_called=own,
    )


def reliability(chance: Array, came_true: Mask) -> tuple[ReliabilityBin, ...]:
    """Return probabilities, shape (n,), in `BINS` bins of equal width, without empty bins."""
    index = np.minimum((chance * BINS).astype(int), BINS - 1)
    bins = []
    for k in range(BINS):
        inside = index == k
        count, hits = int(inside.sum()), int(came_true[inside].sum())
        if count:
            ends, mean = (k / BINS, (k + 1) / BINS), float(chance[inside].mean())
            bins.append(ReliabilityBin(*ends, mean, hits / count, wilson(hits, count), count))
    return tuple(bins)


def baseline_brier(same: float, adjacent: float, opposite: float) -> float:
    """Return the expected Brier score of right probabilities that are the same for every toss.

    The shares are of tosses that end on the initial face, on one of its four neighbours, and on the opposite face.
    """
    chances = (same, *[adjacent / 4] * 4, opposite)
    return 1.0 - sum(chance**2 for chance in chances)


RELATIONS = ("same", "adjacent", "opposite")
"""Relation of the final face to the initial one."""
_FACES_OF_RELATION = np.array([1, 4, 1])
_NO_FACE = len(RELATIONS)
SURE = 0.9
"""The prediction of a toss is sure if one face has at least this probability."""


class TossEstimate(NamedTuple):
    """A figure with its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def ci95(self) -> list[float]:
        """The interval."""
        return [self.low, self.high]


class SimulatedAndReal(NamedTuple):
    """A figure of the simulation and of the real tosses."""

    simulated: TossEstimate
    real: TossEstimate

    @property
    def values(self) -> dict[str, float]:
        """Both values by name."""
        return {name: one.value for name, one in self._asdict().items()}

    @property
    def intervals(self) -> dict[str, list[float]]:
        """Both intervals by name."""
        return {name: one.ci95 for name, one in self._asdict().items()}


@dataclass(frozen=True)
class TossComparison:
    """Accuracy of an engine's predictions of tracked tosses."""

    tosses: int
    model: Model
    """Friction, restitution and noise, given or fitted to all tosses."""
    engine: str
    edge_radius_mm: float
    refined: int
    """Number of starts that were fitted to their flights."""
    length_scale: float
    """True lengths over those of the file."""
    face_accuracy: TossEstimate
    """Share of tosses whose most probable face is the real final one; Wilson's interval."""
    repeats_accuracy: tuple[float, ...]
    """The same for each cross-validation; one value without a fit."""
    log_loss: TossEstimate
    """Mean of minus the logarithm of the probability of the real face."""
    shares: dict[str, SimulatedAndReal]
    """Shares of tosses whose final bottom face is the initial one (``same``), a neighbour, or the opposite one."""
    travel_m: SimulatedAndReal
    """Mean horizontal distance from first to last frame."""
    travel_error_m: TossEstimate
    travel_rms_m: float
    """Mean and root mean square difference of that distance, simulated minus real."""
    baseline_accuracy: TossEstimate
    baseline_log_loss: float
    baseline_brier: float
    """Scores of predictions without physics: the lowest face stays; the probabilities are the other tosses' shares."""
    scores: Scores
    """Calibration of the probabilities (of their mean over repeats with a fit)."""
    sure_share: float
    sure_accuracy: float | None
    """Share of tosses with a sure prediction (`SURE`), and share of these that are right."""
    unsettled: float
    """Number of simulated tosses that lean or do not come to rest (a mean over repeats with a fit)."""
    lifted: int
    mismatched: int
    """Numbers of starts that penetrate the floor, and of starts whose given face is not the lowest one."""
    root: int
    fit: TossFit | None = None
    """The fit, if any. Then all figures except `model` are of tosses that were not part of the fit (held out)."""

    def text(self) -> str:
        """Return the comparison for people."""
        pairs = self.shares.items()
        rows = [(f"ends on {name} face", *map(_share_words, both)) for name, both in pairs]
        rows.append(("travelled distance", *(_words(one, " m") for one in self.travel_m)))
        scores = self.scores
        lines = [
            f"final face right   {_share_words(self.face_accuracy)}",
            f"  without physics  {_share_words(self.baseline_accuracy)}: the lowest face stays",
            f"log loss           {_words(self.log_loss)}",
            f"  without physics  {self.baseline_log_loss:.3f}",
            f"Brier score        {scores.brier:.3f}; {scores.expected_brier:.3f} if every chance were right "
            f"(z {scores.spiegelhalter_z:+.2f}, p {scores.p_value:.2g})",
            f"  without physics  {self.baseline_brier:.3f}",
            f"calibration error  {percent(scores.calibration_error)}",
        ]
        if self.sure_accuracy is not None:
            sure = f"{percent(self.sure_share)} of all, {percent(self.sure_accuracy)} of them right"
            lines.append(f"sure tosses        {sure}")
        return paragraphs(
            f"{self.tosses} tosses, 95 % intervals in brackets",
            table(("", "simulated", "real"), rows),
            f"error of the distances: {1000 * self.travel_rms_m:.0f} mm (root mean square)",
            "\n".join([*lines, *self._conditions()]),
        )

    def _conditions(self) -> Iterator[str]:
        contact, found = self.model.contact, self.fit
        how = "given"
        if found is not None:
            to = "faces" if found.surface.travel_error_mm is None else "faces and distances"
            how = f"fitted to {to}; figures cross-validated, {found.folds} folds"
        yield (
            f"friction {contact.friction:g}, restitution {contact.restitution:g}, "
            f"noise x {self.model.noise_scale:g} ({how})"
        )
        yield (
            f"{self.engine} engine; edge radius {self.edge_radius_mm:g} mm; "
            f"{self.refined} starts fitted to their flights, lengths x {self.length_scale:.4g}"
        )
        if found is not None and found.at_edge:
            yield "note: the fit lies at the edge of the grid; the best values may be outside"
        for count, what in (
            (self.unsettled, "simulated tosses lean or never came to rest"),
            (self.lifted, "starts reached into the floor and were lifted out"),
            (self.mismatched, "starts name a face that is not the lowest by their quaternion"),
        ):
            if count:
                yield f"note: {count:g} {what}"
        yield f"seed {self.root}"

    def document(self) -> dict[str, Any]:
        """Return the JSON object of the comparison, with figures and intervals under separate keys."""
        return {
            "tosses": self.tosses,
            "face_accuracy": self.face_accuracy.value,
            "ci95": self.face_accuracy.ci95,
            "log_loss": self.log_loss.value,
            "log_loss_ci95": self.log_loss.ci95,
            "friction": self.model.contact.friction,
            "restitution": self.model.contact.restitution,
            "noise_scale": self.model.noise_scale,
            "engine": self.engine,
            "edge_radius_mm": self.edge_radius_mm,
            "refined_starts": self.refined,
            "length_scale": self.length_scale,
            "repeats_face_accuracy": list(self.repeats_accuracy),
            "shares": {name: pair.values for name, pair in self.shares.items()},
            "shares_ci95": {name: pair.intervals for name, pair in self.shares.items()},
            "travel_m": self.travel_m.values,
            "travel_m_ci95": self.travel_m.intervals,
            "travel_error_m": self.travel_error_m.value,
            "travel_error_m_ci95": self.travel_error_m.ci95,
            "travel_rms_m": self.travel_rms_m,
            "baseline": {
                "face_accuracy": self.baseline_accuracy.value,
                "ci95": self.baseline_accuracy.ci95,
                "log_loss": self.baseline_log_loss,
                "brier": self.baseline_brier,
            },
            "calibration": asdict(self.scores),
            "sure": {"share": self.sure_share, "face_accuracy": self.sure_accuracy},
            "unsettled": self.unsettled,
            "lifted": self.lifted,
            "mismatched_starts": self.mismatched,
            "seed": self.root,
            "fit": None if self.fit is None else _fit_json(self.fit),
        }


def _share_words(estimate: TossEstimate) -> str:
    return f"{percent(estimate.value)} ({percent_range(estimate.low, estimate.high)})"


def _words(estimate: TossEstimate, unit: str = "") -> str:
    return f"{estimate.value:.3f}{unit} ({estimate.low:.3f} to {estimate.high:.3f})"


def compare(
    experiment: Experiment,
    predictions: Sequence[Prediction],
    model: Model,
    fit: TossFit | None = None,
) -> TossComparison:
    """Compare predictions with the real tosses.

    There is one prediction, or one for each repeat of the cross-validation. Figures are then means over repeats. Their
    intervals are those of one repeat, since repeats use the same tosses.
    """
    tosses = experiment.tosses
    faces = np.array([prediction.face for prediction in predictions])
    right = np.array([prediction.predicted_face for prediction in predictions]) == tosses.final_face
    travel = np.mean([prediction.travel_mm for prediction in predictions], axis=0) / 1000.0
    losses = [log_losses(prediction.probability, tosses.final_face) for prediction in predictions]
    probability = np.mean([prediction.probability for prediction in predictions], axis=0)
    sure = probability.max(axis=1) >= SURE
    sure_right = (probability.argmax(axis=1) == tosses.final_face)[sure]
    real_m = tosses.travel_mm / 1000.0
    shares = _shares(tosses, faces)
    return TossComparison(
        tosses=len(tosses),
        model=model,
        engine=experiment.engine,
        edge_radius_mm=experiment.body.edge_radius_mm,
        refined=experiment.used_starts.refined,
        length_scale=experiment.used_starts.length_scale,
        face_accuracy=share(right),
        repeats_accuracy=tuple(right.mean(axis=1).tolist()),
        log_loss=mean(np.mean(losses, axis=0)),
        shares=shares,
        travel_m=SimulatedAndReal(mean(travel), mean(real_m)),
        travel_error_m=mean(travel - real_m),
        travel_rms_m=float(rms(travel - real_m)),
        baseline_accuracy=share(tosses.initial_face == tosses.final_face),
        baseline_log_loss=baseline_log_loss(tosses),
        baseline_brier=baseline_brier(*(shares[name].real.value for name in RELATIONS)),
        scores=score(probability, tosses.final_face),
        sure_share=float(sure.mean()),
        sure_accuracy=float(sure_right.mean()) if sure.any() else None,
        unsettled=float((faces >= len(FACES)).sum(axis=1).mean()),
        lifted=lift(experiment.body, experiment.used_starts.states)[1],
        mismatched=mismatched_starts(tosses),
        root=experiment.root,
        fit=fit,
    )


def share(right: Mask) -> TossEstimate:
    """Return the share of true values with Wilson's interval.

    The values have the shape (n,) or (repeats, n). With repeats, the interval is that of the rounded mean count out of
    n.
    """
    n = right.shape[-1]
    value = float(right.mean())
    return TossEstimate(value, *wilson(round(value * n), n))


def mean(values: Array) -> TossEstimate:
    """Return the mean of (n,) values with its normal interval, which has width 0 for a single value."""
    value = float(values.mean())
    half = Z95 * float(values.std(ddof=1)) / len(values) ** 0.5 if len(values) > 1 else 0.0
    return TossEstimate(value, value - half, value + half)


def relation(initial: Indices, final: Indices) -> Indices:
    """Return the relations of final faces to initial ones, as indices into `RELATIONS`; 3 for no face."""
    kind = np.where(initial == final, 0, np.where(initial // 2 == final // 2, 2, 1))
    return np.where(final < len(FACES), kind, _NO_FACE)


def baseline_log_loss(tosses: Tosses) -> float:
    """Return the log loss of predictions by the shares of relations in the other tosses, smoothed by one of each."""
    kind = relation(tosses.initial_face, tosses.final_face)
    counts = np.bincount(kind, minlength=len(RELATIONS))
    # the count of a toss's relation excludes the toss and includes the one for smoothing
    chance = counts[kind] / (len(kind) - 1 + len(RELATIONS)) / _FACES_OF_RELATION[kind]
    return float(-np.log(chance).mean())


def _shares(tosses: Tosses, faces: Indices) -> dict[str, SimulatedAndReal]:
    simulated = relation(tosses.initial_face, faces)
    real = relation(tosses.initial_face, tosses.final_face)
    return {
        name: SimulatedAndReal(share(simulated == kind), share(real == kind))
        for kind, name in enumerate(RELATIONS)
    }


def _fit_json(fit: TossFit) -> dict[str, Any]:
    return {
        "folds": fit.folds,
        "distances": fit.surface.travel_error_mm is not None,
        "repeats": len(fit.held_out),
        "at_edge": fit.at_edge,
        "chosen": [
            {
                "friction": model.contact.friction,
                "restitution": model.contact.restitution,
                "noise_scale": model.noise_scale,
                "folds": times,
            }
            for model, times in fit.chosen
        ],
    }
