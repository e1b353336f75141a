"""Exact odds of Minifig battles, for the command `odds`.

- `attack`: an attack of one on another, and all pairs of several.
- `tables`: what the command `odds` offers.
"""
