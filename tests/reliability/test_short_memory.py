"""Memory that is short at one place, anywhere in a command: one line, exit status 1, and no half-written file."""

import random
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from subprocess import CompletedProcess
from tempfile import TemporaryDirectory

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from brickphys.batch.chunk import ERROR, prepare_chunk, run_chunk
from brickphys.batch.store import Store, open_store
from brickphys.workers import attempt
from tests.batch.batches import InProcess, in_process, pebbles, run_here, study_file
from tests.command_line import brickphys
from tests.installed_game import installed_pebbles
from tests.reliability import test_faulty_disk
from tests.reliability.faulty_disk import copied, tree
from tests.reliability.short_memory import Memory, places
from tests.reliability.test_faulty_disk import COMMANDS

SHORT: Counter[str] = Counter()
"""Runs that were short of memory, by command."""
MORE = {"calibrate": 80, "campaign day": 60, "measure law": 20, "play": 80, "save": 80}
"""Places of a command at equal distances, besides the first 20."""
TABLES = pebbles(20, raises=0.1)
BATCH = Path(__file__).parents[1] / "batch"

nothing_is_thrown_twice = test_faulty_disk.nothing_is_thrown_twice


@pytest.fixture(scope="module")
def pebbles_are_known(tmp_path_factory):
    with installed_pebbles(tmp_path_factory):
        yield


class AsAWorker(InProcess):
    """An executor of this process; what a job raises is its result, as in a worker."""

    def wait(self, timeout_s: float) -> None:
        job, future = self._jobs.pop()
        prepare_chunk(job)
        answer = attempt(run_chunk, job)
        if isinstance(answer, Exception):
            future.set_exception(answer)
        else:
            future.set_result(answer)


def calls(run: Callable[[], CompletedProcess[str]], only: tuple[str, ...] = ("",)) -> int:
    """Return how many places a run has that nothing disturbs."""
    with Memory(only=only).limited() as memory:
        assert run().returncode == 0
    return memory.calls


def short(name: str, at: int, result: CompletedProcess[str]) -> bool:
    """Check what a command said; return whether it failed."""
    case = (name, at, result.returncode, result.stderr)
    SHORT[name] += 1
    if result.returncode:
        assert result.returncode == 1, case
        assert result.stderr.startswith("brickphys: memory is short"), case
        assert result.stderr.count("\n") == 1, case
    else:
        assert result.stderr == "", case
    return result.returncode != 0


def check(name: str, at_which: Callable[[int], list[int]], tmp_path: Path) -> None:
    command = COMMANDS[name]
    start = command.begin(tmp_path / "start")
    before = tree(start)
    command.run(copied(start, tmp_path / "warm"))  # what is made once a process is made
    folder = copied(start, tmp_path / "whole")
    count = calls(lambda: command.run(folder))
    expected = tree(folder)
    for at in at_which(count):
        folder = copied(start, tmp_path / "short")
        with Memory(at).limited():
            result = command.run(folder)
        failed, after = short(name, at, result), tree(folder)
        assert failed or after == expected, (name, at)
        for file, content in after.items():
            assert content in (before.get(file), expected.get(file)), (file, name, at)
        assert before.keys() <= after.keys(), (name, at)


def test_a_campaign_that_is_short_of_memory_is_whole(tmp_path):
    rng = random.Random(7)
    check("campaign new", lambda count: rng.sample(range(1, count + 1), 5), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(MORE))
def test_a_command_that_is_short_of_memory_anywhere_says_so(name, tmp_path):
    check(name, lambda count: places(count, MORE[name]), tmp_path)


def rows(store: Store) -> pa.Table:
    """Return all rows in order; what the last of three tries met is told of failed ones, and may be the memory."""
    table = store.rows().sort_by([("cell", "ascending"), ("run", "ascending")])
    failed = pc.is_valid(table[ERROR])
    table = table.drop_columns([ERROR]).append_column("failed", failed)
    return table.select(sorted(table.column_names)).combine_chunks()


@cache
def expected_rows() -> pa.Table:
    with TemporaryDirectory() as folder:
        return rows(run_here(Path(folder) / "batch", TABLES, InProcess()))


def batch_run(study: Path, folder: Path) -> CompletedProcess[str]:
    return brickphys("batch", "run", study, "--out", folder, "--workers", 1)


def goes_on(study: Path, folder: Path, at: int) -> None:
    """Check that the command, given again, ends with the rows of a study that nothing disturbed."""
    with in_process(lambda *_: AsAWorker()):
        result = batch_run(study, folder)
    assert (result.returncode, result.stderr) == (0, ""), at
    assert rows(open_store(folder)).equals(expected_rows()), at
    assert not list(folder.rglob(".*")), at


@pytest.mark.slow
@pytest.mark.usefixtures("pebbles_are_known")
def test_a_study_that_is_short_of_memory_anywhere_goes_on(tmp_path):
    study = study_file(tmp_path, TABLES)
    with in_process(lambda *_: AsAWorker()):
        batch_run(study, tmp_path / "warm")
        count = calls(lambda: batch_run(study, tmp_path / "whole"))
    for at in places(count, 60):
        folder = tmp_path / f"short{at}"
        with in_process(lambda *_: AsAWorker()), Memory(at).limited():
            result = batch_run(study, folder)
        if not short("batch run", at, result):
            assert rows(open_store(folder)).equals(expected_rows()), at
        goes_on(study, folder, at)
