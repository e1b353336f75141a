"""Exact odds of Minifig battles, for the command `odds`.

- `fighter`: a figure in hand-to-hand, as the command line names it.
- `attack`: an attack of one on another, and all pairs of several.
- `tables`: what the command `odds` offers.
"""
