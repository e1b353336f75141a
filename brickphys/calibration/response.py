"""Response: the shares of poses as a smooth function of the uncertain causes, with its error.

The function is a multinomial logistic regression on Legendre polynomials of the causes, each scaled to -1..1. The
degree is 2 in all causes together, and higher in friction and restitution, whose ranges are wide, and in these and
speed. The fit accounts for the multinomial noise of the throws. The response surface of a law is thrown for it.
"""

import itertools
from dataclasses import asdict, dataclass, replace
from functools import cached_property

import numpy as np
from numpy.polynomial.legendre import legvander
from scipy.stats import chi2

from brickphys.calibration.response_design import (
    ANY_SURFACE,
    ResponseDesign,
    design_cell,
    shipped_design,
    throw_design,
)
from brickphys.calibration.throwers import ThrowCell
from brickphys.errors import InvalidValueError
from brickphys.notes import Progress
from brickphys.odds.law import Law
from brickphys.shapes.body_file import is_body_file
from brickphys.shapes.catalogue import parse_shape
from brickphys.throws.conditions import Conditions
from brickphys.units import Array, Counts

SURFACE_DEGREE = 7
"""Degree in friction and restitution over any surface; a higher degree hardly improves a cross-validation."""
SURFACE_CAUSES = ("friction", "restitution")
_DEGREE, _SPEED_DEGREE = 2, 4
_STEPS = 50
_CLOSE = 1e-9


@dataclass(frozen=True, eq=False)
class Response:
    """Shares of the poses over the ranges of all causes."""

    ranges: dict[str, tuple[float, float]]
    """Cause -> least and greatest value."""
    degrees: Counts
    """Degrees of the Legendre polynomials whose product is a term, shape (terms, causes); the first one is constant."""
    coefficients: Array
    """Coefficients of the logits of all other poses against the last, the side, shape (terms, poses - 1)."""
    covariance: Array
    """Covariance of the coefficients, pose after pose, from the throws and from the lack of fit, shape ((poses - 1)
    terms, (poses - 1) terms)."""
    points: int
    throws: int
    """Numbers of points and of bricks of the design."""
    chi2: float
    freedom: int
    """Pearson's chi-squared and degrees of freedom of the design's counts against the fit."""
    r_squared: float
    """Share of the variance of p over the design that the fit explains, after subtraction of the noise of the
    throws."""

    @property
    def p_value(self) -> float:
        """Probability of a larger chi-squared if the fit is right."""
        return float(chi2.sf(self.chi2, self.freedom))

    @property
    def poses(self) -> int:
        """Number of poses: those of a brick, or two if only the score of a body was counted."""
        return 1 + int(self.coefficients.shape[1])

    @cached_property
    def _root(self) -> Array:
        values, vectors = np.linalg.eigh(self.covariance)
        return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)))

    def terms(self, values: Array) -> Array:
        """Return the terms at values of the causes (n, causes), shape (n, terms)."""
        return _terms(values, self.ranges, self.degrees)

    def shares(self, values: Array, coefficients: Array | None = None) -> Array:
        """Return the shares of the poses at values of the causes, shape (..., n, poses), in the order of the design.

        Parameters
        ----------
        values : ndarray, shape (n, causes)
            In the units and the order of `ranges`.
        coefficients : ndarray, shape (..., terms, poses - 1), optional
            Coefficients of `draws` instead of the best ones.
        """
        best = self.coefficients if coefficients is None else coefficients
        return _shares(self.terms(values) @ best)

    def drawn_shares(self, values: Array, rng: np.random.Generator) -> Array:
        """Return the shares at values (n, causes), each with coefficients drawn for it, shape (n, poses)."""
        coefficients = self.draws(len(values), rng)
        return _shares(np.einsum("nt,ntk->nk", self.terms(values), coefficients))

    def draws(self, count: int, rng: np.random.Generator) -> Array:
        """Return coefficients drawn from their error, shape (count, terms, poses - 1)."""
        noise = rng.standard_normal((count, len(self.covariance))) @ self._root.T
        return np.asarray(
            self.coefficients
            + noise.reshape(count, self.coefficients.shape[1], -1).transpose(0, 2, 1)
        )


