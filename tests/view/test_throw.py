"""Throws as recordings: the poses are the engine's, and the bodies at rest are those that were counted."""

import numpy as np
import pytest

from brickphys.calibration.throw import throw
from brickphys.errors import InvalidValueError
from brickphys.throws.faces import face_map
from brickphys.throws.flight import angle_between, down, rotate
from brickphys.view.document import STEP_MM, TURN_STEP, document
from brickphys.view.recording import Sign
from brickphys.view.recording_schema import check_recording
from brickphys.view.throw import EVERY_S, MOST_SETTLED, recorded, settled_rows, throw_recording


@pytest.fixture(scope="module")
def throws():
    return throw("2x2", 60, seed=3)


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
    assert {row.pose: len(row.poses) for row in rows} == counted
    body = throws.cell.body
    for row in rows:
        turns = row.poses[:, 3:]
        names = [
            face_map(body).poses[index] for index in face_map(body).decide(down(turns)).pose_index
        ]
        assert set(names) == {row.pose}
        lowest = (rotate(turns[:, None], body.vertices_mm[None]) + row.poses[:, None, :3])[
            ..., 2
        ].min(axis=1)
        assert lowest == pytest.approx(np.full(len(lowest), body.edge_radius_mm), abs=0.1)


def test_no_more_bodies_are_shown_than_fit():
    many = throw("2x2", 400, seed=1)
    assert sum(len(row.poses) for row in settled_rows(many.cell, 1, 400)) == MOST_SETTLED


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
