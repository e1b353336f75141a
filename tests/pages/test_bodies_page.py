"""The page on bodies is true: its files are those beside it, and its commands print what it shows."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from brickphys.batch.spec import parse_spec
from tests.command_line import brickphys
from tests.pages.test_readme import form

PAGE = Path(__file__).parents[2] / "docs" / "bodies.md"
FOLDER = PAGE.parent / "bodies"
TEXT = PAGE.read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```console\n\$ brickphys ([^\n]*)\n(.*?)```", TEXT, re.DOTALL)
FILES = dict(re.findall(r"```toml\n# (\S+\.toml)\n(.*?)```", TEXT, re.DOTALL))


@pytest.mark.parametrize("name", ["felt.toml", "bottle_cap.toml", "jeep.toml"])
def test_a_file_of_the_page_is_the_one_beside_it(name: str) -> None:
    assert FILES[name] == (FOLDER / name).read_text(encoding="utf-8")


@pytest.mark.parametrize(("command", "shown"), EXAMPLES, ids=[command for command, _ in EXAMPLES])
def test_an_example_prints_what_the_page_shows(command: str, shown: str) -> None:
    result = brickphys(*shlex.split(command), cwd=FOLDER)
    assert result.returncode == 0, result.stderr
    if command.startswith("drop"):  # bounces amplify the last bit of a sum
        assert form(result.stdout) == form(shown)
    else:
        assert result.stdout == shown


def test_the_mesh_is_the_one_that_its_script_writes(tmp_path: Path) -> None:
    script = shutil.copy(FOLDER / "bottle_cap.py", tmp_path)
    subprocess.run([sys.executable, script], check=True)
    assert (tmp_path / "bottle_cap.obj").read_text() == (FOLDER / "bottle_cap.obj").read_text()


def test_the_study_of_the_page_can_be_prepared() -> None:
    spec = parse_spec(FILES["caps.toml"], "caps.toml", FOLDER)
    assert set(spec.attached) == {"bottle_cap.toml", "felt.toml"}
