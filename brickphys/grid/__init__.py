"""Grid: a rectangle of squares for games that are played on one.

- `grid`: numbers and sets of squares, neighbours, directions and facings, circles, the squares under a polygon, and
  those that are reached after 0, 1, 2, ... steps.
"""
