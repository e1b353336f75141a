"""Notes: one note for a compilation, shown only on request."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
from brickphys.jit import compile_once, entry
from brickphys.notes import show_notes

def double(x):
    return 2.0 * x

show_notes()
compiled = entry(double)
for _ in range(2):
    compile_once(compiled, "a test, a second", lambda: compiled(1.0))
assert compiled(2.0) == 4.0
"""


@pytest.mark.slow
def test_processes_that_share_a_cache_compile_once_and_one_notes_it(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, str(program)]
    started = [subprocess.Popen(command, env=environment, stderr=subprocess.PIPE) for _ in range(3)]
    notes = [process.communicate()[1].decode() for process in started]
    assert [process.returncode for process in started] == [0, 0, 0]
    assert "".join(notes) == (
        "brickphys: compiling a test, a second (once: the next start takes it from the disk)\n"
    )


def test_nothing_is_compiled_with_numba_disabled(tmp_path: Path) -> None:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path), "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("shown", "expected"), [("", ""), ("show_notes()", "brickphys: hello\n")])
def test_notes_are_shown_only_on_request(shown: str, expected: str) -> None:
    code = f"from brickphys.notes import NOTES, show_notes\n{shown}\nNOTES.info('hello')"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert (result.stdout, result.stderr) == ("", expected)
