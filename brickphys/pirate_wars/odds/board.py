"""Board: the odds of a boarding, of its first round and to its end, as a Markov chain (PW Boarding)."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, product
from typing import Annotated

from brickphys.pirate_wars.odds.crew import crew_values
from brickphys.pirate_wars.tasks.boarding import losses
from brickphys.rules.report.odds_report import OddsReport, distribution

_FACES = list(product(range(1, 7), range(1, 7)))
"""What the attacker and the defender roll."""
_Counts = tuple[int, int]
"""How many minifigs the attacker and the defender have."""


def board(
    attacker: Annotated[str, "A crew: SHIP, captain=1,pirate=8, or 24/10 (sum/minifigs)."],
    defender: Annotated[str, "The other crew."],
    by_attack: Annotated[bool, "Sum Attack, and not Melee (option boarding_by_attack)."] = False,
) -> OddsReport:
    """Tell which of two crews is destroyed in a boarding, in how many rounds, and who is left (PW Boarding).

    The owner of a crew loses the weakest first. Morale is left out: nobody surrenders, and nobody flees.
    """
    crews = [crew_values(text, by_attack=by_attack) for text in (attacker, defender)]
    strengths = [[0, *accumulate(reversed(crew))] for crew in crews]
    start = len(crews[0]), len(crews[1])
    lost = [_lost(start, faces, strengths) for faces in _FACES]
    ends = list(_ends(start, strengths))
    title = f"{attacker} boards {defender}, {strengths[0][-1]} against {strengths[1][-1]}"
    chances = {
        "the attacker wins round 1": _share(a < d for a, d in lost),
        "round 1 is equal": _share(a == d for a, d in lost),
        "the defender wins round 1": _share(a > d for a, d in lost),
        "the defender is destroyed": _sum(p for _, (a, d), p in ends if a and not d),
        "the attacker is destroyed": _sum(p for _, (a, d), p in ends if d and not a),
        "both are destroyed": _sum(p for _, (a, d), p in ends if not a and not d),
    }
    numbers = {
        "attackers lost in round 1": [
            (min(a, start[0]), Fraction(1, len(_FACES))) for a, _ in lost
        ],
        "defenders lost in round 1": [
            (min(d, start[1]), Fraction(1, len(_FACES))) for _, d in lost
        ],
        "rounds": [(rounds, p) for rounds, _, p in ends],
        "attackers left": [(a, p) for _, (a, _), p in ends],
        "defenders left": [(d, p) for _, (_, d), p in ends],
    }
    return OddsReport(title, chances, {name: distribution(law) for name, law in numbers.items()})


def _lost(left: _Counts, faces: tuple[int, int], strengths: Sequence[Sequence[int]]) -> _Counts:
    """Return what both sides lose in a round; `strengths` are those of each side by its minifigs."""
    return losses(faces, (strengths[0][left[0]], strengths[1][left[1]]))


def _ends(
    start: _Counts, strengths: Sequence[Sequence[int]]
) -> Iterator[tuple[int, _Counts, Fraction]]:
    """Yield the number of rounds, who is left, and the probability; both sides lose somebody in every round."""
    fighting, rounds = {start: 1}, 0
    while fighting:
        rounds += 1
        found: dict[_Counts, int] = {}
        for left, ways in fighting.items():
            for faces in _FACES:
                a, d = _lost(left, faces, strengths)
                after = max(left[0] - a, 0), max(left[1] - d, 0)
                found[after] = found.get(after, 0) + ways
        over = (after for after in found if not all(after))
        yield from (
            (rounds, after, Fraction(found[after], len(_FACES) ** rounds)) for after in over
        )
        fighting = {after: ways for after, ways in found.items() if all(after)}


def _share(rolls: Iterable[bool]) -> Fraction:
    return Fraction(sum(rolls), len(_FACES))


def _sum(chances: Iterable[Fraction]) -> Fraction:
    return sum(chances, Fraction(0))
