"""Board: the odds of a boarding, of its first round and to its end, as a Markov chain (PW Boarding)."""

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import product
from typing import Annotated

from brickphys.pirate_wars.odds.chain import WAYS, Crew, Result, after, courses
from brickphys.pirate_wars.odds.crew import crew, values_at_work
from brickphys.pirate_wars.tasks.boarding import losses
from brickphys.rules.report.odds_report import OddsReport, distribution


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
    lost = [losses(faces, strengths) for faces in product(range(1, 7), range(1, 7))]
    chances = {
        "the attacker wins round 1": _share(a < d for a, d in lost),
        "round 1 is equal": _share(a == d for a, d in lost),
        "the defender wins round 1": _share(a > d for a, d in lost),
        **{result.value: Fraction(0) for result in Result},
    }
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
) -> Iterator[tuple[int, tuple[int, int], Result, Fraction]]:
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


def _share(rolls: Iterable[bool]) -> Fraction:
    events = list(rolls)
    return Fraction(sum(events), len(events))
