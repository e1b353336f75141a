"""How to play: what one clicks and types in a game, in a part of the page that opens by mouse, keyboard and touch."""

from html import escape

from nicegui import ui

from brickphys.rules.game import AnyGame
from brickphys.rules.record import Setup
from brickphys.view.app.battles.scenario_words import scenario_words

_CLICKS = (
    "Click a yellow place to go there, or to do there what you have chosen, a figure in a yellow ring to choose it, "
    "and one in a red ring to attack it; a violet ring warns that own men are likelier to die than enemies. "
    "The buttons do the same. A click on anything else tells why it cannot be done."
)
_TYPED = "What buttons say can be typed, too. Further hints:"


def how_to_play(game: AnyGame, setup: Setup) -> None:
    """Add how a game is won, what one clicks, and the hints of the game."""
    aims = "".join(f"<p>{escape(line)}</p>" for line in scenario_words(game, setup))
    hints = "".join(f"<li>{escape(hint)}</li>" for hint in game.hints())
    ui.html(
        f"<details><summary>How to play</summary>{aims}<p>{_CLICKS}</p><p>{_TYPED}</p><ul>{hints}</ul></details>",
        sanitize=False,
    ).classes("brickphys-terms")
