"""Compulsory moves a second against shapely's bisection and stepping PyBullet, and over the number of obstacles.

Run by ``make bench``. All resolve the same moves among the same obstacles on one core, in turns. Each prepares the
obstacles once; every mover is new. Times are processor times, which other users of the machine hardly change.

Equal tolerance means: shapely bisects until the time of impact is known to the tolerance of the sweep itself, 1e-9
studs. PyBullet cannot be as exact: it would take a step of that size, and Bullet knows distances of its hulls to about
a thousandth of a stud only. So it is stepped coarsely, and about as finely as it can distinguish.

Besides: what a course of four pieces and a new place of one obstacle cost beside a move, what a run of a batch costs
beside the bare move, and the whole command with many obstacles in its file.
"""

import argparse
import gc
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from brickphys.batch.kinds.scenes import Scenes
from brickphys.batch.kinds.study_type import Limits
from brickphys.engines.bodies import BulletPrisms
from brickphys.engines.client import connection
from brickphys.files import write_whole
from brickphys.geometry.polygon import unit_vector
from brickphys.seeds import generator
from brickphys.units import MM_PER_UNIT, PLATE_MM, STUD_MM
from brickphys.vehicles.course import (
    Mover,
    NamedObstacles,
    compulsory_move,
    follow,
    relative_speed,
    resolve,
)
from brickphys.vehicles.scene import (
    Bounds,
    Piece,
    PivotTurn,
    Scene,
    Straight,
    Thing,
    ThingType,
    Unit,
    Vehicle,
    distance_studs,
)
from brickphys.vehicles.scene_file import scene_text
from brickphys.vehicles.sectors import Scheme
from brickphys.vehicles.validation import random_things
from brickphys.vehicles.validation.bisection import footprint, shapely

OBSTACLES = 50
FIELDS = (Bounds(96.0, 96.0), Bounds(192.0, 128.0))
"""Four large baseplates, and a table of 1.5 by 1 m."""
SPEED = 6
PATH_STUDS = distance_studs(SPEED)
TOLERANCE_STUDS = 1e-9
STEPS_STUDS = (0.05, 0.005)
"""Of PyBullet: 0.4 mm, and 0.04 mm, which is near to the least distance that Bullet can distinguish."""
MOVES = {
    "sweep": 20_000,
    "impacts": 20_000,
    "shapely": 400,
    "pybullet, 0.05": 100,
    "pybullet, 0.005": 20,
}
AIMS = (50, 500, 500)
"""How many times as fast as each of the last three the sweep should be."""
ROUNDS = 5
CHECKED = 60
"""Moves whose ends are compared."""
COUNTS = (1, 3, 10, 30, 100, 300, 1000, 3000, 10_000)
COST_FIELD = Bounds(1000.0, 1000.0)
COST_MOVES = 3000
"""Moves that are timed for each number of obstacles; a third of them are courses."""
PICTURE = Path("docs/img/collisions_cost.png")
CRASH = Path("docs/crash.toml")
COURSE = (Straight(PATH_STUDS), PivotTurn(30.0), Straight(8.0, 45.0), PivotTurn(-60.0, (-5.0, 0.0)))
COURSE_AIM = 6
"""Times one straight move that such a course may take."""
BATCH = 300
"""Random scenes of a batch."""
BATCH_AIM = 10
"""Times the bare move that a run of a batch may take, with its scene drawn, checked and turned into a row."""
FILE_OBSTACLES = 10_000
FILE_AIM_S = 2.0
"""Processor time of `brickphys collide` with so many obstacles, start-up included."""

Stop = float | None
Resolver = Callable[[list[Vehicle]], list[Stop]]
"""Returns where each mover first meets what stops it; None if nothing does."""


