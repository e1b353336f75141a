"""Prism comparison: published shares of square prisms beside simulated ones and those of models without simulation."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from brickphys.arrays import Array
from brickphys.calibration.rolls.roll_comparison import (
    CHECK,
    conditions_json,
    interval,
    stage_progress,
)
from brickphys.calibration.rolls.roll_fit import (
    SurfaceFit,
    degrees,
    fit_roll_response,
    fit_surface,
    p_value,
    surface_grid,
    zoom_grid,
)
from brickphys.calibration.rolls.rolls import (
    MAX_THROWS,
    RollSet,
    check_throws,
    fit_gibbs,
    fit_smooth_curve,
    gibbs,
    prism_solid_angle,
    published,
    smooth_curve,
    square_prism,
    throw_solids,
)
from brickphys.notes import StageProgress
from brickphys.throws.conditions import Conditions
from brickphys.throws.surfaces import ContactCoefficients

ZOOM = 4
"""Around the best surface of the grid there is a second, finer grid, with this many times as many throws."""

_GRID, _CHECK, _ZOOM = 0, 1, 6
"""Seed addresses."""


@dataclass(frozen=True, eq=False)
class PrismComparison:
    """Comparison of the prisms with one surface for all of them.

    Attributes
    ----------
    rolls
        The published rolls.
    conditions, throws, root
        Throw conditions, throws of each prism on each surface, root seed.
    edge_radius_mm
        Edge radius of the prisms.
    fit
        The map over the whole grid.
    contact
        The surface with the least chi-squared on the second, finer grid.
    shares : ndarray, shape (rows,)
        Shares simulated on that surface with other random numbers.
    chi2, p_value
        Chi-squared of those shares, and its p-value with two fitted parameters.
    solid_angle, gibbs : ndarray, shape (rows,)
        Shares by solid angle, and by the Gibbs model with its best parameter `gibbs_b`.
    smooth, fair_smooth : ndarray, shape (rows,)
        Shares of the smooth curve that fits best (`fit_smooth_curve`), and of the best that gives a cube its third.
    """

    rolls: RollSet
    conditions: Conditions
    throws: int
    root: int
    edge_radius_mm: float
    fit: SurfaceFit
    contact: ContactCoefficients
    shares: Array
    chi2: float
    p_value: float
    solid_angle: Array
    gibbs: Array
    gibbs_b: float
    smooth: Array
    fair_smooth: Array

    def to_json(self) -> dict[str, Any]:
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
    conditions
        Throw conditions.
    throws
        Throws of each prism on each surface; on the finer grid `ZOOM` and on the best surface `CHECK` times as many.
    root
        Root seed.
    edge_radius_mm
        Edge radius of the prisms.
    contacts
        The grid of surfaces; None for `surface_grid`.
    workers
        Number of processes.
    progress
        Called with the stage, its jobs done and all its jobs.

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
