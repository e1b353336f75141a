"""Every benchmark runs, at a tiny size, and prints its figures."""

import subprocess
import sys
from pathlib import Path

import pytest

import benchmarks
from benchmarks.tiny import ELSEWHERE, TINY, run

FOLDER = Path(benchmarks.__file__).parent


@pytest.fixture
def here(tmp_path, monkeypatch):
    """Run benchmarks in a folder of their own: what they write stays there."""
    monkeypatch.setenv("PYTHONPATH", str(FOLDER.parent))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").symlink_to(FOLDER.parent / "docs")


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("name", [name for name, tiny in TINY.items() if not tiny.is_slow])
def test_a_benchmark_runs_at_a_tiny_size(name, capsys):
    run(name)
    assert any(letter.isdigit() for letter in capsys.readouterr().out)


@pytest.mark.slow
@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("name", [name for name, tiny in TINY.items() if tiny.is_slow])
def test_a_slow_benchmark_runs_at_a_tiny_size(name):
    """In a process of its own: some change kernels, or read the memory of the whole process."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.tiny", name], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert any(letter.isdigit() for letter in done.stdout)


def test_every_benchmark_has_a_tiny_size_or_is_run_elsewhere():
    modules = {path.stem for path in FOLDER.glob("*.py")} - {"__init__", "tiny"}
    assert modules == TINY.keys() | ELSEWHERE.keys()
    assert not TINY.keys() & ELSEWHERE.keys()
