"""Roll comparison: published shares of prisms, of a thick coin and of cylinders, beside simulated ones.

The shares are of a coin on its edge, and of cylinders on an end. Those of prisms also stand beside those of models
without simulation.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from brickphys.calibration.rolls import (
    MAX_THROWS,
    RolledSolid,
    RollSet,
    SurfaceFit,
    check_throws,
    coin_area,
    coin_solid_angle,
    crossings,
    degrees,
    fit_gibbs,
    fit_roll_response,
    fit_smooth_curve,
    fit_surface,
    gibbs,
    p_value,
    prism_solid_angle,
    published,
    smooth_curve,
    square_prism,
    surface_grid,
    thick_coin,
    throw_solids,
    upright_cylinder,
    zoom_grid,
)
from brickphys.notes import Progress, StageProgress
from brickphys.odds.distribution import wilson
from brickphys.throws.conditions import Conditions, ContactCoefficients, preset
from brickphys.units import Array

CHECK = 10
"""The best surface is simulated again, with this many times as many throws and other random numbers, because the least
chi-squared of a fitted map is biased low."""


def interval(share: float, count: int) -> tuple[float, float]:
    """Return Wilson's interval of a published share."""
    return wilson(round(share * count), count)


def stage_progress(name: str, progress: StageProgress | None) -> Progress | None:
    """Return what reports the jobs of one stage; None if nothing is to be reported."""
    return None if progress is None else lambda done, total: progress(name, done, total)


def conditions_json(conditions: Conditions) -> dict[str, Any]:
    """Return the throw conditions as keys of the JSON object of a comparison."""
    return {
        "preset": conditions.preset,
        "height_mm": list(conditions.height_mm),
        "speed_m_s": conditions.speed_m_s,
        "spin_rad_s": conditions.spin_rad_s,
    }


ZOOM = 4
"""Around the best surface of the grid there is a second, finer grid, with this many times as many throws."""

_GRID, _CHECK, _ZOOM = 0, 1, 6
"""Seed addresses."""


@dataclass(frozen=True, eq=False)
class PrismComparison:
    """Comparison of the prisms with one surface for all of them.

    Attributes
    ----------
    shares : ndarray, shape (rows,)
        Shares simulated on that surface with other random numbers.
    chi2, p_value
        Chi-squared of those shares, and its p-value with two fitted parameters.
    smooth, fair_smooth : ndarray, shape (rows,)
        Shares of the smooth curve that fits best (`fit_smooth_curve`), and of the best that gives a cube its third.
    """

    rolls: RollSet
    """The published rolls."""
    conditions: Conditions
    throws: int
    root: int
    edge_radius_mm: float
    """Edge radius of the prisms."""
    fit: SurfaceFit
    """The map over the whole grid."""
    contact: ContactCoefficients
    """The surface with the least chi-squared on the second, finer grid."""
    shares: Array
    chi2: float
    p_value: float
    solid_angle: Array
    gibbs: Array
    gibbs_b: float
    smooth: Array
    fair_smooth: Array

    def document(self) -> dict[str, Any]:
        """Return the JSON object of the comparison."""
        best = self.contact
        return {
            "source": self.rolls.source,
            "friction": best.friction,
            "friction_ci95": list(self.fit.friction_ci95),
            "restitution": best.restitution,
            "restitution_ci95": list(self.fit.restitution_ci95),
            "at_edge": self.fit.at_edge,
            "chi2": self.chi2,
            "chi2_of_response": self.fit.chi2,
            "degrees_of_freedom": degrees(self.rolls),
            "p_value": self.p_value,
            "chi2_solid_angle": float(self.rolls.chi2(self.solid_angle)),
            "chi2_gibbs": float(self.rolls.chi2(self.gibbs)),
            "chi2_smooth_curve": float(self.rolls.chi2(self.smooth)),
            "chi2_fair_smooth_curve": float(self.rolls.chi2(self.fair_smooth)),
            "gibbs_b": self.gibbs_b,
            "edge_radius_mm": self.edge_radius_mm,
            "rows": [
                {
                    "ratio": row.ratio,
                    "rolls": row.rolls,
                    "measured": row.share,
                    "ci95": list(interval(row.share, row.rolls)),
                    "simulated": float(self.shares[i]),
                    "solid_angle": float(self.solid_angle[i]),
                    "gibbs": float(self.gibbs[i]),
                    "smooth_curve": float(self.smooth[i]),
                    "fair_smooth_curve": float(self.fair_smooth[i]),
                }
                for i, row in enumerate(self.rolls.rows)
            ],
            "throws": self.throws,
            **conditions_json(self.conditions),
            "seed": self.root,
        }


