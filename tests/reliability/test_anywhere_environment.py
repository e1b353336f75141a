"""Commands work without a home, a writable folder, a library, standard streams or a sensible environment."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from brickphys.cli.shared import terminal
from tests.cases import few
from tests.command_line import brickphys

PACKAGE = Path(__file__).parents[2] / "brickphys"
TIMEOUT_S = 600.0
"""No command takes so long unless it hangs."""
WALL_CLOCK = re.compile(
    r"\btime\.time(?:_ns)?\b|import time\(|datetime\.(?:now|utcnow|today)|date\.today"
)


def test_no_duration_is_measured_by_a_clock_that_can_be_set():
    texts = {path: path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")}
    found = {str(path): WALL_CLOCK.findall(text) for path, text in texts.items()}
    assert {path: clocks for path, clocks in found.items() if clocks} == {}


@pytest.mark.parametrize(
    "words",
    [
        "drop 2x2 --engine bullet --throws 10 --workers 1",
        "roll 3 --live",
        "validate engines --engines bullet,compiled --workers 1",
        "collide crash.toml --physics",
    ],
)
def test_without_pybullet_what_needs_it_says_so(words, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "pybullet", None)
    shutil.copy(PACKAGE.parent / "docs" / "crash.toml", tmp_path)
    told = brickphys(*words.split(), cwd=tmp_path)
    assert told.returncode == 1
    assert told.stderr.startswith("brickphys: PyBullet cannot be imported")
    assert "work without it" in told.stderr


def test_without_pybullet_the_rest_works(monkeypatch):
    monkeypatch.setitem(sys.modules, "pybullet", None)
    for words in ("odds 3 2", "poses 2x2", "play pirate_wars duel --seed 1 --bots random"):
        assert brickphys(*words.split()).returncode == 0


def test_a_person_at_a_closed_keyboard_types_nothing(monkeypatch):
    monkeypatch.setattr(terminal, "sys", SimpleNamespace(stdin=None, stdout=sys.stdout))
    told = brickphys("play", "pirate_wars", "duel", "--seed", 1, "--bots", "person")
    assert told.returncode == 0
    assert "Traceback" not in told.stderr


def test_the_backend_of_a_window_does_not_matter(monkeypatch, tmp_path):
    monkeypatch.setenv("MPLBACKEND", "nonsense")
    told = brickphys("odds", 3, 2, "--plot", "odds.png", cwd=tmp_path)
    assert told.returncode == 0
    assert "MPLBACKEND" not in os.environ  # it is read when matplotlib is first imported


def without_privileges(words: list[str]) -> list[str]:
    """Return a command that even the superuser runs with the permissions of files."""
    if os.geteuid():
        return words
    if shutil.which("setpriv") is None:
        pytest.skip("the superuser writes everywhere, and there is no setpriv to hinder it")
    return ["setpriv", "--bounding-set=-all", "--inh-caps=-all", *words]


@pytest.mark.parametrize(
    "words",
    few(
        ["odds 3 2 --law glass", "play bow duel --bots random,random --seed 1", "sheet bow archer"]
    ),
)
def test_a_current_folder_that_cannot_be_read_does_not_matter(words, tmp_path):
    closed = tmp_path / "closed"
    closed.mkdir()
    command = without_privileges([sys.executable, "-m", "brickphys", *words.split()])
    closing = f"import os; os.chmod({str(closed)!r}, 0); os.execvp({command[0]!r}, {command!r})"
    try:
        done = subprocess.run(
            [sys.executable, "-c", closing], cwd=closed, capture_output=True, text=True
        )
    finally:
        closed.chmod(0o755)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", ["odds 3 2", "collide scene.toml", "drop 2x2 --throws 100 --seed 1 --workers 1"]
)
def test_a_package_that_cannot_be_written_works_without_home(words, tmp_path):
    site = tmp_path / "site"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(PACKAGE, site / "brickphys", ignore=ignored)
    (tmp_path / "scene.toml").write_text(
        "[field]\nwidth = 48\nheight = 32\n[move]\nvehicle = 'a'\n"
        "[[vehicle]]\nid = 'a'\nx = 9\ny = 9\nheading_deg = 0\nlength = 9\nwidth = 6\nspeed = 2\n"
    )
    folders = [site, *filter(Path.is_dir, site.rglob("*"))]
    for folder in folders:
        folder.chmod(0o555)
    try:
        done = subprocess.run(
            without_privileges([sys.executable, "-B", "-m", "brickphys", *words.split()]),
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(site), "HOME": "/proc"},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
        )
    finally:
        for folder in folders:
            folder.chmod(0o755)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("set NUMBA_CACHE_DIR to a writable folder") == (words[0] != "o")
    assert not list(site.rglob("*.nb?"))


@pytest.mark.slow
@pytest.mark.parametrize("megabytes", [100, 200, 300, 400, 600])
def test_little_memory_is_one_line(megabytes):
    command = f"ulimit -v {megabytes * 1024}; exec {sys.executable} -m brickphys drop 2x2 --seed 1"
    done = subprocess.run(
        ["sh", "-c", f"{command} --throws 20 --workers 1"],
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
    )
    if done.returncode:
        assert done.returncode == 1
        assert done.stderr.splitlines()[-1].startswith("brickphys: memory is short"), done.stderr
        assert "Traceback" not in done.stderr
