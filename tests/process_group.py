"""Groups of processes: those of a command that was started in a session of its own."""

import os
import time

PATIENCE_S = 300.0
"""Time for anything to happen on a busy machine; no test waits so long unless it fails."""


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
