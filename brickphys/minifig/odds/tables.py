"""Tables: what the command `odds` offers for this game."""

from collections.abc import Callable, Mapping

from brickphys.minifig.odds.attack import attack, table
from brickphys.minifig.odds.volley import volley
from brickphys.odds.card import CardWords
from brickphys.rules.report.odds_report import OddsReport

ODDS: Mapping[str, Callable[..., OddsReport]] = {"attack": attack, "table": table, "volley": volley}
CARD_WORDS = CardWords(
    "Is the defender eliminated?",
    mean="",
    remarks=("A tie survives. Column 0: also the bricks after a hit by a shot.",),
)
"""The words of the game's card of odds."""
