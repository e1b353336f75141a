"""Conduct: counts of what units on foot did in a played game, for tables of many games."""

from collections import Counter
from collections.abc import Iterator, Mapping

from brickphys.bow.actions.attack import AttackEnemy
from brickphys.bow.actions.movement import Walk
from brickphys.bow.actions.objects import Drop, Put
from brickphys.bow.actions.targets import Switch
from brickphys.bow.state import State
from brickphys.bow.turns import ChooseUnit, End
from brickphys.rules.record import Record
from brickphys.rules.words import Action

FOOT_COUNTS = (
    "turns_of_units",
    "turns_held",
    "attacks",
    "walks",
    "turns_on_the_spot",
    "gear_moves",
    "units_asleep",
)
"""What is counted.

- Turns of units, and those of them in which nothing was done.
- Attacks, walks, and walks to the stud on which the unit stands, which only turn it.
- Objects that a unit moved about its body, switched or laid down.
- Units that are in play at the end, had a turn, and never did anything.
"""


def foot_conduct(record: Record[State, Action[State]], player: int) -> Mapping[str, int]:
    """Return what a player's units did in a game, by the names of `FOOT_COUNTS`; all are given."""
    found = Counter(dict.fromkeys(FOOT_COUNTS, 0))
    before, chosen, awake = record.initial, set[int](), set[int]()
    waits = False
    for step in record.steps:
        if step.actor == player:
            found.update(_counted(before, step.move))
            if isinstance(step.move, ChooseUnit):
                chosen.add(before.setting.unit_numbers[step.move.name])
                waits = True
            elif isinstance(step.move, End):
                found["turns_held"] += waits
                waits = False
            else:
                awake.add(before.active)
                waits = False
        before = step.after
    found["units_asleep"] += sum(before.units[unit].plays for unit in chosen - awake)
    return found


def _counted(before: State, move: object) -> Iterator[str]:
    if isinstance(move, ChooseUnit):
        yield "turns_of_units"
    elif isinstance(move, AttackEnemy):
        yield "attacks"
    elif isinstance(move, Walk):
        here = before.me.stud
        is_turn = here is not None and before.setting.field.xy(here) == move.to
        yield "turns_on_the_spot" if is_turn else "walks"
    elif isinstance(move, Put | Switch | Drop):
        yield "gear_moves"
