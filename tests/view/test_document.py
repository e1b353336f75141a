"""Documents of scene recordings: lengths and turns to the step, only what moves, and the check of the form."""

from copy import deepcopy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.errors import InvalidValueError
from brickphys.view.document import STEP_MM, TURN_STEP, document, hex_of
from brickphys.view.models import model
from brickphys.view.recording import (
    Event,
    Ruler,
    SceneMark,
    SceneRecording,
    SceneTrack,
    Sign,
    Thing,
    Viewpoint,
    standing,
)
from brickphys.view.recording_schema import check_recording
from brickphys.view.solids import stud

LENGTHS = st.floats(-5000.0, 5000.0)


def recording(*things, title="a scene", marks=(), events=(), ruler=None):
    things = things or (Thing("one", stud("red"), SceneTrack.fixed(standing(1.0, 2.0))),)
    view = Viewpoint("front", -90.0, 20.0, (0.0, 0.0, 0.0), (10.0, 10.0, 10.0))
    return SceneRecording(
        title, "about it", 1000, 1.0, True, things, events, (view,), marks, ruler=ruler
    )


def moving(times, poses):
    return Thing("one", stud("red"), SceneTrack(np.array(times), np.array(poses)))


@given(x=LENGTHS, y=LENGTHS, heading=st.floats(-360.0, 360.0))
def test_places_and_turns_are_kept_to_half_a_step(x, y, heading):
    pose = standing(x, y, 3.2, heading)
    (thing,) = document(recording(Thing("one", stud("red"), SceneTrack.fixed(pose))))["things"]
    turn = np.array(thing.get("turn", [0, 0, 0, round(1 / TURN_STEP)])) * TURN_STEP
    turn *= np.sign(turn @ pose[3:])  # a quaternion and its negative are one turn
    assert np.array(thing["at"]) * STEP_MM == pytest.approx(pose[:3], abs=STEP_MM / 2 + 1e-9)
    assert turn == pytest.approx(pose[3:], abs=TURN_STEP / 2 + 1e-9)


def test_only_what_moves_has_times():
    rest, end = standing(0.0, 0.0), standing(8.0, 0.0)
    (thing,) = document(recording(moving([0, 8, 16], [rest, rest, rest])))["things"]
    assert "ms" not in thing
    assert thing["at"] == [0, 0, 0]
    (thing,) = document(
        recording(moving([0, 8, 16, 24, 32, 40], [rest, rest, rest, end, end, end]))
    )["things"]
    assert thing["ms"] == [0, 16, 24]
    assert thing["at"] == [0, 0, 0, 0, 0, 0, 400, 0, 0]


def test_a_document_fulfils_its_schema():
    mark = SceneMark(Sign.ARROW, 0, 10, ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)))
    child = Thing(
        "child", stud("blue"), SceneTrack.fixed(standing(0, 0)), parent="one", tag="red", label="x"
    )
    found = document(
        recording(*recording().things, child, marks=(mark,), events=(Event(0, "a", "b"),))
    )
    assert check_recording(found).title == "a scene"


def test_the_names_of_places_are_kept_and_older_documents_have_none():
    squares = document(recording(ruler=Ruler.of_squares(48.0, "AB", range(3, 0, -1))))
    found = check_recording(squares).ruler
    assert (found.columns, found.rows, found.unit * STEP_MM) == (["A", "B"], ["3", "2", "1"], 48.0)
    assert check_recording(document(recording(ruler=Ruler(25.4, 30.5, 20.0)))).ruler.width == 30.5
    older = document(recording())
    assert "ruler" not in older
    assert check_recording(older).ruler is None


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda found: found.update(schema="brickphys.view/2"), "schema"),
        (lambda found: found.pop("views"), "views: missing"),
        (lambda found: found.update(more=1), "more: unknown key"),
        (lambda found: found["things"][0].update(shape="cube"), "there is no shape 'cube'"),
        (
            lambda found: found["things"][0].update(parent="cube"),
            "there is no thing 'cube' before it",
        ),
        (lambda found: found["things"].append(found["things"][0]), "is also that of another thing"),
        (lambda found: found["things"][0].update(ms=[0, 8]), "do not make 2 places"),
        (lambda found: found["things"][0].update(ms=[8, 0], at=[0] * 6), "must increase"),
        (lambda found: found["things"][0].update(turn=[1]), "do not make 1 turns"),
        (
            lambda found: found["shapes"]["stud red"][0]["triangles"].append(9),
            "do not make triangles",
        ),
        (
            lambda found: found["shapes"]["stud red"][0].update(triangles=[0, 1, 99]),
            "there is no point 99",
        ),
        (
            lambda found: found["shapes"]["stud red"][0].update(colour="mud"),
            "is not one of colours",
        ),
        (lambda found: found["views"][0].update(follows="cube"), "there is no thing 'cube'"),
        (lambda found: found["colours"].update(red="red"), "colours"),
        (
            lambda found: found.update(ruler={"unit": 400, "width": 2, "length": 1, "rows": ["1"]}),
            "ruler: 0 and 1 names do not fit the squares",
        ),
        (lambda found: found.update(title="a\nb"), "control characters"),
    ],
)
def test_a_faulty_document_is_refused(change, told):
    found = deepcopy(document(recording()))
    change(found)
    with pytest.raises(InvalidValueError, match="recording: ") as error:
        check_recording(found)
    assert told in str(error.value)


def test_text_is_one_line_without_control_characters():
    found = document(recording(title="a\x1b[31m\nb", events=(Event(0, "h\x00", "t\r\n"),)))
    assert check_recording(found)


def test_models_are_as_large_as_they_are_built():
    for name, size in (("minifig", 40.0), ("wall", 48.0)):
        points = np.concatenate([surface.points_mm for surface in model(name).surfaces])
        assert np.ptp(points, axis=0)[2] == pytest.approx(size, abs=1.8)


def test_colours_are_written_in_hexadecimal():
    assert hex_of("red") == "#c91a09"
    assert hex_of("#123456") == "#123456"
