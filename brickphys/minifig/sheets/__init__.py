"""Sheets of Minifig battles: the numbers of the book, from ``data/figures.toml``.

- `charts`: kinds of figures, arms, things, and the rows of the charts of movement, bricks and missiles.
- `bricks`: the rows of bricks of a figure in hand-to-hand.
- `fighter`: a figure on one side of a fight, as the command line names it.
"""
