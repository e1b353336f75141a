"""Surface posterior: friction and restitution from counts, by means of the response surface.

The prior is uniform over ranges of friction and restitution. The likelihood is averaged over draws of everything else
that is uncertain, so the intervals include that uncertainty: the causes of mould and throw (wall, top, stud height;
height, speed, spin) are uniform over their ranges, the response surface is drawn from its error, and the correlation
of bricks in a hand from its posterior, which is nearly independent of the shares.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy.stats import chi2

from brickphys.arrays import Array
from brickphys.calibration.hands import Hands, hands_of, side_hands
from brickphys.calibration.home_counts import HomeCounts
from brickphys.calibration.posterior import Posterior, middles
from brickphys.calibration.response.design import RESPONSE_POSES
from brickphys.calibration.response.surface import SURFACE_CAUSES, Response
from brickphys.errors import InvalidValueError
from brickphys.throws.surfaces import Surface

CELLS = 41
DRAWS = 400


@dataclass(frozen=True, eq=False)
class SurfacePosterior:
    """Posterior of friction and restitution of a surface on a grid.

    Attributes
    ----------
    friction, restitution
        Marginal posteriors.
    weights : ndarray, shape (friction, restitution)
        Joint posterior with sum 1; the values are the middles of equal cells.
    fit_p_value
        p-value of the fit at the best point of the ranges. If it is small, no surface in these ranges explains the
        counts under these throw conditions. It is conservative, because the best point is fitted.
    """

    friction: Posterior
    restitution: Posterior
    weights: Array
    fit_p_value: float


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
    surface of the score alone, poses are not used.

    Parameters
    ----------
    counts
        Hands of bricks; without poses only the share of sides is used.
    response
        Shares of poses over the uncertain causes.
    ranges
        Prior ranges of friction and restitution.
    rho
        Posterior of the correlation of bricks in a hand; None if all hands had one brick.
    rng
        Random generator of the draws.
    draws
        Number of draws.

    Raises
    ------
    InvalidValueError
        If the ranges exceed those of the response surface.
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
    density = np.empty((draws, len(grid)))
    for draw, coefficients in enumerate(response.draws(draws, rng)):
        values = np.repeat(others[draw][None, :], len(grid), axis=0)
        values[:, places] = grid
        shares = shares_of(response.shares(values, coefficients))
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
