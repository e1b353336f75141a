"""State folder: where programs keep games for a person, in the user's folder for states of programs."""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path


def state_folder(kind: str) -> Path | None:
    """Return the folder of kept games of a kind, which may not exist yet; None where the user has no home."""
    root = Path(os.environ.get("XDG_STATE_HOME", ""))
    if not root.is_absolute():
        try:
            root = Path.home() / ".local" / "state"
        except RuntimeError:
            return None
    return root / "brickphys" / kind


def by_age(paths: Iterable[Path]) -> list[Path]:
    """Return files, the oldest first."""
    dated = list[tuple[float, Path]]()
    for path in paths:
        with suppress(OSError):  # another game has just removed it
            dated.append((path.stat().st_mtime, path))
    return [path for _, path in sorted(dated)]
