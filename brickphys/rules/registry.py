"""Registry: games by name, found through entry points, and their painters; other packages can add theirs."""

from contextlib import suppress
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from brickphys.errors import InvalidValueError, is_short_of_memory, unknown
from brickphys.rules.game import AnyGame, Game
from brickphys.rules.report.parts import Parts

GROUP = "brickphys.games"
"""An entry point of this group names a class derived from `Game`, which is made without parameters."""


def games() -> tuple[str, ...]:
    """Return the names of all installed games, without loading any."""
    return tuple(sorted(_entries()))


def game(name: str) -> AnyGame:
    """Return the game of that name.

    Raises
    ------
    InvalidValueError
        If there is none, with the nearest name; or if it cannot be loaded, with the reason.
    """
    entries = _entries()
    if name not in entries:
        owner = next((one for one in sorted(entries) if name in _own_names(entries[one])), None)
        if owner is None:
            raise unknown("game", name, sorted(entries))
        raise InvalidValueError(
            f"unknown game {name!r}: {owner} has it, did you mean '{owner} {name}'?"
        )
    return _game_at(entries[name])


def _game_at(entry: EntryPoint) -> AnyGame:
    """Return the game that an entry point names."""
    made = _made(entry, "game")
    if not isinstance(made, Game) or made.name != entry.name:
        raise InvalidValueError(f"game {entry.name!r}: {entry.value} makes no game of that name")
    return made


@cache
def _own_names(entry: EntryPoint) -> frozenset[str]:
    """Return the names of the setups and sheets of a game, for suggestions; none if it cannot be loaded."""
    names: set[str] = set()
    with suppress(InvalidValueError):
        one = _game_at(entry)
        names.update(one.setups)
        names.update(sheet.name for sheet in one.sheets().sheets)
    return frozenset(names)


def painter(game: Parts[Any, Any]) -> Any:
    """Return the painter that a game names, a `brickphys.plots.painter.Painter`.

    Raises
    ------
    InvalidValueError
        If the game has no pictures, or its painter cannot be loaded.
    """
    if game.pictures is None:
        raise InvalidValueError(f"{game.name} has no pictures")
    return _made(EntryPoint(game.name, game.pictures, GROUP), "painter of game")


def _made(entry: EntryPoint, what: str) -> Any:
    """Return an object of the class that an entry point names."""
    try:
        return entry.load()()
    except Exception as error:  # a package of another author may raise anything when it is imported
        if is_short_of_memory(error):
            raise
        raise InvalidValueError(
            f"{what} {entry.name!r} ({entry.value}) cannot be loaded: {type(error).__name__}: {error}"
        ) from error


def _entries() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=GROUP)}
