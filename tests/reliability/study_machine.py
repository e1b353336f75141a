"""A state machine over the folder of a study: run, stopped, killed, damaged, moved, looked at, and run to its end."""

import json
import os
import shutil
import signal
import tempfile
from collections import Counter
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any, ClassVar

from hypothesis import assume
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from brickphys.batch.store import JOURNAL, MANIFEST, SHARDS, Store, locked, open_store
from tests.batch.batches import InProcess, in_process, pebbles, run_here, study_file, table_bytes
from tests.command_line import assert_refused, brickphys
from tests.reliability.damage import LINES, damaged_lines, flipped
from tests.reliability.faulty_disk import ERRORS, FaultyDisk, PowerCut, fails, power_fails

DONE: Counter[str] = Counter()
"""How often each thing was done, in all studies of this process."""
FIXED = pebbles(40, raises=0.1) | {"grid": {"p": [0.1, 0.2, 0.3]}}
"""Three cells; a tenth of the games raise an error each time, so that some rows are failed ones."""
NARROW = {name: part for name, part in FIXED.items() if name != "repeats"} | {
    "until": {"column": "p_win_0", "half_width": 0.2, "first": 10, "at_most": 80}
}
"""The same cells, each repeated until its interval is narrow: how many runs there are depends on their rows."""
CALL = st.integers(1, 60)
WHERE = st.integers(0, 2**40)


class Stopping(InProcess):
    """An executor of this process in which Ctrl-C comes after some jobs, and workers die once in some others."""

    def __init__(self, room: int, seed: int, stop: int) -> None:
        self._dead: set[Any] = set()
        super().__init__(room, seed, self._dies)
        self._stop = stop

    def _dies(self, job: Any) -> bool:
        """Whether the worker dies: never twice with one job."""
        dies = job.chunks not in self._dead and self._rng.random() < 0.2
        self._dead.add(job.chunks)
        DONE["dead workers"] += dies
        return dies

    def wait(self, timeout_s: float) -> None:
        if len(self.done) == self._stop:
            os.kill(os.getpid(), signal.SIGINT)
        super().wait(timeout_s)


