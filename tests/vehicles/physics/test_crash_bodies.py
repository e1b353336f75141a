"""What a crash asks of the engine, and what it reads from the engine's answer; no body is moved here."""

from dataclasses import replace
from math import cos, inf, radians, sin

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from brickphys.engines.block_impact import FirstImpact
from brickphys.engines.block_run import FRAME_S, BlockRun
from brickphys.engines.block_world import BlockSettings
from brickphys.shapes.assembly import assembly
from brickphys.throws.conditions import BRICK_ON_BRICK, SURFACES, ContactCoefficients
from brickphys.vehicles.crash import crash, mass_of, riders
from brickphys.vehicles.scene import Bounds, Fixture, Scene, ThingType, Unit, Vehicle

JEEP = Vehicle("jeep", 10.0, 16.0, 30.0, 10.0, 6.0, speed=5, model="jeep")
HORSE = Vehicle("horse", 50.0, 16.0, 90.0, 6.0, 2.0, 0.0, 12.0, 2, "horse")
PONY = replace(HORSE, id="pony", x_studs=30.0, speed=0)
FLYER = Vehicle("flyer", 30.0, 40.0, 180.0, 8.0, 4.0, 0.5, 9.5)
FIGURE, LOOKOUT = Unit("figure", 18.5, 16.5), Unit("lookout", 20.5, 30.5, 0.5, 13.0)
WALL = Fixture("wall", ((40.0, 5.0), (41.0, 5.0), (41.0, 27.0), (40.0, 27.0)))
SCENE = Scene(
    Bounds(60.0, 50.0), "jeep", (HORSE, JEEP, PONY, FLYER), (FIGURE, LOOKOUT), (WALL,)
)  # fmt: skip
ORDER = [JEEP, FIGURE, LOOKOUT, WALL, HORSE, PONY, FLYER]


class Engine:
    """Stands for `run_blocks`: keeps what is asked, and answers that everything stays where it is, or as it is told."""

    def __init__(self):
        self.answer = None

    def __call__(self, *asked):
        self.blocks, self.drive, *self.rest = asked
        poses = np.array([(*block.position_mm, 0, 0, 0, 0, 1.0) for block in self.blocks])
        still = BlockRun((), poses[None], np.ones(len(poses), bool), frozenset(), 0.0, 0.0, 0.0)
        return self.answer or still


@pytest.fixture
def engine(monkeypatch):
    engine = Engine()
    monkeypatch.setattr("brickphys.vehicles.crash.run_blocks", engine)
    return engine


# --- what is asked ---


def test_the_mover_comes_first_and_crew_after_all_things(engine):
    made = crash(SCENE)
    assert [o.id for o in made.outcomes] == [thing.id for thing in ORDER]
    assert [o.id for o in made.riders] == ["jeep/driver", "horse/rider", "pony/rider"]
    assert {o.type for o in made.riders} == {ThingType.UNIT}
    assert [block.carrier for block in engine.blocks] == [None] * 7 + [0, 4, 5]
    assert made.recording.things == tuple(ORDER)
    for thing, block in zip(ORDER, engine.blocks, strict=False):
        assert block.mass is mass_of(thing) or block.mass.mass_g == mass_of(thing).mass_g
        assert (block.bottom_mm, block.top_mm) == pytest.approx(
            (thing.bottom_plates * 3.2, thing.top_plates * 3.2)
        )


def test_bodies_stand_where_things_do(engine):
    crash(SCENE)
    for thing, block in zip(ORDER, engine.blocks, strict=False):
        turn = Rotation.from_euler("z", block.heading_deg, degrees=True).as_matrix()[:2, :2]
        corners = (block.outline_mm @ turn.T + block.position_mm) / 8.0
        assert corners == pytest.approx(thing.prism.footprint.vertices_studs)
        if not isinstance(thing, Fixture):
            assert block.position_mm == (thing.x_studs * 8.0, thing.y_studs * 8.0)


