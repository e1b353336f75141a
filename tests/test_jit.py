"""Notes: one note for a compilation, shown only on request. Machine code: the same in each process."""

import os
import subprocess
import sys

import pytest

from tests.command_line import assert_refused

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

COMPILED = """
from brickphys import notes
from brickphys.jit import entry

class Noted(type(notes.COMPILING)):
    def set(self):
        super().set()
        seen.append(self.is_set())

def double(x):
    return 2.0 * x

seen = []
notes.COMPILING.__class__ = Noted
entry(double)(1.0)
print(seen, notes.COMPILING.is_set())
"""


@pytest.mark.slow
def test_processes_that_share_a_cache_compile_once_and_one_notes_it(tmp_path):
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


def test_others_know_while_an_entry_is_compiled_but_not_when_it_is_loaded(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(COMPILED)
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, str(program)]
    told = [subprocess.run(command, env=environment, capture_output=True).stdout for _ in range(2)]
    assert told == [b"[True] False\n", b"[] False\n"]


def test_nothing_is_compiled_with_numba_disabled(tmp_path):
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path), "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("variables", "file", "told"),
    [
        ({"NUMBA_OPT": "x"}, "", "'NUMBA_OPT' is defined but its associated value 'x' could not"),
        pytest.param(
            {},
            "num_threads: 0",
            "Number of threads specified must be > 0",
            marks=pytest.mark.slow,
        ),
        ({}, "x: [", 'in ".numba_config.yaml", line 1'),
    ],
)
def test_settings_that_numba_does_not_take_are_refused(variables, file, told, tmp_path):
    if file:
        (tmp_path / ".numba_config.yaml").write_text(file)
    program = "import sys; from brickphys.cli.main import main; main()"
    words = ("drop", "2x2", "--throws", "1", "--seed", "1")
    answer = subprocess.run(
        [sys.executable, "-c", program, *words],
        cwd=tmp_path,
        env=os.environ | variables,
        capture_output=True,
        text=True,
    )
    assert_refused(answer, "Numba does not start with its settings", told)


@pytest.mark.parametrize(("shown", "expected"), [("", ""), ("show_notes()", "brickphys: hello\n")])
def test_notes_are_shown_only_on_request(shown, expected):
    code = f"from brickphys.notes import NOTES, show_notes\n{shown}\nNOTES.info('hello')"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert (result.stdout, result.stderr) == ("", expected)


THROWS = """
from brickphys.jit import entry

@entry
def power(x):
    return x**2 + 1.0

if {power_first}:
    power(1.5)

from hashlib import sha256
from brickphys.engines.compiled import CompiledEngine

motions_digest = sha256()
throw = CompiledEngine._throw

def told(self, body, contact, floor, results):
    throw(self, body, contact, floor, results)
    motions_digest.update(results[0].tobytes())

CompiledEngine._throw = told
import brickphys

brickphys.throw("2x2", 1000, surface="glass", seed=1)
print(motions_digest.hexdigest())
"""


@pytest.mark.slow
def test_what_was_compiled_before_changes_no_bit_of_a_throw(tmp_path):
    digests = []
    for power_first in (False, True):
        cache = tmp_path / str(power_first)
        program = tmp_path / f"{power_first}.py"
        program.write_text(THROWS.format(power_first=power_first))
        # with a setting of its own, Numba compiles all
        environment = os.environ | {"NUMBA_CACHE_DIR": str(cache), "NUMBA_OPT": "3"}
        command = [sys.executable, str(program)]
        digests.append(
            subprocess.run(command, env=environment, capture_output=True, check=True).stdout
        )
    assert digests[0] == digests[1]
    assert len(digests[0]) == 65