class StudyMachine(RuleBasedStateMachine):
    """One folder of one study. What its rows are at the end is known from a run that nothing disturbs."""

    tables: ClassVar[dict[str, Any]] = FIXED
    expected: ClassVar[bytes]
    addresses: ClassVar[dict[tuple[int, int], Any]]

    @classmethod
    def learn(cls, folder: Path) -> None:
        """Run the study undisturbed, to know its rows."""
        store = run_here(folder, cls.tables, InProcess())
        cls.expected = table_bytes(store)
        cls.addresses = {(row["cell"], row["run"]): row for row in store.rows().to_pylist()}

    def __init__(self) -> None:
        super().__init__()
        self.place = Path(tempfile.mkdtemp())
        self.study = study_file(self.place, self.tables)
        self.folder = self.place / "batch0"
        self.moves = 0

    # the ways in which it runs

    @rule(room=st.integers(1, 3), seed=st.integers(0, 99), stop=st.integers(0, 12))
    def run_until_ctrl_c(self, room: int, seed: int, stop: int) -> None:
        result = self._run(Stopping(room, seed, stop))
        assert result.returncode in (0, 130), result.stderr
        DONE["stopped"] += result.returncode == 130

    @rule(at=CALL, room=st.integers(1, 3))
    def run_until_killed(self, at: int, room: int) -> None:
        """Killed at a call to the disk: what was done before it stays."""
        self._killed(at, room)

    @rule(at=CALL, names_stay=st.booleans())
    def run_until_the_power_fails(self, at: int, names_stay: bool) -> None:
        """What was not synced is lost as well."""
        disk = self._killed(at, 1)
        found = self._next_place()
        disk.lose_power(found, names_stay=names_stay)
        shutil.rmtree(self.folder)
        self.folder = found
        DONE["power cuts"] += 1

    def _killed(self, at: int, room: int) -> FaultyDisk:
        self.folder.mkdir(exist_ok=True)
        disk = FaultyDisk(self.folder, power_fails(at))
        with disk.mounted():
            try:
                self._run(InProcess(room))
            except PowerCut:
                DONE["kills"] += 1
        return disk

    @rule(at=CALL, number=st.sampled_from(ERRORS), for_ever=st.booleans())
    def run_on_a_failing_disk(self, at: int, number: int, for_ever: bool) -> None:
        self.folder.mkdir(exist_ok=True)
        disk = FaultyDisk(self.folder, fails(at, number, for_ever=for_ever))
        with disk.mounted():
            result = self._run(InProcess())
        assert_clear(result)
        DONE["faults"] += disk.injected

    @rule()
    def retry_failed(self) -> None:
        assert self._run(InProcess(), "--retry-failed").returncode == 0
        DONE["retried"] += 1

    @precondition(lambda self: self.folder.exists())
    @rule()
    def run_twice_at_once(self) -> None:
        with locked(self.folder):
            assert_refused(self._run(InProcess()), "is being run by another process")
        DONE["second runners"] += 1

    # what happens to its files

    @rule(which=WHERE, where=WHERE, how=st.sampled_from(["flip", "cut", "empty", "lose", "swap"]))
    def damage_a_shard(self, which: int, where: int, how: str) -> None:
        shards = sorted((self.folder / SHARDS).glob("*.parquet"))
        assume(shards)
        shard, other = shards[which % len(shards)], shards[where % len(shards)]
        content = shard.read_bytes()
        if how == "lose":
            shard.unlink()
        elif how == "swap":
            shard.write_bytes(other.read_bytes())
            other.write_bytes(content)
        elif content:
            ends = {"flip": flipped(content, where), "cut": content[: where % len(content)]}
            shard.write_bytes(ends.get(how, b""))
        DONE["damaged shards"] += 1

    @rule(where=WHERE, how=st.sampled_from([*LINES, "remove"]))
    def damage_the_journal(self, where: int, how: str) -> None:
        journal = self.folder / JOURNAL
        assume(journal.exists() and journal.stat().st_size)
        if how == "remove":
            journal.unlink()
        else:
            journal.write_bytes(damaged_lines(journal.read_bytes(), how, where))
        DONE["damaged journals"] += 1

    @precondition(lambda self: (self.folder / MANIFEST).exists())
    @rule(where=WHERE, how=st.sampled_from(["flip", "cut"]))
    def damage_the_manifest(self, where: int, how: str) -> None:
        """A manifest that was edited is refused in one line, until it is put back."""
        manifest = self.folder / MANIFEST
        content = manifest.read_bytes()
        cut = content[: where % len(content)]
        manifest.write_bytes(flipped(content, where) if how == "flip" else cut)
        result = self._run(InProcess())
        if result.returncode == 0:  # what was changed is told, or says nothing of the rows
            self._look()
        else:
            assert_refused(result)
        manifest.write_bytes(content)
        DONE["damaged manifests"] += 1

    @precondition(lambda self: (self.folder / SHARDS).exists())
    @rule(name=st.sampled_from(["note.txt", "cell000000-run0000000000-7.parquet", ".x.1.part"]))
    def add_a_foreign_file(self, name: str) -> None:
        path = self.folder / SHARDS / name
        assume(not path.exists())
        path.write_text("not ours")
        if name == "note.txt":
            assert_refused(self._run(InProcess()), "move it away")
            path.unlink()
        DONE["foreign files"] += 1

    @precondition(lambda self: self.folder.exists())
    @rule(copy=st.booleans())
    def move_it(self, copy: bool) -> None:
        there = self._next_place()
        if copy:
            shutil.copytree(self.folder, there)
        else:
            self.folder.rename(there)
        self.folder = there
        DONE["moved"] += 1

    # what is seen of it

    @precondition(lambda self: (self.folder / MANIFEST).exists())
    @rule()
    def look(self) -> None:
        self._look()

    def _look(self) -> None:
        """The status counts each run once, and every row that is there is the one that should be there."""
        told = brickphys("batch", "status", self.folder, "--json")
        assert told.returncode == 0, told.stderr
        found = json.loads(told.stdout)
        done = found["done"] + found["failed"]
        self._check_pending(done, found["pending"])
        store = sound(open_store(self.folder))
        rows = store.rows().to_pylist()
        assert len(rows) == len({(row["cell"], row["run"]) for row in rows}) == done
        for row in rows:
            right = self.addresses[row["cell"], row["run"]]
            assert {name: row.get(name) for name in right} == right
        DONE["looks"] += 1

    def _check_pending(self, done: int, pending: int) -> None:
        assert done + pending == len(self.addresses)

    @precondition(lambda self: (self.folder / MANIFEST).exists())
    @rule()
    def report(self) -> None:
        assert_clear(brickphys("batch", "report", self.folder, "--json"))
        DONE["reports"] += 1

    def teardown(self) -> None:
        """However it went, the same command goes on to the same table."""
        try:
            result = self._run(InProcess())
            assert result.returncode == 0, result.stderr
            assert table_bytes(open_store(self.folder)) == self.expected
            left = [path.name for path in self.folder.rglob(".*")]
            assert not left, left
            DONE["studies"] += 1
        finally:
            shutil.rmtree(self.place)

    def _run(self, executor: InProcess, *words: str) -> CompletedProcess[str]:
        with in_process(lambda *_: executor):
            line = ("batch", "run", self.study, "--out", self.folder, "--workers", 1, *words)
            result = brickphys(*line)
        assert "Traceback" not in result.stderr
        return result

    def _next_place(self) -> Path:
        self.moves += 1
        return self.place / f"batch{self.moves}"


class UntilMachine(StudyMachine):
    """A study whose cells are repeated until their intervals are narrow."""

    tables = NARROW

    def _check_pending(self, done: int, pending: int) -> None:
        """What is pending is of the next step alone, and nothing is done that the whole study does not need."""
        assert done + pending <= len(self.addresses)
        assert pending or done == len(self.addresses)


def assert_clear(result: CompletedProcess[str]) -> None:
    """Assert that a command has worked, or has said in one line why not."""
    assert result.returncode in (0, 1, 2), result.stderr
    if result.returncode:
        last = result.stderr.splitlines()[-1]
        assert last.startswith("brickphys: "), result.stderr
        assert "Traceback" not in result.stderr


def sound(store: Store) -> Store:
    """Return a store without the shards that are damaged."""
    store.exclude(store.shard_problems().lost)
    return store
