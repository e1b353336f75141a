"""Systematic: the posterior of the probability p of a side for some table of a kind, some brick and some hand.

The logarithm of the odds is that of a response surface at the causes (table, mould, edges, hand), plus the offset of
the reference engine in its limit of short time steps, plus the effect of another law of contact. All are drawn
together: causes over their ranges, for which bricks are thrown and the surface is fitted; the offset from throws of the
reference engine at the same points; the effect of the contact law from a study of such laws.

A fitted surface varies by its own error too. Surfaces drawn from that error show how much, and the spread of p is
reduced by it, so that few throws do not make the range wider.
"""

from collections.abc import Mapping, Sequence
from math import hypot
from typing import NamedTuple

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
from brickphys.odds.provenance import CONTACT_LAW, ENGINE, Source, Systematic
from brickphys.odds.roll import SIDE
from brickphys.throws.conditions import Surface
from brickphys.units import Array

POINTS = (128, 1024)
"""Least and greatest number of points of the design."""
MIN_THROWS = 16
"""Least throws at each point."""
CONTACT_LAW_LOGITS = (-0.084, 0.128)
"""Least and greatest effect of another law of contact on the logarithm of the odds of a side: -1.7 and +2.7 points at
29 %, the largest that were found (``docs/validation.md``). None of these laws predicts real bodies better, so that no
effect is the most likely one: the distribution is triangular, with its peak at 0."""
ROWS = 256  # draws that a law keeps
_DEGREES = (2, 4)
_MANY_THROWS = 2**17
"""Degree of the surface in friction, restitution and speed: of few throws, and of many."""
_DRAWS, _SURFACES = 8192, 60
_STEPS = 20


class EngineOffset(NamedTuple):
    """Mean offset of the reference engine over all causes, in logarithms of odds."""

    mean: float
    error: float
    """Standard error of the mean."""


BULLET_TO_LIMIT = EngineOffset(0.0169, 0.0083)
"""Bullet in the limit of short time steps minus Bullet at its default, for the side of a brick: the mean over wood,
glass and cloth, with the standard error for another surface (``python -m benchmarks.bullet_steps``)."""
NOT_MEASURED = EngineOffset(0.0, 0.0188)
"""The same for MuJoCo and for other poses: not measured, with Bullet's mean and error, in quadrature, as its error."""


def to_limit(reference: str, scoring: Sequence[str]) -> EngineOffset:
    """Return what a reference engine's time step takes from the logarithm of the odds of these poses."""
    is_measured = (reference, tuple(scoring)) == ("bullet", (SIDE,))
    return BULLET_TO_LIMIT if is_measured else NOT_MEASURED


class Estimate(NamedTuple):
    """The posterior of p in numbers, as in a law."""

    nominal: float
    """Its median, rounded to a tenth of a point; for chances below 5 or above 95 %, to a hundredth of that."""
    p_range90: tuple[float, float]
    """Its 5th and 95th percentile."""
    systematic: Systematic
    posterior: Mapping[str, tuple[float, ...]]
    """Name -> `ROWS` draws: p, each cause, and in logarithms of odds the engine's offset and the contact law."""


def throw_response(
    throwers: Throwers,
    cell: ThrowCell,
    surface: Surface,
    points: int,
    throws_per_point: int,
    seed: int,
    progress: Progress = lambda *_: None,
) -> Response | None:
    """Throw bricks at a number of points of all causes and fit p.

    The result is None if the throwers were stopped before the end, or if sides are too rare for a fit.
    """
    uncertain = causes(cell, surface)
    values = sobol_points(uncertain, points, seed)
    tallies = throw_points(throwers, cell, uncertain, values, throws_per_point, progress)
    if tallies is None:
        return None
    counts = np.array([[tally.bricks - tally.sides, tally.sides] for tally in tallies])
    design = ResponseDesign(
        cell.shape, cell.conditions.preset, ranges_of(uncertain), values, counts, 0, seed
    )
    try:
        return fit_response(design, _DEGREES[design.throws >= _MANY_THROWS])
    except InvalidValueError:
        return None


