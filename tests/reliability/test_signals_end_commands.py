"""Ctrl-C and SIGTERM end every command that may take long: in DuckDB, Numba, engines, with Dask, as a server."""

import contextlib
import shlex
import signal
import time

import psutil
import pytest

from tests.command_line import brickphys, commands
from tests.process_group import PATIENCE_S, has_ended, started

STUDY = 'kind = "drop"\nseed = 1\nrepeats = {}\n[fixed]\nengine = "{}"\n'
LINES: dict[str, tuple[str, ...]] = {
    "batch report": ("done --sql 'select sum(a) from range(100000000000) t(a)'",),
    "batch run": (
        "compiled.toml --out one --workers 1",
        "bullet.toml --out two --workers 2",
        "compiled.toml --out three --dask local --workers 1",
    ),
    "calibrate": (
        "--half-width 0.0005 --workers 1 --out law.json --force",
        "--engine bullet --half-width 0.001 --workers 2 --out law.json --force",
    ),
    "drop": (
        "2x2 --throws 100000000 --workers 1",
        "2x2 --throws 100000000 --workers 2 --engine bullet",
        "2x2 --throws 100000000 --workers 1 --engine bullet",
    ),
    "ladder": ("bow skirmish --bots greedy,lookahead --games 1000 --workers 1 --out four",),
    "play": ("bow skirmish --bots greedy --seed 1 --animate film.gif",),
    "sensitivity": ("2x2 --throws 100000 --points 128 --workers 1",),
    "validate coin": ("--throws 100000 --workers 1",),
    "validate collisions": ("--scenes 1000000 --workers 1",),
    "validate engines": ("--throws 1000000 --workers 1",),
    "validate prisms": ("--throws 100000 --workers 1",),
    "view": ("--no-browser",),
}
"""Long work of commands."""
SHORT = {
    *("army", "batch pairs", "batch rank", "batch replay", "batch status", "batch studies"),
    *("batch worth", "campaign day", "campaign log", "campaign map", "campaign new", "collide"),
    *(
        "completion",
        "games",
        "infer",
        "laws",
        "measure brick",
        "measure count",
        "measure drop",
        "measure film",
        "measure law",
    ),
    *("measure tilt", "odds", "poses", "predict", "replay", "roll", "scenario", "sheet", "shoot"),
    *("validate counts", "validate radius", "validate throws", "verify"),
}
"""Commands whose longest work is seconds, or has a limit; `ended_by_signals` ends these, too."""
BUSY_S = 2.0
"""Processor time after which a command is in the middle of its work."""


def test_every_command_is_in_a_table():
    assert sorted([*LINES, *SHORT]) == sorted(commands())


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Studies, and the rows of one of them."""
    made = tmp_path_factory.mktemp("signals")
    for engine in ("compiled", "bullet"):
        (made / f"{engine}.toml").write_text(STUDY.format(1_000_000, engine))
    (made / "short.toml").write_text(STUDY.format(10, "compiled"))
    done = brickphys("batch", "run", "short.toml", "--out", "done", "--workers", 1, cwd=made)
    assert done.returncode == 0, done.stderr
    return made


def spent_s(process: psutil.Process) -> float:
    """Return the processor time of a process and of those that it has started."""
    spent = 0.0
    for one in (process, *process.children(recursive=True)):
        with contextlib.suppress(psutil.Error):
            spent += sum(one.cpu_times()[:2])
    return spent


@pytest.mark.slow
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize(
    "line", [f"{name} {more}" for name, lines in LINES.items() for more in lines]
)
def test_a_signal_ends_a_command_in_the_middle_of_long_work(line, number, status, folder):
    process = started("-m", "brickphys", *shlex.split(line), cwd=folder)
    assert process.stderr is not None
    told = process.stderr.readline() if line.startswith("view") else ""
    watched = psutil.Process(process.pid)
    while not told and spent_s(watched) < BUSY_S:
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    process.send_signal(number)
    _, error = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == status, error
    assert "Traceback" not in error
    assert has_ended(process.pid)
    assert not [path for path in folder.rglob("*.part") if path.parent == folder]


@pytest.mark.slow
@pytest.mark.parametrize("delay_s", [0.0, 0.001, 0.01, 1.5])
@pytest.mark.parametrize(
    "line",
    [
        "validate collisions --scenes 1000000 --workers 2",
        "drop 2x2 --throws 100000000 --workers 2 --engine bullet",
    ],
)
def test_a_second_signal_after_the_first_leaves_no_worker(line, delay_s, folder):
    """As `timeout` sends them, to the command and to its group, or as a person does who does not want to wait."""
    process = started("-m", "brickphys", *shlex.split(line), cwd=folder)
    watched = psutil.Process(process.pid)
    while spent_s(watched) < 2 * BUSY_S:
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    process.send_signal(signal.SIGTERM)
    time.sleep(delay_s)
    process.send_signal(signal.SIGTERM)
    _, error = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 143, error
    assert "Traceback" not in error
    assert has_ended(process.pid)
