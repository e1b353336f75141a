"""Whole crashes with figures in between: the rule, momentum and energy, and half the step as second opinions."""

from math import hypot

import numpy as np
import pytest

from brickphys.engines.block_world import BlockSettings
from brickphys.shapes.assembly import assembly
from brickphys.throws.conditions import ContactCoefficients
from brickphys.vehicles.course import MoveResult, resolve
from brickphys.vehicles.crash import crash
from brickphys.vehicles.crash_outcome import differences
from brickphys.vehicles.scene import Bounds, Fixture, Scene, ThingType, Unit, Vehicle
from tests.vehicles.physics.momentum import momenta_g_m_s

FIELD = Bounds(120.0, 120.0)
MODELS = ("jeep", "truck", "tank", "horse", "catapult", "rowing_boat")
COUNTED = (
    "scenes",
    "stop hit",
    "stop through",
    "stop missed",
    "figures",
    "figures missed",
    "more",
    "unsettled",
)
ICE = {"floor": ContactCoefficients(0.0, 0.0), "between": ContactCoefficients(0.4, 0.5)}


def random_crash(rng) -> tuple[Scene, MoveResult]:
    """Return a scene in which a vehicle is stopped by another, or by a wall, with figures on its way, and the rule."""
    while True:
        mover = _vehicle(rng, "mover", (40.0, 60.0), 0.0, int(rng.integers(2, 9)))
        ahead, aside = float(rng.uniform(20, 34)), float(rng.uniform(-4, 4))
        others = [mover]
        decor: list[Fixture] = []
        if rng.random() < 0.75:
            place, heading = (40.0 + ahead, 60.0 + aside), float(rng.uniform(-180, 180))
            others.append(_vehicle(rng, "target", place, heading, int(rng.integers(0, 7))))
        else:
            x, y = 40.0 + ahead, 60.0 + aside
            decor.append(
                Fixture("target", ((x, y - 8), (x + 2, y - 8), (x + 2, y + 8), (x, y + 8)))
            )
        units = _figures(rng, int(rng.integers(1, 6)), ahead)
        made = Scene(FIELD, "mover", tuple(others), units, tuple(decor))
        found = resolve(made)
        starts = any(hit.distance_studs == 0 for hit in found.hits)
        if found.stopped_by and len(found.hits) > 1 and not starts:
            return made, found


def _vehicle(rng, name, place, heading, speed):
    model = str(rng.choice(MODELS))
    built = assembly(model)
    heights = (built.bottom_plates, built.top_plates)
    return Vehicle(
        name, *place, heading, built.length_studs, built.width_studs, *heights, speed, model
    )


def _figures(rng, count, ahead):
    studs = {(int(x), int(y)) for x, y in rng.uniform((50, 56), (40 + ahead, 64), (count, 2))}
    return tuple(Unit(f"unit {n}", x + 0.5, y + 0.5) for n, (x, y) in enumerate(sorted(studs)))


def check_momentum(rng) -> float:
    """Return the momentum lost along the mover's way on ice, as a share of what there was.

    Of a random crash: one whose mover goes on after its drive, since the end of a move takes its momentum, and in
    which everything stays on the table, whose edge takes some.
    """
    while True:
        made, _ = random_crash(rng)
        result = crash(made, limit_s=0.25, **ICE)
        ends = {outcome.id: outcome for outcome in result.outcomes}
        stopped = result.travelled_studs < 5 * made.mover.speed - 1e-6
        goes_on = stopped and abs(ends["mover"].moved_studs - result.travelled_studs) > 1e-6
        if len(made.vehicles) > 1 and goes_on and not any(o.left_field for o in ends.values()):
            break
    mover, target = made.mover, made.vehicles[1]
    before = assembly(mover.model).mass_g * mover.speed * 0.1
    own = assembly(target.model).mass_g * target.speed * 0.1
    released = ends["target"].moved_studs > 0
    after = momenta_g_m_s(result).sum(axis=0)
    expected = before + own * target.heading[0] * released
    assert all(impact.energy_lost_mj >= 0 for impact in result.impacts)
    assert result.energy_lost_mj <= result.energy_mj
    return abs(float(after[0]) - expected) / (before + own)


def check_agreement(seed: int, count: int) -> dict[str, int]:
    """Return how often rule and bodies agree on whom they hit, thing by thing."""
    rng = np.random.default_rng(seed)
    told = dict.fromkeys(COUNTED, 0)
    for _ in range(count):
        made, found = random_crash(rng)
        result = crash(made)
        bodies = {d.id: d.bodies for d in differences(found, result) if "hit" in d.rule}
        told["scenes"] += 1
        stop = bodies.get("target", "hit")
        how = "through" if "through" in stop else "missed" if "not" in stop else "hit"
        told[f"stop {how}"] += 1
        figures = {hit.id for hit in found.hits if hit.type is ThingType.UNIT}
        told["figures"] += len(figures)
        told["figures missed"] += sum(bodies.get(name, "").startswith("is not") for name in figures)
        told["more"] += sum(way == "is hit" for way in bodies.values())
        told["unsettled"] += not result.settled
        assert all(impact.energy_lost_mj >= 0 for impact in result.impacts)
    return told


def check_half_step(seed: int, count: int) -> tuple[np.ndarray, np.ndarray, int, int]:
    """Return how far vehicles and figures end from where half the step puts them, in studs; who falls; of how many."""
    rng = np.random.default_rng(seed)
    vehicles, figures, other, total = [], [], 0, 0
    for _ in range(count):
        made, _ = random_crash(rng)
        step_s = 1 / 2000 if made.mover.speed <= 6 else 1 / 4000
        usual, finer = crash(made), crash(made, settings=BlockSettings(step_s=step_s))
        for one, two in zip(usual.outcomes, finer.outcomes, strict=True):
            off = hypot(*np.subtract(one.end_studs, two.end_studs))
            if one.type is ThingType.VEHICLE:
                vehicles.append(off)
            elif one.type is ThingType.UNIT and (one.was_hit or two.was_hit):
                figures.append(off)
                other += one.knocked_over != two.knocked_over
                total += 1
    return np.array(vehicles), np.array(figures), other, total


@pytest.mark.slow
def test_momentum_of_six_random_crashes_on_ice():
    rng = np.random.default_rng(1)
    assert max(check_momentum(rng) for _ in range(6)) < 1e-3


@pytest.mark.slow
def test_rule_and_bodies_reach_the_same_stop_in_eight_scenes():
    told = check_agreement(seed=2, count=8)
    assert told["stop missed"] == 0


@pytest.mark.slow
def test_momentum_of_a_hundred_and_fifty_random_crashes_on_ice():
    rng = np.random.default_rng(5)
    lost = np.array([check_momentum(rng) for _ in range(150)])
    assert lost.max() < 1e-3
    assert np.median(lost) < 1e-9


@pytest.mark.slow
def test_rule_and_bodies_in_a_hundred_and_fifty_scenes():
    told = check_agreement(seed=3, count=150)
    assert told["stop missed"] <= 0.05 * told["scenes"]
    assert told["figures missed"] <= 0.1 * told["figures"]
    assert told["unsettled"] <= 0.01 * told["scenes"]


@pytest.mark.slow
def test_half_the_step_in_fifty_scenes():
    vehicles, figures, other, total = check_half_step(seed=4, count=50)
    assert np.median(vehicles) < 0.3
    assert np.median(figures) < 2.0
    assert other < 0.2 * total
