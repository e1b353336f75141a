"""Games: the installed games, and the setups that ship with them."""

import click

from brickphys.cli.shared import output
from brickphys.cli.shared.options import json_option, unused_seed_option


@click.command()
@unused_seed_option
@json_option
def games(as_json: bool) -> None:
    """List the games that are installed, and the setups that ship with each.

    `play` takes both by name. A game of your own appears here once its package has an entry point of the
    group brickphys.games (docs/games.md).

    \b
    Example:
      brickphys games
      brickphys play bow duel
    """
    from brickphys.rules import registry

    found = [registry.game(name) for name in registry.games()]
    if as_json:
        listed = [
            {
                "name": game.name,
                "version": game.version,
                "setups": {
                    name: {"players": game.players(game.initial(setup))}
                    for name, setup in game.setups.items()
                },
            }
            for game in found
        ]
        output.print_json("games", {"games": listed})
        return
    rows = [
        (f"{game.name} {game.version}", name, str(game.players(game.initial(setup))))
        for game in found
        for name, setup in game.setups.items()
    ]
    output.print_table(("game", "setup", "players"), rows)
