"""Coin comparison: published shares of a thick coin on its edge and of cylinders on an end, beside simulated ones."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from brickphys.arrays import Array
from brickphys.calibration.rolls.roll_comparison import (
    CHECK,
    conditions_json,
    interval,
    stage_progress,
)
from brickphys.calibration.rolls.roll_fit import crossings, surface_grid
from brickphys.calibration.rolls.rolls import (
    MAX_THROWS,
    RolledSolid,
    RollSet,
    check_throws,
    coin_area,
    coin_solid_angle,
    published,
    thick_coin,
    throw_solids,
    upright_cylinder,
)
from brickphys.notes import StageProgress
from brickphys.throws.conditions import Conditions, preset
from brickphys.throws.surfaces import ContactCoefficients

COIN_SURFACE = ContactCoefficients(friction=0.45, restitution=0.5)
"""The surface of coins. It is fixed in the flat valley of surfaces that explain the prisms about equally well; the
surface that ``validate prisms`` fits in that valley depends on the seed."""
COIN_FRICTIONS = (0.2, 0.4)
COIN_RESTITUTIONS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7)
COIN_EDGE_RADIUS_MM = 0.26
"""Edge radius of the coin: 0.35 mm on a coin of 20 mm, as coins in use have; that of the thrown one is not known."""

_CHECK, _COIN, _CYLINDER, _VARIED, _DROPPED = range(1, 6)
"""Seed addresses."""


@dataclass(frozen=True, eq=False)
class CoinComparison:
    """Comparison of a thick coin on its edge, and of a cylinder as high as wide on its ends.

    Attributes
    ----------
    coin, cylinder
        The published rolls.
    conditions, throws, root
        Throw conditions, throws on each surface, root seed.
    edge_radius_mm
        Edge radius of coin and cylinder.
    contact
        The surface of the prediction for the coin.
    at_contact, sharp_at_contact
        The coin's share of edges on that surface, with this edge radius and with sharp edges.
    frictions, restitutions : lengths f and r
        The grid of surfaces.
    edges, ends : ndarray, shape (f, r)
        Shares of coins on their edge and of cylinders on an end.
    edges_dropped, ends_dropped : ndarray, shape (f, r)
        The same for the preset ``drop``; without horizontal speed the bodies hardly roll.
    varied
        Share of edges at `contact` with one of the throw conditions changed, by a description of the change.
    solid_angle, area
        Shares of edges by solid angle and by surface area.
    """

    coin: RollSet
    cylinder: RollSet
    conditions: Conditions
    throws: int
    root: int
    edge_radius_mm: float
    contact: ContactCoefficients
    at_contact: float
    sharp_at_contact: float
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
        """Return, for each friction, the restitutions at which the share of dropped cylinders on an end is `wanted`."""
        e = np.array(self.restitutions)
        return {
            mu: crossings(e, self.ends_dropped[i], wanted) for i, mu in enumerate(self.frictions)
        }

    def to_json(self) -> dict[str, Any]:
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
    """Throw the thick coin and the cylinder on many surfaces, and the coin under other conditions.

    Parameters
    ----------
    conditions, throws, root
        Throw conditions, throws on each surface (`CHECK` times as many at `contact`), root seed.
    contact
        The surface of the prediction for the coin.
    edge_radius_mm
        Edge radius of coin and cylinder.
    frictions, restitutions
        The grid of other surfaces.
    workers
        Number of processes.
    progress
        Called with the stage, its jobs done and all its jobs.
    """
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
        float(shares("coin", edge, [contact], conditions, CHECK * throws, _CHECK)[0]),
        float(shares("sharp coin", sharp, [contact], conditions, CHECK * throws, _CHECK)[0]),
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
