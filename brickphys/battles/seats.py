"""Seats: the players of a game by their names."""

from collections.abc import Callable, Sequence
from typing import Any

from brickphys.errors import InvalidValueError, unknown
from brickphys.odds.law import RollLaw
from brickphys.rules.game import AnyGame
from brickphys.rules.own_class import is_own_class, trusting
from brickphys.rules.players.bots import Bot, bot, bots
from brickphys.rules.record import Setup
from brickphys.text import shown

AnyBot = Bot[Any, Any]
PERSON = "person"
"""The name of a player at the keyboard."""


def seated(
    game: AnyGame,
    setup: Setup,
    words: str | Sequence[str],
    law: RollLaw,
    person: Callable[[int], AnyBot] | None = None,
) -> list[AnyBot]:
    """Return the players of a game.

    Parameters
    ----------
    game, setup
        Which game, from where.
    words
        Names in order, or with commas in a text; one name stands for all players.
    law
        The law that bots reckon with.
    person
        Makes a person at a seat; None where only bots can play.

    Raises
    ------
    InvalidValueError
        If a name is unknown, or there are more or fewer than players.
    """
    names = [word.strip() for word in words.split(",")] if isinstance(words, str) else list(words)
    count = game.players(game.initial(setup))
    if len(names) not in (1, count):
        raise InvalidValueError(
            f"{len(names)} players ({', '.join(map(str, names))}), but the game has {count}"
        )
    known = bots() if person is None else (*bots(), PERSON)
    for name in names:
        if not isinstance(name, str):
            raise InvalidValueError(
                f"player: {shown(name)} is not a name; write a class of your own as 'module:Class'"
            )
        if name not in known and not is_own_class(name):
            raise unknown("player", name, known)
    with trusting():  # these names are the words of who plays, see `installed_players`
        return [
            person(seat) if name == PERSON and person else bot(name, game, law)
            for seat, name in enumerate(names if len(names) == count else names * count)
        ]


def are_installed(players: str) -> bool:
    """Whether all players that a file names are people and installed bots."""
    return not _unknown(players)


def _unknown(players: str) -> set[str]:
    return set(players.split(",")) - {"", PERSON, *bots()}


def installed_players(players: str, source: str) -> str:
    """Return players that a file names, separated by commas: people and installed bots; others would import code.

    Raises
    ------
    InvalidValueError
        If there is another one; the message begins with `source`.
    """
    if unknown := _unknown(players):
        told = ", ".join(sorted(unknown))
        raise InvalidValueError(
            f"{source}: was played by {told}: name the players who continue it with --bots"
        )
    return players
