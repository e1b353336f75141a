"""Random armies: two armies drawn by the prices of their units, for studies of many games.

An army is drawn unit by unit: each unit that its points still pay for is as likely as any other, until they pay for
none. The armies take sides at random, so that neither a seat nor a side of the field favours one.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import exp, log
from typing import TYPE_CHECKING

from brickphys.errors import InvalidValueError

if TYPE_CHECKING:
    import numpy as np

OPTIONS = "draw"
"""Table of a study that contains the options."""


def draw_armies(
    prices: Mapping[str, int],
    points: int,
    ratios: tuple[float, float],
    rng: "np.random.Generator",
) -> list[list[str]]:
    """Return two armies by the names of their units, in the order of their sides.

    Parameters
    ----------
    prices
        Cost points of the units that may be drawn.
    points
        Cost points of one army.
    ratios
        The ends between which the points of the other army lie, in those of the first; drawn log-uniformly.
    rng
        The generator for armies and sides only.

    Raises
    ------
    InvalidValueError
        If the points of an army may pay for no unit.
    """
    low, high = ratios
    _check_points(prices, points * min(1.0, low))
    ratio = exp(rng.uniform(log(low), log(high)))
    armies = [_draw_army(prices, points * times, rng) for times in (1.0, ratio)]
    if rng.integers(2):
        armies.reverse()
    return armies


def army_label(army: Sequence[str]) -> str:
    """Write an army as a line: ``knight+trooper*2``."""
    counts = sorted(Counter(army).items())
    return "+".join(name if count == 1 else f"{name}*{count}" for name, count in counts)


def _check_points(prices: Mapping[str, int], points: float) -> None:
    if points < min(prices.values()):
        cheapest = min(prices, key=lambda name: prices[name])
        raise InvalidValueError(
            f"{OPTIONS}: points: {points:g} are not enough: the cheapest unit ({cheapest}) costs {prices[cheapest]}"
        )


def _draw_army(prices: Mapping[str, int], points: float, rng: "np.random.Generator") -> list[str]:
    army: list[str] = []
    while affordable := [name for name, price in prices.items() if price <= points]:
        army.append(affordable[int(rng.integers(len(affordable)))])
        points -= prices[army[-1]]
    rng.shuffle(army)
    return army
