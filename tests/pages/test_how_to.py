"""The how-tos are true: whoever does what a page says gets what it shows."""

import re
import shlex
import sys
from pathlib import Path

import pytest

from tests.command_line import brickphys

PAGES = sorted((Path(__file__).parents[2] / "docs" / "how-to").glob("*.md"))
BLOCK = re.compile(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)
LONG = re.compile("drop|infer|batch|ladder|.*--law")
"""Commands that take seconds."""


def follow(page: Path, *, quick: bool) -> None:
    """Write the files of a page, run its Python, and compare what its commands print."""
    for kind, file, text in BLOCK.findall(page.read_text(encoding="utf-8")):
        line, _, shown = text.removeprefix("$ brickphys ").partition("\n")
        if file:
            Path(file).write_text(text, encoding="utf-8")
        elif kind == "console" and not (quick and LONG.match(line)):
            result = brickphys(*shlex.split(line))
            assert result.returncode in (0, 1), result.stderr
            assert result.stdout + (result.stderr if result.returncode else "") == shown
        elif kind == "python":
            exec(compile(text, str(page), "exec"), {})


@pytest.fixture(autouse=True)
def _a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    for name in ("five", "mybots", "mine", "grade"):  # modules that a page writes
        monkeypatch.delitem(sys.modules, name, raising=False)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_a_page_says_without_throws_can_be_done(page: Path) -> None:
    follow(page, quick=True)


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_all_that_a_page_says_can_be_done(page: Path) -> None:
    follow(page, quick=False)


def test_every_page_has_files_and_commands() -> None:
    assert len(PAGES) >= 7
    for page in PAGES:
        kinds = {(kind, bool(file)) for kind, file, _ in BLOCK.findall(page.read_text())}
        assert ("console", False) in kinds, page
        assert any(file for _, file in kinds), page
