"""Bit sets: sets of squares as the bits of one integer, so that unions and differences are single operations."""

from collections.abc import Iterable, Iterator

Square = int
"""The number of a square, see `brickphys.grid.grid.Grid`."""
Squares = int
"""A set of squares: bit n stands for square n."""


def squares_of(numbers: Iterable[Square]) -> Squares:
    """Return the set of some squares."""
    squares = 0
    for number in numbers:
        squares |= 1 << number
    return squares


def each(squares: Squares) -> Iterator[Square]:
    """Yield the squares of a set in ascending order."""
    while squares:
        bit = squares & -squares
        yield bit.bit_length() - 1
        squares ^= bit
