"""Kernels on disk: damaged files are made anew, and where no file can be written all is compiled in memory."""

import importlib
import importlib.util
import logging
import os
import re
import shutil
import subprocess
import sys
from contextlib import nullcontext
from types import ModuleType
from typing import Any

import numba
import pytest

from brickphys import jit as jit_cache
from brickphys.errors import InvalidValueError
from brickphys.jit import check_private
from tests.cases import few_rows

SOURCE = """
from brickphys.jit import entry

@entry
def triple(x):
    return 3.0 * x
"""
PROGRAM = "import kernels; assert kernels.triple(2.0) == 6.0"


@pytest.fixture(autouse=True)
def settings_are_those_of_the_environment():
    """Otherwise the first compilation would take back what another test had set."""
    numba.config.reload_config()  # type: ignore[no-untyped-call]


@pytest.fixture
def kernels(tmp_path, monkeypatch):
    """Loads a module with a kernel anew, as a new process would, with its cache in `tmp_path`."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(jit_cache, "_told", [])
    path = tmp_path / "kernels.py"
    path.write_text(SOURCE)

    def load() -> Any:
        spec = importlib.util.spec_from_file_location("kernels", path)
        assert spec is not None
        assert spec.loader is not None
        module: ModuleType = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.triple

    return load


def hits(kernel: Any) -> int:
    """How many versions of a kernel came from the disk, once it is right."""
    assert kernel(2.0) == 6.0
    return sum(kernel.stats.cache_hits.values())


def flipped(content: bytes) -> bytes:
    """A content with one bit turned in its last quarter, where the machine code is."""
    at = len(content) * 3 // 4
    return content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]


DAMAGES = {
    "cut": lambda content: content[: len(content) // 2],
    "empty": lambda _: b"",
    "garbage": lambda _: b"\x80\x05garbage" * 9,
    "one bit": flipped,
}


@pytest.mark.parametrize(
    ("ending", "damage"),
    [
        *(("nbi", "cut"), ("nbi", "garbage"), ("nbc", "empty"), ("nbc", "one bit")),
        *few_rows([("nbi", "empty"), ("nbi", "one bit"), ("nbc", "cut"), ("nbc", "garbage")], 0),
    ],
)
def test_a_damaged_file_is_made_anew(kernels, tmp_path, ending, damage):
    assert [hits(kernels()), hits(kernels())] == [0, 1]
    (file,) = tmp_path.rglob(f"*.{ending}")
    whole = file.read_bytes()
    file.write_bytes(DAMAGES[damage](whole))
    assert [hits(kernels()), hits(kernels())] == [0, 1]
    assert len(list(tmp_path.rglob("*.nbc"))) == 1


INNER = """
from brickphys.jit import kernel

FACTOR = 3.0

@kernel
def scaled(x):
    return FACTOR * x
"""
OUTER = """
import inner
from brickphys.jit import entry
from inner import FACTOR, scaled

@entry
def product(x):
    return scaled(x) * FACTOR
"""
EDITS = {
    "a constant": ("FACTOR = 3.0", "FACTOR = 4.0", 32.0),
    "a kernel": ("FACTOR * x", "2.0 * x + x + x", 24.0),
    "an option": ("@kernel", "@outer_kernel", 18.0),
}
"""Edit of another module -> what is replaced by what, and what the entry gives for 2."""


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_of_another_module_is_compiled(edit, tmp_path, monkeypatch):
    """Machine code of Numba's own cache depends on the file of the entry alone."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "outer.py").write_text(OUTER)
    old, new, expected = EDITS[edit]

    def load(inner: str) -> Any:
        (tmp_path / "inner.py").write_text(inner)
        for name in ("inner", "outer"):
            monkeypatch.delitem(sys.modules, name, raising=False)
            importlib.invalidate_caches()
        return importlib.import_module("outer").product

    assert [load(INNER)(2.0), load(INNER)(2.0)] == [18.0, 18.0]
    edited = INNER.replace("import kernel", "import kernel, outer_kernel").replace(old, new)
    found = load(edited)
    assert found(2.0) == expected
    assert not found.stats.cache_hits


