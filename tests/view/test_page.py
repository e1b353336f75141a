"""Pages of scene recordings: nothing is loaded, nothing in a name is read as HTML, three.js is what it says."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from importlib.resources import files

import pytest

from brickphys.text import cleaned_line
from brickphys.view.document import document, modules, page, write_page
from brickphys.view.recording import Event, SceneRecording, SceneTrack, Thing, Viewpoint, standing
from brickphys.view.solids import stud

STATIC = files("brickphys.view") / "static"
IMPORTS = re.compile(
    r"""(?:^|[;}\s])(?:import|export)\s*(?:[\w*{}\s,$]+?\sfrom\s*|[\w*{},$]+from\s*)?["']([^"']+)["']"""
)
NASTY = "</script><script>alert(1)</script><!-- '\"&amp; @recording@ \u2028"


def recording(text=NASTY):
    things = (
        Thing(text, stud("red"), SceneTrack.fixed(standing(0.0, 0.0)), label=text, tag="red"),
    )
    view = Viewpoint(text, 0.0, 20.0, (0.0, 0.0, 0.0), (8.0, 8.0, 8.0))
    return SceneRecording(text, text, 100, 1.0, True, things, (Event(0, text, text),), (view,))


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
    found = Parsed(page(recording()))
    assert [attributes.get("type") for tag, attributes in found.elements if tag == "script"] == [
        "importmap",
        "application/json",
        "module",
    ]
    for place in (("title", None), ("h1", None), ("li", None)):
        assert found.texts[place].strip() == cleaned_line(NASTY)


def test_the_recording_of_a_page_is_the_document():
    found = Parsed(page(recording()))
    assert json.loads(found.texts[("script", "recording")]) == document(recording())


def test_a_page_loads_nothing():
    found = Parsed(page(recording("plain")))
    for tag, attributes in found.elements:
        assert tag not in ("link", "img", "iframe", "object", "base")
        assert not {"src", "href", "srcset", "action"} & attributes.keys()
    assert "@import" not in page(recording("plain"))
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
    write_page(recording("plain"), path)
    assert path.read_text().startswith("<!doctype html>")
    with pytest.raises(ValueError, match="exists already"):
        write_page(recording("plain"), path)
