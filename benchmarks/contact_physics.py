"""Other contact physics on all real data: the table in docs/validation.md.

Each row is one change of the contact physics. Friction and restitution are fitted to faces and distances of the cube,
and again to all prisms, except for the compliant contacts, which are too slow for that. Coin and brick have fixed
surfaces, so their columns are effects of the law alone. All rows use the same random numbers.
"""

import argparse
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

import numpy as np
from scipy.spatial import ConvexHull

from benchmarks.contact_laws import LawEngine, Laws
from benchmarks.reference import SETTINGS
from brickphys.calibration.experiments.rolls import (
    fit_roll_response,
    fit_surface,
    published,
    surface_grid,
)
from brickphys.calibration.experiments.toss_fit import rms, screen
from brickphys.calibration.experiments.toss_tracks import read_tosses, read_tracks, refine
from brickphys.calibration.experiments.tosses import (
    EDGE_RADIUS_MM,
    NOISE_SCALE,
    Experiment,
    Model,
    TossEngine,
    cube,
    log_losses,
    predict,
)
from brickphys.engines.engine import Engine
from brickphys.engines.mujoco import MujocoEngine
from brickphys.engines.mujoco_world import MujocoSettings
from brickphys.shapes.body import Body
from brickphys.shapes.brick import brick
from brickphys.shapes.catalogue import coin, cuboid
from brickphys.throws.conditions import ContactCoefficients, preset, surface
from brickphys.throws.release import release
from brickphys.units import Array

SEED = 14
CUBE_GRID = (0.14, 0.17, 0.2, 0.24, 0.28), (0.1, 0.2, 0.3, 0.4, 0.5)
"""Friction and restitution of the cube; the noise of the starts is the default."""
PRISM_GRID = (0.2, 0.3, 0.45, 0.65), (0.3, 0.45, 0.6, 0.7)
STEEL_G_CM3 = 7.85
COIN_SURFACE = ContactCoefficients(friction=0.45, restitution=0.5)
"""One of those that explain the prisms about equally well."""
SIDE_MM, COIN_MM = 15.0, 20.0
PRISM_EDGE_MM, COIN_EDGE_MM, BRICK_EDGE_MM = 0.1, 0.35, 0.2
"""Edge radii of rounded bodies; that of the cube is the measured one."""
AIR_G_MM3, DRAG_COEFFICIENT = 1.2e-6, 1.0
ROLLING_SHARE, TORSION_SHARE = 0.025, 0.04
"""Lengths of rolling and torsional resistance over the radius of the body: 0.3 and 0.5 mm for a brick."""
SOFT_S = 0.002
"""Duration of an elastic impact on a compliant floor."""
SOFT_STARTS = 8
"""Random starts of each toss there."""


COLUMNS = (
    "law",
    "cube: friction, restitution",
    "log loss",
    "change",
    "error of the mean distance, mm",
    "RMS error, mm",
    "prisms: friction, restitution",
    "chi2",
    "coin on edge by hand, %",
    "by drop, %",
    "2x2 on a side, %",
)


@dataclass(frozen=True)
class Variant:
    """One change of the contact physics.

    Attributes
    ----------
    name
        First cell of the row.
    laws
        Contact laws for a body; None for MuJoCo with soft contacts, which is too slow for fits.
    rounded
        Whether the bodies have rounded edges.
    """

    name: str
    laws: Callable[[Body], Laws] | None = lambda _: Laws()
    rounded: bool = True

    def engine(self, body: Body, *, by_energy: bool = True) -> Engine:
        """Return the engine for a body."""
        if self.laws is None:
            return MujocoEngine(MujocoSettings(SOFT_S, SOFT_S / 10, SOFT_S, by_energy=by_energy))
        return LawEngine(replace(SETTINGS, by_energy=by_energy), laws=self.laws(body))


def air(body: Body) -> Laws:
    """Return drag and torque of air; the area is that of the mean projection (Cauchy), the torque that of a plate."""
    round_off = body.radius_mm / (body.radius_mm - body.edge_radius_mm)
    area_mm2 = ConvexHull(body.vertices_mm).area / 4 * round_off**2
    pressure = AIR_G_MM3 * DRAG_COEFFICIENT * area_mm2 / 2
    arm_mm = math.sqrt(area_mm2 / math.pi)
    return Laws(
        drag_per_mm=pressure / body.mass_g,
        spin_drag=pressure / 4 * arm_mm**3 / float(np.mean(body.inertia_g_mm2)),
    )


