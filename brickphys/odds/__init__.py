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
- `count_faults`: what cannot be in the counts of a law.
- `law_faults`: contradictions within these files; what follows from the counts is computed again.
- `law_schema`: keys and types of these files.
- `opposed`: attack against defence: success, damage, kill, several attacks, the interval.
- `law_choice`: a law by its name, its file or its number.
- `law_words`: what a law is of, and the chance of a side by it, in words.
- `comparison`: several attacks side by side, and how well their differences are known.
- `answer`: the answer to one opposed roll, as people see it.
- `card`: the odds of a card for the table.
- `table`: the success of every attack against every defence.
"""

import sys
from inspect import cleandoc, signature
from types import ModuleType

from brickphys.odds.answer import Odds as Odds
from brickphys.odds.answer import odds as odds
from brickphys.odds.comparison import Comparison as Comparison
from brickphys.odds.distribution import Distribution as Distribution
from brickphys.odds.law import BinomialLaw as BinomialLaw
from brickphys.odds.law import Law as Law
from brickphys.odds.law import RollLaw as RollLaw
from brickphys.odds.law_choice import LawLike as LawLike
from brickphys.odds.law_choice import law as law
from brickphys.odds.law_choice import named_law as named_law
from brickphys.odds.law_file import SCHEMA as SCHEMA
from brickphys.odds.law_file import default_law as default_law
from brickphys.odds.law_file import read_law as read_law
from brickphys.odds.law_file import write_law as write_law
from brickphys.odds.opposed import Opposed as Opposed
from brickphys.odds.opposed import kill as kill
from brickphys.odds.opposed import kill_after as kill_after
from brickphys.odds.opposed import opposed as opposed
from brickphys.odds.opposed import success_interval as success_interval
from brickphys.odds.overdispersion import Overdispersion as Overdispersion
from brickphys.odds.overdispersion import overdispersion as overdispersion
from brickphys.odds.provenance import Combined as Combined
from brickphys.odds.provenance import LawConditions as LawConditions
from brickphys.odds.provenance import LawSurface as LawSurface
from brickphys.odds.provenance import Source as Source
from brickphys.odds.provenance import Systematic as Systematic
from brickphys.odds.roll import Roll as Roll
from brickphys.odds.table import success_table as success_table


class _OddsPackage(ModuleType):
    """A package that answers when it is called, since the public function has its name."""

    __call__ = staticmethod(odds)


sys.modules[__name__].__class__ = _OddsPackage


def _help() -> str:
    """Return what `help` shows: first the function, then the package. Without ``__all__`` it shows no other names."""
    summary, _, details = cleandoc(odds.__doc__ or "").partition("\n\n")
    called = f"brickphys.odds{signature(odds)}"
    return "\n\n".join([summary, called, details, cleandoc(__doc__ or "")])


__doc__ = _help()
