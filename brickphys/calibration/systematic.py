"""Systematic: where the probability p of a side lies for some table of a kind, some brick and some hand.

Bricks are thrown over the distributions of all causes, and a response surface is fitted to the counts. All causes are
drawn together, and the surface turns each draw into p. Two doubts of the contact model are drawn with them: p lies
anywhere between the law's engine and the reference engine, and further off by as much as engines differ.

A fitted surface varies by its own error too. Surfaces drawn from that error show how much, and the spread of p is
reduced by it, so that few throws do not make the range wider.

Sensitivity: Sobol' indices of p over the ranges of all uncertain causes. The first-order index of a cause is the share
of the variance of p that it makes alone; the total index includes its interactions with other causes. Indices of the
simulated shares would include the noise of the throws. Therefore a response surface is fitted to throws at many points,
and SALib computes the indices of that surface. They are also computed for surfaces drawn from the error of the fit.
This gives the error of the indices, and their bias by the error of the surface, which is subtracted.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

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
from brickphys.errors import InvalidValueError, MissingLibraryError, how_to_install
from brickphys.notes import Progress
from brickphys.odds.distribution import Z95
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

    Parameters
    ----------
    throwers
        The worker processes.
    cell
        Single bricks at the nominal values.
    surface
        The surface, with its ranges of friction and restitution.
    throws_per_point
        Throws at each point.
    seed
        Seed of the points.
    progress
        Called with the throws done and all throws.
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
    response
        Shares of the poses over all causes, that of the side last.
    engine
        The shift of p by the reference engine; None if that is the law's own.
    rng
        Random generator of the draws.
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
    all_p = moved_odds(np.clip(means[:, None] + spread + doubt, 0.0, 1.0), logits)
    ends = moved_odds(means[:1], np.array([-CONTACT_LOGIT, CONTACT_LOGIT]))
    sources[CONTACT_MODEL] = Source(-1.0, 1.0, float(np.diff(ends)[0]), 0.0)
    ranges = np.quantile(all_p, [0.05, 0.95], axis=1)
    error = float(ranges[:, 1:].std(axis=1).max())
    range90 = float(ranges[0, 0]), float(ranges[1, 0])
    return range90, Systematic(error, response.throws, sources)


def moved_odds(p: Array, logits: Array) -> Array:
    """Return probabilities whose odds are multiplied by the exponential of `logits`."""
    odds = np.exp(logits)
    return np.asarray(p * odds / (1 - p + p * odds))


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


SURFACE_DEGREE = 3
"""Degree in friction and restitution over the ranges of one surface."""
SAMPLES = 4096
LEAST_RELIABILITY = 0.5
"""Below this reliability the indices are inaccurate: the mean error of a total index is 0.2 at a reliability of 0.4 and
0.1 at 0.6 (`docs/sensitivity.md`)."""
_TARGET_RELIABILITY = 2 / 3
"""Reliability for the recommended number of throws; it has a margin, since few throws estimate it inaccurately."""
_LEAST_SD = 0.01
"""Least standard deviation of p that the recommended number of throws must be able to show: one percentage point."""
_SURFACE_DRAWS = 30
_RESAMPLES = 200


@dataclass(frozen=True)
class SobolIndex:
    """A Sobol' index.

    Attributes
    ----------
    value
        Share of the variance.
    ci95
        Its interval, from the sample (bootstrap) and from the error of the response surface.
    """

    value: float
    ci95: tuple[float, float]


@dataclass(frozen=True)
class RangeEnd:
    """The probability of a side at one end of a cause's range, averaged over all other causes.

    Attributes
    ----------
    value
        Value of the cause.
    p
        The probability.
    ci95
        Interval of `p` from the error of its difference from the mean over the whole range.
    """

    value: float
    p: float
    ci95: tuple[float, float]


@dataclass(frozen=True)
class CauseEffect:
    """The effect of one cause on p.

    Attributes
    ----------
    first, total
        Sobol' indices.
    low, high
        Both ends of the range.
    """

    first: SobolIndex
    total: SobolIndex
    low: RangeEnd
    high: RangeEnd

    @property
    def shift(self) -> float:
        """Change of p from the low to the high end."""
        return self.high.p - self.low.p


@dataclass(frozen=True)
class Sensitivity:
    """The effects of all causes on p.

    Attributes
    ----------
    p
        Mean probability of a side over the ranges of all causes.
    sd
        Its standard deviation over them, without the part of the response surface's error.
    effects
        Cause -> effect, the largest total index first.
    reliability
        Share of the variance of the fitted surface that is not its own error, 0 to 1.
    throws_wanted
        Recommended number of throws, at the same number of points.
    """

    p: float
    sd: float
    effects: Mapping[str, CauseEffect]
    reliability: float
    throws_wanted: int

    @property
    def reliable(self) -> bool:
        """Whether the indices are accurate enough; see `LEAST_RELIABILITY`."""
        return self.reliability >= LEAST_RELIABILITY


def salib() -> Any:
    """Return SALib's sampler and analyser of Sobol' indices.

    Raises
    ------
    MissingLibraryError
        If SALib is not installed.
    """
    try:
        from SALib.analyze import sobol as analyser
        from SALib.sample import sobol as sampler
    except ImportError as error:
        raise MissingLibraryError(
            f"Sobol' indices need SALib ({error}): {how_to_install('sensitivity')}"
        ) from None
    return sampler, analyser


def sobol_indices(
    functions: list[Callable[[Array], Array]],
    ranges: Mapping[str, tuple[float, float]],
    seed: int,
    samples: int = SAMPLES,
) -> dict[str, tuple[SobolIndex, SobolIndex]]:
    """Return first-order and total index of each cause.

    Parameters
    ----------
    functions
        Functions of the causes, from (n, causes) to (n,). The first one is analysed. Further ones are drawn from the
        error of the first: they widen the intervals, and their bias is subtracted from the indices.
    ranges
        Cause -> least and greatest value; the causes are uniform.
    seed
        Seed of the sample and the bootstrap.
    samples
        A power of two; each function is evaluated at ``samples * (causes + 2)`` points.

    Raises
    ------
    InvalidValueError
        If the first function is constant.
    MissingLibraryError
        If SALib is not installed.
    """
    sampler, analyser = salib()
    problem = {
        "num_vars": len(ranges),
        "names": list(ranges),
        "bounds": [list(ends) for ends in ranges.values()],
    }
    points = sampler.sample(problem, samples, calc_second_order=False, seed=_salib_seed(seed))
    answers = [function(points) for function in functions]
    if np.ptp(answers[0]) == 0:
        raise InvalidValueError("the probability of a side is constant: no cause changes it")
    found = [
        analyser.analyze(
            problem,
            answer,
            calc_second_order=False,
            num_resamples=_RESAMPLES if number == 0 else 2,
            seed=_salib_seed(seed),
        )
        for number, answer in enumerate(answers)
    ]
    variances = np.array([answer.var() for answer in answers])
    return {
        name: (_index(found, variances, "S1", place), _index(found, variances, "ST", place))
        for place, name in enumerate(ranges)
    }


def _salib_seed(root: int) -> int:
    """Return a seed for SALib, never 0, for which SALib draws a random one."""
    return 1 + root % (2**32 - 1)


def _index(found: list[Any], variances: Array, kind: str, place: int) -> SobolIndex:
    """Return an index without the bias by the error of the function.

    The error of a fitted function adds to its variance. The drawn functions have this error twice, so the difference
    between their mean variance and that of the fitted function estimates the bias (bootstrap bias correction).
    """
    shares = np.array([float(one[kind][place]) for one in found])
    reach, value = float(found[0][f"{kind}_conf"][place]), shares[0]
    if len(found) > 1:
        parts, own = shares * variances, _own_variance(variances)
        value = (2 * parts[0] - parts[1:].mean()) / own
        # error of a ratio: a deviation that is proportional in both variances cancels
        scatter = (parts[1:] - value * variances[1:]).std() / own
        reach = float(np.hypot(reach * variances[0] / own, Z95 * scatter))
    return SobolIndex(float(value), (float(value) - reach, float(value) + reach))


def _own_variance(variances: Array) -> float:
    """Return the variance of the first function without the bias by its error, and at least a quarter of it.

    Parameters
    ----------
    variances : ndarray, shape (functions,)
        Variance of the function, and of functions drawn from its error.
    """
    return float(max(2 * variances[0] - variances[1:].mean(), variances[0] / 4))


def _reliability(variances: Array) -> float:
    """Return the share of the variance of the first function that is not its own error."""
    return float(np.clip(2 - variances[1:].mean() / variances[0], 0.0, 1.0))


def _throws_wanted(variances: Array, throws: int) -> int:
    """Return the number of throws for `_TARGET_RELIABILITY`; the variance of the error is as 1 / throws."""
    error = max(float(variances[1:].mean() - variances[0]), 0.0)
    true = max(float(variances[0]) - error, _LEAST_SD**2)
    return math.ceil(throws * error / true * _TARGET_RELIABILITY / (1 - _TARGET_RELIABILITY))


def sensitivity(response: Response, seed: int, samples: int = SAMPLES) -> Sensitivity:
    """Return the effects of all causes over the ranges of a response surface.

    Parameters
    ----------
    response
        Shares of poses over the ranges of all causes.
    seed
        Root seed.
    samples
        A power of two; see `sobol_indices`.
    """
    rng = np.random.default_rng(seed)
    surfaces = [response.coefficients, *response.draws(_SURFACE_DRAWS, rng)]
    functions = [_side_of(response, coefficients) for coefficients in surfaces]
    indices = sobol_indices(functions, response.ranges, seed, samples)
    low, high = np.array(list(response.ranges.values())).T
    points = rng.uniform(low, high, (samples, len(low)))
    answers = np.array([function(points) for function in functions])
    means, variances = answers.mean(axis=1), answers.var(axis=1)
    effects = {}
    for place, (name, (first, total)) in enumerate(indices.items()):
        ends = [
            _range_end(functions, means, points, place, float(end)) for end in response.ranges[name]
        ]
        effects[name] = CauseEffect(first, total, *ends)
    order = sorted(effects, key=lambda name: -effects[name].total.value)
    return Sensitivity(
        p=float(means[0]),
        sd=math.sqrt(_own_variance(variances)),
        effects={name: effects[name] for name in order},
        reliability=_reliability(variances),
        throws_wanted=_throws_wanted(variances, response.throws),
    )


def _side_of(response: Response, coefficients: Array) -> Callable[[Array], Array]:
    return lambda values: np.asarray(response.shares(values, coefficients)[:, -1])


def _range_end(
    functions: list[Callable[[Array], Array]],
    means: Array,
    points: Array,
    place: int,
    value: float,
) -> RangeEnd:
    moved = points.copy()
    moved[:, place] = value
    # an error that is common to all of p is no effect of a cause, so only the shift from the mean counts
    shifts = np.array([function(moved).mean() for function in functions]) - means
    p, reach = float(means[0] + shifts[0]), Z95 * float(shifts[1:].std())
    return RangeEnd(value, p, (p - reach, p + reach))