ROUNDED = Variant("none, rounded edges")
VARIANTS = (
    Variant("none, sharp edges", rounded=False),
    ROUNDED,
    Variant("restitution as v^-1/4", lambda _: Laws(power=0.25)),
    Variant("restitution times v / (v + 0.2 m/s)", lambda _: Laws(slow_mm_s=200.0)),
    Variant("tangential restitution 0.4", lambda _: Laws(tangential=0.4)),
    Variant("rolling resistance", lambda body: Laws(rolling_mm=ROLLING_SHARE * body.radius_mm)),
    Variant("torsional friction", lambda body: Laws(torsion_mm=TORSION_SHARE * body.radius_mm)),
    Variant("air", air),
    Variant("compliance: impacts of 2 ms", None),
)


@dataclass(frozen=True, eq=False)
class VariantExperiment(Experiment):
    """Tosses of the cube by the engine of a variant."""

    variant: Variant = ROUNDED
    replicates: int = 64

    @property
    def toss_engine(self) -> TossEngine:
        """The engine of the variant, and numbers of starts."""
        to_rest = self.variant.engine(self.body, by_energy=False)
        return TossEngine(to_rest, self.variant.engine(self.body), self.replicates, 6, 8)


@dataclass(frozen=True, eq=False)
class CubeFit:
    """Fitted surface, log loss of each toss (n,), and simulated less real distance of each toss in mm (n,)."""

    contact: ContactCoefficients
    losses: Array
    travel_error_mm: Array


@dataclass(frozen=True)
class PrismFit:
    """Fitted surface, chi squared of all prisms, and its standard error by the number of throws."""

    contact: ContactCoefficients
    chi2: float
    error: float


def throw_cube(experiment: Experiment, contact: ContactCoefficients | None) -> CubeFit:
    """Simulate the tosses on a surface; without one, fit it to faces and distances with the score of `toss_fit.fit`.

    Its values on the grid are smoothed by a quadratic in log friction and restitution.
    """
    if contact is None:
        found = screen(experiment, *CUBE_GRID, (NOISE_SCALE,), distances=True)
        assert found.travel_error_mm is not None
        score = found.losses[0].mean(axis=2) + np.log(rms(found.travel_error_mm))
        fine = np.linspace(-1, 1, 81)
        points = np.array(list(product(fine, fine)))
        contact = _surface_at(points[_quadratic(score.ravel(), points).argmin()])
    (prediction,) = predict(experiment, [Model(contact)])
    tosses = experiment.tosses
    losses = log_losses(prediction.probability, tosses.final_face)
    return CubeFit(contact, losses, prediction.travel_mm - tosses.travel_mm)


def _quadratic(values: Array, points: Array) -> Array:
    """Return the quadratic that fits the values on the cube's grid best, at points (n, 2) from -1 to 1."""
    x, y = (
        2 * (c - c[0]) / (c[-1] - c[0]) - 1 for c in (np.log(CUBE_GRID[0]), np.array(CUBE_GRID[1]))
    )
    grid = np.array(list(product(x, y)))
    powers = [(0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2)]
    terms, wanted = ([p[:, 0] ** i * p[:, 1] ** j for i, j in powers] for p in (grid, points))
    return np.asarray(
        np.linalg.lstsq(np.transpose(terms), values, rcond=None)[0] @ np.array(wanted)
    )


def _surface_at(point: Array) -> ContactCoefficients:
    """Return the surface of a point from -1 to 1 on the cube's grid."""
    (low, *_, high), (least, *_, most) = CUBE_GRID
    x, y = (point + 1) / 2
    return ContactCoefficients(low * (high / low) ** x, least + y * (most - least))


def throw_prisms(
    variant: Variant, throws: int, contact: ContactCoefficients | None = None
) -> PrismFit:
    """Throw all prisms on a surface; without one, on that which explains them best."""
    rolls = published()["prisms"]
    edge_mm = PRISM_EDGE_MM if variant.rounded else 0.0
    prisms = [
        cuboid(SIDE_MM, SIDE_MM, SIDE_MM * ratio, STEEL_G_CM3, edge_mm) for ratio in rolls.ratios
    ]

    def shares(contact: ContactCoefficients, count: int, again: int) -> Array:
        return np.array(
            [
                share(variant, body, contact, "hand", count, "z", (again, row))
                for row, body in enumerate(prisms)
            ]
        )

    if contact is None:
        surfaces = surface_grid(*PRISM_GRID)
        counts = throws * np.array([shares(surface, throws, 0) for surface in surfaces])
        contact = fit_surface(fit_roll_response(surfaces, counts, throws), rolls).contact
    many = 8 * throws
    drawn = np.random.default_rng(SEED)
    found = (many * shares(contact, many, 1) + 0.5) / (many + 1)
    others = (drawn.binomial(many, found, (400, len(found))) + 0.5) / (many + 1)
    return PrismFit(contact, float(rolls.chi2(found)), float(rolls.chi2(others).std()))


