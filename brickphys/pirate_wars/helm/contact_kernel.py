"""The chain of a contact between two crews, compiled: rounds of boarding, and tests of morale after each."""

import numpy as np

from brickphys.jit import allocating_kernel, entry, kernel
from brickphys.units import Array, Counts

FREE, TAKEN, FLED, LOST = range(4)
"""What becomes of a ship: free and manned, taken by the other one, fled, or lost to both."""
_FACES = 6
_CUT = 1e-6
"""Less probability than this is not followed further."""


@kernel
def _failing_faces(attack: float, causes: Counts, morale: Counts) -> float:
    """Return how many faces fail the test of a crew with its causes (adrift, boarding, half of the crew)."""
    target = attack
    any_cause = False
    for cause in range(3):
        if causes[cause]:
            target += morale[cause]
            any_cause = True
    if not any_cause:
        return 0.0
    return _FACES - min(max(target, 0.0), _FACES - 1.0)


@kernel
def _note(
    ends: Array, fate: int, other: int, chance: float, melee: float, others: float, is_second: bool
) -> None:
    """Add an end: the fate of a side and of the other one, and the Melee that both have left."""
    if is_second:
        fate, other, melee, others = other, fate, others, melee
    ends[fate, other, 0] += chance
    ends[fate, other, 1] += chance * melee
    ends[fate, other, 2] += chance * others


@allocating_kernel
def _test(
    ends: Array, chance: float, fails: Array, flees: Array, melee: Array, first: int
) -> float:
    """Test both crews, one of them first; return the probability that both hold, and note all other ends.

    Of those who fail, a share flees, and the others surrender. Who is tested after the other one has failed has nobody
    in contact to surrender to, and is lost.
    """
    holds = chance
    for step in range(2):
        side = first if step == 0 else 1 - first
        other = 1 - side
        failed = holds * fails[side] / _FACES
        holds -= failed
        if failed <= 0.0:
            continue
        second = fails[other] / _FACES if step == 0 else 0.0
        for own in (TAKEN, FLED):
            part = failed * (flees[side] if own == FLED else 1.0 - flees[side])
            left = melee[side] if own == FLED else 0.0
            is_second = side == 1
            _note(ends, own, FREE, part * (1.0 - second), left, melee[other], is_second)
            fled = part * second * flees[other]
            _note(ends, own, FLED, fled, left, melee[other], is_second)
            _note(ends, own, LOST, part * second - fled, left, 0.0, is_second)
    return holds


@kernel
def _flee_share(causes: Counts) -> float:
    """Return the share of failures that bring a mutiny: where the owner may choose, half of them (ours)."""
    if not causes[2]:
        return 0.0
    return 0.5 if causes[1] else 1.0


@allocating_kernel
def _tested(
    ends: Array,
    chance: float,
    first: int,
    hands: Counts,
    causes: Counts,
    best_attack: Array,
    morale: Counts,
    melee: Array,
    work: Array,
) -> float:
    """Test both crews by their causes, one of them first, or either if `first` is -1; return how often both hold."""
    fails, flees = work[0], work[1]
    for side in range(2):
        fails[side] = _failing_faces(best_attack[side, hands[side]], causes[side], morale)
        flees[side] = _flee_share(causes[side])
    held = 0.0
    for order in range(2):
        if first != 1 - order:
            share = chance if first == order else 0.5 * chance
            held += _test(ends, share, fails, flees, melee, order)
    return held


@kernel
def _settled(ends: Array, chance: float, left: Counts, melee: Array) -> bool:
    """Whether a crew, or both, are destroyed; notes that."""
    if left[0] and left[1]:
        return False
    if left[0] == left[1]:
        _note(ends, LOST, LOST, chance, 0.0, 0.0, False)
    elif left[0] == 0:
        _note(ends, TAKEN, FREE, chance, 0.0, melee[1], False)
    else:
        _note(ends, FREE, TAKEN, chance, melee[0], 0.0, False)
    return True


