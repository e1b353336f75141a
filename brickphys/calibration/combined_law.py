"""Combined law: tests of a law against bricks thrown at home, and the law that follows from both."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, hypot, sqrt

import numpy as np
from scipy.optimize import brentq
from scipy.special import betaln, logsumexp
from scipy.stats import beta, chi2, chi2_contingency, norm

from brickphys.calibration.home_counts import HomeCounts
from brickphys.calibration.law_stamp import law_stamp
from brickphys.calibration.posterior import (
    JEFFREYS,
    Posterior,
    Prior,
    SharePosterior,
    beta_of,
    confidence_interval,
    hands_of,
    log_densities,
    middles,
    robust,
    share_posterior,
    two_sided,
)
from brickphys.calibration.response_design import RESPONSE_POSES
from brickphys.calibration.systematic import moved_odds
from brickphys.odds.distribution import Z90, Z95, odds_factor, wilson
from brickphys.odds.law import Law
from brickphys.odds.provenance import Combined
from brickphys.odds.roll import overdispersion
from brickphys.text import counted

LEVEL = 0.05
"""Level of the tests: probability that a true law is rejected."""
POWER = 0.8
"""Power of the tests after the further throws, for a difference as large as the observed one."""
NOTICEABLE = 0.1
"""Difference of p, ten percentage points, that a test must be able to find before a fit is reported."""
_MOST = 1e9
_PARTS = 400
_OPEN = "no contradiction so far, but so few throws would not show a difference of ten points"


@dataclass(frozen=True)
class LawCheck:
    """Result of the tests of a law against counts."""

    p_value: float
    """p-value of equal probabilities of a side, with statistical errors only."""
    p_value_all: float
    """The same for some table of the law's kind and some hand (its 90 % range) included."""
    poses_p_value: float | None
    """p-value of equal shares of all poses, with statistical errors only; None if poses are not known."""
    lacking: int
    """Number of further bricks needed to find a difference of `NOTICEABLE`, with statistical errors only."""
    verdict: str
    """The conclusion, in a sentence."""

    @property
    def fits(self) -> bool | None:
        """Whether the law's share of sides fits, within its 90 % range; None if the throws are too few to tell."""
        return None if self.verdict == _OPEN else self.p_value_all >= LEVEL


@dataclass(frozen=True)
class MoreThrows:
    """Numbers of further bricks."""

    by_chance: int | None
    """Bricks until a difference from the law as large as the observed one is found with `POWER`, with statistical
    errors only; None if the law itself is not precise enough for any number of bricks."""
    all_doubt: int | None
    """The same with the law's 90 % range included."""
    half_width: float
    """Target for the half-width of the 95 % interval."""
    to_half_width: int
    """Bricks until that is reached; 0 if it is."""


def law_mean(law: Law) -> float:
    """Return the probability of a side in a law, smoothed so that it is never 0 or 1."""
    return (_sides_at_p(law) + 0.5) / (law.throws + 1)


def _sides_at_p(law: Law) -> int:
    """Return how many of a law's throws stop on a side at its chance p: those that did, if it has no nominal."""
    return round(law.p * law.throws)


def _counting_ci95(law: Law) -> tuple[float, float]:
    """Return the 95 % interval of a law's chance p by as many throws as were counted."""
    return law.share_ci95 if law.nominal is None else wilson(_sides_at_p(law), law.throws)


def law_sd(law: Law, *, systematic: bool) -> float:
    """Return the standard deviation of p in a law, optionally for some table of its kind and some hand.

    The latter is that of a normal distribution with the law's 90 % range. If p is not in its middle, the distance to
    the middle is added in quadrature. The interval of a measured or combined law has all of this already.
    """
    ends = _counting_ci95(law) if systematic else law.ci95
    statistical = (ends[1] - ends[0]) / (2 * Z95)
    if not systematic or law.p_range90 is None or law.has_all_doubt:
        return max(statistical, 1e-9)
    low, high = law.p_range90
    return hypot(statistical, (high - low) / (2 * Z90), law_mean(law) - (low + high) / 2)


def law_beta(law: Law, *, systematic: bool) -> tuple[float, float]:
    """Return the parameters of the beta distribution of p with `law_mean` and `law_sd`."""
    return beta_of(law_mean(law), law_sd(law, systematic=systematic))


