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

from brickphys.cli.shared.output import drawing
from brickphys.errors import CancelledRunError
from brickphys.notes import StageProgress
from tests.process_group import PATIENCE_S, has_ended

PRESSED_WHILE_THROWING = """
import os, signal, time
from brickphys.calibration.throwers import Throwers
from brickphys.cli.main import main
from brickphys.engines.compiled import CompiledEngine
from brickphys.engines.registry import ENGINES
ENGINES["compiled"] = CompiledEngine(chunk_bricks=1024)  # what has begun is soon finished
tallies = Throwers.tallies
def pressed(self, work):
    for number, tally in enumerate(tallies(self, work)):
        yield tally
        if number == 4:  # the first of them warm the workers up
            for _ in range({times}):
                os.killpg(0, signal.SIGINT)  # a terminal sends it to the whole group
                time.sleep(0.1)
Throwers.tallies = pressed
main()
"""
PRESSED_WHILE_DRAWING = """
import os, signal
from matplotlib.backends.backend_agg import FigureCanvasAgg
from brickphys.cli.main import main
drawn, frames = FigureCanvasAgg.buffer_rgba, []
def pressed(self):
    frames.append(1)
    if len(frames) == {frame}:
        os.killpg(0, signal.SIGINT)
    return drawn(self)
FigureCanvasAgg.buffer_rgba = pressed
main()
"""
"""Programs that run a command, and press Ctrl-C in the middle of its work."""


def start(tmp_path: Path, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        start_new_session=True,
    )


STOPPING = "brickphys: stopping: work in progress is finished first\n"
"""What Ctrl-C is answered with at once."""


def interrupted(tmp_path: Path, program: str, words: str) -> tuple[str, str]:
    """Run a program that presses Ctrl-C; return its output, and its errors after the answer to Ctrl-C."""
    process = start(tmp_path, "-c", program, *words.split())
    output, error = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130, error
    before, answer, error = error.partition(STOPPING)
    assert answer, before  # a new clone says before it that it compiles
    *notes, _ = error.splitlines()
    assert all("interval" in note for note in notes), error  # of a round that what has begun ends
    assert has_ended(process.pid)
    return output, error


@pytest.mark.slow
@pytest.mark.parametrize("times", [1, 3], ids=["once", "impatiently"])
def test_ctrl_c_writes_the_law_of_what_was_thrown(times: int, tmp_path: Path) -> None:
    words = "calibrate --half-width 0.0005 --workers 2 --seed 1 --out law.json"
    _, error = interrupted(tmp_path, PRESSED_WHILE_THROWING.format(times=times), words)
    assert "interrupted in stage 'single bodies'" in error
    law = json.loads((tmp_path / "law.json").read_text())
    assert law["complete"] is False
    assert law["p_side"]["throws"] == sum(law["counts"].values()) > 0


@pytest.mark.parametrize(
    ("form", "workers"),
    [("--json", 1), pytest.param("", 2, marks=pytest.mark.slow)],
    ids=["json", "text"],
)
def test_ctrl_c_ends_a_drop_with_what_has_been_thrown(
    form: str, workers: int, tmp_path: Path
) -> None:
    words = f"drop 2x2 --throws 10000000 --workers {workers} --seed 1 {form}"
    output, error = interrupted(tmp_path, PRESSED_WHILE_THROWING.format(times=1), words)
    told = re.fullmatch(r"brickphys: interrupted after (\d+) of 10000000 throws.*\n", error)
    assert told is not None, error
    done = int(told[1])
    assert 0 < done < 10**7
    if form:
        result = json.loads(output)
        assert (result["throws"], result["complete"]) == (done, False)
        assert sum(result["counts"].values()) == done
    else:
        assert output.startswith(f"{done:,} bodies one at a time: 2x2")


def wait_for_workers(program: int) -> None:
    """Wait until a program starts others."""
    end = time.monotonic() + PATIENCE_S
    while not psutil.Process(program).children():
        assert time.monotonic() < end, "no worker was started"
        time.sleep(0.05)


@pytest.mark.slow
def test_ctrl_c_while_workers_start_leaves_no_traceback(tmp_path: Path) -> None:
    words = "drop 2x2 --engine bullet --throws 1000000 --workers 2 --seed 1"
    for wait_s in (0.0, 0.2, 0.5):
        process = start(tmp_path, "-m", "brickphys", *words.split())
        wait_for_workers(process.pid)
        time.sleep(wait_s)
        os.killpg(process.pid, signal.SIGINT)
        _, error = process.communicate(timeout=PATIENCE_S)
        assert process.returncode == 130, error
        error = error.strip().removeprefix(STOPPING)
        assert error.startswith("brickphys: interrupted"), error
        assert error.count("\n") == 0, error
        assert has_ended(process.pid)


class Thing:
    """Something that tells when it goes, as what is drawn does."""


def draw(pictures: int, pressed_in: int, advance: StageProgress | None) -> Iterator[int]:
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


@pytest.mark.slow
@pytest.mark.parametrize("frame", [1, 5])
def test_ctrl_c_while_a_film_is_drawn_is_one_line(frame: int, tmp_path: Path) -> None:
    words = "play bow skirmish --bots random --seed 1 --animate film.gif"
    _, error = interrupted(tmp_path, PRESSED_WHILE_DRAWING.format(frame=frame), words)
    assert error.startswith("brickphys: interrupted")
    assert list(tmp_path.iterdir()) == []