def share(
    variant: Variant,
    body: Body,
    contact: ContactCoefficients,
    conditions: str,
    throws: int,
    pose: str,
    address: tuple[int, ...] = (),
) -> float:
    """Return the share of throws that end in a pose."""
    states = release(body, preset(conditions), SEED, address, 0, throws)
    return variant.engine(body).land(body, contact, states).counts()[pose] / throws


def _mean(values: Array, digits: int) -> str:
    """Return a mean with its standard error."""
    error = values.std(ddof=1) / math.sqrt(len(values))
    return f"{values.mean():+.{digits}f} ± {error:.{digits}f}"


def _surface(contact: ContactCoefficients) -> str:
    return f"{contact.friction:.2f}, {contact.restitution:.2f}"


def _percent(share: float, throws: int) -> str:
    """Return a share in per cent with its standard error."""
    return f"{100 * share:.1f} ± {100 * math.sqrt(share * (1 - share) / throws):.1f}"


def row(variant: Variant, fit: CubeFit, base: CubeFit, prisms: PrismFit, throws: int) -> str:
    """Return the row of a variant; `base` is the cube with rounded edges and no other law."""
    coin_edge_mm, brick_edge_mm = (COIN_EDGE_MM, BRICK_EDGE_MM) if variant.rounded else (0.0, 0.0)
    thickness_mm = COIN_MM * published()["coin"].ratios[0]
    thick = coin(COIN_MM, thickness_mm, STEEL_G_CM3, coin_edge_mm)
    brick_2x2 = brick(2, 2, None, brick_edge_mm)
    by_hand, by_drop = (
        share(variant, thick, COIN_SURFACE, how, throws, "edge") for how in ("hand", "drop")
    )
    side = share(variant, brick_2x2, surface("wood").nominal, "hand", 20 * throws, "side")
    cells = (
        variant.name,
        _surface(fit.contact),
        f"{fit.losses.mean():.3f}",
        _mean(fit.losses - base.losses, 3),
        _mean(fit.travel_error_mm, 0),
        f"{rms(fit.travel_error_mm):.0f}",
        _surface(prisms.contact),
        f"{prisms.chi2:.0f} ± {prisms.error:.0f}",
        _percent(by_hand, throws),
        _percent(by_drop, throws),
        _percent(side, 20 * throws),
    )
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Print the table row by row."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tosses", type=Path, help="cube_tosses.csv (docs/validation.md)")
    parser.add_argument("tracks", type=Path, help="cube_toss_trajectories.npz")
    parser.add_argument(
        "--throws",
        type=int,
        default=1000,
        help="of coins and of a prism on a surface of the grid; on the best one 8 times, of bricks 20 times as many",
    )
    parser.add_argument("--only", default="", help="rows whose name has this text")
    arguments = parser.parse_args()
    tosses = read_tosses(arguments.tosses)
    starts = refine(tosses, read_tracks(arguments.tracks), cube())
    print(f"| {' | '.join(COLUMNS)} |")
    print("|" + "---|" * len(COLUMNS), flush=True)

    def cube_of(
        variant: Variant, contact: ContactCoefficients | None = None, replicates: int = 64
    ) -> CubeFit:
        body = cube(edge_radius_mm=EDGE_RADIUS_MM if variant.rounded else 0.0)
        experiment = VariantExperiment(
            tosses, body, SEED, starts=starts, variant=variant, replicates=replicates
        )
        return throw_cube(experiment, contact)

    base, base_prisms = cube_of(ROUNDED), throw_prisms(ROUNDED, arguments.throws)
    for variant in VARIANTS:
        if arguments.only not in variant.name:
            continue
        compared = base
        if variant is ROUNDED:
            fit, prisms = base, base_prisms
        elif variant.laws is None:
            # fewer starts raise the log loss, so both have as few
            compared, fit = (cube_of(one, base.contact, SOFT_STARTS) for one in (ROUNDED, variant))
            prisms = throw_prisms(variant, arguments.throws, base_prisms.contact)
        else:
            fit, prisms = cube_of(variant), throw_prisms(variant, arguments.throws)
        print(row(variant, fit, compared, prisms, arguments.throws), flush=True)


if __name__ == "__main__":
    main()
