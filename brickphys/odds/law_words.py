"""Law words: what a law is of, and the chance of a side by it, in words."""

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
