"""Tally: counts of poses and scores of hands, and 95 % intervals of shares."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import hypot

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
        Numbers of hands with 0, 1, ..., k bricks in a pose that scores: on a side, for bricks.
    energy_gain
        Largest energy gain of a hand, as a share of its energy at the start: an error of the engine.
    squares
        Pose -> sum over hands of the squared number of bricks in it; empty for single bricks, where it is the count.
    """

    counts: Mapping[str, int]
    scores: tuple[int, ...]
    energy_gain: float
    squares: Mapping[str, int] = field(default_factory=dict)

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
        """Number of bricks in a pose that scores: on a side, for bricks."""
        return sum(score * hands for score, hands in enumerate(self.scores))

    @property
    def poses_ci95(self) -> dict[str, tuple[float, float]]:
        """The 95 % interval of the share of each pose; see `share_interval`."""
        bricks, squares = len(self.scores) - 1, self.squares or self.counts
        return {
            pose: _interval(count, squares[pose], self.hands, bricks)
            for pose, count in self.counts.items()
        }

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            {pose: count + other.counts[pose] for pose, count in self.counts.items()},
            tuple(a + b for a, b in zip(self.scores, other.scores, strict=True)),
            max(self.energy_gain, other.energy_gain),
            {pose: square + other.squares[pose] for pose, square in self.squares.items()},
        )


def tally(landing: Landing, scoring: Sequence[str] = (SIDE,)) -> Tally:
    """Return the counts of a landing; `scoring` are the poses that score."""
    k = landing.pose.shape[1]
    scored = np.isin(np.array(landing.poses)[landing.pose], list(scoring))
    scores = np.bincount(scored.sum(axis=1), minlength=k + 1)
    squares = {
        pose: int(((landing.pose == index).sum(axis=1) ** 2).sum())
        for index, pose in enumerate(landing.poses)
        if k > 1
    }
    return Tally(
        landing.counts(),
        tuple(scores.tolist()),
        float(landing.energy_gain.max(initial=0.0)),
        squares,
    )


def half_width(tally: Tally) -> float:
    """Return the half-width of the 95 % interval of the share of sides."""
    low, high = side_interval(tally)
    return (high - low) / 2


def sides_difference(one: Tally, other: Tally) -> tuple[float, tuple[float, float]]:
    """Return the share of sides of a tally minus that of another one, and its 95 % interval.

    The interval is the hybrid one of R. Newcombe (Statistics in Medicine 17, 1998, method 10), from both intervals; it
    holds for hands of several bricks, too, since theirs are cluster-robust. The tallies should be independent.
    """
    p, q = one.sides / one.bricks, other.sides / other.bricks
    (low, high), (least, most) = side_interval(one), side_interval(other)
    more = p - q
    return more, (more - hypot(p - low, most - q), more + hypot(high - p, q - least))


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
    score = np.arange(len(scores))
    found, squares = int(np.dot(scores, score)), int(np.dot(scores, score**2))
    return _interval(found, squares, sum(scores), len(scores) - 1)


def _interval(found: int, squares: int, hands: int, bricks: int) -> tuple[float, float]:
    """Return the interval of `found` bricks in hands of `bricks`; `squares` is the sum of their squares by hand."""
    if bricks == 1:
        return wilson(found, hands)
    p = found / (hands * bricks)
    spread = (hands * squares - found**2) / hands / max(hands - 1, 1)
    variance = spread / (hands * bricks**2)
    trials = p * (1 - p) / variance if variance > 0 else float(hands)
    quantile = stdtrit(hands - 1, 0.975) if hands > 1 else np.inf
    return wilson_of_share(p, min(trials, float(hands * bricks)), float(quantile))
