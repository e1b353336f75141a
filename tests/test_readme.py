"""The README's examples are true: every command runs and prints what the README shows."""

import re
import shlex
from pathlib import Path

import pytest
from command_line import brickphys

README = Path(__file__).parent.parent / "README.md"
EXAMPLES = re.findall(r"```console\n\$ brickphys ([^\n]*)\n(.*?)```", README.read_text(), re.DOTALL)

FILES = re.findall(r"```toml\n# (\S+\.toml)\n(.*?)```", README.read_text(), re.DOTALL)
"""Files that the examples read: their name is the first comment."""

# Bounces amplify the last bit of a sum: on another processor other bricks fall on their side, and only the form stays.
THROWN = ("drop", "roll", "validate", "batch")


def form(text: str) -> str:
    """Replace names of poses and numbers, and squeeze blanks, so that only the form is left."""
    text = re.sub(r"\b(side|studs_up|studs_down)\b", "pose", text)
    return re.sub(r"[ ─]+", " ", re.sub(r"[-+]?\d[\d.,]*", "#", text))


def test_the_readme_has_five_examples() -> None:
    assert len(EXAMPLES) >= 5


@pytest.mark.parametrize(("command", "shown"), EXAMPLES, ids=[command for command, _ in EXAMPLES])
def test_an_example_prints_what_the_readme_shows(command: str, shown: str, tmp_path: Path) -> None:
    for name, text in FILES:
        (tmp_path / name).write_text(text)
    result = brickphys(*shlex.split(command), cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    if command.startswith(THROWN):
        assert form(result.stdout) == form(shown)
    else:
        assert result.stdout == shown


@pytest.mark.parametrize("target", re.findall(r"\]\(((?!http)[^)#]+)", README.read_text()))
def test_what_the_readme_points_to_exists(target: str) -> None:
    assert (README.parent / target).exists()
