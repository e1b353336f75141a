"""Roll comparison: published shares beside simulated ones, and beside rules that need no simulation."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from brickphys.arrays import Array
from brickphys.calibration.roll_fit import (
    SurfaceFit,
    crossings,
    degrees,
    fit_roll_response,
    fit_surface,
    grid,
    p_value,
)
from brickphys.calibration.rolls import (
    MAX_THROWS,
    RolledSolid,
    RollSet,
    check_throws,
    coin_area,
    coin_solid_angle,
    fit_gibbs,
    gibbs,
    prism,
    prism_solid_angle,
    published,
    thick_coin,
    throw_solids,
    upright_cylinder,
)
from brickphys.calibration.tally import wilson
from brickphys.throws.conditions import Conditions, preset
from brickphys.throws.surfaces import ContactCoefficients

Stage = Callable[[str, int, int], None]
"""Is told the stage, how many jobs of it are done, and of how many."""

COIN_SURFACE = ContactCoefficients(friction=0.45, restitution=0.5)
"""Where coins are thrown: fixed, in the flat valley of surfaces that explain the prisms about equally well.

It is not the surface that ``validate prisms`` fits, which every seed puts elsewhere in that valley.
"""
COIN_FRICTIONS = (0.2, 0.4)
COIN_RESTITUTIONS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7)
CHECK = 10
"""The best surface is thrown on again, this many times as often and with fresh random numbers: the least of a map of
chi squared that was fitted to simulations is too low by a little luck."""

_GRID, _CHECK, _COIN, _CYLINDER, _VARIED, _DROPPED = range(6)


@dataclass(frozen=True, eq=False)
class PrismComparison:
    """One surface for all prisms.

    Attributes
    ----------
    rolls
        What was measured.
    conditions, throws, root
        How prisms were thrown, how often each on each surface, root seed.
    fit
        The surface.
    shares : ndarray, shape (rows,)
        Simulated on that surface anew.
    chi2, p_value
        Of those shares, with two parameters fitted, and the chance of so much if rows scattered by counting alone.
    solid_angle, gibbs : ndarray, shape (rows,)
        Shares by solid angle, and by the Gibbs model at its best parameter, `gibbs_b`.
    """

    rolls: RollSet
    conditions: Conditions
    throws: int
    root: int
    fit: SurfaceFit
    shares: Array
    chi2: float
    p_value: float
    solid_angle: Array
    gibbs: Array
    gibbs_b: float

    def to_json(self) -> dict[str, Any]:
        """Return an object for JSON."""
        best = self.fit.contact
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
            "gibbs_b": self.gibbs_b,
            "rows": [
                {
                    "ratio": row.ratio,
                    "rolls": row.rolls,
                    "measured": row.share,
                    "ci95": list(interval(row.share, row.rolls)),
                    "simulated": float(self.shares[i]),
                    "solid_angle": float(self.solid_angle[i]),
                    "gibbs": float(self.gibbs[i]),
                }
                for i, row in enumerate(self.rolls.rows)
            ],
            "throws": self.throws,
            **_conditions_json(self.conditions),
            "seed": self.root,
        }


def compare_prisms(
    conditions: Conditions,
    throws: int,
    root: int,
    *,
    contacts: Sequence[ContactCoefficients] | None = None,
    workers: int = 1,
    progress: Stage | None = None,
) -> PrismComparison:
    """Throw the published prisms on a grid of surfaces, find the best one and throw on that again.

    Parameters
    ----------
    conditions
        How they are thrown.
    throws
        How often each prism is thrown on each surface; on the best one `CHECK` times as often.
    root
        Root seed.
    contacts
        The grid, if not `roll_fit.grid`.
    workers, progress
        Processes, and who is told.

    Raises
    ------
    InvalidValueError
        If throws or conditions are impossible.
    """
    check_throws(throws, MAX_THROWS // CHECK)
    rolls = published()["prisms"]
    solids = [prism(ratio) for ratio in rolls.ratios]
    surfaces = grid() if contacts is None else contacts
    counts = throw_solids(
        solids, surfaces, conditions, throws, root,
        address=_GRID, workers=workers, progress=_stage("grid", progress),
    )  # fmt: skip
    fit = fit_surface(fit_roll_response(surfaces, counts, throws), rolls)
    again = throw_solids(
        solids, [fit.contact], conditions, CHECK * throws, root,
        address=_CHECK, workers=workers, progress=_stage("best surface", progress),
    )  # fmt: skip
    # half a throw of either kind: no share is 0, where chi squared would be infinite
    shares = (again[0] + 0.5) / (CHECK * throws + 1.0)
    chi2 = float(rolls.chi2(shares))
    b = fit_gibbs(rolls)
    return PrismComparison(
        rolls,
        conditions,
        throws,
        root,
        fit,
        shares,
        chi2,
        p_value(chi2, degrees(rolls)),
        prism_solid_angle(rolls.ratios),
        gibbs(rolls.ratios, b),
        b,
    )


@dataclass(frozen=True, eq=False)
class CoinComparison:
    """A thick coin on its edge, and a cylinder as high as wide on its ends.

    Attributes
    ----------
    coin, cylinder
        What was measured.
    conditions, throws, root
        How they were thrown, how often on each surface, root seed.
    contact
        The surface on which the coin was thrown.
    at_contact
        The coin's share of edges there.
    frictions, restitutions : lengths f and r
        What else was tried.
    edges, ends : ndarray, shape (f, r)
        Shares of coins on their edge and of cylinders on an end.
    edges_dropped, ends_dropped : ndarray, shape (f, r)
        The same of bodies that were let go of (preset ``drop``): without speed along the floor they hardly roll.
    varied
        Share of edges at `contact` with one thing of the throw changed.
    solid_angle, area
        Shares of edges by simpler rules.
    """

    coin: RollSet
    cylinder: RollSet
    conditions: Conditions
    throws: int
    root: int
    contact: ContactCoefficients
    at_contact: float
    frictions: tuple[float, ...]
    restitutions: tuple[float, ...]
    edges: Array
    ends: Array
    edges_dropped: Array
    ends_dropped: Array
    varied: dict[str, float]
    solid_angle: float
    area: float

    def implied(self, wanted: float) -> dict[float, tuple[float, ...]]:
        """Return, for each friction, the restitutions at which that share of dropped cylinders stands on an end."""
        e = np.array(self.restitutions)
        return {
            mu: crossings(e, self.ends_dropped[i], wanted) for i, mu in enumerate(self.frictions)
        }

    def to_json(self) -> dict[str, Any]:
        """Return an object for JSON."""
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
            **_conditions_json(self.conditions),
            "seed": self.root,
        }


def compare_coin(
    conditions: Conditions,
    throws: int,
    root: int,
    *,
    contact: ContactCoefficients = COIN_SURFACE,
    frictions: Sequence[float] = COIN_FRICTIONS,
    restitutions: Sequence[float] = COIN_RESTITUTIONS,
    workers: int = 1,
    progress: Stage | None = None,
) -> CoinComparison:
    """Throw the thick coin and the cylinder on many surfaces, and the coin in other ways.

    Parameters
    ----------
    conditions, throws, root
        How they are thrown, how often on each surface (`CHECK` times as often at `contact`), root seed.
    contact
        The surface on which the coin is foretold.
    frictions, restitutions
        What else is tried.
    workers, progress
        Processes, and who is told.
    """
    check_throws(throws, MAX_THROWS // CHECK)
    coin, cylinder = published()["coin"], published()["cylinder"]
    edge, end = thick_coin(coin.rows[0].ratio), upright_cylinder(cylinder.rows[0].ratio)

    def shares(
        stage: str,
        solid: RolledSolid,
        surfaces: Sequence[ContactCoefficients],
        how: Conditions,
        n: int,
        address: int,
    ) -> Array:
        counts = throw_solids(
            [solid], surfaces, how, n, root,
            address=address, workers=workers, progress=_stage(stage, progress),
        )  # fmt: skip
        return np.asarray(counts[:, 0] / n)

    shape = (len(frictions), len(restitutions))
    surfaces = grid(frictions, restitutions)
    return CoinComparison(
        coin,
        cylinder,
        conditions,
        throws,
        root,
        contact,
        float(shares("coin", edge, [contact], conditions, CHECK * throws, _CHECK)[0]),
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


def other_throws(conditions: Conditions) -> dict[str, Conditions]:
    """Return conditions with one thing changed, by what a reader would call them."""
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


def interval(share: float, count: int) -> tuple[float, float]:
    """Return Wilson's interval of a published share."""
    return wilson(round(share * count), count)


def _stage(name: str, progress: Stage | None) -> Callable[[int, int], None] | None:
    return None if progress is None else lambda done, total: progress(name, done, total)


def _conditions_json(conditions: Conditions) -> dict[str, Any]:
    return {
        "preset": conditions.preset,
        "height_mm": list(conditions.height_mm),
        "speed_m_s": conditions.speed_m_s,
        "spin_rad_s": conditions.spin_rad_s,
    }
