"""Courses as bodies: straight pieces and turns lead where the exact course does, and hit what it hits."""

from dataclasses import replace
from math import hypot, radians, sin

import numpy as np
import pytest

from brickphys.engines.block_world import BlockSettings
from brickphys.errors import InvalidValueError
from brickphys.throws.conditions import ContactCoefficients
from brickphys.throws.flight import rotate
from brickphys.units import STUD_MM
from brickphys.vehicles.course import resolve
from brickphys.vehicles.crash import crash, mass_of, simulated
from brickphys.vehicles.scene import Bounds, Fixture, PivotTurn, Scene, Straight, Unit, Vehicle
from tests.cases import few_rows
from tests.vehicles.physics.test_crash import random_scene

FIELD = Bounds(60.0, 60.0)
ICE = ContactCoefficients(0.0, 0.0)
BOX = Vehicle("mover", 24.0, 24.0, 0.0, 10.0, 6.0, speed=6)
COURSE = (
    Straight(7.3),
    PivotTurn(75.0, (-3.0, 9.0)),
    Straight(4.1, 200.0),
    PivotTurn(-50.0),
    PivotTurn(-33.0, (2.0, -1.0)),
    Straight(6.6),
)


def scene(course, *others, mover=BOX):
    return replace(Scene.of(FIELD, mover.id, (mover, *others)), course=course)


def pieces(rng):
    """Return up to four pieces: ahead or a drift, on the spot or about a point."""
    for _ in range(int(rng.integers(1, 5))):
        ahead, drift, turn = rng.uniform((2, -180, 20), (15, 180, 120)).tolist()
        pivot = tuple(rng.uniform(-14, 14, 2).tolist()) if rng.random() < 0.7 else (0.0, 0.0)
        if rng.random() < 0.5:
            yield Straight(ahead, drift if rng.random() < 0.4 else None)
        else:
            yield PivotTurn(turn * float(rng.choice([-1, 1])), pivot)


def time_s(made, hit):
    """Return when the exact course comes to a hit: the centre has the speed, on the spot the farthest corner."""
    mover, total = made.mover, 0.0
    reach = hypot(mover.length_studs, mover.width_studs) / 2
    for number, piece in enumerate(made.course[: hit.piece + 1]):
        if isinstance(piece, Straight):
            way = hit.at if number == hit.piece else piece.ahead_studs
        else:
            angle = hit.at if number == hit.piece else abs(piece.turn_deg)
            way = radians(angle) * max(reach, hypot(*piece.pivot_studs))
        total += way * STUD_MM / 1000.0 / (0.1 * mover.speed)
    return total


@pytest.mark.parametrize("upto", range(1, len(COURSE) + 1))
def test_each_piece_ends_where_the_exact_course_does(upto):
    made = scene(COURSE[:upto])
    found, (x, y, heading) = crash(made), resolve(made).end
    (one,) = found.outcomes
    assert one.end_studs == pytest.approx((x, y), abs=1e-9)
    assert sin(radians(one.heading_deg - heading) / 2) == pytest.approx(0.0, abs=1e-11)
    assert not found.impacts


@pytest.mark.parametrize("count", few_rows([(15,), (150,)], 1))
def test_first_impact_is_where_and_when_the_exact_sweep_says(count):
    """The touch that a step sees late is put back within it; a corner that is grazed for less than a step is missed."""
    rng, off = np.random.default_rng(count), []
    for _ in range(count):
        made = random_scene(rng, pieces)
        exact = resolve(made).hits[0]
        mine = [i for i in crash(made, limit_s=0.02).impacts if i.travelled_studs is not None]
        first = min(mine, key=lambda impact: impact.travelled_studs)
        assert (first.first, first.second) == ("mover", exact.id)
        point = np.subtract(first.point_studs, exact.contact.point_studs)
        off.append((abs(first.time_s - time_s(made, exact)), hypot(*point)))
    late_s, away_studs = np.array(off).T
    assert np.median(late_s) < 1e-5
    assert np.percentile(late_s, 98) < 0.001  # a step
    assert np.median(away_studs) < 0.01