def check_law(counts: HomeCounts, share: SharePosterior, law: Law) -> LawCheck:
    """Test a law against bricks thrown at home."""
    chance = two_sided(share.p, law_beta(law, systematic=False))
    everything = two_sided(share.p, law_beta(law, systematic=True))
    poses = _poses_p_value(counts, law, clumping(counts, share))
    lacking = _lacking(counts, share, law)
    return LawCheck(
        chance, everything, poses, lacking, _verdict(chance, everything, poses, lacking)
    )


def _lacking(counts: HomeCounts, share: SharePosterior, law: Law) -> int:
    """Return the number of further bricks that find a difference of `NOTICEABLE`."""
    q = law_mean(law)
    p = q + NOTICEABLE if q < 0.5 else q - NOTICEABLE  # towards 1/2, where the variance is largest
    needed = throws_to_tell(p, q, law_sd(law, systematic=False), clumping(counts, share))
    return max(0, (needed or ceil(_MOST)) - counts.thrown)


def _verdict(chance: float, everything: float, poses: float | None, lacking: int) -> str:
    if everything < LEVEL:
        return "the law does not fit, even with its 90 % range of tables, moulds and throws"
    if chance < LEVEL:
        return "the law fits only with its 90 % range of tables, moulds and throws"
    if poses is not None and poses < LEVEL:
        return "the share of sides fits the law, the shares of the other poses do not"
    if lacking:
        return _OPEN
    return "the law fits"


def clumping(counts: HomeCounts, share: SharePosterior) -> float:
    """Return the factor by which the correlation of bricks in a hand increases the variance of the share of sides."""
    if share.rho is None:
        return 1.0
    weighted = float((counts.bricks.astype(np.float64) ** 2) @ counts.times / counts.thrown)
    return 1 + (weighted - 1) * share.rho.mean


def _poses_p_value(counts: HomeCounts, law: Law, factor: float) -> float | None:
    """Return the p-value of equal shares of the settled poses, corrected for correlation (Rao and Scott, 1984)."""
    totals = counts.pose_totals()
    if totals is None or any(pose not in law.counts for pose in RESPONSE_POSES):
        return None
    table = np.array(
        [[totals[pose] for pose in RESPONSE_POSES], [law.counts[pose] for pose in RESPONSE_POSES]]
    )
    table = table[:, table.any(axis=0)]
    if table.shape[1] < 2 or not table.any(axis=1).all():
        return None
    found = chi2_contingency(table, correction=False)
    return float(chi2.sf(found.statistic / factor, table.shape[1] - 1))


def more_throws(
    counts: HomeCounts, share: SharePosterior, law: Law | None, half_width: float
) -> MoreThrows:
    """Return the numbers of further bricks for a test of the law and for a half-width.

    The half-width is that of the 95 % interval of p.
    """
    p, factor = share.p.mean, clumping(counts, share)
    wanted = Z95**2 * p * (1 - p) * factor / half_width**2

    def until_found(systematic: bool) -> int | None:
        if law is None:
            return None
        needed = throws_to_tell(p, law_mean(law), law_sd(law, systematic=systematic), factor)
        return None if needed is None else max(0, needed - counts.thrown)

    return MoreThrows(
        until_found(False), until_found(True), half_width, max(0, ceil(wanted) - counts.thrown)
    )


def throws_to_tell(p: float, q: float, sd: float, factor: float = 1.0) -> int | None:
    """Return the number of bricks that distinguishes p from q with `POWER` at `LEVEL`; None if none up to 1e9 does.

    `factor` is that of the variance by correlation of bricks in a hand.
    """
    miss, power = float(norm.ppf(1 - LEVEL / 2)), float(norm.ppf(POWER))

    def shortfall(n: float) -> float:
        same = sqrt(q * (1 - q) * factor / n + sd**2)
        other = sqrt(p * (1 - p) * factor / n + sd**2)
        return miss * same + power * other - abs(p - q)

    if shortfall(_MOST) >= 0:
        return None
    return 1 if shortfall(1.0) <= 0 else ceil(brentq(shortfall, 1.0, _MOST, rtol=1e-10))


