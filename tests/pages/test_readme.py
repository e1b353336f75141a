"""The examples of the README and of some pages are true: they run, and print what is shown."""

import re
import shlex
import sys
from pathlib import Path

import pytest

from tests.command_line import brickphys

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
TEXTS = [
    README.read_text(),
    *((ROOT / "docs" / name).read_text() for name in ("tour.md", "table.md")),
]
EXAMPLES = sorted(
    {
        found
        for text in TEXTS
        for found in re.findall(r"```console\n\$ brickphys ([^\n]*)\n(.*?)```", text, re.DOTALL)
    }
)
SLOW = ("batch run",)
"""What most of the examples' time goes into; tests/batch/test_cli_batch.py runs small studies."""
FILES = [
    found
    for text in TEXTS
    for found in re.findall(r"```toml\n# (\S+\.toml)\n(.*?)```", text, re.DOTALL)
]
"""Files that the examples read: their name is the first comment."""
PAGES = [
    README,
    pytest.param(ROOT / "docs" / "python.md", marks=pytest.mark.slow),
    ROOT / "docs" / "table.md",
]


def test_the_readme_is_short_and_has_examples() -> None:
    assert TEXTS[0].count("\n") <= 200
    assert TEXTS[0].count("```console") >= 4


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        pytest.param(
            *example, id=example[0], marks=[pytest.mark.slow] if example[0].startswith(SLOW) else []
        )
        for example in EXAMPLES
    ],
)
def test_an_example_prints_what_the_readme_shows(command: str, shown: str, tmp_path: Path) -> None:
    for name, text in FILES:
        (tmp_path / name).write_text(text)
    result = brickphys(*shlex.split(command), cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert result.stdout == shown


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_python_of_a_page_runs(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    sys.modules.pop("mybots", None)  # that of another page
    names: dict[str, object] = {}
    for block in re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL):
        exec(compile(block, str(page), "exec"), names)
    assert "brickphys" in names
    assert not capsys.readouterr().err.count("Traceback")
    sys.modules.pop("mybots", None)
