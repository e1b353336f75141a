"""Setup: where a game begins: a setup that ships with it, or one in a file."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from brickphys.errors import InvalidValueError, unknown
from brickphys.files import is_shipped, is_there
from brickphys.rules.game import AnyGame
from brickphys.rules.record import Setup
from brickphys.rules.setting import with_options

REPLAY = ".jsonl"
"""Ending of files that a game can be continued from."""


def find_setup(game: AnyGame, scenario: str, options: Mapping[str, Any]) -> Setup:
    """Return a setup that ships with a game by its name, or one in a file, with some of its options changed.

    Raises
    ------
    InvalidValueError
        If there is none, or the game cannot begin with it; the message names the file unless the options are at fault.
    """
    if is_shipped(scenario, game.setups):
        return with_rules(game, game.setups[scenario], options)
    if not Path(scenario).suffix and not is_there(scenario):
        raise InvalidValueError(
            f"{unknown('setup', scenario, game.setups)} (or a .toml or {REPLAY} file)"
        )
    return with_rules(game, _begun(game, game.read_setup(scenario), scenario), options)


def own_setup(game: AnyGame, text: str, name: str) -> Setup:
    """Return the setup in the text of a file.

    Raises
    ------
    InvalidValueError
        If there is none, or the game cannot begin with it; the message names the file.
    """
    return _begun(game, game.parse_setup(text, name), name)


def with_rules(game: AnyGame, setup: Setup, options: Mapping[str, Any]) -> Setup:
    """Return a setup with some of its options changed; InvalidValueError if the game cannot begin with them."""
    changed = with_options(setup, options)
    if options:
        game.initial(changed)
    return changed


def titles(game: AnyGame) -> Mapping[str, str]:
    """Return the titles of the setups that ship, by name; none in a game without scenarios."""
    try:
        return game.scenarios()
    except InvalidValueError:
        return {}


def title_of(game: AnyGame, setup: Setup) -> str:
    """Return the title of a setup that ships; empty for any other, which does not know its title."""
    named = titles(game)
    return next((named.get(name, "") for name, one in game.setups.items() if one == setup), "")


def _begun(game: AnyGame, setup: Setup, name: str) -> Setup:
    """Return the setup of a file, with which the game can begin; the message of an error names the file."""
    try:
        game.initial(setup)
    except InvalidValueError as error:
        raise InvalidValueError(f"{name}: {error}") from None
    return setup
