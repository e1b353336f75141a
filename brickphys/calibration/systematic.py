"""Systematic: where the probability p of a side lies for some table of a kind, some brick and some hand.

Bricks are thrown over the distributions of all causes, and a response surface is fitted to the counts. All causes are
drawn together, and the surface turns each draw into p. Two doubts of the contact model are drawn with them: p lies
anywhere between the law's engine and the reference engine, and further off by as much as engines differ.

A fitted surface varies by its own error too. Surfaces drawn from that error show how much, and the spread of p is
reduced by it, so that few throws do not make the range wider.
"""

import numpy as np

from brickphys.calibration.response import Response, fit_response
from brickphys.calibration.response_design import (
    ResponseDesign,
    causes,
    ranges_of,
    sobol_points,
    throw_points,
)
from brickphys.calibration.throwers import ThrowCell, Throwers
from brickphys.errors import InvalidValueError
from brickphys.notes import Progress
from brickphys.odds.provenance import CONTACT_MODEL, ENGINE, Source, Systematic
from brickphys.throws.conditions import Surface
from brickphys.units import Array

POINTS = 128
MIN_THROWS = 16
"""Least throws at each point."""
CONTACT_LOGIT = 0.043
"""Greatest doubt of the contact model in the logarithm of the odds of a side: 0.9 points at 30 %, the largest
difference that was found between engines (``docs/engines.md``); uniform."""
_DEGREE = 2
_DRAWS, _SURFACES = 8192, 60


def throw_response(
    throwers: Throwers,
    cell: ThrowCell,
    surface: Surface,
    throws_per_point: int,
    seed: int,
    progress: Progress = lambda *_: None,
) -> Response | None:
    """Throw bricks at `POINTS` points of all causes and fit p.

    The result is None if the throwers were stopped before the end, or if sides are too rare for a fit.
    """
    uncertain = causes(cell, surface)
    values = sobol_points(uncertain, POINTS, seed)
    tallies = throw_points(throwers, cell, uncertain, values, throws_per_point, progress)
    if tallies is None:
        return None
    counts = np.array([[tally.bricks - tally.sides, tally.sides] for tally in tallies])
    design = ResponseDesign(
        cell.shape, cell.conditions.preset, ranges_of(uncertain), values, counts, 0, seed
    )
    try:
        return fit_response(design, _DEGREE)
    except InvalidValueError:
        return None


def systematic(
    response: Response, engine: Source | None, rng: np.random.Generator
) -> tuple[tuple[float, float], Systematic]:
    """Return the 5th and 95th percentile of p over all causes and both doubts of the contact model, and its shifts.

    Parameters
    ----------
    engine
        The shift of p by the reference engine; None if that is the law's own.
    """
    low, high = np.array(list(response.ranges.values())).T
    values = rng.uniform(low, high, (_DRAWS, len(low)))
    surfaces = np.array([response.coefficients, *response.draws(_SURFACES, rng)])
    p = response.shares(values, surfaces)[..., -1]
    means, spread = p.mean(axis=1), _unbiased(p)
    doubt = np.zeros(_DRAWS)
    sources = _shifts(response, values, surfaces)
    if engine is not None:
        doubt += rng.random(_DRAWS) * rng.normal(engine.shift, engine.error, _DRAWS)
        sources[ENGINE] = engine
    doubt += rng.normal(0.0, means[1:].std(), _DRAWS)
    logits = rng.uniform(-CONTACT_LOGIT, CONTACT_LOGIT, _DRAWS)
    all_p = moved_odds(np.clip(means[:, None] + spread + doubt, 0.0, 1.0), np.exp(logits))
    ends = moved_odds(means[:1], np.exp([-CONTACT_LOGIT, CONTACT_LOGIT]))
    sources[CONTACT_MODEL] = Source(-1.0, 1.0, float(np.diff(ends)[0]), 0.0)
    ranges = np.quantile(all_p, [0.05, 0.95], axis=1)
    error = float(ranges[:, 1:].std(axis=1).max())
    range90 = float(ranges[0, 0]), float(ranges[1, 0])
    return range90, Systematic(error, response.throws, sources)


def moved_odds(p: Array | float, factor: Array | float) -> Array:
    """Return the probabilities whose odds are those of `p` times a factor."""
    return np.asarray(p * factor / (1 - p + p * factor))


def _unbiased(p: Array) -> Array:
    """Return the deviations of p from its means, without the part of the surface's own error.

    Parameters
    ----------
    p : ndarray, shape (surfaces, draws)
        By the fitted surface, whose variance has the error once, and by drawn ones, which have it twice. At least a
        quarter of each variance is kept.
    """
    variances = p.var(axis=1)
    error = max(float(variances[1:].mean() - variances[0]), 0.0)
    own = variances - error * np.array([1.0, *[2.0] * (len(p) - 1)])
    kept = np.maximum(own, variances / 4) / np.maximum(variances, np.finfo(float).tiny)
    return np.asarray((p - p.mean(axis=1, keepdims=True)) * np.sqrt(kept)[:, None])


def _shifts(response: Response, values: Array, surfaces: Array) -> dict[str, Source]:
    """Return the shift of p from the low to the high end of each cause, averaged over all other causes."""
    sources = {}
    for place, (name, ends) in enumerate(response.ranges.items()):
        moved = values.copy()
        means = []
        for end in ends:
            moved[:, place] = end
            means.append(response.shares(moved, surfaces)[..., -1].mean(axis=1))
        shifts = means[1] - means[0]
        sources[name] = Source(*ends, float(shifts[0]), float(shifts[1:].std()))
    return sources
