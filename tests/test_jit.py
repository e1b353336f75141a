"""Notes: one note for a compilation, shown only on request."""

import logging
import subprocess
import sys

import numba
import pytest

from brickphys.jit import compile_notice
from brickphys.notes import NOTES


def test_a_compilation_is_noted_once(caplog: pytest.LogCaptureFixture) -> None:
    double = numba.njit(lambda x: 2.0 * x)
    with caplog.at_level(logging.INFO, logger=NOTES.name):
        for _ in range(2):
            with compile_notice("a test, a second"):
                assert double(2.0) == 4.0
    assert [record.message for record in caplog.records] == [
        "compiling a test, a second (once: the next start takes it from the disk)"
    ]


@pytest.mark.parametrize(("shown", "expected"), [("", ""), ("show_notes()", "brickphys: hello\n")])
def test_notes_are_shown_only_on_request(shown: str, expected: str) -> None:
    code = f"from brickphys.notes import NOTES, show_notes\n{shown}\nNOTES.info('hello')"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert (result.stdout, result.stderr) == ("", expected)
