"""Grid: a rectangle of squares for games that are played on one.

- `bitset`: sets of squares as the bits of an integer.
- `grid`: the rectangle: numbers of squares, neighbours, circles, the squares under a polygon.
- `directions`: the eight neighbours of a square, and facings.
- `rings`: the squares that are reached after 0, 1, 2, ... steps.
"""
