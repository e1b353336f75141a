"""Throws and moves as recordings: the poses are the engine's, and the bodies at rest are those that were counted."""

import json
from pathlib import Path

import numpy as np
import pytest

from brickphys.calibration.throw import throw
from brickphys.engines.recording import record
from brickphys.engines.registry import engine
from brickphys.errors import InvalidValueError
from brickphys.throws.faces import face_map
from brickphys.throws.flight import angle_between, down, rotate
from brickphys.throws.release import release
from brickphys.units import STUD_MM
from brickphys.vehicles.collision import resolve
from brickphys.vehicles.crash import crash
from brickphys.view.collision import crash_recording, sweep_recording
from brickphys.view.document import STEP_MM, TURN_STEP, document, text_of
from brickphys.view.recording import Sign
from brickphys.view.settling import EVERY_S as SETTLING_EVERY_S
from brickphys.view.settling import beside, settling_recording
from brickphys.view.throw import EVERY_S, MOST_SETTLED, recorded, settled_rows, throw_recording
from tests.view.recording_check import check_recording


@pytest.fixture(scope="module")
def throws():
    return throw("2x2", 60, seed=3, progress=False)


@pytest.fixture(scope="module")
def found(throws):
    return throw_recording(throws)


def things(found):
    return {thing["id"]: thing for thing in document(found)["things"]}


def test_the_body_is_where_the_engine_has_it(throws, found):
    body, states = things(found)["body 0"], recorded(throws.cell, throws.seed).states
    places = np.array(body["at"]).reshape(-1, 3) * STEP_MM
    turns = np.array(body["turn"]).reshape(-1, 4) * TURN_STEP
    frames = np.array(body["ms"]) / (1000 * EVERY_S)
    assert frames == pytest.approx(np.round(frames))
    states = states[np.round(frames).astype(int), 0]
    assert places == pytest.approx(states.position_mm, abs=STEP_MM / 2 + 1e-9)
    turns /= np.linalg.norm(turns, axis=1, keepdims=True)
    assert angle_between(turns, states.quaternion).max() < 4 * TURN_STEP


def test_it_ends_in_the_pose_that_is_told(throws, found):
    pose = recorded(throws.cell, throws.seed).poses[0]
    assert f"stops: {pose.replace('_', ' ')}" in found.events[-2].text
    assert [event.at_ms for event in found.events] == sorted(event.at_ms for event in found.events)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1, 3])
def test_on_studs_a_throw_that_is_shown_is_the_one_that_is_counted(seed):
    """There 64 hands share a world; the first of these seeds stops on a side, and alone it would not."""
    one = throw("2x2", 1, floor="baseplate", seed=seed, progress=False)
    (pose,) = (name for name, count in one.counts.items() if count)
    assert recorded(one.cell, seed).poses == (pose,)


def test_bodies_at_rest_are_those_that_were_counted(throws):
    rows = settled_rows(throws.cell, throws.seed, 60)
    counted = {pose: count for pose, count in throws.counts.items() if count}
    assert {pose: len(row) for pose, row in rows.items()} == counted
    body = throws.cell.body
    for pose, row in rows.items():
        turns = row[:, 3:]
        names = [
            face_map(body).poses[index] for index in face_map(body).decide(down(turns)).pose_index
        ]
        assert set(names) == {pose}
        lowest = (rotate(turns[:, None], body.vertices_mm[None]) + row[:, None, :3])[..., 2].min(
            axis=1
        )
        assert lowest == pytest.approx(np.full(len(lowest), body.edge_radius_mm), abs=0.1)


def test_no_more_bodies_are_shown_than_fit():
    many = throw("2x2", 400, seed=1)
    assert sum(map(len, settled_rows(many.cell, 1, 400).values())) == MOST_SETTLED


def test_contacts_are_marked_where_a_corner_touches(found):
    spots = [mark for mark in found.marks if mark.sign is Sign.HIT]
    assert spots
    assert found.marks[0].from_ms == min(mark.from_ms for mark in spots)
    assert all(place[2] == 0.0 for mark in spots for place in mark.places_mm)


def test_the_energy_falls_below_the_barrier_when_the_pose_is_decided(found):
    (gauge,) = found.gauges
    decided = next(event.at_ms for event in found.events if event.text.startswith("Decided"))
    pairs = zip(gauge.times_ms, gauge.values, gauge.limit, strict=True)
    assert all((value >= limit - 0.02) == (ms < decided) for ms, value, limit in pairs)


def test_the_document_fulfils_its_schema(found):
    check_recording(document(found))


def test_an_engine_that_records_nothing_is_refused(throws):
    pytest.importorskip("mujoco")
    with pytest.raises(InvalidValueError, match="records no throw"):
        throw_recording(throw("2x2", 2, engine="mujoco", seed=1))


def test_one_throw_alone_tells_no_shares_and_frames_the_table_at_first():
    found = throw_recording(throw("2x2", 1, seed=3))
    assert found.title == "2x2: one throw"
    assert not any("%" in event.text or "beside" in event.text for event in found.events)
    assert not any(thing.id.startswith("settled") for thing in found.things)
    first = found.views[0]
    assert not first.follows
    assert first.low_mm[2] == 0.0


@pytest.fixture(scope="module")
def few():
    return throw("2x2", 12, seed=3, progress=False)


@pytest.fixture(scope="module")
def settled(few):
    return settling_recording(few)


def bodies(recording):
    return [thing for thing in recording.things if "body" in thing.id]