def test_held_is_what_flies_or_has_a_speed_but_not_the_mover_on_the_ground(engine):
    crash(SCENE)
    held = [False, False, True, False, True, False, True, False, True, False]
    assert [block.is_held for block in engine.blocks] == held
    crash(replace(SCENE, vehicles=(replace(JEEP, bottom_plates=0.5), PONY)))
    assert [engine.blocks[n].is_held for n in (0, 4, 5, 6)] == [True, False, True, False]
    crash(replace(SCENE, vehicles=(JEEP, replace(HORSE, speed=1))))
    assert engine.blocks[4].is_held


def test_velocities_go_with_speed_heading_and_scale(engine):
    made = crash(SCENE, 0.2)
    assert made.speed_m_s == pytest.approx(1.0)
    there = (cos(radians(30)), sin(radians(30)))
    assert engine.drive.velocity_m_s == pytest.approx(there)
    assert engine.drive.distance_mm == 5 * 5 * 8.0
    velocities = [block.velocity_m_s for block in engine.blocks]
    none = (0.0, 0.0)
    assert np.array(velocities) == pytest.approx(
        np.array([there, none, none, none, (0, 0.4), none, none, there, (0, 0.4), none])
    )
    crash(SCENE)
    assert engine.drive.velocity_m_s == pytest.approx((there[0] / 2, there[1] / 2))


def test_decor_and_vehicles_stop_the_drive_and_figures_do_not(engine):
    crash(SCENE)
    assert engine.drive.stoppers == {3, 4, 5, 6}


@pytest.mark.parametrize(
    ("change", "edge_mm"),
    [
        ({}, inf),
        ({"x_studs": 50.0, "heading_deg": 0.0}, 80.0),
        ({"y_studs": 26.0, "heading_deg": 90.0}, 192.0),
        ({"x_studs": 50.0, "heading_deg": 0.0, "bottom_plates": 0.5}, inf),
        ({"x_studs": 50.0, "heading_deg": 0.0, "speed": 2}, inf),
    ],
    ids=["inside", "right", "top", "flyer", "up to the edge"],
)
def test_the_edge_of_the_table_is_where_the_centre_leaves_the_field(engine, change, edge_mm):
    """Nothing that stands before the edge puts it off."""
    crash(replace(SCENE, vehicles=(replace(JEEP, **change), HORSE), decor=(replace(WALL), POST)))
    assert engine.drive.edge_mm == pytest.approx(edge_mm)


POST = Fixture("post", ((56.0, 10.0), (57.0, 10.0), (57.0, 49.0), (8.0, 49.0)))


def test_coefficients_table_and_limits_are_passed_on(engine):
    crash(SCENE, 0.12)  # the mover goes 0.6 m/s
    between, floor, settings, limit_s, table_mm, progress = engine.rest
    assert (between, floor) == (BRICK_ON_BRICK, SURFACES["wood"].nominal)
    assert (settings, limit_s, table_mm) == (BlockSettings(), 5.0, (480.0, 400.0))
    assert progress is None
    ice, steps = ContactCoefficients(0.0, 0.0), BlockSettings(step_s=0.0001)
    crash(SCENE, floor=ice, between=ice, settings=steps, limit_s=1.0)
    assert engine.rest[:4] == [ice, ice, steps, 1.0]
    for scale, parts in ((0.01, 1), (0.13, 2), (1.0, 9)):
        crash(SCENE, scale)
        assert engine.rest[2] == BlockSettings(step_s=0.001 / parts)


@pytest.mark.parametrize("up", [0.0, 4.0, -2.0])
def test_crew_sits_on_top_of_its_vehicle_however_high_that_is_in_the_scene(up):
    (driver,) = assembly("jeep").crew
    ((model, body),) = riders(replace(JEEP, top_plates=9.0 + up))
    part = driver.prism
    assert model == "jeep/driver"
    assert (body.bottom_mm, body.top_mm) == pytest.approx(
        ((part.bottom_plates + up) * 3.2, (part.top_plates + up) * 3.2)
    )
    assert body.mass.mass_g == driver.mass.mass_g
    assert body.centre_mm == pytest.approx(driver.mass.centre_mm + np.array([0.0, 0.0, up * 3.2]))
    middle, half = np.array([part.x_studs, part.y_studs]), part.length_studs / 2
    low, high = (body.outline_mm / 8.0).min(axis=0), (body.outline_mm / 8.0).max(axis=0)
    assert np.array([low, high]) == pytest.approx(np.array([middle - half, middle + half]))
    assert len(body.outline_mm) == 4


