"""Toss fit: friction, restitution and noise from tracked tosses, with cross-validation.

A fit to the final faces minimises their mean log loss. A fit to faces and distances adds the log loss of the distances
as normal errors of unknown size, which is the logarithm of their root mean square up to a constant.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product

import numpy as np
from scipy.ndimage import convolve

from brickphys.calibration.experiments.toss_tracks import Tosses
from brickphys.calibration.experiments.tosses import (
    Experiment,
    Model,
    Prediction,
    face_counts,
    in_parallel,
    log_losses,
    predict,
    probabilities,
    to_rest,
)
from brickphys.errors import InvalidValueError
from brickphys.notes import Progress
from brickphys.seeds import generator
from brickphys.throws.conditions import ContactCoefficients
from brickphys.units import Array, Indices

FRICTIONS = (0.13, 0.15, 0.17, 0.19, 0.21, 0.23, 0.26, 0.3)
RESTITUTIONS = (0.1, 0.2, 0.25, 0.3, 0.35, 0.45)
NOISE_SCALES = (0.7, 1.0, 1.2, 1.5, 2.0)
"""The grid of all triples, finest around values of plastic on a table."""

FOLDS = 5
REPEATS = 10
"""Number of cross-validations with different splits; a single one depends on its split."""

_SMOOTHING = np.array([[1.0, 2.0, 1.0], [2.0, 4.0, 2.0], [1.0, 2.0, 1.0]]) / 16.0
_FOLD_ADDRESS = 2**31
"""Larger than any replicate, so splits have other random numbers than replicates."""


@dataclass(frozen=True, eq=False)
class LikelihoodSurface:
    """The log loss of each toss at each triple of noise, friction and restitution."""

    noise_scales: tuple[float, ...]
    frictions: tuple[float, ...]
    restitutions: tuple[float, ...]
    losses: Array
    """Log loss of the final face of each toss, shape (s, f, r, n)."""
    travel_error_mm: Array | None = None
    """Simulated less real distance of each toss, shape (f, r, n); None for a fit to the faces alone."""

    def mean(self, rows: Indices | None = None) -> Array:
        """Return the mean log loss over the tosses `rows` (or all), smoothed over neighbours, shape (s, f, r)."""
        chosen = slice(None) if rows is None else rows
        losses = self.losses[..., chosen].mean(axis=3)
        if self.travel_error_mm is not None:
            losses = losses + np.log(rms(self.travel_error_mm[..., chosen]))
        return np.asarray(convolve(losses, _SMOOTHING[None], mode="nearest"))

    def best(self, rows: Indices | None = None) -> Model:
        """Return the grid point with the least smoothed log loss over the tosses `rows` (or all)."""
        mean = self.mean(rows)
        k, i, j = (int(index) for index in np.unravel_index(mean.argmin(), mean.shape))
        return Model(
            ContactCoefficients(self.frictions[i], self.restitutions[j]), self.noise_scales[k]
        )

    def at_noise(self, noise_scale: float) -> Array:
        """Return the smoothed mean log loss of all tosses at one scale of noise, shape (f, r)."""
        return np.asarray(self.mean()[self.noise_scales.index(noise_scale)])


@dataclass(frozen=True, eq=False)
class TossFit:
    """A fit and its cross-validation."""

    model: Model
    """The model fitted to all tosses."""
    at_edge: bool
    """Whether it is on the border of the grid, so that the best model may be outside."""
    folds: int
    chosen: tuple[tuple[Model, int], ...]
    """The models fitted in folds, and the number of folds of each."""
    held_out: tuple[Prediction, ...]
    """One prediction for each repeat; each toss is predicted by the fit to the other folds."""
    surface: LikelihoodSurface
    """The log losses on the grid."""


def fit(
    experiment: Experiment,
    *,
    folds: int = FOLDS,
    distances: bool = False,
    frictions: Sequence[float] = FRICTIONS,
    restitutions: Sequence[float] = RESTITUTIONS,
    noise_scales: Sequence[float] = NOISE_SCALES,
    replicates: int | None = None,
    workers: int = 1,
    progress: Progress = lambda *_: None,
) -> TossFit:
    """Fit friction, restitution and noise, and predict each toss by fits to the other folds.

    With `distances` the fit is to faces and distances, else to faces alone.

    Raises InvalidValueError if there are fewer than two folds, or more folds than tosses.
    """
    check_folds(folds, experiment.tosses)
    surface = screen(
        experiment, frictions, restitutions, noise_scales,
        distances=distances, workers=workers, progress=progress,
    )  # fmt: skip
    splits = [_split(experiment, folds, repeat) for repeat in range(REPEATS)]
    choices = [[surface.best(np.flatnonzero(split != k)) for k in range(folds)] for split in splits]
    earlier = surface.losses[..., 0].size
    tried = Counter(model for row in choices for model in row)
    predictions = predict(
        experiment,
        list(tried),
        replicates=replicates,
        workers=workers,
        progress=lambda done, total: progress(earlier + done, earlier + total),
    )
    by_model = dict(zip(tried, predictions, strict=True))
    held_out = tuple(
        _assemble(split, [by_model[model] for model in row])
        for split, row in zip(splits, choices, strict=True)
    )
    best = surface.best()
    at_edge = _at_edge(surface, best.contact)
    return TossFit(best, at_edge, folds, tuple(tried.most_common()), held_out, surface)


def check_folds(folds: int, tosses: Tosses) -> None:
    """Raise InvalidValueError unless the number of folds is 2 to the number of tosses."""
    if not 2 <= folds <= len(tosses):
        raise InvalidValueError(
            f"folds {folds} is outside 2 to {len(tosses)}, the number of tosses"
        )


def screen(
    experiment: Experiment,
    frictions: Sequence[float] = FRICTIONS,
    restitutions: Sequence[float] = RESTITUTIONS,
    noise_scales: Sequence[float] = NOISE_SCALES,
    *,
    distances: bool = False,
    workers: int = 1,
    progress: Progress = lambda *_: None,
) -> LikelihoodSurface:
    """Return the log loss of every toss at every triple, with the same random numbers at all triples.

    With `distances` also the error of its distance at every pair, from its start without noise.
    """
    models = [
        Model(ContactCoefficients(friction, restitution), scale)
        for scale, friction, restitution in product(noise_scales, frictions, restitutions)
    ]
    work = partial(_losses, experiment, range(experiment.toss_engine.screen_replicates))
    losses = np.array(in_parallel(work, models, workers, progress))
    shape = (len(noise_scales), len(frictions), len(restitutions), len(experiment.tosses))
    return LikelihoodSurface(
        tuple(noise_scales),
        tuple(frictions),
        tuple(restitutions),
        losses.reshape(shape),
        _travel_errors(experiment, frictions, restitutions) if distances else None,
    )


def rms(errors: Array) -> Array:
    """Return the root mean square over the last axis."""
    return np.asarray(np.sqrt((errors**2).mean(axis=-1)))


def _travel_errors(
    experiment: Experiment, frictions: Sequence[float], restitutions: Sequence[float]
) -> Array:
    """Return simulated less real distances in mm, shape (f, r, n)."""
    pairs = product(frictions, restitutions)
    travel = [to_rest(experiment, ContactCoefficients(*pair))[1] for pair in pairs]
    shape = (len(frictions), len(restitutions), -1)
    return np.reshape(travel, shape) - experiment.tosses.travel_mm


def _losses(experiment: Experiment, replicates: range, model: Model) -> Array:
    counts = face_counts(experiment, model, replicates)
    return log_losses(probabilities(counts), experiment.tosses.final_face)


def _split(experiment: Experiment, folds: int, repeat: int) -> Indices:
    """Return the fold of each toss, shape (n,)."""
    fold = np.arange(len(experiment.tosses)) % folds
    return np.asarray(generator(experiment.root, _FOLD_ADDRESS, repeat).permutation(fold))


def _assemble(split: Indices, predictions: Sequence[Prediction]) -> Prediction:
    """Return the prediction of each toss by the model of its fold."""
    toss = np.arange(len(split))
    return Prediction(
        np.array([p.face for p in predictions])[split, toss],
        np.array([p.travel_mm for p in predictions])[split, toss],
        np.array([p.probability for p in predictions])[split, toss],
    )


def _at_edge(surface: LikelihoodSurface, contact: ContactCoefficients) -> bool:
    """Return whether the point is on the border of the grid; a value of 0 is a physical limit and does not count."""
    axes = ((surface.frictions, contact.friction), (surface.restitutions, contact.restitution))
    return any(
        len(values) > 1 and value > 0 and value in (values[0], values[-1]) for values, value in axes
    )
