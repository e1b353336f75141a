"""Kept games: games with persons that were left unsaved or are over, in the user's folder for states of programs."""

from contextlib import suppress
from pathlib import Path

from brickphys.battles.setup import REPLAY
from brickphys.battles.state_folder import by_age, state_folder
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
    folders = filter(None, (state_folder(kind) for kind in kinds))
    found = by_age(path for folder in folders for path in folder.glob(f"*{REPLAY}"))
    if not found:
        what = f"{LAST}: no game" if FINISHED in kinds else f"--resume {LAST}: no unsaved game"
        raise InvalidValueError(f"{what} is kept")
    return found[-1]


def is_kept(path: Path) -> bool:
    """Return whether a file is one of the unsaved games that are kept."""
    return path.absolute().parent == state_folder(UNSAVED)


def new_kept(stem: str, kind: str = UNSAVED) -> Path:
    """Return the path of a new kept game of a kind; the oldest are removed.

    Raises
    ------
    InvalidValueError
        If no folder for it can be made.
    """
    folder = state_folder(kind)
    if folder is None:
        raise InvalidValueError("there is no home folder")
    make_folder(folder)
    for old in by_age(folder.glob(f"*{REPLAY}"))[: 1 - _MOST_KEPT]:
        with suppress(OSError):
            old.unlink()
    names = (f"{stem}{'' if number == 1 else f'-{number}'}" for number in range(1, _MOST_KEPT + 1))
    return next(path for name in names if not (path := folder / f"{name}{REPLAY}").exists())
