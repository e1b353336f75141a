"""Exact odds of Minifig battles, for the command `odds`.

- `attack`: an attack of one on another, and all pairs of several.
- `volley`: shots at figures that stand alone.
- `tables`: what the command `odds` offers.
"""
