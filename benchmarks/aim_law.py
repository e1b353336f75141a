"""How long the law of a shot among 40 figures takes: ``python -m benchmarks.aim_law``.

Processor time, the median of five rounds: as the figures stand in a battle of two lines, and all of them in the cone of
one shot. The law of each place of aim is cached after its first shot, so a round takes the sights before.
"""

import statistics
import time
from collections.abc import Sequence

from brickphys.projectiles.shot import aim_law
from brickphys.projectiles.standing import Standing
from brickphys.projectiles.target import target
from brickphys.projectiles.weapons import weapon

ROUNDS, SHOTS = 5, 100


def battle() -> list[Standing]:
    """Two lines of 20 figures, 24 inches apart, an inch and a half between neighbours."""
    foot = target("foot")
    return [
        Standing(foot, 610.0 * line, 38.0 * (place - 10), 180.0 * line)
        for line in (0, 1)
        for place in range(20)
        if line or place
    ]


def crowd() -> list[Standing]:
    """Forty figures in eight ranks of five, all in the cone."""
    foot = target("foot")
    return [
        Standing(foot, 600.0 + 40.0 * rank, 24.0 * (place - 2), 180.0)
        for rank in range(8)
        for place in range(5)
    ]


def microseconds(name: str, standing: Sequence[Standing], aimed: int) -> float:
    """Return the processor time of a law of one shot."""
    shooter = weapon(name)
    aim_law(shooter, (0.0, -380.0), standing, aimed)
    rounds = []
    for _ in range(ROUNDS):
        start = time.process_time()
        for _ in range(SHOTS):
            aim_law(shooter, (0.0, -380.0), standing, aimed)
        rounds.append((time.process_time() - start) / SHOTS * 1e6)
    return statistics.median(rounds)


def main() -> None:
    """Print the table."""
    for name in ("bow", "big_catapult"):
        for words, standing in (("two lines", battle()), ("all in the cone", crowd())):
            aimed = len(standing) // 2 + 5
            print(f"{name}, {words}: {microseconds(name, standing, aimed):.0f} us")


if __name__ == "__main__":
    main()
