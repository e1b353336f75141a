"""Sensitivity: Sobol' indices of the probability p of a side over the ranges of all uncertain causes.

The first-order index of a cause is the share of the variance of p that it makes alone; the total index includes its
interactions with other causes. Indices of the simulated shares would include the noise of the throws. Therefore a
response surface is fitted to throws at many points, and SALib computes the indices of that surface. They are also
computed for surfaces drawn from the error of the fit. This gives the error of the indices, and their bias by the error
of the surface, which is subtracted.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import numpy as np

from brickphys.calibration.response import Response, fit_response
from brickphys.calibration.response_design import ENGINE, design_cell, throw_design
from brickphys.calibration.throwers import ThrowCell
from brickphys.errors import InvalidValueError, MissingLibraryError, how_to_install
from brickphys.interface import Drawn, Row
from brickphys.notes import bar
from brickphys.odds.distribution import Z95
from brickphys.odds.roll import scored
from brickphys.text import paragraphs, percent, table
from brickphys.throws.conditions import surface as surface_named
from brickphys.throws.release import PLANE
from brickphys.units import Array

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
    """A Sobol' index."""

    value: float
    """Share of the variance."""
    ci95: tuple[float, float]
    """Its interval, from the sample (bootstrap) and from the error of the response surface."""


@dataclass(frozen=True)
class RangeEnd:
    """The probability of a side at one end of a cause's range, averaged over all other causes."""

    value: float
    p: float
    ci95: tuple[float, float]
    """Interval of `p` from the error of its difference from the mean over the whole range."""


@dataclass(frozen=True)
class CauseEffect:
    """The effect of one cause on p."""

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
    """The effects of all causes on p."""

    p: float
    """Mean probability of a side over the ranges of all causes."""
    sd: float
    """Its standard deviation over them, without the part of the response surface's error."""
    sd_ci95: tuple[float, float]
    """Interval of `sd` from the error of the response surface."""
    effects: Mapping[str, CauseEffect]
    """Cause -> effect, the largest total index first."""
    reliability: float
    """Share of the variance of the fitted surface that is not its own error, 0 to 1."""
    throws_wanted: int
    """Recommended number of throws, at the same number of points."""

    @property
    def reliable(self) -> bool:
        """Whether the indices are accurate enough; see `LEAST_RELIABILITY`."""
        return self.reliability >= LEAST_RELIABILITY


def salib() -> Any:
    """Return SALib's sampler and analyser of Sobol' indices.

    Raises MissingLibraryError if SALib is not installed.
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

    Raises InvalidValueError if the first function is constant; MissingLibraryError if SALib is not installed.

    Parameters
    ----------
    functions
        Functions of the causes, from (n, causes) to (n,). The first one is analysed. Further ones are drawn from the
        error of the first: they widen the intervals, and their bias is subtracted from the indices.
    samples
        A power of two; each function is evaluated at ``samples * (causes + 2)`` points.
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

    The other ones, shape (functions,), are of functions drawn from its error.
    """
    return float(max(2 * variances[0] - variances[1:].mean(), variances[0] / 4))


def _throws_wanted(variances: Array, throws: int) -> int:
    """Return the number of throws for `_TARGET_RELIABILITY`; the variance of the error is as 1 / throws."""
    error = max(float(variances[1:].mean() - variances[0]), 0.0)
    true = max(float(variances[0]) - error, _LEAST_SD**2)
    return math.ceil(throws * error / true * _TARGET_RELIABILITY / (1 - _TARGET_RELIABILITY))


