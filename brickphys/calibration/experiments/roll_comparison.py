"""Roll comparison: published shares of prisms, of a thick coin and of cylinders, beside simulated ones.

The shares are of a coin on its edge, and of cylinders on an end. Those of prisms also stand beside those of models
without simulation.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from brickphys.calibration.experiments.rolls import (
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
from brickphys.notes import StageProgress
from brickphys.odds.distribution import wilson
from brickphys.throws.conditions import PRESETS, Conditions, ContactCoefficients
from brickphys.units import Array

CHECK = 10
"""The best surface is simulated again, with this many times as many throws and other random numbers, because the least
chi-squared of a fitted map is biased low."""


def interval(share: float, count: int) -> tuple[float, float]:
    """Return Wilson's interval of a published share."""
    return wilson(round(share * count), count)


@dataclass(frozen=True, eq=False)
class RollComparison:
    """Published rolls of some solids beside simulated ones."""

    conditions: Conditions
    throws: int
    """Throws of each solid on each surface."""
    root: int
    edge_radius_mm: float
    contact: ContactCoefficients
    """The surface of the prediction: of prisms the one with the least chi-squared on the second, finer grid."""

    def how(self) -> dict[str, Any]:
        """Return how the solids were thrown, as keys of the JSON object."""
        return {
            "throws": self.throws,
            "preset": self.conditions.preset,
            "height_mm": list(self.conditions.height_mm),
            "speed_m_s": self.conditions.speed_m_s,
            "spin_rad_s": self.conditions.spin_rad_s,
            "seed": self.root,
        }


def _thrower(root: int, workers: int, progress: StageProgress) -> Callable[..., Array]:
    """Return what throws solids on surfaces, a stage after the other; see `throw_solids`."""
    throw: Callable[..., Array] = partial(throw_solids, root=root, workers=workers)
    return lambda stage, *given, **how: throw(*given, **how, progress=partial(progress, stage))


ZOOM = 4
"""Around the best surface of the grid there is a second, finer grid, with this many times as many throws."""

_GRID, _CHECK, _ZOOM = 0, 1, 6
"""Seed addresses."""


@dataclass(frozen=True, eq=False)
class PrismComparison(RollComparison):
    """Comparison of the prisms with one surface for all of them."""

    rolls: RollSet
    fit: SurfaceFit
    """The map over the whole grid."""
    shares: Array
    """Shares simulated on that surface with other random numbers, shape (rows,)."""
    chi2: float
    p_value: float
    """Chi-squared of those shares, and its p-value with two fitted parameters."""
    solid_angle: Array
    gibbs: Array
    gibbs_b: float
    smooth: Array
    fair_smooth: Array
    """Shares of the smooth curve that fits best (`fit_smooth_curve`), and of the best that gives a cube its third,
    shape (rows,)."""

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
            **self.how(),
        }


def compare_prisms(
    conditions: Conditions,
    throws: int,
    root: int,
    *,
    edge_radius_mm: float = 0.0,
    contacts: Sequence[ContactCoefficients] | None = None,
    workers: int = 1,
    progress: StageProgress = lambda *_: None,
) -> PrismComparison:
    """Throw the published prisms on a grid of surfaces and on a finer one, and again on the best surface.

    Raises InvalidValueError if throws or conditions are impossible. On the finer grid each prism has `ZOOM` times as
    many throws, and on the best surface `CHECK` times as many. The usual grid is `surface_grid`.
    """
    check_throws(throws, MAX_THROWS // CHECK)
    rolls = published()["prisms"]
    solids = [square_prism(ratio, edge_radius_mm) for ratio in rolls.ratios]

    counts = _thrower(root, workers, progress)

    def fitted(
        stage: str, surfaces: Sequence[ContactCoefficients], n: int, address: int
    ) -> SurfaceFit:
        found = counts(stage, solids, surfaces, conditions, n, address=address)
        return fit_surface(fit_roll_response(surfaces, found, n), rolls)

    fit = fitted("grid", surface_grid() if contacts is None else contacts, throws, _GRID)
    best = fitted("finer grid", zoom_grid(fit.contact), ZOOM * throws, _ZOOM).contact
    # half a throw is added to both outcomes, since chi-squared is infinite for a share of 0
    again = counts("best surface", solids, [best], conditions, CHECK * throws, address=_CHECK)[0]
    shares = (again + 0.5) / (CHECK * throws + 1.0)
    chi2, b = float(rolls.chi2(shares)), fit_gibbs(rolls)
    return PrismComparison(
        *(conditions, throws, root, edge_radius_mm, best),
        rolls=rolls,
        fit=fit,
        shares=shares,
        chi2=chi2,
        p_value=p_value(chi2, degrees(rolls)),
        solid_angle=prism_solid_angle(rolls.ratios),
        gibbs=gibbs(rolls.ratios, b),
        gibbs_b=b,
        smooth=smooth_curve(rolls.ratios, fit_smooth_curve(rolls)),
        fair_smooth=smooth_curve(rolls.ratios, fit_smooth_curve(rolls, fair=True)),
    )


COIN_SURFACE = ContactCoefficients(friction=0.25, restitution=0.5)
"""The surface of coins, chosen when their share was known, so that the comparison confirms nothing: a little above the
frictions of the tracked cube, 0.19, and of printed dice, 0.2 or 0.3; the prisms leave it open."""
COIN_FRICTIONS = (0.2, 0.3, 0.4)
COIN_RESTITUTIONS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7)
COIN_EDGE_RADIUS_MM = 0.26
"""Edge radius of the coin: 0.35 mm on a coin of 20 mm, as coins in use have; that of the thrown one is not known."""

