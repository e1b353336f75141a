"""Write the table of measure.md: how much each measurement narrows the interval of p.

python docs/measure_worth.py
"""

from pathlib import Path

import numpy as np

from brickphys.calibration.home_counts import HomeCounts
from brickphys.calibration.measure.brick import brick_test
from brickphys.calibration.measure.drop import drop_of_heights
from brickphys.calibration.measure.film import film_test, read_film
from brickphys.calibration.measure.measured import TiltTest
from brickphys.calibration.measure.measured_posterior import measured_posterior
from brickphys.calibration.measure.measurement_file import Measurements
from brickphys.calibration.response import Response, fit_response
from brickphys.calibration.response_design import shipped_design
from brickphys.throws.conditions import surface

TILT = TiltTest((24.5, 23, 25, 24, 26, 22.5, 24, 25.5, 23.5, 24.5), 1.0)
DROP = drop_of_heights(300, [(62, 12), (58,), (65, 13), (60,), (59, 11)], 3.0)
LENGTHS = (
    "wall_mm=1.39,1.41,1.4,1.4,1.39",
    "top_mm=1.1,1.11,1.09,1.1,1.1",
    "stud_height_mm=1.7,1.71,1.7",
)
BRICK = brick_test((*LENGTHS, "edge_radius_mm=0.2,0.22,0.19,0.2"), 0.03, 0.05, 0.01)
FILM = Path(__file__).with_name("simulated_film.csv")
PAGE = Path(__file__).with_name("measure.md")
HEADER = """\
| measured | no counts | with 500 bricks | with 2,000 | with 10,000 |
|---|---|---|---|---|
"""
TRUTH = {"friction": 0.45, "restitution": 0.45, "wall_mm": 1.4, "top_mm": 1.1}
BRICKS = (0, 500, 2000, 10_000)
SEED = 1


def main() -> None:
    """Write a row for each set of tests, with a column for each number of counted bricks."""
    response = fit_response(shipped_design())
    film = film_test(read_film(FILM, 120), 0.02)
    rows = {
        "nothing (ranges of wood, any brick, any hand)": Measurements(),
        "tilt": Measurements(tilt=TILT),
        "film": Measurements(film=film),
        "brick": Measurements(brick=BRICK),
        "tilt, drop and film": Measurements(TILT, DROP, film),
        "tilt, drop, film and brick": Measurements(TILT, DROP, film, BRICK),
    }
    table = ""
    for name, tests in rows.items():
        points = [100 * half_width(tests, response, bricks) for bricks in BRICKS]
        table += f"| {name} | {' | '.join(f'± {one:.1f}' for one in points)} |\n"
    before, rest = PAGE.read_text(encoding="utf-8").split(HEADER)
    after = rest[rest.index("\n\n") + 1 :]
    PAGE.write_text(f"{before}{HEADER}{table}{after}", encoding="utf-8", newline="\n")


def half_width(tests: Measurements, response: Response, bricks: int) -> float:
    """Return the half-width of the 95 % interval with the tests and so many counted bricks."""
    rng = np.random.default_rng(SEED)
    counts = thrown(response, bricks, rng) if bricks else None
    found = measured_posterior(tests.quantities(), response, surface("wood"), counts, rng)
    return (found.p.ci95[1] - found.p.ci95[0]) / 2


def thrown(response: Response, bricks: int, rng: np.random.Generator) -> HomeCounts:
    """Return single bricks that fall as the response surface says for the true table; the throw is in the middle."""
    usual = {name: sum(ends) / 2 for name, ends in response.ranges.items()}
    (shares,) = response.shares(np.array([list((usual | TRUTH).values())]))
    poses = np.column_stack([rng.multinomial(1, shares, bricks), np.zeros(bricks, dtype=np.int64)])
    return HomeCounts(poses.sum(axis=1), poses[:, 2], poses)


if __name__ == "__main__":
    main()
