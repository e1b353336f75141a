"""Token: what has to be in the address of the server once; others may have accounts on this machine."""

import os
import re
from contextlib import suppress
from pathlib import Path
from secrets import token_urlsafe

from brickphys.battles.state_folder import state_folder

_KIND = "server"
_TOKEN = re.compile(r"[\w-]{22,64}", re.ASCII)


def new_token() -> str:
    """Return a token that nobody can guess."""
    return token_urlsafe(16)


def kept_token() -> str:
    """Return the token of this user, the same at each start: pages that are open go on when the server is back.

    It is kept in a file that nobody else may read; where there can be none, each start has a new one.
    """
    folder = state_folder(_KIND)
    if folder is not None:
        with suppress(OSError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            return _kept(folder / "token") or new_token()
    return new_token()


def _kept(path: Path) -> str:
    """Return the token in a file, which is made if it is not there; empty if others may read or write it."""
    with suppress(FileExistsError):
        number = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(number, "w", encoding="ascii") as file:
            file.write(new_token())
    found = path.lstat()
    if hasattr(os, "geteuid") and (found.st_uid != os.geteuid() or found.st_mode & 0o077):
        return ""
    text = path.read_text(encoding="ascii", errors="replace")
    return text if _TOKEN.fullmatch(text) else ""
