"""An installed wheel works alone: the command, the models and the shipped law are inside."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
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


def test_the_wheel_is_what_runs(site: Path) -> None:
    where = run(site, "-c", "import brickphys; print(brickphys.__file__)")
    assert Path(where.strip()).is_relative_to(site)


def test_the_wheel_declares_the_command(site: Path) -> None:
    (entry_points,) = site.glob("*.dist-info/entry_points.txt")
    assert "brickphys = brickphys.cli.main:main" in entry_points.read_text()


def test_the_wheel_carries_the_models(site: Path) -> None:
    code = "from brickphys.shapes.export import model_path; print(model_path('2x2').read_text())"
    assert run(site, "-c", code).startswith("<?xml")


def test_the_wheel_carries_the_models_of_assemblies_and_their_pieces(site: Path) -> None:
    code = (
        "from brickphys.shapes.assembly_file import assembly; from brickphys.shapes.export import model_path; "
        "print([model_path(body.name).is_file() for body in assembly('jeep').bodies])"
    )
    assert run(site, "-c", code).strip() == "[True, True]"


def test_the_wheel_carries_the_shipped_law(site: Path) -> None:
    assert 0 < json.loads(run(site, "-m", "brickphys", "odds", "3", "2", "--json"))["success"] < 1


def test_the_wheel_carries_the_sheets(site: Path) -> None:
    sheets = json.loads(run(site, "-m", "brickphys", "sheet", "bow", "tank", "--json"))["sheets"]
    assert [sheet["name"] for sheet in sheets] == ["tank"]


def test_the_wheel_carries_weapons_targets_and_impact_laws(site: Path) -> None:
    code = (
        "from brickphys.projectiles.bodies.catalogue import target; from brickphys.projectiles.weapons import weapon; "
        "from brickphys.projectiles.impact.law_file import impact_law; "
        "print(impact_law(weapon('bow').projectile, target('foot')).body)"
    )
    assert run(site, "-c", code).strip() == "foot"


def test_the_wheel_carries_the_player_of_pages(site: Path) -> None:
    code = "from brickphys.view.page import modules; print('three' in modules(), 'player/player.js' in modules())"
    assert run(site, "-c", code).strip() == "True True"
