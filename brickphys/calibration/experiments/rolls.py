"""Rolls: published shares of poses of thrown solids, the same throws simulated, and the shares of simpler models.

The surface of the published rolls of prisms and coins is unknown, and of the throw only its kind is told. A comparison
therefore asks whether *one* surface explains all rows of a set, and how much the answer depends on the throw. The
friction and restitution that explain a set best are found by a smooth response fitted to simulations.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import product

import numpy as np
from scipy.optimize import fmin, minimize_scalar
from scipy.special import expit, logit
from scipy.stats import chi2 as chi2_law
from scipy.stats import f as f_law

from brickphys.calibration.throwers import ThrowCell, ThrowChunk, Throwers, chunks
from brickphys.errors import InvalidValueError
from brickphys.notes import Progress
from brickphys.reading import shipped_toml
from brickphys.shapes.body import shape_name
from brickphys.shapes.catalogue import parse_shape
from brickphys.throws.conditions import Conditions, ContactCoefficients
from brickphys.units import Array, Mask

SIDE_MM = 15.0
"""Side of the prisms' squares, diameter of coin and cylinder. The sources give ratios only. The result depends on the
size only through speed squared over gravity times size, so another size is the same as another speed."""
MAX_THROWS = 1_000_000
_CUBE_LOG_ODDS = math.log(0.5)


@dataclass(frozen=True)
class RolledSolid:
    """A thrown solid and its counted poses."""

    shape: str
    """Name, as on the command line."""
    poses: tuple[str, ...]
    """The counted poses, such as ``("heads", "tails")``."""


@dataclass(frozen=True)
class PublishedShare:
    """One published share."""

    ratio: float
    """Thickness (height) over side (diameter)."""
    share: float
    """Share of the rolls that ended in the counted poses."""
    rolls: int
    """Number of rolls; 0 if the source does not give it."""


@dataclass(frozen=True)
class RollSet:
    """Published rows with their source."""

    source: str
    rows: tuple[PublishedShare, ...]
    throw: str = "hand"
    """The preset that is nearest to the throw of which the source tells."""

    @property
    def ratios(self) -> Array:
        """Ratios, shape (rows,)."""
        return np.array([row.ratio for row in self.rows])

    @property
    def shares(self) -> Array:
        """Shares, shape (rows,)."""
        return np.array([row.share for row in self.rows])

    @property
    def rolls(self) -> Array:
        """Numbers of rolls, shape (rows,)."""
        return np.array([float(row.rolls) for row in self.rows])

    def chi2(self, expected: Array) -> Array:
        """Return Pearson's chi squared of expected shares (..., rows) against the measured ones, shape (...)."""
        with np.errstate(divide="ignore"):  # infinite where a share is 0 or 1
            squared = (self.shares - expected) ** 2 / (expected * (1.0 - expected))
        return np.asarray((self.rolls * squared).sum(axis=-1))


@lru_cache(maxsize=1)
def published() -> dict[str, RollSet]:
    """Return the published sets: ``prisms``, ``coin`` and ``cylinder`` (``rolls.toml``)."""
    tables = shipped_toml(files("brickphys.calibration.experiments") / "rolls.toml")
    return {
        name: RollSet(
            table["source"], tuple(PublishedShare(**row) for row in table["rows"]), table["throw"]
        )
        for name, table in tables.items()
    }


def square_prism(ratio: float, edge_radius_mm: float = 0.0) -> RolledSolid:
    """Return a square prism of side `SIDE_MM` and thickness `ratio` times that; its square faces are counted."""
    sharp = f"cuboid:{SIDE_MM:g}x{SIDE_MM:g}x{SIDE_MM * ratio:g}"
    return RolledSolid(_rounded(sharp, edge_radius_mm), ("z",))


def thick_coin(ratio: float, edge_radius_mm: float = 0.0) -> RolledSolid:
    """Return a coin of thickness over diameter `ratio`; its edge is counted."""
    sharp = f"coin:{SIDE_MM:g}x{SIDE_MM * ratio:g}"
    return RolledSolid(_rounded(sharp, edge_radius_mm), ("edge",))


def upright_cylinder(ratio: float, edge_radius_mm: float = 0.0) -> RolledSolid:
    """Return a cylinder of height over diameter `ratio`; its ends are counted."""
    sharp = f"coin:{SIDE_MM:g}x{SIDE_MM * ratio:g}"
    return RolledSolid(_rounded(sharp, edge_radius_mm), ("heads", "tails"))


def _rounded(sharp: str, edge_radius_mm: float) -> str:
    """Return the name of a shape with an edge radius that it may have; a coin has none that goes without saying."""
    name = shape_name(sharp, edge_radius_mm, math.nan if sharp.startswith("coin") else 0.0)
    parse_shape(name)
    return name


def check_throws(throws: int, limit: int = MAX_THROWS) -> int:
    """Return `throws` if it is in 1..limit, else raise InvalidValueError."""
    if not 1 <= throws <= limit:
        raise InvalidValueError(f"throws {throws} is outside 1..{limit}")
    return throws


