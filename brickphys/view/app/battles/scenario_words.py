"""Scenario words: what a scenario is about, and how it is won."""

from brickphys.errors import InvalidValueError
from brickphys.rules.game import AnyGame
from brickphys.rules.record import Setup


def scenario_words(game: AnyGame, setup: Setup) -> tuple[str, ...]:
    """Return the description of a scenario that ships, and its aims, a sentence each; empty of another one."""
    name = next((name for name, own in game.setups.items() if own == setup), None)
    if name is None:
        return ()
    try:
        found = game.scenario(name)
    except InvalidValueError:  # a game need not tell them
        return ()
    aims = (f"{aim[:1].upper()}{aim[1:].removesuffix('.')}." for aim in found.aims)
    return " ".join(found.text.split()), *aims