def compare_prisms(
    conditions: Conditions,
    throws: int,
    root: int,
    *,
    edge_radius_mm: float = 0.0,
    contacts: Sequence[ContactCoefficients] | None = None,
    workers: int = 1,
    progress: StageProgress | None = None,
) -> PrismComparison:
    """Throw the published prisms on a grid of surfaces and on a finer one, and again on the best surface.

    Parameters
    ----------
    throws
        Throws of each prism on each surface; on the finer grid `ZOOM` and on the best surface `CHECK` times as many.

    Raises
    ------
    InvalidValueError
        If throws or conditions are impossible.
    """
    check_throws(throws, MAX_THROWS // CHECK)
    rolls = published()["prisms"]
    solids = [square_prism(ratio, edge_radius_mm) for ratio in rolls.ratios]

    def thrown(stage: str, surfaces: Sequence[ContactCoefficients], n: int, address: int) -> Array:
        return throw_solids(
            solids, surfaces, conditions, n, root,
            address=address, workers=workers, progress=stage_progress(stage, progress),
        )  # fmt: skip

    fit, best = _fitted(rolls, surface_grid() if contacts is None else contacts, throws, thrown)
    # half a throw is added to both outcomes, since chi-squared is infinite for a share of 0
    again = thrown("best surface", [best], CHECK * throws, _CHECK)[0]
    shares = (again + 0.5) / (CHECK * throws + 1.0)
    chi2, b = float(rolls.chi2(shares)), fit_gibbs(rolls)
    return PrismComparison(
        rolls,
        conditions,
        throws,
        root,
        edge_radius_mm,
        fit,
        best,
        shares,
        chi2,
        p_value(chi2, degrees(rolls)),
        prism_solid_angle(rolls.ratios),
        gibbs(rolls.ratios, b),
        b,
        smooth_curve(rolls.ratios, fit_smooth_curve(rolls)),
        smooth_curve(rolls.ratios, fit_smooth_curve(rolls, fair=True)),
    )


def _fitted(
    rolls: RollSet,
    surfaces: Sequence[ContactCoefficients],
    throws: int,
    thrown: Callable[[str, Sequence[ContactCoefficients], int, int], Array],
) -> tuple[SurfaceFit, ContactCoefficients]:
    """Return the fit over a grid of surfaces, and the best surface of a finer grid around the best of that one."""
    counts = thrown("grid", surfaces, throws, _GRID)
    fit = fit_surface(fit_roll_response(surfaces, counts, throws), rolls)
    nearby = zoom_grid(fit.contact)
    counts = thrown("finer grid", nearby, ZOOM * throws, _ZOOM)
    return fit, fit_surface(fit_roll_response(nearby, counts, ZOOM * throws), rolls).contact


COIN_SURFACE = ContactCoefficients(friction=0.45, restitution=0.5)
"""The surface of coins. It is fixed in the flat valley of surfaces that explain the prisms about equally well; the
surface that ``validate prisms`` fits in that valley depends on the seed."""
COIN_FRICTIONS = (0.2, 0.4)
COIN_RESTITUTIONS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7)
COIN_EDGE_RADIUS_MM = 0.26
"""Edge radius of the coin: 0.35 mm on a coin of 20 mm, as coins in use have; that of the thrown one is not known."""

_COIN_CHECK, _COIN, _CYLINDER, _VARIED, _DROPPED = range(1, 6)
"""Seed addresses."""


@dataclass(frozen=True, eq=False)
class CoinComparison:
    """Comparison of a thick coin on its edge, and of a cylinder as high as wide on its ends.

    Attributes
    ----------
    at_contact, sharp_at_contact
        The coin's share of edges on that surface, with this edge radius and with sharp edges.
    edges, ends : ndarray, shape (f, r)
        Shares of coins on their edge and of cylinders on an end.
    edges_dropped, ends_dropped : ndarray, shape (f, r)
        The same for the preset ``drop``; without horizontal speed the bodies hardly roll.
    """

    coin: RollSet
    cylinder: RollSet
    conditions: Conditions
    throws: int
    root: int
    edge_radius_mm: float
    """Edge radius of coin and cylinder."""
    contact: ContactCoefficients
    """The surface of the prediction for the coin."""
    at_contact: float
    sharp_at_contact: float
    frictions: tuple[float, ...]
    restitutions: tuple[float, ...]
    edges: Array
    ends: Array
    edges_dropped: Array
    ends_dropped: Array
    varied: dict[str, float]
    """Share of edges at `contact` with one of the throw conditions changed, by a description of the change."""
    solid_angle: float
    area: float

    def implied(self, wanted: float) -> dict[float, tuple[float, ...]]:
        """Return, for each friction, the restitutions at which the share of dropped cylinders on an end is `wanted`."""
        e = np.array(self.restitutions)
        return {
            mu: crossings(e, self.ends_dropped[i], wanted) for i, mu in enumerate(self.frictions)
        }

    def document(self) -> dict[str, Any]:
        """Return the JSON object of the comparison."""
        row = self.coin.rows[0]
        return {
            "source": self.coin.source,
            "ratio": row.ratio,
            "measured": row.share,
            "ci95": list(interval(row.share, row.rolls)),
            "friction": self.contact.friction,
            "restitution": self.contact.restitution,
            "edge": self.at_contact,
            "edge_ci95": list(interval(self.at_contact, CHECK * self.throws)),
            "edge_radius_mm": self.edge_radius_mm,
            "edge_if_sharp": self.sharp_at_contact,
            "edge_if_sharp_ci95": list(interval(self.sharp_at_contact, CHECK * self.throws)),
            "solid_angle": self.solid_angle,
            "area": self.area,
            "frictions": list(self.frictions),
            "restitutions": list(self.restitutions),
            "edges": self.edges.tolist(),
            "edges_dropped": self.edges_dropped.tolist(),
            "varied": self.varied,
            "cylinder": {
                "source": self.cylinder.source,
                "ends": self.ends.tolist(),
                "ends_dropped": self.ends_dropped.tolist(),
                "implied_restitution": [
                    {"measured": one.share, "friction": mu, "restitutions": list(found)}
                    for one in self.cylinder.rows
                    for mu, found in self.implied(one.share).items()
                ],
            },
            "throws": self.throws,
            **conditions_json(self.conditions),
            "seed": self.root,
        }


