"""Many moves as arrays against one call of Python a move, and against bisection by shapely on whole arrays.

Run by ``make bench``. All answer the same straight moves among the same obstacles, whose number grows with the field,
in one process and in turns. Each prepares the obstacles once. The outlines of the movers are made and checked anew
where arrays are swept, as each vehicle is new for Python.

Moves lie inside their field, so that one meets as much at each size (column "met"): ten obstacles fill little more
than a move is long, and of moves from anywhere 95 % would leave them. As few obstacles lie more or less in the way by
chance, the field is one of several, that whose moves meet the median number.

Shapely is asked as well as its interface allows: its tree tells which swept areas meet which obstacles, and all these
pairs are halved together until the place is known to 1e-9 studs. It gives the places alone: no contact points, no
normals, no angles.
"""

import argparse
import math
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

import brickphys
from benchmarks.collisions import (
    FIELDS,
    OBSTACLES,
    PATH_STUDS,
    SPEED,
    TOLERANCE_STUDS,
    obstacles,
)
from brickphys.geometry.many.outlines import Outlines
from brickphys.seeds import generator
from brickphys.units import Array
from brickphys.vehicles.course import NamedObstacles, compulsory_move
from brickphys.vehicles.scene import Bounds, Thing, Vehicle
from brickphys.vehicles.validation import random_things
from brickphys.vehicles.validation.bisection import footprint, shapely

COUNTS = (10, 100, 1000, 10_000)
MOVES = {"arrays": 20_000, "python": 2000, "touches": 2000, "shapely": 2000}
"""Movers that each is asked for: `compulsory_move`, its touches alone, and the others."""
ROUNDS = 5
DRAWN = 15
"""Fields of which the typical one is taken, and moves in each of them that tell it."""
TRIED = 1000
AIMS = {"python": 20, "shapely": 10}
"""Times as fast as each of them arrays should be."""
MOST_GROWTH = 0.1
"""Exponent of the time of a move over the number of obstacles."""
CAR = np.array([(-5.0, -3.0), (5.0, -3.0), (5.0, 3.0), (-5.0, 3.0)])

Moves = Callable[[list[Vehicle], Array], int]
"""Answers the moves of vehicles, which are also given as poses, and returns the number of hits."""


def as_outlines(things: list[Thing]) -> Outlines:
    """Return the outlines of things."""
    rings = [thing.prism.footprint.vertices_studs for thing in things]
    return brickphys.outlines(
        np.concatenate(rings),
        np.cumsum([0, *map(len, rings)]),
        bottom_plates=[thing.bottom_plates for thing in things],
        top_plates=[thing.top_plates for thing in things],
    )


def ahead(poses: Array) -> Array:
    """Return the displacement of each mover."""
    headings = np.radians(poses[:, 2])
    return PATH_STUDS * np.column_stack([np.cos(headings), np.sin(headings)])


def by_arrays(around: Outlines, threads: int = 1, **more: Any) -> Moves:
    """Return the sweep of all moves at once."""

    def move(_: list[Vehicle], poses: Array) -> int:
        cars = brickphys.outlines(CAR, poses=poses, top_plates=9.0)
        return len(brickphys.sweep(cars, ahead(poses), around, threads=threads, **more).array)

    return move


def by_python(around: NamedObstacles) -> Moves:
    """Return one call for each move, with contact points; it stops at the first wall."""
    return lambda vehicles, _: sum(
        len(compulsory_move(vehicle, PATH_STUDS, around).hits) for vehicle in vehicles
    )


def by_touches(around: NamedObstacles) -> Moves:
    """Return one call for each move, for the places alone."""
    return lambda vehicles, _: sum(len(around.touches(vehicle, PATH_STUDS)) for vehicle in vehicles)


def by_shapely(things: list[Thing]) -> Moves:
    """Return bisection of all moves at once; heights do not count."""
    module = shapely()
    shapes = np.array([footprint(thing) for thing in things])
    module.prepare(shapes)
    tree = module.STRtree(shapes)

    def move(_vehicles: list[Vehicle], poses: Array) -> int:
        headings = np.radians(poses[:, 2])[:, None]
        c, s = np.cos(headings), np.sin(headings)
        x = poses[:, :1] + c * CAR[:, 0] - s * CAR[:, 1]
        y = poses[:, 1:2] + s * CAR[:, 0] + c * CAR[:, 1]
        rear, way = np.stack([x, y], axis=2), ahead(poses)
        front = np.array([0.0, 1.0, 1.0, 0.0])[None, :, None]

        def swept(index: Any, at: Array) -> Any:
            share = (at / PATH_STUDS)[:, None, None]
            return module.polygons(rear[index] + share * front * way[index][:, None])

        everything = np.arange(len(poses))
        whole = swept(everything, np.full(len(poses), PATH_STUDS))
        mover, obstacle = tree.query(whole, predicate="intersects")
        low, high = np.zeros(len(mover)), np.full(len(mover), PATH_STUDS)
        for _ in range(math.ceil(math.log2(PATH_STUDS / TOLERANCE_STUDS))):
            middle = (low + high) / 2
            meets = module.intersects(shapes[obstacle], swept(mover, middle))
            low, high = np.where(meets, low, middle), np.where(meets, middle, high)
        return len(mover)

    return move


