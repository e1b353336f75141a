"""Crashes as bodies against real time, with more and more things; processor time, a world's set-up included.

Run by ``make bench``. A jeep drives through figures into a truck that comes towards it; walls stand behind.
"""

import time

from brickphys.shapes.assembly import assembly
from brickphys.vehicles.crash import crash
from brickphys.vehicles.scene import Bounds, Fixture, Scene, Unit, Vehicle

THINGS = (2, 5, 10, 20, 40)
AIM = 5.0
"""Times real time, with ten things."""
ROUNDS = 7


def scene(count: int) -> Scene:
    """Return a scene of so many things."""
    vehicles = (_vehicle("jeep", 50.0, 50.0, 0.0, 6), _vehicle("truck", 80.0, 52.0, 60.0, 3))
    units = [Unit(f"unit {n}", 60.5 + n % 7, 44.5 + 2 * (n // 7) + n % 2) for n in range(count - 2)]
    walls = [Fixture(f"wall {n}", _corners(95.0 + 3 * n)) for n in range(min(2, len(units)))]
    return Scene(
        Bounds(200.0, 200.0), "jeep", vehicles, tuple(units[: count - 2 - len(walls)]), tuple(walls)
    )


def _vehicle(model: str, x: float, y: float, heading_deg: float, speed: int) -> Vehicle:
    built = assembly(model)
    size = (built.length_studs, built.width_studs, built.bottom_plates, built.top_plates)
    return Vehicle(model, x, y, heading_deg, *size, speed, model)


def _corners(x: float) -> tuple[tuple[float, float], ...]:
    return (x, 40.0), (x + 1, 40.0), (x + 1, 60.0), (x, 60.0)


def main() -> None:
    """Print simulated seconds a second of processor time."""
    print(f"{'things':>6}{'simulated s':>13}{'processor s':>13}{'times real time':>17}")
    for count in THINGS:
        made, best_s = scene(count), float("inf")
        for _ in range(ROUNDS):
            start = time.process_time()
            found = crash(made)
            best_s = min(best_s, time.process_time() - start)
        aim = f"  (aim: {AIM:g})" if count == 10 else ""
        print(f"{count:>6}{found.time_s:>13.2f}{best_s:>13.3f}{found.time_s / best_s:>17.1f}{aim}")


if __name__ == "__main__":
    main()
