"""Throws per second of engines and of plain loops of PyBullet and MuJoCo; sharp and rounded edges; two cores; memory.

Run by ``make bench``. All throw the same sharp bricks on one core, with the time step at which Bullet's shares have
converged; the compiled engine has its own step. They take turns, so a machine that slows down slows all of
them. Throws per second are measured in processor time, which other processes hardly change. The speed-up by two cores
is measured in wall time and needs an idle machine.
"""

import argparse
import resource
import statistics
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from types import ModuleType

from benchmarks import mujoco_rollout, naive_pybullet
from brickphys.calibration.throw import drop
from brickphys.calibration.throwers import ThrowCell
from brickphys.engines.bullet import BulletEngine
from brickphys.engines.compiled import CompiledEngine, CompiledSettings
from brickphys.engines.engine import Engine
from brickphys.shapes.body import Body
from brickphys.shapes.catalogue import parse_shape
from brickphys.throws.conditions import ContactCoefficients, preset, surface
from brickphys.throws.flight import States
from brickphys.throws.release import release

ROUNDS = 3
NAIVE_THROWS = 150
"""Throws of a plain loop in a round."""
EDGE_RADIUS_MM = 0.2
ENGINE_THROWS = {"bullet": 2048, "compiled": 20_480}
AIMS = "at least 1500, best 2300"
"""Aims of the ratio of the compiled engine to a naive loop."""


def compare() -> None:
    """Print the throws per second of each loop and engine by round, and the median ratios of the engines."""
    contact, conditions = surface("wood").nominal, preset("hand")
    body = parse_shape("2x2", edge_radius_mm=0.0)  # the plain loops know no rounded edges
    bullet = BulletEngine()
    step_s = bullet.settings.step_s
    engines: dict[str, Engine] = {"bullet": bullet, "compiled": CompiledEngine()}
    for name, engine in engines.items():
        start = time.process_time()
        engine.land(body, contact, release(body, conditions, 0, (0,), 0, 2))
        print(f"first throws of {name}: {time.process_time() - start:.1f} s")
    # code of the first 32,768 throws of a process is not optimised for the processor
    many = release(body, conditions, 0, (1,), 0, 2 * ENGINE_THROWS["compiled"])
    engines["compiled"].land(body, contact, many)
    print(
        f"{body.name}, hand, wood, one core, time step 1/{1 / step_s:.0f} s; throws a second, share of sides, ratio"
    )
    print("round       naive     rollout" + "".join(f"{name:>22}" for name in engines))
    ratios: dict[str, list[float]] = {name: [] for name in engines}
    ratios_to_rollout = []
    for number in range(ROUNDS):
        states = release(body, conditions, 1, (number,), 0, max(ENGINE_THROWS.values()))
        few = states[:NAIVE_THROWS]
        naive, naive_share = _plain_speed(naive_pybullet, body, contact, few, step_s)
        rollout, rollout_share = _plain_speed(mujoco_rollout, body, contact, few, step_s)
        line = f"{number + 1:>5}{naive:>6.0f} {naive_share:.3f}{rollout:>6.0f} {rollout_share:.3f}"
        for name, engine in engines.items():
            speed, share = _speed(engine, body, contact, states[: ENGINE_THROWS[engine.name]])
            ratios[name].append(speed / naive)
            line += f"{speed:>10.0f} {share:.4f} {speed / naive:>4.0f}"
        ratios_to_rollout.append(speed / rollout)  # `speed` is that of the last engine
        print(line, flush=True)
    for name, values in ratios.items():
        print(f"median ratio of {name} to naive: {statistics.median(values):.1f}")
    print(f"(aim of compiled: {AIMS})")
    print(f"median ratio of compiled to mujoco.rollout: {statistics.median(ratios_to_rollout):.1f}")
    print()


def _plain_speed(
    loop: ModuleType, body: Body, contact: ContactCoefficients, states: States, step_s: float
) -> tuple[float, float]:
    start = time.process_time()
    rested, sides = loop.throw(body, contact, states, step_s)
    return len(states) / (time.process_time() - start), sides / rested


