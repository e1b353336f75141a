"""Tally: what became of hands of bricks, as counts that add up whoever threw them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit  # scipy.stats takes a second to import

from brickphys.engines.engine import Landing
from brickphys.odds.intervals import wilson as wilson  # callers find both intervals here
from brickphys.odds.intervals import wilson_of_share
from brickphys.odds.roll import SIDE


@dataclass(frozen=True)
class Tally:
    """Counts of hands of `k` bricks.

    Attributes
    ----------
    counts
        Pose -> bricks; every brick is in one of them.
    scores
        Hands that scored 0, 1, ..., k: how many of their bricks stopped on a side.
    energy_gain
        Largest energy gain of any hand, a share: the engine's error.
    """

    counts: Mapping[str, int]
    scores: tuple[int, ...]
    energy_gain: float

    @property
    def hands(self) -> int:
        """How many hands were thrown."""
        return sum(self.scores)

    @property
    def bricks(self) -> int:
        """How many bricks were thrown in all."""
        return sum(self.counts.values())

    @property
    def sides(self) -> int:
        """How many bricks stopped on a side."""
        return self.counts.get(SIDE, 0)

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            {pose: count + other.counts[pose] for pose, count in self.counts.items()},
            tuple(a + b for a, b in zip(self.scores, other.scores, strict=True)),
            max(self.energy_gain, other.energy_gain),
        )


def tally(landing: Landing) -> Tally:
    """Count the bricks of a landing and the scores of its hands."""
    k = landing.pose.shape[1]
    side = landing.poses.index(SIDE) if SIDE in landing.poses else -1
    scores = np.bincount((landing.pose == side).sum(axis=1), minlength=k + 1)
    return Tally(
        landing.counts(),
        tuple(scores.tolist()),
        float(landing.energy_gain.max(initial=0.0)),
    )


def half_width(tally: Tally) -> float:
    """Return half the width of the 95 % interval of the share of sides."""
    low, high = side_interval(tally)
    return (high - low) / 2


def side_interval(tally: Tally) -> tuple[float, float]:
    """Return the 95 % interval of the share of sides; see `share_interval`."""
    return share_interval(tally.scores)


def share_interval(scores: Sequence[int]) -> tuple[float, float]:
    """Return the 95 % interval of the share of bricks in some pose.

    Wilson's for single bricks. Bricks of one hand are no independent trials: there the number of trials in
    Wilson's formula is the one that would give the variance seen between hands (cluster-robust), never more than
    there are bricks, and Student's quantile pays for a variance estimated from few hands.

    Parameters
    ----------
    scores
        Hands of which 0, 1, ..., k bricks are in the pose.
    """
    bricks, hands = len(scores) - 1, sum(scores)
    score = np.arange(bricks + 1)
    found = int(np.dot(scores, score))
    if bricks == 1:
        return wilson(found, hands)
    p = found / (hands * bricks)
    spread = float(np.dot(scores, (score - bricks * p) ** 2)) / max(hands - 1, 1)
    variance = spread / (hands * bricks**2)
    trials = p * (1 - p) / variance if variance > 0 else float(hands)
    quantile = stdtrit(hands - 1, 0.975) if hands > 1 else np.inf
    return wilson_of_share(p, min(trials, float(hands * bricks)), float(quantile))
