"""Groups of processes: those of a command that was started in a session of its own."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

PATIENCE_S = 300.0
"""Time for anything to happen on a busy machine; no test waits so long unless it fails."""


def started(*words: str, cwd: Path) -> subprocess.Popen[str]:
    """Start Python with some words, in a session of its own and with the handlers of signals that a shell gives it."""
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, *words],
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        text=True,
        cwd=cwd,
        start_new_session=True,
        preexec_fn=_default_signals,
    )


def program_run(folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    """Run a program from a file in a folder, as worker processes want it, to its end and theirs."""
    program = folder / "run.py"
    program.write_text(text)
    words = [sys.executable, str(program)]
    return subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE_S)


def _default_signals() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def runs(group: int) -> bool:
    """Return whether something of a group of processes still runs."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def has_ended(group: int) -> bool:
    """Return whether all processes of a group end."""
    end = time.monotonic() + PATIENCE_S
    while runs(group) and time.monotonic() < end:
        time.sleep(0.05)
    return not runs(group)
