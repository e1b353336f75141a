"""Kept games: games with persons that were left unsaved or are over, in the user's folder for states of programs."""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from brickphys.battles.setup import REPLAY
from brickphys.errors import InvalidValueError
from brickphys.files import make_folder

LAST = "last"
"""What is typed for the game that was kept last."""
UNSAVED, FINISHED = "games", "finished"
"""The folders of games that go on, and of those that are over."""
_MOST_KEPT = 20
"""Games that are kept of either kind; the oldest are removed."""


def found_replay(file: Path, *kinds: str) -> Path:
    """Return the replay that a person names: ``last`` for the one that was kept last, ``duel`` for ``duel.jsonl``.

    Parameters
    ----------
    file
        What was typed.
    kinds
        In which folders of kept games the last one may be.

    Raises
    ------
    InvalidValueError
        If it is the last one, and none is kept.
    """
    if file != Path(LAST):
        with_ending = Path(f"{file}{REPLAY}")
        with suppress(OSError):  # a name that no file can have
            return with_ending if not file.exists() and with_ending.exists() else file
        return file
    folders = filter(None, (_folder(kind) for kind in kinds))
    found = _by_age(path for folder in folders for path in folder.glob(f"*{REPLAY}"))
    if not found:
        what = f"{LAST}: no game" if FINISHED in kinds else f"--resume {LAST}: no unsaved game"
        raise InvalidValueError(f"{what} is kept")
    return found[-1]


def is_kept(path: Path) -> bool:
    """Return whether a file is one of the unsaved games that are kept."""
    return path.absolute().parent == _folder(UNSAVED)


def _folder(kind: str) -> Path | None:
    """Return the folder of kept games of a kind; None where the user has no home."""
    root = Path(os.environ.get("XDG_STATE_HOME", ""))
    if not root.is_absolute():
        try:
            root = Path.home() / ".local" / "state"
        except RuntimeError:
            return None
    return root / "brickphys" / kind


def _by_age(paths: Iterable[Path]) -> list[Path]:
    """Return files, the oldest first."""
    dated = list[tuple[float, Path]]()
    for path in paths:
        with suppress(OSError):  # another game has just removed it
            dated.append((path.stat().st_mtime, path))
    return [path for _, path in sorted(dated)]


def new_kept(stem: str, kind: str = UNSAVED) -> Path:
    """Return the path of a new kept game of a kind; the oldest are removed.

    Raises
    ------
    InvalidValueError
        If no folder for it can be made.
    """
    folder = _folder(kind)
    if folder is None:
        raise InvalidValueError("there is no home folder")
    make_folder(folder)
    for old in _by_age(folder.glob(f"*{REPLAY}"))[: 1 - _MOST_KEPT]:
        with suppress(OSError):
            old.unlink()
    names = (f"{stem}{'' if number == 1 else f'-{number}'}" for number in range(1, _MOST_KEPT + 1))
    return next(path for name in names if not (path := folder / f"{name}{REPLAY}").exists())
