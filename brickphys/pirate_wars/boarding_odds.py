"""Boarding odds: a boarding as a Markov chain, of its first round and to its end (PW Boarding).

The steps of the chain are rounds with the tests of morale after them. Crews are as the command line names them.
"""

import re
from collections import Counter
from collections.abc import Iterator
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, NamedTuple

from brickphys.errors import InvalidValueError
from brickphys.pirate_wars.boarding import all_losses
from brickphys.pirate_wars.morale import is_passed, target_number
from brickphys.pirate_wars.sheets import ROLES, Role, minifigs, ships
from brickphys.pirate_wars.state import MoraleCause
from brickphys.rules.report.parts import OddsReport, distribution
from brickphys.rules.setup import lookup

_FACES = range(1, 7)
WAYS = len(_FACES) ** 4
"""Equally likely ways of a round: a die of either side, and a die of morale of either crew."""


class Crew(NamedTuple):
    """Who fights in a boarding."""

    # Melee or Attack of each, the weakest first: so the owner loses them (ours)
    values: tuple[int, ...]
    attack: int | None  # the highest Attack, by which morale is tested; None if it is not
    full: int  # how many there were at the start of the battle


class BoardingEnd(Enum):
    """How a boarding ends."""

    DEFENDER_DESTROYED = "the defender is destroyed"
    DEFENDER_YIELDS = "the defender surrenders"
    ATTACKER_DESTROYED = "the attacker is destroyed"
    ATTACKER_YIELDS = "the attacker surrenders"
    BOTH_DESTROYED = "both are destroyed"
    BROKEN_OFF = "a mutiny ends the fight"


_YIELDS = (BoardingEnd.ATTACKER_YIELDS, BoardingEnd.DEFENDER_YIELDS)


class Course(NamedTuple):
    """What may come of a round; `result` is None if the boarding goes on."""

    lost: tuple[int, int]  # the minifigs of the attacker, and of the defender
    result: BoardingEnd | None


@lru_cache(maxsize=8192)
def courses(attacker: Crew, defender: Crew, at_work: int = 0) -> tuple[tuple[Course, int], ...]:
    """Return what may come of a round, with the number of its ways of `WAYS`; nobody flees by choice.

    Those of the defender who have another task in its turn do not fight; `at_work` is the sum of their values.
    """
    sides = attacker, defender
    strengths = sum(attacker.values), sum(defender.values) - at_work
    found = Counter[Course]()
    for lost in all_losses(strengths):
        gone = min(lost[0], len(attacker.values)), min(lost[1], len(defender.values))
        for result, ways in _results(sides, lost, gone):
            found[Course(gone, result)] += ways
    return tuple(found.items())


def _results(
    sides: tuple[Crew, Crew], lost: tuple[int, int], gone: tuple[int, int]
) -> Iterator[tuple[BoardingEnd | None, int]]:
    """Yield the results of a round after the tests of morale, with their ways."""
    dead = tuple(count == len(side.values) for side, count in zip(sides, gone, strict=True))
    both = len(_FACES) ** 2
    if any(dead):
        alone = BoardingEnd.ATTACKER_DESTROYED if dead[0] else BoardingEnd.DEFENDER_DESTROYED
        yield BoardingEnd.BOTH_DESTROYED if all(dead) else alone, both
        return
    fails = [_fails(sides[n], gone[n], has_lost=lost[n] > lost[1 - n]) for n in (0, 1)]
    hold = [len(_FACES) - count for count in fails]
    loser = None if lost[0] == lost[1] else int(lost[1] > lost[0])
    yields = 0 if loser is None else fails[loser] * len(_FACES)
    if loser is not None:
        yield _YIELDS[loser], yields
    yield BoardingEnd.BROKEN_OFF, both - yields - hold[0] * hold[1]
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


MOST = 100
_SUM = re.compile(r"(\d{1,4})/(\d{1,3})")
_PART = re.compile(r"([a-z_]+)=(\d{1,3})")


def crew(text: str, *, by_attack: bool) -> Crew:
    """Return a whole crew, its values Melee or Attack; InvalidValueError if the text names nobody or too many.

    The text is a ship, for its full crew; roles such as ``captain=1,pirate=8``; or a sum and a number such as
    ``24/10``, which shares the sum out as evenly as whole numbers can, and has a captain's Attack for its morale.
    """
    sheets = minifigs().roles
    if match := _SUM.fullmatch(text):
        count = _checked(text, int(match[2]))
        least, more = divmod(int(match[1]), count)
        shares = (least,) * (count - more) + (least + 1,) * more
        return Crew(shares, sheets[Role.CAPTAIN].attack, count)
    if "=" not in text and text not in ships():
        raise InvalidValueError(
            f"crew {text!r}: should be a ship such as {next(iter(ships()))}, roles such as captain=1,pirate=8, "
            "or a sum and a number such as 24/10"
        )
    roles = _roles(text) if "=" in text else ships()[text].full_crew
    _checked(text, sum(roles.values()))
    hands = [sheets[role] for role, count in roles.items() for _ in range(count)]
    values = sorted(hand.attack if by_attack else hand.melee for hand in hands)
    return Crew(tuple(values), max(hand.attack for hand in hands), len(hands))


