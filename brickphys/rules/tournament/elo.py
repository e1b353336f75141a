"""Elo: ratings from the results of games by maximum likelihood, with their intervals."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from brickphys.errors import InvalidValueError
from brickphys.odds.intervals import Z95

POINTS_PER_NAT = 400 / log(10)
"""Elo's scale: a lead of 400 points means odds of ten to one."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A strength in Elo points, 0 for the mean of all, and its 95 % interval."""

    elo: float
    ci95: tuple[float, float]


def elo_ratings(points: Sequence[Sequence[float]]) -> tuple[Rating, ...] | None:
    """Return the strengths of all players that make the results likeliest, if any do.

    The model of Bradley and Terry (Biometrika 39, 1952): i beats j with odds exp(strength_i - strength_j). A drawn game
    counts as half a win for either. The interval is Wald's, from the curvature of the likelihood at its top; as draws
    scatter less than wins, it is rather too wide than too narrow. Where some players never gave a point to the
    others, no finite strengths are the likeliest (Ford, American Mathematical Monthly 64, 1957).

    Parameters
    ----------
    points : shape (n, n)
        ``points[i][j]``: what i won against j, 1 a win and 1/2 a draw; the diagonal is not looked at. A game of n sides
        is a comparison of each pair, of which each counts 1/(n - 1), since they depend on each other.

    Returns
    -------
    tuple of Rating, or None
        In the order of the players; None where no finite strengths are the likeliest.

    Raises
    ------
    InvalidValueError
        If the table is not square, or points are negative.
    """
    count = len(points)
    if any(len(row) != count or min(row) < 0 for row in points):
        raise InvalidValueError(
            f"the points of {count} players are not a square table of numbers from 0"
        )
    if not _all_connected(points):
        return None
    strengths, errors = _likeliest(points)
    return tuple(
        Rating(elo, (elo - Z95 * error, elo + Z95 * error))
        for elo, error in zip(strengths, errors, strict=True)
    )


def _all_connected(points: Sequence[Sequence[float]]) -> bool:
    """Return whether a chain of won points leads from every player to every other."""
    players = range(len(points))
    reached = [{i} | {j for j in players if points[i][j] > 0} for i in players]
    for middle in players:
        for row in reached:
            if middle in row:
                row |= reached[middle]
    return all(len(row) == len(points) for row in reached)


def _likeliest(points: Sequence[Sequence[float]]) -> tuple[list[float], list[float]]:
    """Return strengths and their standard errors in Elo points."""
    import numpy as np
    from scipy.optimize import minimize

    won = np.array(points, dtype=float)
    np.fill_diagonal(won, 0.0)
    games = won + won.T
    everybody = np.ones((len(won), len(won))) / len(won)

    def loss(strength: np.ndarray) -> float:
        ahead = strength[:, None] - strength[None, :]
        # the sum of the strengths is free: to hold it at 0 costs nothing
        return float((won * np.logaddexp(0.0, -ahead)).sum() + strength.sum() ** 2 / 2)

    def slope(strength: np.ndarray) -> np.ndarray:
        expected = games / (1 + np.exp(strength[None, :] - strength[:, None]))
        return np.asarray((expected - won).sum(axis=1) + strength.sum())

    def curvature(strength: np.ndarray) -> np.ndarray:
        chance = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
        spread = games * chance * (1 - chance)
        return np.asarray(np.diag(spread.sum(axis=1)) - spread + len(won) * everybody)

    top = minimize(
        loss,
        np.zeros(len(won)),
        jac=slope,
        hess=curvature,
        method="trust-exact",
        options={"gtol": 1e-9},
    )
    covariance = np.linalg.inv(curvature(top.x)) - everybody / len(won)
    errors = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    return (top.x * POINTS_PER_NAT).tolist(), (errors * POINTS_PER_NAT).tolist()