def combined_law(law: Law, counts: HomeCounts, file: str, command: str) -> Law:
    """Return the law that follows from a prior law and from counts on its surface.

    The prior of p is a beta distribution with the law's statistical uncertainty and its 90 % range, in a robust mixture
    with a uniform one, whose weight grows as the counts contradict the law (`posterior.robust`). Bricks thrown
    together stop on a side a little more or less often than a single one. The law's factor between the odds of both
    holds for the hands at home, too, and for those of the combined law. The interval of the posterior becomes the law's
    interval. The law's counts are scaled to the number of throws that would give p the same precision; this is less
    than the number of simulated throws, since these do not narrow the 90 % range. The correlation between bricks of a
    hand is that of the hands at home if their test finds one, else that of the prior law.
    """
    posterior = combined_posterior(
        robust_prior(law, counts.scores()), counts.scores(), hand_factor(law)
    )
    size, sides = equivalent_counts(posterior)
    poses = _poses(law, counts, size - sides) | split(
        sides, {pose: law.counts[pose] for pose in law.scoring}
    )
    combined = Combined(
        file=file,
        scores=counts.scores(),
        poses=counts.pose_totals(),
        prior_p=_sides_at_p(law) / law.throws,
        prior_ci95=_counting_ci95(law),
        prior_range90=law.p_range90,
        prior_throws=law.throws,
        prior_command=law.command,
        prior_p_in_hand=float(law.hand_fit.share),
    )
    return replace(
        law_by(law, posterior, {pose: poses[pose] for pose in law.counts}, counts),
        command=command,
        combined=combined,
        measured=None,
        contradiction=contradiction_by(law, counts.scores(), file) or law.contradiction,
        name="",
    )


def law_by(law: Law, p: Posterior, poses: Mapping[str, int], counts: HomeCounts | None) -> Law:
    """Return a law with the posterior of one table and one hand instead of throws.

    `poses` are the bricks of `equivalent_counts`. The hands of the counts at home replace those of the law if they show
    a correlation.
    """
    size, sides = equivalent_counts(p)
    low, high = p.ci95
    own = overdispersion(counts.scores()) if counts else None
    is_own = own is not None and own.found
    return replace(
        law,
        counts=poses,
        share_ci95=(min(low, sides / size), max(high, sides / size)),
        scores={1: (size - sides, sides)},
        hands_engine=None,
        overdispersion=own if is_own else law.overdispersion,
        prior_hands=None if is_own else law.tested_hands,
        p_range90=p.range90,
        nominal=None,
        posterior=None,
        systematic=None,
        validation=None,
        stamp=law_stamp(),
    )


def contradiction_by(law: Law, scores: Mapping[int, Sequence[int]], file: str) -> str:
    """Return in a sentence that counts contradict a law even within its 90 % range; empty if they do not.

    `scores` has for bricks K in a hand the counts of hands that scored 0, 1, ..., K.
    """
    thrown = sum(bricks * sum(counts) for bricks, counts in scores.items())
    return contradiction(
        thrown, file, "the prior law, even within its 90 % range", agreement(law, scores)
    )


def contradiction(thrown: int, file: str, other: str, p_value: float) -> str:
    """Return in a sentence that the counts in a file contradict something; empty if the p-value does not show it."""
    if p_value >= LEVEL:
        return ""
    bricks = counted(thrown, "brick")
    return (
        f"{bricks} of {file} contradict {other} (p-value {p_value:.2g}), so the counts weigh more"
    )


def agreement(law: Law, scores: Mapping[int, Sequence[int]]) -> float:
    """Return the p-value of equal chances of a side by counts and by a law with its 90 % range."""
    return two_sided(_updated(JEFFREYS, scores), law_beta(law, systematic=True))


def robust_prior(law: Law, scores: Mapping[int, Sequence[int]]) -> Prior:
    """Return the prior of a law for counts: a beta distribution, and the more of a uniform one the less they agree."""
    return robust(law_beta(law, systematic=True), agreement(law, scores))


def confidence_with(law: Law, counts: HomeCounts, share: SharePosterior) -> tuple[float, float]:
    """Return the 95 % interval of p by a law and counts that holds the truth also where the law's range is wrong."""
    places = middles(0.0, 1.0, _PARTS)
    by_law = beta.ppf(places, *law_beta(law, systematic=True))
    factor = hand_factor(law) if counts.largest > 1 else 1.0
    prior = Posterior(moved_odds(by_law, factor), np.full(_PARTS, 1 / _PARTS))
    ends = confidence_interval(prior, *independent(counts, share))
    low, high = moved_odds(np.array(ends), 1 / factor).tolist()
    return low, high


def independent(counts: HomeCounts, share: SharePosterior) -> tuple[int, int]:
    """Return the sides and the number of independent throws that tell as much of p as bricks in hands."""
    throws = max(1, round(counts.thrown / clumping(counts, share)))
    return round(throws * counts.sides / counts.thrown), throws


def hand_factor(law: Law) -> float:
    """Return the odds of a side of a brick in a hand over those of a single one."""
    return odds_factor(float(law.p), float(law.hand_fit.share))


