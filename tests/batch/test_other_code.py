"""A study that other code, or another processor, would go on with: refused, or marked row by row and told."""

import json
import os
import re
import shutil
from pathlib import Path

import pytest

import brickphys
from brickphys.batch.chunk import prepare_chunk, run_chunk
from brickphys.batch.runner import run
from brickphys.batch.store import open_store, running_store
from brickphys.errors import BatchFolderError, WorkerStartError
from tests.batch.batches import DROP, PATIENCE_S, InProcess, kept, run_here, spec, start, study_file

PACKAGE = Path(brickphys.__file__).parent


def call(*words, env, cwd):
    """Run a command of `batch` in a program that finds the package by its path alone.

    The note that kernels are compiled, as the first run of an edited package tells, is left out.
    """
    process = start(*words, env=env, cwd=cwd)
    output, errors = process.communicate(timeout=PATIENCE_S)
    return process.returncode, output, re.sub(r"(?m)^.*: compiling .*\n", "", errors)


@pytest.fixture
def edited(tmp_path):
    """Return what gives the environment in which a file of this package has another text."""

    def edit(name, old, new):
        copy = tmp_path / "other" / "brickphys"
        top, _, _ = name.partition("/")
        copy.mkdir(parents=True)
        for path in PACKAGE.iterdir():
            if path.name not in (top, "__pycache__"):
                (copy / path.name).symlink_to(path)
        if (PACKAGE / top).is_dir():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(PACKAGE / top, copy / top, ignore=ignored)
        text = (PACKAGE / name).read_text(encoding="utf-8")
        assert old in text
        (copy / name).write_text(text.replace(old, new), encoding="utf-8")
        return {"PYTHONPATH": os.pathsep.join([str(copy.parent), os.environ["PYTHONPATH"]])}

    return edit


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "old", "new", "told"),
    [
        ("throws/flight.py", "import numpy", "# a comment\nimport numpy", ""),
        (
            "throws/flight.py",
            "import numpy",
            "USED_BY_NOBODY = 3\nimport numpy",
            ": the sources of throws have changed; 64 rows computed again are the same",
        ),
    ],
)
def test_a_study_goes_on_after_an_edit_that_changes_no_row(edited, tmp_path, name, old, new, told):
    folder, study = tmp_path / "batch", study_file(tmp_path, DROP)
    begun = run_here(folder, DROP, InProcess(), 0.01, stop=1).ledger.total
    words = ("run", study, "--out", folder, "--workers", 1)
    status, _, errors = call(*words, env=edited(name, old, new), cwd=tmp_path)
    assert status == 0, errors
    assert re.sub(r"\d+ rows", "64 rows", errors).count(told or "computed again") == bool(told)
    done = open_store(folder)
    assert (begun < 240, done.ledger.total) == (True, 240)
    assert len(done.manifest.stamps) == 1 + bool(told)


@pytest.mark.slow
def test_a_study_is_not_continued_with_another_restitution(edited, tmp_path):
    folder, study = tmp_path / "batch", study_file(tmp_path, DROP)
    begun = run_here(folder, DROP, InProcess(), 0.01, stop=1).ledger.total
    env = edited("throws/materials/wood.toml", "[0.4, 0.6]", "[0.42, 0.62]")
    status, output, errors = call(
        "run", study, "--out", folder, "--workers", 1, env=env, cwd=tmp_path
    )
    assert (status, output, errors.count("\n")) == (2, "", 1)
    words = "by another program: the sources of throws have changed, and "
    assert words in errors
    assert " rows computed again are different" in errors
    assert open_store(folder).ledger.total == begun


@pytest.mark.slow
def test_a_study_is_not_continued_with_another_gravity(edited, tmp_path):
    other_gravity = edited("units.py", "9.81", "9.5")
    folder, study = tmp_path / "batch", study_file(tmp_path, DROP)
    begun = run_here(folder, DROP, InProcess(), 0.01, stop=1).ledger.total
    assert 0 < begun < 240
    words = ("run", study, "--out", folder, "--workers", 1)
    status, output, errors = call(*words, env=other_gravity, cwd=tmp_path)
    assert (status, output) == (2, "")
    assert "was computed by another program: the sources of base have changed, and " in errors
    assert (
        " rows computed again are different; rows may then differ, and --continue-anyway" in errors
    )
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
        pytest.raises(BatchFolderError, match=r"another program: .*processor name is generic"),
        running_store(tmp_path / "batch", spec(DROP)),
    ):
        pass


LATE = DROP | {
    "repeats": 200,
    "fixed": {"shape": "2x2", "preset": "hand", "surface": "wood"},
    "grid": {"engine": ["bullet", "compiled"], "edge_radius_mm": [n / 200 for n in range(20)]},
}
"""A study whose second half needs an engine that the first half does not import."""


class EditsBeforeTheThird(InProcess):
    """An executor that passes on what a job raises, as processes do; before the third job a file is edited."""

    def __init__(self, path):
        super().__init__()
        self._path = path

    def wait(self, timeout_s):
        if not self._jobs:
            return
        job, future = self._jobs.pop()
        prepare_chunk(job)
        self.done.append(job)
        if len(self.done) == 3:
            self._path.write_text("HEAVIER = True\n")
        try:
            future.set_result(run_chunk(job))
        except Exception as error:
            future.set_exception(error)


def test_an_edit_while_a_study_runs_ends_it_without_a_row_of_the_new_code(tmp_path, monkeypatch):
    path = tmp_path / "edited_meanwhile.py"
    path.write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    made = spec(DROP)
    monkeypatch.setattr(type(made), "packages", ("edited_meanwhile",))
    executor = EditsBeforeTheThird(path)
    with running_store(tmp_path / "batch", made) as store, executor as working:
        with pytest.raises(WorkerStartError, match="the sources of edited_meanwhile have changed"):
            run(store, working, chunk_s=0.01)
        assert store.ledger.total == sum(
            one.count for job in executor.done[:2] for one in job.chunks
        )
        assert len(executor.done) == 3


@pytest.mark.slow
def test_an_engine_that_was_edited_before_it_was_imported_makes_no_row(tmp_path):
    copy, folder = tmp_path / "copy", tmp_path / "batch"
    shutil.copytree(PACKAGE, copy / "brickphys", ignore=shutil.ignore_patterns("__pycache__"))
    env = {"PYTHONPATH": os.pathsep.join([str(copy), os.environ["PYTHONPATH"]])}
    words = ("run", study_file(tmp_path, LATE), "--out", folder, "--workers", 1)
    process = start(*words, env=env, cwd=tmp_path)
    kept(folder, 1, process)
    contact = copy / "brickphys" / "engines" / "kernels" / "contact_kernel.py"
    contact.write_text(f"{contact.read_text(encoding='utf-8')}\nNEW = 1\n", encoding="utf-8")
    _, errors = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 2
    assert "the sources of engines have changed" in errors
    assert 0 < open_store(folder).ledger.total < 8000
