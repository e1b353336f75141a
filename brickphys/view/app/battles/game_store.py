"""Game store: the games that tabs have open, on this machine: what is hidden in them never comes into a browser.

A browser has only a name that nobody can guess. The name of a file is the digest of that, so nothing that a visitor
sends is ever part of a path.
"""

import json
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from brickphys.battles.state_folder import by_age, state_folder
from brickphys.battles.table import Rolls
from brickphys.errors import InvalidValueError
from brickphys.files import make_folder, write_synced
from brickphys.reading import MOST_RECORD_BYTES, read_json

_KIND, _ENDING = "view", ".json"
_MOST_KEPT = 200
"""Games of tabs; the oldest are removed."""
_PRIVATE = 0o700
_TO_DO = "the button Save stores it as a file"


def store_game(name: str, rolls: Rolls, replay: str) -> None:
    """Keep the game of a tab: who rolls in it, and its replay.

    Raises
    ------
    InvalidValueError
        If it is too long, or no file can be written.
    """
    content = json.dumps([rolls.value, replay]).encode()
    if len(content) > MOST_RECORD_BYTES:
        raise InvalidValueError(f"The game is too long to be kept for this tab: {_TO_DO}.")
    folder = state_folder(_KIND)
    if folder is None:
        raise InvalidValueError(f"The game is not kept: there is no home folder; {_TO_DO}.")
    path = folder / _file(name)
    try:
        if not path.exists():
            make_folder(folder).chmod(_PRIVATE)
            _remove_old(folder)
        write_synced(content, path)
    except (OSError, InvalidValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InvalidValueError(f"The game is not kept: {reason}; {_TO_DO}.") from None


def stored_game(name: str) -> tuple[Rolls, str] | None:
    """Return who rolls in the game of a tab, and its replay; None if there is none."""
    folder = state_folder(_KIND)
    if not name or folder is None:
        return None
    with suppress(ValueError, TypeError):
        rolls, replay = read_json(folder / _file(name), MOST_RECORD_BYTES)
        return Rolls(rolls), str(replay)
    return None


def forget_game(name: str) -> None:
    """Keep the game of a tab no longer."""
    folder = state_folder(_KIND)
    if folder is not None:
        with suppress(OSError):
            (folder / _file(name)).unlink()


def _file(name: str) -> str:
    return f"{sha256(name.encode(errors='replace')).hexdigest()}{_ENDING}"


def _remove_old(folder: Path) -> None:
    """Make room for one more game."""
    for old in by_age(folder.glob(f"*{_ENDING}"))[: 1 - _MOST_KEPT]:
        with suppress(OSError):
            old.unlink()
