"""Documents and pages of recordings: lengths to the step, the check of the form, nothing in a name is read as HTML."""

import base64
import hashlib
import json
import re
from copy import deepcopy
from html.parser import HTMLParser
from importlib.resources import files
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.errors import InvalidValueError
from brickphys.rules.record import PLAYER_COLOURS, player_colours
from brickphys.rules.registry import builder, game
from brickphys.text import cleaned_line
from brickphys.view.builder import sheets_recording
from brickphys.view.document import STEP_MM, TURN_STEP, document, hex_of, modules, page, write_page
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
from brickphys.view.solids import POSES, shown_players, stud
from tests.view.recording_check import check_recording

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


STATIC = files("brickphys.view") / "static"
IMPORTS = re.compile(
    r"""(?:^|[;}\s])(?:import|export)\s*(?:[\w*{}\s,$]+?\sfrom\s*|[\w*{},$]+from\s*)?["']([^"']+)["']"""
)
NASTY = "</script><script>alert(1)</script><!-- '\"&amp; @recording@ \u2028"


def named(text=NASTY):
    thing = Thing(text, stud("red"), SceneTrack.fixed(standing(0.0, 0.0)), label=text, tag="red")
    view = Viewpoint(text, 0.0, 20.0, (0.0, 0.0, 0.0), (8.0, 8.0, 8.0))
    return SceneRecording(text, text, 100, 1.0, True, (thing,), (Event(0, text, text),), (view,))


class Parsed(HTMLParser):
    """The elements of a page with their attributes, and the text in each."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.elements, self.texts, self._open = [], {}, None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.elements.append((tag, found))
        self._open = (tag, found.get("id") or found.get("type"))

    def handle_endtag(self, tag):
        self._open = None

    def handle_data(self, data):
        self.texts[self._open] = self.texts.get(self._open, "") + data


def test_nothing_in_a_name_is_read_as_html():
    found = Parsed(page(named()))
    assert [attributes.get("type") for tag, attributes in found.elements if tag == "script"] == [
        "importmap",
        "application/json",
        "module",
    ]
    for place in (("title", None), ("h1", None), ("li", None)):
        assert found.texts[place].strip() == cleaned_line(NASTY)


def test_the_recording_of_a_page_is_the_document():
    found = Parsed(page(named()))
    assert json.loads(found.texts[("script", "recording")]) == document(named())


def test_a_page_loads_nothing():
    found = Parsed(page(named("plain")))
    for tag, attributes in found.elements:
        assert tag not in ("link", "img", "iframe", "object", "base")
        assert not {"src", "href", "srcset", "action"} & attributes.keys()
    assert "@import" not in page(named("plain"))
    assert "url(" not in (STATIC / "player" / "player.css").read_text()


def test_every_import_of_a_module_is_within_the_page():
    known = modules()
    for name, address in known.items():
        kind, _, data = address.partition(",")
        assert kind == "data:text/javascript;base64"
        code = base64.b64decode(data).decode()
        imports = IMPORTS.findall(code)
        assert set(imports) <= known.keys(), name


def test_modules_are_small_enough_to_be_read():
    for entry in (STATIC / "player").iterdir():
        assert len(entry.read_text().splitlines()) < 250, entry.name


def test_three_js_is_the_one_that_its_checksums_name():
    lines = (STATIC / "three" / "SHA256SUMS").read_text().splitlines()
    sums = dict(reversed(line.split()) for line in lines)
    kept = {entry.name for entry in (STATIC / "three").iterdir()} - {"SHA256SUMS"}
    assert sums.keys() == kept
    for name, expected in sums.items():
        assert hashlib.sha256((STATIC / "three" / name).read_bytes()).hexdigest() == expected


def test_three_js_comes_with_its_licence_and_version():
    assert "MIT" in (STATIC / "three" / "LICENSE").read_text()
    (version,) = re.findall(
        r"^Version: (\d+)\.(\d+)\.(\d+)$", (STATIC / "three" / "README.md").read_text(), re.M
    )
    code = (STATIC / "three" / "three.core.min.js").read_text()
    assert f'"{version[1]}"' in code  # three.js calls it REVISION


def test_a_page_is_written_whole_and_not_over_another_file(tmp_path):
    path = tmp_path / "scene.html"
    write_page(named("plain"), path)
    assert path.read_text().startswith("<!doctype html>")
    with pytest.raises(ValueError, match="exists already"):
        write_page(named("plain"), path)


def tops(recording):
    """The things that stand on the table."""
    return [thing for thing in recording.things if not thing.parent and thing.id != "table"]


@pytest.mark.parametrize(
    "name",
    [
        "bow",
        *(
            pytest.param(one, marks=pytest.mark.slow)
            for one in ("minifig", "pirate_wars", "blade_and_bow")
        ),
    ],
)
def test_every_sheet_that_ships_has_a_model_of_its_own_on_the_table(name):
    sheets = game(name).sheets().sheets
    found = sheets_recording(builder(game(name)), sheets, ("red",))
    check_recording(document(found))
    models = tops(found)
    assert len(models) == len(sheets)
    low, high = found.views[0].low_mm, found.views[0].high_mm
    places = [tuple(thing.track.poses[0, :2]) for thing in models]
    assert len(set(places)) == len(places)
    for x, y in places:
        assert low[0] < x < high[0]
        assert low[1] < y < high[1]
    assert all(thing.label in found.about for thing in models)


def test_units_have_the_colours_of_their_players():
    bow = game("bow")
    sheets = [bow.sheets(name).sheets[0] for name in ("trooper", "knight")]
    first, second = tops(sheets_recording(builder(bow), sheets, ("red", "blue")))
    assert first.tag != second.tag


def test_nothing_is_shown_of_no_sheets():
    assert sheets_recording(builder(game("bow")), (), ("red",)) is None


def lightness(colour):
    """L* of a colour ``#rrggbb``, 0 to 100 (CIE 1976)."""
    levels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [
        level / 12.92 if level <= 0.04045 else ((level + 0.055) / 1.055) ** 2.4 for level in levels
    ]
    shares = (0.2126, 0.7152, 0.0722)
    luminance = sum(share * level for share, level in zip(shares, linear, strict=True))
    return 116 * luminance ** (1 / 3) - 16 if luminance > 0.008856 else 903.3 * luminance


def test_lightness_runs_from_black_to_white():
    assert lightness("#000000") == 0.0
    assert lightness("#ffffff") == pytest.approx(100.0, abs=0.01)
    assert lightness("#777777") == pytest.approx(50.0, abs=1.0)  # middle grey


@pytest.mark.parametrize(
    "colours", [shown_players(PLAYER_COLOURS), POSES], ids=["players", "poses"]
)
def test_colours_differ_in_lightness(colours):
    assert min(abs(lightness(a) - lightness(b)) for a, b in combinations(colours, 2)) >= 9.0


def test_players_keep_the_colours_that_they_are_named_after():
    names = ("blue", "somebody", "red")
    assert player_colours(names)[0] == "blue"
    assert len(set(shown_players(player_colours(names)))) == 3
