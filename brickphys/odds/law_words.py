"""Law words: what a law is of, and the chance of a side by it, in words."""

from collections.abc import Collection, Sequence
from fractions import Fraction

from brickphys.odds.law import Law, RollLaw
from brickphys.text import percent


def law_words(law: Law) -> str:
    """Return what a law is of: the shape, who throws it, and on what."""
    return f"{law.shape}, {law.conditions.preset}, {law.surface.description}"


def stops(law: RollLaw) -> str:
    """Return how a brick stops that scores: ``on a side``, or as other poses."""
    return law.stops if isinstance(law, Law) else "on a side"


def chance_in_hand(law: RollLaw) -> Fraction:
    """Return the chance of a side of a brick that is thrown with others; the odds use it, and `p` for a single one."""
    return law.roll(2).mean() / 2


def chance_words(law: RollLaw, *more: str) -> str:
    """Return the chance of a side, with that in a hand if the two differ: ``29.0 % (28.7 % in a hand of several)``.

    Parameters
    ----------
    law
        The law.
    *more
        What else the brackets say.
    """
    one, several = percent(float(law.p)), percent(float(chance_in_hand(law)))
    inside = [*([] if one == several else [f"{several} in a hand of several"]), *more]
    return f"{one} ({'; '.join(inside)})" if inside else one


def shortcomings(law: RollLaw, bricks: Collection[int]) -> list[str]:
    """Return sentences on an incomplete or contradicted law, and on numbers of bricks that were not measured.

    Parameters
    ----------
    law
        The law.
    bricks
        How many bricks are thrown together; empty if that is not known.
    """
    if not isinstance(law, Law):
        return []
    notes = [] if law.complete else ["This law is not complete: its calibration was interrupted."]
    if law.contradiction:
        notes.append(f"This law is contradicted by its own data: {law.contradiction}.")
    measured = law.hand_sizes
    lacking = sorted(count for count in bricks if law.extrapolated(count))
    sizes = numbers(lacking) if bricks else "" if measured else "several"
    if sizes:
        source = f"hands of {numbers(measured)}" if measured else "the chance of one brick"
        notes.append(f"Hands of {sizes} bricks were not measured: they are extended from {source}.")
    return notes


def numbers(found: Sequence[int]) -> str:
    """Write ascending numbers: ``2``, ``2 and 4``, ``2 to 5``."""
    if len(found) > 2 and found[-1] - found[0] == len(found) - 1:
        return f"{found[0]} to {found[-1]}"
    *most, last = map(str, found) if found else [""]
    return f"{', '.join(most)} and {last}" if most else last
