"""Own class: loads a user's game or bot by entry point or as ``module:Class``, which runs its code."""

import re
import sys
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from multiprocessing import parent_process
from pathlib import Path
from typing import Any

from brickphys.errors import InvalidValueError, is_short_of_memory
from brickphys.notes import NOTES

_PLACE = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*", re.ASCII)


def is_place(name: str) -> bool:
    """Return whether a name is that of a class in a module, ``module:Class``."""
    return _PLACE.fullmatch(name) is not None


def entries(group: str) -> dict[str, EntryPoint]:
    """Return the entry points of a group by their names, without loading any."""
    return {entry.name: entry for entry in entry_points(group=group)}


def entry_at(place: str, group: str) -> EntryPoint:
    """Return the entry of a class in a module that is installed, or lies in the folder where the program was started.

    A note says once for each module that its code runs; worker processes leave it to the process that started them.
    """
    if parent_process() is None:
        _note(place.partition(":")[0])
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)  # behind all others: it replaces no installed module
    return EntryPoint(place, place, group)


def made(entry: EntryPoint, what: str, *parameters: Any) -> Any:
    """Return an object of the class that an entry point names.

    Raises
    ------
    InvalidValueError
        If it cannot be loaded or made, with the reason.
    """
    try:
        return entry.load()(*parameters)
    except Exception as error:  # a package of another author may raise anything when it is imported
        if is_short_of_memory(error):
            raise
        raise InvalidValueError(
            f"{what} {entry.name!r} ({entry.value}) cannot be loaded: {type(error).__name__}: {error}"
        ) from error


def package_of(place: str) -> str:
    """Return the package or module of a class, whose sources a stamp names."""
    return re.split("[.:]", place, maxsplit=1)[0]


@cache
def _note(module: str) -> None:
    NOTES.warning("runs the code of the module %s", module)
