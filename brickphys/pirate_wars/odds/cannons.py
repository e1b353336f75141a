"""Cannons: which of a ship fire together, and how likely a die hits (PW Introduction, PW Firing)."""

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

from brickphys.pirate_wars.sheets.ship_sheet import Gun

_FACES = 6


def hit_chance(target: int) -> Fraction:
    """Return the chance that a die shows its target number or less; a six always fails (PW Introduction)."""
    return Fraction(min(target, _FACES - 1), _FACES)


def bearing(guns: Iterable[Gun]) -> dict[tuple[str, bool], int]:
    """Return how many cannons fire over a side together, most first; of port and starboard the stronger one counts.

    Returns
    -------
    dict
        Words for the side, and whether the cannons are light -> their number.
    """
    found: dict[tuple[str, bool], int] = {}
    groups = Counter((gun.side, gun.is_light) for gun in guns)
    for (where, is_light), count in groups.most_common():
        words = "a side" if where in ("port", "starboard") else f"the {where}"
        found.setdefault((words, is_light), count)
    return found
