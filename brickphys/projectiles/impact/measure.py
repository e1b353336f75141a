"""Measure: the impact law of a projectile and a body, and all laws that ship (``make impact-laws``)."""

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

import numpy as np

from brickphys.engines.shots.shoot import SHOT_SETTINGS
from brickphys.odds.intervals import wilson
from brickphys.projectiles.bodies.catalogue import targets
from brickphys.projectiles.bodies.silhouette import Side
from brickphys.projectiles.bodies.target import Target
from brickphys.projectiles.impact.impact_law import ASIDES_MM, HEIGHTS_MM, ImpactLaw
from brickphys.projectiles.impact.law_file import LAWS, write_law
from brickphys.projectiles.impact.strikes import Arrival, strike
from brickphys.projectiles.weapons import Projectile, weapons
from brickphys.stamp import kept, stamp_here, unless_edited
from brickphys.throws.surfaces import BRICK_ON_BRICK, SURFACES

FALLS_DEG = (0.0, 20.0, 40.0)
SPEEDS_M_S = {
    "bb": (1.0, 2.0, 3.0, 5.0, 8.0, 12.0),
    "round_1x1": (1.0, 2.0, 3.0, 4.5, 6.0),
    "double_2x2": (0.5, 1.0, 2.0, 3.5, 5.0),
}
"""Nodes of the laws by projectile: from rolling to the fastest that a toy of the kind throws."""
HIT_SOURCES = ("base", "engines", "geometry", "odds", "projectiles", "shapes", "throws")
"""Folders of the package from which hits are computed."""
_BATCH = 192
"""Draws at a time, in one world."""
_MOST = 4000
_FEW = 12


@dataclass(frozen=True)
class Precision:
    """When an arrival has enough hits.

    Attributes
    ----------
    half_width
        Half-width of the 95 % interval of the share over all places of hits.
    hits
        Least number of hits.
    """

    half_width: float
    hits: int

    def enough(self, knocked: int, hits: int) -> bool:
        """Return whether so many hits are enough."""
        if hits < self.hits:
            return False
        low, high = wilson(knocked, hits)
        return (high - low) / 2 <= self.half_width


def measure(
    target: Target,
    projectile: Projectile,
    precision: Precision,
    seed: int,
    speeds_m_s: tuple[float, ...] | None = None,
    falls_deg: tuple[float, ...] = FALLS_DEG,
    progress: Callable[[str], None] = lambda _: None,
) -> ImpactLaw:
    """Measure the impact law of a projectile and a target in the open.

    Parameters
    ----------
    target, projectile
        What is hit, and by what.
    precision
        When an arrival has enough hits.
    seed
        Root seed.
    speeds_m_s, falls_deg
        Nodes; `SPEEDS_M_S` and `FALLS_DEG` by default.
    progress
        Called with a line for each arrival.
    """
    speeds = speeds_m_s or SPEEDS_M_S[projectile.name]
    shape = (len(Side), len(falls_deg), len(speeds), len(HEIGHTS_MM) - 1, len(ASIDES_MM) - 1)
    hits, knocked = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    unsettled, stamp = (
        0,
        replace(stamp_here().of(HIT_SOURCES), results=fixed_hits(target, projectile)),
    )
    for place, arrival in _arrivals(speeds, falls_deg):
        drawn = 0
        while drawn < _MOST and not precision.enough(
            int(knocked[place].sum()), int(hits[place].sum())
        ):
            found = strike(target, projectile, arrival, seed, drawn, _BATCH)
            rows = np.searchsorted(HEIGHTS_MM, found.height_mm, side="right") - 1
            columns = np.searchsorted(ASIDES_MM, found.aside_mm, side="right") - 1
            np.add.at(hits[place], (rows, columns), 1)
            np.add.at(knocked[place], (rows, columns), found.knocked)
            unsettled += int((~found.settled).sum())
            drawn += _BATCH
        progress(
            f"{projectile.name} on {target.name}: {arrival.side.value}, {arrival.speed_m_s:g} m/s, "
            f"{arrival.fall_deg:g} degrees: {knocked[place].sum()} of {hits[place].sum()}"
        )
    return ImpactLaw(
        projectile.name,
        target.name,
        speeds,
        falls_deg,
        hits,
        knocked,
        unsettled,
        conditions(target, projectile),
        {"brickphys": version("brickphys"), "pybullet": version("pybullet")},
        seed,
        stamp=unless_edited(stamp),
    )


def fixed_hits(target: Target, projectile: Projectile) -> dict[str, str]:
    """Return a hexadecimal digit of each fixed hit of a projectile on a target, which follows from all of its bits."""
    name = f"hits by {projectile.name} on {target.name}"
    return {
        name: kept(
            f"{name} {stamp_here().of(HIT_SOURCES).digest}", lambda: _digits(target, projectile)
        )
    }


def _digits(target: Target, projectile: Projectile) -> str:
    arrivals = [
        Arrival(speed, 20.0, side) for side in Side for speed in SPEEDS_M_S[projectile.name][1:4:2]
    ]
    hits = (strike(target, projectile, arrival, 1, 0, _FEW) for arrival in arrivals)
    rows = [
        row
        for hit in hits
        for row in zip(hit.height_mm, hit.aside_mm, hit.knocked, hit.settled, strict=True)
    ]
    return "".join(
        sha256(b"".join(value.tobytes() for value in row)).hexdigest()[0] for row in rows
    )


def _arrivals(
    speeds: tuple[float, ...], falls: tuple[float, ...]
) -> Iterator[tuple[tuple[int, int, int], Arrival]]:
    """Yield every arrival with its place in the law."""
    for i, side in enumerate(Side):
        for j, fall in enumerate(falls):
            for k, speed in enumerate(speeds):
                yield (i, j, k), Arrival(speed, fall, side)


def conditions(target: Target, projectile: Projectile) -> dict[str, float]:
    """Return what the law depends on."""
    wood = SURFACES["wood"].nominal
    return {
        "friction": BRICK_ON_BRICK.friction,
        "restitution": BRICK_ON_BRICK.restitution,
        "table_friction": wood.friction,
        "table_restitution": wood.restitution,
        "step_s": SHOT_SETTINGS.step_s,
        "iterations": SHOT_SETTINGS.iterations,
        "projectile_g": projectile.mass_g,
        "projectile_mm": projectile.diameter_mm,
        "body_g": round(target.mass_g, 6),
        "body_mm": target.height_mm,
    }


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    """Measure laws and write their files."""
    thrown = {weapon.projectile.name: weapon.projectile for weapon in weapons().values()}
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half-width", type=float, default=0.04, help="of an arrival's interval")
    parser.add_argument("--hits", type=int, default=80, help="least hits of an arrival")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--projectiles", nargs="+", choices=list(thrown), default=list(thrown))
    parser.add_argument("--bodies", nargs="+", choices=list(targets()), default=list(targets()))
    parser.add_argument("--out", type=Path, default=LAWS, help="folder")
    options = parser.parse_args()
    precision = Precision(options.half_width, options.hits)
    command = (
        f"python -m brickphys.projectiles.impact.measure --half-width {options.half_width:g} "
        f"--hits {options.hits} --seed {options.seed}"
    )
    for name in options.projectiles:
        for body in options.bodies:
            law = measure(targets()[body], thrown[name], precision, options.seed, progress=_print)
            write_law(replace(law, command=command), options.out, force=True)


if __name__ == "__main__":
    main()
