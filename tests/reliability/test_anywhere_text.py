"""Nothing that a file or a name says reaches a terminal or a page as a command."""

import json
import re
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brickphys.cli.shared.output import print_table
from brickphys.errors import InvalidValueError
from brickphys.odds.law_file import default_law
from brickphys.schema import Strict, validated
from brickphys.text import cleaned, cleaned_line
from tests.command_line import assert_refused, brickphys

PACKAGE = Path(__file__).parents[2] / "brickphys"
HOSTILE = "\x1b[2J\x1b]0;owned\x07\x9b31m\r\x08\x7f\u202eabc\u2066\u2069\u200f\u2028\xad\u200b\u2060\U000e0041"
CONTROL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069"
    "\U000e0000-\U000e007f]"
)
RAW = {
    "shared/output.py": 1,  # the one place
    "shared/terminal.py": 2,  # wipes the screen between persons; colours of a text that is cleaned there
    "games.py": 1,  # colours of a plate; its texts are checked when they are read
    "main.py": 1,  # a program for a shell
}
"""Files that write on a terminal without `cleaned`, and how often."""
SCENE = """
[field]
width = 48
height = 32
[move]
vehicle = "truck"
[[vehicle]]
id = "truck"
x = 10.0
y = 16.0
heading_deg = 0.0
length = 10.0
width = 6.0
speed = 2
[[unit]]
id = "{name}"
x = 18.5
y = 16.0
"""


@settings(max_examples=40)
@given(st.text() | st.characters().map(lambda one: f"a{one}b"))
def test_cleaned_text_has_no_control_character_and_is_all_else_that_it_was(text):
    shown = cleaned(text)
    assert not CONTROL.search(shown)
    shown.encode()
    if not CONTROL.search(text) and text.isprintable():
        assert shown == text
    assert len(cleaned_line(text).splitlines()) <= 1


def test_a_cell_of_a_table_is_one_line(capsys):
    print_table((f"name{HOSTILE}",), [(f"a\nforged line{HOSTILE}",)])
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert not CONTROL.search("".join(lines))


def test_the_command_line_writes_through_echo():
    found = {}
    for path in sorted((PACKAGE / "cli").rglob("*.py")):
        if number := len(re.findall(r"click\.s?echo\b", path.read_text(encoding="utf-8"))):
            found[path.relative_to(PACKAGE / "cli").as_posix()] = number
    assert found == RAW


def escaped(text: str) -> str:
    return "".join(f"\\U{ord(character):08x}" for character in text)


@pytest.mark.parametrize(
    "words", [("collide",), ("batch", "run", "--dry-run"), ("scenario", "bow")]
)
def test_names_in_files_move_no_cursor(words, tmp_path):
    path = tmp_path / "a\x1b[31m.toml"
    path.write_text(SCENE.format(name=escaped(HOSTILE)) + f'"{escaped(HOSTILE)}" = 1\n')
    told = brickphys(*words, path)
    assert told.returncode == 2
    assert not CONTROL.search((told.stdout + told.stderr).replace("\n", ""))
    path.write_text(SCENE.format(name=escaped(HOSTILE)))
    told = brickphys(*words, path)
    assert told.stderr.count("\n") <= 1
    assert not CONTROL.search((told.stdout + told.stderr).replace("\n", ""))


def test_a_title_with_control_characters_is_refused(tmp_path):
    path = tmp_path / "study.toml"
    path.write_text(f'kind = "drop"\ntitle = "{escaped(HOSTILE)}"\nseed = 1\nrepeats = 1\n')
    told = brickphys("batch", "run", path, "--dry-run")
    assert told.returncode == 2
    assert "title: '\\x1b[2J" in told.stderr
    assert "control characters" in told.stderr


def test_a_law_prints_no_line_of_its_own(tmp_path):
    document = default_law().document()
    document["surface"]["name"] = "wood)\n\nsuccess          99.9 %\n(x\t"
    (tmp_path / "law.json").write_text(json.dumps(document))
    told = brickphys("odds", 3, 2, "--law", tmp_path / "law.json")
    assert_refused(told, "surface.name: 'wood)\\n", "where one line of text belongs")


class _Document(Strict):
    not_lines: ClassVar[frozenset[str]] = frozenset({"story"})

    name: str = ""
    named: dict[str, tuple[str, ...]] | None = None
    story: str = ""


def test_every_text_of_a_document_is_one_line_but_those_that_say_otherwise():
    for raw in ({"name": "a\tb"}, {"named": {"a\nb": ()}}, {"named": {"a": ("b\u200b",)}}):
        with pytest.raises(InvalidValueError, match=r"x: name.* where one line of text belongs"):
            validated(_Document, raw, "x")
    assert validated(_Document, {"story": "a\nb"}, "x").story == "a\nb"
