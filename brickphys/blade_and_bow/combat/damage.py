"""Damage: what hits do to a unit by its density, and how attackers share them (BB 9.4.7, 8.5.3)."""

from typing import NamedTuple

from brickphys.blade_and_bow.sheets.counters import Density


class Damage(NamedTuple):
    """What hits do to a unit."""

    disrupts: bool = False
    ranks: int = 0
    """Ranks that it loses."""
    recoils: bool = False
    checks: int = 0
    """Dice of its rout checks."""


def damage(
    density: Density, disrupted: bool, ranks: int, hits: int, ranged: bool = False
) -> Damage:
    """Return what hits do (BB 9.4.7).

    Parameters
    ----------
    density
        Of the unit; the flexible ignore as many hits of a melee as they have steps, themselves included.
    disrupted
        Whether it is disrupted already: else the first hit does that.
    ranks
        Its ranks besides itself: each takes a hit.
    hits
        After cancels.
    ranged
        Whether they are of missiles: then every hit that is left is a rout check (BB 8.5.3), and else all but the
        first.
    """
    if density is Density.FLEXIBLE and not ranged:
        hits = max(hits - ranks - 1, 0)
    disrupts = hits > 0 and not disrupted
    hits -= disrupts
    lost = min(hits, ranks)
    hits -= lost
    return Damage(disrupts, lost, hits > 0, hits if ranged else max(hits - 1, 0))


def shares(hits: int, count: int) -> tuple[int, ...]:
    """Return how many hits each of some attackers takes, evenly, the first the first and most (BB 9.4.4.4)."""
    even, odd = divmod(hits, count)
    return tuple(even + (n < odd) for n in range(count))
