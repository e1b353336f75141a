"""Measured posterior: friction, restitution, mould, throw and p, from measurements and from counted bricks.

Every cause is drawn from its distribution: that of its measurement, or uniform over its range if it was not measured.
The response surface, drawn from its error, turns each draw into shares of the poses. Counted bricks weight the draws
by their likelihood. As these shares may be wrong, they are one part of a robust mixture (`posterior.prior_weight`). The
other part is uniform over all shares: there the counts alone decide, and causes keep their distributions. `ASSUMPTIONS`
lists what this assumes, `COUNTS_ASSUMPTION` what the counts add.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln, logsumexp

from brickphys.calibration import posterior
from brickphys.calibration.combined_law import clumping, independent
from brickphys.calibration.home_counts import HomeCounts
from brickphys.calibration.measure.measured import Part, Quantity, Uniform
from brickphys.calibration.response import Response, with_side_odds
from brickphys.calibration.response_design import RESPONSE_POSES
from brickphys.calibration.systematic import CONTACT_LAW_LOGITS
from brickphys.errors import InvalidValueError
from brickphys.odds.roll import SIDE
from brickphys.throws.conditions import Surface
from brickphys.units import Array

DRAWS = 20_000
LEAST_DRAWS = 100
"""Fewer effective draws than this do not describe a posterior."""
ASSUMPTIONS = (
    "in impacts a part of the sliding friction acts, any of the surface's range: on wood from half to all of it",
    "restitution is that of the dropped body, at any speed and for any corner of the brick",
    "other throws are like the filmed ones: horizontal speed and spin are normal, alike on each axis; at release "
    "any orientation is equally likely, or a brick is as picked up",
    "a cause that was not measured is uniform over its range: table, walls, top, studs and edges of the brick, throw",
    "another law of contact than that of the engines changes the odds of a side by -8 to +14 % (triangular, peak at 0)",
)
COUNTS_ASSUMPTION = "counted bricks were thrown on the same table and like the filmed ones"
_SIDE = RESPONSE_POSES.index(SIDE)
_TINY = 1e-300
_THROW = ("height_mm", "speed_m_s", "spin_rad_s")
"""Causes whose range `--throws` moves; friction and restitution have one range for all surfaces."""


@dataclass(frozen=True, eq=False)
class MeasuredPosterior:
    """Posterior of all causes and of the probability of a side."""

    p: posterior.Posterior
    """Probability of a side, with the counts if there are any."""
    measured_p: posterior.Posterior
    """The same by the measurements alone."""
    causes: Mapping[str, posterior.Posterior]
    shares: Mapping[str, float]
    """Posterior mean of the share of each pose."""
    draws: float
    """Effective number of draws."""
    cut_off: tuple[str, ...]
    """A sentence for each measured cause whose interval reaches beyond the response surface, where it is cut off."""
    counted_p: posterior.Posterior | None = None
    """The same by the counts alone; None without counts."""
    confidence: tuple[float, float] | None = None
    """95 % interval by both that holds the truth also where the simulated range is wrong; None without counts."""
    agreement: float | None = None
    """p-value of equal probabilities of a side by measurements and by counts; None without counts."""
    counts_weight: float = 0.0
    """Posterior probability of the uniform part of the prior, by which the counts alone decide."""


def measured_posterior(
    measured: Mapping[str, Quantity],
    response: Response,
    surface: Surface,
    counts: HomeCounts | None,
    rng: np.random.Generator,
    draws: int = DRAWS,
    *,
    offsets: Sequence[float] = (0.0,),
) -> MeasuredPosterior:
    """Return the posterior of all causes and of p.

    Raises InvalidValueError if a measured value or the range of the surface is outside the response surface, or if too
    few draws explain the counts.

    Parameters
    ----------
    surface
        Ranges of friction and restitution where they were not measured, and of the friction that acts in impacts.
    counts
        Bricks thrown on the measured table; None if none were counted.
    offsets
        Draws of the reference engine's offset, in logarithms of the odds of a side.
    """
    measured = _in_impacts(measured, surface)
    values = np.column_stack(
        [
            _quantity(name, ends, measured, surface).draws(rng.random(draws), *ends)
            for name, ends in response.ranges.items()
        ]
    )
    least, most = CONTACT_LAW_LOGITS
    logits = rng.triangular(least, 0.0, most, draws) + rng.choice(offsets, draws)
    shares = with_side_odds(response.drawn_shares(values, rng), logits)
    before = np.full(draws, 1 / draws)
    weights, of_causes = before, before
    measured_p = _posterior(shares[:, _SIDE], before)
    counted_p = agreement = confidence = None
    if counts is not None:
        share = posterior.share_posterior(posterior.side_hands(counts))
        counted_p = share.p
        confidence = posterior.confidence_interval(measured_p, *independent(counts, share))
        agreement = posterior.two_sided(
            counted_p, posterior.beta_of(measured_p.mean, measured_p.sd)
        )
        shares, weights = _by_counts(counts, share, shares, posterior.prior_weight(agreement), rng)
        of_causes = weights[:draws] + weights[draws:].sum() / draws
    left = float(1 / np.square(weights).sum())
    if left < LEAST_DRAWS:
        raise InvalidValueError(
            f"counts: only {left:.0f} of {draws:,} draws of the measurements explain the poses, too few for a law"
        )
    return MeasuredPosterior(
        p=_posterior(shares[:, _SIDE], weights),
        measured_p=measured_p,
        causes={
            name: _posterior(column, of_causes)
            for name, column in zip(response.ranges, values.T, strict=True)
        },
        shares=dict(zip(RESPONSE_POSES, (weights @ shares).tolist(), strict=True)),
        draws=left,
        cut_off=tuple(_cut_off(measured, response.ranges)),
        counted_p=counted_p,
        confidence=confidence,
        agreement=agreement,
        counts_weight=float(weights[draws:].sum()),
    )


def _in_impacts(measured: Mapping[str, Quantity], surface: Surface) -> Mapping[str, Quantity]:
    """Return what was measured with the friction that acts in impacts: a part of it, as of that of the surface."""
    if "friction" not in measured:
        return measured
    ends = zip(surface.of_impacts.friction, surface.friction, strict=True)
    low, high = sorted(acts / slides if slides else 1.0 for acts, slides in ends)
    return {**measured, "friction": Part(measured["friction"], low, high)}


def _quantity(
    name: str, ends: tuple[float, float], measured: Mapping[str, Quantity], surface: Surface
) -> Quantity:
    """Return the distribution of a cause: measured, of the surface, or uniform over the response surface."""
    low, high = ends
    found = measured.get(name) or Uniform(*getattr(surface.of_impacts, name, ends))
    middle, (least, most) = found.quantiles(np.array([0.5]))[0], found.ci95
    if not low <= middle <= high:
        raise InvalidValueError(
            f"{name} {middle:.3g} ({least:.3g} to {most:.3g}) is outside the response surface, {low:.3g} to {high:.3g}"
            f"{_remedy(name)}"
        )
    return found


def _cut_off(
    measured: Mapping[str, Quantity], ranges: Mapping[str, tuple[float, float]]
) -> Iterator[str]:
    for name, (low, high) in ranges.items():
        if name in measured:
            least, most = measured[name].ci95
            if least < low or most > high:
                yield (
                    f"{name} ({least:.3g} to {most:.3g}) is cut off at the ends of the response surface, "
                    f"{low:.3g} to {high:.3g}{_remedy(name)}"
                )


def _remedy(name: str) -> str:
    return "; throws=1000000 (--throws 1000000) makes one around it" if name in _THROW else ""


def _by_counts(
    counts: HomeCounts,
    share: posterior.SharePosterior,
    shares: Array,
    weight: float,
    rng: np.random.Generator,
) -> tuple[Array, Array]:
    """Return draws of the shares by the measurements, of a prior weight, then by the counts alone; all their weights.

    The latter are drawn as from fewer bricks without correlation: exactly if there is none, else weights correct it.
    """
    if counts.poses is not None and not counts.poses[:, : len(RESPONSE_POSES)].any():
        raise InvalidValueError("all counted bricks leaned: they say nothing about single bricks")
    hands, shares_of = posterior.outcomes_of(counts)
    rho = share.rho
    rhos = 0.0 if rho is None else rng.choice(rho.values, len(shares), p=rho.weights)
    log = np.log(weight) + hands.log_likelihood(shares_of(shares), rhos)
    if weight == 1:
        return shares, np.exp(log - logsumexp(log))
    a = 1 + hands.above.sum(axis=1) / clumping(counts, share)
    outcomes = np.maximum(rng.dirichlet(a, len(shares)), _TINY)
    drawn_by = gammaln(a.sum()) - gammaln(a).sum() + np.log(outcomes) @ (a - 1)
    log_uniform = gammaln(len(a)) + hands.log_likelihood(outcomes, rhos) - drawn_by
    log = np.concatenate([log, np.log1p(-weight) + log_uniform])
    if len(a) < len(RESPONSE_POSES):
        # the score alone: a side or not; the others as by the measurements
        others = shares[:, :_SIDE].sum(axis=0) / shares[:, :_SIDE].sum()
        outcomes = np.column_stack([outcomes[:, 1:] * others, outcomes[:, 0]])
    return np.vstack([shares, outcomes]), np.exp(log - logsumexp(log))


def _posterior(values: Array, weights: Array) -> posterior.Posterior:
    order = np.argsort(values)
    return posterior.Posterior(values[order], weights[order])
