"""Throws per second of the engine `compiled`, in lanes, against the reference, on one core, and what both find.

Run by ``make bench``. They throw the same bodies in turns, so a machine that slows down slows both. Throws per second
are measured in processor time, which other processes hardly change.
"""

import statistics
import time

import numpy as np
import trimesh

from benchmarks.reference import ReferenceEngine
from brickphys.engines.compiled import CompiledEngine
from brickphys.shapes.body import Body
from brickphys.shapes.body_file import parse_body_file
from brickphys.shapes.catalogue import parse_shape
from brickphys.throws.conditions import preset, surface
from brickphys.throws.release import release

ROUNDS = 5
THROWS = 40_960
"""Throws of each engine in a round."""
CASES = (
    ("2x2", "wood"),
    ("2x2", "glass"),
    ("2x2", "cloth"),
    ("1x2", "wood"),
    ("2x4", "wood"),
    ("cuboid:10x10x20", "wood"),
    ("d6:16", "wood"),
    ("stone of 60", "wood"),
)


def stone(corners: int) -> Body:
    """Return a body without any symmetry: the hull of so many points on an ellipsoid, with a pose for each half."""
    points = np.random.default_rng(3).normal(size=(corners, 3))
    points *= np.array([9.0, 7.0, 5.0]) / np.linalg.norm(points, axis=1, keepdims=True)
    mesh = trimesh.convex.convex_hull(points)
    document = """
        name = "stone"
        source = "drawn"
        mesh = "stone.off"
        density_g_cm3 = 1.0
        within_deg = 90
        poses = { up = [[0, 0, 1]], down = [[0, 0, -1]] }
    """
    content = str(mesh.export(file_type="off")).encode()
    return parse_body_file(document.encode(), "stone.toml", lambda *_: content).body()


def compare(shape: str, table: str) -> None:
    """Print the speeds, their median ratio and the commonest pose of a body on a surface."""
    body = stone(int(shape.split()[-1])) if shape.startswith("stone") else parse_shape(shape)
    contact = surface(table).nominal
    engines = {"compiled": CompiledEngine(), "reference": ReferenceEngine()}
    speeds: dict[str, list[float]] = {name: [] for name in engines}
    counts = {name: dict.fromkeys(body.poses, 0) for name in engines}
    for engine in engines.values():
        engine.land(body, contact, release(body, preset("hand"), 0, (0,), 0, 2))
    for number in range(ROUNDS):
        states = release(body, preset("hand"), 1, (number,), 0, THROWS)
        for name, engine in engines.items():
            start = time.process_time()
            landing = engine.land(body, contact, states)
            speeds[name].append(THROWS / (time.process_time() - start))
            found = landing.counts()
            counts[name] = {pose: n + found[pose] for pose, n in counts[name].items()}
    ratio = statistics.median(a / b for a, b in zip(*speeds.values(), strict=True))
    pose = body.scoring[0] if body.scoring else max(body.poses, key=counts["reference"].__getitem__)
    shares = [counts[name][pose] / (ROUNDS * THROWS) for name in engines]
    a, b = (statistics.median(speeds[name]) for name in engines)
    error = 1.96 * (2 * shares[1] * (1 - shares[1]) / (ROUNDS * THROWS)) ** 0.5
    print(
        f"{shape:>16} {table:>6}{a:>10.0f}{b:>10.0f}{ratio:>7.2f}  {pose:>9}"
        f"{shares[0]:>8.4f}{shares[1]:>8.4f} {shares[0] - shares[1]:+.4f} +-{error:.4f}",
        flush=True,
    )


def main() -> None:
    """Print a row for each body and surface."""
    print("throws a second of processor time, their ratio; share of a pose, and the difference")
    print("            body  table  compiled reference  ratio       pose compiled reference")
    for shape, table in CASES:
        compare(shape, table)


if __name__ == "__main__":
    main()
