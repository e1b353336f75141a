"""Odds: exact probability laws of brick rolls and of opposed rolls.

The package can be called: ``brickphys.odds(3, 2)`` is `brickphys.odds.answer.odds`.

- `roll`: the result of one brick roll.
- `distribution`: an exact distribution over whole numbers.
- `law`: laws of a roll of n bricks, stated (`BinomialLaw`) or measured (`Law`), behind one protocol (`RollLaw`).
- `intervals`: Wilson's and Student's 95 % intervals.
- `provenance`: throw conditions, surface and systematic uncertainty of a measured law.
- `hand_fit`: share of sides and correlation of bricks thrown together, fitted to all hands of a law.
- `overdispersion`: the test for correlation of bricks thrown together.
- `law_file`: laws as JSON files.
- `law_faults`: contradictions within these files; what follows from the counts is computed again.
- `law_schema`: keys and types of these files.
- `opposed`: attack against defence: success, damage, kill, several attacks, the interval.
- `law_choice`: a law by its name, its file or its number.
- `comparison`: several attacks side by side, and how well their differences are known.
- `answer`: the answer to one opposed roll, as people see it.
- `card`: the odds of a card for the table.
- `table`: the success of every attack against every defence.
"""

import sys
from types import ModuleType

from brickphys.odds.answer import Odds, odds
from brickphys.odds.comparison import Comparison
from brickphys.odds.distribution import Distribution
from brickphys.odds.law import BinomialLaw, Law, RollLaw
from brickphys.odds.law_choice import LawLike, law, named_law
from brickphys.odds.law_file import SCHEMA, default_law, read_law, write_law
from brickphys.odds.opposed import Opposed, kill, kill_after, opposed, success_interval
from brickphys.odds.overdispersion import Overdispersion, overdispersion
from brickphys.odds.provenance import Combined, LawConditions, LawSurface, Source, Systematic
from brickphys.odds.roll import Roll
from brickphys.odds.table import success_table

__all__ = [
    "SCHEMA",
    "BinomialLaw",
    "Combined",
    "Comparison",
    "Distribution",
    "Law",
    "LawConditions",
    "LawLike",
    "LawSurface",
    "Odds",
    "Opposed",
    "Overdispersion",
    "Roll",
    "RollLaw",
    "Source",
    "Systematic",
    "default_law",
    "kill",
    "kill_after",
    "law",
    "named_law",
    "odds",
    "opposed",
    "overdispersion",
    "read_law",
    "success_interval",
    "success_table",
    "write_law",
]


class _OddsPackage(ModuleType):
    """A package that answers when it is called, since the public function has its name."""

    __call__ = staticmethod(odds)


sys.modules[__name__].__class__ = _OddsPackage
