"""Encounters of two cars that both move, as arrays: pairs a second, beside samples in time by shapely.

Run by ``make bench``. Cars of 10 x 6 studs stand anywhere on a field of 60 x 60 studs. They go straight on, or straight
on, round a bend and straight on again, at constant speeds or with accelerations. Each is asked for the first contact,
the smallest gap and the lag. Shapely's distances at steps of 1/100 s tell the smallest gap alone, and not exactly.
"""

import argparse
import time
from math import nan
from typing import NamedTuple

import numpy as np

import brickphys
from benchmarks.encounter_march import faults
from brickphys.geometry.many.outlines import Outlines
from brickphys.seeds import generator
from brickphys.units import Array, Indices
from brickphys.vehicles.validation.bisection import shapely
from brickphys.vehicles.validation.corpus_scenes import corpus_scene
from brickphys.vehicles.validation.random_things import SceneKind

PAIRS = 20_000
SAMPLED = 50
ROUNDS, SEED = 3, 2026
STEP_S = 0.01
CAR = np.array([(-5.0, -3.0), (5.0, -3.0), (5.0, 3.0), (-5.0, 3.0)])


class Sides(NamedTuple):
    """Cars and their ways."""

    cars: Outlines
    ways: tuple[Array, Indices]


def sides(rng: np.random.Generator, count: int, has_bend: bool, accelerates: bool) -> Sides:
    """Return random cars, each with one straight piece, or with three pieces."""
    poses = np.column_stack([rng.uniform(0, 60, (count, 2)), rng.uniform(0, 360, count)])
    heading, length = np.radians(poses[:, 2]), rng.uniform(10, 30, count)
    speed, growth = rng.uniform(4, 15, count), rng.uniform(-0.2, 1, count) * accelerates
    nothing, zero = np.full(count, nan), np.zeros(count)

    def ahead(angle: Array) -> Array:
        way = length[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
        return np.column_stack([way, nothing, speed, growth, zero])

    cars = brickphys.outlines(CAR, poses=poses)
    if not has_bend:
        return Sides(cars, (ahead(heading), np.arange(count + 1)))
    turn = rng.uniform(30, 120, count) * rng.choice([-1, 1], count)
    radius = rng.uniform(8, 20, count)
    left = np.sign(turn)[:, None] * np.column_stack([-np.sin(heading), np.cos(heading)])
    pivot = poses[:, :2] + ahead(heading)[:, :2] + radius[:, None] * left
    bend = np.column_stack([pivot, turn, np.degrees(speed / radius), zero, zero])
    pieces = np.stack([ahead(heading), bend, ahead(heading + np.radians(turn))], axis=1)
    return Sides(cars, (pieces.reshape(-1, 6), 3 * np.arange(count + 1)))


def sampled(one: Sides, other: Sides, count: int) -> float:
    """Return the processor time that shapely takes for distances on straight ways, in seconds a pair."""
    begin = time.process_time()
    for number in range(count):
        rows = [side.ways[0][number] for side in (one, other)]
        ends, spans = [row[:2] for row in rows], [np.hypot(*row[:2]) / row[3] for row in rows]
        times = np.arange(0.0, max(spans), STEP_S)
        shapes = [
            shapely().polygons(
                side.cars.corners_studs(number)
                + (np.minimum(times / span, 1.0)[:, None] * end)[:, None]
            )
            for side, end, span in zip((one, other), ends, spans, strict=True)
        ]
        shapely().distance(*shapes).min()
    return (time.process_time() - begin) / count


def check(count: int) -> None:
    """Print what marching finds wrong in so many scenes of each kind of the corpus that has trajectories."""
    for kind in (SceneKind.ENCOUNTER, SceneKind.CROSSING):
        place, many = tuple(SceneKind).index(kind), len(SceneKind)
        scenes = [corpus_scene(SEED, place + many * turn).scene for turn in range(count)]
        found = [faults(scene) for scene in scenes]
        wrong, undecided = sum(bool(those) for those, _ in found), sum(open_ for _, open_ in found)
        print(f"{kind.value}: {count} scenes, {wrong} wrong, {undecided} undecided")


def main() -> None:
    """Print the time of a pair for each kind of ways."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument(
        "--check", type=int, help="only check so many scenes of each kind with trajectories"
    )
    if count := parser.parse_args().check:
        check(count)
        return
    for name, has_bend, accelerates in (
        ("straight, constant speeds", False, False),
        ("straight, accelerations", False, True),
        ("three pieces, constant speeds", True, False),
        ("three pieces, accelerations", True, True),
    ):
        rng = generator(1, has_bend, accelerates)
        one, other = (sides(rng, PAIRS, has_bend, accelerates) for _ in range(2))
        times = []
        for _ in range(ROUNDS + 1):  # the first one loads the machine code
            begin = time.process_time()
            found = brickphys.encounter(*one, *other, threads=1).array
            times.append((time.process_time() - begin) / PAIRS)
        took = float(np.median(times[1:]))
        contacts, lags = np.isfinite(found["time_s"]).mean(), np.isfinite(found["pet_s"]).mean()
        undecided = int(np.isnan(found["pet_s"]).sum())
        print(
            f"{name}: {1e6 * took:.1f} us a pair, {1 / took:,.0f} pairs a second; contacts {contacts:.1%}, "
            f"a place in common {lags:.1%}, undecided {undecided}"
        )
        if not has_bend and not accelerates:
            peer = 1e6 * sampled(one, other, SAMPLED)
            print(f"shapely, samples each {STEP_S:g} s: {peer:.0f} us a pair")


if __name__ == "__main__":
    main()