def test_each_body_goes_the_way_that_the_engine_has_computed(few, settled):
    cell = few.cell
    states = release(cell.body, cell.conditions, 3, cell.address, 0, 12, cell.floor)
    assert len(bodies(settled)) == 12
    for number in (0, 7):
        hand = states[number : number + 1]
        alone = record(engine(cell.engine), cell.body, cell.contact, hand, SETTLING_EVERY_S)
        shown = bodies(settled)[number].track.poses
        shift = shown[0, :2] - alone.moving[0, 0, :2]
        assert np.allclose(shown[:, :2] - alone.moving[:, 0, :2], shift)
        assert np.array_equal(shown[:, 2:], alone.moving[:, 0, 2:])
        assert shift % STUD_MM == pytest.approx([0.0, 0.0], abs=1e-9)


def test_they_lie_in_rows_by_their_poses_and_are_counted(few, settled):
    side = few.counts["side"]
    assert f"{side} side" in settled.events[-1].text or not side
    ends = np.array([thing.track.poses[-1, :2] for thing in bodies(settled)])
    gaps = np.linalg.norm(ends[:, None] - ends, axis=-1) + 1e9 * np.eye(len(ends))
    assert gaps.min() > 2.0 * few.cell.body.radius_mm


@pytest.mark.slow
@pytest.mark.parametrize(("bricks", "floor"), [(4, "plane"), (2, "tray"), (1, "baseplate")])
def test_hands_and_other_floors_settle_too(bricks, floor):
    found = throw("2x2", 3, bricks=bricks, floor=floor, seed=2, progress=False)
    settled = settling_recording(found)
    assert len(bodies(settled)) == 3 * bricks
    told = settled.events[-1].text.partition(": ")[2]
    counts = {name.replace("_", " "): count for name, count in found.counts.items() if count}
    assert told == f"{', '.join(f'{counts[name]} {name}' for name in sorted(counts))}."


def test_two_scenes_lie_side_by_side(settled):
    both = beside(settled, settled, ("wood", "glass"))
    assert len(both.things) == 2 * len(settled.things)
    assert len({thing.id for thing in both.things}) == len(both.things)
    left, right = bodies(both)[:12], bodies(both)[12:]
    shifts = {
        float(b.track.poses[0, 0] - a.track.poses[0, 0]) for a, b in zip(left, right, strict=True)
    }
    assert len({round(shift, 6) for shift in shifts}) == 1
    assert shifts.pop() > 0
    assert {event.text.partition(":")[0] for event in both.events} == {"wood", "glass"}
    assert json.loads(text_of(both))["duration_ms"] == settled.duration_ms


DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def collision():
    return resolve(DOCS / "crash.toml")


def tracks(found):
    return {thing["id"]: thing for thing in document(found)["things"]}


def test_the_mover_of_a_sweep_ends_where_the_geometry_says(collision):
    mover = tracks(sweep_recording(collision))[collision.scene.mover_id]
    x, y = collision.move.end_studs
    assert np.array(mover["at"][-3:-1]) * STEP_MM == pytest.approx(
        (x * STUD_MM, y * STUD_MM), abs=STEP_MM
    )
    others = [
        thing for name, thing in tracks(sweep_recording(collision)).items() if "/" not in name
    ]
    assert sum("ms" in thing for thing in others) == 1


def test_every_hit_of_a_sweep_is_marked_and_told_when_it_comes(collision):
    found = sweep_recording(collision)
    stars = [mark for mark in found.marks if mark.sign is Sign.HIT]
    told = [event for event in found.events if event.heading.startswith("Hit")]
    assert [mark.from_ms for mark in stars] == [event.at_ms for event in told]
    assert len(stars) == len(collision.move.hits) > 0
    for mark, hit in zip(stars, collision.move.hits, strict=True):
        (place,) = mark.places_mm
        assert place[:2] == pytest.approx([STUD_MM * value for value in hit.contact.point_studs])
        mover = tracks(found)[collision.scene.mover_id]
        x = np.interp(mark.from_ms, mover["ms"], mover["at"][0::3]) * STEP_MM
        assert x == pytest.approx(
            hit.pose.x_studs * STUD_MM, abs=0.1
        )  # times are whole milliseconds


def test_a_course_with_turns_is_swept():
    found = sweep_recording(resolve(DOCS / "course.toml"))
    check_recording(document(found))
    assert len(tracks(found)[resolve(DOCS / "course.toml").scene.mover_id]["ms"]) > 5


def test_the_bodies_of_a_crash_are_where_the_engine_has_them(collision):
    wrecked = crash(collision.scene)
    found = crash_recording(collision.scene, wrecked)
    check_recording(document(found))
    names = [*(thing.id for thing in wrecked.recording.things), *wrecked.recording.riders]
    step_ms = round(1000 * wrecked.recording.frame_s)
    for number, name in enumerate(names):
        thing = tracks(found)[name]
        frames = np.array(thing.get("ms", [0])) // step_ms
        poses = wrecked.recording.poses[frames, number]
        assert np.array(thing["at"]).reshape(-1, 3) * STEP_MM == pytest.approx(
            poses[:, :3], abs=STEP_MM
        )
        if "turn" in thing:
            turns = np.array(thing["turn"]).reshape(-1, 4) * TURN_STEP
            assert turns == pytest.approx(poses[:, 3:], abs=TURN_STEP)
    assert len(found.marks) == len(
        [one for one in wrecked.impacts if 1000 * one.time_s <= found.duration_ms]
    )