def poses_inside(rng: random_things.Rng, count: int, side: float, around: Outlines) -> Array:
    """Return poses of movers that overlap nothing yet, and whose moves lie inside a square field; shape (count, 3)."""
    found = np.empty((0, 3))
    while len(found) < count:
        headings = [random_things.random_heading_deg(rng) for _ in range(count)]
        poses = np.column_stack([rng.uniform(0, side, (count, 2)), headings])
        rear = brickphys.outlines(CAR, poses=poses).vertices_studs.reshape(count, len(CAR), 2)
        swept = np.hstack([rear, rear + ahead(poses)[:, None]])
        poses = poses[((swept >= 0.0) & (swept <= side)).all(axis=(1, 2))]
        cars = brickphys.outlines(CAR, poses=poses, top_plates=9.0)
        blocked = brickphys.sweep(cars, np.zeros((len(poses), 2)), around).array["mover"]
        found = np.concatenate([found, np.delete(poses, blocked, axis=0)])
    return found[:count]


def typical_field(count: int) -> tuple[random_things.Rng, float, list[Thing]]:
    """Return obstacles of which moves meet the median number, the side of their field, and what draws more there."""
    side = math.sqrt(count * FIELDS[0].width_studs * FIELDS[0].height_studs / OBSTACLES)
    fields = []
    for draw in range(DRAWN):
        rng = generator(7, count, draw)
        things = obstacles(rng, count, Bounds(side, side))
        around = as_outlines(things)
        met = by_arrays(around)([], poses_inside(rng, TRIED, side, around))
        fields.append((met, draw, rng, things))
    _, _, rng, things = sorted(fields)[DRAWN // 2]
    return rng, side, things


def compare(count: int) -> Mapping[str, float]:
    """Print microseconds a move of each, and return the medians."""
    rng, side, things = typical_field(count)
    named, outlines = NamedObstacles.of(Bounds(side, side), things), as_outlines(things)
    ways = {
        "arrays": by_arrays(outlines),
        "python": by_python(named),
        "touches": by_touches(named),
        "shapely": by_shapely(things),
    }
    extra = {
        "stops": by_arrays(outlines, stops=True),
        "near": by_arrays(outlines, clearance_studs=1.0),
    }
    poses = poses_inside(rng, max(MOVES.values()), side, outlines)
    vehicles = [
        Vehicle("mover", x, y, heading, 10.0, 6.0, speed=SPEED) for x, y, heading in poses.tolist()
    ]
    times: dict[str, list[float]] = {name: [] for name in (*ways, *extra)}
    for way in (*ways.values(), *extra.values()):
        way(vehicles[:2], poses[:2])  # compiles
    for _ in range(ROUNDS):
        for name, way in (*ways.items(), *extra.items()):
            most = MOVES.get(name, MOVES["arrays"])
            fresh = [replace(vehicle) for vehicle in vehicles[:most]]  # nothing is kept
            start = time.process_time()
            way(fresh, poses[:most])
            times[name].append((time.process_time() - start) / most * 1e6)
    ratios = {
        name: statistics.median(b / a for a, b in zip(times["arrays"], times[name], strict=True))
        for name in ways
        if name != "arrays"
    }
    medians = {name: statistics.median(found) for name, found in times.items()}
    told = "".join(f"{medians[name]:>9.2f}" for name in times)
    met = ways["arrays"]([], poses) / len(poses)
    print(f"{count:>9}{met:>6.2f}{told}" + "".join(f"{ratio:>10.0f}" for ratio in ratios.values()))
    return medians


def main() -> None:
    """Print the tables."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    print(
        f"straight moves of {PATH_STUDS:g} studs on one core; us a move; arrays are so many times as fast"
    )
    names = ("arrays", "python", "touches", "shapely", "stops", "near")
    print(
        "obstacles   met"
        + "".join(f"{name:>9}" for name in names)
        + "".join(f"{n:>10}" for n in names[1:4])
    )
    found = [compare(count)["arrays"] for count in COUNTS]
    print("aims: " + ", ".join(f"{aim} x {name}" for name, aim in AIMS.items()))
    if len(COUNTS) > 1:
        growth = np.polyfit(np.log(COUNTS), np.log(found), 1)[0]
        print(
            f"time of a move grows as obstacles to the power of {growth:.3f} (aim: below {MOST_GROWTH:g})"
        )


if __name__ == "__main__":
    main()
