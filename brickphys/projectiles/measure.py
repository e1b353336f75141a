"""Measure: the impact law of a projectile and a body, and all laws that ship (``make impact-laws``); checks of a law.

Strikes are hits of a projectile all over a target, drawn by address and shot in PyBullet. All parallel paths that can
meet the target are equally likely, from all bearings of one side. A cylinder tumbles in any orientation.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

import numpy as np

from brickphys.engines.shoot import SHOT_SETTINGS, shoot
from brickphys.engines.shot_world import Missile, StandingBody
from brickphys.errors import InvalidValueError, LawFileError
from brickphys.odds.distribution import wilson
from brickphys.projectiles.impact_law import (
    ASIDES_MM,
    HEIGHTS_MM,
    LAWS,
    ImpactLaw,
    read_law,
    write_law,
)
from brickphys.projectiles.standing import Side
from brickphys.projectiles.target import Target, target, targets
from brickphys.projectiles.weapons import Projectile, weapons
from brickphys.seeds import normal_quantiles, uniforms
from brickphys.shapes.body import Part
from brickphys.stamp import TRUSTED, Check, kept, stamp_check, stamp_here, unless_edited
from brickphys.throws.conditions import BRICK_ON_BRICK, SURFACES
from brickphys.throws.flight import States
from brickphys.throws.release import uniform_rotations
from brickphys.units import Array, Mask

TUMBLE_RAD_S = 30.0
"""Standard deviation of each component of a cylinder's spin, as that of bricks thrown by hand: an assumption."""
_WIDTH = 10
"""Random numbers for a strike: side, bearing, across, height, orientation (3), spin (3)."""
_SIDES = {Side.FRONT: (0.0, 45.0), Side.SIDE: (45.0, 135.0), Side.REAR: (135.0, 180.0)}


@dataclass(frozen=True)
class Arrival:
    """How a projectile arrives: its speed, the angle by which it flies downwards, and the side that it meets."""

    speed_m_s: float
    fall_deg: float
    side: Side

    @property
    def address(self) -> tuple[int, ...]:
        """Its cell among random numbers (`brickphys.seeds`)."""
        return (
            round(1000 * self.speed_m_s),
            round(1000 * self.fall_deg),
            list(Side).index(self.side),
        )


@dataclass(frozen=True, eq=False)
class Strikes:
    """Hits, shape (n,) each; projectiles that pass the target or meet the table before it are left out."""

    height_mm: Array
    """Height of the projectile's centre at the contact."""
    aside_mm: Array
    """Its distance from the target's middle, across the flight."""
    knocked: Mask
    settled: Mask
    """Whether the engine decided that (`brickphys.engines.shoot.Shots`); else it is as the target was last."""


def standing_body(target: Target) -> StandingBody:
    """Return a target as the engine takes it."""
    parts = tuple(
        Part(part.centre_mm, part.size_mm, part.kind == "cylinder") for part in target.parts
    )
    return StandingBody(parts, target.mass, target.base_mm)


def missile(projectile: Projectile) -> Missile:
    """Return a projectile as the engine takes it."""
    length = projectile.height_mm if projectile.shape == "cylinder" else 0.0
    return Missile(projectile.diameter_mm / 2, projectile.mass_g, length)


def strike(
    target: Target, projectile: Projectile, arrival: Arrival, seed: int, first: int, count: int
) -> Strikes:
    """Shoot the draws ``first .. first + count - 1`` of an arrival at a target; return the hits among them."""
    thrown, body = missile(projectile), standing_body(target)
    numbers = uniforms(seed, arrival.address, first, count, _WIDTH)
    low, high = np.radians(_SIDES[arrival.side])
    bearing = np.where(numbers[:, 0] < 0.5, -1.0, 1.0) * (low + (high - low) * numbers[:, 1])
    states = _arriving(arrival, thrown, body, bearing, numbers[:, 2:])
    shots = shoot(body, thrown, states, settings=SHOT_SETTINGS)
    contact = shots.contact_mm[shots.hit]
    left = np.stack([np.sin(bearing), -np.cos(bearing)], axis=1)[shots.hit]
    return Strikes(
        contact[:, 2],
        np.abs((contact[:, :2] * left).sum(axis=1)),
        shots.knocked[shots.hit],
        shots.settled[shots.hit],
    )


