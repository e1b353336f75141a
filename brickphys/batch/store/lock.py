"""Lock: only one runner works in a batch folder."""

from contextlib import AbstractContextManager
from pathlib import Path

from filelock import FileLock, Timeout

from brickphys.errors import BatchFolderError

LOCK = "lock"


def locked(folder: Path) -> AbstractContextManager[object]:
    """Return the lock of a folder, held until its block ends.

    Raises
    ------
    BatchFolderError
        If another process holds it, or the folder cannot be written.
    """
    try:
        return FileLock(folder / LOCK).acquire(timeout=0)
    except Timeout:
        raise BatchFolderError(f"{folder}: is being run by another process") from None
    except OSError as error:
        raise BatchFolderError(f"{folder}: cannot be written: {error.strerror}") from None


def check_free(folder: Path) -> None:
    """Raise BatchFolderError as `locked` would, without creating a file."""
    if (folder / LOCK).exists():
        with locked(folder):
            pass


def is_running(folder: Path) -> bool:
    """Return whether another process seems to run the batch in a folder."""
    try:
        check_free(folder)
    except BatchFolderError:
        return True
    return False
