"""Odds: what a brick roll scores, and what follows for a game, exactly.

- `roll`: what one brick roll gave.
- `distribution`: an exact finite law over whole numbers.
- `law`: laws of a roll of n bricks, stated (`BinomialLaw`) or measured (`Law`), behind one protocol (`RollLaw`).
- `intervals`: what 95 % means.
- `provenance`: where a measured law comes from.
- `hand_fit`: what all hands of a law say of bricks thrown together.
- `overdispersion`: the test whether bricks thrown together influence each other.
- `law_file`: a law as JSON, checked when read and written whole or not at all.
- `law_schema`: the schema of that file.
- `opposed`: attack against defence: success, damage, kill, several attacks, the interval.
- `treatment`: the damage left after treat or repair.
- `table`: the success of every attack against every defence.
"""

from brickphys.odds.distribution import Distribution
from brickphys.odds.law import BinomialLaw, Law, RollLaw
from brickphys.odds.law_file import SCHEMA, default_law, read_law, write_law
from brickphys.odds.opposed import Opposed, kill, kill_after, opposed, success_interval
from brickphys.odds.overdispersion import Overdispersion, overdispersion
from brickphys.odds.provenance import Combined, LawConditions, LawSurface, Source, Systematic
from brickphys.odds.roll import Roll
from brickphys.odds.table import success_table
from brickphys.odds.treatment import remaining_damage

__all__ = [
    "SCHEMA",
    "BinomialLaw",
    "Combined",
    "Distribution",
    "Law",
    "LawConditions",
    "LawSurface",
    "Opposed",
    "Overdispersion",
    "Roll",
    "RollLaw",
    "Source",
    "Systematic",
    "default_law",
    "kill",
    "kill_after",
    "opposed",
    "overdispersion",
    "read_law",
    "remaining_damage",
    "success_interval",
    "success_table",
    "write_law",
]
