"""The how-tos are true: whoever does what a page says gets what it shows."""

import re
import shlex
import sys
from pathlib import Path

import pytest
from command_line import brickphys
from test_readme import form

PAGES = sorted((Path(__file__).parents[1] / "docs" / "how-to").glob("*.md"))
BLOCK = re.compile(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)
THROWN = ("drop", "infer", "batch")  # bounces amplify the last bit of a sum: only the form stays


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_a_page_says_can_be_done(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.setattr(sys, "modules", sys.modules.copy())  # modules of the page are forgotten
    done = 0
    for kind, file, text in BLOCK.findall(page.read_text(encoding="utf-8")):
        if file:
            Path(file).write_text(text, encoding="utf-8")
        elif kind == "console":
            line, shown = text.removeprefix("$ brickphys ").split("\n", 1)
            result = brickphys(*shlex.split(line))
            assert result.returncode == 0, result.stderr
            read = form if line.startswith(THROWN) else str
            assert read(result.stdout) == read(shown)
            done += 1
        elif kind == "python":
            exec(compile(text, str(page), "exec"), {})
    assert done
