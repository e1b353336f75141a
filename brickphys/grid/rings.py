"""Rings: the squares that are first reached after 0, 1, 2, ... steps (breadth-first search on bit sets)."""

from collections.abc import Callable

from brickphys.grid.bitset import Squares


def rings(
    start: Squares, step: Callable[[Squares], Squares], most_steps: int
) -> tuple[Squares, ...]:
    """Return the rings around a set of squares.

    Parameters
    ----------
    start
        Where the steps begin.
    step
        Returns the squares that are one step from some squares.
    most_steps
        The limit.

    Returns
    -------
    tuple of Squares
        Item n has the squares that are first reached after n steps; none of them is empty but perhaps `start`.
    """
    found, seen = [start], start
    while len(found) <= most_steps:
        ring = step(found[-1]) & ~seen
        if not ring:
            break
        found.append(ring)
        seen |= ring
    return tuple(found)