def movers(rng: random_things.Rng, count: int, around: NamedObstacles) -> list[Vehicle]:
    """Return vehicles anywhere on a field that overlap nothing yet."""
    found: list[Vehicle] = []
    while len(found) < count:
        x, y = rng.uniform(0, around.bounds.width_studs), rng.uniform(0, around.bounds.height_studs)
        mover = Vehicle(
            "mover", x, y, random_things.random_heading_deg(rng), 10.0, 6.0, speed=SPEED
        )
        if not around.touches(mover, 0.0):
            found.append(mover)
    return found


def obstacles(rng: random_things.Rng, count: int, field: Bounds) -> list[Thing]:
    """Return units, vehicles and decor anywhere on a field."""
    return [
        random_things.shifted(
            random_things.random_thing(rng, f"thing {i}"),
            (rng.uniform(0, field.width_studs), rng.uniform(0, field.height_studs)),
        )
        for i in range(count)
    ]


def by_sweep(around: NamedObstacles) -> Resolver:
    """Return our own resolver: the whole compulsory move, with contact points, sectors and relative speeds."""

    def move(vehicle: Vehicle) -> Stop:
        found = compulsory_move(vehicle, PATH_STUDS, around)
        for hit in found.hits:
            relative_speed(vehicle, hit, Scheme.QUADRANT)
        return found.travelled_studs if found.stopped_by else None

    return lambda vehicles: [move(vehicle) for vehicle in vehicles]


def by_impacts(around: NamedObstacles) -> Resolver:
    """Return the sweep alone: the times of impact, which is all that the others give."""

    def first(vehicles: list[Vehicle]) -> list[Stop]:
        found: list[Stop] = []
        for vehicle in vehicles:
            touches = around.touches(vehicle, PATH_STUDS)
            stops = (t.at for t in touches if around.things[t.number].type is not ThingType.UNIT)
            found.append(min(stops, default=None))
        return found

    return first


def by_shapely(things: list[Thing]) -> Resolver:
    """Return bisection on the swept area with shapely among what a tree says is near; no contact points."""
    module = shapely()
    shapes = [footprint(thing) for thing in things]
    stops = [not isinstance(thing, Unit) for thing in things]
    tree = module.STRtree(shapes)

    def swept(vehicle: Vehicle, distance_studs: float, less_studs: float = 0.0) -> Any:
        x, y = unit_vector(vehicle.heading_deg)
        ahead, left = vehicle.length_studs / 2 - less_studs, vehicle.width_studs / 2 - less_studs
        corners = [
            (vehicle.x_studs + u * x - v * y, vehicle.y_studs + u * y + v * x)
            for u in (-ahead, ahead + distance_studs)
            for v in (-left, left)
        ]
        return module.MultiPoint(corners).convex_hull

    def first(vehicle: Vehicle, shape: Any) -> float:
        low, high = 0.0, PATH_STUDS
        while high - low > TOLERANCE_STUDS:
            middle = (low + high) / 2
            if swept(vehicle, middle).intersects(shape):
                high = middle
            else:
                low = middle
        return high

    def resolve(vehicles: list[Vehicle]) -> list[Stop]:
        found: list[Stop] = []
        for vehicle in vehicles:
            area = swept(vehicle, PATH_STUDS, TOLERANCE_STUDS)
            met = {i: first(vehicle, shapes[i]) for i in tree.query(area, predicate="intersects")}
            found.append(min((met[i] for i in met if stops[i]), default=None))
        return found

    return resolve


