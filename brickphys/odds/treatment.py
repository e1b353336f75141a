"""Treat and repair: how much damage remains (BOW 2.4.4)."""

from brickphys.errors import InvalidValueError
from brickphys.odds.distribution import Distribution
from brickphys.odds.law import RollLaw
from brickphys.odds.opposed import opposed
from brickphys.odds.roll import MAX_BRICKS, check_bricks

MAX_TREATMENTS = 100


def remaining_damage(
    damage: int, ability: int, treatments: int, law: RollLaw, *, symmetric: bool = False
) -> Distribution:
    """Return the law of the damage that is left after some treatments (BOW 2.4.4).

    The patient's damage resists with as many bricks as there is damage, so every success makes the next easier.

    Parameters
    ----------
    damage
        Points of damage at the start, 0..60.
    ability
        Treat/Repair ability: bricks of the side that acts, 0..60.
    treatments
        How many times it is tried, 0..100.
    law
        What a roll scores.
    symmetric
        A success removes the difference of the scores, as an attack deals it, instead of 1 point.

    Raises
    ------
    InvalidValueError
        If a number is out of range.
    """
    check_bricks(damage, "damage")
    check_bricks(ability, "ability")
    if not 0 <= treatments <= MAX_TREATMENTS:
        raise InvalidValueError(f"treatments: {treatments} is outside 0..{MAX_TREATMENTS}")
    steps = {left: _treated(left, ability, law, symmetric) for left in range(damage + 1)}
    remaining = Distribution.point(damage)
    for _ in range(treatments):
        remaining = remaining.bind(steps.__getitem__)
    return remaining


def _treated(damage: int, ability: int, law: RollLaw, symmetric: bool) -> Distribution:
    if not damage:
        return Distribution.point(0)
    most = MAX_BRICKS if symmetric else 1
    healed = opposed(ability, damage, law).damage
    return healed.map(lambda difference: max(0, damage - min(difference, most)))