def fit_response(design: ResponseDesign, surface_degree: int = SURFACE_DEGREE) -> Response:
    """Fit the counts of a design by maximum likelihood.

    If chi-squared exceeds its degrees of freedom, the excess is attributed to a uniform error of the surface, whose
    variance is added to that of the constant terms. Raises InvalidValueError if the design has no more points than the
    surface has terms. `surface_degree` is the highest degree in friction and restitution together, and up to 4 in these
    and speed.
    """
    ranges = dict(design.ranges)
    degrees = _degrees(list(ranges), surface_degree)
    if len(design.points) <= len(degrees):
        raise InvalidValueError(
            f"{len(design.points)} points for a response surface of {len(degrees)} terms: too few"
        )
    terms = _terms(design.points, ranges, degrees)
    counts = design.counts.astype(np.float64)
    coefficients, information = _maximum(terms, counts)
    expected = counts.sum(axis=1, keepdims=True) * _shares(terms @ coefficients)
    badness = float(((counts - expected) ** 2 / expected).sum())
    others = counts.shape[1] - 1
    freedom = others * (len(terms) - len(degrees))
    covariance: Array = np.asarray(np.linalg.inv(information), dtype=np.float64)
    constants = [pose * len(degrees) for pose in range(others)]
    excess = max(0.0, badness / freedom - 1)
    covariance[np.ix_(constants, constants)] += excess * _point_covariance(counts)
    return Response(
        ranges=ranges,
        degrees=degrees,
        coefficients=coefficients,
        covariance=covariance,
        points=len(terms),
        throws=design.throws,
        chi2=badness,
        freedom=freedom,
        r_squared=_explained(counts, expected, len(degrees)),
    )


def _degrees(causes: list[str], surface_degree: int) -> Counts:
    """Return the degrees of all terms: up to 2 in all causes, higher ones in friction, restitution and speed only."""
    three = (*SURFACE_CAUSES, "speed_m_s")
    most = {three: min(surface_degree, _SPEED_DEGREE), SURFACE_CAUSES: surface_degree}
    terms: dict[tuple[int, ...], None] = {}
    for names, top in {tuple(causes): _DEGREE, **most}.items():
        places = [causes.index(name) for name in names if name in causes]
        for degrees in itertools.product(range(top + 1), repeat=len(places)):
            if sum(degrees) <= top:
                term = np.zeros(len(causes), dtype=int)
                term[places] = degrees
                terms[tuple(term.tolist())] = None
    return np.array(list(terms))


def _terms(values: Array, ranges: dict[str, tuple[float, float]], degrees: Counts) -> Array:
    low, high = np.array(list(ranges.values())).T
    scaled = 2 * (values - low) / (high - low) - 1
    polynomials = np.moveaxis(legvander(scaled.T, int(degrees.max())), -1, 0)
    product = np.ones((len(degrees), len(scaled)))  # rows are multiplied faster than columns
    for cause, column in enumerate(degrees.T):
        used = column > 0
        product[used] *= polynomials[column[used], cause]
    return np.ascontiguousarray(product.T)


def with_side_odds(shares: Array, logits: Array | float) -> Array:
    """Return shares (..., poses) with the odds of the last pose, the side, times e to the power of logits (...)."""
    moved = shares.copy()
    moved[..., -1] *= np.exp(logits)
    return np.asarray(moved / moved.sum(axis=-1, keepdims=True))


def _shares(logits: Array) -> Array:
    weights = np.ones((*logits.shape[:-1], logits.shape[-1] + 1))
    weights[..., :-1] = np.exp(logits)
    # numpy's own sum over few poses takes longer than all the rest
    weights /= sum(weights[..., pose, None] for pose in range(weights.shape[-1]))
    return weights


