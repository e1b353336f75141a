"""Ctrl-C in a running command: one line, nothing lost, nobody left behind."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest


def start(tmp_path: Path, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "brickphys", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        start_new_session=True,
    )


def gone(group: int) -> bool:
    """Return whether all processes of a group end soon."""
    for _ in range(200):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("times", [1, 3], ids=["once", "impatiently"])
def test_ctrl_c_writes_the_law_of_what_was_thrown(times: int, tmp_path: Path) -> None:
    words = "calibrate --half-width 0.0005 --workers 2 --seed 1 --out law.json"
    process = start(tmp_path, *words.split())
    time.sleep(15)
    for _ in range(times):
        os.killpg(process.pid, signal.SIGINT)  # a terminal sends it to the whole group
        time.sleep(0.3)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 1
    assert error.count("\n") == 1
    assert "interrupted among single bricks" in error
    law = json.loads((tmp_path / "law.json").read_text())
    assert law["complete"] is False
    assert law["p_side"]["throws"] == sum(law["counts"].values()) > 0
    assert gone(process.pid)


def test_ctrl_c_ends_a_drop_with_one_line(tmp_path: Path) -> None:
    process = start(tmp_path, *["drop", "2x2", "--throws", "1000000", "--workers", "2", "--json"])
    time.sleep(8)
    os.killpg(process.pid, signal.SIGINT)
    output, error = process.communicate(timeout=60)
    assert (process.returncode, output) == (1, "")
    assert error.count("\n") == 1
    assert "of 1000000 throws" in error