def by_pybullet(things: list[Thing], step_studs: float) -> Resolver:
    """Return a walk of the mover through PyBullet, step by step, until it touches what stops it."""
    world = connection()
    client = world.__enter__()  # open until the process ends
    prisms = BulletPrisms(client)
    units = set()
    for thing in things:
        levels = (thing.bottom_plates * PLATE_MM, thing.top_plates * PLATE_MM)
        body = prisms.add(thing.prism.footprint.vertices_studs * STUD_MM, *levels)
        if isinstance(thing, Unit):
            units.add(body.number)
    size = [length * STUD_MM / MM_PER_UNIT / 2 for length in (10.0, 6.0)]
    height = 9 * PLATE_MM / MM_PER_UNIT / 2
    form = client.createCollisionShape(client.GEOM_BOX, halfExtents=[*size, height])
    mover = client.createMultiBody(1.0, form)

    def walk(vehicle: Vehicle) -> Stop:
        _ = world  # a connection closes with what opened it
        ahead = unit_vector(vehicle.heading_deg)
        turn = client.getQuaternionFromEuler([0.0, 0.0, math.radians(vehicle.heading_deg)])
        for step in range(round(PATH_STUDS / step_studs) + 1):
            here = [
                (start + step * step_studs * part) * STUD_MM / MM_PER_UNIT
                for start, part in zip(vehicle.centre_studs, ahead, strict=True)
            ]
            client.resetBasePositionAndOrientation(mover, [*here, height], turn)
            client.performCollisionDetection()
            points = client.getContactPoints(mover)
            if any(point[8] <= 0 and point[2] not in units for point in points):
                return step * step_studs
        return None

    return lambda vehicles: [walk(vehicle) for vehicle in vehicles]


def compare(field: Bounds) -> None:
    """Print moves a second of each, round by round, and the medians of the ratios."""
    rng = generator(1)
    things = obstacles(rng, OBSTACLES, field)
    around = NamedObstacles.of(field, things)
    resolvers = {
        "sweep": by_sweep(around),
        "impacts": by_impacts(around),
        "shapely": by_shapely(things),
    }
    for step_studs in STEPS_STUDS:
        resolvers[f"pybullet, {step_studs:g}"] = by_pybullet(things, step_studs)
    resolvers["sweep"](movers(rng, 10, around))  # compiles
    print(
        f"moves of {PATH_STUDS:g} studs among {OBSTACLES} obstacles on {field.width_studs:g} x "
        f"{field.height_studs:g} studs, one core; shapely to {TOLERANCE_STUDS:g} studs, PyBullet in steps of so many "
        "studs; moves a second"
    )
    print("round" + "".join(f"{name:>17}" for name in resolvers))
    speeds: dict[str, list[float]] = {name: [] for name in resolvers}
    for number in range(ROUNDS):
        vehicles = movers(rng, max(MOVES.values()), around)
        for name, resolver in resolvers.items():
            fresh = [replace(vehicle) for vehicle in vehicles[: MOVES[name]]]  # nothing is kept
            start = time.process_time()
            resolver(fresh)
            speeds[name].append(MOVES[name] / (time.process_time() - start))
        print(f"{number + 1:>5}" + "".join(f"{speeds[name][-1]:>17,.0f}" for name in resolvers))
    tell_ratios(speeds)
    agree(resolvers, movers(rng, CHECKED, around))


def tell_ratios(speeds: dict[str, list[float]]) -> None:
    """Print how many times as fast as each peer the sweep is, and how exact that peer is."""
    print(f"median of sweep: {statistics.median(speeds['sweep']):,.0f} (aim: 20,000)")
    print(
        "times as fast as" + f"{'exact to':>18}{'whole moves':>14}{'times of impact':>18}{'aim':>6}"
    )
    exact = [TOLERANCE_STUDS, *STEPS_STUDS]
    for name, studs, aim in zip(list(speeds)[2:], exact, AIMS, strict=True):
        whole, alone = (
            statistics.median(a / b for a, b in zip(speeds[ours], speeds[name], strict=True))
            for ours in ("sweep", "impacts")
        )
        print(f"{name:<16}{f'{studs:g} studs':>18}{whole:>14,.0f}{alone:>18,.0f}{aim:>6}")
    print()


