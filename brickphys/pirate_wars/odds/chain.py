"""Chain: a boarding as a Markov chain, whose steps are rounds with the tests of morale after them (PW Boarding)."""

from collections import Counter
from collections.abc import Iterator
from enum import Enum
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from brickphys.pirate_wars.state.state import MoraleCause
from brickphys.pirate_wars.tasks.boarding import losses
from brickphys.pirate_wars.turns.morale import is_passed, target_number

_FACES = range(1, 7)
WAYS = len(_FACES) ** 4
"""Equally likely ways of a round: a die of either side, and a die of morale of either crew."""


class Crew(NamedTuple):
    """Who fights in a boarding."""

    # Melee or Attack of each, the weakest first: so the owner loses them (ours)
    values: tuple[int, ...]
    attack: int | None  # the highest Attack, by which morale is tested; None if it is not
    full: int  # how many there were at the start of the battle


class Result(Enum):
    """How a boarding ends."""

    DEFENDER_DESTROYED = "the defender is destroyed"
    DEFENDER_YIELDS = "the defender surrenders"
    ATTACKER_DESTROYED = "the attacker is destroyed"
    ATTACKER_YIELDS = "the attacker surrenders"
    BOTH_DESTROYED = "both are destroyed"
    BROKEN_OFF = "a mutiny ends the fight"


_YIELDS = (Result.ATTACKER_YIELDS, Result.DEFENDER_YIELDS)


class Course(NamedTuple):
    """What may come of a round; `result` is None if the boarding goes on."""

    lost: tuple[int, int]  # the minifigs of the attacker, and of the defender
    result: Result | None


@lru_cache(maxsize=8192)
def courses(attacker: Crew, defender: Crew, at_work: int = 0) -> tuple[tuple[Course, int], ...]:
    """Return what may come of a round, with the number of its ways of `WAYS`; nobody flees by choice.

    Those of the defender who have another task in its turn do not fight; `at_work` is the sum of their values.
    """
    sides = attacker, defender
    strengths = sum(attacker.values), sum(defender.values) - at_work
    found = Counter[Course]()
    for faces in product(_FACES, _FACES):
        lost = losses(faces, strengths)
        gone = min(lost[0], len(attacker.values)), min(lost[1], len(defender.values))
        for result, ways in _results(sides, lost, gone):
            found[Course(gone, result)] += ways
    return tuple(found.items())


def _results(
    sides: tuple[Crew, Crew], lost: tuple[int, int], gone: tuple[int, int]
) -> Iterator[tuple[Result | None, int]]:
    """Yield the results of a round after the tests of morale, with their ways."""
    dead = tuple(count == len(side.values) for side, count in zip(sides, gone, strict=True))
    both = len(_FACES) ** 2
    if any(dead):
        alone = Result.ATTACKER_DESTROYED if dead[0] else Result.DEFENDER_DESTROYED
        yield Result.BOTH_DESTROYED if all(dead) else alone, both
        return
    fails = [_fails(sides[n], gone[n], has_lost=lost[n] > lost[1 - n]) for n in (0, 1)]
    hold = [len(_FACES) - count for count in fails]
    loser = None if lost[0] == lost[1] else int(lost[1] > lost[0])
    yields = 0 if loser is None else fails[loser] * len(_FACES)
    if loser is not None:
        yield _YIELDS[loser], yields
    yield Result.BROKEN_OFF, both - yields - hold[0] * hold[1]
    yield None, hold[0] * hold[1]


def _fails(side: Crew, gone: int, *, has_lost: bool) -> int:
    """Return at how many faces a crew fails its test after a round; none if it is not tested (PW, Morale Chart)."""
    before = len(side.values)
    causes = [MoraleCause.BOARDING] if has_lost else []
    if 2 * (before - gone) <= side.full < 2 * before:
        causes.append(MoraleCause.HALF_CREW)
    if side.attack is None or not causes:
        return 0
    target = target_number(side.attack, causes)
    return sum(not is_passed(face, target) for face in _FACES)


def after(side: Crew, gone: int) -> Crew:
    """Return a crew without its weakest."""
    return side._replace(values=side.values[gone:])