def test_an_edit_that_keeps_size_and_time_of_its_file_is_compiled(kernels, tmp_path):
    assert [hits(kernels()), hits(kernels())] == [0, 1]
    path = tmp_path / "kernels.py"
    before = path.stat()
    path.write_text(SOURCE.replace("3.0 * x", "4.0 * x"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    importlib.invalidate_caches()
    shutil.rmtree(
        tmp_path / "__pycache__", ignore_errors=True
    )  # Python itself goes by size and time
    assert kernels()(2.0) == 8.0


def test_a_kernel_without_any_folder_is_compiled_in_memory(kernels, tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(jit_cache._Locators, "_locator_classes", [])
    with caplog.at_level(logging.INFO, "brickphys"):
        assert [hits(kernels()), hits(kernels())] == [0, 0]
    (note,) = caplog.messages
    assert "set NUMBA_CACHE_DIR" in note
    assert not list(tmp_path.rglob("*.nb*"))


def test_classes_of_the_cache_have_other_names_in_numba_0_61(tmp_path):
    program = (
        "from numba.core import caching; names = [n for n in vars(caching) if n.endswith('CacheLocator')]\n"
        "public = {n: vars(caching).pop(n) for n in names if not n.startswith('_')}\n"
        "vars(caching).update({'_' + n: one for n, one in public.items()})\n"
        "import brickphys.jit; vars(caching).update(public)\n" + PROGRAM
    )
    (tmp_path / "kernels.py").write_text(SOURCE)
    subprocess.run(
        [sys.executable, "-c", program],
        check=True,
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(tmp_path)},
    )
    assert list(tmp_path.rglob("*.nbc"))


def test_a_full_disk_and_a_folder_without_locks_do_not_stop_a_kernel(kernels, monkeypatch, caplog):
    def fails(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(jit_cache._CheckedFiles, "_save_index", fails)
    monkeypatch.setattr(jit_cache, "FileLock", fails)
    with caplog.at_level(logging.INFO, "brickphys"):
        assert hits(kernels()) == 0
    assert "No space left on device" in caplog.text


def test_no_cache_is_taken_from_a_folder_that_belongs_to_somebody_else(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    place = jit_cache._UserFolder.from_function
    assert place(flipped, __file__) is not None
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    assert place(flipped, __file__) is None


def test_without_a_home_no_cache_is_kept_in_the_current_folder(tmp_path, monkeypatch):
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # as for a user id with no name
    monkeypatch.chdir(tmp_path)
    assert jit_cache._UserFolder.from_function(flipped, __file__) is None
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_processes_that_meet_a_damaged_cache_at_once_make_it_anew(tmp_path):
    (tmp_path / "kernels.py").write_text(SOURCE)
    paths = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": paths}
    command = [sys.executable, "-c", PROGRAM]
    subprocess.run(command, env=environment, check=True)
    for ending in ("nbi", "nbc"):
        for file in tmp_path.rglob(f"*.{ending}"):
            file.write_bytes(file.read_bytes()[:100])
        started = [
            subprocess.Popen(command, env=environment, stderr=subprocess.PIPE) for _ in range(3)
        ]
        assert [process.communicate()[1] for process in started] == [b"", b"", b""]
        assert [process.returncode for process in started] == [0, 0, 0]


def test_code_of_other_settings_is_not_taken_from_the_disk(kernels, monkeypatch):
    assert [hits(kernels()), hits(kernels())] == [0, 1]
    monkeypatch.setattr(numba.config, "LOOP_VECTORIZE", 0)
    assert [hits(kernels()), hits(kernels())] == [0, 1]
    monkeypatch.setattr(numba.config, "LOOP_VECTORIZE", 1)
    assert hits(kernels()) == 1


def test_a_folder_into_which_others_may_write_is_refused(kernels, tmp_path):
    for mode in (0o777, 0o757, 0o1777):
        tmp_path.chmod(mode)
        with pytest.raises(InvalidValueError, match="others may write into"):
            kernels()
    tmp_path.chmod(0o755)
    assert [hits(kernels()), hits(kernels())] == [0, 1]
    (inner,) = {path.parent for path in tmp_path.rglob("*.nbi")}
    inner.chmod(0o777)
    with pytest.raises(InvalidValueError, match="others may write into"):
        kernels()
    inner.chmod(0o755)


@pytest.mark.parametrize(
    ("mode", "is_refused"), [(0o777, True), (0o1777, False), (0o775, False), (0o755, False)]
)
def test_a_folder_that_others_may_replace_is_refused(mode, is_refused, tmp_path):
    folder = tmp_path / "around" / "cache"
    folder.mkdir(parents=True)
    folder.parent.chmod(mode)
    with pytest.raises(InvalidValueError) if is_refused else nullcontext():
        check_private(folder)
        check_private(folder / "later")


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="there are no other users")
def test_a_folder_of_somebody_else_is_refused(tmp_path, monkeypatch):
    if (owner := tmp_path.stat().st_uid) == 0:
        os.chown(tmp_path, 12345, -1)
        owner = 12345
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    with pytest.raises(InvalidValueError, match="others may write"):
        check_private(tmp_path)


@pytest.mark.slow
def test_a_command_says_that_others_may_write_into_its_cache(tmp_path):
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache").chmod(0o777)
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    words = "-m brickphys drop 2x2 --throws 10 --seed 1"
    done = subprocess.run(
        [sys.executable, *words.split()],
        capture_output=True, text=True, check=False, env=environment,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert re.fullmatch("brickphys: NUMBA_CACHE_DIR=.*: others may write into .*\n", done.stderr)


def test_a_file_in_the_working_folder_names_no_cache(tmp_path, monkeypatch):
    """Numba reads `.numba_config.yaml` there, and would run what lies in a folder that it names."""
    pytest.importorskip("yaml", reason="without it Numba reads no such file")
    (tmp_path / ".numba_config.yaml").write_text(f"cache_dir: {tmp_path / 'planted'}\n")
    environment = {name: text for name, text in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    program = (
        "import numba; from brickphys.jit import _NamedFolder\n"
        "assert numba.config.CACHE_DIR.endswith('planted')\n"
        "assert _NamedFolder.from_function(None, 'x.py') is None\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, cwd=tmp_path, env=environment)
