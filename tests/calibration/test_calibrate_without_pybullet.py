"""Where PyBullet is missing a calibration has MuJoCo as reference, or says before the first throw what is missing."""

import json
import re
import sys
from pathlib import Path

import pytest

from brickphys.calibration import plan as plan_module
from brickphys.calibration.calibrate import throw_law
from brickphys.calibration.law_origin import checks
from brickphys.calibration.plan import Plan, usual_bricks
from brickphys.engines.compiled import CompiledEngine
from brickphys.engines.mujoco import MujocoEngine
from brickphys.engines.mujoco_world import MujocoSettings
from brickphys.engines.registry import ENGINES, reference_engine
from brickphys.errors import InvalidValueError, MissingLibraryError
from brickphys.odds.law_file import read_law
from tests.calibration.quick_engine import quick
from tests.command_line import brickphys

QUICK = {"half_width": 0.05, "seed": 5}
SOFT = MujocoSettings(contact_s=1 / 1000, step_s=1 / 8000, check_s=1 / 100)
"""Its throws are wrong by some points, and five times as fast."""


@pytest.fixture(autouse=True)
def without_pybullet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the import of PyBullet fail, and keep the throws to some hundred."""
    monkeypatch.setitem(sys.modules, "pybullet", None)
    monkeypatch.setitem(ENGINES, "compiled", CompiledEngine(chunk_bricks=128))
    monkeypatch.setitem(ENGINES, "mujoco", quick(MujocoEngine)(settings=SOFT, chunk_bricks=64))
    monkeypatch.setattr(plan_module, "_MIN_HANDS", 20)


@pytest.fixture
def without_mujoco(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mujoco", None)


def never(*told: object) -> None:
    pytest.fail(f"something was thrown: {told}")


def test_mujoco_is_the_reference_and_the_law_says_so(tmp_path: Path) -> None:
    out = tmp_path / "law.json"
    words = ("--half-width", "0.05", "--seed", "5", "--workers", "1", "--out", out)
    told = brickphys("calibrate", *words, "--bricks", "1..2", "--hands", "4")
    assert told.returncode == 0, told.stderr
    assert "without PyBullet mujoco throws bodies together and is the refer" in told.stderr
    assert re.search(r"engine +moved to mujoco +[+-]\d\.\d\d \+- \d+\.\d\d", told.stdout)
    law = read_law(out)
    assert law.complete
    assert set(law.scores) == {1, 2}
    assert law.hands_engine == "mujoco"
    assert law.systematic is not None
    assert law.systematic.reference == reference_engine() == "mujoco"
    assert law.systematic.sources["engine"].error > 0
    assert law.versions["mujoco"]
    assert "pybullet" not in law.versions
    assert [check.fault for check in checks(out) if check.fault] == []


def test_on_studs_mujoco_throws_all_and_calibrate_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(plan: Plan, *_: object) -> None:
        raise InvalidValueError(f"{plan.cell(1).engine}, {plan.cell(6).engine}")

    monkeypatch.setattr("brickphys.calibration.calibrate.throw_law", stop)
    note, error = brickphys("calibrate", "--floor", "baseplate").stderr.splitlines()
    assert "without PyBullet mujoco throws all bodies and is the reference engine, on studs" in note
    assert error.endswith("mujoco, mujoco")


@pytest.mark.usefixtures("without_mujoco")
def test_hands_without_an_engine_are_refused_before_the_first_throw() -> None:
    assert usual_bricks("plane") == 1
    with pytest.raises(MissingLibraryError, match=r"PyBullet cannot.*\[mujoco\].*--bricks 1$"):
        throw_law(Plan(**QUICK, max_bricks=2), never)


def test_a_law_by_bullet_is_refused_before_the_first_throw() -> None:
    with pytest.raises(MissingLibraryError, match="PyBullet cannot be imported"):
        throw_law(Plan(**QUICK, engine="bullet", max_bricks=1), never)


@pytest.mark.usefixtures("without_mujoco")
def test_without_any_reference_nothing_is_thrown_and_the_extra_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingLibraryError, match=r"PyBullet or MuJoCo.* pip install .*\[mujoco\]"):
        throw_law(Plan(**QUICK, max_bricks=1), never)
    told = brickphys("calibrate", "--out", tmp_path / "law.json")
    assert told.returncode == 1
    assert "[mujoco]" in told.stderr
    assert not (tmp_path / "law.json").exists()


@pytest.mark.parametrize("kind", [("--bricks", "2"), ("--floor", "baseplate")], ids="".join)
def test_mujoco_throws_bodies_together_and_on_studs_and_records_none(
    tmp_path: Path, kind: tuple[str, str]
) -> None:
    words = ("drop", "2x2", *kind, "--throws", "2", "--seed", "1", "--workers", "1")
    told = brickphys(*words, "--json")
    assert (told.returncode, json.loads(told.stdout)["engine"]) == (0, "mujoco")
    refused = brickphys(*words, "--html", tmp_path / "throw.html")
    assert refused.returncode == 2
    assert "the mujoco engine cannot record a throw" in refused.stderr


def test_a_game_with_live_rolls_is_refused_before_it_begins(tmp_path: Path) -> None:
    words = ("play", "bow", "duel", "--bots", "random,random", "--seed", "1", "--live")
    told = brickphys(*words, "--replay", tmp_path / "duel.jsonl")
    assert told.returncode == 1
    assert "PyBullet cannot be imported" in told.stderr
    assert (told.stdout, list(tmp_path.iterdir())) == ("", [])


@pytest.mark.parametrize(
    "words",
    [
        ("collide", Path("docs/crash.toml").absolute(), "--physics"),
        ("validate", "engines", "--throws", "100", "--workers", "1"),
        ("validate", "collisions", "--scenes", "1", "--workers", "1"),
        ("shoot", "--weapon", "bow", "--range-in", "12", "--live"),
        ("roll", "3", "--live"),
    ],
    ids=lambda words: words[0],
)
def test_what_needs_pybullet_says_so_and_nothing_else(words: tuple[str, ...]) -> None:
    told = brickphys(*words)
    assert (told.returncode, told.stdout) == (1, "")
    assert told.stderr.startswith("brickphys: PyBullet cannot be imported")
    assert told.stderr.count("\n") == 1
