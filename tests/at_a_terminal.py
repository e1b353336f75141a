"""A program at a terminal of its own: what is typed, and what is shown."""

import os
import pty
import select
import subprocess
import sys
from codecs import getincrementaldecoder
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

PROGRAM = """
import signal
from brickphys.cli.main import main
# both are ignored if the tests run in the background of a shell, or by nohup
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
main()
"""
PATIENCE_S = 120.0
"""Time for anything to appear on a busy machine; no test waits so long unless it fails."""


class Screen:
    """The near end of a terminal.

    Attributes
    ----------
    shown
        All that was shown, from the beginning.
    """

    def __init__(self, end: int) -> None:
        self._end = end
        self._seen = 0
        self._decoder = getincrementaldecoder("utf-8")()
        self.shown = ""

    def wait(self, text: str) -> str:
        """Wait until a text is shown; return what came since the last wait, up to its end."""
        while text not in self.shown[self._seen :]:
            ready, _, _ = select.select([self._end], [], [], PATIENCE_S)
            assert ready, f"{text!r} does not come after {self.shown[-400:]!r}"
            shown = self._decoder.decode(os.read(self._end, 65536))
            self.shown += shown.replace("\r\n", "\n")
        start, self._seen = self._seen, self.shown.index(text, self._seen) + len(text)
        return self.shown[start : self._seen]

    def type(self, line: str, prompt: str = "\n> ") -> str:
        """Type a line; return what is shown up to the next prompt."""
        self.press(f"{line}\n")
        return self.wait(prompt)

    def press(self, keys: str) -> None:
        """Press keys."""
        os.write(self._end, keys.encode())


@contextmanager
def at_a_terminal(
    *words: str, env: Mapping[str, str] | None = None
) -> Iterator[tuple[Screen, "subprocess.Popen[bytes]"]]:
    """Run a command of brickphys at a terminal without colours; it is killed if it still runs at the end."""
    near, far = pty.openpty()
    program = [sys.executable, "-c", PROGRAM, *words]
    process = subprocess.Popen(
        program,
        stdin=far,
        stdout=far,
        stderr=far,
        start_new_session=True,
        env={**os.environ, "TERM": "xterm", "NO_COLOR": "1", **(env or {})},
    )
    os.close(far)
    try:
        yield Screen(near), process
    finally:
        process.kill()
        process.wait()
        os.close(near)
