"""Pages of the documentation are true: their examples run, and what they show is what ships."""

import re
import runpy
import shlex
import shutil
import subprocess
import sys
from dataclasses import fields
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from matplotlib.pyplot import imread

from benchmarks.renderer import render_assembly
from brickphys.batch.spec import parse_spec
from brickphys.bow.documents import USUAL
from brickphys.bow.scenario import SCENARIOS, begin, parse_scenario
from brickphys.bow.setting import Options
from brickphys.bow.sheets.catalogue import catalogue, parse_library
from brickphys.bow.sheets.library import OPPOSED_ONLY, EffectKind
from brickphys.bow.sheets.plate import LETTERS
from brickphys.errors import SceneFileError
from brickphys.plots.camera import CameraView
from brickphys.rules.record import Step
from brickphys.shapes.assembly import assembly, assembly_names, build_assembly
from brickphys.vehicles.course import resolve
from brickphys.vehicles.scene import PivotTurn, Straight
from brickphys.vehicles.scene_file import parse_scene, read_scene
from tests.command_line import brickphys

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
COARSE = 4


def text(page: str) -> str:
    return (DOCS / f"{page}.md").read_text(encoding="utf-8")


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text(page), flags=re.M | re.S)


# vehicles

SCENE, COURSE = blocks("vehicles", "toml")


def test_the_scene_of_the_page_is_one() -> None:
    move = resolve(parse_scene(SCENE))
    assert (move.stopped_by, move.travelled_studs) == (("wall",), 7.0)


def test_the_course_of_the_page_is_one() -> None:
    course = parse_scene(SCENE + COURSE).course
    assert course == (Straight(8.0), PivotTurn(60.0, (-4.0, 0.0)), Straight(6.0, 20.0))
    picture = read_scene(DOCS / "course.toml")
    assert picture.course[:3] == course
    assert picture.lashed == ("prize",)


def test_faults_are_listed_as_the_page_shows() -> None:
    (faults,) = re.findall(r"```\nbrickphys: (scene\.toml: .*?)\n```", text("vehicles"))
    spoilt = SCENE.replace("speed = 2", "speed = 13").replace("[2", "[52")
    with pytest.raises(SceneFileError) as error:
        parse_scene(spoilt, "scene.toml")
    assert str(error.value) == faults


# games


def test_the_code_of_the_page_runs_from_top_to_bottom(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    page, code = {"__name__": "page"}, blocks("games", "python")
    for block in code:
        exec(compile(block, "games.md", "exec"), page)
    assert (tmp_path / "race.jsonl").exists()
    assert "bold" in capsys.readouterr().out
    assert page["RaceWithOdds"]().odds_tables()["six"](2).chances == {"a six": Fraction(11, 36)}
    assert len(code) == 7
    race, before = page["Race"](), page["RaceState"]((0, 0), 0, 3)
    step = Step(race.actor(before), 0, "0", race.apply(before, 0))
    assert race.tell(before, step) == "3 bricks (player 0): 0 on a side"


def test_what_the_page_names_exists():
    rules = (ROOT / "brickphys" / "rules").glob("*.py")
    source = "".join(path.read_text() for path in rules)
    for name in [
        "alternative",
        "imagine",
        "settled",
        "conserved",
        "shrinking",
        "lists_all_actions",
    ]:
        assert f"`{name}" in text("games")
        assert name in source


# learn

GUIDES = "\n".join(page.read_text() for page in (DOCS / "learn").glob("*.md"))


@pytest.mark.parametrize("row", re.findall(r"^\| `brickphys (.*?)` \| (\S+) % ", GUIDES, re.M))
def test_a_guide_tells_the_odds_that_its_command_prints(row: tuple[str, str]) -> None:
    assert f" {row[1]} %" in brickphys(*shlex.split(row[0])).stdout


# bodies

FOLDER = DOCS / "bodies"
EXAMPLES = re.findall(r"```console\n\$ brickphys ([^\n]*)\n(.*?)```", text("bodies"), re.DOTALL)
LONG = "drop bottle_cap.toml"
"""How the command begins that throws round bodies, which roll for long; others throw files too."""
FILES = dict(re.findall(r"```toml\n# (\S+\.toml)\n(.*?)```", text("bodies"), re.DOTALL))


def form(text: str) -> str:
    """Replace names of poses and numbers, and squeeze blanks, so that only the form is left."""
    text = re.sub(r"\bopen_(up|down)\b", "pose", text)
    return re.sub(r"[ ─]+", " ", re.sub(r"[-+]?\d[\d.,]*", "#", text))


@pytest.mark.parametrize("name", ["felt.toml", "bottle_cap.toml", "jeep.toml"])
def test_a_file_of_the_page_is_the_one_beside_it(name: str) -> None:
    assert FILES[name] == (FOLDER / name).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        pytest.param(
            *example, id=example[0], marks=[pytest.mark.slow] * example[0].startswith(LONG)
        )
        for example in EXAMPLES
    ],
)
def test_an_example_prints_what_the_page_shows(command: str, shown: str) -> None:
    result = brickphys(*shlex.split(command), cwd=FOLDER)
    assert result.returncode == 0, result.stderr
    if command.startswith(
        LONG
    ):  # its axes are LAPACK's: their last bits differ by processor, and bounces amplify them
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


