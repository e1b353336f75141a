"""Registry: games by name, found through entry points, their painters and builders; other packages can add theirs."""

import re
from contextlib import suppress
from functools import cache
from importlib.metadata import EntryPoint
from typing import Any

from brickphys.arguments import public
from brickphys.errors import InvalidValueError, unknown
from brickphys.rules.game import AnyGame, Game
from brickphys.rules.own_class import check_trusted, entries, entry_at, is_own_class, made, trusting
from brickphys.rules.report.parts import Parts

GROUP = "brickphys.games"
"""Group of the entry points of games. Each names a class derived from `Game` that takes no parameters."""
FIRST_SETUP = "duel"
"""What newcomers are offered at first: two figures, and little to learn."""


@public("brickphys.game('bow') returns one of them")
def games() -> tuple[str, ...]:
    """Return the names of all installed games, without loading them."""
    return tuple(sorted(entries(GROUP)))


def first_game() -> str:
    """Return the name of the game that newcomers are offered at first: the first that has `FIRST_SETUP`."""
    names = games()
    return next((name for name in names if FIRST_SETUP in game(name).setups), names[0])


@public()
def game(name: str) -> AnyGame:
    """Return the game with this name. A class ``module:Class`` of your own is a name, too.

    Raises
    ------
    InvalidValueError
        If there is no such game (with the nearest name), or if it cannot be loaded (with the reason).
    """
    with trusting():
        return _game(name)


def filed_game(name: str, remedy: str | None = None) -> AnyGame:
    """Return the game that a file names: an installed one; a class in a module only within `trusting`.

    Parameters
    ----------
    name
        Its name.
    remedy
        What to do if the module is trusted; None for that of replays.

    Raises
    ------
    InvalidValueError
        As `game`, and if the file is not trusted.
    """
    usual = (
        f"name the game yourself: brickphys replay FILE --game {name}, brickphys play {name} FILE"
    )
    check_trusted("game", name, remedy or usual)
    return _game(name)


def _game(name: str) -> AnyGame:
    if is_own_class(name):
        own = made(entry_at(name, GROUP), "game")
        if not isinstance(own, Game):
            raise InvalidValueError(f"game {name!r}: this class is not a game")
        own.name = name  # so replays and studies find it again
        return own
    known = entries(GROUP)
    if name not in known:
        begun = next((one for one in sorted(known) if one.startswith(f"{name}_")), None)
        owners = (one for one in sorted(known) if name in _own_names(known[one]))
        owner = None if begun else next(owners, None)
        if owner is None:
            called = "_".join(re.findall(r"[a-z0-9]+", name.lower().replace("&", " and ")))
            meant = called if called in known else begun
            raise unknown("game", name, sorted(known), meant)
        raise InvalidValueError(
            f"unknown game {name!r}: {owner} has it, did you mean '{owner} {name}'?"
        )
    return _game_at(known[name])


def units(name: str) -> frozenset[str]:
    """Return the names of the units of an installed game; see `Parts.unit_names`. A broken game has none."""
    return _unit_names(entries(GROUP)[name])


def _game_at(entry: EntryPoint) -> AnyGame:
    """Return the game that an entry point names."""
    one = made(entry, "game")
    if not isinstance(one, Game) or one.name != entry.name:
        raise InvalidValueError(
            f"game {entry.name!r}: {entry.value} does not make a game of that name"
        )
    return one


@cache
def _own_names(entry: EntryPoint) -> frozenset[str]:
    """Return the names of the setups and units of a game, for suggestions; none if it cannot be loaded."""
    with suppress(InvalidValueError):
        return _unit_names(entry).union(_game_at(entry).setups)
    return frozenset()


@cache
def _unit_names(entry: EntryPoint) -> frozenset[str]:
    """Return the names of the units of a game; none if it cannot be loaded or has none."""
    with suppress(InvalidValueError):
        return frozenset(_game_at(entry).unit_names())
    return frozenset()


def painter(game: Parts[Any, Any]) -> Any:
    """Return the painter that a game names, a `brickphys.plots.painter.Painter`.

    Raises
    ------
    InvalidValueError
        If the game has no pictures, or its painter cannot be loaded.
    """
    if game.pictures is None:
        raise InvalidValueError(f"{game.name} has no pictures")
    return made(EntryPoint(game.name, game.pictures, GROUP), "painter of game")


def builder(game: Parts[Any, Any]) -> Any:
    """Return the builder that a game names, a `brickphys.view.builder.Builder`.

    Raises
    ------
    InvalidValueError
        If the game is not shown in three dimensions, or its builder cannot be loaded.
    """
    if game.models is None:
        raise InvalidValueError(f"{game.name} is not shown in three dimensions")
    return made(EntryPoint(game.name, game.models, GROUP), "builder of game")