def _arriving(
    arrival: Arrival, thrown: Missile, body: StandingBody, bearing: Array, numbers: Array
) -> States:
    """Return missiles clear of the body, on paths that are uniform over all that can meet it."""
    fall = np.radians(arrival.fall_deg)
    corners = body.corners_mm + body.mass.centre_mm
    wide = float(np.hypot(corners[:, 0], corners[:, 1]).max()) + thrown.reach_mm
    slope = wide * np.tan(fall)
    low, high = -slope, float(corners[:, 2].max()) + thrown.reach_mm + slope
    out = np.stack([np.cos(bearing), np.sin(bearing), np.zeros_like(bearing)], axis=1)
    left = np.stack([out[:, 1], -out[:, 0], out[:, 2]], axis=1)
    up = np.array([0.0, 0.0, 1.0])
    back = np.cos(fall) * out + np.sin(fall) * up
    middle = (2 * numbers[:, :1] - 1) * wide * left + (low + (high - low) * numbers[:, 1:2]) * up
    away = 2 * (wide + high) * back
    spin = np.zeros_like(out)
    if thrown.length_mm:
        spin = TUMBLE_RAD_S * normal_quantiles(numbers[:, 5:8])
    velocity = -arrival.speed_m_s * back
    return States(middle + away, uniform_rotations(numbers[:, 2:5]), velocity, spin)


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
    """When an arrival has enough hits."""

    half_width: float
    """Half-width of the 95 % interval of the share over all places of hits."""
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

    The nodes `speeds_m_s` and `falls_deg` are `SPEEDS_M_S` and `FALLS_DEG` by default.
    """
    speeds = speeds_m_s or SPEEDS_M_S[projectile.name]
    shape = (len(Side), len(falls_deg), len(speeds), len(HEIGHTS_MM) - 1, len(ASIDES_MM) - 1)
    hits, knocked = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    unsettled = 0
    stamp = replace(stamp_here().of(HIT_SOURCES), results=fixed_hits(target, projectile))
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
        f"python -m brickphys.projectiles.measure --half-width {options.half_width:g} "
        f"--hits {options.hits} --seed {options.seed}"
    )
    for name in options.projectiles:
        for body in options.bodies:
            law = measure(targets()[body], thrown[name], precision, options.seed, progress=_print)
            write_law(replace(law, command=command), options.out, force=True)


if __name__ == "__main__":
    main()


def checks(path: Path) -> Iterator[Check]:
    """Yield what is found out about the file of an impact law."""
    read = "impact law: keys, bins, order of arrivals; counts, and their intervals computed again"
    try:
        law = read_law(path)
    except LawFileError as error:
        yield Check(read, str(error).removeprefix(f"{path}: "))
        return
    yield Check(read)
    yield Check("conditions are those of projectile and body", _condition_fault(law))
    yield _stamp_check(law)
    yield Check(f"{TRUSTED}: hits, knocked, unsettled, seed, versions, stamp, command")


def _stamp_check(law: ImpactLaw) -> Check:
    try:
        known = target(law.body), _thrown()[law.projectile]
    except (InvalidValueError, KeyError):
        return stamp_check(law.stamp)
    return stamp_check(law.stamp, again=lambda: fixed_hits(*known))


def _thrown() -> dict[str, Projectile]:
    return {weapon.projectile.name: weapon.projectile for weapon in weapons().values()}


def _condition_fault(law: ImpactLaw) -> str | None:
    thrown = _thrown()
    if law.projectile not in thrown:
        return f"projectile: {law.projectile!r} is not one of {', '.join(thrown)}"
    try:
        known = conditions(target(law.body), thrown[law.projectile])
    except InvalidValueError as error:
        return f"body: {error}"
    changed = [
        name for name in {**known, **law.conditions} if known.get(name) != law.conditions.get(name)
    ]
    return f"conditions: {', '.join(changed)} differ" if changed else None