# --- what is read from the answer ---


def run(engine, moved, impacts=(), fallen=(), settled=True):
    """Return a crash in which bodies have moved: number of a body -> its last place in mm and rotation vector in rad.

    In the frame before the last one everything is far away.
    """
    crash(SCENE)
    first = np.zeros((len(engine.blocks), 7))
    for n, block in enumerate(engine.blocks):
        turn = Rotation.from_euler("z", block.heading_deg, degrees=True).as_quat()
        first[n] = (*block.position_mm, 0.0, *turn)
    last = first.copy()
    for n, (place, turn) in moved.items():
        last[n] = (*place, *Rotation.from_rotvec(turn).as_quat())
    poses = np.array([first, first + 1000.0, last])
    engine.answer = BlockRun(
        tuple(impacts), poses, np.full(len(first), settled), frozenset(fallen), 44.0, 3.0, 0.5
    )
    return crash(SCENE)


def named(made):
    return {outcome.id: outcome for outcome in (*made.outcomes, *made.riders)}


def test_what_does_not_move_ends_where_it_stood(engine):
    made = run(engine, {})
    for thing, outcome in zip(ORDER, made.outcomes, strict=True):
        assert (outcome.moved_studs, outcome.tilt_deg) == pytest.approx((0.0, 0.0), abs=1e-5)
        told = (outcome.was_hit, outcome.knocked_over, outcome.left_field, outcome.fell_off)
        assert (*told, outcome.thrown_off) == (False,) * 5
        assert outcome.settled
        heading = 0.0 if isinstance(thing, Unit) else thing.heading_deg
        off = (outcome.heading_deg - heading + 180.0) % 360.0 - 180.0
        assert off == pytest.approx(0.0, abs=1e-9)
    assert not any(rider.thrown_off for rider in made.riders)
    assert (made.travelled_studs, made.energy_mj, made.time_s) == (5.5, 3.0, 0.5)
    assert made.recording.frame_s == FRAME_S


@pytest.mark.parametrize(("tilt_deg", "is_over"), [(44.9, False), (45.1, True), (170.0, True)])
def test_end_is_that_of_the_centre_of_mass_and_tilt_that_of_the_axis(engine, tilt_deg, is_over):
    """A figure is turned about the y axis of the field, so that its front stays in that direction or turns round."""
    turn = np.array([0.0, radians(tilt_deg), 0.0])
    made = named(run(engine, {1: ((200.0, 160.0, 7.0), turn)}))["figure"]
    centre = Rotation.from_rotvec(turn).apply(mass_of(FIGURE).centre_mm)
    centre += (200.0, 160.0, 7.0)
    assert made.end_studs == pytest.approx((centre[0] / 8, centre[1] / 8))
    stood = np.array([18.5, 16.5]) + mass_of(FIGURE).centre_mm[:2] / 8
    assert made.moved_studs == pytest.approx(np.hypot(*(centre[:2] / 8 - stood)))
    assert made.tilt_deg == pytest.approx(tilt_deg)
    assert abs(made.heading_deg) == pytest.approx(180.0 if tilt_deg > 90 else 0.0)
    assert (made.knocked_over, made.left_field) == (is_over, False)


def test_what_lies_upside_down_is_tilted_by_half_a_turn_whichever_way_it_fell(engine):
    """Rounding makes some of these turns go a hair beyond."""
    for way in np.radians(np.arange(0.0, 180.0, 5.0)):
        axis = np.pi * np.array([np.cos(way), np.sin(way), 0.0])
        made = named(run(engine, {1: ((80.0, 80.0, 0.0), axis)}))
        assert made["figure"].tilt_deg == pytest.approx(180.0)