def values_at_work(text: str, whole: Crew, *, by_attack: bool) -> int:
    """Return the sum of the values of those of a crew who do not fight; an empty text names nobody.

    InvalidValueError if the text is not a crew, or names some who are not in the whole one.
    """
    values = crew(text, by_attack=by_attack).values if text else ()
    if not Counter(values) <= Counter(whole.values):
        raise InvalidValueError(f"at work {text!r}: so many are not in the crew of the defender")
    return sum(values)


def _roles(text: str) -> dict[Role, int]:
    found: dict[Role, int] = {}
    for part in text.split(","):
        match = _PART.fullmatch(part)
        if match is None:
            raise InvalidValueError(f"crew {text!r}: {part!r} is not of the form pirate=8")
        role = lookup("role", match[1], ROLES)
        found[role] = found.get(role, 0) + int(match[2])
    return found


def _checked(text: str, count: int) -> int:
    if not 1 <= count <= MOST:
        raise InvalidValueError(f"crew {text!r}: {count} minifigs, a crew has 1 to {MOST}")
    return count


def board(
    attacker: Annotated[str, "A crew: SHIP, captain=1,pirate=8, or 24/10 (sum/minifigs)."],
    defender: Annotated[str, "The other crew."],
    by_attack: Annotated[bool, "Sum Attack instead of Melee (option boarding_by_attack)."] = False,
    to_the_death: Annotated[
        bool, "Leave out morale tests: fight until a crew is destroyed."
    ] = False,
    at_work: Annotated[
        str, "Defenders who have fired or worked in the turn of round 1, such as sailor=4."
    ] = "",
) -> OddsReport:
    """Compute a boarding between two full crews (PW Boarding).

    The result has the end, the rounds, and the survivors. A crew loses its weakest minifigs first. A crew tests its
    morale if it loses a round, or half of its minifigs in a round; a crew given as a sum has a captain. A crew with
    both causes in one round surrenders, though it may mutiny instead. Other causes, such as a ram, and flight are left
    out: a defender who wins a round always attacks. Defenders `at_work` do not fight in round 1, but may be lost in it.
    """
    sides = [crew(text, by_attack=by_attack) for text in (attacker, defender)]
    idle = values_at_work(at_work, sides[1], by_attack=by_attack)
    strengths = sum(sides[0].values), sum(sides[1].values) - idle
    if to_the_death:
        sides = [side._replace(attack=None) for side in sides]
    first, ends = courses(*sides, idle), list(_ends(sides[0], sides[1], idle))
    title = f"{attacker} boards {defender}, {strengths[0]} against {strengths[1]}"
    if at_work:
        title += f" in round 1 without {at_work}"
    differences = [attackers - defenders for attackers, defenders in all_losses(strengths)]
    wins = {
        "the attacker wins round 1": sum(one < 0 for one in differences),
        "round 1 is equal": differences.count(0),
        "the defender wins round 1": sum(one > 0 for one in differences),
    }
    chances = {name: Fraction(count, len(differences)) for name, count in wins.items()}
    chances |= {result.value: Fraction(0) for result in BoardingEnd}
    for _, _, result, chance in ends:
        chances[result.value] += chance
    numbers = {
        "attackers lost in round 1": [(lost[0], Fraction(ways, WAYS)) for (lost, _), ways in first],
        "defenders lost in round 1": [(lost[1], Fraction(ways, WAYS)) for (lost, _), ways in first],
        "rounds": [(rounds, chance) for rounds, _, _, chance in ends],
        "attackers left": [(left[0], chance) for _, left, _, chance in ends],
        "defenders left": [(left[1], chance) for _, left, _, chance in ends],
    }
    return OddsReport(title, chances, {name: distribution(law) for name, law in numbers.items()})


def _ends(
    attacker: Crew, defender: Crew, at_work: int
) -> Iterator[tuple[int, tuple[int, int], BoardingEnd, Fraction]]:
    """Yield the number of rounds, who is left, how it ends, and the probability."""
    fighting, rounds = {(attacker, defender): 1}, 0
    while fighting:
        rounds += 1
        going = Counter[tuple[Crew, Crew]]()
        for sides, before in fighting.items():
            for (lost, result), ways in courses(*sides, at_work if rounds == 1 else 0):
                left = after(sides[0], lost[0]), after(sides[1], lost[1])
                if result is None:
                    going[left] += before * ways
                else:
                    counts = len(left[0].values), len(left[1].values)
                    yield rounds, counts, result, Fraction(before * ways, WAYS**rounds)
        fighting = going