_COIN_CHECK, _COIN, _CYLINDER, _VARIED = range(1, 5)
"""Seed addresses."""


@dataclass(frozen=True, eq=False)
class CoinComparison(RollComparison):
    """Comparison of a thick coin on its edge, and of a cylinder as high as wide on its ends."""

    coin: RollSet
    cylinder: RollSet
    cylinder_conditions: Conditions
    at_contact: float
    sharp_at_contact: float
    """The coin's share of edges on that surface, with this edge radius and with sharp edges."""
    frictions: tuple[float, ...]
    restitutions: tuple[float, ...]
    edges: Array
    ends: Array
    """Shares of coins on their edge and of cylinders on an end, on a grid of surfaces, shape (f, r)."""
    varied: dict[str, float]
    """Share of edges at `contact` by other throws, by a description of each."""
    solid_angle: float
    area: float

    def implied(self, wanted: float) -> dict[float, tuple[float, ...]]:
        """Return, for each friction, the restitutions at which the share of cylinders on an end is `wanted`."""
        e = np.array(self.restitutions)
        return {mu: crossings(e, self.ends[i], wanted) for i, mu in enumerate(self.frictions)}

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
            "varied": self.varied,
            "cylinder": {
                "source": self.cylinder.source,
                "ends": self.ends.tolist(),
                "preset": self.cylinder_conditions.preset,
                "implied_restitution": [
                    {"measured": one.share, "friction": mu, "restitutions": list(found)}
                    for one in self.cylinder.rows
                    for mu, found in self.implied(one.share).items()
                ],
            },
            **self.how(),
        }


def compare_coin(
    conditions: Conditions,
    cylinder_conditions: Conditions,
    throws: int,
    root: int,
    *,
    contact: ContactCoefficients = COIN_SURFACE,
    edge_radius_mm: float = COIN_EDGE_RADIUS_MM,
    frictions: Sequence[float] = COIN_FRICTIONS,
    restitutions: Sequence[float] = COIN_RESTITUTIONS,
    workers: int = 1,
    progress: StageProgress = lambda *_: None,
) -> CoinComparison:
    """Throw the thick coin and the cylinder on many surfaces, and the coin in other ways.

    At `contact` there are `CHECK` times as many throws.
    """
    check_throws(throws, MAX_THROWS // CHECK)
    coin, cylinder = published()["coin"], published()["cylinder"]
    edge = thick_coin(coin.rows[0].ratio, edge_radius_mm)
    end = upright_cylinder(cylinder.rows[0].ratio, edge_radius_mm)
    sharp = thick_coin(coin.rows[0].ratio)
    surfaces, thrown = surface_grid(frictions, restitutions), _thrower(root, workers, progress)

    def one(
        stage: str, solid: RolledSolid, how: Conditions, address: int, times: int = CHECK
    ) -> float:
        counts = thrown(stage, [solid], [contact], how, times * throws, address=address)
        return float(counts[0, 0] / (times * throws))

    def each(stage: str, solid: RolledSolid, how: Conditions, address: int) -> Array:
        counts = thrown(stage, [solid], surfaces, how, throws, address=address)
        return np.reshape(counts[:, 0] / throws, (len(frictions), len(restitutions)))

    return CoinComparison(
        *(conditions, throws, root, edge_radius_mm, contact),
        coin=coin,
        cylinder=cylinder,
        cylinder_conditions=cylinder_conditions,
        at_contact=one("coin", edge, conditions, _COIN_CHECK),
        sharp_at_contact=one("sharp coin", sharp, conditions, _COIN_CHECK),
        frictions=tuple(frictions),
        restitutions=tuple(restitutions),
        edges=each("coin", edge, conditions, _COIN),
        ends=each("cylinder", end, cylinder_conditions, _CYLINDER),
        varied={
            name: one("other throws", edge, how, _VARIED, 1)
            for name, how in other_throws(conditions).items()
        },
        solid_angle=coin_solid_angle(coin.rows[0].ratio),
        area=coin_area(coin.rows[0].ratio),
    )


def other_throws(conditions: Conditions) -> dict[str, Conditions]:
    """Return conditions with one value changed, and the other kinds of throw, by a description of each."""
    low, high = conditions.height_mm
    changed: dict[str, dict[str, Any]] = {
        "half the height": {"height_mm": (low / 2, high / 2)},
        "twice the height": {"height_mm": (2 * low, 2 * high)},
        "half the spin": {"spin_rad_s": conditions.spin_rad_s / 2},
        "twice the spin": {"spin_rad_s": conditions.spin_rad_s * 2},
    }
    kinds = {name: how for name, how in PRESETS.items() if name != conditions.preset}
    return {
        name: replace(conditions, preset="custom", **values) for name, values in changed.items()
    } | kinds
