"""Tables: what the command `odds` offers for this game."""

from collections.abc import Callable, Mapping

from brickphys.blade_and_bow.odds.attack import attack
from brickphys.blade_and_bow.odds.commit import commit
from brickphys.blade_and_bow.odds.melee import dice, melee
from brickphys.blade_and_bow.odds.missile import missile
from brickphys.rules.report.odds_report import OddsReport

ODDS: Mapping[str, Callable[..., OddsReport]] = {
    "attack": attack,
    "melee": melee,
    "dice": dice,
    "missile": missile,
    "commit": commit,
}
