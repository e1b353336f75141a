"""Named replay: games that were played on this server, by addresses that nobody can guess."""

from secrets import token_urlsafe

from nicegui import ui

from brickphys.view.app.battles.played_game import PlayedGame
from brickphys.view.app.battles.replay_page import replay_page

_ADDRESS = "/replay"
_MOST_KEPT = 50
"""Games that have an address; the oldest lose theirs."""

_played: dict[str, PlayedGame] = {}


def replay_address(played: PlayedGame) -> str:
    """Return the address, on this server, of the page of a game that was played here."""
    while len(_played) >= _MOST_KEPT:
        del _played[next(iter(_played))]
    name = token_urlsafe(16)
    _played[name] = played
    return f"{_ADDRESS}/{name}"


async def named_replay(name: str) -> None:
    """Add the page of a game that was played here."""
    if name in _played:
        await replay_page(_played[name])
    else:
        ui.label("This game is not here any more; the page Play opens one that was saved.")
