"""Roll fit: friction and restitution that explain published rolls best, by a smooth response fitted to simulations."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from scipy.special import expit
from scipy.stats import chi2 as chi2_law
from scipy.stats import f as f_law

from brickphys.arrays import Array, Mask
from brickphys.calibration.rolls.rolls import RollSet
from brickphys.throws.surfaces import ContactCoefficients

FRICTIONS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7)
RESTITUTIONS = (0.3, 0.4, 0.5, 0.6, 0.7)
"""The grid of pairs, from slippery to rubbery surfaces, and up to the limit of the engine."""
ZOOM_FACTORS = (0.75, 0.87, 1.0, 1.15, 1.33)
ZOOM_STEPS = (-0.12, -0.06, 0.0, 0.06, 0.12)
"""The second grid: factors of the friction and steps of the restitution that fit best on the first one."""
DEGREE = 3
_FINE = 121
_SURFACE_PARAMETERS = 2
_NEWTON_STEPS = 30
_RIDGE = 1e-3
"""Ridge penalty of the coefficients; without it a share of 0 everywhere would make them infinite."""


def surface_grid(
    frictions: Sequence[float] = FRICTIONS, restitutions: Sequence[float] = RESTITUTIONS
) -> list[ContactCoefficients]:
    """Return every pair of the grid."""
    return [ContactCoefficients(mu, e) for mu, e in product(frictions, restitutions)]


def zoom_grid(contact: ContactCoefficients) -> list[ContactCoefficients]:
    """Return a grid of pairs around a pair, within the range of the whole grid."""
    frictions = np.clip(contact.friction * np.array(ZOOM_FACTORS), FRICTIONS[0], FRICTIONS[-1])
    restitutions = np.clip(
        contact.restitution + np.array(ZOOM_STEPS), RESTITUTIONS[0], RESTITUTIONS[-1]
    )
    return surface_grid(np.unique(frictions).tolist(), np.unique(restitutions).tolist())


@dataclass(frozen=True, eq=False)
class RollResponse:
    """Shares as a smooth function: for each solid the log odds are cubic in log friction and restitution.

    Attributes
    ----------
    coefficients : ndarray, shape (terms, solids)
        Coefficients of the log odds.
    low, high : ndarray, shape (2,)
        Range of (friction, restitution) of the simulations; the response is not valid outside.
    """

    coefficients: Array
    low: Array
    high: Array

    def shares(self, friction: Array, restitution: Array) -> Array:
        """Return shares, shape (..., solids), at friction and restitution, shapes (...)."""
        points = np.stack(np.broadcast_arrays(friction, restitution), axis=-1)
        return np.asarray(expit(_terms(points, self.low, self.high) @ self.coefficients))


def fit_roll_response(
    contacts: Sequence[ContactCoefficients], counts: Array, throws: int
) -> RollResponse:
    """Fit the response to simulated counts (contacts, solids) by maximum likelihood (iterated least squares).

    Source of the method: P. McCullagh and J. A. Nelder, Generalized Linear Models, section 4.4.
    """
    points = np.array([(contact.friction, contact.restitution) for contact in contacts])
    low, high = points.min(axis=0), points.max(axis=0)
    terms = _terms(points, low, high)
    columns = [_logistic(terms, column, throws) for column in counts.T]
    return RollResponse(np.stack(columns, axis=1), low, high)


def _terms(points: Array, low: Array, high: Array) -> Array:
    """Return the monomials up to `DEGREE` in both coordinates, scaled to -1..1, shape (..., terms)."""
    x = 2 * np.log(points[..., 0] / low[0]) / np.log(high[0] / low[0]) - 1
    y = 2 * (points[..., 1] - low[1]) / (high[1] - low[1]) - 1
    return np.stack(
        [x**i * y**j for i in range(DEGREE + 1) for j in range(DEGREE + 1 - i)], axis=-1
    )


def _logistic(terms: Array, counts: Array, throws: int) -> Array:
    overall = (counts.sum() + 0.5) / (throws * len(counts) + 1.0)
    beta = np.zeros(terms.shape[1])
    beta[0] = np.log(overall / (1 - overall))  # the first monomial is the constant
    ridge = _RIDGE * np.eye(len(beta))
    ridge[0, 0] = 0.0
    for _ in range(_NEWTON_STEPS):
        share = expit(terms @ beta)
        weight = throws * share * (1 - share) + 1e-9
        gradient = terms.T @ (counts - throws * share) - ridge @ beta
        step = np.linalg.solve(terms.T @ (weight[:, None] * terms) + ridge, gradient)
        beta = beta + np.clip(step, -2.0, 2.0)
        if np.abs(step).max() < 1e-9:
            break
    return beta


@dataclass(frozen=True, eq=False)
class SurfaceFit:
    """The surface that explains a set of rolls best.

    Attributes
    ----------
    contact
        Friction and restitution at the least chi-squared.
    friction_ci95, restitution_ci95
        Profile intervals within the grid. Their limit of chi-squared is its least value times a quantile of the F
        distribution, because the rows vary by more than their counting error.
    at_edge
        Whether the least chi-squared is on the border of the grid.
    chi2
        Least chi-squared of the response.
    frictions, restitutions, surface : ndarray, shapes (f,), (r,), (f, r)
        The map of chi-squared.
    """

    contact: ContactCoefficients
    friction_ci95: tuple[float, float]
    restitution_ci95: tuple[float, float]
    at_edge: bool
    chi2: float
    frictions: Array
    restitutions: Array
    surface: Array


def fit_surface(response: RollResponse, rolls: RollSet) -> SurfaceFit:
    """Return the surface with the least chi-squared of the response, on a fine grid."""
    frictions = np.geomspace(response.low[0], response.high[0], _FINE)
    restitutions = np.linspace(response.low[1], response.high[1], _FINE)
    surface = rolls.chi2(response.shares(frictions[:, None], restitutions[None, :]))
    i, j = (int(k) for k in np.unravel_index(surface.argmin(), surface.shape))
    least = float(surface[i, j])
    allowed = least * (1 + f_law.ppf(0.95, 1, degrees(rolls)) / degrees(rolls))
    return SurfaceFit(
        ContactCoefficients(round(float(frictions[i]), 3), round(float(restitutions[j]), 3)),
        _span(frictions, surface.min(axis=1) <= allowed),
        _span(restitutions, surface.min(axis=0) <= allowed),
        i in (0, _FINE - 1) or j in (0, _FINE - 1),
        least,
        frictions,
        restitutions,
        surface,
    )


def _span(values: Array, inside: Mask) -> tuple[float, float]:
    return float(values[inside].min()), float(values[inside].max())


def degrees(rolls: RollSet) -> int:
    """Return the degrees of freedom after the fit of a surface."""
    return len(rolls.rows) - _SURFACE_PARAMETERS


def p_value(chi2: float, degrees_of_freedom: int) -> float:
    """Return the probability of a larger chi-squared if rows vary by their counting error only."""
    return float(chi2_law.sf(chi2, degrees_of_freedom))


def crossings(restitutions: Array, shares: Array, wanted: float) -> tuple[float, ...]:
    """Return the restitutions at which a curve of shares, shape (n,), has a value, by linear interpolation."""
    above = shares - wanted
    here = np.flatnonzero(above[:-1] * above[1:] <= 0)
    slope = np.diff(shares)[here]
    steps = np.where(slope == 0, 0.0, -above[here] / np.where(slope == 0, 1.0, slope))
    found = restitutions[here] + steps * np.diff(restitutions)[here]
    return tuple(float(value) for value in np.unique(np.round(found, 6)))
