"""A study that other code, or another processor, would go on with: refused, or marked row by row and told."""

import json
import os
import shutil
from pathlib import Path

import pytest
from batches import DROP, PATIENCE_S, InProcess, run_here, spec, start, study_file

import brickphys
from brickphys.batch.store.store import open_store, running_store
from brickphys.errors import BatchFolderError

PACKAGE = Path(brickphys.__file__).parent


def call(*words, env, cwd):
    """Run a command of `batch` in a program that finds the package by its path alone."""
    process = start(*words, env=env, cwd=cwd)
    output, errors = process.communicate(timeout=PATIENCE_S)
    return process.returncode, output, errors


@pytest.fixture
def other_gravity(tmp_path):
    """Return the environment in which this package has another gravity."""
    copy = tmp_path / "other" / "brickphys"
    copy.mkdir(parents=True)
    for path in PACKAGE.iterdir():
        if path.name not in ("units.py", "__pycache__"):
            (copy / path.name).symlink_to(path)
    text = (PACKAGE / "units.py").read_text()
    shutil.copy(PACKAGE / "units.py", copy)
    (copy / "units.py").write_text(text.replace("9.81", "9.5"))
    assert (copy / "units.py").read_text() != text
    return {"PYTHONPATH": os.pathsep.join([str(copy.parent), os.environ["PYTHONPATH"]])}


@pytest.mark.slow
def test_a_study_is_not_continued_with_another_gravity(other_gravity, tmp_path):
    folder, study = tmp_path / "batch", study_file(tmp_path, DROP)
    begun = run_here(folder, DROP, InProcess(), 0.01, stop=4).ledger.total
    assert 0 < begun < 240
    words = ("run", study, "--out", folder, "--workers", 1)
    status, output, errors = call(*words, env=other_gravity, cwd=tmp_path)
    assert (status, output) == (2, "")
    assert (
        "was computed by something else: the sources of base have changed; rows may then" in errors
    )
    assert "--continue-anyway" in errors
    assert errors.count("\n") == 1
    assert open_store(folder).ledger.total == begun
    status, output, errors = call(
        *words, "--continue-anyway", "--json", env=other_gravity, cwd=tmp_path
    )
    assert status == 0, errors
    assert [one["rows"] for one in json.loads(output)["stamps"]] == [begun, 240 - begun]
    done = open_store(folder)
    stamps = done.rows()["stamp"].to_pylist()
    first = done.manifest.stamps[0].digest
    assert (len(stamps), stamps.count(first)) == (240, begun)
    status, output, _ = call("status", folder, env={}, cwd=tmp_path)
    assert "2 stamps in one table: " in output
    assert "(the sources of base have changed)" in output


def test_another_processor_is_another_stamp(tmp_path, monkeypatch):
    run_here(tmp_path / "batch", DROP, InProcess(), 0.01, stop=1)
    monkeypatch.setenv("NUMBA_CPU_NAME", "generic")
    with (
        pytest.raises(BatchFolderError, match=r"something else: .*processor name is generic"),
        running_store(tmp_path / "batch", spec(DROP)),
    ):
        pass
