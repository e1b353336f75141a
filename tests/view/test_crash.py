"""Moves of vehicles as recordings: the sweep stops where the geometry says, the crash is where the engine has it."""

from pathlib import Path

import numpy as np
import pytest

from brickphys.units import STUD_MM
from brickphys.vehicles.collision import resolve
from brickphys.vehicles.crash import crash
from brickphys.view.collision import crash_recording, sweep_recording
from brickphys.view.document import STEP_MM, TURN_STEP, document
from brickphys.view.recording import Sign
from brickphys.view.recording_schema import check_recording

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