def compare_coin(
    conditions: Conditions,
    throws: int,
    root: int,
    *,
    contact: ContactCoefficients = COIN_SURFACE,
    edge_radius_mm: float = COIN_EDGE_RADIUS_MM,
    frictions: Sequence[float] = COIN_FRICTIONS,
    restitutions: Sequence[float] = COIN_RESTITUTIONS,
    workers: int = 1,
    progress: StageProgress | None = None,
) -> CoinComparison:
    """Throw the thick coin and the cylinder on many surfaces, and the coin under other conditions."""
    check_throws(throws, MAX_THROWS // CHECK)
    coin, cylinder = published()["coin"], published()["cylinder"]
    edge = thick_coin(coin.rows[0].ratio, edge_radius_mm)
    end = upright_cylinder(cylinder.rows[0].ratio, edge_radius_mm)
    sharp = thick_coin(coin.rows[0].ratio)
    shares = partial(_shares, root=root, workers=workers, progress=progress)
    shape = (len(frictions), len(restitutions))
    surfaces = surface_grid(frictions, restitutions)
    return CoinComparison(
        coin,
        cylinder,
        conditions,
        throws,
        root,
        edge_radius_mm,
        contact,
        float(shares("coin", edge, [contact], conditions, CHECK * throws, _COIN_CHECK)[0]),
        float(shares("sharp coin", sharp, [contact], conditions, CHECK * throws, _COIN_CHECK)[0]),
        tuple(frictions),
        tuple(restitutions),
        shares("coin", edge, surfaces, conditions, throws, _COIN).reshape(shape),
        shares("cylinder", end, surfaces, conditions, throws, _CYLINDER).reshape(shape),
        shares("dropped coin", edge, surfaces, preset("drop"), throws, _DROPPED).reshape(shape),
        shares("dropped cylinder", end, surfaces, preset("drop"), throws, _DROPPED).reshape(shape),
        {
            name: float(shares("other throws", edge, [contact], how, throws, _VARIED)[0])
            for name, how in other_throws(conditions).items()
        },
        coin_solid_angle(coin.rows[0].ratio),
        coin_area(coin.rows[0].ratio),
    )


def _shares(
    stage: str,
    solid: RolledSolid,
    surfaces: Sequence[ContactCoefficients],
    how: Conditions,
    throws: int,
    address: int,
    *,
    root: int,
    workers: int,
    progress: StageProgress | None,
) -> Array:
    """Return the share of throws in which a solid stops as was counted, for each surface."""
    counts = throw_solids(
        [solid], surfaces, how, throws, root,
        address=address, workers=workers, progress=stage_progress(stage, progress),
    )  # fmt: skip
    return np.asarray(counts[:, 0] / throws)


def other_throws(conditions: Conditions) -> dict[str, Conditions]:
    """Return conditions with one value changed, by a description of the change."""
    low, high = conditions.height_mm
    changed: dict[str, dict[str, Any]] = {
        "half the height": {"height_mm": (low / 2, high / 2)},
        "twice the height": {"height_mm": (2 * low, 2 * high)},
        "half the speed": {"speed_m_s": conditions.speed_m_s / 2},
        "no speed": {"speed_m_s": 0.0},
        "twice the speed": {"speed_m_s": conditions.speed_m_s * 2},
        "half the spin": {"spin_rad_s": conditions.spin_rad_s / 2},
        "twice the spin": {"spin_rad_s": conditions.spin_rad_s * 2},
    }
    return {
        name: replace(conditions, preset="custom", **values) for name, values in changed.items()
    }