def test_the_first_impact_converges_with_the_step():
    """A corner strikes in a turn after three other pieces: with steps of 4 to 1/4 ms the error falls with the step."""
    made = scene(
        (*COURSE[:2], PivotTurn(-30.0, (20.0, 0.0))),
        Fixture("decor", ((30, 30), (32, 30), (32, 38), (30, 38))),
    )
    (hit,) = resolve(made).hits
    late = []
    for step_s in (0.004, 0.001, 0.00025):
        impact = crash(made, settings=BlockSettings(step_s=step_s), limit_s=0.02).impacts[0]
        late.append(abs(impact.time_s - time_s(made, hit)))
        assert late[-1] < step_s / 4
    assert late[2] < late[0]


def test_a_course_goes_on_after_what_does_not_stop_it():
    """It throws a figure aside on a straight piece and another in the turn, and the wall stops the last piece."""
    figures = Unit("ann", 32.5, 24.0), Unit("bob", 40.0, 31.0)
    wall = Fixture("wall", ((10.0, 50.0), (50.0, 50.0), (50.0, 52.0), (10.0, 52.0)))
    made = scene((Straight(8.0), PivotTurn(90.0, (0.0, 8.0)), Straight(20.0)), *figures, wall)
    move, found = resolve(made), crash(made)
    assert [hit.id for hit in move.hits] == ["ann", "bob", "wall"]
    assert [i.second for i in found.impacts if i.first == "mover"] == ["ann", "bob", "wall"]
    assert {hit.piece for hit in move.hits} == {0, 1, 2}


POST = Fixture("post", ((24.0, 32.0), (26.0, 32.0), (26.0, 34.0), (24.0, 34.0)), top_plates=9.0)
SWINGS = (PivotTurn(90.0, (-5.0, 0.0)),)


def test_what_a_turn_drives_into_a_post_moves_on_with_its_velocity_and_spin():
    """On ice the angular momentum about the touched corner stays, and the impact takes the energy that is missing."""
    between = ContactCoefficients(0.0, 0.5)
    found = simulated(scene(SWINGS, POST), floor=ICE, between=between, limit_s=-0.05)
    (impact,), mass, poses = found.impacts, mass_of(BOX), found.recording.poses[:, 0]
    centres_m = (poses[:, :3] + rotate(poses[:, 3:], mass.centre_mm)) / 1000.0
    angles = 2.0 * np.arctan2(poses[:, 5], poses[:, 6])
    spin_g_m2, rate = mass.inertia_g_mm2[2, 2] / 1e6, 75.0 / hypot(5.0, 3.0)  # 0.6 m/s
    velocity = np.diff(centres_m, axis=0)[:, :2] / found.recording.frame_s
    spin = np.diff(angles) / found.recording.frame_s
    assert spin[:4] == pytest.approx(rate, rel=1e-6)
    assert [*velocity[-2], spin[-2]] == pytest.approx([*velocity[-1], spin[-1]], rel=1e-6)
    turned = rate * impact.time_s
    touch = 0.04 * np.array([np.cos(turned), np.sin(turned)])  # of the centre about the pivot
    before = rate * np.array([-touch[1], touch[0]])
    arm = touch + np.array([0.152, 0.192]) - np.array(impact.point_studs) * STUD_MM / 1000.0

    def about_corner(way, spin):
        return mass.mass_g * (arm[0] * way[1] - arm[1] * way[0]) + spin_g_m2 * spin

    def energy(way, spin):
        return (mass.mass_g * way @ way + spin_g_m2 * spin**2) / 2

    assert about_corner(velocity[-1], spin[-1]) == pytest.approx(
        about_corner(before, rate), rel=0.02
    )
    lost = energy(before, rate) - energy(velocity[-1], spin[-1])
    assert impact.energy_lost_mj == pytest.approx(lost, rel=0.02)
    assert found.energy_mj == pytest.approx(energy(before, rate), rel=1e-6)


def test_a_figure_squeezed_in_a_turn_ends_the_drive():
    behind = replace(POST, corners_studs=tuple((x, y + 1.2) for x, y in POST.corners_studs))
    found = crash(scene(SWINGS, behind, Unit("ann", 25.0, 32.6)))
    assert "post" not in [impact.second for impact in found.impacts if impact.first == "mover"]
    assert found.travelled_studs < hypot(5.0, 3.0) * radians(60.0)


def test_lashed_vehicles_are_refused():
    prize = replace(BOX, id="prize", y_studs=30.0, speed=0)
    with pytest.raises(InvalidValueError, match=r"this scene has lashed ones$"):
        crash(replace(scene(SWINGS, prize), lashed=("prize",)))