# models


def test_the_table_is_the_one_that_the_command_writes():
    assert runpy.run_path(str(DOCS / "model_pictures.py"))["table"]() in text("models")


@pytest.mark.parametrize("name", assembly_names())
def test_the_picture_shows_the_thing_as_it_is(name):
    """Coarser than the picture on the page, and up to what smoothing and processors change."""
    usual = CameraView()
    width, height = usual.width // COARSE, usual.height // COARSE
    view = CameraView(width=width, height=height, samples=3)
    drawn = render_assembly(assembly(name), view) / 255.0
    shown = imread(DOCS / "img" / "models" / f"{name}.png")[..., :3]
    coarse = shown.reshape(height, COARSE, width, COARSE, 3).mean(axis=(1, 3))
    assert np.abs(coarse - drawn).mean() < 0.01


def test_there_is_no_picture_of_what_is_gone():
    assert {path.stem for path in (DOCS / "img" / "models").iterdir()} == set(assembly_names())


def test_the_example_of_a_new_thing_can_be_built():
    (example,) = blocks("models", "toml")
    cart = build_assembly("cart", example)
    assert [body.name for body in cart.bodies] == ["cart", "cart/driver"]
    assert (cart.width_studs, cart.bottom_plates) == (5.6, 0)


# sheets

SHEETS = blocks("sheets", "toml")


@pytest.mark.parametrize("name", ["units", "vehicles", "gear"])
def test_the_tables_are_those_that_the_command_writes(name):
    assert runpy.run_path(str(DOCS / "sheet_tables.py"))["tables"]()[name] in text("sheets")


def test_the_examples_are_one_file_without_fault():
    library = parse_library("\n".join(SHEETS), "sheets.md", catalogue())
    assert list(library.units) == ["veteran", "tamer"]
    assert list(library.vehicles) == ["war_cart"]
    assert list(library.armies) == ["reds"]
    assert {"scare", "duck"} <= set(library.actions)


@pytest.mark.parametrize("block", SHEETS)
def test_each_example_is_also_a_file_of_its_own(block):
    assert parse_library(block, "sheets.md", catalogue())


def test_the_letters_of_all_colours_are_told():
    words = " ".join(text("sheets").split("## Writing")[0].split())
    told = dict(re.findall(r"\b([A-Z]) ((?:dark |light |sand )?[a-z]+)", words))
    known = {letter: colour.replace("_", " ") for colour, letter in LETTERS.items()}
    assert known | {"L": "light grey"} == {letter: told.get(letter) for letter in known}


def test_every_effect_is_told():
    rows = dict(re.findall(r"^\| `(\w+)` \|.*\| (yes|no) \|$", text("sheets"), flags=re.M))
    assert rows == {kind.value: "no" if kind in OPPOSED_ONLY else "yes" for kind in EffectKind}


# scenarios


def test_the_example_is_a_scenario_without_fault():
    (example,) = blocks("scenarios", "toml")
    state = begin(parse_scenario(example, "scenarios.md"))
    names = {"robbers_swordsman_1", "robbers_swordsman_2", "gustav"}
    assert state.setting.unit_numbers.keys() == names


def test_every_usual_sign_is_told():
    table = text("scenarios").split("## The map")[1]
    assert all(f"`{sign}`" in table for sign in USUAL if sign not in "2345678")


@pytest.mark.parametrize("name", runpy.run_path(str(DOCS / "scenario_pictures.py"))["SHOWN"])
def test_every_picture_is_there(name):
    assert f"(img/scenarios/{name}.png)" in text("scenarios")
    assert (DOCS / "img" / "scenarios" / f"{name}.png").is_file()


def test_every_scenario_is_named():
    page = text("scenarios")
    assert all(f"/{name}.png" in page or f"`{name}`" in page for name in SCENARIOS)


def test_every_option_of_rules_is_a_decision():
    decisions = text("rules-decisions")
    assert all(f"`{option.name}`" in decisions for option in fields(Options))


# all of them


@pytest.mark.parametrize(
    ("page", "out"),
    [
        ("models", r".*\['jeep', 'jeep/driver'\]"),
        ("sheets", r"3 13 44\n$"),
        ("scenarios", r"The princess in the castle \["),
    ],
)
def test_the_example_of_use_runs(page, out, capsys):
    (code,) = blocks(page, "python")
    exec(code, {})  # the page's own words
    assert re.match(out, capsys.readouterr().out, re.DOTALL)


@pytest.mark.parametrize(
    ("page", "names"),
    [
        ("docs/bow.md", ("Alban Nanty", "Marcin Guzik")),
        ("docs/blade-and-bow.md", ("Mike Nagel", "Blue Panther", "War Diary Publications")),
        ("docs/minifig.md", ("names no author",)),
        ("docs/pirate-wars.md", ("names no author",)),
        ("README.md", ("Alban Nanty", "Mike Nagel", "Blue Panther", "name no author")),
    ],
)
def test_a_game_is_by_somebody(page: str, names: tuple[str, ...]) -> None:
    content = (ROOT / page).read_text(encoding="utf-8")
    start = content if page == "README.md" else content.split("\n## ")[0]
    assert all(name in " ".join(start.split()) for name in names)