def combined_posterior(
    prior: Prior, scores: Mapping[int, Sequence[int]], factor: float
) -> Posterior:
    """Return the posterior of the probability of a side of a single brick.

    `scores` has for bricks K in a hand the counts of hands that scored 0, 1, ..., K.
    """
    alone = {bricks: counts for bricks, counts in scores.items() if bricks == 1}
    together = {bricks: counts for bricks, counts in scores.items() if bricks > 1}
    if not together:
        return _updated(prior, alone)
    others, sides = alone.get(1, (0, 0))
    found = _updated(_in_hand(prior, sides, others, factor), together)
    return Posterior(moved_odds(found.values, 1 / factor), found.weights)


def _in_hand(prior: Prior, sides: int, others: int, factor: float) -> Prior:
    """Return the prior of a brick in a hand after single bricks: by Bayes' rule a mixture, too, with its odds moved."""
    before = np.array(list(prior))
    after = before + np.array([sides, others])
    seen = np.log(list(prior.values())) + betaln(*after.T) - betaln(*before.T)
    size = after.sum(axis=1)  # moved odds weigh as many throws
    a = moved_odds(after[:, 0] / size, factor) * size
    weights = np.maximum(np.exp(seen - logsumexp(seen)), 1e-300)
    parts = zip(a.tolist(), (size - a).tolist(), strict=True)
    return dict(zip(parts, weights.tolist(), strict=True))


def _updated(prior: Prior, scores: Mapping[int, Sequence[int]]) -> Posterior:
    rows = [
        (score, bricks - score, hands)
        for bricks, counts in scores.items()
        for score, hands in enumerate(counts)
        if hands
    ]
    table = np.array(rows)
    return share_posterior(hands_of(table[:, :2], table[:, 2]), prior).p


def own_weight(prior: Law, combined: Law) -> float:
    """Return how much of a combined law comes from the counts at home, 0 to 1; the rest comes from its prior law.

    Both are measured by the throws that would give p the same precision. The chance of the combined law is then about
    the mean of that of the counts and that of the prior law, with these weights. The uniform part of the prior leaves
    all weight to the counts.
    """
    assert combined.combined is not None
    mixture = robust_prior(prior, combined.combined.scores)
    found = combined_posterior(mixture, combined.combined.scores, hand_factor(prior))
    parts = log_densities(mixture, found.values)
    by_law = float(np.exp(parts[0] - logsumexp(parts, axis=0)) @ found.weights)
    worth = prior_worth(prior)
    return 1.0 - by_law * worth / (worth + own_throws(prior, combined))


def own_throws(prior: Law, combined: Law) -> float:
    """Return the number of independent throws that would tell as much of p as the counts at home."""
    assert combined.combined is not None
    whole = {law_beta(prior, systematic=True): 1.0}
    found = combined_posterior(whole, combined.combined.scores, hand_factor(prior))
    return max(0.0, equivalent_counts(found)[0] - prior_worth(prior))


def prior_worth(prior: Law) -> float:
    """Return the number of independent throws that would give p the precision that it has in a prior law."""
    return sum(law_beta(prior, systematic=True))


def _poses(law: Law, counts: HomeCounts, total: int) -> dict[str, int]:
    """Return `total` bricks in the poses that do not score, in the shares of the law and the counts together."""
    home = counts.pose_totals() or {}
    others = [pose for pose in law.counts if pose not in law.scoring]
    # the prior law is scaled to the part of the result that exceeds the counts at home
    before = sum(law.counts[pose] for pose in others)
    worth = max(total - sum(home.get(pose, 0) for pose in others), 1) / max(before, 1)
    weights = {pose: law.counts[pose] * worth + home.get(pose, 0) for pose in others}
    return split(total, weights)


def equivalent_counts(p: Posterior) -> tuple[int, int]:
    """Return the number of throws that would give p its precision, and the number of sides among them."""
    size = round(sum(beta_of(p.mean, p.sd)))
    return size, min(max(round(p.mean * size), 1), size - 1)


def split(total: int, weights: Mapping[str, float]) -> dict[str, int]:
    """Return `total` bricks shared out by weights; the largest one takes what rounding leaves."""
    scale = total / (sum(weights.values()) or 1.0)
    shared = {pose: int(weight * scale) for pose, weight in weights.items()}
    largest = max(weights, key=lambda pose: weights[pose])
    shared[largest] += total - sum(shared.values())
    return shared
