"""Tally: counts of poses and scores of hands, and 95 % intervals of shares."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit  # scipy.stats takes a second to import

from brickphys.engines.engine import Landing
from brickphys.odds.intervals import wilson, wilson_of_share
from brickphys.odds.roll import SIDE


@dataclass(frozen=True)
class Tally:
    """Counts of hands of `k` bricks; tallies of the same cell can be added.

    Attributes
    ----------
    counts
        Pose -> number of bricks; every brick has one pose.
    scores
        Numbers of hands with 0, 1, ..., k bricks on a side.
    energy_gain
        Largest energy gain of a hand, as a share of its energy at the start: an error of the engine.
    """

    counts: Mapping[str, int]
    scores: tuple[int, ...]
    energy_gain: float

    @property
    def hands(self) -> int:
        """Number of hands."""
        return sum(self.scores)

    @property
    def bricks(self) -> int:
        """Number of bricks."""
        return sum(self.counts.values())

    @property
    def sides(self) -> int:
        """Number of bricks on a side."""
        return self.counts.get(SIDE, 0)

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            {pose: count + other.counts[pose] for pose, count in self.counts.items()},
            tuple(a + b for a, b in zip(self.scores, other.scores, strict=True)),
            max(self.energy_gain, other.energy_gain),
        )


def tally(landing: Landing) -> Tally:
    """Return the counts of a landing."""
    k = landing.pose.shape[1]
    side = landing.poses.index(SIDE) if SIDE in landing.poses else -1
    scores = np.bincount((landing.pose == side).sum(axis=1), minlength=k + 1)
    return Tally(
        landing.counts(),
        tuple(scores.tolist()),
        float(landing.energy_gain.max(initial=0.0)),
    )


def half_width(tally: Tally) -> float:
    """Return the half-width of the 95 % interval of the share of sides."""
    low, high = side_interval(tally)
    return (high - low) / 2


def side_interval(tally: Tally) -> tuple[float, float]:
    """Return the 95 % interval of the share of sides; see `share_interval`."""
    return share_interval(tally.scores)


def share_interval(scores: Sequence[int]) -> tuple[float, float]:
    """Return the 95 % interval of the share of bricks in a pose.

    For single bricks it is Wilson's interval. For larger hands it is cluster-robust, because the bricks of a hand are
    not independent: the number of trials in Wilson's formula is the one that gives the observed variance between hands,
    and at most the number of bricks. Student's quantile replaces the normal one, since the variance is estimated.

    Parameters
    ----------
    scores
        Numbers of hands with 0, 1, ..., k bricks in the pose.
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
