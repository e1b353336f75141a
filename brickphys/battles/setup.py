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
"""A game in a file of this suffix goes on."""


def find_setup(game: AnyGame, scenario: str, options: Mapping[str, Any]) -> Setup:
    """Return a setup that ships with a game by its name, or one in a file, with some of its options changed.

    Raises
    ------
    InvalidValueError
        If there is none, or the game cannot begin with it; the message names the file unless the options are at fault.
    """
    if is_shipped(scenario, game.setups):
        return _with_options(game, game.setups[scenario], options)
    if not Path(scenario).suffix and not is_there(scenario):
        raise InvalidValueError(
            f"{unknown('setup', scenario, game.setups)} (or a .toml or {REPLAY} file)"
        )
    setup = game.read_setup(scenario)
    try:
        game.initial(setup)
    except InvalidValueError as error:
        raise InvalidValueError(f"{scenario}: {error}") from None
    return _with_options(game, setup, options)


def _with_options(game: AnyGame, setup: Setup, options: Mapping[str, Any]) -> Setup:
    changed = with_options(setup, options)
    if options:
        game.initial(changed)
    return changed
