"""Games: the installed games, and the setups that ship with them."""

from typing import Any

import click

from brickphys.cli.shared import output
from brickphys.cli.shared.echo import echo
from brickphys.cli.shared.options import json_option, unused_seed_option
from brickphys.errors import in_words, is_short_of_memory


@click.command()
@unused_seed_option
@json_option
def games(as_json: bool) -> None:
    """List the installed games and their setups.

    `play` takes both by name. Your own game appears here if its package has an entry point of the group
    brickphys.games (docs/games.md). Games that cannot be loaded are listed on standard error.

    \b
    Example:
      brickphys games
      brickphys play bow duel
    """
    from brickphys.rules import registry

    found = [listed for name in registry.games() if (listed := _listed(name))]
    if as_json:
        output.print_json("games", {"games": found})
        return
    rows = [
        (f"{game['name']} {name}", setup["title"], str(setup["players"]), game["version"])
        for game in found
        for name, setup in game["setups"].items()
    ]
    output.print_table(("game and setup", "title", "players", "version"), rows, texts=2)


def _listed(name: str) -> dict[str, Any] | None:
    """Return a game with its setups; None, after a line on standard error, if it is broken."""
    from brickphys.battles.setup import titles
    from brickphys.rules import registry

    try:
        game = registry.game(name)
        named = titles(game)
        setups = {
            setup: {
                "players": game.players(game.initial(document)),
                "title": named.get(setup, ""),
            }
            for setup, document in game.setups.items()
        }
        return {"name": game.name, "version": game.version, "setups": setups}
    except Exception as error:  # a game of another package may raise anything
        if is_short_of_memory(error):
            raise
        echo(f"{name} is left out: {in_words(error)}", err=True)
        return None
