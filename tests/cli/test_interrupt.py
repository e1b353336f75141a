"""Ctrl-C in a running command: one line, nothing lost, nobody left behind."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import weakref
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from brickphys.cli.shared.output import Advance, drawing
from brickphys.errors import CancelledRunError


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
    assert process.returncode == 130
    assert error.count("\n") == 1
    assert "interrupted in stage 'single bricks'" in error
    law = json.loads((tmp_path / "law.json").read_text())
    assert law["complete"] is False
    assert law["p_side"]["throws"] == sum(law["counts"].values()) > 0
    assert gone(process.pid)


@pytest.mark.parametrize("form", ["--json", None], ids=["json", "text"])
def test_ctrl_c_ends_a_drop_with_what_has_been_thrown(form: str | None, tmp_path: Path) -> None:
    words = "drop 2x2 --throws 100000000 --workers 2 --seed 1"
    process = start(tmp_path, *words.split(), *([form] if form else []))
    time.sleep(8)
    os.killpg(process.pid, signal.SIGINT)
    output, error = process.communicate(timeout=60)
    assert process.returncode == 130
    told = re.fullmatch(r"brickphys: interrupted after (\d+) of 100000000 throws.*\n", error)
    assert told is not None, error
    done = int(told[1])
    assert 0 < done < 10**8
    if form:
        result = json.loads(output)
        assert (result["throws"], result["complete"]) == (done, False)
        assert sum(result["counts"].values()) == done
    else:
        assert output.startswith(f"{done:,} bricks one at a time: 2x2")
    assert gone(process.pid)


def wait_for_workers(program: int) -> None:
    """Wait until a program starts others."""
    for _ in range(1200):
        if psutil.Process(program).children():
            return
        time.sleep(0.05)
    pytest.fail("no worker was started within a minute")


def test_ctrl_c_while_workers_start_leaves_no_traceback(tmp_path: Path) -> None:
    words = "drop 2x2 --engine bullet --throws 1000000 --workers 2 --seed 1"
    for wait_s in (0.0, 0.2, 0.5):
        process = start(tmp_path, *words.split())
        wait_for_workers(process.pid)
        time.sleep(wait_s)
        os.killpg(process.pid, signal.SIGINT)
        _, error = process.communicate(timeout=60)
        assert process.returncode == 130, error
        assert error.strip().startswith("brickphys: interrupted"), error
        assert error.strip().count("\n") == 0, error
        assert gone(process.pid)


class Thing:
    """Something that tells when it goes, as what is drawn does."""


def draw(pictures: int, pressed_in: int, advance: Advance | None) -> Iterator[int]:
    """Yield pictures; Ctrl-C comes in a callback while one of them is drawn."""
    for picture in range(pictures):
        thing = Thing()
        number = pressed_in - picture  # 0 in that one
        watch = weakref.ref(
            thing, lambda _, left=number: left or os.kill(os.getpid(), signal.SIGINT)
        )
        del thing
        assert watch() is None
        yield picture
        if advance:
            advance("film", picture + 1, pictures)


@pytest.mark.parametrize(
    ("pressed_in", "advances", "drawn", "told"),
    [(1, True, [0, 1], "after 2 of 3 pictures"), (2, False, [0, 1, 2], "while a picture")],
    ids=["in a film", "in one picture"],
)
def test_ctrl_c_in_a_callback_of_the_drawing_library_is_not_lost(
    pressed_in: int, advances: bool, drawn: list[int], told: str
) -> None:
    before, done = signal.getsignal(signal.SIGINT), []

    def film() -> None:
        with drawing() as advance:
            done.extend(draw(3, pressed_in, advance if advances else None))

    with pytest.raises(CancelledRunError, match=told):
        film()
    assert done == drawn
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.parametrize("wait", [4.0, 5.0])
def test_ctrl_c_while_a_film_is_drawn_is_one_line(wait: float, tmp_path: Path) -> None:
    words = "play bow skirmish --bots random --seed 1 --animate film.gif"
    process = start(tmp_path, *words.split())
    time.sleep(wait)
    os.killpg(process.pid, signal.SIGINT)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 130, error
    assert error.strip().startswith("brickphys: interrupted"), error
    assert error.strip().count("\n") == 0, error
    assert list(tmp_path.iterdir()) == []
