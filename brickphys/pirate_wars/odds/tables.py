"""Tables: what the command `odds` offers for this game."""

from collections.abc import Callable, Mapping

from brickphys.pirate_wars.odds.attack import attack
from brickphys.pirate_wars.odds.board import board
from brickphys.pirate_wars.odds.broadside import broadside
from brickphys.pirate_wars.odds.morale import morale
from brickphys.pirate_wars.odds.sharks import sharks
from brickphys.rules.report.odds_report import OddsReport

ODDS: Mapping[str, Callable[..., OddsReport]] = {
    "attack": attack,
    "broadside": broadside,
    "board": board,
    "morale": morale,
    "sharks": sharks,
}