def _speed(
    engine: Engine, body: Body, contact: ContactCoefficients, states: States
) -> tuple[float, float]:
    start = time.process_time()
    landing = engine.land(body, contact, states)
    return len(states) / (time.process_time() - start), landing.counts()["side"] / len(states)


def edges() -> None:
    """Print the median speed of the compiled engine with rounded edges, over that with sharp ones."""
    contact, engine = surface("wood").nominal, CompiledEngine()
    bodies = [parse_shape("2x2", edge_radius_mm=radius) for radius in (0.0, EDGE_RADIUS_MM)]
    ratios = []
    for number in range(ROUNDS + 2):
        speeds = []
        for body in bodies:
            states = release(body, preset("hand"), 3, (number,), 0, ENGINE_THROWS["compiled"])
            speeds.append(_speed(engine, body, contact, states)[0])
        ratios.append(speeds[1] / speeds[0])
    print(
        f"compiled, edge radius {EDGE_RADIUS_MM:g} mm against sharp edges: "
        f"{statistics.median(ratios):.2f} (aim: at least 0.8)"
    )
    print()


def cores() -> None:
    """Print the median speed-up by a second thread, and that of two processes that know nothing of each other."""
    body, contact = parse_shape("2x2"), surface("wood").nominal
    states = release(body, preset("hand"), 2, (), 0, 2 * ENGINE_THROWS["compiled"])
    alone, both = (CompiledEngine(CompiledSettings(threads=count)) for count in (1, 2))
    threads, processes = [], []
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        many = partial(_throw_often, body, contact, states)
        list(pool.map(many, (1, 1)))  # both have begun
        for _ in range(ROUNDS + 2):
            slow, fast = (_seconds(engine, body, contact, states) for engine in (alone, both))
            threads.append(slow / fast)
            one, two = pool.submit(many, 8).result(), max(pool.map(many, (8, 8)))
            processes.append(2.0 * one / two)
    print(
        f"two cores against one, compiled: {statistics.median(threads):.2f} (aim: 1.9); two processes apart, as far as "
        f"this machine goes: {statistics.median(processes):.2f}"
    )
    print()


def _throw_often(body: Body, contact: ContactCoefficients, states: States, times: int) -> float:
    """Return the seconds that some throws take, the given number of times."""
    engine = CompiledEngine()
    return sum(_seconds(engine, body, contact, states) for _ in range(times))


def _seconds(engine: Engine, body: Body, contact: ContactCoefficients, states: States) -> float:
    start = time.perf_counter()
    engine.land(body, contact, states)
    return time.perf_counter() - start


def memory(throws: int, workers: int) -> None:
    """Print the peak memory of this process and of its largest worker."""
    cell = ThrowCell("2x2", preset("hand"), surface("wood").nominal, "bullet", (1,))
    result = drop(cell, throws, seed=1, workers=workers)
    own = _megabytes(resource.RUSAGE_SELF)
    largest = _megabytes(resource.RUSAGE_CHILDREN) if workers > 1 else 0.0
    print(
        f"{throws} throws with {workers} worker(s) in {result.seconds:.0f} s: this process {own:.0f} MB, largest "
        f"worker {largest:.0f} MB, all together at most {own + workers * largest:.0f} MB (aim: below 500 MB)"
    )


def _megabytes(who: int) -> float:
    return resource.getrusage(who).ru_maxrss / 1024


def main() -> None:
    """Run the comparison, then the memory measurement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--memory-throws", type=int, default=100_000, help="1000000 takes a quarter of an hour"
    )
    parser.add_argument("--workers", type=int, default=1)
    arguments = parser.parse_args()
    compare()
    edges()
    cores()
    sys.stdout.flush()
    memory(arguments.memory_throws, arguments.workers)


if __name__ == "__main__":
    main()
