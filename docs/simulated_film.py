"""Write simulated_film.csv: throws of a simulated person, as read from a film.

python docs/simulated_film.py
"""

import csv
import math
from pathlib import Path

import numpy as np

from brickphys.shapes.catalogue import parse_shape
from brickphys.throws.conditions import preset
from brickphys.throws.release import release
from brickphys.units import GRAVITY_M_S2

THROWS, FPS, NOISE_MM, LOWEST_MM, SEED = 30, 120, 1.5, 25.0, 2026


def main() -> None:
    """Write a row for each frame in the air; turns are counted to a quarter at the last frame."""
    states = release(parse_shape("2x2"), preset("hand"), SEED, (1,), 0, THROWS).flat()
    rng = np.random.default_rng(SEED)
    with Path(__file__).with_suffix(".csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(("throw", "frame", "x", "z", "turns"))
        for number in range(THROWS):
            height = states.position_mm[number, 2]
            speed = math.hypot(*states.velocity_m_s[number, :2])
            spin = math.hypot(*states.spin_rad_s[number])
            air_s = math.sqrt((height - LOWEST_MM) / (500 * GRAVITY_M_S2))
            time = np.arange(int(air_s * FPS) + 1) / FPS
            x = 1000 * speed * time + rng.normal(0, NOISE_MM, len(time))
            z = height - 500 * GRAVITY_M_S2 * time**2 + rng.normal(0, NOISE_MM, len(time))
            turns = round(4 * spin * time[-1] / (2 * math.pi)) / 4
            for frame in range(len(time)):
                counted = turns if frame == len(time) - 1 else ""
                rows.writerow((number + 1, frame, f"{x[frame]:.1f}", f"{z[frame]:.1f}", counted))


if __name__ == "__main__":
    main()
