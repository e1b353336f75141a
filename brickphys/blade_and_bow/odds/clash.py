"""Clash: the law of the dice of two sides with their re-rolls, as a dynamic programme (BB 9.4.5, 9.4.6).

Re-rolls are those that are best for who rolls: each side goes by the worth of the hits that remain on both, the
attacker knowing that the defender rolls again after it. A state is the number of hits and cancellations of either side;
a right moves it along one of four ways: keep, or roll a hit, a blank or a cancellation again.
"""

from collections.abc import Mapping
from functools import lru_cache
from math import comb
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from brickphys.blade_and_bow.sheets.charts import FACES

_MOST_DICE = 24
"""Dice and re-rolls of both sides together, up to which the weights of the law fit into 64 bits."""
Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
_ROUNDING = 1e-9


class Side(NamedTuple):
    """The dice of one side, and its rights to roll one again.

    Attributes
    ----------
    dice, rerolls
        How many.
    hits, cancels
        How many faces of a die are hits, and cancellations.
    shown
        Hits, blanks and cancellations of the dice that lie already; the rest is to be rolled.
    """

    dice: int
    hits: int = 2
    cancels: int = 2
    rerolls: int = 0
    shown: tuple[int, ...] = (0, 0, 0)


class Stakes(NamedTuple):
    """What hits are worth.

    Attributes
    ----------
    target, attackers
        What the target and the attackers lose by 0, 1, 2, ... hits; more hits than are listed lose no more.
    """

    target: tuple[float, ...] = tuple(map(float, range(9)))
    attackers: tuple[float, ...] = tuple(map(float, range(9)))


EACH_HIT = Stakes()
"""All hits count the same."""


class Hits(NamedTuple):
    """Hits that remain after cancellations (BB 9.4.7)."""

    target: int
    attackers: int


@lru_cache(maxsize=4096)
def clash(attacker: Side, defender: Side, stakes: Stakes = EACH_HIT) -> Mapping[Hits, int]:
    """Return the hits that remain -> weight; the chance is the weight divided by the sum of all.

    Parameters
    ----------
    attacker, defender
        Their dice, at any moment.
    stakes
        By which they choose their re-rolls.
    """
    sides = attacker, defender
    small = sum(side.dice + side.rerolls for side in sides) <= _MOST_DICE
    weights = np.multiply.outer(*(_first(side, np.int64 if small else object) for side in sides))
    remain = _remain(sides)
    worth = _listed(stakes.target, remain[0]) - _listed(stakes.attackers, remain[1])
    plans = []
    for side, sign, turn in ((defender, -1.0, True), (attacker, 1.0, False)):
        value = sign * _turned(worth, turn=turn)
        for _ in range(side.rerolls):
            value, plan = _improved(value, side)
            plans.append((side, plan, turn))
        worth = _turned(sign * value, turn=turn)
    for side, plan, turn in reversed(plans):
        weights = _turned(_rolled_again(_turned(weights, turn=turn), side, plan), turn=turn)
    found: dict[Hits, int] = {}
    for index in zip(*np.nonzero(weights), strict=True):
        hits = Hits(int(remain[0][index]), int(remain[1][index]))
        found[hits] = found.get(hits, 0) + int(weights[index])
    return found


def _first(side: Side, kind: type) -> Array:
    """Return the weights of the numbers of hits and cancellations before any re-roll."""
    hits, _, cancels = side.shown
    rest, blanks = side.dice - sum(side.shown), FACES - side.hits - side.cancels
    found: Array = np.zeros((side.dice + 1, side.dice + 1), dtype=kind)
    for h in range(rest + 1):
        for c in range(rest - h + 1):
            ways = comb(rest, h) * comb(rest - h, c)
            each = side.hits**h * side.cancels**c * blanks ** (rest - h - c)
            found[hits + h, cancels + c] = ways * each
    return found


def _remain(sides: tuple[Side, Side]) -> tuple[Array, Array]:
    """Return the hits that remain on the target and on the attackers for all numbers of both sides."""
    attacker, defender = (np.arange(side.dice + 1) for side in sides)
    shape = (len(attacker),) * 2 + (len(defender),) * 2
    on_target = attacker[:, None, None, None] - defender
    on_attackers = defender[:, None] - attacker[:, None, None]
    nets = (np.maximum(net, 0) for net in (on_target, on_attackers))
    first, second = (np.broadcast_to(net, shape) for net in nets)
    return first, second


def _listed(worths: tuple[float, ...], hits: Array) -> Array:
    return np.array(worths)[np.minimum(hits, len(worths) - 1)]


def _turned(values: Array, *, turn: bool) -> Array:
    """Return values with the numbers of the other side first, if asked."""
    return values.transpose(2, 3, 0, 1) if turn else values


def _improved(value: Array, side: Side) -> tuple[Array, Array]:
    """Return six times the worth with one right to roll again, and the plan: 0 to keep, else the class of the die."""
    n, blanks = side.dice, FACES - side.hits - side.cancels
    mean = side.hits * value[1:, :n] + blanks * value[:n, :n] + side.cancels * value[:n, 1:]
    ways = np.full((4, *value.shape), -np.inf)
    ways[0] = FACES * value
    ways[1, 1:, :n], ways[2, :n, :n], ways[3, :n, 1:] = mean, mean, mean
    shown = np.add.outer(np.arange(n + 1), np.arange(n + 1))
    ways[2, shown >= n] = -np.inf  # no blank is there
    best = ways.max(axis=0)
    return best, np.where(best > ways[0] + _ROUNDING, ways.argmax(axis=0), 0)


def _rolled_again(weights: Array, side: Side, plan: Array) -> Array:
    """Return the weights after one right, all six times as large."""
    n, blanks = side.dice, FACES - side.hits - side.cancels
    again = [np.where(plan == way, weights, 0) for way in range(4)]
    less = again[1][1:, :n] + again[2][:n, :n] + again[3][:n, 1:]  # one die is in the hand
    after = FACES * again[0]
    after[1:, :n] += side.hits * less
    after[:n, :n] += blanks * less
    after[:n, 1:] += side.cancels * less
    return after
