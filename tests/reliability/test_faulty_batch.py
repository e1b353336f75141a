"""Studies on a disk that fails at the n-th call, for every n: one line, and the same command goes on to the table."""

import errno
import os
from collections import Counter
from pathlib import Path

import pytest

from brickphys.batch.store import open_store
from tests.batch.batches import InProcess, in_process, pebbles, run_here, study_file, table_bytes
from tests.command_line import brickphys
from tests.installed_game import installed_pebbles
from tests.reliability.faulty_disk import FaultyDisk, PowerCut, copied, fails, power_fails, tree
from tests.reliability.test_faulty_disk import faults

TABLES = pebbles(20, raises=0.1)
INJECTED: Counter[str] = Counter()


@pytest.fixture(autouse=True, scope="module")
def pebbles_are_known(tmp_path_factory):
    with installed_pebbles(tmp_path_factory):
        yield


def words(study: Path, folder: Path) -> tuple[object, ...]:
    return ("batch", "run", study, "--out", folder, "--workers", 1)


def errors(told: str) -> list[str]:
    """Return the lines of standard error without the note that the sync of a folder failed."""
    return [line for line in told.splitlines() if "is written, but a power cut" not in line]


def check_faults(tmp_path: Path, *, all_: bool) -> None:
    """Let all calls fail in all ways, or every sixth call in one."""
    study, begun = study_file(tmp_path, TABLES), tmp_path / "begun"
    expected = table_bytes(run_here(tmp_path / "whole", TABLES, InProcess()))
    begun.mkdir()
    folder = copied(begun, tmp_path / "counted")
    with in_process(lambda *_: InProcess()):
        with FaultyDisk(folder).mounted() as disk:
            assert brickphys(*words(study, folder)).returncode == 0
        asked = disk.asked
        for at, number, for_ever in list(faults(len(asked), all_=all_))[:: 1 if all_ else 6]:
            folder = copied(begun, tmp_path / "faulty")
            with FaultyDisk(folder, fails(at, number, for_ever=for_ever)).mounted() as disk:
                result = brickphys(*words(study, folder))
            case = (asked[at - 1], number, for_ever, result.stderr)
            INJECTED["batch run"] += disk.injected
            assert result.returncode in (0, 1, 2), case
            if result.returncode:
                (line,) = errors(result.stderr)
                assert line.startswith(f"brickphys: {folder}"), case
                result = brickphys(*words(study, folder))
                assert result.returncode == 0, (case, result.stderr)
            assert table_bytes(open_store(folder)) == expected, case
            assert not list(folder.rglob(".*")), case


def test_a_study_goes_on_after_a_call_that_failed(tmp_path):
    check_faults(tmp_path, all_=False)


@pytest.mark.slow
def test_a_study_goes_on_after_every_call_failed_in_every_way(tmp_path):
    check_faults(tmp_path, all_=True)


@pytest.mark.slow
@pytest.mark.parametrize("names_stay", [True, False])
def test_a_study_goes_on_after_a_power_cut_at_every_call(names_stay, tmp_path):
    study, begun = study_file(tmp_path, TABLES), tmp_path / "begun"
    expected = table_bytes(run_here(tmp_path / "whole", TABLES, InProcess()))
    begun.mkdir()
    at, cut = 0, True
    with in_process(lambda *_: InProcess()):
        while cut:
            at, cut = at + 1, False
            folder, found = copied(begun, tmp_path / "faulty"), tmp_path / f"found{at}"
            with FaultyDisk(folder, power_fails(at)).mounted() as disk:
                try:
                    brickphys(*words(study, folder))
                except PowerCut:
                    cut = True
            disk.lose_power(found, names_stay=names_stay)
            assert cut or table_bytes(open_store(found)) == expected, "what was told is lost"
            result = brickphys(*words(study, found))
            assert result.returncode == 0, (disk.asked[-1], result.stderr)
            assert table_bytes(open_store(found)) == expected
    INJECTED["power cuts"] += at - 1


def no_process(at: int, disk: FaultyDisk) -> None:
    """Let the n-th start of a process fail."""
    ask = disk.ask

    def asked(what: str) -> None:
        ask(what)
        if what == "spawn" and disk.asked.count("spawn") == at:
            disk.injected += 1
            raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    disk.ask = asked  # type: ignore[method-assign]


@pytest.mark.slow
@pytest.mark.parametrize("at", [1, 2])
def test_a_process_that_cannot_be_started_is_one_line(at, tmp_path):
    study, folder = study_file(tmp_path, TABLES), tmp_path / "batch"
    folder.mkdir()
    expected = table_bytes(run_here(tmp_path / "whole", TABLES, InProcess()))
    disk = FaultyDisk(folder)
    no_process(at, disk)
    with disk.mounted():
        result = brickphys(*words(study, folder))
    INJECTED["spawn"] += disk.injected
    if result.returncode:
        assert result.returncode in (1, 2)
        (line,) = errors(result.stderr)
        assert line.startswith("brickphys: ")
    assert brickphys(*words(study, folder)).returncode == 0
    assert table_bytes(open_store(folder)) == expected


@pytest.mark.slow
def test_a_report_is_written_whole_or_told_in_one_line(tmp_path):
    begun, folder = tmp_path / "begun", tmp_path / "batch"
    run_here(begun, TABLES, InProcess())
    copied(begun, folder)
    with FaultyDisk(folder).mounted() as disk:
        assert brickphys("batch", "report", folder).returncode == 0
    expected, asked = tree(folder), disk.asked
    for at, number, for_ever in faults(len(asked), all_=False):
        copied(begun, folder)
        with FaultyDisk(folder, fails(at, number, for_ever=for_ever)).mounted() as disk:
            result = brickphys("batch", "report", folder)
        case = (asked[at - 1], number, for_ever, result.stderr)
        INJECTED["batch report"] += disk.injected
        assert result.returncode in (0, 1, 2), case
        assert "Traceback" not in result.stderr, case
        assert len(errors(result.stderr)) == bool(result.returncode), case
        written = {name: data for name, data in tree(folder).items() if ".part" not in name}
        assert written.items() <= expected.items(), case
        again = brickphys("batch", "report", folder)
        assert again.returncode == 0, (case, again.stderr)
        assert tree(folder) == expected, case
