"""Write simulated_counts.csv: what a person might have counted, thrown by the engine, not by a hand.

python docs/simulated_counts.py
"""

import csv
from dataclasses import replace
from pathlib import Path

from brickphys.calibration.home_counts import BRICKS, POSES, SCORE, SURFACE
from brickphys.engines.registry import engine
from brickphys.odds.roll import SIDE
from brickphys.shapes.catalogue import parse_shape
from brickphys.throws.conditions import ContactCoefficients, preset
from brickphys.throws.release import release

HANDS, BRICKS_A_HAND, SEED = 100, 5, 2026
CONTACT = ContactCoefficients(friction=0.45, restitution=0.45)


def main() -> None:
    """Throw a hundred hands of five bricks on one kind of wood and write a row for each."""
    body = parse_shape("2x2")
    conditions = replace(preset("hand"), bricks=BRICKS_A_HAND)
    landing = engine("bullet").land(body, CONTACT, release(body, conditions, SEED, (0,), 0, HANDS))
    with Path(__file__).with_suffix(".csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow((BRICKS, SCORE, SURFACE, *POSES, "who"))
        for hand in landing.pose:
            stopped = [landing.poses[pose] for pose in hand]
            counts = [stopped.count(pose) for pose in POSES]
            rows.writerow((BRICKS_A_HAND, stopped.count(SIDE), "wood", *counts, "simulated"))


if __name__ == "__main__":
    main()
