"""Write bottle_cap.obj: a crown cap as a shell of sheet metal, in millimetres."""

from itertools import pairwise
from pathlib import Path

import numpy as np

from brickphys.units import Array

SEGMENTS = 42
"""Two for each of the 21 teeth of the rim, which are left out."""
HEIGHT_MM, TOP_MM, RIM_MM, SHEET_MM = 6.0, 26.75, 32.1, 0.235
"""Height, diameters of the flat top and of the rim, thickness of the sheet."""


def circle(diameter_mm: float, z_mm: float) -> Array:
    """Return the corners of a polygon, shape (SEGMENTS, 3)."""
    turn = 2 * np.pi * np.arange(SEGMENTS) / SEGMENTS
    return np.column_stack(
        [diameter_mm / 2 * np.cos(turn), diameter_mm / 2 * np.sin(turn), np.full(SEGMENTS, z_mm)]
    )


def main() -> None:
    """Write the mesh: one profile, turned about the z axis, with both ends on the axis."""
    rings = [
        circle(TOP_MM, HEIGHT_MM),
        circle(RIM_MM, 0.0),
        circle(RIM_MM - 2 * SHEET_MM, 0.0),
        circle(TOP_MM - 2 * SHEET_MM, HEIGHT_MM - SHEET_MM),
    ]
    corners = np.vstack([*rings, [(0, 0, HEIGHT_MM), (0, 0, HEIGHT_MM - SHEET_MM)]])
    above, below = len(corners) - 1, len(corners)
    rows = [f"v {x:.5f} {y:.5f} {z:.5f}" for x, y, z in corners.tolist()]
    for i in range(SEGMENTS):
        j = (i + 1) % SEGMENTS
        ring = [(1 + SEGMENTS * k + i, 1 + SEGMENTS * k + j) for k in range(len(rings))]
        rows.append(f"f {above} {ring[0][0]} {ring[0][1]}")
        for (a, b), (c, d) in pairwise(ring):
            rows += [f"f {a} {c} {d}", f"f {a} {d} {b}"]
        rows.append(f"f {below} {ring[-1][1]} {ring[-1][0]}")
    path = Path(__file__).with_suffix(".obj")
    path.write_text("# bottle_cap.py wrote this file\n" + "\n".join(rows) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
