"""Pairs: how far outlines are apart, how deep they overlap, and whether they do; pair by pair, as arrays."""

from typing import Any, NamedTuple

import numpy as np

from brickphys.errors import InvalidValueError
from brickphys.geometry.many.outlines import Outlines, read_outlines
from brickphys.geometry.many.pairs_kernel import compare
from brickphys.geometry.polygon import TOLERANCE
from brickphys.interface import public
from brickphys.text import counted
from brickphys.units import Array, Indices, Mask


class Penetration(NamedTuple):
    """How deep the outlines of n pairs overlap in plan."""

    depth_studs: Array
    """The shortest way that parts them, shape (n,); 0 if they do not overlap."""
    vector_studs: Array
    """That way: by it the first outline moves off the second, shape (n, 2)."""


@public()
def distance(first: Any, second: Any) -> Array:
    """Return how far outlines are apart in plan, pair by pair; 0 where they touch or overlap.

    Parameters
    ----------
    first, second
        `outlines`, or corners as that function takes them, as many on both sides; a single one is paired with all.

    Returns
    -------
    ndarray, shape (n,)
        In studs.

    Raises
    ------
    InvalidValueError
        If outlines have a fault, or their numbers differ.

    Examples
    --------
    >>> import brickphys
    >>> box = [(0, 0), (2, 0), (2, 2), (0, 2)]
    >>> brickphys.distance(box, [[(5, 6), (7, 6), (7, 8), (5, 8)], [(1, 1), (4, 1), (4, 4), (1, 4)]]).tolist()
    [5.0, 0.0]
    """
    found: Array = _compared(read_outlines(first), read_outlines(second))[:, 0]
    return found


@public()
def penetration(first: Any, second: Any) -> Penetration:
    """Return how deep outlines overlap in plan, pair by pair, and the shortest vectors that part them.

    Parameters
    ----------
    first, second
        As of `distance`.

    Returns
    -------
    Penetration
        `depth_studs`, shape (n,), and `vector_studs`, shape (n, 2), by which the first outline moves off the second.

    Raises
    ------
    InvalidValueError
        If outlines have a fault or are no convex polygons, or their numbers differ.

    Examples
    --------
    >>> import brickphys
    >>> box = [(0, 0), (2, 0), (2, 2), (0, 2)]
    >>> found = brickphys.penetration(box, [(1.5, 0), (4, 0), (4, 2), (1.5, 2)])
    >>> found.depth_studs.tolist(), found.vector_studs.tolist()
    ([0.5], [[-0.5, 0.0]])
    """
    one, other = read_outlines(first), read_outlines(second)
    if one.border is not None or other.border is not None:
        raise InvalidValueError("penetration is that of convex polygons only")
    rows = _compared(one, other)
    depth = np.maximum(rows[:, 1], 0.0)
    return Penetration(depth, depth[:, None] * rows[:, 2:] + 0.0)


@public()
def overlaps(first: Any, second: Any) -> Mask:
    """Tell which outlines overlap by more than 1e-9 studs, in plan and in height, pair by pair.

    Parameters
    ----------
    first, second
        As of `distance`.

    Returns
    -------
    ndarray of bool, shape (n,)
        Whether each pair does.

    Raises
    ------
    InvalidValueError
        If outlines have a fault, or their numbers differ.

    Examples
    --------
    >>> import brickphys
    >>> box = [(0, 0), (2, 0), (2, 2), (0, 2)]
    >>> brickphys.overlaps(box, [[(1, 1), (3, 1), (3, 3)], [(2, 0), (3, 0), (3, 3)]]).tolist()
    [True, False]
    """
    one, other = read_outlines(first), read_outlines(second)
    depth = _compared(one, other)[:, 1]
    tops = np.minimum(one.tops_plates, other.tops_plates)
    common = tops - np.maximum(one.bottoms_plates, other.bottoms_plates)
    found: Mask = (depth > TOLERANCE) & (common > TOLERANCE)
    return found


def _compared(one: Outlines, other: Outlines) -> Array:
    counts = {len(one), len(other)}
    if len(counts - {1}) > 1:
        raise InvalidValueError(
            f"{counted(len(one), 'outline')} and {counted(len(other), 'outline')} are not pairs"
        )
    (heads, edges, _), (other_heads, other_edges, _) = one.prepared, other.prepared
    count = min(counts) if 0 in counts else max(counts)
    if one.border is None and other.border is None:
        return compare(heads, edges, other_heads, other_edges, count)
    ours, theirs, firsts = part_pairs(one, other, count)
    rows = compare(heads[ours], edges, other_heads[theirs], other_edges, len(ours))
    found = np.empty((count, 4))
    found[:, 0] = np.minimum.reduceat(rows[:, 0], firsts)
    found[:, 1] = np.maximum.reduceat(rows[:, 1], firsts)
    found[:, 2:] = np.nan
    return found


def part_pairs(one: Outlines, other: Outlines, count: int) -> tuple[Indices, Indices, Indices]:
    """Return the pairs of convex parts of each pair of outlines, and the first of each."""
    pairs, many, firsts = np.arange(count), [], []
    for each in (one, other):
        number = pairs % max(len(each), 1)
        firsts.append(each.parts[number])
        many.append(np.diff(each.parts)[number])
    sizes = many[0] * many[1]
    ends = np.cumsum(sizes)
    pair = np.repeat(pairs, sizes)
    rank = np.arange(len(pair)) - (ends - sizes)[pair]
    ours, theirs = rank // many[1][pair], rank % many[1][pair]
    return firsts[0][pair] + ours, firsts[1][pair] + theirs, ends - sizes
