"""Table: the probability of success of all opposed rolls up to a number of bricks."""

from fractions import Fraction

from brickphys.odds.law import RollLaw
from brickphys.odds.roll import check_bricks


def success_table(
    max_attack: int, max_defence: int, law: RollLaw
) -> tuple[tuple[Fraction, ...], ...]:
    """Return the probability of success of every attack against every defence.

    Parameters
    ----------
    max_attack, max_defence
        Largest numbers of bricks, 0..60.
    law
        Law of brick rolls.

    Returns
    -------
    tuple, shape (max_attack + 1, max_defence + 1)
        ``table[attack][defence]``, both from 0; the row of attack 0 is all zeros.

    Raises
    ------
    InvalidValueError
        If a number of bricks is out of range.
    """
    most = check_bricks(max_attack, "max_attack"), check_bricks(max_defence, "max_defence")
    rolls = [law.roll(bricks) for bricks in range(max(most) + 1)]
    attacks, defences = (rolls[: bricks + 1] for bricks in most)
    return tuple(tuple(attack.exceeds(defence) for defence in defences) for attack in attacks)