def throw_offset(
    throwers: Throwers,
    cell: ThrowCell,
    surface: Surface,
    response: Response,
    throws: int,
    seed: int,
    progress: Progress = lambda *_: None,
) -> EngineOffset | None:
    """Throw about so many bricks by the reference engine, which is that of the cell, at the points of a response.

    The result is None if the throwers were stopped before the end.
    """
    uncertain = causes(cell, surface)
    values = sobol_points(uncertain, response.points, seed)
    each = max(1, throws // response.points)
    tallies = throw_points(throwers, cell, uncertain, values, each, progress)
    if tallies is None:
        return None
    return fit_offset(response, values, np.array([tally.sides for tally in tallies]), each)


def fit_offset(response: Response, values: Array, sides: Array, throws: int) -> EngineOffset:
    """Return the offset of counts from a response by maximum likelihood.

    The sides, shape (n,), are of `throws` bricks at each of the values, shape (n, causes).
    """
    own, found = np.clip(response.shares(values)[:, -1], 1e-9, 1 - 1e-9), 0.0
    for _ in range(_STEPS):
        p = moved_odds(own, np.exp(found))
        information = throws * float((p * (1 - p)).sum())
        found += float(sides.sum() - throws * p.sum()) / information
    return EngineOffset(found, information**-0.5)


def systematic(
    response: Response,
    limit: EngineOffset | None,
    offset: EngineOffset | None,
    rng: np.random.Generator,
) -> Estimate:
    """Return the posterior of p over all causes, the engine's offset and the law of contact.

    Parameters
    ----------
    limit
        What the reference engine lacks to its limit of short time steps; None if that engine has not thrown.
    offset
        That of the reference engine as it threw; None if it is the law's own. Both engines threw at the same points, so
        with an offset the nominal rests on the reference engine's throws, and an error of the surface hardly moves it.
    """
    low, high = np.array(list(response.ranges.values())).T
    values = rng.uniform(low, high, (_DRAWS, len(low)))
    surfaces = np.array([response.coefficients, *response.draws(_SURFACES, rng)])
    p = response.shares(values, surfaces)[..., -1]
    means, spread = p.mean(axis=1), _unbiased(p)
    sources = _shifts(response, values, surfaces)
    drawn = dict(zip(response.ranges, values.T, strict=True))
    least, most = CONTACT_LAW_LOGITS
    moved = drawn[CONTACT_LAW] = rng.triangular(least, 0.0, most, _DRAWS)
    error = 0.0
    if limit is not None:
        own = offset or EngineOffset(0.0, 0.0)
        whole = EngineOffset(own.mean + limit.mean, hypot(own.error, limit.error))
        shift = moved_odds(p[0], np.exp(whole.mean)) - p[0]
        error = whole.error * float((p[0] * (1 - p[0])).mean())
        sources[ENGINE] = Source(0.0, 1.0, float(shift.mean()), error)
        drawn["engine_offset"] = rng.normal(*whole, _DRAWS)
        moved = moved + drawn["engine_offset"]
    ends = moved_odds(means[:1], np.exp(CONTACT_LAW_LOGITS))
    sources[CONTACT_LAW] = Source(*CONTACT_LAW_LOGITS, float(np.diff(ends)[0]), 0.0)
    doubt = rng.normal(0.0, means[1:].std(), _DRAWS)
    all_p = moved_odds(np.clip(means[:, None] + spread + doubt, 0.0, 1.0), np.exp(moved))
    quantiles = np.quantile(all_p, [0.05, 0.5, 0.95], axis=1)
    errors = quantiles[:, 1:].std(axis=1)
    median_error = error if offset else hypot(float(errors[1]), error)
    told = Systematic(
        float(max(errors[0], errors[2])),
        response.throws,
        sources,
        nominal_error=median_error,
        to_limit=limit and (limit.mean, limit.error),
    )
    least, median, most = quantiles[:, 0].tolist()
    nominal = min(max(round(median, 3 if 0.05 <= median <= 0.95 else 5), 1e-5), 1 - 1e-5)
    return Estimate(nominal, (least, most), told, _rows({"p": all_p[0], **drawn}, rng))


def _rows(drawn: Mapping[str, Array], rng: np.random.Generator) -> dict[str, tuple[float, ...]]:
    """Return draws that have the percentiles of p of all, one from each of `ROWS` equal parts, with four digits."""
    every = len(drawn["p"]) // ROWS
    kept = rng.permutation(np.argsort(drawn["p"])[every // 2 :: every][:ROWS])
    return {
        name: tuple(float(f"{value:.4g}") for value in values[kept])
        for name, values in drawn.items()
    }


def moved_odds(p: Array | float, factor: Array | float) -> Array:
    """Return the probabilities whose odds are those of `p` times a factor."""
    return np.asarray(p * factor / (1 - p + p * factor))


def _unbiased(p: Array) -> Array:
    """Return the deviations of p from its means, shape (surfaces, draws), without the part of the surface's own error.

    The fitted surface is the first, and its variance has the error once; drawn ones have it twice. At least a quarter
    of each variance is kept.
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