@allocating_kernel
def _round(
    ends: Array,
    coming: Array,
    chance: float,
    attacker: int,
    now: Counts,
    melee_left: Array,
    best_attack: Array,
    fulls: Counts,
    causes: Counts,
    first: int,
    morale: Counts,
    work: Array,
    left: Counts,
) -> float:
    """Fight one round of boarding, each pair of faces by itself; return the probability that the fight goes on."""
    defender, melee, going = 1 - attacker, work[2], 0.0
    surplus = int(melee_left[attacker, now[attacker]] - melee_left[defender, now[defender]])
    for face in range(1, _FACES + 1):
        for answer in range(1, _FACES + 1):
            lost = answer + max(-surplus, 0), face + max(surplus, 0)  # of attacker and defender
            for side in range(2):
                left[side] = max(now[side] - lost[abs(side - attacker)], 0)
                melee[side] = melee_left[side, left[side]]
            if _settled(ends, chance, left, melee):
                continue
            for side in range(2):
                causes[side, 0] = causes[2 + side, 0]
                role = abs(side - attacker)
                causes[side, 1] = causes[2 + side, 1] or lost[role] > lost[1 - role]
                is_half = 2 * left[side] <= fulls[side] < 2 * now[side]
                causes[side, 2] = causes[2 + side, 2] or is_half
            held = _tested(ends, chance, first, left, causes, best_attack, morale, melee, work)
            if lost[1] >= lost[0]:
                coming[attacker, left[0], left[1]] += held
            elif melee[defender] >= melee[attacker]:
                coming[defender, left[0], left[1]] += held
            else:  # a weaker defender who has won a round cuts the lashings
                _note(ends, FREE, FREE, held, melee[0], melee[1], False)
                continue
            going += held
    return going


@entry
def contact_ends(
    melee_left: Array,
    best_attack: Array,
    fulls: Counts,
    counts: Counts,
    first_causes: Counts,
    boards: int,
    first: int,
    morale: Counts,
) -> Array:
    """Follow a contact of two crews from the tasks of a turn until one of them is free.

    Parameters
    ----------
    melee_left, best_attack : ndarray, shape (2, most + 1)
        The sum of Melee, and the highest Attack, of the strongest 0, 1, 2 ... of each crew: the weakest are lost first.
    fulls, counts : ndarray of int, shape (2,)
        How many each crew had at the start of the battle, and has now.
    first_causes : ndarray of int, shape (2, 3)
        Whether each crew has a cause of this turn: adrift, boarding, half of the crew lost.
    boards
        Who orders a boarding now, 0 or 1; -1 if nobody does: then both are free after the tests.
    first
        Who is tested first in this turn, 0 or 1; -1 if it is not known. In later turns it never is.
    morale : ndarray of int, shape (3,)
        The modifiers of those causes.

    Returns
    -------
    ndarray, shape (4, 4, 3)
        By the fates of both (`FREE` ...): the probability, and with that as weight the Melee each has left.
    """
    ends = np.zeros((4, 4, 3))
    most = melee_left.shape[1]
    causes = np.zeros((4, 3), np.int64)  # rows 2 and 3: those of the turn before the round
    work = np.zeros((3, 2))
    now, left = np.zeros(2, np.int64), np.zeros(2, np.int64)
    causes[2:] = first_causes
    if boards < 0:
        causes[:2], melee = first_causes, work[2]
        for side in range(2):
            melee[side] = melee_left[side, counts[side]]
        held = _tested(ends, 1.0, first, counts, causes, best_attack, morale, melee, work)
        _note(ends, FREE, FREE, held, melee[0], melee[1], False)
        return ends
    mass, coming = np.zeros((2, most, most)), np.zeros((2, most, most))
    mass[boards, counts[0], counts[1]] = 1.0
    for _ in range(2 * most):
        going = 0.0
        coming[:] = 0.0
        for attacker in range(2):
            for own in range(most):
                for its in range(most):
                    chance = mass[attacker, own, its] / (_FACES * _FACES)
                    if chance < _CUT:
                        continue
                    now[0], now[1] = own, its
                    going += _round(
                        ends, coming, chance, attacker, now, melee_left, best_attack, fulls,
                        causes, first, morale, work, left,
                    )  # fmt: skip
        mass, coming = coming, mass
        causes[2:] = 0
        first = -1
        if going < _CUT:
            break
    return ends
