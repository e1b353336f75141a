"""Law check: tests of a law against bricks thrown at home, and the number of further throws needed."""

from dataclasses import dataclass
from math import ceil, hypot, sqrt

import numpy as np
from scipy.optimize import brentq
from scipy.stats import chi2, chi2_contingency, norm

from brickphys.calibration.home_counts import HomeCounts
from brickphys.calibration.posterior import SharePosterior, beta_of, two_sided
from brickphys.calibration.response.design import RESPONSE_POSES
from brickphys.odds.intervals import Z90, Z95
from brickphys.odds.law import Law

LEVEL = 0.05
"""Level of the tests: probability that a true law is rejected."""
POWER = 0.8
"""Power of the tests after the further throws, for a difference as large as the observed one."""
NOTICEABLE = 0.1
"""Difference of p, ten percentage points, that a test must be able to find before a fit is reported."""
_MOST = 1e9
_OPEN = "no contradiction so far, but so few throws would not show a difference of ten points"


@dataclass(frozen=True)
class LawCheck:
    """Result of the tests of a law against counts.

    Attributes
    ----------
    p_value
        p-value of equal probabilities of a side, with statistical errors only.
    p_value_all
        The same for some table of the law's kind and some hand (its 90 % range) included.
    poses_p_value
        p-value of equal shares of all poses, with statistical errors only; None if poses are not known.
    lacking
        Number of further bricks needed to find a difference of `NOTICEABLE`, with statistical errors only.
    verdict
        The conclusion, in a sentence.
    """

    p_value: float
    p_value_all: float
    poses_p_value: float | None
    lacking: int
    verdict: str

    @property
    def fits(self) -> bool | None:
        """Whether the law's share of sides fits, within its 90 % range; None if the throws are too few to tell."""
        return None if self.verdict == _OPEN else self.p_value_all >= LEVEL


@dataclass(frozen=True)
class MoreThrows:
    """Numbers of further bricks.

    Attributes
    ----------
    by_chance
        Bricks until a difference from the law as large as the observed one is found with `POWER`, with statistical
        errors only; None if the law itself is not precise enough for any number of bricks.
    all_doubt
        The same with the law's 90 % range included.
    half_width
        Target for the half-width of the 95 % interval.
    to_half_width
        Bricks until that is reached; 0 if it is.
    """

    by_chance: int | None
    all_doubt: int | None
    half_width: float
    to_half_width: int


def law_mean(law: Law) -> float:
    """Return the probability of a side in a law, smoothed so that it is never 0 or 1."""
    return (law.sides + 0.5) / (law.throws + 1)


def law_sd(law: Law, *, systematic: bool) -> float:
    """Return the standard deviation of p in a law, optionally for some table of its kind and some hand.

    The latter is that of a normal distribution with the law's 90 % range. If p is not in its middle, the distance to
    the middle is added in quadrature. The interval of a measured or combined law has all of this already.
    """
    statistical = (law.ci95[1] - law.ci95[0]) / (2 * Z95)
    if not systematic or law.p_range90 is None or law.has_all_doubt:
        return max(statistical, 1e-9)
    low, high = law.p_range90
    return hypot(statistical, (high - low) / (2 * Z90), law_mean(law) - (low + high) / 2)


def law_beta(law: Law, *, systematic: bool) -> tuple[float, float]:
    """Return the parameters of the beta distribution of p with `law_mean` and `law_sd`."""
    return beta_of(law_mean(law), law_sd(law, systematic=systematic))


def check_law(counts: HomeCounts, share: SharePosterior, law: Law) -> LawCheck:
    """Test a law against bricks thrown at home.

    Parameters
    ----------
    counts
        Bricks thrown on the law's surface.
    share
        Posterior of p from the counts alone.
    law
        The law.
    """
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

    Parameters
    ----------
    counts, share
        Bricks thrown, and the posterior of p from them.
    law
        The law to test; None if there is none for this surface.
    half_width
        Target for the half-width of the 95 % interval of p.
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
    """Return the number of bricks that distinguishes p from q with `POWER` at `LEVEL`.

    Parameters
    ----------
    p, q
        Two probabilities.
    sd
        Standard deviation of q.
    factor
        Factor of the variance by correlation of bricks in a hand.

    Returns
    -------
    int or None
        None if no number up to 1e9 does.
    """
    miss, power = float(norm.ppf(1 - LEVEL / 2)), float(norm.ppf(POWER))

    def shortfall(n: float) -> float:
        same = sqrt(q * (1 - q) * factor / n + sd**2)
        other = sqrt(p * (1 - p) * factor / n + sd**2)
        return miss * same + power * other - abs(p - q)

    if shortfall(_MOST) >= 0:
        return None
    return 1 if shortfall(1.0) <= 0 else ceil(brentq(shortfall, 1.0, _MOST, rtol=1e-10))