def throw_solids(
    solids: Sequence[RolledSolid],
    contacts: Sequence[ContactCoefficients],
    conditions: Conditions,
    throws: int,
    root: int,
    *,
    address: int = 0,
    workers: int = 1,
    progress: Progress = lambda *_: None,
) -> Array:
    """Throw every solid on every surface; return the counts of its counted poses, shape (contacts, solids).

    A solid is thrown with the same random numbers on all surfaces, so differences are those of the surfaces. The result
    does not depend on the number of workers.
    """
    check_throws(throws)
    pairs = list(product(contacts, enumerate(solids)))
    work: list[tuple[int, ThrowChunk]] = [
        (i, chunk)
        for i, (contact, (k, solid)) in enumerate(pairs)
        for chunk in chunks(
            ThrowCell(solid.shape, conditions, contact, "compiled", (address, k)), throws
        )
    ]
    counts = np.zeros(len(pairs))
    with Throwers(root, workers) as throwers:
        fallen = throwers.tallies(chunk for _, chunk in work)
        for done, ((i, _), tally) in enumerate(zip(work, fallen, strict=True), start=1):
            _, (_, solid) = pairs[i]
            counts[i] += sum(tally.counts[pose] for pose in solid.poses)
            progress(done, len(work))
    return counts.reshape(len(contacts), len(solids))


def prism_solid_angle(ratios: Array) -> Array:
    """Return the solid angle of a prism's square faces from its centre, as a share of the sphere, shape like `ratios`.

    It is the share of a prism that neither bounces nor rolls on. Each face is a square of side 1 at distance ratio / 2.
    """
    h = np.asarray(ratios) / 2
    return np.asarray(2 * np.arctan(0.25 / (h * np.sqrt(h**2 + 0.5))) * 4 / (4 * math.pi))


def gibbs(ratios: Array, b: float) -> Array:
    """Return the shares of square faces of the one-parameter Gibbs model, shape like `ratios`.

    The probability of a face is proportional to exp(-b h / V^(1/3)), with the height h of the centre above it and the
    volume V.
    """
    x = np.asarray(ratios)
    squares = 2 * np.exp(-b * (x / 2) / x ** (1 / 3))
    sides = 4 * np.exp(-b * 0.5 / x ** (1 / 3))
    return np.asarray(squares / (squares + sides))


def fit_gibbs(rolls: RollSet) -> float:
    """Return the b with the lowest chi squared."""
    found = minimize_scalar(
        lambda b: float(rolls.chi2(gibbs(rolls.ratios, b))), bounds=(1.0, 30.0), method="bounded"
    )
    return float(found.x)


def smooth_curve(ratios: Array, coefficients: Array) -> Array:
    """Return shares whose log odds are a polynomial in the log ratio, shape like `ratios`; the highest power first."""
    return np.asarray(expit(np.polyval(coefficients, np.log(ratios))))


def fit_smooth_curve(rolls: RollSet, degree: int = 2, *, fair: bool = False) -> Array:
    """Return the coefficients with the lowest chi squared; a fair curve gives a cube its third.

    Rows scatter around any smooth curve, so a model that is smooth in the ratio can hardly have a lower chi squared.
    """
    constant = [_CUBE_LOG_ODDS] if fair else []

    def chi2(coefficients: Array) -> float:
        return float(rolls.chi2(smooth_curve(rolls.ratios, np.append(coefficients, constant))))

    start = np.polyfit(np.log(rolls.ratios), logit(rolls.shares), degree)
    found = fmin(
        chi2, start[:-1] if fair else start,
        xtol=1e-6, ftol=1e-6, maxiter=10_000, maxfun=10_000, disp=False,
    )  # fmt: skip
    return np.append(found, constant)


def coin_solid_angle(ratio: float) -> float:
    """Return the solid angle of a coin's rim from its centre, as a share of the sphere."""
    return ratio / math.sqrt(1.0 + ratio**2)


def coin_area(ratio: float) -> float:
    """Return the rim's share of a coin's surface."""
    return ratio / (ratio + 0.5)


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
    """Shares as a smooth function: for each solid the log odds are cubic in log friction and restitution."""

    coefficients: Array
    """Coefficients of the log odds, shape (terms, solids)."""
    low: Array
    high: Array
    """Range of (friction, restitution) of the simulations, shape (2,); the response is not valid outside."""

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
    frictions, restitutions, surface : ndarray, shapes (f,), (r,), (f, r)
        The map of chi-squared.
    """

    contact: ContactCoefficients
    """Friction and restitution at the least chi-squared."""
    friction_ci95: tuple[float, float]
    restitution_ci95: tuple[float, float]
    """Profile intervals within the grid. Their limit of chi-squared is its least value times a quantile of the F
    distribution, because the rows vary by more than their counting error."""
    at_edge: bool
    """Whether the least chi-squared is on the border of the grid."""
    chi2: float
    """Least chi-squared of the response."""
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
