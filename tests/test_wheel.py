"""An installed wheel works alone: the command, the models and the shipped law are inside."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.slow
"""To build a wheel takes seconds."""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Return a folder with nothing but the unpacked wheel: a pure wheel is installed by unpacking it."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder)]
    subprocess.run([*build, str(ROOT)], check=True, capture_output=True, cwd=folder)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def run(site: Path, *words: str) -> str:
    result = subprocess.run(
        [sys.executable, *words],
        capture_output=True,
        text=True,
        check=True,
        cwd=site.parent,
        env=os.environ | {"PYTHONPATH": str(site), "PYTHONSAFEPATH": "1"},
    )
    return result.stdout


PROGRAM = """
import json
import brickphys
from brickphys.projectiles.target import target
from brickphys.projectiles.impact_law import impact_law
from brickphys.projectiles.weapons import weapon
from brickphys.shapes.assembly import assembly
from brickphys.shapes.export import model_path
from brickphys.view.document import modules
from click.testing import CliRunner
from brickphys.cli.main import cli

print(json.dumps({
    "place": brickphys.__file__,
    "model": model_path("2x2").read_text(),
    "jeep": [model_path(body.name).is_file() for body in assembly("jeep").bodies],
    "hit": impact_law(weapon("bow").projectile, target("foot")).body,
    "player": sorted(modules()),
    "sheets": CliRunner().invoke(cli, ["sheet", "bow", "tank", "--json"]).output,
}))
"""


@pytest.fixture(scope="module")
def told(site):
    """Return what one program finds in the wheel."""
    found: dict[str, Any] = json.loads(run(site, "-c", PROGRAM))
    return found


def test_the_wheel_is_what_runs_and_declares_the_command(site, told):
    assert Path(told["place"]).is_relative_to(site)
    (entry_points,) = site.glob("*.dist-info/entry_points.txt")
    assert "brickphys = brickphys.cli.main:main" in entry_points.read_text()


def test_the_wheel_carries_the_shipped_law(site):
    assert 0 < json.loads(run(site, "-m", "brickphys", "odds", "3", "2", "--json"))["success"] < 1


def test_the_wheel_carries_models_sheets_impact_laws_and_the_player(told):
    assert told["model"].startswith("<?xml")
    assert told["jeep"] == [True, True]
    assert [sheet["name"] for sheet in json.loads(told["sheets"])["sheets"]] == ["tank"]
    assert told["hit"] == "foot"
    assert {"three", "player/player.js"} <= {*told["player"]}
