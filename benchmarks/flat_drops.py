"""Flat drops: times to rest of bricks that land on a face, over those of the geometric series, in the Bullet engine.

``python -m benchmarks.flat_drops`` prints the tables of docs/convergence.md (about a minute).
"""

from itertools import product

import numpy as np
from scipy.spatial.transform import Rotation

from brickphys.engines.bullet import BulletEngine
from brickphys.engines.bullet_world import BulletSettings
from brickphys.shapes.body import Body
from brickphys.shapes.catalogue import parse_shape
from brickphys.throws.conditions import ContactCoefficients
from brickphys.throws.faces import face_map
from brickphys.throws.flight import States, down
from brickphys.throws.release import FLAT_DEG
from brickphys.units import GRAVITY_M_S2, Array

RESTITUTIONS, FRICTIONS, HEIGHTS_MM = (0.3, 0.6), (0.05, 0.15, 0.4, 1.0), (20.0, 100.0, 300.0)
YAWS_DEG = np.random.default_rng(1).uniform(0, 360, 16)
POSES = {"upright": 0.0, "on its side": 90.0, "on its studs": 180.0}
DROPS = (
    *((shape, pose) for shape in ("2x2", "1x2") for pose in POSES),
    ("d6:16", "upright"),
    ("plate:2x2", "on its side"),
)
FAULTS = {  # tilt in degrees, roll in rad/s, slide in m/s
    "tilted by 0.01 degrees": (0.01, 0.0, 0.0),
    "tilted by 0.02 degrees": (0.02, 0.0, 0.0),
    "tilted by 0.1 degrees": (0.1, 0.0, 0.0),
    "rolls at 0.001 rad/s": (0.0, 0.001, 0.0),
    "rolls at 0.1 rad/s": (0.0, 0.1, 0.0),
    "slides at 0.1 m/s": (0.0, 0.0, 0.1),
    "slides at 0.5 m/s": (0.0, 0.0, 0.5),
}


def released(
    body: Body, pose: str, height_mm: float, tilt_deg: float, roll_rad_s: float, slide_m_s: float
) -> States:
    """Return bricks whose lowest corners are at a height, one for each yaw, shape (n, 1)."""
    turned = (
        Rotation.from_euler("x", tilt_deg, degrees=True)
        * Rotation.from_euler("z", YAWS_DEG[:, None], degrees=True)
        * Rotation.from_euler("x", POSES[pose], degrees=True)
    )
    still = np.zeros((len(YAWS_DEG), 1, 3))
    position_mm = still.copy()
    low_mm = [rotation.apply(body.vertices_mm)[:, 2].min() for rotation in turned]
    position_mm[:, 0, 2] = height_mm + body.edge_radius_mm - np.array(low_mm)
    slide, roll = (speed * np.array([1.0, 0.0, 0.0]) for speed in (slide_m_s, roll_rad_s))
    return States(position_mm, turned.as_quat()[:, None], still + slide, still + roll)


def times(
    body: Body,
    pose: str,
    contact: ContactCoefficients,
    height_mm: float,
    fault: tuple[float, float, float] = (0.0, 0.0, 0.0),
) -> tuple[Array, float]:
    """Return the times to rest over the ideal one, shape (n,), inf on another face; and the largest gain of energy."""
    engine = BulletEngine(BulletSettings(by_energy=False))
    start = released(body, pose, height_mm, *fault)
    end = engine.land(body, contact, start)
    same = face_map(body).pose_at_rest(down(start.quaternion[:, 0]), FLAT_DEG) == end.pose[:, 0]
    fall_s = np.sqrt(2 * height_mm / 1000 / GRAVITY_M_S2)
    ideal_s = fall_s * (1 + contact.restitution) / (1 - contact.restitution)
    ratio = (end.time_s - engine.settings.rest_s) / ideal_s
    return np.where(same, ratio, np.inf), float(end.energy_gain.max())


def cell(ratios: Array, gain: float) -> str:
    """Return the cells of some drops."""
    same = ratios[np.isfinite(ratios)]
    spread = f"{np.median(same):.3f}, {same.min():.3f} to {same.max():.3f}" if len(same) else ""
    near = np.mean(np.abs(ratios - 1) <= 0.05)
    return f"{spread} | {len(same) / len(ratios):.0%} | {near:.0%} | {gain:.5f}"


def flat() -> None:
    """Print the table of drops that are flat, over all frictions and heights."""
    print("| | e | median, least to largest | same face | within 5 % | energy gain at most |")
    print("|---|---|---|---|---|---|")
    for (shape, pose), e in product(DROPS, RESTITUTIONS):
        results = [
            times(parse_shape(shape), pose, ContactCoefficients(friction, e), height_mm)
            for friction, height_mm in product(FRICTIONS, HEIGHTS_MM)
        ]
        ratios, gains = zip(*results, strict=True)
        print(f"| {shape} {pose} | {e} | {cell(np.concatenate(ratios), max(gains))} |", flush=True)


def nearly_flat() -> None:
    """Print the table of drops of a 2x2 that are not quite flat, from 100 mm at friction 0.4."""
    print("| 2x2 | e | median, least to largest | same face | within 5 % | energy gain at most |")
    print("|---|---|---|---|---|---|")
    brick = parse_shape("2x2")
    for pose, e, (name, fault) in product(
        ("upright", "on its studs"), RESTITUTIONS, FAULTS.items()
    ):
        results = times(brick, pose, ContactCoefficients(0.4, e), 100.0, fault)
        print(f"| {pose}, {name} | {e} | {cell(*results)} |", flush=True)


def main() -> None:
    """Print both tables."""
    flat()
    print()
    nearly_flat()


if __name__ == "__main__":
    main()