def agree(resolvers: dict[str, Resolver], vehicles: list[Vehicle]) -> None:
    """Print how many moves among these end alike; those that cross the border first are left out."""
    stops = {name: resolver(vehicles) for name, resolver in resolvers.items()}
    ours = [i for i, stop in enumerate(stops["sweep"]) if stop is not None]
    slacks = [
        2 * TOLERANCE_STUDS,
        2 * TOLERANCE_STUDS,
        *(2 * step_studs for step_studs in STEPS_STUDS),
    ]
    for name, slack in zip(list(resolvers)[1:], slacks, strict=True):
        same = sum(
            other is not None and abs(mine - other) <= slack
            for i in ours
            for mine, other in [(stops["sweep"][i] or 0.0, stops[name][i])]
        )
        print(f"{same} of {len(ours)} stops are the same to {slack:g} studs by {name}")
    print()


def cost(path: Path) -> None:
    """Measure the time of a move over the number of obstacles, and draw it."""
    density = OBSTACLES / (FIELDS[0].width_studs * FIELDS[0].height_studs)
    lines: dict[str, list[float]] = {}
    for count in COUNTS:
        side = math.sqrt(count / density)
        for name, field in (
            ("the field grows with them", Bounds(side, side)),
            (f"on {COST_FIELD.width_studs:g} x {COST_FIELD.height_studs:g} studs", COST_FIELD),
        ):
            rng = generator(2, count)
            around = NamedObstacles.of(field, obstacles(rng, count, field))
            vehicles = movers(rng, COST_MOVES, around)
            lines.setdefault(name, []).append(_microseconds(around, vehicles))
            without = replace(around, prisms=replace(around.prisms, largest_studs=math.inf))
            lines.setdefault(f"{name}, without index", []).append(
                _microseconds(without, vehicles[: COST_MOVES if count < 1000 else COST_MOVES // 6])
            )
    print("microseconds a move over the number of obstacles")
    print(f"{'':<42}" + "".join(f"{count:>8}" for count in COUNTS))
    for name, times in lines.items():
        print(f"{name:<42}" + "".join(f"{value:>8.1f}" for value in times))
    _draw(lines, path)


def _microseconds(around: NamedObstacles, vehicles: list[Vehicle]) -> float:
    compulsory_move(vehicles[0], PATH_STUDS, around)
    best = math.inf
    for _ in range(7):
        fresh = [replace(vehicle) for vehicle in vehicles]
        start = time.process_time()
        for vehicle in fresh:
            compulsory_move(vehicle, PATH_STUDS, around)
        best = min(best, (time.process_time() - start) / len(vehicles))
    return best * 1e6


def courses() -> None:
    """Measure a course of four pieces, and one obstacle replaced, beside one straight move."""
    print(
        f"{'obstacles':>9}{'move, us':>10}{'course, us':>12}{'times':>7}{'aim':>5}{'replace, us':>13}"
    )
    density = OBSTACLES / (FIELDS[0].width_studs * FIELDS[0].height_studs)
    for count in COUNTS[2::2]:
        side = math.sqrt(count / density)
        rng = generator(4, count)
        things = obstacles(rng, count, Bounds(side, side))
        around = NamedObstacles.of(Bounds(side, side), things)
        vehicles = movers(rng, COST_MOVES // 3, around)
        move_us = _course_us(around, vehicles, COURSE[:1])
        course_us = _course_us(around, vehicles, COURSE)
        fresh = [replace(things[0]) for _ in range(200)]
        start = time.process_time()
        for thing in fresh:
            around.replaced(thing)
        replace_us = 1e6 * (time.process_time() - start) / len(fresh)
        times = course_us / move_us
        print(
            f"{count:>9}{move_us:>10.1f}{course_us:>12.1f}{times:>7.1f}{COURSE_AIM:>5}{replace_us:>13.1f}"
        )
    print()


def _course_us(around: NamedObstacles, vehicles: list[Vehicle], course: Sequence[Piece]) -> float:
    """Return how long a course takes that only the border stops."""
    best = math.inf
    for _ in range(ROUNDS):
        fresh = [replace(vehicle) for vehicle in vehicles]
        start = time.process_time()
        for vehicle in fresh:
            follow(Mover.of(vehicle), course, around, lambda _: False)
        best = min(best, (time.process_time() - start) / len(vehicles))
    return best * 1e6


def batch() -> None:
    """Measure a run of a batch beside the bare move: of random scenes, and of one scene whose mover is drawn."""
    settings: dict[str, dict[str, Any]] = {
        "random scenes": {"scene": "random", "speed": SPEED},
        "poses in a scene": {"scene": CRASH.name, "x": [4.0, 12.0], "heading_deg": [0.0, 90.0]},
    }
    texts = {CRASH.name: CRASH.read_text(encoding="utf-8")}
    for name, wanted in settings.items():
        work = Scenes().work(wanted, texts, 1, 0, Limits(time_s=60.0))
        scenes = [work.scene(index) for index in range(BATCH)]
        runs_s, moves_s = math.inf, math.inf
        for _ in range(ROUNDS):
            start = time.process_time()
            work.rows(0, BATCH)
            middle = time.process_time()
            for scene in scenes:
                resolve(scene)
            runs_s = min(runs_s, middle - start)
            moves_s = min(moves_s, time.process_time() - middle)
        print(
            f"a run of a batch of {name} takes {1e6 * runs_s / BATCH:.0f} microseconds, the bare move "
            f"{1e6 * moves_s / BATCH:.0f}: {runs_s / moves_s:.1f} times as long (aim: {BATCH_AIM})"
        )


def command() -> None:
    """Measure `brickphys collide` with many obstacles."""
    rng = generator(3)
    things = [
        *obstacles(rng, FILE_OBSTACLES, COST_FIELD),
        *movers(rng, 1, NamedObstacles.of(COST_FIELD, [])),
    ]
    scene = Scene.of(COST_FIELD, "mover", things)
    with tempfile.TemporaryDirectory() as folder:
        path = write_whole(scene_text(scene), Path(folder) / "scene.toml")
        start = sum(os.times()[2:4])
        subprocess.run(
            [sys.executable, "-m", "brickphys", "collide", str(path), "--json"],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        seconds = sum(os.times()[2:4]) - start
    print(
        f"collide with {FILE_OBSTACLES:,} obstacles takes {seconds:.2f} s (aim: {FILE_AIM_S:g})\n"
    )


def _draw(lines: dict[str, list[float]], path: Path) -> None:
    figure = Figure(figsize=(7.5, 4.8), dpi=120, layout="constrained")
    FigureCanvasAgg(figure)
    ax = figure.add_subplot()
    colours = ("#0072b2", "#d55e00")  # Okabe and Ito
    for i, (name, times) in enumerate(lines.items()):
        style = ("o-", "o--")[i % 2]
        ax.loglog(COUNTS, times, style, color=colours[i // 2], label=name, markersize=4)
    last = max(times[-1] for times in lines.values())
    ax.loglog(COUNTS[-3:], [last * n / COUNTS[-1] * 2 for n in COUNTS[-3:]], ":", color="0.5")
    ax.text(COUNTS[-2], last * COUNTS[-2] / COUNTS[-1] * 2.4, "linear", ha="right", color="0.4")
    ax.set_xlabel("obstacles")
    ax.set_ylabel("microseconds a compulsory move")
    ax.set_title(f"A move of {PATH_STUDS:g} studs among ever more obstacles")
    ax.set_xticks(COUNTS, [f"{count:,}" for count in COUNTS])
    ax.set_yticks([10, 20, 50, 100, 200], ["10", "20", "50", "100", "200"])
    ax.minorticks_off()
    ax.grid(which="major", color="0.9")
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(frameon=False)
    figure.savefig(path)


def main() -> None:
    """Print the table, measure the cost and draw it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--picture", type=Path, default=PICTURE, help="where the cost is drawn")
    arguments = parser.parse_args()
    gc.disable()  # as timeit does: all movers are kept here, and to look among them takes longer and longer
    for field in FIELDS:
        compare(field)
    courses()
    batch()
    command()
    cost(arguments.picture)


if __name__ == "__main__":
    main()
