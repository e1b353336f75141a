"""Tables: what the command `odds` offers for this game."""

from collections.abc import Callable, Mapping

from brickphys.minifig.odds.attack import attack, table
from brickphys.minifig.odds.volley import volley
from brickphys.rules.report.odds_report import OddsReport

ODDS: Mapping[str, Callable[..., OddsReport]] = {"attack": attack, "table": table, "volley": volley}
