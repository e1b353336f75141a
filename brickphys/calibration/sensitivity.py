"""Sensitivity: which of all that is not known decides how often a brick stops on a side.

Sobol' indices of p: the share of its variance over the ranges of all causes that one cause makes alone (first
order), and with everything that it does together with others (total). Indices of simulated shares themselves would
take the noise of the throws for an effect; so bricks are thrown at many points, a response surface is fitted in
which that noise is accounted for, and SALib computes the indices of the surface. They are computed again for other
surfaces that the throws allow as well: that gives their error, and what the surface's error adds to them.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from brickphys.arrays import Array
from brickphys.calibration.response import Response
from brickphys.calibration.response_design import POSES
from brickphys.errors import InvalidValueError, MissingLibraryError
from brickphys.odds.intervals import Z95
from brickphys.odds.roll import SIDE

SURFACE_DEGREE = 3
"""Of friction and restitution over the ranges of one surface."""
SAMPLES = 4096
LEAST_RELIABILITY = 0.5
"""Below it indices say little: at 0.4 a total index is out by 0.2 on average, at 0.6 by 0.1 (`docs/sensitivity.md`)."""
_AIMED_AT = 2 / 3
"""The reliability that is aimed at by whoever throws again: with a margin, because few throws hardly know it."""
_WORTH_KNOWING = 0.01
"""A spread of p that throws should be able to show, where they show less: one point."""
_DRAWS = 30
_RESAMPLES = 200


@dataclass(frozen=True)
class SobolIndex:
    """A Sobol' index.

    Attributes
    ----------
    value
        Share of the variance.
    ci95
        Its interval: from the sample (bootstrap) and, where a response surface was drawn, from that surface's error.
    """

    value: float
    ci95: tuple[float, float]


@dataclass(frozen=True)
class RangeEnd:
    """The chance of a side at one end of a cause's range, averaged over all other causes.

    Attributes
    ----------
    value
        Of the cause.
    p
        The chance.
    ci95
        Interval of the way to it from the mean over the whole range, from the error of the response surface.
    """

    value: float
    p: float
    ci95: tuple[float, float]


@dataclass(frozen=True)
class CauseEffect:
    """What one cause does to p.

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
    """What decides how often a brick stops on a side.

    Attributes
    ----------
    p
        Chance of a side over the ranges of all causes.
    sd
        Its standard deviation over them; what the error of the response surface adds to it is taken off.
    effects
        Cause -> what it does, the largest total index first.
    reliability
        Share of the variance of the fitted surface that is not its own error, 0 to 1.
    throws_wanted
        How many throws at as many points would be enough, with a margin.
    """

    p: float
    sd: float
    effects: Mapping[str, CauseEffect]
    reliability: float
    throws_wanted: int

    @property
    def reliable(self) -> bool:
        """Whether the throws tell the causes apart."""
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
            f"Sobol' indices need SALib ({error}): pip install 'brickphys[sensitivity]'"
        ) from None
    return sampler, analyser


def sobol_indices(
    functions: list[Callable[[Array], Array]],
    ranges: Mapping[str, tuple[float, float]],
    seed: int,
    samples: int = SAMPLES,
) -> dict[str, tuple[SobolIndex, SobolIndex]]:
    """Return first and total index of each cause.

    Parameters
    ----------
    functions
        The first is analysed; others, if there are any, scatter about it as it does about the truth: that widens the
        intervals, and what such an error adds to the indices is taken off. Each takes values of the causes
        (n, causes) and returns (n,).
    ranges
        Cause -> lowest and highest value, all values in between equally likely.
    seed
        Of the sample and the bootstrap.
    samples
        A power of two; each function is asked for ``samples * (causes + 2)`` values.

    Raises
    ------
    InvalidValueError
        If the first function is the same everywhere: then there is no variance to share out.
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
        raise InvalidValueError("the chance of a side is the same everywhere: nothing decides it")
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
    """Return a seed for SALib, which draws one of its own where it is given 0."""
    return 1 + root % (2**32 - 1)


def _index(found: list[Any], variances: Array, kind: str, place: int) -> SobolIndex:
    """Return an index with what the error of the function adds to it taken off.

    Noise in a fitted function is variance like any other: the functions drawn around it have twice as much of it as
    the function itself, so what they have more is what it has too much (bootstrap correction of a bias).
    """
    shares = np.array([float(one[kind][place]) for one in found])
    reach, value = float(found[0][f"{kind}_conf"][place]), shares[0]
    if len(found) > 1:
        parts, own = shares * variances, _own_variance(variances)
        value = (2 * parts[0] - parts[1:].mean()) / own
        # a ratio: what moves the part and the whole alike does not move it
        scatter = (parts[1:] - value * variances[1:]).std() / own
        reach = float(np.hypot(reach * variances[0] / own, Z95 * scatter))
    return SobolIndex(float(value), (float(value) - reach, float(value) + reach))


def _own_variance(variances: Array) -> float:
    """Return the variance of the first function less what its own error gave it, as the others tell; a quarter is left.

    Parameters
    ----------
    variances : ndarray, shape (functions,)
        Of the function, and of functions that scatter about it as it does about the truth.
    """
    return float(max(2 * variances[0] - variances[1:].mean(), variances[0] / 4))


def _reliability(variances: Array) -> float:
    """Return the share of the variance of the first function that is not its own error."""
    return float(np.clip(2 - variances[1:].mean() / variances[0], 0.0, 1.0))


def _throws_wanted(variances: Array, throws: int) -> int:
    """Return how many throws would make the first function's error small enough: it falls as one over the throws."""
    error = max(float(variances[1:].mean() - variances[0]), 0.0)
    true = max(float(variances[0]) - error, _WORTH_KNOWING**2)
    return math.ceil(throws * error / true * _AIMED_AT / (1 - _AIMED_AT))


def sensitivity(response: Response, seed: int, samples: int = SAMPLES) -> Sensitivity:
    """Return what decides p over the ranges of a response surface.

    Parameters
    ----------
    response
        Shares of the poses over the ranges of all causes.
    seed
        Root seed.
    samples
        A power of two: points of the Monte Carlo integration, times the number of causes and two.
    """
    rng = np.random.default_rng(seed)
    surfaces = [response.coefficients, *response.draws(_DRAWS, rng)]
    functions = [_side_of(response, coefficients) for coefficients in surfaces]
    indices = sobol_indices(functions, response.ranges, seed, samples)
    low, high = np.array(list(response.ranges.values())).T
    points = rng.uniform(low, high, (samples, len(low)))
    answers = np.array([function(points) for function in functions])
    means, variances = answers.mean(axis=1), answers.var(axis=1)
    effects = {}
    for place, (name, (first, total)) in enumerate(indices.items()):
        ends = [
            _swing(functions, means, points, place, float(end)) for end in response.ranges[name]
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
    side = POSES.index(SIDE)
    return lambda values: np.asarray(response.shares(values, coefficients)[:, side])


def _swing(
    functions: list[Callable[[Array], Array]],
    means: Array,
    points: Array,
    place: int,
    value: float,
) -> RangeEnd:
    moved = points.copy()
    moved[:, place] = value
    # an error that all of p shares moves no cause: only the way from the mean counts
    ways = np.array([function(moved).mean() for function in functions]) - means
    p, reach = float(means[0] + ways[0]), Z95 * float(ways[1:].std())
    return RangeEnd(value, p, (p - reach, p + reach))