def sensitivity(response: Response, seed: int, samples: int = SAMPLES) -> Sensitivity:
    """Return the effects of all causes over the ranges of a response surface."""
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
    own, reach = _own_variance(variances), Z95 * float(variances[1:].std())
    return Sensitivity(
        p=float(means[0]),
        sd=math.sqrt(own),
        sd_ci95=(math.sqrt(max(own - reach, 0.0)), math.sqrt(own + reach)),
        effects={name: effects[name] for name in order},
        reliability=float(np.clip(2 - variances[1:].mean() / variances[0], 0.0, 1.0)),
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


@dataclass(frozen=True, repr=False)
class CauseRanking(Drawn):
    """The causes that change the chance of a score, ranked."""

    cell: ThrowCell
    surface: str
    response: Response
    effects: Sensitivity
    seed: int

    drawn_by = "law:tornado_figure"

    @property
    def title(self) -> str:
        """What is thrown onto what, in words."""
        return f"{self.cell.shape}, preset {self.cell.conditions.preset}, on {self.surface}"

    @property
    def scored(self) -> str:
        """What scores, in words."""
        return scored(self.cell.body.scoring)

    @property
    def warning(self) -> str:
        """How many throws are needed to tell the causes apart."""
        found, throws = self.effects, self.response.throws
        wanted = max(found.throws_wanted, throws)
        unit = 10 ** max(0, len(str(wanted)) - 2)
        return (
            f"{throws:,} throws are too few to tell the causes apart: {found.reliability:.2f} of what the "
            f"response surface shows is more than its own error (limit {LEAST_RELIABILITY:g}); "
            f"some {-(-wanted // unit) * unit:,} throws would be enough"
        )

    def line(self) -> str:
        causes = ", ".join(list(self.effects.effects)[:3])
        return f"{self.title}: {self.scored} in {percent(self.effects.p)}, most by {causes}"

    def rows(self) -> list[Row]:
        return [
            {"cause": name, "first": one.first.value, "total": one.total.value, "shift": one.shift}
            for name, one in self.effects.effects.items()
        ]

    def document(self) -> dict[str, Any]:
        """Return the ranking as the JSON object of the command ``sensitivity``."""
        found, response = self.effects, self.response
        return {
            "shape": self.cell.shape,
            "scoring": self.cell.body.scoring,
            "preset": self.cell.conditions.preset,
            "surface": self.surface,
            "engine": ENGINE,
            "seed": self.seed,
            "throws": response.throws,
            "p_side": found.p,
            "sd": found.sd,
            "sd_ci95": found.sd_ci95,
            "causes": {
                name: {**asdict(effect), "shift": effect.shift}
                for name, effect in found.effects.items()
            },
            "response": {
                "points": response.points,
                "chi2": response.chi2,
                "freedom": response.freedom,
                "p_value": response.p_value,
                "r_squared": response.r_squared,
                "reliability": found.reliability,
                "reliable": found.reliable,
                "throws_wanted": found.throws_wanted,
            },
        }

    def text(self) -> str:
        found, response = self.effects, self.response
        low, high = (100 * end for end in found.sd_ci95)
        rows = [
            (
                name,
                f"{effect.low.value:.3g} to {effect.high.value:.3g}",
                percent(effect.low.p),
                percent(effect.high.p),
                *(
                    f"{one.value:.2f} ({one.ci95[0]:.2f} to {one.ci95[1]:.2f})"
                    for one in (effect.first, effect.total)
                ),
            )
            for name, effect in found.effects.items()
        ]
        return paragraphs(
            f"{self.title}, engine {ENGINE}, seed {self.seed}\n"
            f"{self.scored} in {percent(found.p)} on average over all causes, which move it by "
            f"+- {100 * found.sd:.1f} points (standard deviation; {low:.1f} to {high:.1f})",
            table(("cause", "range", "p, low", "p, high", "first order", "total"), rows),
            f"response surface of {response.throws} throws: chi2 {response.chi2:.0f} for {response.freedom} degrees of "
            f"freedom (p-value {response.p_value:.2g}), R2 {response.r_squared:.2f}, "
            f"reliability {found.reliability:.2f}",
        )


def rank_causes(
    shape: str,
    preset: str,
    surface: str | None,
    throws: int,
    points: int,
    *,
    seed: int,
    workers: int,
) -> CauseRanking:
    """Throw a shape over the ranges of all causes, under a progress bar, and rank these.

    Raises InvalidValueError if a name is unknown, or no cause changes the chance; MissingLibraryError if SALib is not
    installed; CancelledRunError on Ctrl-C. All throws are divided among the points in the ranges, a power of two.
    """
    on = surface_named(PLANE.surface if surface is None else surface)
    cell = design_cell(shape, preset, on)
    salib()
    with bar() as advance:
        report = partial(advance, "design")
        design = throw_design(cell, on, points, throws // points, seed, workers, report)
    response = fit_response(design, SURFACE_DEGREE)
    return CauseRanking(cell, on.name, response, sensitivity(response, seed), seed)
