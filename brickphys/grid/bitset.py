"""Studs: where a figure can stand, and sets of them as the bits of one integer.

Stud number ``y * width + x`` is the square of one stud from (x, y) to (x + 1, y + 1). A set of studs is an integer
with their bits: unions, differences and whole rings of steps then are single operations.
"""

from collections.abc import Iterable, Iterator
from math import ceil, floor

from brickphys.geometry.polygon import TOLERANCE, Point, Polygon

Stud = int
"""The number of a stud."""
Studs = int
"""A set of studs: bit n stands for stud n."""


def studs_of(numbers: Iterable[Stud]) -> Studs:
    """Return the set of some studs."""
    studs = 0
    for number in numbers:
        studs |= 1 << number
    return studs


def each(studs: Studs) -> Iterator[Stud]:
    """Yield the studs of a set, in the order of their numbers."""
    while studs:
        bit = studs & -studs
        yield bit.bit_length() - 1
        studs ^= bit


def overlapped(polygon: Polygon, width: int, length: int) -> Studs:
    """Return the studs of a field that a convex polygon overlaps by more than the tolerance.

    Parameters
    ----------
    polygon
        In studs.
    width, length
        Of the field.
    """
    corners: list[Point] = [(x, y) for x, y in polygon.vertices_studs.tolist()]
    heights = [y for _, y in corners]
    low = max(floor(min(heights) + TOLERANCE), 0)
    high = min(ceil(max(heights) - TOLERANCE), length)
    studs = 0
    for y in range(low, high):
        across = _extent(corners, y)
        first = max(floor(across[0] + TOLERANCE), 0)
        last = min(ceil(across[1] - TOLERANCE), width)
        if first < last:
            studs |= ((1 << (last - first)) - 1) << (y * width + first)
    return studs


def _extent(corners: list[Point], row: int) -> tuple[float, float]:
    """Return from which x to which x a polygon extends within one row of studs, a corner or an edge of which it has."""
    found = [x for x, y in corners if row <= y <= row + 1]
    for (x, y), (x_next, y_next) in zip(corners, corners[1:] + corners[:1], strict=True):
        found += [
            x + (x_next - x) * (line - y) / (y_next - y)
            for line in (row, row + 1)
            if (y < line) != (y_next < line)
        ]
    return min(found), max(found)