def test_heading_is_where_the_front_points(engine):
    made = named(run(engine, {1: ((80.0, 80.0, 0.0), [0, 0, radians(-150.0)])}))
    assert made["figure"].heading_deg == pytest.approx(-150.0)


def test_what_has_left_fallen_or_not_settled_is_told(engine):
    made = run(engine, {1: ((-80.0, 80.0, 0.0), np.zeros(3))}, fallen={1}, settled=False)
    assert [o.id for o in made.outcomes if o.left_field] == ["figure"]
    assert [o.id for o in made.outcomes if o.fell_off] == ["figure"]
    assert not any(o.settled for o in made.outcomes)


def test_impacts_are_told_in_studs_plates_and_metres_a_second(engine):
    numbers = (np.array([80.0, 160.0, 6.4]), np.array([0.0, -0.6, 0.8]), 0.7)
    delta = np.array([[3.0, 4.0, 0.0], [0.0, 0.0, 2.0]])
    first = FirstImpact(0, 4, 0.1, 16.0, *numbers, delta, np.array([1.0, 2.0, 2.0]), 9.0)
    made = run(engine, {}, [first, replace(first, first=1, second=7, driven_mm=None)])
    one, other = made.impacts
    assert (one.first, one.second, one.time_s, one.travelled_studs) == ("jeep", "horse", 0.1, 2.0)
    assert (one.point_studs, one.height_plates) == ((10.0, 20.0), pytest.approx(2.0))
    assert (one.normal, one.closing_speed_m_s) == ((0.0, -0.6, 0.8), 0.7)
    assert (one.delta_v_m_s, one.impulse_mn_s, one.energy_lost_mj) == ((5.0, 2.0), 3.0, 9.0)
    assert (other.first, other.second, other.travelled_studs) == ("figure", "jeep/driver", None)
    hit = [name for name, outcome in named(made).items() if outcome.was_hit]
    assert hit == ["jeep", "figure", "horse", "jeep/driver"]
    assert made.energy_lost_mj == 18.0


@pytest.mark.parametrize(
    ("shift_mm", "turn_deg", "is_off"),
    [
        ((0.0, 0.0, 0.0), 0.0, False),
        ((0.0, 0.0, 7.3), 0.0, False),  # half of its height is 7.36 mm
        ((0.0, 0.0, 7.4), 0.0, True),
        ((0.0, 0.0, -7.4), 0.0, True),
        ((49.5, 0.0, 0.0), 0.0, False),  # its centre of mass is 9.6 mm behind the middle
        ((49.7, 0.0, 0.0), 0.0, True),
        ((-30.3, 0.0, 0.0), 0.0, False),
        ((-30.5, 0.0, 0.0), 0.0, True),
        ((0.0, 19.5, 0.0), 0.0, False),  # and 4.4 mm to the left
        ((0.0, 19.7, 0.0), 0.0, True),
        ((0.0, 0.0, 0.0), 90.0, False),
        ((0.0, 19.7, 0.0), 90.0, True),
    ],
)
def test_crew_is_off_beside_its_vehicle_or_half_its_height_from_its_seat(
    engine, shift_mm, turn_deg, is_off
):
    """In the frame of the jeep, which lies on its back somewhere else or stands there; its crew may turn."""
    for turn in (Rotation.identity(), Rotation.from_rotvec([2.0, 1.0, -0.5])):
        own = turn * Rotation.from_euler("z", turn_deg, degrees=True)
        seat = np.array(assembly("jeep").crew[0].mass.centre_mm)
        place = np.array([150.0, 90.0, 40.0])
        centre = place + turn.apply(seat + shift_mm)
        moved = {0: (place, turn.as_rotvec()), 7: (centre - own.apply(seat), own.as_rotvec())}
        made = named(run(engine, moved))
        assert made["jeep/driver"].thrown_off is is_off
        assert not made["horse/rider"].thrown_off
