"""Posterior: share of sides, correlation of bricks in a hand, friction and restitution, from counts.

**Hands.** The bricks of a hand share the probabilities of the poses. These have a Dirichlet distribution, whose mean is
the shares of the poses, and whose width is the correlation rho of any two bricks (Mosimann, Biometrika 49, 1962). With
two outcomes this is the beta-binomial distribution of `odds.distribution`; at rho = 0 bricks are independent. The
likelihood depends on the counts only through the number of hands with more than j bricks of an outcome, for j = 0, 1,
...

**Share and correlation.** The prior of p is Jeffreys' beta distribution (1/2, 1/2), or that of a measured law: then a
robust mixture (Schmidli et al., Biometrics 70, 2014), a part of which is uniform, so that counts outweigh a law that
they contradict. A fixed part would widen the interval of few counts that agree, so the part depends on the agreement,
as in Zhang et al. (Pharmaceutical Statistics 22, 2023). The prior of the correlation rho is uniform from 0 to 1/2, an
assumption; hands of one brick do not depend on it. The grid of p is evenly spaced in arcsin(sqrt(p)): there Jeffreys'
prior is uniform, and the posterior is about equally wide for any p.

**Confidence interval.** An interval of a posterior holds the truth too seldom where the prior is wrong. One that holds
every truth in 95 % accepts, for each p, the counts whose probability by p is largest against that by the prior, until
they have 95 %. On average over the prior no such interval is shorter (Pratt, J. Am. Stat. Assoc. 56, 1961).

**Surface.** The prior is uniform over ranges of friction and restitution. The likelihood is averaged over draws of
everything else that is uncertain, so the intervals include that uncertainty: the causes of mould and throw (wall, top,
stud height; height, speed, spin, share as picked up) are uniform over their ranges, the response surface is drawn from
its error, the law of contact as for a law, and the correlation of bricks in a hand from its posterior, which is nearly
independent of the shares.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np
from scipy.special import betaln, logsumexp
from scipy.stats import beta, binom, chi2

from brickphys.calibration.home_counts import HomeCounts
from brickphys.calibration.response import SURFACE_CAUSES, Response, with_side_odds
from brickphys.calibration.response_design import RESPONSE_POSES
from brickphys.calibration.systematic import CONTACT_LAW_LOGITS
from brickphys.errors import InvalidValueError
from brickphys.throws.conditions import Surface
from brickphys.units import Array, Counts, Mask

_TINY = 1e-300


@dataclass(frozen=True, eq=False)
class Hands:
    """Sufficient statistics of the likelihood of hands."""

    above: Counts
    """Number of hands with more than j bricks in an outcome, j = 0 .. J - 1, shape (outcomes, J)."""
    bricks_above: Counts
    """Number of hands with more than j bricks, shape (J,)."""

    def log_likelihood(self, shares: Array, rho: Array | float) -> Array:
        """Return the logarithm of the likelihood, up to a constant.

        The shares of the outcomes, shape (..., outcomes), have the sum 1; the correlation `rho`, shape (...), is in [0,
        1).
        """
        rho = np.asarray(rho, dtype=np.float64)
        total = np.zeros(np.broadcast_shapes(shares.shape[:-1], rho.shape))
        for j, hands in enumerate(self.bricks_above):
            for outcome, times in enumerate(self.above[:, j]):
                if times:
                    chance = shares[..., outcome] * (1 - rho) + j * rho
                    total += times * np.log(np.maximum(chance, _TINY))
            total -= hands * np.log(1 - rho + j * rho)
        return total


def hands_of(outcomes: Counts, times: Counts | None = None) -> Hands:
    """Return the statistics of hands.

    Parameters
    ----------
    outcomes : ndarray of int, shape (n, outcomes)
        Number of bricks in each outcome.
    times : ndarray of int, shape (n,) or None
        Number of hands that each row stands for; one each if None.
    """
    bricks = outcomes.sum(axis=1)
    times = np.ones_like(bricks) if times is None else times
    j = np.arange(int(bricks.max()))
    above = np.tensordot(times, outcomes[:, :, None] > j, axes=1)
    return Hands(above, times @ (bricks[:, None] > j))


def side_hands(counts: HomeCounts) -> Hands:
    """Return the statistics of two outcomes: bricks on a side, and all others."""
    return hands_of(np.column_stack([counts.score, counts.bricks - counts.score]), counts.times)


Prior = Mapping[tuple[float, float], float]
"""Parameters of beta distributions -> positive weight in their mixture."""
JEFFREYS: Prior = {(0.5, 0.5): 1.0}
AGREES = 0.1
"""Counts whose agreement with a prior has at least this p-value leave it as it is."""
MAX_RHO = 0.5
_POINTS = 801
_RHO_POINTS = 81
_ZOOMS = 4
_OPEN = 0.9
"""Data that leave more than this share of the prior spread say almost nothing of a number."""
_NEGLIGIBLE = 25.0
"""Cells whose log density is this far below the maximum are neglected."""


@dataclass(frozen=True, eq=False)
class Posterior:
    """A probability distribution on a grid."""

    values: Array
    """Middles of the cells, ascending, shape (n,)."""
    weights: Array
    """Probabilities of the cells, with sum 1, shape (n,)."""

    @property
    def mean(self) -> float:
        """Expected value."""
        return float(self.values @ self.weights)

    @property
    def sd(self) -> float:
        """Standard deviation."""
        return float(np.sqrt(((self.values - self.mean) ** 2) @ self.weights))

    @property
    def ci95(self) -> tuple[float, float]:
        """Central 95 % interval."""
        return self.quantile(0.025), self.quantile(0.975)

    @property
    def range90(self) -> tuple[float, float]:
        """5th and 95th percentile."""
        return self.quantile(0.05), self.quantile(0.95)

    def is_open(self, before: tuple[float, float]) -> bool:
        """Return whether the data hardly determine the number: its spread is nearly that of its uniform prior."""
        return self.sd > _OPEN * (before[1] - before[0]) / sqrt(12)

    def quantile(self, share: float) -> float:
        """Return the value below which the probability is `share`."""
        below = np.cumsum(self.weights) - self.weights / 2
        return float(np.interp(share, below, self.values))


@dataclass(frozen=True, eq=False)
class SharePosterior:
    """Posteriors of the probability of a side and of the correlation in a hand."""

    p: Posterior
    """Probability of a side."""
    rho: Posterior | None
    """Correlation of bricks in a hand; None if all hands had one brick."""


def prior_weight(p_value: float) -> float:
    """Return the weight of an informative prior in a robust mixture, by the p-value of its agreement with counts."""
    return min(1.0, max(p_value, _TINY) / AGREES)


def robust(prior: tuple[float, float], p_value: float) -> Prior:
    """Return the robust mixture of an informative beta prior and a uniform one."""
    weight = prior_weight(p_value)
    return {prior: weight} | ({(1.0, 1.0): 1 - weight} if weight < 1 else {})


def log_densities(prior: Prior, p: Array) -> Array:
    """Return the logarithms of the weighted densities over arcsin(sqrt(p)), up to a constant, shape (parts, points)."""
    p = np.clip(p, 1e-15, 1 - 1e-15)
    return np.array(
        [
            np.log(weight) + (a - 0.5) * np.log(p) + (b - 0.5) * np.log1p(-p) - betaln(a, b)
            for (a, b), weight in prior.items()
        ]
    )


def share_posterior(hands: Hands, prior: Prior = JEFFREYS) -> SharePosterior:
    """Return the posterior of the probability of a side.

    The hands have two outcomes: sides, and all others.
    """
    single = len(hands.bricks_above) == 1
    ends, rho_ends = (0.0, np.pi / 2), (0.0, MAX_RHO)
    for _ in range(_ZOOMS):  # each grid covers the part with a density that is not negligible
        angle = middles(*ends, _POINTS)
        rho = np.zeros(1) if single else middles(*rho_ends, _RHO_POINTS)
        density = _log_density(hands, prior, angle, rho)
        kept = density > density.max() - _NEGLIGIBLE
        ends = _around(ends, kept.any(axis=1))
        rho_ends = _around(rho_ends, kept.any(axis=0))
    weights = np.exp(density - density.max())
    weights /= weights.sum()
    p = Posterior(np.sin(angle) ** 2, weights.sum(axis=1))
    return SharePosterior(p, None if single else Posterior(rho, weights.sum(axis=0)))


def middles(low: float, high: float, cells: int) -> Array:
    """Return the middles of `cells` equal cells from `low` to `high`."""
    edges = np.linspace(low, high, cells + 1)
    return np.asarray((edges[1:] + edges[:-1]) / 2)


def _log_density(hands: Hands, prior: Prior, angle: Array, rho: Array) -> Array:
    """Return the logarithm of the density over angles and correlations, shape (angles, correlations)."""
    p = np.clip(np.sin(angle) ** 2, 1e-15, 1 - 1e-15)
    before = np.logaddexp.reduce(log_densities(prior, p))
    shares = np.stack([p, 1 - p], axis=-1)[:, None, :]
    return np.asarray(before[:, None] + hands.log_likelihood(shares, rho[None, :]))


def _around(ends: tuple[float, float], kept: Mask) -> tuple[float, float]:
    """Return the ends of the span of the kept cells and one more cell on each side."""
    places = np.flatnonzero(kept)
    edges = np.linspace(*ends, len(kept) + 1)
    return float(edges[max(places[0] - 1, 0)]), float(edges[min(places[-1] + 2, len(kept))])


def confidence_interval(prior: Posterior, sides: int, throws: int) -> tuple[float, float]:
    """Return the 95 % interval of p that holds every truth as often, and is shortest on average over the prior.

    The sides are of independent throws, at least one.
    """
    # eight standard deviations
    middle, reach = np.arcsin(np.sqrt(sides / throws)), 4 / sqrt(throws)
    angles = np.linspace(max(middle - reach, 0.0), min(middle + reach, np.pi / 2), _POINTS)
    p = np.clip(np.sin(angles) ** 2, 1e-15, 1 - 1e-15)
    spare = 3 * sqrt(throws)
    counts = np.arange(
        max(0, round(throws * p[0] - spare)), min(throws, round(throws * p[-1] + spare)) + 1
    )
    log = binom.logpmf(counts, throws, p[:, None])
    kept = prior.weights > 0
    by_prior = binom.logpmf(counts, throws, prior.values[kept, None])
    ratio = log - logsumexp(by_prior + np.log(prior.weights[kept, None]), axis=0)
    better = ratio > ratio[:, counts == sides]
    held = np.flatnonzero((np.exp(log) * better).sum(axis=1) < 0.95)
    low, high = np.sin(angles[[max(held[0] - 1, 0), min(held[-1] + 1, _POINTS - 1)]]) ** 2
    return float(low), float(high)


def beta_of(mean: float, sd: float) -> tuple[float, float]:
    """Return the parameters of the beta distribution with this mean and standard deviation.

    Raises InvalidValueError if there is no such distribution.
    """
    if not 0 < mean < 1 or not 0 < sd**2 < mean * (1 - mean):
        raise InvalidValueError(
            f"no beta distribution has mean {mean:g} and standard deviation {sd:g}"
        )
    size = mean * (1 - mean) / sd**2 - 1
    return mean * size, (1 - mean) * size


def two_sided(measured: Posterior, law: tuple[float, float]) -> float:
    """Return the two-sided p-value of equal probabilities: twice the smaller probability that either is larger.

    The measured one is by the counts, with Jeffreys' prior; the law is given by the parameters of its beta
    distribution.
    """
    above = float(np.dot(beta.cdf(measured.values, *law), measured.weights))
    return min(1.0, 2 * max(0.0, min(above, 1 - above)))  # rounding may bring it outside


CELLS = 41
DRAWS = 400


@dataclass(frozen=True, eq=False)
class SurfacePosterior:
    """Posterior of friction and restitution of a surface on a grid."""

    friction: Posterior
    restitution: Posterior
    weights: Array
    """Joint posterior with sum 1, shape (friction, restitution); the values are the middles of equal cells."""
    fit_p_value: float
    """p-value of the fit at the best point of the ranges. If it is small, no surface in these ranges explains the
    counts under these throw conditions. It is conservative, because the best point is fitted."""


def surface_posterior(
    counts: HomeCounts,
    response: Response,
    ranges: Surface,
    rho: Posterior | None,
    rng: np.random.Generator,
    draws: int = DRAWS,
) -> SurfacePosterior | None:
    """Return the posterior of friction and restitution of the surface of counts.

    Bricks that leaned are left out if poses are known; the result is None if all of them leaned. With a response
    surface of the score alone, poses are not used. Raises InvalidValueError if the ranges exceed those of the response
    surface. Without poses only the share of sides is used. `rho` is the posterior of the correlation of bricks in a
    hand; None if all hands had one brick.
    """
    _check_ranges(response, ranges)
    if response.poses < len(RESPONSE_POSES):
        counts = replace(counts, poses=None)
    if counts.poses is not None and not counts.poses[:, : len(RESPONSE_POSES)].any():
        return None  # no settled brick is left
    hands, shares_of = outcomes_of(counts)
    values_of = [middles(*span, CELLS) for span in (ranges.friction, ranges.restitution)]
    grid = np.stack(np.meshgrid(*values_of, indexing="ij"), axis=-1).reshape(-1, 2)
    saturated = hands.above.sum(axis=1) / hands.above.sum()
    low, high = np.array(list(response.ranges.values())).T
    places = [list(response.ranges).index(name) for name in SURFACE_CAUSES]
    others = rng.uniform(low, high, (draws, len(low)))
    rhos = np.zeros(draws) if rho is None else rng.choice(rho.values, draws, p=rho.weights)
    least, most = CONTACT_LAW_LOGITS
    logits = rng.triangular(least, 0.0, most, draws)
    density = np.empty((draws, len(grid)))
    for draw, coefficients in enumerate(response.draws(draws, rng)):
        values = np.repeat(others[draw][None, :], len(grid), axis=0)
        values[:, places] = grid
        moved = with_side_odds(response.shares(values, coefficients), logits[draw])
        shares = shares_of(moved)
        best = hands.log_likelihood(saturated, rhos[draw])
        density[draw] = hands.log_likelihood(shares, rhos[draw]) - best
    top = float(density.max())
    weights = np.exp(density - top).sum(axis=0).reshape(CELLS, CELLS)
    weights /= weights.sum()
    return SurfacePosterior(
        Posterior(values_of[0], weights.sum(axis=1)),
        Posterior(values_of[1], weights.sum(axis=0)),
        weights,
        float(chi2.sf(max(0.0, -2 * top), len(saturated) - 1)),
    )


def _check_ranges(response: Response, ranges: Surface) -> None:
    for name in SURFACE_CAUSES:
        low, high = getattr(ranges, name)
        lowest, highest = response.ranges[name]
        if low < lowest or high > highest:
            raise InvalidValueError(
                f"{name} {low:g} to {high:g} of {ranges.name} reaches beyond the response surface, "
                f"{lowest:g} to {highest:g}"
            )


def outcomes_of(counts: HomeCounts) -> tuple[Hands, Callable[[Array], Array]]:
    """Return the statistics of hands by outcome, and the function from shares of poses to shares of outcomes.

    Bricks that leaned are left out if poses are known.
    """
    if counts.poses is None:
        return side_hands(counts), lambda s: np.stack([s[:, -1], 1 - s[:, -1]], axis=-1)
    settled = counts.poses[:, : len(RESPONSE_POSES)]
    is_settled = settled.any(axis=1)
    return hands_of(settled[is_settled], counts.times[is_settled]), lambda s: s
