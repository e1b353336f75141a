"""Registry: games by name, found through entry points, so that other packages can add theirs."""

from importlib.metadata import EntryPoint, entry_points
from typing import Any

from brickphys.errors import InvalidValueError, unknown
from brickphys.rules.game import Game

GROUP = "brickphys.games"
"""An entry point of this group names a class derived from `Game`, which is made without parameters."""


def games() -> tuple[str, ...]:
    """Return the names of all installed games, without loading any."""
    return tuple(sorted(_entries()))


def game(name: str) -> Game[Any, Any, Any]:
    """Return the game of that name.

    Raises
    ------
    InvalidValueError
        If there is none, with the nearest name; or if it cannot be loaded, with the reason.
    """
    entries = _entries()
    if name not in entries:
        raise unknown("game", name, sorted(entries))
    entry = entries[name]
    try:
        made = entry.load()()
    except Exception as error:  # whatever a package of somebody else does when it is imported
        raise InvalidValueError(
            f"game {name!r} ({entry.value}) cannot be loaded: {type(error).__name__}: {error}"
        ) from error
    if not isinstance(made, Game) or made.name != name:
        raise InvalidValueError(f"game {name!r}: {entry.value} makes no game of that name")
    return made


def _entries() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=GROUP)}
