"""Kept games: the games with persons that were left unsaved, in the user's folder for states of programs."""

import os
from contextlib import suppress
from pathlib import Path

from brickphys.battles.setup import REPLAY
from brickphys.errors import InvalidValueError
from brickphys.files import make_folder

LAST = "last"
"""What is typed for the game that was kept last."""
_MOST_KEPT = 20
"""Games that are kept; the oldest are removed."""


def last_kept() -> Path:
    """Return the file of the game that was kept last; InvalidValueError if there is none."""
    folder = _folder()
    found = [] if folder is None else _by_age(folder)
    if not found:
        raise InvalidValueError(f"--resume {LAST}: no unsaved game is kept")
    return found[-1]


def is_kept(path: Path) -> bool:
    """Return whether a file is one of the kept games."""
    return path.absolute().parent == _folder()


def _folder() -> Path | None:
    """Return the folder of kept games; None where the user has no home."""
    root = Path(os.environ.get("XDG_STATE_HOME", ""))
    if not root.is_absolute():
        try:
            root = Path.home() / ".local" / "state"
        except RuntimeError:
            return None
    return root / "brickphys" / "games"


def _by_age(folder: Path) -> list[Path]:
    """Return the kept games, the oldest first."""
    dated = list[tuple[float, Path]]()
    for path in folder.glob(f"*{REPLAY}"):
        with suppress(OSError):  # another game has just removed it
            dated.append((path.stat().st_mtime, path))
    return [path for _, path in sorted(dated)]


def new_kept(stem: str) -> Path:
    """Return the path of a new kept game; the oldest are removed.

    Raises
    ------
    InvalidValueError
        If no folder for it can be made.
    """
    folder = _folder()
    if folder is None:
        raise InvalidValueError("there is no home folder")
    make_folder(folder)
    for old in _by_age(folder)[: 1 - _MOST_KEPT]:
        with suppress(OSError):
            old.unlink()
    names = (f"{stem}{'' if number == 1 else f'-{number}'}" for number in range(1, _MOST_KEPT + 1))
    return next(path for name in names if not (path := folder / f"{name}{REPLAY}").exists())
