"""Combined law: the law that follows from a prior law and from counts of bricks thrown at home."""

from collections.abc import Mapping, Sequence

import numpy as np

from brickphys.arrays import Array
from brickphys.calibration.hands import hands_of
from brickphys.calibration.home_counts import HomeCounts
from brickphys.calibration.law_check import LEVEL, law_beta
from brickphys.calibration.law_stamp import law_stamp
from brickphys.calibration.posterior import (
    JEFFREYS,
    Posterior,
    beta_of,
    share_posterior,
    two_sided,
)
from brickphys.odds.distribution import odds_factor
from brickphys.odds.law import Law
from brickphys.odds.overdispersion import overdispersion
from brickphys.odds.provenance import Combined
from brickphys.text import counted


def combined_law(law: Law, counts: HomeCounts, file: str, command: str) -> Law:
    """Return the law that follows from a prior law and from counts on its surface.

    The prior of p is a beta distribution with the law's statistical uncertainty and its 90 % range. Bricks thrown
    together stop on a side a little more or less often than a single one. The law's factor between the odds of both
    holds for the hands at home, too, and for those of the combined law. The interval of the posterior becomes the law's
    interval. The law's counts are scaled to the number of throws that would give p the same precision; this is less
    than the number of simulated throws, since these do not narrow the 90 % range. The correlation between bricks of a
    hand is that of the hands at home if their test finds one, else that of the prior law.

    Parameters
    ----------
    law
        The prior law.
    counts
        Bricks thrown at home.
    file
        Name of the counts file, stored in the law.
    command
        The command line, stored in the law.
    """
    posterior = combined_posterior(
        law_beta(law, systematic=True), counts.scores(), hand_factor(law)
    )
    size, sides = equivalent_counts(posterior)
    poses = _poses(law, counts, size - sides) | split(
        sides, {pose: law.counts[pose] for pose in law.scoring}
    )
    own = overdispersion(counts.scores())
    low, high = posterior.ci95
    return Law(
        counts={pose: poses[pose] for pose in law.counts},
        ci95=(min(low, sides / size), max(high, sides / size)),
        scores={1: (size - sides, sides)},
        shape=law.shape,
        surface=law.surface,
        conditions=law.conditions,
        engine=law.engine,
        versions=law.versions,
        seed=law.seed,
        overdispersion=own if own and own.found else law.overdispersion,
        prior_hands=None if own and own.found else law.tested_hands,
        p_range90=posterior.range90,
        complete=law.complete,
        command=command,
        combined=Combined(
            file=file,
            scores=counts.scores(),
            poses=counts.pose_totals(),
            prior_p=float(law.p),
            prior_ci95=law.ci95,
            prior_range90=law.p_range90,
            prior_throws=law.throws,
            prior_command=law.command,
            prior_p_in_hand=float(law.hand_fit.share),
        ),
        scoring=law.scoring,
        files=law.files,
        stamp=law_stamp(),
        contradiction=contradiction_by(law, counts.scores(), file) or law.contradiction,
    )


def contradiction_by(law: Law, scores: Mapping[int, Sequence[int]], file: str) -> str:
    """Return in a sentence that counts contradict a law even within its 90 % range; empty if they do not.

    Parameters
    ----------
    law
        The law.
    scores
        Bricks K in a hand -> counts of hands that scored 0, 1, ..., K.
    file
        Name of the counts file.
    """
    p_value = two_sided(_updated(JEFFREYS, scores), law_beta(law, systematic=True))
    thrown = sum(bricks * sum(counts) for bricks, counts in scores.items())
    return contradiction(thrown, file, "the prior law, even within its 90 % range", p_value)


def contradiction(thrown: int, file: str, other: str, p_value: float) -> str:
    """Return in a sentence that the counts in a file contradict something; empty if the p-value does not show it."""
    if p_value >= LEVEL:
        return ""
    bricks = counted(thrown, "brick")
    return f"{bricks} of {file} contradict {other} (p-value {p_value:.2g}); neither supports a compromise of both"


def hand_factor(law: Law) -> float:
    """Return the odds of a side of a brick in a hand over those of a single one."""
    return odds_factor(float(law.p), float(law.hand_fit.share))


def combined_posterior(
    prior: tuple[float, float], scores: Mapping[int, Sequence[int]], factor: float
) -> Posterior:
    """Return the posterior of the probability of a side of a single brick.

    Parameters
    ----------
    prior
        Parameters of its prior beta distribution.
    scores
        Bricks K in a hand -> counts of hands that scored 0, 1, ..., K.
    factor
        The odds of a side of a brick in a hand over those of a single one.
    """
    alone = {bricks: counts for bricks, counts in scores.items() if bricks == 1}
    together = {bricks: counts for bricks, counts in scores.items() if bricks > 1}
    if not together:
        return _updated(prior, alone)
    others, sides = alone.get(1, (0, 0))
    a, b = prior[0] + sides, prior[1] + others
    # the prior of a brick in a hand: its odds are moved, and it weighs as many throws
    mean = float(_moved(a / (a + b), factor))
    found = _updated((mean * (a + b), (1 - mean) * (a + b)), together)
    return Posterior(_moved(found.values, 1 / factor), found.weights)


def _updated(prior: tuple[float, float], scores: Mapping[int, Sequence[int]]) -> Posterior:
    rows = [
        (score, bricks - score, hands)
        for bricks, counts in scores.items()
        for score, hands in enumerate(counts)
        if hands
    ]
    table = np.array(rows)
    return share_posterior(hands_of(table[:, :2], table[:, 2]), prior).p


def _moved(p: Array | float, factor: float) -> Array:
    """Return the probabilities whose odds are those of `p` times a factor."""
    return np.asarray(p * factor / (1 - p + p * factor))


def own_weight(prior: Law, combined: Law) -> float:
    """Return how much of a combined law comes from the counts at home, 0 to 1; the rest comes from its prior law.

    Both are measured by the throws that would give p the same precision. The chance of the combined law is then about
    the mean of that of the counts and that of the prior law, with these weights.
    """
    return max(0.0, 1.0 - prior_worth(prior) / combined.throws)


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
