"""The loops over pairs of attackers and targets, compiled: what each takes from each, and what all take together."""

from math import ceil, hypot

import numpy as np
import numpy.typing as npt

from brickphys.jit import entry, kernel
from brickphys.units import Array, Indices

_COVERED, _OPEN = 1, 2
_NO_WAY = 999.0
_STUD, _X, _Y, _RADIUS, _BRICKS, _REACH, _IS_SHOT = 1, 2, 3, 4, 5, 6, 7
_MOVE, _WALKS, _ACTIONS, _AHEAD_X, _AHEAD_Y, _IN_AIR, _BOLT, _IS_RUN = 8, 9, 10, 11, 12, 13, 14, 15
"""Columns of ways to attack."""
_VEHICLE, _AT, _AT_X, _AT_Y, _BODY, _DEFENCE, _HEALTH, _ON_FOOT, _FLIES = 1, 2, 3, 4, 5, 6, 7, 8, 9
"""Columns of marks."""


@kernel
def _lost(table: Array, bricks: float, defence: float, health: float, attacks: float) -> float:
    """Return the share of a target that attacks take; the table ends at its largest numbers."""
    attack, often = max(int(bricks), 0), max(int(attacks), 0)
    return float(
        table[
            min(attack, table.shape[0] - 1),
            min(int(defence), table.shape[1] - 1),
            min(max(int(health), 0), table.shape[2] - 1),
            min(often, table.shape[3] - 1),
        ]
    )


@kernel
def _shot(
    way: Array, mark: Array, studs: float, attacks: float, seen: int, table: Array, shot: Array
) -> float:
    """Return the share that shots take from a distance."""
    first_stud, ruler_studs, cover_bricks = shot
    bolt_studs = way[_BOLT]
    if seen == 0 or (bolt_studs > 0.0 and mark[_VEHICLE] >= 0.0):
        return 0.0
    if bolt_studs > 0.0:
        return _lost(
            table, way[_BRICKS] if studs <= bolt_studs else 0.0, 0.0, mark[_HEALTH], attacks
        )
    lost = ceil((studs + first_stud) / ruler_studs - 1e-9) - 1.0
    covered = cover_bricks if seen == _COVERED else 0.0
    return _lost(table, way[_BRICKS] - lost, mark[_DEFENCE] + covered, mark[_HEALTH], attacks)


@kernel
def _pair(
    way: Array,
    mark: Array,
    steps: float,
    seen: int,
    seen_then: int,
    table: Array,
    shot: Array,
) -> float:
    """Return the share that one way to attack takes from one target in a turn."""
    dx, dy = mark[_AT_X] - way[_X], mark[_AT_Y] - way[_Y]
    air = hypot(dx, dy)
    ahead = way[_AHEAD_X] * dx + way[_AHEAD_Y] * dy
    all_round = way[_AHEAD_X] == 0.0 and way[_AHEAD_Y] == 0.0
    turn = 0.0 if all_round or ahead >= -1e-6 else 1.0
    move, most_walks, actions = way[_MOVE], way[_WALKS], way[_ACTIONS]
    if way[_IS_RUN] > 0.0:  # runs over
        if mark[_ON_FOOT] == 0.0 or air > move + way[_RADIUS] or steps >= _NO_WAY:
            return 0.0
        if not all_round and ahead < 0.5 * air:
            return 0.0
        return 0.7 * _lost(table, way[_BRICKS], mark[_DEFENCE], mark[_HEALTH], 1.0)
    if way[_IS_SHOT] > 0.0:
        best = _shot(way, mark, air, actions - turn, seen, table, shot)
        if most_walks > 0.0:
            nearer = max(1.0, air - 0.8 * move)
            then = 0.9 * _shot(way, mark, nearer, actions - 1.0, seen_then, table, shot)
            best = max(best, then)
        return best
    need = max(0.0, steps - way[_REACH] - way[_RADIUS] - mark[_BODY])
    walks = ceil(need / max(move, 0.1)) if need > 0.0 else turn
    if walks > max(most_walks, turn):
        return 0.0
    return _lost(table, way[_BRICKS], mark[_DEFENCE], mark[_HEALTH], actions - walks)


@entry
def pairs(
    ways: Array,
    marks: Array,
    steps: Array,
    blocks: Indices,
    sight: npt.NDArray[np.uint8],
    sight_after_walk: npt.NDArray[np.uint8],
    table: Array,
    shot: Array,
) -> Array:
    """Return the share that each way takes from each mark in one turn, shape (ways, marks).

    Parameters
    ----------
    ways, marks : ndarray, shapes (n, 16) and (m, 10)
        Rows of `brickphys.bow.threat.Ways` and `Marks`, as numbers.
    steps : ndarray, shape (n, m)
        The steps between them.
    blocks : ndarray of int, shape (studs,)
        The block of each stud.
    sight, sight_after_walk : ndarray, shape (blocks, blocks)
        How much is seen of one from another.
    table : ndarray, shape (bricks, bricks, health, attacks)
        The share of a target that attacks take.
    shot : ndarray, shape (3,)
        Studs before the first, studs of a ruler's part that costs a brick, bricks of cover.
    """
    found = np.zeros((len(ways), len(marks)))
    for row in range(len(ways)):
        here = blocks[int(ways[row, _STUD])]
        for column in range(len(marks)):
            there = blocks[int(marks[column, _AT])]
            seen, then = int(sight[here, there]), int(sight_after_walk[here, there])
            if ways[row, _IN_AIR] > 0.0 or marks[column, _FLIES] > 0.0:
                seen, then = _OPEN, _OPEN
            found[row, column] = _pair(
                ways[row], marks[column], steps[row, column], seen, then, table, shot
            )
    return found


@entry
def taken(shares: Array, values: Array, likely: Array) -> Array:
    """Return what each attacker takes if all attack, those that take most first, and nobody dies twice; shape (n,).

    Parameters
    ----------
    shares : ndarray, shape (n, m)
        What each takes from each target.
    values : ndarray, shape (m,)
        What each target is worth.
    likely : ndarray, shape (n,)
        How surely each attacks.
    """
    count, marks = shares.shape
    most = np.zeros(count)
    for row in range(count):
        for mark in range(marks):
            most[row] = max(most[row], shares[row, mark] * values[mark])
    left, found = np.ones(marks), np.zeros(count)
    for row in np.argsort(-most, kind="mergesort"):
        best, points = 0, -1.0
        for mark in range(marks):
            gain = shares[row, mark] * values[mark] * left[mark]
            if gain > points:
                best, points = mark, gain
        found[row] = likely[row] * points
        left[best] *= 1.0 - likely[row] * shares[row, best]
    return found
