"""Law check: whether a law fits what was thrown at home, and how many more throws would settle it."""

from dataclasses import dataclass
from math import ceil, sqrt

import numpy as np
from scipy.optimize import brentq
from scipy.stats import chi2, chi2_contingency, norm

from brickphys.calibration.home_counts import HomeCounts
from brickphys.calibration.posterior import SharePosterior, beta_of, two_sided
from brickphys.calibration.response_design import POSES
from brickphys.odds.intervals import Z95
from brickphys.odds.law import Law
from brickphys.odds.roll import SIDE

LEVEL = 0.05
"""A law that is right is refused so often."""
POWER = 0.8
"""A difference as large as the one observed is found so often, after as many throws as are asked for."""
NOTICEABLE = 0.1
"""A difference of ten points: whoever has too few bricks to find even that can say nothing of a law."""
_MOST = 1e9


@dataclass(frozen=True)
class LawCheck:
    """A law against counts.

    Attributes
    ----------
    p_value
        Of one chance behind both, if only chance makes them differ: the throws at home and those of the law.
    p_value_all
        The same with the law's systematic doubt: another table, mould or hand may make them differ as well.
    poses_p_value
        Of the same shares of poses, by chance alone; None if poses are not known.
    lacking
        How many more bricks it takes before a difference of `NOTICEABLE` would be found, by chance alone; 0 if there
        are enough.
    verdict
        What that means, in a sentence.
    """

    p_value: float
    p_value_all: float
    poses_p_value: float | None
    lacking: int
    verdict: str

    @property
    def fits(self) -> bool:
        """Whether the law's share of sides fits, with its systematic doubt."""
        return self.p_value_all >= LEVEL


@dataclass(frozen=True)
class MoreThrows:
    """How many bricks are to be thrown in addition.

    Attributes
    ----------
    by_chance
        Until a difference from the law as large as the one observed is found four times in five, where only chance
        counts; None if no number of throws does it, because the law itself is not known so well.
    all_doubt
        The same where the law's systematic doubt counts.
    half_width
        Half the width of the 95 % interval that is aimed at.
    to_half_width
        Until it is reached; 0 if it is.
    """

    by_chance: int | None
    all_doubt: int | None
    half_width: float
    to_half_width: int


def law_mean(law: Law) -> float:
    """Return the chance of a side in a law, never quite 0 or 1."""
    return (law.counts[SIDE] + 0.5) / (law.throws + 1)


def law_sd(law: Law, *, systematic: bool) -> float:
    """Return the standard deviation of what a law says of p.

    Each cause of the systematic part is anywhere in its range, equally likely: its half shift is worth a standard
    deviation 1 / sqrt(3) as large, and so is all of them together.
    """
    chance = (law.ci95[1] - law.ci95[0]) / (2 * Z95)
    doubt = law.systematic.half_width / sqrt(3) if systematic and law.systematic else 0.0
    return max(sqrt(chance**2 + doubt**2), 1e-9)


def law_beta(law: Law, *, systematic: bool) -> tuple[float, float]:
    """Return the beta law of p that has a law's mean and `law_sd`."""
    return beta_of(law_mean(law), law_sd(law, systematic=systematic))


def check_law(counts: HomeCounts, share: SharePosterior, law: Law) -> LawCheck:
    """Return whether a law fits what was thrown.

    Parameters
    ----------
    counts
        What was thrown, on the law's surface.
    share
        What the counts say of p without the law.
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
    """Return how many more bricks find a difference of `NOTICEABLE`."""
    q = law_mean(law)
    p = q + NOTICEABLE if q < 0.5 else q - NOTICEABLE  # towards a half, where chance is largest
    needed = throws_to_tell(p, q, law_sd(law, systematic=False), clumping(counts, share))
    return max(0, (needed or ceil(_MOST)) - counts.thrown)


def _verdict(chance: float, everything: float, poses: float | None, lacking: int) -> str:
    if everything < LEVEL:
        return "the law does not fit, not even with all that is not known of table, mould and throw"
    if chance < LEVEL:
        return "the law fits only because table, mould and throw may differ from those it was measured with"
    if poses is not None and poses < LEVEL:
        return "the share of sides fits the law, the shares of the other poses do not"
    if lacking:
        return "nothing speaks against it yet, but so few bricks would not show a difference of ten points"
    return "the law fits"


def clumping(counts: HomeCounts, share: SharePosterior) -> float:
    """Return by which factor the bricks of one hand being alike widens the variance of the share of sides."""
    if share.rho is None:
        return 1.0
    weighted = float((counts.bricks.astype(np.float64) ** 2).sum() / counts.thrown)
    return 1 + (weighted - 1) * share.rho.mean


def _poses_p_value(counts: HomeCounts, law: Law, factor: float) -> float | None:
    """Return the p-value of equal shares of the settled poses, corrected for clumping (Rao and Scott, 1984)."""
    totals = counts.pose_totals()
    if totals is None or any(pose not in law.counts for pose in POSES):
        return None
    table = np.array([[totals[pose] for pose in POSES], [law.counts[pose] for pose in POSES]])
    table = table[:, table.any(axis=0)]
    if table.shape[1] < 2 or not table.any(axis=1).all():
        return None
    found = chi2_contingency(table, correction=False)
    return float(chi2.sf(found.statistic / factor, table.shape[1] - 1))


def more_throws(
    counts: HomeCounts, share: SharePosterior, law: Law | None, half_width: float
) -> MoreThrows:
    """Return how many more bricks would settle what is open.

    Parameters
    ----------
    counts, share
        What was thrown, and what it says of p.
    law
        To be told from; None if there is none for this surface.
    half_width
        Aim for the 95 % interval of p.
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
    """Return how many bricks tell a chance p from a chance q that is known to `sd`, with `POWER` at `LEVEL`.

    Parameters
    ----------
    p, q
        Two chances.
    sd
        Standard deviation of the second.
    factor
        By which bricks of one hand being alike widens the variance.

    Returns
    -------
    int or None
        None if no number up to a thousand million does.
    """
    miss, power = float(norm.ppf(1 - LEVEL / 2)), float(norm.ppf(POWER))

    def lacking(n: float) -> float:
        same = sqrt(q * (1 - q) * factor / n + sd**2)
        other = sqrt(p * (1 - p) * factor / n + sd**2)
        return miss * same + power * other - abs(p - q)

    if lacking(_MOST) >= 0:
        return None
    return 1 if lacking(1.0) <= 0 else ceil(brentq(lacking, 1.0, _MOST, rtol=1e-10))