def _maximum(terms: Array, counts: Array) -> tuple[Array, Array]:
    """Return the maximum-likelihood coefficients, by Newton's method, and their information matrix."""
    throws = counts.sum(axis=1)
    size, others = terms.shape[1], counts.shape[1] - 1
    coefficients = np.zeros((size, others))
    information = np.eye(others * size)
    for _ in range(_STEPS):
        share = _shares(terms @ coefficients)[:, :-1]
        slope = terms.T @ (counts[:, :-1] - throws[:, None] * share)
        information = np.block(
            [
                [
                    terms.T @ (terms * (throws * share[:, j] * ((j == k) - share[:, k]))[:, None])
                    for k in range(others)
                ]
                for j in range(others)
            ]
        )
        step = np.linalg.solve(information, slope.T.ravel()).reshape(others, size).T
        coefficients = coefficients + step
        if np.abs(step).max() < _CLOSE:
            return coefficients, information
    raise InvalidValueError(
        "too few throws for a response surface: a pose is missing nearly everywhere"
    )


def _point_covariance(counts: Array) -> Array:
    """Return the sampling covariance of the logits of a typical point, shape (poses - 1, poses - 1)."""
    share = counts.sum(axis=0) / counts.sum()
    throws = counts.sum() / len(counts)
    spread = np.diag(share[:-1]) - np.outer(share[:-1], share[:-1])
    return np.asarray(np.linalg.inv(throws * spread))


def _explained(counts: Array, expected: Array, terms: int) -> float:
    """Return the share of the variance of p that the fit explains, after subtraction of the noise of the throws."""
    throws = counts.sum(axis=1)
    p, fitted = counts[:, -1] / throws, expected[:, -1] / throws
    noise = float(np.mean(fitted * (1 - fitted) / throws))
    total = float(np.var(p)) - noise
    # a fit of n terms removes n / points of the noise from the residuals
    missed = float(np.mean((p - fitted) ** 2)) - noise * (1 - terms / len(counts))
    return 1 - max(0.0, missed) / total if total > 0 else 0.0


_POINTS = 512


def is_named(law: Law) -> bool:
    """Return whether a law is of a shape by name, not of a body file."""
    try:
        parse_shape(law.shape)
    except InvalidValueError:
        return False
    return True


def law_response(
    law: Law,
    throws: int | None,
    seed: int,
    workers: int,
    progress: Progress,
    *,
    shape: str | None = None,
    conditions: Conditions | None = None,
) -> Response | None:
    """Return the response surface of the throws of a law; None if none ships for its shape and throw.

    Raises InvalidValueError if `throws` is outside its range, or the body file is missing, has a fault, or is not that
    of the law.

    Parameters
    ----------
    throws
        Throw a surface over any table with about so many bricks; None for the shipped one.
    shape
        The body file of the law; None if it is of a shape by name.
    conditions
        Conditions of the throws instead of those of the law.
    """
    if throws is None:
        shipped = shipped_design()
        same = (shipped.shape, shipped.preset) == (law.shape, law.conditions.preset)
        return fit_response(shipped) if same else None
    cell = _law_cell(law, shape)
    if conditions is not None:
        cell = replace(cell, conditions=conditions)
    if not 10 * _POINTS <= throws <= 10**8:
        raise InvalidValueError(f"throws {throws} (--throws) is outside {10 * _POINTS} to {10**8}")
    each = throws // _POINTS
    return fit_response(throw_design(cell, ANY_SURFACE, _POINTS, each, seed, workers, progress))


def _law_cell(law: Law, shape: str | None) -> ThrowCell:
    """Return single bricks in the middle of any surface's ranges, thrown as those of a law."""
    if shape is None and not is_named(law):
        raise InvalidValueError(
            f"throws (--throws): the law is of {law.shape}, a body of a file; name that file with shape (--shape)"
        )
    if shape is not None and (is_named(law) or not is_body_file(shape)):
        raise InvalidValueError(
            f"shape {shape} (--shape): only for a law of a body file, whose name ends in .toml"
        )
    cell = design_cell(shape or law.shape, "hand", ANY_SURFACE)
    for name, content in cell.file.files if cell.file else ():
        if content not in law.files.values():
            raise InvalidValueError(
                f"shape {shape} (--shape): not the body of the law: {name} has changed since (SHA-256)"
            )
    return replace(cell, conditions=Conditions(**asdict(law.conditions)))
